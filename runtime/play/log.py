"""The log: an entry for every event and decision, redacted for every seat when it is written; read causes first."""

from __future__ import annotations

from typing import NamedTuple

from grimoire.runtime.build.program import Program
from grimoire.runtime.core.analysis import is_told_alike, secretless
from grimoire.runtime.kernel.base import X_SINCE
from grimoire.runtime.kernel.events import LookOp
from grimoire.runtime.kernel.selectors import by_place
from grimoire.runtime.kernel.state import State
from grimoire.runtime.play.names import Names
from grimoire.runtime.play.shapes import Argument, LogEntry

Version = LogEntry


class Begun(NamedTuple):
    """An event that goes on: who and what (slots as they were when it began), and where its window lies.

    Behind the slots of an event that is done with pieces stand the seats that knew each of them when it began.
    """

    proc: int
    base: int
    slots: list[int]


class Ended(NamedTuple):
    """An entry that can still become plainer: its number, when it began, and the pieces that its values name, in their
    order.
    """

    at: int
    since: int
    pieces: list[list[int]]


class Written(NamedTuple):
    """An entry: when it began and ended, one version a seat, then the full one."""

    begin: int
    end: int
    versions: list[Version]


class Log:
    """Entries are written when an event has happened, or failed to; events that go on are worked out when the log is
    read.

    A piece is named to a seat if the seat knew it when the event began, or knows it when it ends and never lost sight
    of it meanwhile: ``blurred`` holds, for each piece, the moment at which somebody last stopped knowing it. Moments
    count beginnings too, so that they give the order of reading.
    """

    def __init__(self, program: Program) -> None:
        self.program = program
        rows = program.artefact.procs
        self.widths = [1 + row.params for row in rows]
        self.same = [is_told_alike(row) for row in rows]
        self.spaces = frozenset(zone for zone in program.tables.fixture_zone if zone >= 0)
        self.moment = 1
        self.blurred = [0] * len(program.piece_def)
        self.written: list[Written] = []
        self.open: dict[int, Begun] = {}  # by the moment of the beginning
        self.ended: list[Ended] = []  # entries written since the game last waited that name a piece
        # for undo: a piece blurred and when it was before; -1 an entry; -2 a beginning; -3 an end and what has ended
        self.trail: list[tuple[int, int, Begun | None]] = []

    def copy(self) -> Log:
        log = Log(self.program)
        log.moment = self.moment
        log.blurred = self.blurred[:]
        log.written = self.written[:]
        log.open = dict(self.open)
        return log

    # -- what the kernel tells

    def begin(self, g: State, proc: int, base: int) -> int:
        """An event is proposed; its moment is told again when it ends."""
        moment = self._tick()
        slots = g.slots[base : base + self.widths[proc]]
        if not self.same[proc]:
            sorts = self.program.artefact.procs[proc].sorts or ()
            known, count = self.program.known, len(self.blurred)
            slots += [
                g.mem[known + x] if sort == "piece" and 0 <= x < count else 0
                for sort, x in zip(sorts, slots[1:], strict=False)
            ]
        self.open[moment] = Begun(proc, base, slots)
        return moment

    def event(self, g: State, proc: int, base: int, ok: int, since: int, result: int = -1) -> None:
        """An event has happened, with what it gave; or not."""
        begun = self.open.get(since)
        self._end(since)
        width = self.widths[proc]
        slots = g.slots[base : base + width]
        if begun is not None and begun.slots[:width] == slots:
            slots = begun.slots  # with who knew what when it began
        self._tell(g, proc, slots, since, bool(ok), result if ok else None)

    def choice(self, g: State, seat: int, label: str, entry: str, sorts: list[str], values: list[int]) -> None:
        """A decision: who, what was asked, which entry, the values chosen as far as each seat knows them now."""
        moment = self._tick()
        same = secretless(sorts)
        versions: list[Version] = []
        for reader in [-1] if same else range(-1, self.program.seats):
            names = Names(self.program, g, reader)
            shown = [self._arg(names, sort, x, moment) for sort, x in zip(sorts, values, strict=True)]
            for row, x in zip(shown, values, strict=True):
                if row["sort"] == "piece" and row["value"] is not None and x >= 0 and g.loc[x] in self.spaces:
                    row["zone"] = self.program.zone_names[g.loc[x]]  # pieces of one name are told apart by their space
            you = self.program.seat_names[seat]
            versions.append({"choice": label, "entry": entry, "you": you, "values": shown})
        self._write(moment, versions * (self.program.seats + 1) if same else [*versions[1:], versions[0]])

    def leave(self, g: State, base: int) -> None:
        """The events whose windows lie beyond a slot are left, or the game ends in them: as far as they came, they
        happened.
        """
        left = [moment for moment, begun in self.open.items() if begun.base > base]
        if not left:
            return
        proposed = self._find_proposed(g, top=False)
        for moment in reversed(left):
            begun = self.open[moment]
            ok = moment not in proposed
            self._end(moment)
            self._tell(g, begun.proc, begun.slots, moment, ok, None)

    def blur(self, piece: int) -> None:
        self.trail.append((piece, self.blurred[piece], None))
        self.moment += 1
        self.blurred[piece] = self.moment

    def rest(self, shown: list[int]) -> None:
        """The game waits, and all see what lies on top: what was done with it since the game last waited is told with
        its name.
        """
        for row in self.ended:
            seen = [piece for piece in shown if self.blurred[piece] <= row.since]
            if any(piece in seen for pieces in row.pieces for piece in pieces):
                written = self.written[row.at]
                told = [self._plainer(version, row.pieces, seen) for version in written.versions]
                self.written[row.at] = Written(written.begin, written.end, told)
        self.ended.clear()

    def size(self) -> int:
        return len(self.trail)

    def cut(self, size: int) -> None:
        """Take back all that was told since the log had this size."""
        opened = False
        while len(self.trail) > size:
            what, before, begun = self.trail.pop()
            if what == -1:
                self.written.pop()
            elif what == -2:
                self.open.pop(self.moment, None)
                self.moment -= 1
            elif what == -3:
                assert begun is not None
                self.open[before] = begun
                opened = True
            else:
                self.blurred[what] = before
                self.moment -= 1
        if opened:
            self.open = dict(sorted(self.open.items()))
        self.ended = [row for row in self.ended if row.at < len(self.written)]

    # -- inside

    def _tick(self) -> int:
        self.trail.append((-2, 0, None))
        self.moment += 1
        return self.moment

    def _end(self, moment: int) -> None:
        begun = self.open.pop(moment, None)
        if begun is not None:
            self.trail.append((-3, moment, begun))

    def _tell(self, g: State, proc: int, slots: list[int], since: int, ok: bool, result: int | None) -> None:
        """Write an event; what it did with pieces that everybody sees when the game waits next is told then."""
        if g.stirred and not self.same[proc]:
            row = self.program.artefact.procs[proc]
            values = [*zip(row.sorts or (), slots[1:], strict=False), (row.tells or "", result or 0)]
            named = [by_place(g, x) if sort == "set:piece" else [x] if sort == "piece" else [] for sort, x in values]
            self.ended.append(Ended(len(self.written), since, named))
        self._write(since, self._versions(g, proc, slots, since, ok, result))

    def _plainer(self, version: Version, pieces: list[list[int]], seen: list[int]) -> Version:
        """A version of an entry with the names of pieces that are seen by now."""
        shown = [*version["args"], *([version["result"]] if "result" in version else [])]
        told = []
        for value, of in zip(shown, pieces, strict=False):
            names = [str(self.program.definition_names[self.program.piece_def[x]]) if x in seen else None for x in of]
            if of and isinstance(value["value"], list):
                value = {**value, "value": [old or new for old, new in zip(value["value"], names, strict=True)]}
            elif names and names[0] is not None:
                value = {"sort": value["sort"], "value": names[0]}
            told.append(value)
        plainer: LogEntry = {**version, "args": told[: len(version["args"])]}
        if "result" in version:
            plainer["result"] = told[-1]
        return plainer

    def _write(self, begin: int, versions: list[Version]) -> None:
        self.trail.append((-1, 0, None))
        self.written.append(Written(begin, self.moment, versions))

    def _find_proposed(self, g: State, top: bool) -> set[int]:
        """The beginnings of events still in their windows before; the topmost frame only if the game waits there."""
        found: set[int] = set()
        last = g.depth
        for number in range(last + 1 if top else last):
            u = g.units[g.frame_unit(number)]
            pc = g.frame_pc(number)
            if u.event and isinstance(u.code[pc], LookOp):
                found.add(g.slots[g.frame_base(number) + u.extras + X_SINCE])
        return found

    def _versions(
        self, g: State, proc: int, slots: list[int], since: int, ok: bool, result: int | None = None
    ) -> list[Version]:
        """An event as each seat may know it, then in full; the same for all where it names no piece."""
        full = self._event(g, -1, proc, slots, since, ok, result)
        if self.same[proc]:
            return [full] * (self.program.seats + 1)
        return [*(self._event(g, seat, proc, slots, since, ok, result) for seat in range(self.program.seats)), full]

    def _event(
        self,
        g: State,
        seat: int,
        proc: int,
        slots: list[int],
        since: int,
        ok: bool | None,
        result: int | None = None,
    ) -> Version:
        """One event as a seat may know it now; with its result, if there is one that is told."""
        row = self.program.artefact.procs[proc]
        sorts = row.sorts
        names = Names(self.program, g, seat)
        you = slots[0]
        width = self.widths[proc]
        knew = slots[width:]
        tells = row.tells
        told: LogEntry = {
            "verb": row.id,
            "you": self.program.seat_names[you] if 0 <= you < self.program.seats else None,
            "args": [
                self._arg(names, sorts[at] if sorts else "", x, since, knew[at] if at < len(knew) else 0)
                for at, x in enumerate(slots[1:width])
            ],
            "ok": ok,
        }
        if tells is not None and result is not None:
            told["result"] = self._arg(names, tells, result, since)
        return told

    def _arg(self, names: Names, sort: str, value: int, since: int, knew: int = 0) -> Argument:
        if sort == "":
            return {"sort": "", "value": value if names.seat < 0 else None}
        many = sort.startswith("set:")
        if many:
            found = [self._one(names, sort[4:], x, since) for x in names.members(sort[4:], value)]
            return {"sort": sort, "value": found}
        shown = self._one(names, sort, value, since, knew)
        back = None if shown is not None else self.program.backs[self.program.piece_def[value]]
        return {"sort": sort, "value": shown} if back is None else {"sort": sort, "value": None, "kind": back}

    def _one(self, names: Names, sort: str, value: int, since: int, knew: int = 0) -> str | int | None:
        if sort == "piece" and value >= 0 and names.seat >= 0:
            if not (knew >> names.seat) & 1 and (not names.knows(value) or self.blurred[value] > since):
                return None
            return str(self.program.definition_names[self.program.piece_def[value]])
        if sort == "piece" and value >= 0:
            return str(self.program.definition_names[self.program.piece_def[value]])
        return names.value(sort, value)

    # -- reading

    def entry(self, g: State, seat: int, moment: int) -> LogEntry | None:
        """The event that began at a moment, as a seat may know it; without number and depth."""
        begun = self.open.get(moment)
        if begun is not None:
            ok = None if moment in self._find_proposed(g, top=True) else True
            return self._event(g, seat, begun.proc, begun.slots, moment, ok)
        for row in reversed(self.written):
            if row.begin == moment:
                return row.versions[seat]
        return None

    def entries(self, g: State, seat: int | None, choices: bool) -> list[LogEntry]:
        """What a seat may read, in the order in which things began, with how deep they lie in others."""
        reader = -1 if seat is None else seat
        rows = [(row.begin, row.end, row.versions[reader]) for row in self.written]
        proposed = self._find_proposed(g, top=True) if self.open else set()
        for moment, begun in self.open.items():
            version = self._event(g, reader, begun.proc, begun.slots, moment, None if moment in proposed else True)
            rows.append((moment, self.moment + 1, {**version, "open": True}))
        rows.sort(key=lambda row: row[0])
        found: list[LogEntry] = []
        around: list[int] = []  # the ends of what an entry lies in
        for at, (begin, end, version) in enumerate(rows):
            while around and around[-1] < begin:
                around.pop()
            if choices or "verb" in version:
                found.append({"n": at + 1, "depth": len(around), **version})
            if "verb" in version:
                around.append(end)
        return found
