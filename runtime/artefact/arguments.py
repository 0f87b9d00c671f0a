"""What callers give: checked at the edge of the API, refused with what was expected. The kernel never uses this."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeAlias

from grimoire.runtime.artefact.loading import Package
from grimoire.runtime.errors import GrimoireError, SetupError

Refusal = type[GrimoireError]
Given: TypeAlias = Any  # what a caller gave: whoever takes it looks at each part
SEEDS: Final = 1 << 128


def show_value(value: object) -> str:
    """A value as a message names it."""
    try:
        text = repr(value)
    except (ValueError, RecursionError):  # a number of thousands of digits, or a list in itself
        return f"a {type(value).__name__} that is too long to show"
    return text if len(text) <= 60 else text[:57] + "..."


def check_whole_number(value: object, what: str, low: int, error: Refusal = SetupError) -> int:
    """A whole number from a least one on."""
    if not isinstance(value, int) or isinstance(value, bool) or value < low:
        raise error(f"{what} is a whole number from {low} on, not {show_value(value)}")
    return value


def seed(value: object, error: Refusal = SetupError) -> int:
    """A seed: more than a stream of random numbers has would be taken for a smaller one."""
    if check_whole_number(value, "a seed", 0, error) >= SEEDS:
        raise error(f"a seed is below 2**128, not {show_value(value)}")
    assert isinstance(value, int)
    return value


def seat(value: object, players: int, error: Refusal = SetupError) -> int:
    """The number of a seat, counted from 0."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise error(f"a seat is a number from 0 to {players - 1} (p1 is 0), not {show_value(value)}")
    if not 0 <= value < players:
        raise error(
            f"there is no seat {show_value(value)} (p{show_value(value + 1)}): seats go from 0 to {players - 1}"
        )
    return value


def text(value: object, what: str, error: Refusal) -> str:
    """A text, such as the key of an option."""
    if not isinstance(value, str):
        raise error(f"{what} is a text, not {show_value(value)}")
    return value


def table(value: object, what: str, error: Refusal = SetupError) -> Mapping[str, object]:
    """A dictionary."""
    if not isinstance(value, Mapping):
        raise error(f"{what}, not {show_value(value)}")
    return value


def check_list(value: object, what: str, error: Refusal) -> Sequence[Given]:
    """A list; a text is none."""
    if not isinstance(value, Sequence) or isinstance(value, str | bytes | bytearray):
        raise error(f"{what} is a list, not {show_value(value)}")
    return value


def package(value: object) -> Package:
    """A loaded package."""
    if not isinstance(value, Package):
        raise SetupError(f"a package is what load_artefact or compile_package gives, not {show_value(value)}")
    return value


def options(value: object) -> dict[str, object]:
    """The options of a game by their names; None: all as they are by default."""
    return {} if value is None else dict(table(value, "options are given as {name: value}"))


def script(value: object) -> dict[str, list[Given]]:
    """Forced results."""
    found = table(value, 'a script is given as {"random": [..], "shuffle": [[zone, [pieces]], ..]}')
    for name in found:
        if name not in ("random", "shuffle"):
            raise SetupError(f"a script can force 'random' and 'shuffle', not {show_value(name)}")
    made = {name: list(check_list(rows, f"what a script forces ({name})", SetupError)) for name, rows in found.items()}
    for row in made.get("shuffle", []):
        pair = check_list(row, "a forced shuffle", SetupError)
        if len(pair) != 2 or not isinstance(pair[0], str):
            raise SetupError(f"a forced shuffle is [zone, [pieces on top]], not {show_value(row)}")
        for name in check_list(pair[1], "what lies on top after a shuffle", SetupError):
            text(name, "a piece", SetupError)
    return made
