"""How many steps a text can take at most, by the sizes that are known: loops in loops, lists in them.

Counted are pieces and things of a kind, the content of zones and numbers that are written; what is not known counts
once, so that what is told is a product of sizes that stand in the files.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import inf

from grimoire.compiler.lower.context import Context
from grimoire.compiler.lower.ranges import find_range
from grimoire.runtime.core import expressions as ex
from grimoire.runtime.core import selectors as se
from grimoire.runtime.core import statements as st
from grimoire.runtime.core.records import Expression, Selector, Statement
from grimoire.runtime.core.walk import children, walk

_ASKS = (st.Menu, st.Choose, st.Poll)
_BREAKS = (st.Stop, st.Leave, st.Return, st.EndGame, *_ASKS)


class MostWork:
    """The most steps of forms of one unit."""

    def __init__(self, context: Context, bodies: Mapping[int, Statement] | None = None) -> None:
        self.context = context
        self.model = context.model
        self.bodies = bodies or {}  # of verbs and procedures: without them what a text calls counts once
        self._known: dict[int, int] = {}

    def count_verb(self, verb: int) -> int:
        """The steps of a verb; one that asks somebody on its way counts once."""
        if verb not in self._known:
            self._known[verb] = 1  # so does one that leads into itself
            body = self.bodies.get(verb)
            if body is not None and not any(isinstance(part, _ASKS) for part in walk(body)):
                self._known[verb] += self.count(body)
        return self._known[verb]

    def count(self, form: Statement | Expression | Selector) -> int:
        """The steps of a form with all that stands in it."""
        match form:
            case st.ForEach():
                rounds = 1 if _breaks_off(form.body) else self.size(form.in_)
                return 1 + self.count(form.in_) + rounds * self.count(form.body)
            case st.Repeat():
                return 1 + (1 if _breaks_off(form.body) else self.rounds(form)) * self.count(form.body)
            case st.Propose() | st.Call():
                called = form.verb if isinstance(form, st.Propose) else form.proc
                return self.count_verb(called) + sum(self.count(part) for part in children(form))
            case st.Menu() | st.Choose() | st.Poll() | st.Grant():
                return 1  # somebody decides, and each decision has its own budget; what is granted comes later
            case se.Filter():
                return self.count(form.selector) + self.size(form.selector) * self.count(form.condition)
            case se.Best():
                return self.count(form.selector) + self.size(form.selector) * self.count(form.key)
            case ex.AllOf():
                return self.count(form.selector) + self.size(form.selector) * self.count(form.condition)
            case ex.Aggregate():
                return self.count(form.selector) + self.size(form.selector) * self.count(form.value)
        return 1 + sum(self.count(part) for part in children(form))

    def count_granted(self, form: Statement | Expression | Selector) -> int:
        """The floating effects that a form may put in force."""
        match form:
            case st.ForEach():
                return (1 if _breaks_off(form.body) else self.size(form.in_)) * self.count_granted(form.body)
            case st.Repeat():
                return (1 if _breaks_off(form.body) else self.rounds(form)) * self.count_granted(form.body)
            case st.Grant():
                return len(form.abilities) + len(form.modifiers)
        return sum(self.count_granted(part) for part in children(form))

    def rounds(self, form: st.Repeat) -> int:
        """How often a loop goes round at most; once where that is not known."""
        most = inf if form.times is None else find_range(form.times, self.context).high
        return 1 if most == inf else max(int(most), 0)

    def size(self, form: Selector) -> int:
        """How many elements a list has at most; 1 where that is not known."""
        match form:
            case se.PiecesOfKind(kind):
                return self.pieces(next(one.id for one in self.model.kinds.values() if one.index == kind))
            case se.FixturesOfKind(kind):
                wanted = next(one.id for one in self.model.kinds.values() if one.index == kind)
                return max(1, sum(self.model.is_a(thing.kind, wanted) for thing in self.model.things.values()))
            case se.PiecesOfZone(ex.Zone(zone) | ex.ZoneOfSeat(zone)):
                return self.pieces(next(one.holds for one in self.model.zones.values() if one.index == zone))
            case se.Range(ex.Number(low), ex.Number(high)):
                return max(1, high - low + 1)
            case se.Filter() | se.Best() | se.Except():
                return self.size(form.selector)
            case se.Members(_, ex.SetOf(selector)):
                return self.size(selector)
            case se.Concatenation(lists):
                return sum(self.size(one) for one in lists)
        return 1

    def pieces(self, kind: str) -> int:
        return max(1, self.context.vocabulary.count_copies(kind))


def _breaks_off(body: Statement) -> bool:
    """Whether a round can be the last one, or waits for somebody: each decision has its own budget."""
    return any(isinstance(part, _BREAKS) for part in walk(body))
