"""Saves from outside: every part is looked at before anything is made of it, against the program that it is for.

A save without a signature may have been written by anybody, with a checksum that fits. What passes here can still be a
position that no play leads to; but every number is one that its place can hold, and nothing is there that nobody reads.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final, NoReturn

from grimoire.runtime.artefact.arguments import show_value
from grimoire.runtime.build.liveness import LiveSlots
from grimoire.runtime.build.program import Program
from grimoire.runtime.core.tables import Column, VariableOf
from grimoire.runtime.errors import SaveError
from grimoire.runtime.kernel.base import DRAWS, FORCED, GRANTED, MIXES, NIL, SCRIPTED, SERIAL, Floating, Op
from grimoire.runtime.limits import MAX_DEPTH
from grimoire.runtime.play.shapes import Listed, LogEntry, Saved, Script

MOST: Final = 1 << 62  # of what only counts: random numbers, scopes, moments
MOST_GRANTED: Final = 1 << 20  # floating effects in a game; masks have a bit for each
MOST_FLOATS: Final = 10_000  # at a time
LONGEST_BITS: Final = 4_000_000  # a loop over many elements keeps them in one number
JSON_BITS: Final = 4_096  # larger numbers are text: Python refuses to read and write much longer ones
TOP: Final = {
    "format", "version", "package", "content", "seed", "players", "options", "script", "decisions", "numbers", "edited",
    "state", "protection", "check",
}  # fmt: skip
LOGGED: Final = {"log", "seen", "open"}
STATE: Final = {"counters", "vars", "columns", "zones", "known", "stamps", "frames", "floats", "outcome"}
EVENT: Final = {"verb", "you", "args", "ok"}
CHOICE: Final = {"choice", "entry", "you", "values"}
_LINE: Final = re.compile(r"p([1-9][0-9]?) (.*)", re.DOTALL)
_LARGE: Final = re.compile(r"-?0x[0-9a-f]+")


def fail(path: str, text: str) -> NoReturn:
    """Refuse the save, with the place in it."""
    raise SaveError(f"the save is damaged: {path}: {text}")


def write_large_numbers(value: object) -> object:
    """Plain data in which numbers too large for JSON are text."""
    if isinstance(value, int) and value.bit_length() > JSON_BITS:
        return hex(value)
    if isinstance(value, list):
        return [write_large_numbers(part) for part in value]
    return {name: write_large_numbers(part) for name, part in value.items()} if isinstance(value, dict) else value


def check_whole_number(value: object, path: str, low: int, high: int) -> int:
    """A whole number of a range; flags are none."""
    if type(value) is not int or not low <= value <= high:
        fail(path, f"expected a whole number from {show_value(low)} to {show_value(high)}, found {show_value(value)}")
    return value


def number(value: object, path: str) -> int:
    """Any number that a game can hold."""
    if type(value) is str and len(value) <= LONGEST_BITS // 4 and _LARGE.fullmatch(value):
        return int(value, 16)
    if type(value) is not int or value.bit_length() > JSON_BITS:
        fail(path, f"expected a number, found {show_value(value)}")
    return value


def check_list(value: object, path: str, n: int | None = None) -> Listed:
    """A list, of a length if one is given."""
    if type(value) is not list:
        fail(path, f"expected a list, found {show_value(value)}")
    if n is not None and len(value) != n:
        fail(path, f"expected {n} values, found {len(value)}")
    return value


def table(value: object, path: str, names: Iterable[str], more: Iterable[str] = ()) -> Saved:
    """An object with exactly these names, and perhaps more of the others."""
    if type(value) is not dict:
        fail(path, f"expected an object, found {show_value(value)}")
    wanted = set(names)
    for name in wanted - value.keys():
        fail(path, f"{name} is missing")
    for name in value.keys() - wanted - set(more):
        fail(path, f"{show_value(name)} is not known")
    return value


def text(value: object, path: str) -> str:
    if type(value) is not str:
        fail(path, f"expected a text, found {show_value(value)}")
    return value


def decision_line(line: object, path: str) -> tuple[int, str]:
    """``p1 key`` -> seat number and key."""
    found = _LINE.fullmatch(line) if type(line) is str else None
    if found is None:
        raise SaveError(f"{path}: {show_value(line)} is no decision: expected 'p1 key'")
    return int(found[1]) - 1, found[2]


class SaveCheck:
    """The parts of a save as the state holds them."""

    def __init__(self, program: Program, live: LiveSlots) -> None:
        self.p = program
        self.live = live
        pieces = len(program.piece_def)
        self.sizes = {
            "seat": program.seats,
            "fixture": len(program.fixture_names),
            "piece": pieces,
            "zone": len(program.zone_names),
        }
        self.verbs = {row.id for row in program.artefact.procs}

    # -- numbers

    def counters(self, value: object, script: Script | None) -> list[int]:
        found = [
            check_whole_number(x, f"counters[{at}]", 0, MOST) for at, x in enumerate(check_list(value, "counters", NIL))
        ]
        forced = script or {}
        used = found[SCRIPTED]
        check_whole_number(used & ((1 << FORCED) - 1), "counters: forced numbers", 0, len(forced.get("random", [])))
        check_whole_number(used >> FORCED, "counters: forced shuffles", 0, len(forced.get("shuffle", [])))
        check_whole_number(found[GRANTED], "counters: effects granted", 0, MOST_GRANTED)
        assert found[DRAWS] >= 0 and found[SERIAL] >= 0 and found[MIXES] >= 0
        return found

    def cell(self, row: VariableOf | Column, value: object, path: str) -> int:
        """The value of a variable or of a column."""
        size = self.sizes.get(row.sort)
        found = number(value, path)
        if row.set:
            if found < 0 or (size is not None and found >> size):
                fail(path, "this is no set of what there is")
        elif size is not None and not -1 <= found < size:
            fail(path, f"there is no {row.sort} {show_value(found)}")
        return found

    def cells(self, value: object, rows: Sequence[VariableOf]) -> list[int]:
        """The variables, in their order."""
        found = table(value, "vars", [row.id for row in rows])
        return [self.cell(row, found[row.id], f"vars.{row.id}") for row in rows]

    def columns(self, value: object) -> list[int]:
        """The stored columns, one after the other."""
        rows = [row for row, _ in self.p.stored_columns()]
        found = table(value, "columns", [row.id for row in rows])
        cells: list[int] = []
        for row in rows:
            path = f"columns.{row.id}"
            values = check_list(found[row.id], path, self.sizes[row.of])
            cells.extend(self.cell(row, x, path) for x in values)
        return cells

    def masks(self, value: object, path: str) -> list[int]:
        """Who knows each piece."""
        return [check_whole_number(x, path, 0, self.p.everyone) for x in check_list(value, path, self.sizes["piece"])]

    def moments(self, value: object, path: str, n: int) -> list[int]:
        return [check_whole_number(x, path, -1, MOST) for x in check_list(value, path, n)]

    def zones(self, value: object) -> list[list[int]]:
        """The pieces of each zone, no piece in two of them."""
        numbers = {name: piece for piece, name in enumerate(self.p.piece_names)}
        seen: set[str] = set()
        zones = table(value, "zones", self.p.zone_names)
        found: list[list[int]] = []
        for zone in self.p.zone_names:
            for name in check_list(zones[zone], f"zones.{zone}"):
                if type(name) is not str or name not in numbers:
                    fail(f"zones.{zone}", f"there is no piece {show_value(name)}")
                if name in seen:
                    fail(f"zones.{zone}", f"{name} is in two places")
                seen.add(name)
            found.append([numbers[name] for name in zones[zone]])
        return found

    # -- what is suspended and what holds for a time

    def frames(self, value: object, granted: int) -> list[tuple[int, int, list[int]]]:
        """Unit, position and live slots of each frame: one that waits on those that have called."""
        found: list[tuple[int, int, list[int]]] = []
        rows = check_list(value, "frames")
        if not 1 <= len(rows) <= MAX_DEPTH + 1:
            fail("frames", "the game does not stand at a decision")
        for at, row in enumerate(rows):
            path = f"frames[{at}]"
            table(row, path, ("proc", "as", "unit", "at", "slots"))
            unit = check_whole_number(row["unit"], f"{path}.unit", 0, len(self.p.units) - 1)
            u = self.p.units[unit]
            pc = check_whole_number(row["at"], f"{path}.at", 0, len(u.code) - 1)
            sort = "event" if u.event else "ability" if u.ability else "call"
            if row["proc"] != u.name or row["as"] != sort:
                fail(path, "the frame does not fit the program")
            op = u.code[pc]
            stands = op.asks if at == len(rows) - 1 else type(op).resume is not Op.resume
            if not stands or u.proc < 0 or (u.ability and not (found and self.p.units[found[-1][0]].event)):
                fail(path, "the game cannot stand here")
            live = self.live.at(unit, pc)
            slots = [number(x, path) for x in check_list(row["slots"], f"{path}.slots", len(live))]
            if u.ability:
                last = (
                    len(self.p.tables.instance_ability) + granted - 1
                )  # an effect for one use is gone when it is used
                check_whole_number(slots[live.index(u.extras + 2)], path, 0, last)
            if u.serial >= 0:
                check_whole_number(slots[live.index(u.serial)], path, 0, MOST)
            found.append((unit, pc, slots))
        return found

    def floats(self, value: object, granted: int, frames: int) -> dict[int, Floating]:
        """The floating effects by serial."""
        found: dict[int, Floating] = {}
        rows = check_list(value, "floats")
        if len(rows) > MOST_FLOATS:
            fail("floats", f"{len(rows)} effects are too many")
        t = self.p.tables
        for at, row in enumerate(rows):
            path = f"floats[{at}]"
            if len(check_list(row, path)) < 6:
                fail(path, "expected a serial and an effect")
            serial, kind, which, owner, depth, stamp, *captures = [number(x, path) for x in row]
            check_whole_number(serial, path, max(found, default=-1) + 1, granted - 1)
            ability = check_whole_number(kind, path, 0, 1) == 0
            of = t.abilities if ability else t.modifiers
            check_whole_number(which, path, 0, len(of) - 1)
            if of[which].key < 0 or len(captures) > self.p.count_captured(ability, which):
                fail(path, "no effect of this sort is ever granted")
            check_whole_number(owner, path, -1, self.p.seats - 1)
            check_whole_number(depth, path, -1, frames - 1)
            check_whole_number(stamp, path, 0, MOST)
            found[serial] = Floating(kind == 1, which, owner, depth, stamp, captures)
        return found

    def outcome(self, value: object) -> tuple[int, int]:
        """How the game ended: number and winners; -1 while it goes on."""
        if value is None:
            return -1, 0
        ident, winners = check_list(value, "outcome", 2)
        if ident not in self.p.outcomes:
            fail("outcome", f"there is no outcome {show_value(ident)}")
        return self.p.outcomes.index(ident), check_whole_number(winners, "outcome", 0, self.p.everyone)

    # -- the log

    def check_entries(self, value: object, moment: int) -> list[tuple[int, int, list[LogEntry]]]:
        """The entries: when each began and ended, and its versions for the seats and in full."""
        found = []
        for at, row in enumerate(check_list(value, "log")):
            path = f"log[{at}]"
            table(row, path, ("begin", "end", "told"))
            end = check_whole_number(row["end"], f"{path}.end", 0, moment)
            begin = check_whole_number(row["begin"], f"{path}.begin", 0, end)
            for version in check_list(row["told"], f"{path}.told", self.p.seats + 1):
                self.version(version, f"{path}.told")
            found.append((begin, end, list(row["told"])))
        return found

    def version(self, value: object, path: str) -> None:
        """An entry as one seat reads it."""
        if type(value) is dict and "verb" in value:
            table(value, path, EVENT, ("result",))
            if value["verb"] not in self.verbs or (value["you"] is not None and value["you"] not in self.p.seat_names):
                fail(path, "there is no such event")
            if type(value["ok"]) is not bool:
                fail(path, "an event happened, or it did not")
            shown_values = [*check_list(value["args"], path), *([value["result"]] if "result" in value else [])]
        else:
            value = table(value, path, CHOICE)
            text(value["choice"], path)
            text(value["entry"], path)
            if value["you"] not in self.p.seat_names:
                fail(path, "nobody of the table decided this")
            shown_values = check_list(value["values"], path)
        for row in shown_values:
            table(row, path, ("sort", "value"), ("kind", "zone"))
            for name in row.keys() & {"kind", "zone", "sort"}:
                text(row[name], path)
            for x in row["value"] if type(row["value"]) is list else [row["value"]]:
                if type(x) is not str and x is not None:
                    number(x, path)

    def begun(self, value: object, moment: int) -> dict[int, tuple[int, int, list[int]]]:
        """The events that go on: procedure, where their window lies, and who and what."""
        found: dict[int, tuple[int, int, list[int]]] = {}
        procs, pieces = self.p.artefact.procs, self.sizes["piece"]
        for at, row in enumerate(check_list(value, "open")):
            path = f"open[{at}]"
            if len(check_list(row, path)) < 4:
                fail(path, "expected a moment and an event")
            began = check_whole_number(row[0], path, max(found, default=-1) + 1, moment)
            proc = check_whole_number(row[1], path, 0, len(procs) - 1)
            width, sorts = 1 + procs[proc].params, procs[proc].sorts or ()
            slots = [number(x, path) for x in row[3:]]
            if len(slots) not in (width, width + len(sorts)):
                fail(path, "the event has another number of values")
            for sort, x in zip(sorts, slots[1:width], strict=False):
                if x >= 0 and (x >> pieces if sort == "set:piece" else sort == "piece" and x >= pieces):
                    fail(path, "the event names a piece that there is not")
            found[began] = (proc, check_whole_number(row[2], path, 0, MOST), slots)
        return found
