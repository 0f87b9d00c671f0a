"""Read the declarations of a package's files into a model: the shape stage.

In: the YAML trees of one package. Out: a `PackageModel` and diagnostics for unknown keys, wrong types and doubled names. Effect texts
are kept as `Text`, unparsed. What may stand in a card is taken from the kind that the package itself declares.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

from grimoire.compiler.boards import declare_board
from grimoire.compiler.diagnostics import Diagnostics, Related, Span, did_you_mean
from grimoire.compiler.model import (
    Ability,
    Clause,
    Counter,
    Definition,
    Field,
    Kind,
    Option,
    PackageModel,
    Param,
    Text,
    Thing,
    Type,
    Verb,
    Zone,
)
from grimoire.compiler.shapes import as_flag, as_int, as_mapping, as_text, as_text_list, check_keys
from grimoire.compiler.signature import parse_signature
from grimoire.compiler.source import Mapping, Node, Scalar, Sequence

ID = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*\Z")
BASE_KINDS = {
    "player": ("seat", None),
    "piece": ("piece", None),
    "card": ("piece", "piece"),
    "token": ("piece", "piece"),
    "figure": ("piece", "piece"),
    "sheet": ("piece", "piece"),
    "thing": ("fixture", None),
    "space": ("fixture", "thing"),
    "outcome": ("fixture", "thing"),
}
PIECE_SECTIONS = ("cards", "tokens", "figures", "sheets")
SECTIONS = (
    "kinds", "values", "things", "boards", "zones", "counters", *PIECE_SECTIONS, "verbs", "procedures", "abilities", "outcomes", "options",
    "score", "rules", "replaces",
)  # fmt: skip
RESERVED = frozenset(
    [
        "game",
        "result",
        "number",
        "player",
        "opponent",
        "nobody",
        "nothing",
        "nowhere",
        "this",
        "it",
        "you",
        "they",
        "decline",
        "done",
        "pass",
    ]
)
SEEN = {"everyone": "all", "owner": "owner", "nobody": "none", "top": "top"}
MAX_COPIES = 1_000


def base_model(package: str, version: str) -> PackageModel:
    model = PackageModel(package, version)
    nowhere = Span("", 1, 1, 1, 1)
    for name, (sort, parent) in BASE_KINDS.items():
        model.kinds[name] = Kind(name, parent, sort, name + "s", nowhere, "")
    model.counters["current-player"] = Counter("current-player", Type("seat", "player"), 0, "all", nowhere)
    model.counters["first-player"] = Counter("first-player", Type("seat", "player"), 0, "all", nowhere)
    return model


class Declarer:
    """Reads the files of one package into a model that may already hold the packages it needs."""

    def __init__(self, model: PackageModel, package: str, diags: Diagnostics) -> None:
        self.model = model
        self.package = package
        self.diags = diags
        self.later: list[Callable[[], None]] = []

    # ------------------------------------------------------------ files

    def read(self, tree: Mapping) -> None:
        check_keys(tree, SECTIONS, self.diags, "a file of a package")
        for key, node in tree.entries:
            section = key.value
            if section not in SECTIONS:
                continue
            if section == "score":
                self.model.score = self.text(node, "amount", "score")
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
        if section != "rules" and not ID.match(name.value):
            self.diags.add(
                "G0308",
                name.span,
                f'"{name.value}" is no name',
                "lower case letters, digits and single hyphens: deep-water",
            )
            return
        if section == "kinds":
            self.kind(name, body)
        elif section == "values":
            self.values(name, body)
        elif section == "things":
            mapping = as_mapping(body, self.diags, name.value)
            if mapping is not None:
                self.later.append(partial(self.named_thing, name, mapping))
        elif section == "boards":
            mapping = as_mapping(body, self.diags, name.value)
            if mapping is not None:
                self.later.append(partial(declare_board, self.model, name, mapping, self.diags))
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
            self.later.append(partial(self.verb, name, body))
        elif section == "procedures":
            self.later.append(partial(self.procedure, name, body))
        elif section == "abilities":
            made = self.ability(name, body)
            if made is not None and self.free(self.model.abilities, name, "ability"):
                self.model.abilities[name.value] = made
        elif section == "options":
            self.option(name, body)
        elif section == "rules":
            self.rule(name, body)

    def finish(self) -> None:
        """Second round: what needs every kind to be known."""
        for step in self.later:
            step()
        self.later.clear()

    # ------------------------------------------------------------ small readers

    def text(self, node: Node, start: str, owner: str, clauses: tuple[str, ...] = ()) -> Text | None:
        if not isinstance(node, Scalar):
            self.diags.add(
                "G0304", node.span, f"{owner} must be a text", "write it behind the key, or below it after |"
            )
            return None
        made = Text(node.value, start, node, node.source.path, owner, clauses)
        self.model.texts.append(made)
        return made

    def clauses(self, mapping: Mapping) -> tuple[str, ...]:
        node = mapping.get("clause")
        if node is None:
            return ()
        found = [node] if isinstance(node, Scalar) else as_text_list(node, self.diags, "clause") or []
        names = tuple(item.value for item in found)
        for item in found:
            self.later.append(partial(self.known_clause, item))
        return names

    def known_clause(self, item: Scalar) -> None:
        clause = self.model.clauses.get(item.value)
        if clause is None:
            guess = did_you_mean(item.value, self.model.clauses)
            self.diags.add(
                "G0801",
                item.span,
                f'unknown clause "{item.value}"' + (f": did you mean {guess}?" if guess else ""),
                "clauses stand under rules",
            )
        else:
            clause.carried.append("declaration")

    def free(self, table: object, name: Scalar, what: str) -> bool:
        assert isinstance(table, dict)
        if name.value in RESERVED:
            self.diags.add("G0309", name.span, f'"{name.value}" is a word of the language', "take another name")
            return False
        for other, where in (("kind", self.model.kinds), ("thing", self.model.things), ("zone", self.model.zones), ("counter", self.model.counters),
                             ("card", self.model.definitions), ("option", self.model.options)):  # fmt: skip
            found = where.get(name.value)
            if found is not None and what in ("kind", "thing", "zone", "counter", "card", "option"):
                self.diags.add(
                    "G0505",
                    name.span,
                    f'"{name.value}" is a {other} already',
                    "take another name",
                    (Related(found.span, "it is declared here"),),
                )
                return False
        if name.value in table:
            self.diags.add(
                "G0505",
                name.span,
                f'"{name.value}" is declared twice',
                "take another name",
                (Related(table[name.value].span, "first here"),),
            )
            return False
        return True

    def type(self, node: Node, what: str) -> Type | None:
        text = as_text(node, self.diags, what)
        if text is None or not isinstance(node, Scalar):
            return None
        return self.type_of(text, node, what)

    def type_of(self, text: str, node: Scalar, what: str) -> Type | None:
        words = text.split()
        optional = many = False
        while words and words[0] in ("optional", "set", "of"):
            optional = optional or words[0] == "optional"
            many = many or words[0] == "set"
            words = words[1:]
        if not words:
            self.diags.add(
                "G0310", node.span, f"{what} needs a type", "number, flag, a kind, set of KIND, optional KIND"
            )
            return None
        name = words[0]
        if name == "number":
            low = high = None
            if (
                len(words) == 4
                and words[2] == "to"
                and words[1].lstrip("-").isdigit()
                and words[3].lstrip("-").isdigit()
            ):
                low, high = int(words[1]), int(words[3])
            elif len(words) != 1:
                self.diags.add("G0310", node.span, f'"{text}" is no type', "number, or number 0 to 10")
                return None
            return Type("number", None, many, optional, low, high)
        if len(words) != 1:
            self.diags.add(
                "G0310", node.span, f'"{text}" is no type', "number, flag, a kind, set of KIND, optional KIND"
            )
            return None
        if name == "flag":
            return Type("flag")
        if name in ("place", "zone"):
            return Type("zone")
        kind = self.model.kinds.get(name)
        if kind is None:
            guess = did_you_mean(name, [*self.model.kinds, "number", "flag", "zone"])
            self.diags.add(
                "G0310",
                node.span,
                f'unknown kind "{name}"' + (f": did you mean {guess}?" if guess else ""),
                "number, flag, zone, or a kind of the package",
            )
            return None
        return Type(kind.sort, name, many, optional)

    # ------------------------------------------------------------ kinds and values

    def kind(self, name: Scalar, body: Node) -> None:
        mapping = as_mapping(body, self.diags, f"the kind {name.value}")
        if mapping is None:
            return
        check_keys(
            mapping,
            ("is", "plural", "fields", "states", "adjectives", "values", "slots", "holds", "seen", "names", "clause"),
            self.diags,
            "a kind",
        )
        existing = self.model.kinds.get(name.value)
        if existing is None:
            parent = mapping.get("is")
            parent_name = as_text(parent, self.diags, "is") if parent is not None else None
            if parent_name is None:
                if parent is None:
                    self.diags.add(
                        "G0306",
                        name.span,
                        f"the kind {name.value} needs to say what it is",
                        "is: card, token, figure, sheet, space, thing, or another kind",
                    )
                return
            above = self.model.kinds.get(parent_name)
            if above is None:
                assert isinstance(parent, Scalar)
                guess = did_you_mean(parent_name, self.model.kinds)
                self.diags.add(
                    "G0310",
                    parent.span,
                    f'unknown kind "{parent_name}"' + (f": did you mean {guess}?" if guess else ""),
                    "a kind stands below the kind that it is",
                )
                return
            if not self.free(self.model.kinds, name, "kind"):
                return
            plural = mapping.get("plural")
            plural_text = as_text(plural, self.diags, "plural") if plural is not None else None
            existing = Kind(
                name.value, parent_name, above.sort, plural_text or plural_of(name.value), name.span, self.package
            )
            existing.holds, existing.seen = above.holds, above.seen
            self.model.kinds[name.value] = existing
        elif mapping.get("is") is not None:
            self.diags.add(
                "G0505",
                name.span,
                f'the kind "{name.value}" is declared already',
                "leave out is: to add to it",
                (Related(existing.span, "first here"),),
            )
        kind = existing
        holds = mapping.get("holds")
        if holds is not None:
            kind.holds = bool(as_flag(holds, self.diags, "holds"))
        seen = mapping.get("seen")
        if seen is not None:
            kind.seen = self.seen(seen)
        names = mapping.get("names")
        if names is not None:
            kind.names = as_text(names, self.diags, "names")
            if kind.names is not None and kind.names not in self.model.kinds:
                self.model.kinds[kind.names] = Kind(
                    kind.names, "thing", "fixture", plural_of(kind.names), names.span, self.package
                )
        for section, state in (("fields", False), ("states", True)):
            node = mapping.get(section)
            if node is not None:
                self.later.insert(0, partial(self.fields, kind, node, state))
        for section, table, start in (("adjectives", kind.adjectives, "condition"), ("values", kind.derived, "amount")):
            node = mapping.get(section)
            entries = as_mapping(node, self.diags, section) if node is not None else None
            for word, text in entries.entries if entries is not None else ():
                made = self.text(text.get("is") or text if isinstance(text, Mapping) else text, start, f"{kind.id}.{word.value}",
                                 self.clauses(text) if isinstance(text, Mapping) else ())  # fmt: skip
                if made is not None:
                    table[word.value] = made
        slots = mapping.get("slots")
        entries = as_mapping(slots, self.diags, "slots") if slots is not None else None
        for word, slot_type in entries.entries if entries is not None else ():
            wanted = as_text(slot_type, self.diags, f"the slot {word.value}")
            if wanted is not None and wanted != "effect":
                self.diags.add("G0310", slot_type.span, f'a slot holds an effect, not "{wanted}"', "write effect")
            elif wanted is not None:
                kind.slots[word.value] = wanted

    def fields(self, kind: Kind, node: Node, state: bool) -> None:
        mapping = as_mapping(node, self.diags, "states" if state else "fields")
        for name, body in mapping.entries if mapping is not None else ():
            start: Node | None = None
            seen = "all"
            clauses: tuple[str, ...] = ()
            if isinstance(body, Mapping):
                check_keys(
                    body,
                    ("type", "start", "seen", "clause"),
                    self.diags,
                    f"the {'state' if state else 'field'} {name.value}",
                    required=("type",),
                )
                type_node = body.get("type")
                start = body.get("start")
                if body.get("seen") is not None:
                    seen = self.seen(body.get("seen"))
                clauses = self.clauses(body)
            else:
                type_node = body
            if type_node is None:
                continue
            made = self.type(type_node, f"the field {name.value}")
            if made is None:
                continue
            if name.value in kind.fields:
                self.diags.add(
                    "G0505",
                    name.span,
                    f'"{name.value}" is declared twice',
                    None,
                    (Related(kind.fields[name.value].span, "first here"),),
                )
                continue
            kind.fields[name.value] = Field(name.value, made, state, start, seen, name.span, -1, clauses)

    def seen(self, node: Node | None) -> str:
        text = as_text(node, self.diags, "seen") if node is not None else None
        if text in SEEN:
            return SEEN[text]
        if text is not None and node is not None:
            self.diags.add("G0310", node.span, f'"{text}" does not say who sees it', "everyone, owner, nobody or top")
        return "all"

    def values(self, name: Scalar, body: Node) -> None:
        if name.value in self.model.kinds:
            kind = self.model.kinds[name.value]
        else:
            if not self.free(self.model.kinds, name, "kind"):
                return
            kind = Kind(name.value, "thing", "fixture", plural_of(name.value), name.span, self.package)
            self.model.kinds[name.value] = kind
        if isinstance(body, Sequence):
            for item in as_text_list(body, self.diags, name.value) or []:
                self.thing(item, kind.id, {})
        else:
            mapping = as_mapping(body, self.diags, name.value)
            for item, fields in mapping.entries if mapping is not None else ():
                values = as_mapping(fields, self.diags, item.value)
                if values is not None:
                    self.later.append(partial(self.thing, item, kind.id, {k.value: v for k, v in values.entries}))

    def named_thing(self, name: Scalar, mapping: Mapping) -> None:
        kind_node = mapping.get("kind")
        kind = as_text(kind_node, self.diags, "kind") if kind_node is not None else None
        if kind is None or kind not in self.model.kinds or self.model.kinds[kind].sort != "fixture":
            self.diags.add("G0310", (kind_node or mapping).span, f"{name.value} needs a kind of things", "kind: ..")
            return
        self.thing(name, kind, {k.value: v for k, v in mapping.entries if k.value != "kind"})

    def thing(self, name: Scalar, kind: str, values: dict[str, Node]) -> None:
        if not ID.match(name.value):
            self.diags.add(
                "G0308", name.span, f'"{name.value}" is no name', "lower case letters, digits and single hyphens"
            )
        elif self.free(self.model.things, name, "thing"):
            self.model.things[name.value] = Thing(name.value, kind, values, name.span)

    # ------------------------------------------------------------ zones, counters, options

    def zone(self, name: Scalar, body: Node) -> None:
        mapping = as_mapping(body, self.diags, f"the zone {name.value}")
        if mapping is None:
            return
        check_keys(mapping, ("holds", "each", "order", "seen", "clause"), self.diags, "a zone", required=("holds",))
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
        order_node = mapping.get("order")
        order = as_text(order_node, self.diags, "order") if order_node is not None else "kept"
        if order not in ("kept", "any") and order_node is not None:
            self.diags.add("G0310", order_node.span, "order is kept or any")
        made = Zone(
            name.value,
            holds,
            each == "player",
            order == "kept",
            self.seen(mapping.get("seen")) if mapping.get("seen") else "all",
            name.span,
        )
        made.clauses = self.clauses(mapping)
        if not self.free(self.model.zones, name, "zone"):
            return
        self.model.zones[name.value] = made
        assert holds_node is not None
        self.later.append(partial(self.expect_piece_kind, holds, holds_node))

    def expect_piece_kind(self, kind: str, node: Node) -> None:
        self.piece_kind(kind, node)

    def piece_kind(self, kind: str, node: Node) -> bool:
        found = self.model.kinds.get(kind)
        if found is None or found.sort != "piece":
            guess = did_you_mean(kind, [k for k, v in self.model.kinds.items() if v.sort == "piece"])
            self.diags.add(
                "G0310",
                node.span,
                f'"{kind}" is no kind of pieces' + (f": did you mean {guess}?" if guess else ""),
                "card, token, figure, sheet, or a kind below them",
            )
            return False
        return True

    def counter(self, name: Scalar, body: Node) -> None:
        start_node: Node | None = None
        seen = "all"
        clauses: tuple[str, ...] = ()
        if isinstance(body, Mapping):
            check_keys(body, ("type", "start", "seen", "clause"), self.diags, "a counter", required=("type",))
            type_node = body.get("type")
            start_node = body.get("start")
            seen = self.seen(body.get("seen")) if body.get("seen") is not None else "all"
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
            if type_.sort in ("number", "flag"):
                made.start = as_int(start_node, self.diags, "start")
            else:
                made.start_name = as_text(start_node, self.diags, "start")

        self.later.append(settle)

    def option(self, name: Scalar, body: Node) -> None:
        mapping = as_mapping(body, self.diags, f"the option {name.value}")
        if mapping is None:
            return
        check_keys(mapping, ("values", "default"), self.diags, "an option", required=("default",))
        values_node = mapping.get("values")
        values = (
            [v.value for v in as_text_list(values_node, self.diags, "values") or []] if values_node is not None else []
        )
        default_node = mapping.get("default")
        if default_node is None:
            return
        default: object
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

    # ------------------------------------------------------------ cards and other pieces

    def piece(self, section: str, name: Scalar, mapping: Mapping, replaces: bool) -> None:
        kind_node = mapping.get("kind")
        old = self.model.definitions.get(name.value)
        if replaces and old is None:
            guess = did_you_mean(name.value, self.model.definitions)
            self.diags.add(
                "G0218",
                name.span,
                f'there is no "{name.value}" to replace' + (f": did you mean {guess}?" if guess else ""),
            )
            return
        kind_name = (
            as_text(kind_node, self.diags, "kind")
            if kind_node is not None
            else (old.kind if replaces and old else section[:-1])
        )
        if kind_name is None or not self.piece_kind(kind_name, kind_node or name):
            return
        slots: dict[str, str] = {}
        fields: dict[str, Field] = {}
        for ancestor in self.model.ancestors(kind_name):
            slots.update(self.model.kinds[ancestor].slots)
            fields.update({k: v for k, v in self.model.kinds[ancestor].fields.items() if not v.state})
        own = ("kind", "copies", "in", "abilities", "clause")
        check_keys(
            mapping,
            (*own, *slots, *fields),
            self.diags,
            f"a {kind_name}",
            required=[
                f
                for f, v in fields.items()
                if not v.type.optional and not replaces and f not in self.auto_fields(kind_name)
            ],
        )
        copies_node = mapping.get("copies")
        copies = as_int(copies_node, self.diags, "copies", low=1, high=MAX_COPIES) if copies_node is not None else 1
        zone_node = mapping.get("in")
        zone = as_text(zone_node, self.diags, "in") if zone_node is not None else None
        if zone is not None and zone_node is not None:
            found = self.model.zones.get(zone)
            if found is None:
                guess = did_you_mean(zone, self.model.zones)
                self.diags.add(
                    "G0501",
                    zone_node.span,
                    f'unknown zone "{zone}"' + (f": did you mean {guess}?" if guess else ""),
                    None,
                )
                zone = None
            elif found.each:
                self.diags.add(
                    "G0506",
                    zone_node.span,
                    f"every player has a {zone}: pieces start in one zone",
                    "start them in a supply and move them in the set-up",
                )
                zone = None
        clauses = self.clauses(mapping)
        values = {key.value: node for key, node in mapping.entries if key.value in fields}
        programs: dict[str, Text] = {}
        for key, node in mapping.entries:
            if key.value in slots:
                made = self.text(node, "effect", f"{name.value}.{key.value}", clauses)
                if made is not None:
                    programs[key.value] = made
        abilities: dict[str, Ability] = {}
        node_ = mapping.get("abilities")
        entries = as_mapping(node_, self.diags, "abilities") if node_ is not None else None
        for word, body in entries.entries if entries is not None else ():
            ability = self.ability(word, body)
            if ability is not None:
                abilities[word.value] = ability
        if replaces and old is not None:
            old.values.update(values)
            old.programs.update(programs)
            old.abilities.update(abilities)
            old.copies = copies if copies_node is not None and copies is not None else old.copies
            old.zone = zone if zone_node is not None else old.zone
            return
        if not self.free(self.model.definitions, name, "card"):
            return
        self.model.definitions[name.value] = Definition(
            name.value, kind_name, copies or 1, zone, values, programs, abilities, name.span, self.package, clauses
        )

    def auto_fields(self, kind: str) -> set[str]:
        return {str(self.model.kinds[k].names) for k in self.model.ancestors(kind) if self.model.kinds[k].names}

    def ability(self, name: Scalar, body: Node) -> Ability | None:
        mapping = as_mapping(body, self.diags, f"the ability {name.value}")
        if mapping is None:
            return None
        check_keys(mapping, ("window", "only", "limit", "do", "always", "clause"), self.diags, "an ability")
        made = Ability(name.value, name.span, clauses=self.clauses(mapping))
        for key, start in (
            ("window", "trigger"),
            ("only", "condition"),
            ("limit", "limit"),
            ("do", "effect"),
            ("always", "effect"),
        ):
            node = mapping.get(key)
            if node is not None:
                setattr(
                    made,
                    key,
                    self.text(
                        node, start, name.value if key in ("do", "always") else f"{name.value}.{key}", made.clauses
                    ),
                )
        if made.always is None and (made.window is None or made.do is None):
            self.diags.add(
                "G0306",
                name.span,
                f"the ability {name.value} needs a window and what it does",
                "window: .. and do: .., or always: ..",
            )
        if made.always is not None and (made.window is not None or made.do is not None):
            self.diags.add(
                "G0311", name.span, f"the ability {name.value} has both always and a window", "make two abilities of it"
            )
        if made.limit is not None and made.always is not None:
            self.diags.add("G0311", name.span, "a limit goes with a window, not with always")
        return made

    # ------------------------------------------------------------ verbs and procedures

    def verb(self, name: Scalar, body: Node) -> None:
        mapping = as_mapping(body, self.diags, f"the verb {name.value}")
        if mapping is None:
            return
        check_keys(
            mapping, ("signature", "done", "body", "only", "result", "clause"), self.diags, "a verb", required=("body",)
        )
        clauses = self.clauses(mapping)
        signature_node = mapping.get("signature")
        signature = name.value
        params: list[Param] = []
        if signature_node is not None:
            text = as_text(signature_node, self.diags, "signature")
            if text is None or not isinstance(signature_node, Scalar):
                return
            signature = text
            word, found = parse_signature(text, signature_node, self.type_of, self.diags)
            if word is None:
                return
            if word != name.value:
                self.diags.add(
                    "G0312",
                    signature_node.span,
                    f'the signature starts with "{word}", the verb is {name.value}',
                    f"start it with {name.value}",
                )
            params = found
        if name.value in self.model.verbs:
            self.diags.add(
                "G0505",
                name.span,
                f'the verb "{name.value}" is declared twice',
                None,
                (Related(self.model.verbs[name.value].span, "first here"),),
            )
            return
        self.model.verbs[name.value] = Verb(
            name.value, name.span, params, self.word(mapping, "done"), self.slot(mapping, "body", "effect", name.value, clauses),
            self.slot(mapping, "only", "condition", f"{name.value}.only", clauses), self.result(mapping), self.package, clauses, signature=signature,
        )  # fmt: skip

    def word(self, mapping: Mapping, key: str) -> str | None:
        node = mapping.get(key)
        return as_text(node, self.diags, key) if node is not None else None

    def slot(self, mapping: Mapping, key: str, start: str, owner: str, clauses: tuple[str, ...]) -> Text | None:
        node = mapping.get(key)
        return self.text(node, start, owner, clauses) if node is not None else None

    def result(self, mapping: Mapping) -> Type | None:
        node = mapping.get("result")
        return self.type(node, "result") if node is not None else None

    def procedure(self, name: Scalar, body: Node) -> None:
        if isinstance(body, Scalar):
            text = self.text(body, "effect", name.value)
            made = Verb(
                name.value,
                name.span,
                [],
                None,
                text,
                None,
                None,
                self.package,
                (),
                procedure=True,
                signature=f"take a {name.value}",
            )
        else:
            mapping = as_mapping(body, self.diags, f"the procedure {name.value}")
            if mapping is None:
                return
            check_keys(
                mapping,
                ("takes", "settings", "body", "result", "clause"),
                self.diags,
                "a procedure",
                required=("body",),
            )
            clauses = self.clauses(mapping)
            made = Verb(
                name.value, name.span, self.named_params(mapping, "takes"), None, self.slot(mapping, "body", "effect", name.value, clauses), None,
                self.result(mapping), self.package, clauses, procedure=True, signature=f"take a {name.value}",
            )  # fmt: skip
            made.settings = self.named_params(mapping, "settings")
        if name.value in self.model.verbs:
            self.diags.add(
                "G0505",
                name.span,
                f'"{name.value}" is declared twice',
                None,
                (Related(self.model.verbs[name.value].span, "first here"),),
            )
            return
        self.model.verbs[name.value] = made

    def named_params(self, mapping: Mapping, key: str) -> list[Param]:
        node = mapping.get(key)
        entries = as_mapping(node, self.diags, key) if node is not None else None
        out: list[Param] = []
        for name, body in entries.entries if entries is not None else ():
            type_ = self.type(body, name.value)
            if type_ is not None:
                out.append(Param(name.value, type_, None, type_.optional))
        return out

    # ------------------------------------------------------------ the ledger

    def rule(self, name: Scalar, body: Node) -> None:
        mapping = as_mapping(body, self.diags, f"the rule {name.value}")
        if mapping is None:
            return
        check_keys(mapping, ("numbers", "clauses"), self.diags, "a rule", required=("clauses",))
        numbers = self.numbers(mapping)
        clauses_node = mapping.get("clauses")
        clauses = as_mapping(clauses_node, self.diags, "clauses") if clauses_node is not None else None
        for key, node in clauses.entries if clauses is not None else ():
            kind: str | None
            reason: str | None = None
            own: dict[str, str] = {}
            if isinstance(node, Scalar):
                kind = node.value
            else:
                entry = as_mapping(node, self.diags, f"the clause {name.value}.{key.value}")
                if entry is None:
                    continue
                check_keys(entry, ("kind", "reason", "numbers"), self.diags, "a clause", required=("kind",))
                kind_node = entry.get("kind")
                kind = as_text(kind_node, self.diags, "kind") if kind_node is not None else None
                reason_node = entry.get("reason")
                reason = as_text(reason_node, self.diags, "reason") if reason_node is not None else None
                own = self.numbers(entry)
            if kind not in ("rule", "definition", "manners"):
                self.diags.add("G0802", node.span, f'"{kind}" is no kind of clause', "rule, definition or manners")
                continue
            if kind == "manners" and not reason:
                self.diags.add(
                    "G0803",
                    node.span,
                    f"the clause {name.value}.{key.value} is table manners without a reason",
                    "reason: why no program can carry it out",
                )
            full = f"{name.value}.{key.value}"
            made = {lang: f"{number}.{key.value}" for lang, number in numbers.items()}
            made.update(own)
            self.model.clauses[full] = Clause(full, kind, reason, made, key.span)

    def numbers(self, mapping: Mapping) -> dict[str, str]:
        node = mapping.get("numbers")
        entries = as_mapping(node, self.diags, "numbers") if node is not None else None
        out: dict[str, str] = {}
        for lang, number in entries.entries if entries is not None else ():
            text = as_text(number, self.diags, f"the number in {lang.value}")
            if text is not None:
                out[lang.value] = text
        return out


def plural_of(word: str) -> str:
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return word[:-1] + "ies"
    if word.endswith(("s", "x", "ch", "sh")):
        return word + "es"
    return word + "s"
