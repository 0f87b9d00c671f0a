"""What a user is told beside the result: wrong use, findings, and texts from outside as they may be printed.

Every command and every stage behind one may say so; `cli.main` turns the exceptions into a short message and an exit
code.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from grimoire.compiler.diagnostics.report import did_you_mean
from grimoire.compiler.files import MAX_INPUT, NotRead, read_file
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


def make_printable(text: str, limit: int = 80) -> str:
    """Text from outside as it may be printed: short, and without signs that steer a terminal."""
    text = "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in printable_name(text))
    return text if len(text) <= limit else text[: limit - 3] + "..."


def read_given(name: str | Path, what: str, limit: int = MAX_INPUT) -> bytes:
    """The bytes of a file that the command line names; `what` it should be, such as "a replay". Raises WrongUse,
    Finding."""
    said = make_printable(str(name))
    try:
        return read_file(name, limit)
    except NotRead as error:
        if error.why == "folder":
            raise WrongUse(f"{said} is a folder, not {what}") from None
        if error.why == "special":
            raise WrongUse(f"{said} is not read: {what} is wanted, and it is not a regular file") from None
        raise Finding(f"{said} is not read as {what}: {error.strerror}") from None
    except (FileNotFoundError, NotADirectoryError):
        raise WrongUse(f"there is no file {said}") from None
    except OSError as error:
        raise Finding(f"{said} cannot be read: {error.strerror}") from None


def list_names(names: Sequence[str], limit: int = 12) -> str:
    return ", ".join(names[:limit]) + (", .." if len(names) > limit else "")


def guess(word: str, names: Sequence[str]) -> str:
    """`" (did you mean 'x'?)"`, or nothing."""
    found = did_you_mean(word, names)
    return f" (did you mean '{found}'?)" if found else ""
