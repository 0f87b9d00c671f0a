"""Put the parts of the lowering together for one unit: each knows the context and the parts below it."""

from __future__ import annotations

from grimoire.compiler.declare.model import Text, Type
from grimoire.compiler.diagnostics.report import Diagnostics
from grimoire.compiler.lower.actions import Actions
from grimoire.compiler.lower.amounts import Amounts
from grimoire.compiler.lower.assignments import Assignments
from grimoire.compiler.lower.context import Context, Unresolved
from grimoire.compiler.lower.denotation import Denotation, Draft, Item
from grimoire.compiler.lower.engine_verbs import EngineVerbs
from grimoire.compiler.lower.event_patterns import EventPatterns
from grimoire.compiler.lower.frames import Frames
from grimoire.compiler.lower.nouns import Nouns
from grimoire.compiler.lower.phrases import Phrases
from grimoire.compiler.lower.scope import Ref, Scope, Unit
from grimoire.compiler.lower.selectors import Selectors
from grimoire.compiler.lower.statements import Statements
from grimoire.compiler.lower.states import States
from grimoire.compiler.lower.vocabulary import Vocabulary
from grimoire.compiler.lower.windows import Windows
from grimoire.compiler.syntax import nodes as s
from grimoire.compiler.syntax.tokens import Token
from grimoire.runtime.core import expressions as ex
from grimoire.runtime.core.records import Expression, Statement


class Parts:
    """All parts, and what those below ask of those above (`Above`)."""

    def __init__(self, vocabulary: Vocabulary, diags: Diagnostics, quiet: bool = False) -> None:
        context = self.context = Context(vocabulary, diags, quiet)
        context.above = self
        phrases = self.phrases = Phrases(context)
        selectors = self.selectors = Selectors(context, phrases)
        nouns = self.nouns = Nouns(context, phrases, selectors)
        amounts = self.amounts = Amounts(context, phrases, selectors, nouns)
        actions = Actions(context, phrases, nouns, amounts)
        engine = EngineVerbs(context, phrases, nouns, amounts, actions)
        self.assignments = Assignments(context, nouns, amounts, actions, engine)
        frames = Frames(context, phrases, nouns, amounts, actions, engine)
        self.statements = Statements(context, nouns, amounts, engine, self.assignments, frames)
        states = States(context, amounts, self.statements)
        events = EventPatterns(context, phrases, nouns, amounts, actions, engine)
        self.windows = Windows(context, nouns, amounts, engine, frames, self.statements, states, events)

    # ------------------------------------------------------------ asked from below

    def inline(self, body: Text, it: Ref | None, scope: Scope, condition: bool) -> Expression:
        return self.selectors.inline(body, it, scope, condition)

    def term_type(self, word: str) -> Type:
        return self.selectors.term_type(word)

    def find_meaning(self, body: Text, of: Type | None) -> Type | None:
        """Of which type the value of a text is; None if it has none. Nothing is said or made."""
        other = Parts(self.context.vocabulary, Diagnostics(), quiet=True)
        other.context.text, other.context.unit = body, Unit(body.owner, 2)
        other.context.expanding = list(self.context.expanding)
        other.context.placed = False
        it = None if of is None else Ref(ex.Slot(1), of)
        scope = Scope(other.context.unit, it=it, this=it if it is not None and it.type.sort == "piece" else None)
        if it is not None and it.type.sort == "seat":
            scope.they = it.expr
        try:
            return other.amount_ref(body.amount, scope).type
        except Unresolved:
            return None

    def denote_np(self, np: Item, phrases: list[s.Phrase], scope: Scope) -> Denotation:
        return self.nouns.denote_np(np, phrases, scope)

    def one(self, made: Denotation, node: object) -> Ref:
        return self.nouns.one(made, node)

    def property(self, head: Token, owner: Ref, scope: Scope) -> Draft | None:
        return self.nouns.property(head, owner, scope)

    def amount(self, node: s.Amount, scope: Scope) -> Expression:
        return self.amounts.amount(node, scope)

    def amount_ref(self, node: s.Amount, scope: Scope) -> Ref:
        return self.amounts.amount_ref(node, scope)

    def count_amount(self, node: s.Count, scope: Scope) -> Expression:
        return self.amounts.count_amount(node, scope)

    def enough(self, have: Expression, count: s.Count, scope: Scope) -> Expression:
        return self.amounts.enough(have, count, scope)

    def condition(self, node: s.Condition, scope: Scope) -> Expression:
        return self.amounts.condition(node, scope)

    def predicate(self, subject: Ref, node: s.Predicate, negated: bool, scope: Scope) -> Expression:
        return self.amounts.predicate(subject, node, negated, scope)

    def same_sort(self, left: Type, right: Ref, node: object) -> None:
        self.amounts.same_sort(left, right, node)

    def store(self, where: Expression, value: Expression, node: object, scope: Scope | None = None) -> Statement:
        return self.assignments.store(where, value, node, scope)

    def group(self, group: list[s.Line], scope: Scope) -> Statement:
        return self.statements.group(group, scope)

    def statement(self, node: s.Statement, scope: Scope) -> Statement:
        return self.statements.statement(node, scope)

    def branch_lines(self, node: s.Statement, scope: Scope) -> list[Statement]:
        return self.statements.branch_lines(node, scope)

    def tag_clauses(self, made: Statement, line: s.Line) -> Statement:
        return self.statements.tag_clauses(made, line)

    def close(self, scope: Scope) -> None:
        self.statements.close(scope)

    def grant(self, gate: s.Gate, body: s.Statement, scope: Scope) -> Statement:
        return self.windows.grant(gate, body, scope)

    def optional_body(self, node: s.Block, scope: Scope) -> tuple[bool, Expression | None, Statement]:
        return self.windows.optional_body(node, scope)

    def add_proc(
        self,
        label: str,
        params: int,
        unit: Unit,
        body: Statement,
        clauses: tuple[str, ...] = (),
        name: int | None = None,
    ) -> int:
        return self.windows.add_proc(label, params, unit, body, clauses, name)
