"""Lower a package unit by unit: one verb, one rule, one kind, one card, one text of a scenario at a time.

    vocabulary = make_vocabulary(model)       everything that a text is lowered against
    lowered = lower_unit(vocabulary, unit)    rows and diagnostics of one unit; depends on these two alone
    tables = link_units(vocabulary, ..)       (link.py) the tables of the artefact

In: a `PackageModel` whose texts are parsed and whose declarations are numbered. Nothing is written into it. Kinds and
cards that lend their abilities come before the cards that have these abilities: what is wrong with an ability is told
once, where it is declared.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace

from grimoire.compiler.declare.model import Ability, Aim, Definition, Kind, PackageModel, Text, Thing, Type, Verb
from grimoire.compiler.diagnostics.report import Diagnostics
from grimoire.compiler.lower.absent import tell_absent
from grimoire.compiler.lower.aims import lower_aim
from grimoire.compiler.lower.context import Unresolved
from grimoire.compiler.lower.forms import seq
from grimoire.compiler.lower.output import LoweredUnit, Reading
from grimoire.compiler.lower.parts import Parts
from grimoire.compiler.lower.readings import Readings
from grimoire.compiler.lower.scope import Ref, Scope, Unit
from grimoire.compiler.lower.tidy import EMPTY, redirect, tidy
from grimoire.compiler.lower.told import Premise
from grimoire.compiler.lower.values import make_column, read_values
from grimoire.compiler.lower.vocabulary import Signals, Vocabulary, join_signals, text_signals, walk_nodes
from grimoire.compiler.records import record
from grimoire.compiler.source.tree import Scalar
from grimoire.compiler.source.tree import Sequence as Listed
from grimoire.compiler.syntax import nodes as s
from grimoire.runtime.core import expressions as ex
from grimoire.runtime.core import statements as st
from grimoire.runtime.core.records import Statement
from grimoire.runtime.core.tables import Function, Invariant, ProcedureOf

# ------------------------------------------------------------ what is lowered for itself


@record(frozen=True)
class VerbUnit:
    """A verb or a procedure."""

    verb: Verb


@record(frozen=True)
class RuleUnit:
    """An ability of the game."""

    ability: Ability


@record(frozen=True)
class KindUnit:
    """The abilities that a kind gives its cards, looked at once for the kind `bearer`, whose cards have them."""

    kind: Kind
    bearer: Kind | None


@record(frozen=True)
class ThingsUnit:
    """What is printed on the things of the board."""

    things: tuple[Thing, ...]


@record(frozen=True)
class CardUnit:
    """A card: its printed values, its texts, its abilities and those that it has from its kinds and from cards that
    lend them.

    `abilities`: each with the name under which all that bear it share its text, or None. `bearer`: of a card that only
    lends, the kind that has its abilities.
    """

    definition: Definition
    abilities: tuple[tuple[str | None, Ability], ...]
    lends: bool = False
    bearer: Kind | None = None


@record(frozen=True)
class ScoreUnit:
    text: Text


@record(frozen=True)
class InvariantUnit:
    """What holds in every position."""

    name: str
    text: Text


@record(frozen=True)
class AimUnit:
    aim: Aim


@record(frozen=True)
class EffectUnit:
    """One more effect, for a scenario: `p1`, `p2` .. name the seats. Its procedure has the name of the text's owner."""

    text: Text
    seats: int


@record(frozen=True)
class ConditionUnit:
    """One more condition, for a scenario. Its function has the name of the text's owner; those of what it reads
    have `:1`, `:2` .. behind it, so that a failure can say what that is."""

    text: Text
    seats: int
    read: bool = False


LoweringUnit = (
    VerbUnit
    | RuleUnit
    | KindUnit
    | ThingsUnit
    | CardUnit
    | ScoreUnit
    | InvariantUnit
    | AimUnit
    | EffectUnit
    | ConditionUnit
)


def make_vocabulary(model: PackageModel, signals: Signals | None = None) -> Vocabulary:
    """The vocabulary of a model. `signals`: what its texts tell all others, where that is known already."""
    if signals is None:
        signals = join_signals(map(text_signals, model.texts))
    vocabulary = Vocabulary(model, signals)
    diags = Diagnostics(vocabulary.diagnostics)
    vocabulary.column_rows = [make_column(model, kind, declared, diags) for kind, declared in vocabulary.declared]
    lowering = UnitLowering(vocabulary, diags)
    lowering.check_definitions()
    vocabulary.diagnostics = diags.list_added()
    told = lowering.context.told
    vocabulary.definitions = LoweredUnit(
        "definitions", lowering.context.out.log, told=told.tell(), premises=frozenset(told.premises)
    )
    return vocabulary


def lower_unit(vocabulary: Vocabulary, unit: LoweringUnit, placed: bool = True) -> LoweredUnit:
    """Rows and diagnostics of one unit. Without places its rows cannot be linked."""
    diags = Diagnostics()
    lowering = UnitLowering(vocabulary, diags)
    lowering.context.placed = placed
    made = lowering.lower(unit)
    made.log = lowering.context.out.log
    made.first_proc = lowering.context.out.first_proc
    if not isinstance(unit, CardUnit):
        made.split = len(made.log)
    made.waiting = lowering.context.out.waiting
    made.guarded = lowering.context.out.guarded
    made.told, made.premises = lowering.context.told.tell(), frozenset(lowering.context.told.premises)
    text = lowering.context.text
    if placed and (text is None or text.language >= 2):  # in version 1 nothing counted as -1
        tell_absent(made, vocabulary, diags)
    if isinstance(unit, ConditionUnit) and unit.read and not made.failed:
        lowering.add_readings(made, unit)  # last: what a part of a condition reads is asked for by another part
    made.diagnostics = diags.list_added()
    return made


# ------------------------------------------------------------ the units of a package


def plain_units(model: PackageModel) -> Iterator[LoweringUnit]:
    """All units of a package but its cards, in the order of the artefact."""
    for verb in model.verbs.values():
        yield VerbUnit(verb)
    for ability in model.abilities.values():
        yield RuleUnit(ability)
    for kind in model.kinds.values():
        bearer = bearers(model, kind.id)
        if kind.abilities and bearer != "":
            yield KindUnit(kind, kind if bearer is None else model.kinds[bearer])
    if model.score is not None:
        yield ScoreUnit(model.score)
    for name, text in model.invariants.items():
        yield InvariantUnit(name, text)
    for aim in model.aims.values():
        yield AimUnit(aim)
    yield ThingsUnit(tuple(model.things.values()))


def card_unit(model: PackageModel, definition: Definition, broken: Collection[str]) -> CardUnit:
    """A card with all its abilities, but for those that are known to be broken where they are declared.

    `broken` are names as `LoweredUnit.broken` has them: of its kinds, and of the cards that lend it something.
    """
    own = [(None, ability) for ability in definition.abilities.values()]
    bearer = bearers(model, definition.kind)
    if bearer is not None:
        return CardUnit(definition, tuple(own), True, model.kinds[bearer] if bearer else None)
    texts = definition.programs.keys()
    found: list[tuple[str | None, Ability]] = [(None, a) for a in list_inherited_abilities(model, definition, broken)]
    for whose, declared_by, ability in lent_abilities(model, definition):
        if f"{declared_by}.{ability.id}" not in broken and list_resolved_slots(ability) <= texts:
            found.append((f"{whose}.{ability.id}", ability))
    return CardUnit(definition, (*found, *own))


def list_inherited_abilities(model: PackageModel, definition: Definition, broken: Collection[str]) -> list[Ability]:
    """The abilities that a card has from its kinds: those that resolve no text that it lacks."""
    return [
        ability
        for kind in reversed(model.ancestors(definition.kind))
        for ability in model.kinds[kind].abilities.values()
        if f"kind:{kind}.{ability.id}" not in broken and list_resolved_slots(ability) <= definition.programs.keys()
    ]


def bearers(model: PackageModel, kind: str) -> str | None:
    """The kind of cards to which cards of a kind lend their abilities, if they do; "" if the kind is wrong."""
    kinds = (model.kinds[above].lends for above in model.ancestors(kind))
    return next((found for found in kinds if found is not None), None)


def lent_abilities(model: PackageModel, definition: Definition) -> list[tuple[str, str, Ability]]:
    """The abilities of the cards that a card names in its printed fields, if these lend them to its kind: whose, where
    declared."""
    lenders = {k.names: k for k in model.kinds.values() if k.lends}
    found: dict[tuple[str, str], tuple[str, str, Ability]] = {}
    for name, node in definition.values.items() if lenders else ():
        declared = model.field(definition.kind, name)
        kind = lenders.get(declared.type.kind) if declared is not None and not declared.state else None
        if kind is None or not model.is_a(definition.kind, kind.lends):
            continue
        for item in node.items if isinstance(node, Listed) else [node]:
            lender = model.definitions.get(item.value) if isinstance(item, Scalar) else None
            if lender is None or not model.is_a(lender.kind, kind.id):
                continue
            for above in reversed(model.ancestors(lender.kind)):
                for key, ability in model.kinds[above].abilities.items():
                    found[lender.id, key] = (lender.id, f"kind:{above}", ability)
            for key, ability in lender.abilities.items():
                found[lender.id, key] = (lender.id, f"card:{lender.id}", ability)
    return list(found.values())


def list_resolved_slots(ability: Ability) -> set[str]:
    """The texts of its own card that an ability resolves: `resolve the effect of this`."""
    found: set[str] = set()
    for text in (ability.do, ability.always):
        if text is None or not text.ok or "resolve" not in text.text:
            continue
        for node in walk_nodes(text.node):
            if isinstance(node, s.Action) and node.verb == "resolve" and node.object is not None:
                item = node.object.items[0]
                of_this = any(
                    p.prep.type == "OF" and isinstance(p.item, s.Operand | s.Pronoun) and _is_this(p.item)
                    for p in node.phrases
                )
                if isinstance(item, s.Noun) and of_this:
                    found.add(str(item.words[-1]))
    return found


def sort_or_set(type_: Type) -> str:
    return f"set:{type_.sort}" if type_.many else type_.sort


def _is_this(item: object) -> bool:
    if isinstance(item, s.Operand):
        return len(item.items) == 1 and _is_this(item.items[0])
    return isinstance(item, s.Pronoun) and item.word.type == "THIS"


# ------------------------------------------------------------ one unit


class UnitLowering:
    """The lowering of one unit."""

    def __init__(self, vocabulary: Vocabulary, diags: Diagnostics, quiet: bool = False) -> None:
        parts = Parts(vocabulary, diags, quiet)
        self.context = parts.context
        self.selectors = parts.selectors
        self.amounts = parts.amounts
        self.statements = parts.statements
        self.windows = parts.windows

    def lower(self, unit: LoweringUnit) -> LoweredUnit:
        match unit:
            case VerbUnit(verb):
                return LoweredUnit(f"verb:{verb.id}", [], verb=(verb.index, self.lower_verb(verb)))
            case RuleUnit(ability):
                self.windows.ability(ability, None)
                return LoweredUnit(f"rule:{ability.id}", [])
            case KindUnit(kind, bearer):
                broken = self.check_abilities(kind.abilities.values(), bearer, f"kind:{kind.id}")
                return LoweredUnit(f"kind:{kind.id}", [], broken=broken)
            case ThingsUnit(things):
                values = {thing.id: read_values(self.context.model, thing, self.context.diags) for thing in things}
                return LoweredUnit("things", [], things=values)
            case CardUnit():
                return self.lower_card(unit)
            case ScoreUnit(text):
                return LoweredUnit("score", [], function=self.lower_score(text))
            case InvariantUnit(name, text):
                return LoweredUnit(f"invariant:{name}", [], invariant=self.lower_invariant(name, text))
            case AimUnit(aim):
                return LoweredUnit(f"aim:{aim.id}", [], aim=lower_aim(self.context, self.amounts, aim))
            case EffectUnit(text, seats):
                return LoweredUnit(f"extra:{text.owner}", [], failed=not self.extra_effect(text, seats))
            case ConditionUnit(text, seats):
                return LoweredUnit(f"extra:{text.owner}", [], failed=not self.extra_condition(text, seats))

    # ------------------------------------------------------------ the vocabulary

    def check_definitions(self) -> None:
        """Adjectives and derived values are expanded where they are used; here each is looked at once for itself."""
        for kind in self.context.model.kinds.values():
            for name, text in [*kind.adjectives.items(), *kind.derived.items()]:
                if not text.ok:
                    continue
                unit = Unit(f"{kind.id}.{name}", 2)
                self.context.unit = unit
                self.context.told.definition = text
                try:
                    self.selectors.inline(
                        text, Ref(ex.Slot(1), Type(kind.sort, kind.id)), Scope(unit), name in kind.adjectives
                    )
                except Unresolved:
                    self.context.vocabulary.broken.add(id(text))

    # ------------------------------------------------------------ verbs and texts

    def lower_verb(self, verb: Verb) -> ProcedureOf:
        unit = Unit(verb.id, 1, [], False, verb)
        self.context.unit = unit
        scope = Scope(unit)
        for param in (*verb.params, *verb.settings):
            slot = unit.slot()
            scope.bind(param.name, Ref(ex.Slot(slot), param.type), None)
            if param.role == "object" and scope.it is None:
                scope.it = Ref(ex.Slot(slot), param.type)
        if verb.result is not None:
            unit.result = unit.slot()
        body: list[Statement] = []
        for at, setting in enumerate(verb.settings, len(verb.params) + 1):
            if setting.type.many or (setting.type.sort in ("number", "flag") and not setting.type.optional):
                start = 0 if setting.type.many else setting.type.low or 0
                body.append(st.Let(at, ex.Number(start)))
        if verb.body is not None and verb.body.ok:
            body.append(self.effect(verb.body, scope))
        if verb.result is not None:
            body.append(st.Return(ex.Slot(unit.result)))
        whole = tidy(redirect(seq(body), unit.redirects)) if body else EMPTY
        sorts = tuple(map(sort_or_set, (param.type for param in verb.params)))
        tells = sort_or_set(verb.result) if verb.told and verb.result is not None else None
        return ProcedureOf(
            verb.id,
            len(verb.params),
            unit.slots,
            whole,
            True,
            verb.procedure,
            verb.id,
            sorts,
            tells,
            verb.clauses or None,
        )

    def effect(self, text: Text, scope: Scope) -> Statement:
        self.context.text = text
        return self.statements.check_size(self.statements.block(text.block, scope), text.block)

    def lower_program(self, definition: Definition, name: str, text: Text) -> int | None:
        """One text of a card. Gives the number of its procedure."""
        if not text.ok:
            return None
        unit = Unit(f"{definition.id}.{name}", 2)
        self.context.unit = unit
        scope = Scope(unit)
        scope.this = Ref(ex.Slot(1), Type("piece", definition.kind))
        return self.windows.add_proc(f"{definition.id}.{name}", 1, unit, self.effect(text, scope), text.clauses)

    def lower_invariant(self, name: str, text: Text) -> Invariant | None:
        """What holds in every position: a function that is asked for nobody in particular."""
        if not text.ok:
            return None
        self.context.text, self.context.unit = text, Unit(text.owner, 1)
        self.context.told.presuming = False  # it may well say what can never be
        try:
            value = self.amounts.condition(text.condition, Scope(self.context.unit))
        except Unresolved:
            return None
        self.context.out.function(Function(text.owner, 0, self.context.unit.slots, value, test=True))
        return Invariant(name, text.owner, " ".join(text.text.split()))

    def lower_score(self, text: Text) -> int | None:
        if not text.ok:
            return None
        self.context.text, self.context.unit = text, Unit("score", 1)
        try:
            value = self.amounts.amount(text.amount, Scope(self.context.unit))
        except Unresolved:
            return None
        return self.context.out.function(Function("score", 0, self.context.unit.slots, value))

    # ------------------------------------------------------------ cards

    def lower_card(self, card: CardUnit) -> LoweredUnit:
        definition = card.definition
        values = read_values(self.context.model, definition, self.context.diags)
        made = {name: self.lower_program(definition, name, text) for name, text in definition.programs.items()}
        programs = {name: index for name, index in made.items() if index is not None}
        split = len(self.context.out.log)
        broken: frozenset[str] = frozenset()
        if card.lends:
            if card.bearer is not None:
                own = [ability for _, ability in card.abilities]
                broken = self.check_abilities(own, card.bearer, f"card:{definition.id}")
        else:
            self.context.programs_of_this = programs
            for label, ability in card.abilities:
                self.context.told.presuming = definition.abilities.get(ability.id) is ability
                self.card_ability(ability, definition, label)
            self.context.told.presuming = True
        name = f"card:{definition.id}"
        return LoweredUnit(name, [], split=split, lends=card.lends, programs=programs, values=values, broken=broken)

    def card_ability(self, ability: Ability, definition: Definition, label: str | None) -> None:
        """An ability of a card, which works where the card can be seen unless it says `in:`."""
        first, second = len(self.context.out.abilities), len(self.context.out.modifiers)
        self.windows.ability(ability, definition)
        if ability.zones is not None:
            for zone in ability.zones:
                self.context.told.presume(Premise("works", definition.kind, zone), ability.span)
            live = tuple(
                self.context.model.zones[zone].index for zone in ability.zones if zone in self.context.model.zones
            )
            for made in self.context.out.abilities[first:]:
                if made.row.of == definition.index:
                    made.row = replace(made.row, live=live)
            for modifier in self.context.out.modifiers[second:]:
                if modifier.row.of == definition.index:
                    modifier.row = replace(modifier.row, live=live)
        if label is not None:
            for made in self.context.out.abilities[first:]:
                made.row, made.labelled = replace(made.row, label=label), False  # one text for all that bear it

    def check_abilities(self, abilities: Iterable[Ability], kind: Kind | None, where: str) -> frozenset[str]:
        """Lower abilities for a card of a kind that is none of the game's: a mistake is told once, and not for every
        card.

        Gives the names of those that no card may have.
        """
        broken: set[str] = set()
        for ability in abilities if kind is not None else ():
            assert kind is not None
            sample = Definition(kind.id, kind.id, 1, None, {}, {}, {}, kind.span, kind.package)
            sample.index = len(self.context.model.definitions)
            out, self.context.out = self.context.out, self.context.out.fresh()
            before = self.context.diags.errors
            self.card_ability(ability, sample, None)
            scratch, self.context.out = self.context.out, out
            self.context.out.adopt(scratch)
            if self.context.diags.errors > before:
                broken.add(f"{where}.{ability.id}")
        return frozenset(broken)

    # ------------------------------------------------------------ texts of scenarios

    def extra_effect(self, text: Text, seats: int) -> bool:
        scope = self.extra_scope(text, seats)
        if scope is None:
            return False
        self.windows.add_proc(text.owner, 0, scope.unit, self.effect(text, scope))
        return not self.context.diags.has_errors

    def extra_condition(self, text: Text, seats: int) -> bool:
        scope = self.extra_scope(text, seats)
        if scope is None:
            return False
        try:
            value = self.amounts.condition(text.condition, scope)
        except Unresolved:
            return False
        self.context.out.function(Function(text.owner, 0, scope.unit.slots, value))
        return True

    def add_readings(self, made: LoweredUnit, unit: ConditionUnit) -> None:
        """Functions for what a condition reads."""
        found: list[Reading] = []
        readings = Readings(self.context.vocabulary)
        readings.context.out, readings.context.text = self.context.out, unit.text
        scope = self.extra_scope(unit.text, unit.seats)
        assert scope is not None
        readings.context.unit = scope.unit
        for reading, value in readings.read(unit.text.condition, scope):
            name = f"{unit.text.owner}:{len(found) + 1}"
            self.context.out.function(Function(name, 0, scope.unit.slots, value))
            found.append(reading)
        made.readings = tuple(found)
        made.split = len(made.log)

    def extra_scope(self, text: Text, seats: int) -> Scope | None:
        if not text.ok or text.node is None:
            return None
        self.context.text = text
        self.context.unit = Unit(text.owner, 1)
        scope = Scope(self.context.unit)
        for seat in range(seats):
            scope.bind(f"p{seat + 1}", Ref(ex.Number(seat), Type("seat", "player")), None)
        return scope
