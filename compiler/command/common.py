"""What the commands share: packages ready to play, options of a game, JSON, progress and colours.

In: what stands on the command line. Out: a package ready to play, or one of the exceptions that `cli.main` turns into a
short message and an exit code. Only JSON and what was asked for goes to stdout; everything else goes to stderr.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final, TextIO

from grimoire.compiler.diagnostics.report import CompileFailed, Diagnostic, Span, render_text
from grimoire.compiler.files import read_file
from grimoire.compiler.records import replace
from grimoire.compiler.resolve import package_folder
from grimoire.compiler.source.tree import MAX_FILE_BYTES, UNWANTED
from grimoire.compiler.telling import Finding, WrongUse, guess, list_names, make_printable, read_given

if TYPE_CHECKING:
    from grimoire.runtime import Package
    from grimoire.runtime.core.tables import Option

FINE: Final = 0
FINDINGS: Final = 1
WRONG_USE: Final = 2
STOPPED: Final = 130
OUR_FAULT: Final = 70  # as sysexits.h has it: an error inside the program

FEW_MISSING: Final = 5  # more missing texts of one file are told together
NAMED_MISSING: Final = 8  # of each section, by their keys
_NO_TEXT: Final = re.compile(r"no text for (\S+) in '([^']*)'\Z")
_NOT_FOUND: Final = ("G0101", "G0201", "G0202")
_NOT_READ: Final = ("G0101", "G0102", "G0103", "G0104", "G0105")
_YES: Final = ("yes", "true", "on", "1")
_NO: Final = ("no", "false", "off", "0")


def print_json(data: object) -> None:
    """The machine-readable result: one JSON document on stdout."""
    import json

    json.dump(data, sys.stdout, ensure_ascii=False, indent=2)
    sys.stdout.write("\n")


def wants_color(stream: TextIO) -> bool:
    """Whether a stream is a terminal that may be painted."""
    return stream.isatty() and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"


# --- diagnostics ------------------------------------------------------------------------------------------------------


def source_texts(diags: Sequence[Diagnostic]) -> dict[str, str]:
    """The texts of the files that diagnostics speak of, as far as they can be read. Of a file that was not read nothing
    is shown: a link may lead to what nobody wants to see in a report."""
    texts = {item.span.file: "" for item in diags if item.code in _NOT_READ}
    for item in diags:
        for span in (item.span, *(other.span for other in item.related)):
            if span.file not in texts:
                try:
                    texts[span.file] = read_file(span.file, MAX_FILE_BYTES).decode("utf-8-sig")
                except (OSError, ValueError):
                    texts[span.file] = ""
    return texts


def report_text(diags: Sequence[Diagnostic], stream: TextIO) -> None:
    """Diagnostics for people, with a closing line that counts them. Many missing texts of one file are told
    together."""
    missing: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for item in diags:
        found = _NO_TEXT.match(item.message) if item.code == "G0901" else None
        if found is not None:
            section, _, key = found[1].partition(".")
            missing.setdefault((item.span.file, found[2]), []).append((section, key))
    together = {place: keys for place, keys in missing.items() if len(keys) > FEW_MISSING}
    told: set[tuple[str, str]] = set()
    color = wants_color(stream)
    texts = source_texts(diags)
    for item in diags:
        found = _NO_TEXT.match(item.message) if item.code == "G0901" else None
        place = (item.span.file, found[2]) if found is not None else None
        if place not in together:
            stream.write(render_text([item], texts, color=color))
        elif place not in told:
            told.add(place)
            stream.write(_report_missing_together(item, place[1], together[place], color))
    counts = [(sum(1 for item in diags if item.severity == level), level) for level in ("error", "warning", "note")]
    parts = [f"{count} {level}{'' if count == 1 else 's'}" for count, level in counts if count]
    if parts:
        stream.write(", ".join(parts) + "\n")


def _report_missing_together(first: Diagnostic, language: str, keys: Sequence[tuple[str, str]], color: bool) -> str:
    """Missing texts of one file as one report: how many, and which of each section."""
    sections: dict[str, list[str]] = {}
    for section, key in keys:
        sections.setdefault(section, []).append(key)
    head = replace(
        first, message=f"{len(keys)} texts are missing in '{language}'", hint=None, span=Span.point(first.span.file)
    )
    lines = [render_text([head], {}, color=color)]
    for section, names in sections.items():
        shown_names = [name for name in names if name][:NAMED_MISSING]
        more = len(names) - len(shown_names) if shown_names else 0
        said = ", ".join(shown_names) + (f" and {more} more" if more else "")
        lines.append(f"  {section}: {said}\n" if said else f"  {section}\n")
    return "".join(lines)


# --- packages ---------------------------------------------------------------------------------------------------------


def open_package(given: str) -> Package:
    """A package ready to play: an id in content/, a folder, or a built artefact. Raises CompileFailed or
    ArtefactError."""
    if given.endswith(".json") and os.path.exists(given) and not os.path.isdir(given):
        from grimoire.runtime import load_artefact

        package = load_artefact(read_given(given, "an artefact"))
        refuse_unseen(package.document, given)
        return package
    from grimoire.compiler.api.build import compile_package

    return compile_package(package_folder(given))


def refuse_unseen(data: object, name: str) -> None:
    """What is read from outside is shown in play: no text of it may steer a terminal, or read otherwise than it is."""
    waiting = [data]
    while waiting:
        node = waiting.pop()
        if isinstance(node, dict):
            waiting += (*node, *node.values())
        elif isinstance(node, list):
            waiting += node
        elif isinstance(node, str) and not node.isprintable() and UNWANTED.search(node):
            raise Finding(
                f"{make_printable(name)} has signs that cannot be seen in its texts: '{make_printable(node)}'"
            )


def is_not_found(failed: CompileFailed) -> bool:
    """Whether nothing but the name on the command line was wrong."""
    return all(item.code in _NOT_FOUND and item.span.line == 1 for item in failed.diagnostics)


# --- players and options ----------------------------------------------------------------------------------------------


def players_of(package: Package, wanted: int | None, *, fall_back: bool = False) -> int:
    """The number of players: as asked for, or the only one the package allows."""
    low, high = package.min_players, package.max_players
    sizes = str(low) if low == high else f"{low} to {high}"
    if wanted is None:
        if low == high or fall_back:
            return low
        raise WrongUse(f"{package.id} is for {sizes} players: say how many with --players N")
    if not low <= wanted <= high:
        raise WrongUse(f"{package.id} is for {sizes} players, not {wanted}")
    return wanted


def options_of(package: Package, given: Sequence[str]) -> dict[str, object]:
    """`name=value` pairs as the options of a game."""
    rows = {row.id: row for row in package.artefact.options}
    options: dict[str, object] = {}
    for pair in given:
        name, sign, value = pair.partition("=")
        if not sign:
            raise WrongUse(f"--option wants name=value, not '{make_printable(pair)}'")
        row = rows.get(name)
        if row is None:
            there = f"its options: {list_names(list(rows))}" if rows else "it has none"
            raise WrongUse(f"{package.id} has no option '{make_printable(name)}'{guess(name, list(rows))}; {there}")
        if name in options:
            raise WrongUse(f"the option {name} is given twice")
        options[name] = _option_value(row, value)
    return options


def _option_value(row: Option, value: str) -> object:
    if row.sort == "flag":
        if value.lower() in _YES or value.lower() in _NO:
            return value.lower() in _YES
        raise WrongUse(f"the option {row.id} is yes or no, not '{make_printable(value)}'")
    values = [str(item) for item in row.values]
    if value not in values:
        raise WrongUse(
            f"the option {row.id} is one of {list_names(values)}, not '{make_printable(value)}'{guess(value, values)}"
        )
    return row.values[values.index(value)]


# --- progress ---------------------------------------------------------------------------------------------------------


@contextmanager
def progress_bar(title: str, total: int | None = None) -> Iterator[Callable[..., None]]:
    """A bar on stderr if that is a terminal; gives a function that takes the amount done so far, and the total if it
    is known only now."""
    if not sys.stderr.isatty():
        yield lambda *told: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(title, total=total)

        def tell(*told: object) -> None:
            numbers = [item for item in told if isinstance(item, int)]
            bar.update(task, completed=numbers[0] if numbers else None, total=numbers[1] if numbers[1:] else total)

        yield tell


def check_target(name: str) -> Path:
    """The file that -o names, if it can be written there."""
    target = Path(name)
    if target.is_dir():
        raise WrongUse(f"'{make_printable(name)}' is a folder: -o wants the name of a file")
    if not target.parent.is_dir():
        raise WrongUse(f"there is no folder '{make_printable(str(target.parent))}' to write to")
    return target
