"""Shared ground of the shape stage: names, types, clauses and texts as every section reads them."""

from __future__ import annotations

import re
from collections.abc import Callable
from collections.abc import Mapping as Table
from functools import cache, partial

import grimoire.grammar as grammar
from grimoire.compiler.declare.maps import Map
from grimoire.compiler.declare.model import (
    Counter,
    Kind,
    PackageModel,
    Spanned,
    Text,
    Type,
)
from grimoire.compiler.diagnostics.report import Diagnostics, Related, Span, did_you_mean, lookalike
from grimoire.compiler.source.shapes import as_text, as_text_list, wrong_shape
from grimoire.compiler.source.tree import Mapping, Node, Scalar

_BOUND = re.compile(r"-?[0-9]{1,15}\Z", re.ASCII)
ID = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*\Z")
RULE_ID = re.compile(
    r"[^\W_]+([.-][^\W_]+)*\Z"
)  # of a rule or a clause: a printed book may have numbers and letters of its own
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
PIECE_KEYS = ("kind", "copies", "in", "abilities", "clause")
KIND_TABLES = ("fields", "states", "adjectives", "values", "slots")  # can be added to, and share their names
KIND_LISTS = ("abilities", "clause", "together")  # can be added to
KIND_KEYS = ("is", "plural", *KIND_TABLES, *KIND_LISTS, "holds", "seen", "names", "back", "listed", "lends to")
ABILITY_KEYS = ("window", "only", "limit", "do", "always", "in", "clause")
PIECE_SECTIONS = ("cards", "tokens", "figures", "sheets")
SECTIONS = (
    "kinds", "values", "things", "boards", "zones", "counters", *PIECE_SECTIONS, "verbs", "procedures", "abilities",
    "outcomes", "options", "score", "rules", "replaces", "terms", "order", "invariants", "aims",
)  # fmt: skip
# Words that mean something already wherever a noun can stand, beside those of the grammar.
RESERVED = frozenset(
    ["game", "result", "number", "numbers", "player", "opponent", "opponents", "nobody", "nothing", "nowhere", "this",
     "decline", "done", "random"]
)  # fmt: skip
# Nouns with which a phrase of the language would be read: in any order.
PHRASE_ENDS = frozenset(["order"])
# Words that a type is written with: no kind is called so.
TYPE_WORDS = frozenset(["flag", "place", "zone", "set", "optional"])
# What a player can answer instead: no ability and no verb is called so, or two options of one question would have one
# name.
ANSWERS = {"ability": ("pass",), "verb": ("decline",)}
# what a text says, by the start symbol of its slot
SAYS = {
    "effect": "what happens", "trigger": "when", "condition": "a condition", "amount": "an amount",
    "selector": "which ones", "limit": "how often",
}  # fmt: skip
SEEN = {"everyone": "all", "owner": "owner", "nobody": "none", "top": "top"}
MAX_COPIES = 1_000
MAX_PIECES = 100_000


@cache
def keywords() -> frozenset[str]:
    """The single words that the grammar reads as its own."""
    return frozenset(re.findall(r'^[A-Z_]+: "([a-z]+)"$', grammar.read("effects.lark"), re.MULTILINE))


def base_model(package: str, version: str) -> PackageModel:
    model = PackageModel(package, version)
    nowhere = Span("", 1, 1, 1, 1)
    for name, (sort, parent) in BASE_KINDS.items():
        model.kinds[name] = Kind(name, parent, sort, name + "s", nowhere, "")
    model.counters["current-player"] = Counter("current-player", Type("seat", "player"), 0, "all", nowhere)
    model.counters["first-player"] = Counter("first-player", Type("seat", "player"), 0, "all", nowhere)
    return model


class Reader:
    """Reads parts of declarations into a model; what needs every kind to be known waits in `later`."""

    def __init__(self, model: PackageModel, package: str, diags: Diagnostics) -> None:
        self.model = model
        self.package = package
        self.diags = diags
        self.waiting: list[tuple[str, Scalar, Mapping]] = []  # kinds, with the kind that they wait for
        # what was there before: nothing is told twice of it
        self.older = {name for table in self.nouns().values() for name in table}
        self.older |= {kind.plural for kind in model.kinds.values()}
        self.implied: set[str] = set()  # kinds that came with their values or their names
        self.first: list[Callable[[], None]] = []  # fields: cards and boards are read against them
        self.later: list[Callable[[], None]] = []
        self.last: list[Callable[[], None]] = []
        self.maps: list[Map] = []
        self.uses: dict[str, str] = {v.uses: v.id for v in model.verbs.values() if v.uses}  # key of abilities: verb
        self.used_at: dict[str, Span] = {v.uses: v.span for v in model.verbs.values() if v.uses}
        self.replaced: dict[str, Span] = {}  # the cards of packages below that this one changes
        self.added: list[tuple[Kind, Scalar, Type]] = []  # required fields given to kinds that have cards already

    def text(self, node: Node, start: str, owner: str, clauses: tuple[str, ...] = ()) -> Text | None:
        if not isinstance(node, Scalar):
            hint = "one line behind the key, or lines below it after |"
            wrong_shape(node, self.diags, owner, f"a text ({SAYS[start]})", hint)
            return None
        made = Text(
            node.value, start, node, node.source.path, owner, clauses, language=self.model.language(self.package)
        )
        self.model.texts.append(made)
        return made

    def clauses(self, mapping: Mapping) -> tuple[str, ...]:
        node = mapping.get("clause")
        if node is None:
            return ()
        found = [node] if isinstance(node, Scalar) else as_text_list(node, self.diags, "clause") or []
        names = tuple(item.value for item in found)
        for item in found:
            self.later.append(partial(self.check_clause, item))
        return names

    def check_clause(self, item: Scalar) -> None:
        clause = self.model.clauses.get(item.value)
        if clause is None:
            guess = did_you_mean(item.value, self.model.clauses)
            self.diags.add(
                "G0801",
                item.span,
                f'unknown clause "{item.value}"' + (f": did you mean {guess}?" if guess else ""),
                "clauses stand under rules",
            )

    def free(self, table: object, name: Scalar, what: str) -> bool:
        """Whether nothing else has the name; a name that is taken, or a word of the language, is told."""
        assert isinstance(table, dict)
        nouns = self.nouns()
        reserved = name.value in RESERVED or name.value in ANSWERS.get(what, ())
        reserved = reserved or (what in nouns and (name.value in keywords() or name.value in PHRASE_ENDS))
        if reserved or (what == "kind" and name.value in TYPE_WORDS):
            self.diags.add("G0309", name.span, f'"{name.value}" is a word of the language', "take another name")
            return False
        for other, where in nouns.items() if what in nouns else ((what, table),):
            found = where.get(name.value)
            if found is not None:
                article = "an" if other[0] in "aeiou" else "a"
                said = "is declared twice" if other == what else f"is {article} {other} already"
                self.twice(name, f'"{name.value}" {said}', found.span)
                return False
        return True

    def nouns(self) -> dict[str, Table[str, Spanned]]:
        """All tables of what a noun can name: in one package no two of them have the same name."""
        model = self.model
        return {
            "kind": model.kinds, "thing": model.things, "zone": model.zones, "counter": model.counters,
            "card": model.definitions, "option": model.options, "term": model.terms,
        }  # fmt: skip

    def twice(self, name: Scalar, message: str, first: Span, hint: str = "take another name, or leave one out") -> None:
        """What is declared here is declared already."""
        related = (Related(first, "first here"),) if first.file else ()  # what every game has stands in no file
        self.diags.add("G0505", name.span, message, hint, related)

    def is_said_once(self, kind: Kind, name: Scalar, what: str = "") -> bool:
        """Whether a kind says this for the first time. Files and packages may add to a kind; they cannot say anything
        anew."""
        span = name.span
        first = kind.places.setdefault(what + name.value, span)
        if first is span:
            return True
        self.twice(name, f'"{name.value}" of the kind {kind.id} is declared twice', first)
        return False

    def check_name(self, name: Scalar) -> bool:
        """Whether a field, an adjective, a slot or a parameter is written as names are."""
        if name.value in keywords():
            self.diags.add("G0309", name.span, f'"{name.value}" is a word of the language', "take another name")
            return False
        if ID.match(name.value):
            return True
        hint = lookalike(name.value) or "lower case letters, digits and single hyphens: deep-water"
        self.diags.add("G0308", name.span, f'"{name.value}" is no name', hint)
        return False

    def free_thing(self, name: Scalar) -> bool:
        return self.check_name(name) and self.free(self.model.things, name, "thing")

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
            if len(words) == 4 and words[2] == "to" and _BOUND.match(words[1]) and _BOUND.match(words[3]):
                low, high = int(words[1]), int(words[3])
                if low > high:
                    self.diags.add(
                        "G0310", node.span, f"no number lies from {low} to {high}", "write the lower one first"
                    )
                    return None
            elif len(words) != 1:
                self.diags.add("G0310", node.span, f'"{text}" is no type', "number, or number 0 to 10")
                return None
            return Type("number", None, many, optional, low, high)
        if len(words) != 1:
            self.diags.add(
                "G0310", node.span, f'"{text}" is no type', "number, flag, a kind, set of KIND, optional KIND"
            )
            return None
        if name in ("flag", "place", "zone"):
            if many or (name == "flag" and optional):
                self.diags.add("G0310", node.span, f'"{text}" is no type', "a set has things of a kind")
                return None
            return Type("flag" if name == "flag" else "zone", None, False, optional)
        kind = self.model.kinds.get(name)
        if kind is None:
            guess = did_you_mean(name, [*self.model.kinds, "number", "flag", "zone"])
            self.diags.add(
                "G0310",
                node.span,
                f'unknown kind "{name}"' + (f": did you mean {guess}?" if guess else ""),
                "number, flag, zone, or a kind of the package",
            )
            # what follows from a misspelt type is no further mistake
            return self.type_of(text.replace(name, guess), node._replace(value=guess), what) if guess else None
        return Type(kind.sort, name, many, optional)

    def read_seen(self, node: Node | None) -> str:
        text = as_text(node, self.diags, "seen") if node is not None else None
        if text in SEEN:
            return SEEN[text]
        if text is not None and node is not None:
            self.diags.add("G0310", node.span, f'"{text}" does not say who sees it', "everyone, owner, nobody or top")
        return "all"

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


def plural_of(word: str) -> str:
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return word[:-1] + "ies"
    if word.endswith(("s", "x", "ch", "sh")):
        return word + "es"
    return word + "s"
