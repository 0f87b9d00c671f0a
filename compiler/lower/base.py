"""Shared ground of the resolve and lower stages: places, diagnostics, small builders."""

from __future__ import annotations

from typing import Any

from grimoire.compiler.declare.model import Expr, Stmt, Text, Type, Verb
from grimoire.compiler.diagnostics.report import Diagnostics, Span, did_you_mean
from grimoire.compiler.lower.output import Output
from grimoire.compiler.lower.scope import Scope, Unit
from grimoire.compiler.lower.vocabulary import Vocabulary
from grimoire.compiler.source.positions import effect_position
from grimoire.compiler.source.tree import Scalar
from grimoire.compiler.syntax import nodes as s
from grimoire.compiler.syntax.printer import print_part
from grimoire.compiler.syntax.tokens import Token


class Unresolved(Exception):
    """A diagnostic has been written; the clause at hand cannot be lowered."""


MAX_GUESSED = 10_000  # words compared with misspelt ones in one unit: suggestions cost time
MAX_COUNT = 10_000  # things that one clause takes, times that it is done, numbers to choose from
NOTHING: Expr = ["int", -1]
CURRENT = 0  # variable index of the current player
FIRST = 1  # variable index of the first player


class Base:
    """The lowering of one unit. The mix-ins below add noun phrases, amounts, statements and windows."""

    def __init__(self, vocabulary: Vocabulary, diags: Diagnostics) -> None:
        self.vocabulary = vocabulary
        self.model = vocabulary.model
        self.nouns = vocabulary.nouns
        self.participles = vocabulary.participles
        self.verb_words = vocabulary.verb_words
        self.diags = diags
        self.out = Output(len(self.model.verbs), len(vocabulary.declared), len(self.model.counters))
        self.text: Text | None = None
        self.expanding: list[Text] = []  # definitions being written out, outermost first
        self.expanded_in: Unit | None = None
        self.expansions = 0
        self.quiet = 0
        self.lost: set[tuple[int, str]] = set()  # names that a text would give, had its line been readable
        self.guessed = 0
        self.unit = Unit("none")
        self.programs_of_this: dict[str, int] = {}  # texts of the card whose abilities are being lowered
        self.moving = False  # a move is being lowered: it may say how things come to lie

    # ------------------------------------------------------------ places and problems

    def span(self, node: object) -> Span:
        text = self.text
        assert text is not None
        extent = s.extent(node)
        scalar: Scalar = text.scalar
        if extent is None:
            return Span(text.file, scalar.line, scalar.column, scalar.end_line, scalar.end_column)
        first, last = extent
        line, column = effect_position(scalar, first.line or 1, first.column or 1)
        end_line, end_column = effect_position(
            scalar, last.end_line or last.line or 1, (last.end_column or last.column or 1) - 1
        )
        return Span(text.file, line, column, end_line, end_column + 1)

    def place(self, node: object) -> int:
        span = self.span(node)
        file = self.vocabulary.short_name(span.file)
        return self.out.place((file, span.line, span.column, span.end_line, span.end_column, print_part(node)))

    def problem(self, code: str, node: object, message: str, hint: str | None = None) -> Unresolved:
        if not self.quiet:
            self.diags.add(code, self.span(node), message, hint)
        return Unresolved()

    def countable(self, *amounts: s.Amount | None) -> None:
        """How many things, or how often, said by a plain number: within what can be played in one go."""
        for amount in amounts:
            if isinstance(amount, s.Number) and len(amount.value) < 10 and int(amount.value) > MAX_COUNT:
                raise self.problem(
                    "G0609",
                    amount,
                    f"{amount.value} is more than can be played",
                    f"things and times go up to {MAX_COUNT:,}",
                )

    def unknown(
        self, code: str, what: str, token: Token, candidates: list[str], extra: str | None = None
    ) -> Unresolved:
        if (id(self.text), str(token)) in self.lost:
            return Unresolved()  # the line that gives this name could not be read, and is reported
        self.guessed += 0 if self.quiet else len(candidates)
        guess = did_you_mean(str(token), candidates) if not self.quiet and self.guessed <= MAX_GUESSED else None
        hint = f"did you mean {guess}?" if guess else extra
        return self.problem(
            code, token, f'unknown {what} "{token}"' + (f": did you mean {guess}?" if guess else ""), hint
        )

    # ------------------------------------------------------------ small expression builders

    def at(self, node: object, expr: Expr) -> Expr:
        return ["at", self.place(node), expr]

    @staticmethod
    def both(parts: list[Expr]) -> Expr:
        flat: list[Expr] = []
        for part in parts:
            if part == ["int", 1]:
                continue
            flat.extend(part[1:] if part[0] == "and" else [part])
        if not flat:
            return ["int", 1]
        return flat[0] if len(flat) == 1 else ["and", *flat]

    @staticmethod
    def actor(scope: Scope) -> Expr:
        """Who acts and decides here: the subject of may or must, else you."""
        return scope.asks if scope.asks is not None else scope.you

    def seats_from(self, scope: Scope) -> Expr:
        if scope.order is not None and scope.order.expr is not None:
            scope.order.used = True
            return ["seats", scope.order.expr]
        return ["seats", self.actor(scope)]

    def domain(self, kind: str, scope: Scope) -> Expr:
        declared = self.model.kinds[kind]
        if declared.sort == "seat":
            return self.seats_from(scope)
        if declared.sort == "fixture":
            return ["fixtures", declared.index]
        return ["pieces", declared.index]

    def kind_test(self, kind: str, have: Type, value: Expr) -> Expr:
        """The test that a value of a known type is of a kind; nothing to test when the type says so."""
        if self.model.is_a(have.kind, kind):
            return ["int", 1]
        declared = self.model.kinds[kind]
        return ["iskind", declared.sort, declared.index, value]

    def owner_of(self, value: Expr, type_: Type) -> Expr:
        """The seat that owns a piece (its kind's `owner` state, else the holder of its zone), a fixture or a zone."""
        if type_.sort == "zone":
            return ["holder", value]
        declared = self.model.field(type_.kind, "owner")
        if declared is not None:
            return ["col", declared.column, value]
        return ["holder", ["where", value]]

    def new_unit(self, name: str, verb: Verb | None = None) -> Unit:
        return Unit(name, 1, [], False, verb)


def seq(body: list[Stmt]) -> Stmt:
    flat: list[Stmt] = []
    for part in body:
        if part["op"] == "seq" and "clause" not in part:
            flat.extend(part["body"])
        else:
            flat.append(part)
    return flat[0] if len(flat) == 1 else {"op": "seq", "body": flat}


MAX_FORM_DEPTH = 115  # the runtime loads forms up to 120 deep
MAX_FORM_SIZE = 50_000


def too_large(made: Stmt) -> bool:
    """Whether a lowered form is deeper or larger than the runtime takes. Parts that are shared count each time."""
    level: list[Any] = [made]
    depth, size = 0, 1
    while level:
        depth += 1
        below: list[Any] = []
        for node in level:
            size += len(node)
            parts = node.values() if type(node) is dict else node
            below += [part for part in parts if type(part) is list or type(part) is dict]
        if depth > MAX_FORM_DEPTH or size > MAX_FORM_SIZE:
            return True
        level = below
    return False


def tidy(stmt: Stmt) -> Stmt:
    """Take out writes to slots that nothing in the procedure reads, and what is empty then."""
    known = -1
    while True:
        read: set[int] = set()
        _reads(stmt, read)
        if len(read) == known:
            return stmt
        known = len(read)
        stmt = _without(stmt, read)


_BINDERS = {"filter": 2, "all": 2, "sum": 2, "maxof": 2, "minof": 2, "distinct": 2, "best": 3}


def _reads(node: object, read: set[int]) -> None:
    if isinstance(node, dict):
        for key, value in node.items():
            if key not in ("slot", "ok", "result"):
                _reads(value, read)
        if node.get("op") in ("choose", "poll"):
            read.add(node["slot"])
        elif node.get("op") == "grant":
            read.add(0)  # what is granted belongs to you
    elif isinstance(node, list):
        if len(node) == 2 and node[0] == "slot" and isinstance(node[1], int):
            read.add(node[1])
        for part in node:
            if isinstance(part, list | dict):
                _reads(part, read)


def _without(node: Stmt, read: set[int]) -> Stmt:
    made = dict(node)
    for key in ("then", "else", "body", "cost", "otherwise", "menu"):
        inner = made.get(key)
        if isinstance(inner, dict):
            made[key] = _without(inner, read)
    if made["op"] == "seq":
        kept = [_without(part, read) for part in made["body"]]
        made["body"] = [part for part in kept if not _is_empty(part)]
        if len(made["body"]) == 1 and "clause" not in made:
            return made["body"][0]  # type: ignore[no-any-return]
    elif made["op"] == "menu":
        made["entries"] = [
            {**e, "body": _without(e["body"], read) if e["body"] is not None else None} for e in made["entries"]
        ]
    if made.get("op") == "let" and made["slot"] not in read:
        return {"op": "seq", "body": []}
    if made["op"] == "do":
        for key in ("ok", "result"):
            if made.get(key) is not None and made[key] not in read:
                del made[key]
    if made["op"] == "if" and _is_empty(made["then"]) and _is_empty(made.get("else")) and "clause" not in made:
        return {"op": "seq", "body": []}
    return made


def _is_empty(stmt: Stmt | None) -> bool:
    return stmt is None or (stmt["op"] == "seq" and not stmt["body"] and "clause" not in stmt)
