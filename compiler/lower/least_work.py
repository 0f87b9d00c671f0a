"""How many steps a text takes at least, whatever happens in a game."""

from __future__ import annotations

from collections.abc import Mapping

from grimoire.runtime.core import expressions as ex
from grimoire.runtime.core import statements as st
from grimoire.runtime.core.records import Statement
from grimoire.runtime.core.walk import walk

_LEAVES = (st.Stop, st.Leave, st.Return, st.EndGame)


class LeastWork:
    """The steps of verbs and procedures, each counted once with all that it leads to."""

    def __init__(self, bodies: Mapping[int, Statement], unsure: frozenset[int]) -> None:
        self.bodies = bodies
        self.unsure = unsure  # verbs that something can keep from happening
        self._known: dict[int, int] = {}

    def count_verb(self, verb: int) -> int:
        if verb not in self._known:
            self._known[verb] = 1  # one that leads into itself is told as such
            body = self.bodies.get(verb)
            if body is not None and verb not in self.unsure:
                self._known[verb] += self.count(body)
        return self._known[verb]

    def count(self, step: Statement) -> int:
        match step:
            case st.Sequence():
                total = 0
                for part in step.body:
                    total += self.count(part)
                    if any(isinstance(inner, _LEAVES) for inner in walk(part)):
                        break
                return total
            case st.If():
                return 1 + (0 if step.else_ is None else min(self.count(step.then), self.count(step.else_)))
            case st.Repeat():
                times = step.times.value if isinstance(step.times, ex.Number) else 1 if step.times is None else 0
                can_leave = any(isinstance(inner, _LEAVES) for inner in walk(step.body))
                return 1 + (1 if can_leave else max(times, 0)) * self.count(step.body)
            case st.Propose():
                return 1 + self.count_verb(step.verb)
            case st.Call():
                return 1 + self.count_verb(step.proc)
        return 1
