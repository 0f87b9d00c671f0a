"""The shapes of what a game shows and tells: views, entries of the log, options and forced results, as plain data."""

from __future__ import annotations

from typing import Any, NotRequired, TypeAlias, TypedDict

One: TypeAlias = str | int | None  # a value: the id of what it names, a number, or nothing that may be known
Shown: TypeAlias = One | list[One]
States: TypeAlias = dict[str, Shown]  # by the ids of the states
Piece: TypeAlias = dict[str, Shown]  # `id`, `kind` where its back shows it, and its states
Options: TypeAlias = dict[str, object]  # of a game, as they were given
Script: TypeAlias = dict[str, list[Any]]  # what chance must give; looked at when it is used
Listed: TypeAlias = list[Any]  # a list from outside, as well
Saved: TypeAlias = dict[str, Any]  # a save or a record from outside: each part is looked at before it is used


class DecisionView(TypedDict, total=False):
    """Who is asked; and what, for the seat itself."""

    seat: str
    seats: list[str]
    number: int
    label: str
    options: list[str]


class OutcomeView(TypedDict):
    """How a game ended."""

    id: str
    winners: list[str]
    scores: list[int] | None


class EffectView(TypedDict):
    """Something that holds for a time: an ability, or what modifies a state."""

    owner: str | None
    ability: NotRequired[str]
    modifies: NotRequired[str]


class View(TypedDict, total=False):
    """What a seat sees; `uncounted` where there are zones of which nobody is told how much lies there; `absent` where
    there are spaces and things that the options of the game leave out, `closed` ways between spaces that are there."""

    package: str
    players: int
    seat: str | None
    vars: States
    seats: dict[str, States]
    fixtures: dict[str, States]
    zones: dict[str, list[Piece]]
    uncounted: list[str]
    absent: list[str]
    closed: list[list[str]]
    effects: list[EffectView]
    decision: DecisionView | None
    outcome: OutcomeView | None


class Argument(TypedDict):
    """A value of an event or a decision, as a reader may know it."""

    sort: str
    value: Shown
    kind: NotRequired[str]
    zone: NotRequired[str]


class LogEntry(TypedDict, total=False):
    """An event (`verb`, `args`, `ok`, `result`) or a decision (`choice`, `entry`, `values`), by whom, and where it
    stands in the log (`n`, `depth`)."""

    n: int
    depth: int
    open: bool
    you: str | None
    verb: str
    args: list[Argument]
    ok: bool | None
    result: Argument
    choice: str
    entry: str
    values: list[Argument]


__all__ = [
    "Argument",
    "DecisionView",
    "EffectView",
    "Listed",
    "LogEntry",
    "One",
    "Options",
    "OutcomeView",
    "Piece",
    "Saved",
    "Script",
    "Shown",
    "States",
    "View",
]
