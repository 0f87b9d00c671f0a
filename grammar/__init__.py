"""The grammar of the effect language and the schemas of the file formats, as package data."""

from __future__ import annotations

import os


def read(name: str) -> str:
    """The text of a file of this package."""
    with open(os.path.join(os.path.dirname(__file__), name), encoding="utf-8") as file:
        return file.read()


def exists(name: str) -> bool:
    """Whether this package has a file."""
    return os.path.isfile(os.path.join(os.path.dirname(__file__), name))
