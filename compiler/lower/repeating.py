"""Loops that end by a condition: `repeat until ..`, `draw a card until ..`, and verbs that are done so many times."""

from __future__ import annotations

from collections.abc import Iterator

from grimoire.compiler.lower.context import Context
from grimoire.compiler.lower.forms import both, seq
from grimoire.compiler.lower.ranges import find_range
from grimoire.compiler.lower.scope import Unit
from grimoire.runtime.core import expressions as ex
from grimoire.runtime.core import selectors as se
from grimoire.runtime.core import statements as st
from grimoire.runtime.core.records import Expression, Selector, Sort, Statement
from grimoire.runtime.core.walk import walk
from grimoire.runtime.limits import MAX_WORK


def repeat_until(condition: Expression, body: Statement) -> st.Repeat:
    """Rounds of a block until the condition holds: in a round something else may happen, so nothing else ends it."""
    return st.Repeat(seq([st.If(condition, st.Stop()), body]))


def do_until(condition: Expression, body: Statement, unit: Unit, context: Context) -> Statement:
    """One verb again and again until the condition holds; where it changed nothing of what the condition reads, it
    is given up."""
    before: list[Statement] = []
    same: list[Expression] = []
    for value in [*find_values(condition), *find_sources(condition, context)]:
        slot = unit.slot()
        before.append(st.Let(slot, value))
        same.append(ex.Comparison("==", value, ex.Slot(slot)))
    return st.Repeat(seq([st.If(condition, st.Stop()), *before, body, st.If(both(same), st.Stop())]))


def find_sources(condition: Expression, context: Context) -> Iterator[Expression]:
    """How much lies in the zones that share their pieces with those that a condition reads: what was drawn and at once
    discarded left the deck."""
    read = {part.zone for part in walk(condition) if isinstance(part, (ex.Zone, ex.ZoneOfSeat))}
    held = [zone.holds for zone in context.model.zones.values() if zone.index in read]
    for zone in context.model.zones.values():
        kinds = [kind for kind in held if context.model.is_a(zone.holds, kind) or context.model.is_a(kind, zone.holds)]
        if kinds and not zone.each:
            yield ex.HeightOfZone(ex.Zone(zone.index))


def find_values(condition: Expression) -> Iterator[Expression]:
    """What a condition reads: both sides of what it compares, and which things there are, not how many: a card that
    came for another that went is a change."""
    match condition:
        case ex.Placed():
            yield from find_values(condition.value)
        case ex.And() | ex.Or():
            for part in condition.conditions:
                yield from find_values(part)
        case ex.Not():
            yield from find_values(condition.condition)
        case ex.Comparison():
            yield from find_values(condition.left)
            yield from find_values(condition.right)
        case ex.AnyOf() | ex.CountOf():
            yield ex.SetOf(condition.selector)
        case ex.Number():
            return
        case _:
            yield condition


def each_in_any_order(
    slot: int, members: Expression, body: Statement, sort: Sort, label: str, seat: Expression, unit: Unit
) -> list[Statement]:
    """One after the other, the next one chosen out of what is left; the last is not asked for."""
    left = unit.slot()
    rest: Selector = se.Members(sort, ex.Slot(left))
    asked: Statement = st.Menu(seat, label, (st.Entry(label, None, (st.Domain(slot, sort, rest),), None),))
    last = st.Let(slot, ex.FirstOf(rest))
    following = st.If(ex.Comparison(">", ex.SizeOfSet(ex.Slot(left)), ex.Number(1)), asked, last)
    taken: Statement = st.Let(left, ex.SetArithmetic("minus", ex.Slot(left), ex.SetWith(ex.Slot(slot))))
    return [st.Let(left, members), st.Repeat(seq([following, taken, body]), ex.SizeOfSet(ex.Slot(left)))]


def check_times(times: Expression, node: object, context: Context) -> None:
    """That the rounds of a loop are not more than can ever be played."""
    least = find_range(times, context).low
    if least > MAX_WORK:
        message = f"this is done {least:,} times or more, and no decision has more than {MAX_WORK:,} steps"
        raise context.problem("G0707", node, message, "take a smaller number")


# ------------------------------------------------------------ ends that never change

_PLAIN = (st.Sequence, st.If, st.Let, st.SetVariable, st.Stop, st.Leave, st.Return, st.EndGame)
_FIXED = (
    ex.Number, ex.Placed, ex.Comparison, ex.And, ex.Or, ex.Not, ex.Arithmetic,
    ex.IsKind, ex.IsDefinition, ex.DefinitionOf, ex.SeatCount, ex.OptionValue,
)  # fmt: skip
_SAME: str = "this is the same in each round"


def check_end(loop: st.Repeat, condition: Expression, node: object, context: Context) -> None:
    """That something in the rounds may change what they are repeated until."""
    own = context.unit.verb
    if is_same(condition, loop.body, own is not None and not own.procedure):
        context.warn(
            "G0723", node, f"{_SAME}: there is no round, or no end", "change what it reads, or ask what changes"
        )


def check_ends(loop: st.Repeat, node: object, context: Context) -> None:
    """The same for a loop that a condition inside leaves, where nothing else can leave it."""
    if not all(isinstance(part, _PLAIN) for part in walk(loop.body) if isinstance(part, Statement)):
        return
    ends = [part for part in walk(loop.body) if isinstance(part, st.If) and any(map(leaves, (part.then, part.else_)))]
    if ends and not leaves(loop.body) and all(is_same(one.cond, loop.body, True) for one in ends):
        message = "nothing in this loop changes what its end reads: there is one round, or no end"
        context.warn("G0723", node, message, "change what the condition reads, or ask for what changes")


def leaves(step: Statement | None) -> bool:
    """Whether a step, or the last of several, leaves the loop."""
    last = step.body[-1] if isinstance(step, st.Sequence) and step.body else step
    return isinstance(last, (st.Stop, st.Leave, st.Return, st.EndGame))


def is_same(condition: Expression, body: Statement, is_own: bool) -> bool:
    """Whether a condition reads something, and nothing that a round may change. `is_own`: nobody else writes its
    slots."""
    parts = [part for part in walk(body) if isinstance(part, Statement)]
    plain = all(isinstance(part, _PLAIN) for part in parts)
    slots = {at for part in parts for name in ("slot", "ok", "result") if (at := getattr(part, name, None)) is not None}
    domains = {
        domain.slot for part in parts if isinstance(part, st.Menu) for one in part.entries for domain in one.domains
    }
    variables = {part.var for part in parts if isinstance(part, st.SetVariable)}
    reads = False
    for part in walk(condition):
        match part:
            case ex.Slot(slot):
                if slot in slots or slot in domains or not (plain or is_own):
                    return False
                reads = True
            case ex.ReadVariable(variable):
                if variable in variables or not plain:
                    return False
                reads = True
            case _ if not isinstance(part, _FIXED):
                return False
    return reads
