"""Read the declarations of a package's files into a model: the shape stage.

In: the YAML trees of one package. Out: a `PackageModel` and diagnostics for unknown keys, wrong types and doubled
names. Effect texts are kept as `Text`, unparsed. What may stand in a card is taken from the kind that the package
itself declares.
"""

from __future__ import annotations

import re
from functools import partial

from grimoire.compiler.declare.base import (
    ANSWERS,
    BASE_KINDS,
    ID,
    KIND_KEYS,
    KIND_LISTS,
    KIND_TABLES,
    MAX_PIECES,
    PIECE_KEYS,
    PIECE_SECTIONS,
    RULE_ID,
    SECTIONS,
    base_model,
    keywords,
    plural_of,
)
from grimoire.compiler.declare.boards import declare_board
from grimoire.compiler.declare.maps import declare_map, join_maps
from grimoire.compiler.declare.model import (
    Counter,
    Field,
    Kind,
    Option,
    Order,
    Spanned,
    Thing,
    Type,
    Zone,
)
from grimoire.compiler.declare.pieces import Pieces
from grimoire.compiler.declare.presence import read_when
from grimoire.compiler.declare.rules import Rules
from grimoire.compiler.diagnostics.report import Related, did_you_mean, lookalike
from grimoire.compiler.records import replace
from grimoire.compiler.source.shapes import (
    MAX_INT,
    as_flag,
    as_int,
    as_mapping,
    as_text,
    as_text_list,
    as_text_set,
    check_keys,
)
from grimoire.compiler.source.tree import Mapping, Node, Scalar, Sequence

_BLANK = re.compile(r"(?P<type>.+?), *(?P<blank>[^ ,]+) if blank\Z")
ORDERED = ("abilities",)
ORDERS = {"turn-order": "turn", "current-player": "current"}

__all__ = ["BASE_KINDS", "PIECE_SECTIONS", "SECTIONS", "Declarer", "base_model"]


class Declarer(Pieces, Rules):
    """Reads the files of one package into a model that may already hold the packages it needs."""

    # ------------------------------------------------------------ files

    def read(self, tree: Mapping) -> None:
        tree = check_keys(tree, SECTIONS, self.diags, "a file of a package")
        for key, node in tree.entries:
            section = key.value
            if section not in SECTIONS:
                continue
            if section == "score":
                if self.model.score is not None:
                    self.twice(key, "the score is declared twice", self.model.score.span, "leave one out")
                    continue
                self.model.score = self.text(node, "amount", "score")
            elif section == "terms":
                mapping = as_mapping(node, self.diags, section)
                for word, meaning in mapping.entries if mapping is not None else ():
                    self.later.append(partial(self.term, word, meaning))
            elif section == "outcomes":
                for item in as_text_list(node, self.diags, "outcomes") or []:
                    self.thing(item, "outcome", {})
            else:
                mapping = as_mapping(node, self.diags, section)
                if mapping is None:
                    continue
                for name, body in mapping.entries:
                    self.entry(section, name, body)

    def entry(self, section: str, name: Scalar, body: Node) -> None:
        if not (RULE_ID if section == "rules" else ID).match(name.value):
            self.diags.add(
                "G0308",
                name.span,
                f'"{name.value}" is no name',
                lookalike(name.value) or "lower case letters, digits and single hyphens: deep-water",
            )
            return
        if section in ("verbs", "procedures") and (name.value in keywords() or name.value in ANSWERS["verb"]):
            self.diags.add("G0309", name.span, f'"{name.value}" is a word of the language', "take another name")
            return
        if section == "kinds":
            self.kind(name, body)
        elif section == "values":
            self.values(name, body)
        elif section == "things":
            mapping = as_mapping(body, self.diags, name.value)
            if mapping is not None:
                self.later.append(partial(self.declare_named_thing, name, mapping))
        elif section == "boards":
            mapping = as_mapping(body, self.diags, name.value)
            if mapping is not None:
                self.later.append(partial(self.board, name, mapping))
        elif section == "zones":
            self.zone(name, body)
        elif section == "counters":
            self.counter(name, body)
        elif section in PIECE_SECTIONS:
            mapping = as_mapping(body, self.diags, name.value)
            if mapping is not None:
                self.later.append(partial(self.piece, section, name, mapping, False))
        elif section == "replaces":
            mapping = as_mapping(body, self.diags, name.value)
            if mapping is not None:
                self.later.append(partial(self.piece, "cards", name, mapping, True))
        elif section == "verbs":
            key = body.get("abilities") if isinstance(body, Mapping) else None
            if key is not None:
                self.declare_ability_key(name, key)
            self.later.append(partial(self.verb, name, body))
        elif section == "procedures":
            self.later.append(partial(self.procedure, name, body))
        elif section == "abilities":
            self.later.append(partial(self.rule_ability, name, body))
        elif section == "options":
            self.option(name, body)
        elif section == "rules":
            self.rule(name, body)
        elif section == "order":
            self.order(name, body)
        elif section == "invariants":
            made = self.text(body, "condition", f"invariant.{name.value}")
            if made is not None and self.free(self.model.invariants, name, "invariant"):
                self.model.invariants[name.value] = made
        elif section == "aims":
            self.aim(name, body)

    def board(self, name: Scalar, mapping: Mapping) -> None:
        first = self.model.boards.setdefault(name.value, name.span)
        if first != name.span:
            self.twice(name, f'the board "{name.value}" is declared twice', first)
            return
        if mapping.get("grid") is None and any(mapping.get(key) is not None for key in ("spaces", "joins", "leads")):
            self.maps.append(declare_map(self.model, name, mapping, self.free_thing, self.diags))
        else:
            declare_board(self.model, name, mapping, self.diags)

    def order(self, name: Scalar, body: Node) -> None:
        """Who decides what comes first: `abilities: current-player`, or long with a clause."""
        if name.value not in ORDERED:
            message = f"there is no order of {name.value}"
            self.diags.add("G0310", name.span, message, f"order has: {', '.join(ORDERED)}")
            return
        clauses: tuple[str, ...] = ()
        node: Node | None = body
        if isinstance(body, Mapping):
            body = check_keys(body, ("by", "clause"), self.diags, f"the order of {name.value}", required=("by",))
            clauses = self.clauses(body)
            node = body.get("by")
        by = as_text(node, self.diags, f"the order of {name.value}") if node is not None else None
        if by is None or node is None:
            return
        if by not in ORDERS:
            message = f"the order of {name.value} is not decided by {by}"
            self.diags.add("G0310", node.span, message, f"it is one of {', '.join(ORDERS)}")
        elif self.free(self.model.order, name, "order"):
            self.model.order[name.value] = Order(name.value, ORDERS[by], name.span, clauses)

    def term(self, name: Scalar, node: Node) -> None:
        """A word of the game for something that can be worked out: `leader: the owner of the crown`."""
        if not self.check_name(name) or not self.free(self.model.terms, name, "term"):
            return
        made = self.text(node, "amount", name.value)
        if made is not None:
            self.model.terms[name.value] = made

    def rule_ability(self, name: Scalar, body: Node) -> None:
        made = self.ability(name, body)
        if made is not None and self.free(self.model.abilities, name, "ability"):
            self.model.abilities[name.value] = made

    def finish(self) -> None:
        """Second round: what needs every kind to be known."""
        self.report_waiting()
        self.inherit()
        self.compare_plurals()
        for step in self.first:
            step()
        for step in self.later:
            step()
        join_maps(self.model, self.maps, self.diags)
        self.maps.clear()
        for step in self.last:
            step()
        self.first.clear()
        self.later.clear()
        self.last.clear()
        self.count_pieces()

    def count_pieces(self) -> None:
        total = 0
        for definition in self.model.definitions.values():
            total += definition.copies
            if total > MAX_PIECES:
                message = f"the package has more than {MAX_PIECES:,} pieces, all copies counted"
                self.diags.add("G0307", definition.span, message, "take fewer copies")
                return
        for kind, name, made in self.added:
            without = [
                d.id
                for d in self.model.definitions.values()
                if self.model.is_a(d.kind, kind.id) and name.value not in d.values
            ]
            if without:
                there = ", ".join(without[:3]) + (" .." if len(without) > 3 else "")
                verb = "has" if len(without) == 1 else "have"
                self.diags.add(
                    "G0709",
                    name.span,
                    f"{there} {verb} no {name.value}",
                    f"optional {made}, or give it to them under replaces",
                )

    # ------------------------------------------------------------ kinds and values

    def kind(self, name: Scalar, body: Node) -> None:
        mapping = as_mapping(body, self.diags, f"the kind {name.value}")
        if mapping is None:
            return
        mapping = check_keys(mapping, KIND_KEYS, self.diags, "a kind")
        parent = mapping.get("is")
        above = as_text(parent, self.diags, "is") if parent is not None else name.value
        if above is not None:
            self.waiting.append((above, name, mapping))
            self.declare_waiting(name.value, above)

    def declare_waiting(self, *known: str) -> None:
        """The kinds that waited for one of these, in the order in which they are written."""
        there = [name for name in known if name in self.model.kinds]
        found = [row for row in self.waiting if row[0] in there]
        self.waiting = [row for row in self.waiting if row[0] not in there]
        for _, name, mapping in found:
            self.declare_kind(name, mapping)

    def declare_kind(self, name: Scalar, mapping: Mapping) -> None:
        """A kind whose parent is known, or more of a kind that is known."""
        parent = mapping.get("is")
        existing = self.model.kinds.get(name.value)
        if isinstance(parent, Scalar):
            above = self.model.kinds[parent.value]
            if name.value in self.implied and above.sort == "fixture":
                self.implied.remove(name.value)
                assert existing is not None
                existing.parent = parent.value
            elif existing is not None:
                message = f'the kind "{name.value}" is declared already'
                self.twice(name, message, existing.span, "leave out is: to add to it")
                return
            elif self.free(self.model.kinds, name, "kind"):
                existing = self.add_kind(name, parent.value, above.sort)
            else:
                return
        assert existing is not None
        kind = existing
        mapping = self.take_first_said(kind, mapping)
        self.clauses(mapping)
        plural = mapping.get("plural")
        if plural is not None:
            kind.plural = as_text(plural, self.diags, "plural") or kind.plural
        holds = mapping.get("holds")
        if holds is not None:
            kind.holds = bool(as_flag(holds, self.diags, "holds"))
        seen = mapping.get("seen")
        if seen is not None:
            kind.seen = self.read_seen(seen)
        names = mapping.get("names")
        if names is not None:
            kind.names = as_text(names, self.diags, "names")
            if kind.sort != "piece":
                self.diags.add(
                    "G0310", names.span, f"a {kind.id} bears no name of its own", "cards and other pieces do"
                )
                kind.names = None
            elif kind.names is not None and not (isinstance(names, Scalar) and self.check_name(names)):
                kind.names = None
            elif kind.names in self.model.kinds and self.model.kinds[kind.names].sort != "fixture":
                assert isinstance(names, Scalar)
                self.twice(names, f'"{kind.names}" is a kind already', self.model.kinds[kind.names].span)
                kind.names = None
            if kind.names is not None and kind.names not in self.model.kinds:
                assert isinstance(names, Scalar)
                self.implied.add(self.add_kind(names, "thing", "fixture").id)
        for section, state in (("fields", False), ("states", True)):
            node = mapping.get(section)
            if node is not None:
                self.first.append(partial(self.fields, kind, node, state))
        for section, table, start in (("adjectives", kind.adjectives, "condition"), ("values", kind.derived, "amount")):
            node = mapping.get(section)
            entries = as_mapping(node, self.diags, section) if node is not None else None
            for word, text in entries.entries if entries is not None else ():
                if not self.check_name(word):
                    continue
                if isinstance(text, Mapping):
                    keys = (
                        ("is", "place", "clause") if kind.sort == "seat" and section == "values" else ("is", "clause")
                    )
                    text = check_keys(text, keys, self.diags, f"the definition of {word.value}", required=("is",))
                made = self.text(
                    text.get("is") or text if isinstance(text, Mapping) else text,
                    start,
                    f"{kind.id}.{word.value}",
                    self.clauses(text) if isinstance(text, Mapping) else (),
                )
                if made is not None:
                    table[word.value] = made
                place = text.get("place") if isinstance(text, Mapping) else None
                if place is not None and as_flag(place, self.diags, "place"):
                    if kind.place is not None:
                        message = f"{word.value} says where players stand, and so does another value"
                        self.twice(word, message, kind.place.span, "leave place out of one of them")
                    kind.place = made
        back = mapping.get("back")
        if back is not None:
            kind.back = bool(as_flag(back, self.diags, "back"))
        listed = mapping.get("listed")
        if listed is not None and isinstance(listed, Scalar) and self.check_name(listed):
            kind.listed = listed.value
        elif listed is not None:
            as_text(listed, self.diags, "listed")
        lends = mapping.get("lends to")
        if lends is not None:
            self.first.append(partial(self.lends, kind, lends))
        together = mapping.get("together")
        if together is not None:
            self.read_together(kind, together)
        abilities = mapping.get("abilities")
        if abilities is not None:
            self.later.append(partial(self.kind_abilities, kind, abilities))
        slots = mapping.get("slots")
        entries = as_mapping(slots, self.diags, "slots") if slots is not None else None
        for word, slot_type in entries.entries if entries is not None else ():
            if not self.check_name(word):
                continue
            wanted = as_text(slot_type, self.diags, f"the slot {word.value}")
            if wanted is not None and wanted not in ("effect", "effects"):
                hint = "write effect, or effects for a list of them"
                guess = did_you_mean(wanted, ("effect", "effects"))
                said = f'a slot holds an effect, not "{wanted}"' + (f": did you mean {guess}?" if guess else "")
                self.diags.add("G0310", slot_type.span, said, hint)
                wanted = guess
            if wanted is not None:
                kind.slots[word.value] = wanted
        self.declare_waiting(kind.id, *([kind.names] if kind.names is not None else []))

    def read_together(self, kind: Kind, node: Node) -> None:
        """`together: [number-field, text-slot]`, or a list of such lists: a card has all of them or none."""
        lists = (
            node.items if isinstance(node, Sequence) and any(isinstance(x, Sequence) for x in node.items) else (node,)
        )
        for one in lists:
            names = one.items if isinstance(one, Sequence) else ()
            words = tuple(item for item in names if isinstance(item, Scalar))
            if len(words) < 2 or len(words) < len(names):
                hint = "together: [FIELD, SLOT], or a list of such lists"
                self.diags.add("G0310", one.span, "two or more names of fields or slots come together", hint)
                continue
            named = {word.value for word in words}
            first = next((known for known in kind.together if {word.value for word in known} == named), None)
            if first is not None:
                self.twice(
                    words[0], f"that these of a {kind.id} come together is said twice", first[0].span, "leave one out"
                )
                continue
            kind.together.append(words)
            self.later.append(partial(self.check_together, kind, words))

    def check_together(self, kind: Kind, words: tuple[Scalar, ...]) -> None:
        """That what comes together is there."""
        if kind.sort != "piece":
            self.diags.add("G0310", words[0].span, f"no card is a {kind.id}", "kinds of cards and other pieces say it")
            return
        above = [self.model.kinds[one] for one in self.model.ancestors(kind.id)]
        names = [name for one in above for name in (*one.slots, *(f.name for f in one.fields.values() if not f.state))]
        for word in words:
            if word.value not in names:
                guess = did_you_mean(word.value, names)
                said = f'a {kind.id} has no field and no slot "{word.value}"'
                hint = f"write {guess}" if guess else f"one of {', '.join(names)}" if names else "declare it"
                self.diags.add("G0501", word.span, said, hint)

    def add_kind(self, name: Scalar, parent: str, sort: str) -> Kind:
        made = Kind(name.value, parent, sort, plural_of(name.value), name.span, self.package)
        self.model.kinds[name.value] = made
        return made

    def report_waiting(self) -> None:
        """Kinds whose parent there is not, and more of kinds that there are not; what follows from that is not told."""
        self.declare_misspelt()
        parents = {name.value: above for above, name, mapping in self.waiting if mapping.get("is") is not None}
        named = {name.value for _, name, _ in self.waiting}
        told: set[str] = set()
        for above, name, mapping in self.waiting:
            parent = mapping.get("is")
            if parent is None:
                if name.value not in parents:
                    hint = "is: card, token, figure, sheet, space, thing, or another kind"
                    self.diags.add("G0306", name.span, f"the kind {name.value} needs to say what it is", hint)
            elif above not in named:
                self.diags.add("G0310", parent.span, f'unknown kind "{above}"', "declare it under kinds")
            elif name.value in (circle := _list_above(parents, above)) and told.isdisjoint(circle):
                told.update(circle)
                message = f"a {name.value} would be a {name.value} again, by {', '.join(circle)}"
                self.diags.add("G0310", parent.span, message, "one of them is a card, a figure, a space ..")
        self.waiting.clear()

    def declare_misspelt(self) -> None:
        """Kinds whose parent was misspelt are told, and declared below the one that was meant."""
        named = {name.value for _, name, _ in self.waiting}
        for above, name, mapping in list(self.waiting):
            parent = mapping.get("is")
            guess = did_you_mean(above, self.model.kinds) if parent is not None and above not in named else None
            if guess is not None and isinstance(parent, Scalar):
                message = f'unknown kind "{above}": did you mean {guess}?'
                self.diags.add("G0310", parent.span, message, "declare it under kinds")
                meant = ((key, parent._replace(value=guess) if node is parent else node) for key, node in mapping)
                self.waiting.remove((above, name, mapping))
                self.waiting.append((guess, name, replace(mapping, entries=tuple(meant))))
                self.declare_waiting(guess)

    def inherit(self) -> None:
        """What a kind does not say of itself is as it is said of the kind above it."""
        for kind in self.model.kinds.values():
            above = self.model.kinds.get(kind.parent or "")
            if above is not None and "key holds" not in kind.places:
                kind.holds = above.holds
            if above is not None and "key seen" not in kind.places:
                kind.seen = above.seen

    def compare_plurals(self) -> None:
        """A word that is the plural of a kind and the name of something else would be read as the kind."""
        plurals: dict[str, Kind] = {}
        for kind in self.model.kinds.values():
            if kind.plural == kind.id:
                continue
            first = plurals.setdefault(kind.plural, kind)
            others: list[Spanned | None] = [first if first is not kind else None]
            others += [table.get(kind.plural) for table in self.nouns().values()]
            for other in others:
                if other is None or (kind.id in self.older and kind.plural in self.older):
                    continue
                if isinstance(other, Zone) and other.each:
                    continue  # it is said whose it is: your heroes
                new = kind.places.get("key plural", kind.span) if isinstance(other, Kind) else other.span
                old = other.span if isinstance(other, Kind) else kind.span
                message = f'"{kind.plural}" is the plural of the kind {kind.id}, and the name of something else'
                if first is not kind:
                    message = f'"{kind.plural}" is the plural of the kinds {first.id} and {kind.id}'
                self.diags.add("G0505", new, message, "take another name, or say plural: ..", (Related(old, "here"),))

    def take_first_said(self, kind: Kind, mapping: Mapping) -> Mapping:
        """What a kind says and has not said before. Its tables, which share their names, are looked at entry by entry:
        they can be added to."""
        kept: list[tuple[Scalar, Node]] = []
        for key, node in mapping.entries:
            if key.value in KIND_TABLES and isinstance(node, Mapping):
                rows = tuple(row for row in node.entries if self.is_said_once(kind, row[0]))
                kept.append((key, replace(node, entries=rows)))
            elif key.value in (*KIND_TABLES, *KIND_LISTS) or self.is_said_once(kind, key, "key "):
                kept.append((key, node))
        return replace(mapping, entries=tuple(kept))

    def lends(self, kind: Kind, node: Node) -> None:
        """`lends to: item`: what cards of the kind can do, the items that name them can do."""
        kind.lends = ""  # to nobody, if it is wrong: what its cards can do is then not looked at
        bearers = as_text(node, self.diags, "lends to")
        if bearers is None or not self.piece_kind(bearers, node):
            return
        if kind.names is None:
            hint = "names: .., and a field of that type on what bears it"
            self.diags.add("G0310", node.span, f"nothing can bear a {kind.id}: it has no names", hint)
            return
        kind.lends = bearers

    def kind_abilities(self, kind: Kind, node: Node) -> None:
        if kind.sort != "piece":
            self.diags.add("G0310", node.span, f"a {kind.id} bears no abilities", "cards and other pieces do")
            return
        entries = as_mapping(node, self.diags, "abilities")
        for word, body in entries.entries if entries is not None else ():
            ability = self.ability(word, body)
            if ability is not None and self.free(kind.abilities, word, "ability"):
                kind.abilities[word.value] = ability

    def fields(self, kind: Kind, node: Node, state: bool) -> None:
        mapping = as_mapping(node, self.diags, "states" if state else "fields")
        if kind.sort == "seat" and not state:
            self.diags.add("G0310", node.span, "nothing is printed on a player", "write states")
            return
        older = any(self.model.is_a(d.kind, kind.id) for d in self.model.definitions.values())
        for name, body in mapping.entries if mapping is not None else ():
            if not self.check_name(name):
                continue
            if name.value in PIECE_KEYS:
                self.diags.add("G0309", name.span, f'"{name.value}" is a key of every card', "take another name")
                continue
            start: Node | None = None
            seen = "all"
            clauses: tuple[str, ...] = ()
            if isinstance(body, Mapping):
                body = check_keys(
                    body,
                    ("type", "start", "seen", "clause"),
                    self.diags,
                    f"the {'state' if state else 'field'} {name.value}",
                    required=("type",),
                )
                type_node = body.get("type")
                start = body.get("start")
                if body.get("seen") is not None:
                    seen = self.read_seen(body.get("seen"))
                clauses = self.clauses(body)
            else:
                type_node = body
            if type_node is None:
                continue
            if not state and start is None:
                type_node, start = read_blank(type_node)
            made = self.type(type_node, f"the field {name.value}")
            if made is None:
                continue
            if older and not state and not made.optional and start is None:
                self.added.append((kind, name, made))
            kind.fields[name.value] = Field(name.value, made, state, start, seen, name.span, -1, clauses)

    def values(self, name: Scalar, body: Node) -> None:
        if name.value in self.model.kinds:
            kind = self.model.kinds[name.value]
            if kind.sort != "fixture":
                self.diags.add("G0310", name.span, f"a {kind.id} is no value", "declare cards under cards")
                return
        else:
            if not self.free(self.model.kinds, name, "kind"):
                return
            kind = self.add_kind(name, "thing", "fixture")
            self.implied.add(kind.id)
            self.declare_waiting(kind.id)
        if isinstance(body, Sequence):
            if not body.items:
                hint = f"{name.value}: [one, another]"
                self.diags.add("G0304", body.span, f"{name.value} has no values", hint)
            for item in as_text_list(body, self.diags, name.value) or []:
                self.thing(item, kind.id, {})
        else:
            mapping = as_mapping(body, self.diags, name.value)
            for item, fields in mapping.entries if mapping is not None else ():
                values = as_mapping(fields, self.diags, item.value)
                if values is not None:
                    self.later.append(partial(self.read_thing, item, kind.id, values))

    def declare_named_thing(self, name: Scalar, mapping: Mapping) -> None:
        kind_node = mapping.get("kind")
        kind = as_text(kind_node, self.diags, "kind") if kind_node is not None else None
        if kind is None or kind not in self.model.kinds or self.model.kinds[kind].sort != "fixture":
            self.diags.add("G0310", (kind_node or mapping).span, f"{name.value} needs a kind of things", "kind: ..")
            return
        self.read_thing(name, kind, mapping)

    def read_thing(self, name: Scalar, kind: str, mapping: Mapping) -> None:
        printed = [f for k in self.model.ancestors(kind) for f, v in self.model.kinds[k].fields.items() if not v.state]
        mapping = check_keys(mapping, ("kind", "when", *printed), self.diags, f"a {kind}")
        self.thing(name, kind, {k.value: v for k, v in mapping.entries if k.value in printed})
        made = self.model.things.get(name.value)
        if made is not None and made.span == name.span:
            made.when = read_when(self.model, mapping, self.diags)

    def thing(self, name: Scalar, kind: str, values: dict[str, Node]) -> None:
        if not ID.match(name.value):
            hint = lookalike(name.value) or "lower case letters, digits and single hyphens"
            self.diags.add("G0308", name.span, f'"{name.value}" is no name', hint)
        elif self.free(self.model.things, name, "thing"):
            self.model.things[name.value] = Thing(name.value, kind, {**values}, name.span)

    # ------------------------------------------------------------ zones, counters, options

    def zone(self, name: Scalar, body: Node) -> None:
        mapping = as_mapping(body, self.diags, f"the zone {name.value}")
        if mapping is None:
            return
        keys = ("holds", "each", "order", "seen", "counted", "clause", "when")
        mapping = check_keys(mapping, keys, self.diags, "a zone", required=("holds",))
        holds_node = mapping.get("holds")
        holds = as_text(holds_node, self.diags, "holds") if holds_node is not None else None
        if holds is None:
            return
        each_node = mapping.get("each")
        each = as_text(each_node, self.diags, "each") if each_node is not None else None
        if each is not None and each != "player" and each_node is not None:
            self.diags.add(
                "G0310", each_node.span, f"each: {each} is not known", "each: player gives every player a zone"
            )
        seen = self.read_seen(mapping.get("seen")) if mapping.get("seen") else "all"
        order_node = mapping.get("order")
        # where a card lies in a hand would tell the others when it came there: whoever means that says so
        order = "any" if seen == "owner" else "kept"
        if order_node is not None:
            order = as_text(order_node, self.diags, "order") or order
        if order not in ("kept", "any") and order_node is not None:
            self.diags.add("G0310", order_node.span, "order is kept or any")
        if order == "any" and seen == "top" and order_node is not None:
            message = f"the zone {name.value} shows its top, and yet it is said to have no order"
            self.diags.add("G0311", order_node.span, message, "leave order out, or say who sees all of it")
        if seen == "owner" and each is None:
            message = f"the zone {name.value} belongs to nobody, and yet its owner sees it"
            seen_node = mapping.get("seen") or mapping
            self.diags.add("G0311", seen_node.span, message, "each: player, or say who sees it: everyone, nobody, top")
        made = Zone(name.value, holds, each == "player", order == "kept", seen, name.span)
        counted_node = mapping.get("counted")
        if counted_node is not None:
            made.counted = as_flag(counted_node, self.diags, "counted") is not False
            if not made.counted and made.seen in ("all", "owner"):
                message = f"the zone {name.value} is not counted, and yet somebody sees all that lies in it"
                self.diags.add("G0311", counted_node.span, message, "seen: top, or seen: nobody; or leave counted out")
        made.clauses = self.clauses(mapping)
        if not self.free(self.model.zones, name, "zone"):
            return
        self.model.zones[name.value] = made
        self.first.append(lambda: setattr(made, "when", read_when(self.model, mapping, self.diags)))
        assert holds_node is not None
        self.later.append(partial(self.expect_piece_kind, holds, holds_node))

    def counter(self, name: Scalar, body: Node) -> None:
        start_node: Node | None = None
        seen = "all"
        clauses: tuple[str, ...] = ()
        if isinstance(body, Mapping):
            body = check_keys(body, ("type", "start", "seen", "clause"), self.diags, "a counter", required=("type",))
            type_node = body.get("type")
            start_node = body.get("start")
            seen = self.read_seen(body.get("seen")) if body.get("seen") is not None else "all"
            clauses = self.clauses(body)
        else:
            type_node = body
        if type_node is None or not self.free(self.model.counters, name, "counter"):
            return
        made = Counter(name.value, Type("number"), None, seen, name.span, clauses)
        self.model.counters[name.value] = made

        def settle() -> None:
            type_ = self.type(type_node, f"the counter {name.value}")
            if type_ is None:
                return
            made.type = type_
            made.start = -1 if type_.sort not in ("number", "flag") else (type_.low or 0)
            if start_node is None:
                return
            if type_.sort == "number":
                low = -MAX_INT if type_.low is None else type_.low
                high = MAX_INT if type_.high is None else type_.high
                made.start = as_int(start_node, self.diags, "start", low=low, high=high)
            elif type_.sort == "flag":
                made.start = int(bool(as_flag(start_node, self.diags, "start")))
            else:
                made.start_name = as_text(start_node, self.diags, "start")
                self.last.append(partial(self.check_start, made, start_node))

        self.later.append(settle)

    def check_start(self, counter: Counter, node: Node) -> None:
        text = counter.start_name
        if text is None or (text in ("nobody", "nothing", "nowhere") and counter.type.optional):
            return
        things = [t.id for t in self.model.things.values() if self.model.is_a(t.kind, counter.type.kind)]
        if counter.type.sort != "fixture" or text not in things:
            guess = did_you_mean(text, things)
            message = f'{counter.id} is a {counter.type}, and "{text}" is none that it could start with'
            hint = f"did you mean {guess}?" if guess else "leave start out, and set it in the set-up"
            self.diags.add("G0501", node.span, message, hint)

    def option(self, name: Scalar, body: Node) -> None:
        mapping = as_mapping(body, self.diags, f"the option {name.value}")
        if mapping is None:
            return
        mapping = check_keys(mapping, ("values", "default"), self.diags, "an option", required=("default",))
        values_node = mapping.get("values")
        found = as_text_set(values_node, self.diags, f"the values of {name.value}") if values_node is not None else None
        values = [value.value for value in found or ()]
        default_node = mapping.get("default")
        if default_node is None:
            return
        default: str | bool | None
        if values:
            default = as_text(default_node, self.diags, "default")
            if default not in values:
                self.diags.add(
                    "G0310", default_node.span, "the default is none of the values", f"one of {', '.join(values)}"
                )
                return
        else:
            default = as_flag(default_node, self.diags, "default")
        if self.free(self.model.options, name, "option"):
            self.model.options[name.value] = Option(
                name.value, "choice" if values else "flag", values, default, name.span
            )


def read_blank(node: Node) -> tuple[Node, Node | None]:
    """The type of a printed field, and what it is where nothing is printed: `number, 0 if blank`, `optional flag`."""
    if isinstance(node, Scalar) and node.value == "optional flag":
        return node._replace(value="flag"), node._replace(value="false")
    found = _BLANK.match(node.value) if isinstance(node, Scalar) else None
    if found is None or not isinstance(node, Scalar):
        return node, None
    type_, blank = node._replace(value=found["type"]), node._replace(value=found["blank"])
    if node.style == "plain" and node.line == node.end_line:  # each is told where it stands
        type_ = type_._replace(end_column=node.column + found.end("type"))
        first, last = found.span("blank")
        blank = blank._replace(column=node.column + first, end_column=node.column + last)
    return type_, blank


def _list_above(parents: dict[str, str], name: str) -> list[str]:
    """A kind and all those above it, as far as they wait."""
    found: list[str] = []
    while name in parents and name not in found:
        found.append(name)
        name = parents[name]
    return found
