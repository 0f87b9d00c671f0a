"""Lower a whole package model to the tables of an artefact: indices, columns, procedures, programs, abilities.

In: a `PackageModel` whose texts are parsed. Out: the artefact as a dict (without hash), and diagnostics for everything that names,
types or flow make impossible.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from grimoire.compiler.declare.model import (
    Ability,
    Definition,
    Field,
    Kind,
    PackageModel,
    Stmt,
    Text,
    Thing,
    Type,
    Verb,
    lent,
)
from grimoire.compiler.diagnostics.report import Diagnostics, Related, did_you_mean
from grimoire.compiler.lower.aims import lower_aims
from grimoire.compiler.lower.base import Unresolved, seq, tidy
from grimoire.compiler.lower.scope import Ref, Scope, Unit
from grimoire.compiler.lower.windows import Windows
from grimoire.compiler.source.shapes import as_flag, as_int, as_text, as_text_list
from grimoire.compiler.source.tree import Scalar
from grimoire.compiler.syntax import nodes as s

MAX_NUMBER = 999_999_999


class Lowering(Windows):
    """One run over a package."""

    def __init__(self, model: PackageModel, diags: Diagnostics) -> None:
        super().__init__(model, diags)
        self.forbidden_procs = set()
        self.restricted = {}
        self.absent = {}
        self.definitions: list[dict[str, Any]] = []
        self.score: int | None = None
        self.invariants: list[dict[str, Any]] = []
        self.aims: list[dict[str, Any]] = []

    # ------------------------------------------------------------ indices

    def number(self) -> None:
        """Give every declared thing its place in the tables, in order of declaration."""
        model = self.model
        for kind in model.kinds.values():
            if kind.names is not None:
                self.name_values(kind.id, kind.names)
        for i, kind in enumerate(model.kinds.values()):
            kind.index = i
            self.nouns.setdefault(kind.id, (kind, False))
            if kind.plural != kind.id:
                self.nouns.setdefault(kind.plural, (kind, True))
        numbered: list[Iterable[Any]] = [
            model.things.values(),
            model.zones.values(),
            model.counters.values(),
            model.definitions.values(),
        ]
        for table in numbered:
            for i, item in enumerate(table):
                item.index = i
        for i, relation in enumerate(model.relations):
            relation.index = i
        for i, verb in enumerate(model.verbs.values()):
            verb.index = i
            if verb.done is not None:
                other = self.participles.get(verb.done)
                if other is not None:
                    self.diags.add(
                        "G0505",
                        verb.span,
                        f'"{verb.done}" is the participle of {other.id} already',
                        None,
                        (Related(other.span, "declared here"),),
                    )
                else:
                    self.participles[verb.done] = verb
            if not verb.procedure:
                self.verb_words[verb.id] = verb
        for kind in model.kinds.values():
            for declared in kind.fields.values():
                declared.column = len(self.columns)
                self.columns.append(self.column(kind.sort, declared, kind.id))
        self.tables.procs = [{} for _ in model.verbs]

    def name_values(self, kind: str, names: str) -> None:
        """`names: character` gives every definition of the kind a value of that name and a printed field."""
        owner = self.model.kinds[kind]
        owner.fields.setdefault(names, Field(names, Type("fixture", names), False, None, "all", owner.span))
        for definition in self.model.definitions.values():
            if self.model.is_a(definition.kind, kind):
                if definition.id not in self.model.things:
                    self.model.things[definition.id] = Thing(definition.id, names, {}, definition.span)
                definition.values.setdefault(names, definition.id)

    def column(self, sort: str, declared: Field, kind: str) -> dict[str, Any]:
        type_ = declared.type
        start = 0 if type_.sort in ("number", "flag") or type_.many else -1
        if type_.sort == "number":
            start = -1 if type_.optional else type_.low or 0
        if declared.start is not None:
            value = self.value(declared.start, type_, f"the start of {declared.name}")
            start = value if value is not None else start
        bounds = bounds_of(type_)
        return {
            "id": f"{kind}.{declared.name}", "of": sort, "sort": type_.sort, "set": type_.many, "init": start, "min": bounds[0], "max": bounds[1],
            "seen": declared.seen, "printed": None if declared.state else [], **({"clauses": list(declared.clauses)} if declared.clauses else {}),
        }  # fmt: skip

    def value(self, node: object, type_: Type, what: str) -> int | None:
        """A printed value as an int."""
        if isinstance(node, int):
            return node
        if isinstance(node, str):
            return self.model.things[node].index
        assert isinstance(node, Scalar) or hasattr(node, "items") or hasattr(node, "entries")
        if type_.many:
            mask = 0
            for item in as_text_list(node, self.diags, what) or []:  # type: ignore[arg-type]
                one = self.value(item, type_.one(), what)
                mask |= 1 << one if one is not None else 0
            return mask
        if type_.sort == "number":
            return as_int(node, self.diags, what)  # type: ignore[arg-type]
        if type_.sort == "flag":
            flag = as_flag(node, self.diags, what)  # type: ignore[arg-type]
            return None if flag is None else int(flag)
        text = as_text(node, self.diags, what)  # type: ignore[arg-type]
        if text is None:
            return None
        if text == "nothing" and type_.optional:
            return -1
        model = self.model
        tables: dict[str, Any] = {"fixture": model.things, "zone": model.zones, "piece": model.definitions}
        table: dict[str, Any] = tables.get(type_.sort, {})
        found = table.get(text)
        if found is None or (type_.sort == "fixture" and not self.model.is_a(found.kind, type_.kind)):
            names = [n for n, t in table.items() if type_.sort != "fixture" or self.model.is_a(t.kind, type_.kind)]
            guess = did_you_mean(text, names)
            span = node.span  # type: ignore[attr-defined]
            self.diags.add(
                self.missing(type_),
                span,
                f'{what} is a {type_}, and "{text}" is none' + (f": did you mean {guess}?" if guess else ""),
                f"write {guess}" if guess else f"one of {', '.join(names[:12])}" if names else None,
            )
            return None
        if type_.sort == "fixture":
            self.used_names.add(text)
        if type_.sort == "zone" and found.each:
            self.diags.add(
                "G0506",
                node.span,  # type: ignore[attr-defined]
                f"{what} names {text}, and every player has one: it does not say whose",
                "name a common zone here, and the zone of a player in the effect that reads the field",
            )
            return None
        return int(found.index)

    def missing(self, type_: Type) -> str:
        """The code for a printed value that does not exist: a space, a card that is named, or any other."""
        if type_.kind is not None and self.model.is_a(type_.kind, "space"):
            return "G0521"
        named = any(kind.names is not None and kind.names == type_.kind for kind in self.model.kinds.values())
        return "G0522" if named else "G0501"

    def print_values(self) -> None:
        """Fill the printed columns: one value a fixture or a definition."""
        things, definitions = list(self.model.things.values()), list(self.model.definitions.values())
        for kind in self.model.kinds.values():
            for declared in kind.fields.values():
                if declared.state:
                    continue
                owners: list[Any] = things if kind.sort == "fixture" else definitions
                start = self.columns[declared.column]["init"]
                row: list[int] = []
                for owner in owners:
                    node = owner.values.get(declared.name) if self.model.is_a(owner.kind, kind.id) else None
                    value = (
                        self.value(node, declared.type, f"{owner.id}.{declared.name}") if node is not None else start
                    )
                    row.append(start if value is None else value)
                self.columns[declared.column]["printed"] = row

    def check_values(self) -> None:
        """The printed values of what was read, without building the columns."""
        for owner in [*self.model.things.values(), *self.model.definitions.values()]:
            for name, node in owner.values.items():  # type: ignore[attr-defined]
                declared = self.model.field(owner.kind, name)  # type: ignore[attr-defined]
                if declared is not None:
                    self.value(node, declared.type, f"{owner.id}.{name}")  # type: ignore[attr-defined]

    def forget(self) -> None:
        """Drop what was lowered for one card: only its diagnostics were wanted."""
        del self.tables.procs[len(self.model.verbs) :]
        for rows in (self.tables.abilities, self.tables.modifiers, self.guarded, self.waiting, self.floating):
            rows.clear()
        self.restricted.clear()
        self.absent.clear()

    # ------------------------------------------------------------ texts

    def find_prohibitions(self) -> None:
        """Which verbs some text forbids: only these need a look before an option is offered."""
        for text in self.model.texts:
            if not text.ok or text.node is None:
                continue
            for node in _walk(text.node):
                if isinstance(node, s.Cannot):
                    verb = self.verb_words.get(str(node.action.verb))
                elif isinstance(node, s.CannotBe):
                    verb = self.participles.get(str(node.verb))
                else:
                    continue
                if verb is not None:
                    self.forbidden_procs.add(verb.index)

    def lower_verb(self, verb: Verb) -> None:
        unit = Unit(verb.id, 1, [], False, verb)
        self.unit = unit
        scope = Scope(unit)
        for param in (*verb.params, *verb.settings):
            slot = unit.slot()
            scope.bind(param.name, Ref(["slot", slot], param.type), None)
            if param.role == "object" and scope.it is None:
                scope.it = Ref(["slot", slot], param.type)
        proc: dict[str, Any] = {
            "id": verb.id, "params": len(verb.params), "slots": unit.slots, "body": {"op": "seq", "body": []}, "verb": True,
            "scope": verb.procedure, "label": verb.id,
        }  # fmt: skip
        proc["sorts"] = [f"set:{p.type.sort}" if p.type.many else p.type.sort for p in verb.params]
        if verb.told and verb.result is not None:
            proc["tells"] = f"set:{verb.result.sort}" if verb.result.many else verb.result.sort
        if verb.clauses:
            proc["clauses"] = list(verb.clauses)
        self.tables.procs[verb.index] = proc
        if verb.result is not None:
            unit.result = unit.slot()
        body: list[Stmt] = []
        for at, setting in enumerate(verb.settings, len(verb.params) + 1):
            if setting.type.many or (setting.type.sort in ("number", "flag") and not setting.type.optional):
                start = 0 if setting.type.many else setting.type.low or 0
                body.append({"op": "let", "slot": at, "value": ["int", start]})
        if verb.body is not None and verb.body.ok:
            body.append(self.effect(verb.body, scope))
        if verb.result is not None:
            body.append({"op": "return", "value": ["slot", unit.result]})
        proc["body"] = tidy(seq(body)) if body else {"op": "seq", "body": []}
        proc["slots"] = unit.slots

    def effect(self, text: Text, scope: Scope) -> Stmt:
        self.text = text
        return self.bounded(self.block(text.node, scope), text.node)

    def lower_program(self, definition: Definition, name: str, text: Text) -> int | None:
        """One text of a card. Gives the index of its procedure."""
        if not text.ok:
            return None
        unit = Unit(f"{definition.id}.{name}", 2)
        self.unit = unit
        scope = Scope(unit)
        scope.this = Ref(["slot", 1], Type("piece", definition.kind))
        body = self.effect(text, scope)
        more = {"clauses": list(text.clauses)} if text.clauses else {}
        return self.add_proc(f"{definition.id}.{name}", 1, unit, body, verb=False, **more)

    def lower_definition(self, definition: Definition) -> dict[str, Any]:
        made = {name: self.lower_program(definition, name, text) for name, text in definition.programs.items()}
        start = self.model.zones[definition.zone].index if definition.zone in self.model.zones else -1
        entry: dict[str, Any] = {
            "id": definition.id,
            "kind": self.model.kinds[definition.kind].index,
            "copies": definition.copies,
            "start": start,
            "programs": {name: index for name, index in made.items() if index is not None},
            "when": None,
        }
        if definition.clauses:
            entry["clauses"] = list(definition.clauses)
        return entry

    def lower_invariants(self) -> list[dict[str, Any]]:
        """What holds in every position: functions that are asked for nobody in particular."""
        found: list[dict[str, Any]] = []
        for name, text in self.model.invariants.items():
            if not text.ok:
                continue
            self.text, self.unit = text, Unit(text.owner, 1)
            try:
                value = self.condition(text.node, Scope(self.unit))
            except Unresolved:
                continue
            row = {"id": text.owner, "params": 0, "slots": self.unit.slots, "value": value, "test": True}
            self.tables.functions.append(row)
            found.append({"id": name, "function": text.owner, "text": " ".join(text.text.split())})
        return found

    def orders(self) -> list[dict[str, Any]]:
        return [
            {"id": row.id, "by": row.by, **({"clauses": list(row.clauses)} if row.clauses else {})}
            for row in self.model.order.values()
        ]

    def lower_score(self) -> int | None:
        text = self.model.score
        if text is None or not text.ok:
            return None
        unit = Unit("score", 1)
        self.unit = unit
        self.text = text
        try:
            value = self.amount(text.node, Scope(unit))
        except Unresolved:
            return None
        self.tables.functions.append({"id": "score", "params": 0, "slots": unit.slots, "value": value})
        return len(self.tables.functions) - 1

    def check_texts(self) -> None:
        """Adjectives and derived values are expanded where they are used; here each is looked at once for itself."""
        for kind in self.model.kinds.values():
            for name, text in [*kind.adjectives.items(), *kind.derived.items()]:
                if not text.ok:
                    continue
                unit = Unit(f"{kind.id}.{name}", 2)
                self.unit = unit
                try:
                    self.inline(text, Ref(["slot", 1], Type(kind.sort, kind.id)), Scope(unit), name in kind.adjectives)
                except Unresolved:
                    text.ok = False

    # ------------------------------------------------------------ all of it

    def run(self) -> None:
        """Lower everything that the package declares."""
        self.prepare()
        self.print_values()
        definitions = list(self.model.definitions.values())
        self.definitions = [self.lower_definition(definition) for definition in definitions]
        lending = {kind for kind in self.model.kinds if self.bearers(kind) is not None}
        for definition in [definition for definition in definitions if definition.kind in lending]:
            for ability in definition.abilities.values():
                self.card_ability(ability, definition)
        for definition in definitions:
            if definition.kind in lending:
                continue  # what it can do, those can do that bear it
            self.programs_of_this = self.definitions[definition.index]["programs"]
            for ability in self.inherited(definition):
                self.card_ability(ability, definition)
            for lender, ability in self.lent(definition):
                first = len(self.tables.abilities)
                self.card_ability(ability, definition)
                for row in self.tables.abilities[first:]:
                    row["label"] = f"{lender}.{ability.id}"  # one text for all that bear it
            for ability in definition.abilities.values():
                self.card_ability(ability, definition)
        self.programs_of_this = {}

    def inherited(self, definition: Definition) -> list[Ability]:
        """The abilities that a card has from its kinds: those that resolve no text that it lacks."""
        found: list[Ability] = []
        for kind in reversed(self.model.ancestors(definition.kind)):
            own = self.model.kinds[kind].abilities.values()
            found += [ability for ability in own if resolved_slots(ability) <= definition.programs.keys()]
        return found

    def bearers(self, kind: str) -> str | None:
        """The kind of cards to which cards of a kind lend their abilities, if they do; "" if the kind is wrong."""
        kinds = (self.model.kinds[above].lends for above in self.model.ancestors(kind))
        return next((bearers for bearers in kinds if bearers is not None), None)

    def lent(self, definition: Definition) -> list[tuple[str, Ability]]:
        """The abilities that a card has from those it names: those that resolve no text that it lacks; and whose."""
        texts = definition.programs.keys()
        return [(whose, ability) for whose, ability in lent(self.model, definition) if resolved_slots(ability) <= texts]

    def error_count(self) -> int:
        return sum(1 for item in self.diags if item.severity == "error")

    def check_kind_abilities(self) -> None:
        """Lower each once for the kind itself: a mistake is told once, and not for every card."""
        for kind in self.model.kinds.values():
            bearers = self.bearers(kind.id)
            for ability in kind.abilities.values() if bearers != "" else ():
                self.check_for(ability, kind if bearers is None else self.model.kinds[bearers])

    def check_for(self, ability: Ability, kind: Kind) -> None:
        """Lower an ability for a card of a kind that is none of the game's: only its diagnostics are wanted."""
        tables = self.tables
        sample = Definition(kind.id, kind.id, 1, None, {}, {}, {}, kind.span, kind.package)
        sample.index = len(self.model.definitions)
        scratch: list[list[Any]] = [
            tables.procs, tables.abilities, tables.modifiers, self.guarded, self.waiting, self.latches
        ]  # fmt: skip
        sizes = [len(table) for table in scratch]
        labels, before = dict(self.labels), self.error_count()
        self.card_ability(ability, sample)
        self.labels = labels
        for table, size in zip(scratch, sizes, strict=True):
            del table[size:]
        if self.error_count() > before:
            for text in (ability.do, ability.always):
                if text is not None:
                    text.ok = False

    def card_ability(self, ability: Ability, definition: Definition) -> None:
        """An ability of a card, which works where the card can be seen unless it says `in:`."""
        tables = self.tables
        bearers = self.bearers(definition.kind) if definition.index < len(self.model.definitions) else None
        if bearers is not None:
            if bearers:
                self.check_for(ability, self.model.kinds[bearers])
            return
        first, second = len(tables.abilities), len(tables.modifiers)
        self.ability(ability, definition)
        if ability.zones is None:
            return
        live = [self.model.zones[zone].index for zone in ability.zones if zone in self.model.zones]
        for entry in [*tables.abilities[first:], *tables.modifiers[second:]]:
            if entry["of"] == definition.index:
                entry["live"] = live

    def prepare(self) -> None:
        """Number and lower all but the cards: vocabulary, verbs, procedures, rules."""
        model = self.model
        self.number()
        self.find_prohibitions()
        self.check_texts()
        for verb in model.verbs.values():
            self.lower_verb(verb)
        for ability in model.abilities.values():
            self.ability(ability, None)
        self.check_kind_abilities()
        self.score = self.lower_score()
        self.invariants = self.lower_invariants()
        self.aims = lower_aims(self)

    def extra_effect(self, text: Text, seats: int) -> str | None:
        """Lower one more effect, for a scenario: `p1`, `p2`.. name the seats. Gives the id of its procedure."""
        scope = self.extra_scope(text, seats)
        if scope is None:
            return None
        before = self.diags.has_errors
        body = self.effect(text, scope)
        name = f"{text.owner}"
        self.add_proc(name, 0, scope.unit, body, verb=False)
        return None if self.diags.has_errors and not before else name

    def extra_condition(self, text: Text, seats: int) -> str | None:
        """Lower one more condition, for a scenario. Gives the id of its function."""
        scope = self.extra_scope(text, seats)
        if scope is None:
            return None
        try:
            value = self.condition(text.node, scope)
        except Unresolved:
            return None
        self.tables.functions.append({"id": text.owner, "params": 0, "slots": scope.unit.slots, "value": value})
        return text.owner

    def extra_scope(self, text: Text, seats: int) -> Scope | None:
        if not text.ok or text.node is None:
            return None
        self.text = text
        self.unit = Unit(text.owner, 1)
        scope = Scope(self.unit)
        for seat in range(seats):
            scope.bind(f"p{seat + 1}", Ref(["int", seat], Type("seat", "player")), None)
        return scope

    def artefact_tables(self) -> dict[str, Any]:
        model = self.model
        variables = [self.variable(c) for c in model.counters.values()]
        programs: dict[str, list[int]] = {}
        for definition in self.definitions:
            for name, proc in definition["programs"].items():
                programs.setdefault(name, []).append(proc)
        self.close_tables(programs, self.columns, variables)
        things = list(model.things)
        kinds = list(model.kinds)
        return {
            "relations": [
                {"id": r.id, "table": [[model.things[m].index for m in r.pairs.get(t, ())] for t in things]}
                for r in model.relations
            ],
            "kinds": [
                {
                    "id": k.id,
                    "sort": k.sort,
                    "is": kinds.index(k.parent) if k.parent else -1,
                    **({"back": True} if k.back else {}),
                    **({"listed": k.listed} if k.listed is not None else {}),
                }
                for k in model.kinds.values()
            ],
            "fixtures": [
                {
                    "id": t.id,
                    "kind": model.kinds[t.kind].index,
                    "holds": model.kinds[t.kind].holds,
                    "seen": model.kinds[t.kind].seen,
                }
                for t in model.things.values()
            ],
            "zones": [
                {
                    "id": z.id,
                    "each": z.each,
                    "ordered": z.ordered,
                    "seen": z.seen,
                    **({} if z.counted else {"counted": False}),
                    **({"clauses": list(z.clauses)} if z.clauses else {}),
                }
                for z in model.zones.values()
            ],
            **({"invariants": self.invariants} if self.invariants else {}),
            **({"order": orders} if (orders := self.orders()) else {}),
            "vars": variables,
            "columns": self.columns,
            "definitions": self.definitions,
            "procs": self.tables.procs,
            "functions": self.tables.functions,
            "abilities": self.tables.abilities,
            "modifiers": self.tables.modifiers,
            "options": [
                {"id": o.id, "sort": o.sort, "values": o.values, "default": o.default} for o in model.options.values()
            ],
            "main": model.verbs["game"].index if "game" in model.verbs else -1,
            "score": self.score,
            **({"aims": self.aims} if self.aims else {}),
            "places": self.tables.places,
        }

    def variable(self, counter: Any) -> dict[str, Any]:
        type_: Type = counter.type
        start = counter.start if counter.start is not None else 0
        if counter.start_name is not None:
            thing = self.model.things.get(counter.start_name)
            start = thing.index if thing is not None else -1
        bounds = bounds_of(type_)
        made = {
            "id": counter.id,
            "sort": type_.sort,
            "init": start,
            "min": bounds[0],
            "max": bounds[1],
            "seen": "all" if counter.seen == "all" else "none",
        }
        if counter.clauses:
            made["clauses"] = list(counter.clauses)
        return made


def resolved_slots(ability: Ability) -> set[str]:
    """The texts of its own card that an ability resolves: `resolve the effect of this`."""
    found: set[str] = set()
    for text in (ability.do, ability.always):
        if text is None or not text.ok:
            continue
        for node in _walk(text.node):
            if isinstance(node, s.Action) and node.verb == "resolve" and node.object is not None:
                item = node.object.items[0]
                of_this = any(
                    p.prep.type == "OF" and isinstance(p.item, s.Operand | s.Pronoun) and _is_this(p.item)
                    for p in node.phrases
                )
                if isinstance(item, s.Noun) and of_this:
                    found.add(str(item.words[-1]))
    return found


def _is_this(item: object) -> bool:
    if isinstance(item, s.Operand):
        return len(item.items) == 1 and _is_this(item.items[0])
    return isinstance(item, s.Pronoun) and item.word.type == "THIS"


def bounds_of(type_: Type) -> tuple[int | None, int | None]:
    """Every number has bounds, so that no loop can make one grow without end."""
    if type_.sort != "number" or type_.many:
        return None, None
    low = -MAX_NUMBER if type_.low is None else type_.low
    return low, MAX_NUMBER if type_.high is None else type_.high


def _walk(node: object) -> Any:
    if isinstance(node, tuple):
        yield node
        for part in node:
            yield from _walk(part)
