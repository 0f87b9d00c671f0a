"""What a user is told beside the result: wrong use, findings, and texts from outside as they may be printed.

Every command and every stage behind one may say so; `cli.main` turns the exceptions into a short message and an exit code.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from grimoire.compiler.diagnostics.report import did_you_mean
from grimoire.compiler.source.tree import UNWANTED, printable_name


class WrongUse(Exception):
    """The command line cannot be carried out; the message says what was expected. Exit code 2."""


class Finding(Exception):
    """The work found something wrong; the message says what. Exit code 1."""


def say(text: str = "") -> None:
    """A line for people that is not the result: to stderr."""
    print(visible(text), file=sys.stderr)


def visible(text: str) -> str:
    """Lines from outside as they may be printed: without signs that steer a terminal or turn the text round."""
    return UNWANTED.sub("\N{REPLACEMENT CHARACTER}", text)


def shown(text: str, limit: int = 80) -> str:
    """Text from outside as it may be printed: short, and without signs that steer a terminal."""
    text = "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in printable_name(text))
    return text if len(text) <= limit else text[: limit - 3] + "..."


def listed(names: Sequence[str], limit: int = 12) -> str:
    return ", ".join(names[:limit]) + (", .." if len(names) > limit else "")


def guess(word: str, names: Sequence[str]) -> str:
    """`" (did you mean 'x'?)"`, or nothing."""
    found = did_you_mean(word, names)
    return f" (did you mean '{found}'?)" if found else ""
