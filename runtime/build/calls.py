"""Which procedures wait, which need a frame of their own, and which are written into their callers."""

from __future__ import annotations

from typing import Final

from grimoire.runtime.build.references import Needs, References, find_called
from grimoire.runtime.core.analysis import statements_in
from grimoire.runtime.core.records import Statement
from grimoire.runtime.core.statements import Call, Choose, Leave, Menu, Poll, Propose, RunProgram
from grimoire.runtime.limits import MAX_HIDDEN, MAX_INLINE

_WAITING: Final = frozenset((Menu, Choose, Poll, Leave))


class Calls:
    """How the procedures of one program are called."""

    def __init__(self, references: References, heard: dict[int, int], players: int, fuse: bool) -> None:
        self.references = references
        self.heard = heard  # the verbs that abilities answer
        self.players = players
        self.fuse = fuse
        self.framed = set(references.framed)  # procedures that must have a frame of their own
        self.waiting: dict[int, bool] = {}
        # Whether what holds statements waits, by identity; it is kept with the answer, so that its identity stays its
        # own.
        self._around: dict[int, tuple[Statement, bool]] = {}
        self.inline_sizes: dict[int, int] = {}
        self.written: dict[int, int] = {}

    def forget(self) -> None:
        """Let go of what was remembered for single statements."""
        self._around.clear()

    # -- may it wait?

    def proc_waits(self, proc: int) -> bool:
        """Whether a procedure may wait; recursion counts as waiting."""
        known = self.waiting.get(proc)
        if known is None:
            self.waiting[proc] = True
            body = self.references.procs[proc].body
            known = self.waiting[proc] = body is not None and self.waits(body)
        return known

    def waits(self, statement: Statement) -> bool:
        """Whether a statement may wait, be heard, or needs a frame."""
        if type(statement) in _WAITING:
            return True
        if isinstance(statement, Propose):
            verb = statement.verb
            return verb in self.heard or verb in self.framed or self.proc_waits(verb)
        if isinstance(statement, Call):
            return statement.proc in self.framed or self.proc_waits(statement.proc)
        if isinstance(statement, RunProgram):
            found = self.references.programs.get(statement.name, [])
            return any(proc >= 0 and (proc in self.framed or self.proc_waits(proc)) for proc in found)
        known = self._around.get(id(statement))
        if known is None:
            inside = any(self.waits(child) for child in statements_in(statement))
            known = self._around[id(statement)] = (statement, inside)
        return known[1]

    # -- is it written into its caller?

    def count_inlined_slots(self, statement: Propose | Call) -> int:
        """The hidden slots that a call written into its caller needs; -1 if it is not: only short ones are."""
        proc = find_called(statement)
        if proc in self.heard and isinstance(statement, Propose):
            return -1
        return self.inline_size_of(proc)

    def inline_size_of(self, proc: int) -> int:
        """The hidden slots that a procedure needs when it is written into its caller; -1 if it cannot be."""
        known = self.inline_sizes.get(proc)
        if known is None:
            self.inline_sizes[proc] = -1  # while it is worked out: no recursion
            known = self._inline_size(proc, self.proc_waits(proc))
            self.inline_sizes[proc] = known
        return known

    def _inline_size(self, proc: int, waits: bool) -> int:
        refs = self.references
        if not self.fuse or proc in self.framed or proc in refs.bearers:
            return -1
        if waits and (refs.callers.get(proc, 0) > 2 or proc in refs.recursive):
            return -1
        sites = refs.sites.get(proc, 0)
        if not refs.only_inlinable(proc, waits) or self.count_statements(proc) * sites > MAX_INLINE:
            return -1
        row = refs.procs[proc]
        if not waits and not refs.read_first(proc) <= set(range(row.params + 1)):
            return -1
        size = row.slots + self.hidden(refs.needs[proc])
        if waits:  # what it keeps of the event, and a bound of the window
            return size + 2 if size + 2 <= 100 else -1
        return size if size * sites <= MAX_HIDDEN else -1

    def count_statements(self, proc: int) -> int:
        """How many statements a procedure has, with the calls that are written into it."""
        known = self.written.get(proc)
        if known is None:
            self.written[proc] = 1
            known = self.references.statements[proc]
            for statement in self.references.calls[proc]:
                if self.count_inlined_slots(statement) >= 0:
                    known += self.count_statements(find_called(statement))
            self.written[proc] = known
        return known

    def hidden(self, needs: Needs) -> int:
        """How many hidden slots the statements of a form need."""
        found = needs.loops + needs.polls * (2 + self.players)
        for statement in needs.calls:
            found += max(self.count_inlined_slots(statement), 0)
        return found

    # -- frames

    def unframe(self) -> None:
        """Where no log is kept: a procedure needs no frame if all that refers to it is written into it."""
        refs = self.references
        fixed = refs.limited | refs.lasting
        tried = {proc for proc in self.framed - fixed if -1 not in refs.refers.get(proc, {-1})}
        while True:
            self.framed = (self.framed | fixed) - tried
            self.forget()
            self.waiting.clear()
            self.inline_sizes.clear()
            self.written.clear()
            failed = {proc for proc in tried if not all(self._within(user, proc) for user in refs.refers[proc])}
            if not failed:
                return
            tried -= failed
            self.framed |= failed

    def _within(self, proc: int, outer: int) -> bool:
        """Whether a procedure runs only as part of another one, written into it."""
        refs = self.references
        if proc == outer:
            return True
        if proc in self.heard or proc in refs.abilities or proc in refs.recursive or proc not in refs.called_by:
            return False
        if self.inline_size_of(proc) < 0:
            return False
        return all(self._within(caller, outer) for caller in refs.called_by[proc])
