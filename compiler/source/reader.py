"""Who reads the files of packages.

Every stage that wants a file of a package asks a `SourceReader`. `DISK` reads what is saved; a workspace has one of its
own, which reads each file once and knows what an editor has not saved.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from grimoire.compiler.diagnostics.report import Diagnostics
from grimoire.compiler.source.tree import Node, list_files, load_file


class SourceReader:
    """Reads packages from the disk."""

    def list_files(self, root: Path, diags: Diagnostics | None = None) -> list[str]:
        """Names of the YAML files under a package folder, relative to it, with '/', sorted."""
        return list_files(root, diags)

    def has_file(self, path: Path) -> bool:
        return path.is_file()

    def load_file(self, path: Path, diags: Diagnostics, *, name: str | None = None) -> Node | None:
        """The tree of a file; None when there is none to go on with, and then `diags` says why."""
        return load_file(path, diags, name=name)


DISK: Final = SourceReader()
