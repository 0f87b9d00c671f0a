"""Why not: which condition keeps a key from being offered, with its place in the source. Never on the hot path."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from grimoire.runtime.core.analysis import Form, forms_in
from grimoire.runtime.core.expressions import (
    And,
    CanCarryOut,
    IsAllowed,
    Placed,
    ReadColumn,
    ReadModified,
    ReadVariable,
)
from grimoire.runtime.core.records import Expression, Selector
from grimoire.runtime.core.selectors import Filter
from grimoire.runtime.core.statements import Choose, Domain, Entry, Menu
from grimoire.runtime.kernel.base import EXTRAS, X_SPENT, Ability
from grimoire.runtime.kernel.events import WindowOp, ability_of, asked_seat, is_late, lead_of
from grimoire.runtime.kernel.hearing import hears, limit_used
from grimoire.runtime.kernel.menus import ChooseOp, MenuOp, PollOp
from grimoire.runtime.kernel.state import State
from grimoire.runtime.play.names import Names
from grimoire.runtime.play.protocols import PlayedGame

WHY_MOST: Final = 6  # elements that are gone through when nothing at all fits


@dataclass(frozen=True)
class Reason:
    """One thing in the way: words, and ``file:line:column`` if it has a place; of a condition also what stands in the
    file.

    ``code`` and ``about`` say the same for other languages; ``of`` names the thing that it is about, if there are
    several.
    """

    text: str
    place: str
    condition: str = ""
    code: str = "over"
    about: tuple[tuple[str, str], ...] = ()
    of: str = ""


def reason(code: str, text: str, place: str = "", condition: str = "", **about: object) -> Reason:
    """A reason with what it is about."""
    return Reason(text, place, condition, code, tuple((key, str(value)) for key, value in about.items()))


def reasons(game: PlayedGame, g: State, key: str, seat: int | None) -> list[Reason]:
    """Why the key is not offered; empty if it is. The state is a copy that may be written in."""
    if not g.waiting:
        return [reason("over", "the game is over")]
    decision = game.decision
    assert decision is not None
    if seat is not None and seat != decision.seat:
        for other in game.decisions():
            if other.seat == seat:
                decision = other
        if decision.seat != seat:
            return [
                reason("asked", f"p{seat + 1} is not asked now; p{decision.seat + 1} is", name=f"p{decision.seat + 1}")
            ]
    if key in decision.keys:
        return []
    op = g.waiter()
    search = _Search(game, g, decision.seat)
    if isinstance(op, PollOp):
        g.slots[g.base + op.i] = decision.seat
    if isinstance(op, MenuOp | ChooseOp):
        asked = game.program.menus[op.source]
        return search.menu(asked, key) if isinstance(asked, Menu) else search.choose(asked, key)
    assert isinstance(op, WindowOp)
    known = search.window(op, key) if op.label(g, g.base) == "react" else []
    if known:
        return known
    found = _list(decision.keys)
    return [reason("answer", f"{key!r} does not answer here; there is {found}", key=key, keys=found)]


def _list(names: tuple[str, ...] | list[str]) -> str:
    return ", ".join(names[:12]) + (", ..." if len(names) > 12 else "")


def conjuncts(form: Expression, place: int | None = None) -> list[tuple[Expression, int | None]]:
    """The parts that must all hold, each with the innermost place around it."""
    if isinstance(form, Placed):
        return conjuncts(form.value, form.place)
    if isinstance(form, And):
        return [found for part in form.conditions for found in conjuncts(part, place)]
    return [(form, place)]


def shape_of(entry: Entry) -> str:
    """What the keys of an entry look like."""
    return ":".join([entry.id, *[f"<{domain.sort}>" for domain in entry.domains]])


def layers_of(form: Selector) -> tuple[Selector, list[tuple[int, Expression]]]:
    """What a list is chosen from, and the conditions on its elements, outermost first, each with the slot that holds
    one.
    """
    layers: list[tuple[int, Expression]] = []
    while isinstance(form, Filter):
        layers.append((form.element, form.condition))
        form = form.selector
    return form, layers


class _Search:
    def __init__(self, game: PlayedGame, g: State, seat: int) -> None:
        self.game = game
        self.seat = seat
        self.g = g
        self.names = Names(game.program, g, seat)
        self.question = game.program.question(g.unit)
        g.units = self.question.units

    def test(self, form: Expression) -> bool:
        return self.question.expr(form).test(self.g, self.g.base)

    def items(self, form: Selector) -> list[int]:
        return self.question.selector(form).items(self.g, self.g.base)[:]

    # -- conditions

    def find_failing(self, form: Expression) -> list[Reason]:
        """The conjuncts of a condition that do not hold."""
        found: list[Reason] = []
        for part, place in conjuncts(form):
            if not self.test(part):
                found.extend(self.explain(part, place))
        return found

    def explain(self, part: Expression, place: int | None) -> list[Reason]:
        package = self.game.program.package
        where = package.place(place)
        if isinstance(part, IsAllowed):
            forbids = self.find_forbidding(part)
            if forbids:
                return forbids
        if self.is_hidden(part):
            return [reason("unseen", "something that you cannot see", where)]
        text = package.place_text(place)
        if not text:
            return [reason("some", "a condition does not hold", where)]
        return [reason("condition", f"this does not hold: {text}", where, text)]

    def find_forbidding(self, part: IsAllowed) -> list[Reason]:
        """The cannot-abilities that forbid an event, by label."""
        question, g = self.question, self.g
        key = question.listeners_key(part.verb)
        if key < 0:
            return []
        unit = question.event_unit(part.verb)
        values = [question.expr(form).ev(g, g.base) for form in (part.you, *part.arguments)]
        base = g.base + question.window
        top = base + unit.window
        g.room(top)
        g.slots[base : base + len(values)] = values
        extras = base + unit.extras
        g.slots[extras : extras + EXTRAS] = [0, 0, 0, -1, 0, 0]
        found: list[Reason] = []
        for instance in g.index[key]:
            if hears(g, instance, base, extras, top) >= 0:
                a = ability_of(g, instance)
                where = self.game.program.package.place(a.place)
                found.append(reason("cannot", f"cannot: {a.label}", where, ability=a.label))
        return found

    def is_hidden(self, form: Form) -> bool:
        """Whether a condition reads what the seat may not see."""
        artefact = self.game.program.artefact
        if isinstance(form, ReadVariable) and artefact.vars[form.variable].seen == "none":
            return True
        if isinstance(form, ReadColumn | ReadModified) and artefact.columns[form.column].seen == "none":
            return True
        return any(self.is_hidden(part) for part in forms_in(form))

    # -- windows

    def window(self, op: WindowOp, key: str) -> list[Reason]:
        """Why the abilities of that name do not answer: of the rules, and of cards that the seat knows."""
        g, program = self.g, self.game.program
        ident, _, piece = key.partition(":")
        base, extras, top = g.base, g.base + op.unit.extras, g.base + op.unit.window
        t = g.tables
        phases = op.keys
        found: dict[Reason, None] = {}
        for instance, ability in enumerate(t.instance_ability):
            a, bearer = t.abilities[ability], t.instance_piece[instance]
            if ident not in (a.id, a.label) or a.key not in phases:
                continue
            if bearer >= 0 and not self.names.knows(bearer):
                continue
            if piece and (
                bearer < 0 or piece not in (self.names.piece(bearer), self.names.piece(bearer).partition("@")[0])
            ):
                continue
            if instance not in g.index[a.key]:
                found[reason("idle", "the card does not lie where it could be used", ability=a.label)] = None
            elif asked_seat(g, instance, base, extras, top) != self.seat:
                found[reason("other", "somebody else could use it", ability=a.label)] = None
            elif a.limit >= 0 and limit_used(g, a, instance, base, extras, top) >= a.limit:
                found[reason("limit", "it has been used as often as it may be", ability=a.label)] = None
            elif is_late(g, extras, instance):
                found[reason("late", "it came into play after this had begun", ability=a.label)] = None
            elif (g.slots[extras + X_SPENT] >> lead_of(g, instance)) & 1:
                found[reason("spent", "it has been used for this already", ability=a.label)] = None
            else:
                for why in self.unheard(program.artefact.abilities[ability].cond, a, instance, base, extras, top):
                    found[why] = None
        return list(found)

    def unheard(
        self, cond: Expression | None, a: Ability, instance: int, base: int, extras: int, top: int
    ) -> list[Reason]:
        """The parts of the condition of an ability that do not hold, in the layout that ``hears`` gives it."""
        if hears(self.g, instance, base, extras, top) >= 0 or cond is None:
            return []
        g = self.g
        parts = conjuncts(cond)
        nodes = self.question.parts_of_ability(a.index, [part for part, _ in parts])
        found: list[Reason] = []
        for (part, place), node in zip(parts, nodes, strict=True):
            hears(g, instance, base, extras, top)  # fills the layout again
            if node.test(g, top):
                continue
            if place is None:
                if isinstance(part, CanCarryOut):
                    found.append(reason("cost", "it could not be carried out now", ability=a.label))
                else:
                    text = "there is nothing that it could be done with"
                    found.append(reason("target", text, ability=a.label))
            elif self.is_hidden(part):
                found.append(reason("unseen", "something that you cannot see", self.game.program.package.place(place)))
            else:
                text = self.game.program.package.place_text(place)
                where = self.game.program.package.place(place)
                found.append(reason("condition", f"this does not hold: {text}", where, text))
        if any(why.condition for why in found):  # what follows from a condition that does not hold says nothing more
            found = [why for why in found if why.condition]
        return found

    # -- menus

    def menu(self, menu: Menu, key: str) -> list[Reason]:
        fitting = [row for row in menu.entries if key == row.id or key.startswith(row.id + ":")]
        if not fitting:
            shapes = [shape_of(row) for row in menu.entries]
            text = f"{key!r} is no key here; keys look like {_list(shapes)}"
            return [reason("shape", text, key=key, keys=_list(shapes))]
        row = max(fitting, key=lambda found: len(found.id))
        if row.guard is not None:
            found = self.find_failing(row.guard)
            if found and not any(why.place or why.condition for why in found):  # it has no object
                return [reason("target", "there is nothing that it could be done with", ability=row.id)]
            if found:
                return found
        rest = key[len(row.id) + 1 :]
        values = rest.split(":") if rest else []
        if len(values) > len(row.domains):
            shape = shape_of(row)
            text = f"{key!r} names {len(values)} things; the key looks like {shape}"
            return [reason("many", text, key=key, count=len(values), keys=shape)]
        for domain, value in zip(row.domains, values, strict=False):
            found = self.domain(domain, value)
            if found:
                return found
        if len(values) < len(row.domains):
            return self.nothing(row, row.domains[len(values)])
        return [reason("same", "it is the same as another option")]

    def nothing(self, entry: Entry, domain: Domain) -> list[Reason]:
        """Why nothing at all can be named in a place of a key; if something can, what the key looks like."""
        if self.items(domain.in_):
            shape = shape_of(entry)
            return [reason("with", f"it does not say with what; the key looks like {shape}", keys=shape)]
        source, _ = layers_of(domain.in_)
        found: dict[Reason, None] = {}
        known = [x for x in self.items(source) if domain.sort != "piece" or self.names.knows(x)]
        for x in known[:WHY_MOST]:
            name = str(self.names.value(domain.sort, x))
            for why in self.domain(domain, name):
                found[replace(why, text=f"{name}: {why.text}", of=name)] = None
        return list(found) or [reason("nothing", "there is nothing that could be named here")]

    def choose(self, s: Choose, key: str) -> list[Reason]:
        if key == "done":
            return [reason("few", "too few are chosen yet, or the chosen ones do not fit together")]
        _, found = self.among(s, key)
        if found:
            return found
        return [reason("chosen", "it is chosen already, or does not fit with the others")]

    def domain(self, domain: Domain, value: str) -> list[Reason]:
        """Why a value is not among the elements of a domain; binds it if it is."""
        element, found = self.among(domain, value)
        if not found:
            self.g.slots[self.g.base + domain.slot] = element
        return found

    def among(self, domain: Domain | Choose, value: str) -> tuple[int, list[Reason]]:
        """The element of a list with that name, and why it is not in it."""
        g = self.g
        source, layers = layers_of(domain.in_)
        for x in self.items(source):
            name = str(self.names.value(domain.sort, x))
            if name == value or (domain.sort == "piece" and name.partition("@")[0] == value):
                break
        else:
            return -1, [reason("among", f"{value} is not among what can be named here", name=value)]
        for slot, cond in reversed(layers):
            g.slots[g.base + slot] = x
            found = self.find_failing(cond)
            if found:
                return x, found
        return x, []
