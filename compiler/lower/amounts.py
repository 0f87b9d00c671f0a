"""Resolve amounts and conditions to pure core expressions."""

from __future__ import annotations

from typing import Any

from grimoire.compiler.declare.model import NUMBER, Expr, Type
from grimoire.compiler.lower.base import Unresolved
from grimoire.compiler.lower.nouns import Nouns
from grimoire.compiler.lower.scope import Ref, Scope
from grimoire.compiler.lower.selectors import Denotation, Item, Peek
from grimoire.compiler.syntax import nodes as s
from grimoire.compiler.syntax.tokens import Token

_OPERATORS = {
    "=": "==",
    "!=": "!=",
    "<": "<",
    "<=": "<=",
    ">": ">",
    ">=": ">=",
    "+": "+",
    "-": "-",
    "*": "*",
    "/": "//",
}


class Amounts(Nouns):
    """Amounts and conditions."""

    # ------------------------------------------------------------ amounts

    def amount(self, node: s.Amount, scope: Scope) -> Expr:
        ref = self.amount_ref(node, scope)
        if ref.type.sort not in ("number", "flag") or ref.type.many:
            raise self.problem(
                "G0601", node, f"a number is wanted here, not a {ref.type}", "number of .. counts things"
            )
        return ref.expr

    def amount_ref(self, node: s.Amount, scope: Scope) -> Ref:
        """The value of an amount, which may be any one object: `the owner is now you`."""
        match node:
            case s.Number(value):
                if len(value) > 9:
                    raise self.problem(
                        "G0609", value, f"{value[:6]}... is too large a number", "numbers go up to 999999999"
                    )
                return Ref(["int", int(value)], NUMBER)
            case s.Bare(name):
                return self.bare(name, scope)
            case s.Negated(name):
                raise self.problem("G0607", name, '"not" sets a flag back', f"write NP is now not {name}")
            case s.Read(full):
                made = self.denote(full, scope)
                if made.quant == "all":
                    return Ref(made.as_mask(), made.type.set())
                return self.one(made, full)
            case s.NumberOf(_, full):
                made = self.denote(full, scope)
                if made.program is not None and made.program.many:
                    return Ref(["max", ["int", 0], self.texts_of(made.program)], NUMBER)
                if made.program is not None or made.type.sort in ("number", "flag", "option", "nothing"):
                    raise self.problem("G0601", full, f"a {made.type} cannot be counted", "number of counts things")
                return Ref(["count", made.selector()], NUMBER)
            case s.Total(word, field, full):
                return self.total(word, field, full, scope)
            case s.Binary(op, left, right):
                return Ref([_OPERATORS[str(op)], self.amount(left, scope), self.amount(right, scope)], NUMBER)
            case s.Extreme(word, left, right):
                lower = "min" if word == "the lower of" else "max"
                return Ref([lower, self.amount(left, scope), self.amount(right, scope)], NUMBER)
            case s.Depends(then, _, condition, other):
                return self.depends(then, condition, other, scope)
            case s.Paren(inner):
                return self.amount_ref(inner, scope)

    def depends(self, then: s.Amount, condition: s.Condition, other: s.Amount, scope: Scope) -> Ref:
        """`3 if .., otherwise 1`: numbers, or any two values of one sort."""
        test = self.condition(condition, scope)
        first, second = self.amount_ref(then, scope), self.amount_ref(other, scope)
        self.kept_as(first.type, second, other, "what stands before if")
        a, b = first.type, second.type
        if "nothing" in (a.sort, b.sort):
            known = b if a.sort == "nothing" else a
            empty: Expr = ["int", 0 if known.many else -1]
            one, two = (empty if ref.type.sort == "nothing" else ref.expr for ref in (first, second))
            return Ref(["if", test, one, two], Type(known.sort, known.kind, known.many, True))
        kind = next((k for k in self.model.ancestors(a.kind) if self.model.is_a(b.kind, k)), None)
        return Ref(["if", test, first.expr, second.expr], Type(a.sort, kind, a.many, a.optional or b.optional))

    def total(self, word: Token, field: Token, full: s.Full, scope: Scope) -> Ref:
        made = self.denote(full, scope)
        op = {"total": "sum", "highest": "maxof", "lowest": "minof", "different": "distinct"}[str(word)]
        reader = (self.field_reader if op == "distinct" else self.number_reader)((field,), made.type, scope)
        slot = scope.unit.slot()
        return Ref([op, made.selector(), slot, reader(["slot", slot])], NUMBER)

    def count_amount(self, node: s.Count, scope: Scope) -> Expr:
        if node.kind == "exactly" and node.low is not None:
            return self.amount(node.low, scope)
        raise self.problem("G0607", node.word, "one number is wanted here", "write 2, or (EXPR)")

    # ------------------------------------------------------------ conditions

    def condition(self, node: s.Condition, scope: Scope) -> Expr:
        match node:
            case s.And(left, right):
                return self.both([self.condition(left, scope), self.condition(right, scope)])
            case s.Or(left, right):
                return ["or", self.condition(left, scope), self.condition(right, scope)]
            case s.Not(inner):
                return ["not", self.condition(inner, scope)]
            case s.Grouped(inner):
                return self.condition(inner, scope)
            case s.Compare(left, op, right):
                return self.at(node, self.compare(node, left, str(op), right, scope))
            case s.Is(subject, negated, predicate):
                return self.at(node, self.is_true(subject, negated, predicate, scope))
            case s.Has(subject, thing):
                return self.at(node, self.has(subject, thing, scope))
            case s.There(_, thing):
                return self.at(node, self.exists(self.denote(thing, scope), thing))
            case s.Did(word, negated):
                if scope.did < 0:
                    raise self.problem(
                        "G0607",
                        word,
                        "nothing above can be done or left undone",
                        "a verb, may .., a cost, or a choice stands before it",
                    )
                return ["!=" if negated else "==", ["slot", scope.did], ["int", 1]]

    def compare(self, node: s.Compare, left: s.Amount, op: str, right: s.Amount, scope: Scope) -> Expr:
        first = self.amount_ref(left, scope)
        if first.type.sort == "option" and isinstance(right, s.Bare):
            return [_OPERATORS[op], first.expr, self.option_value(first, right.name)]
        second = self.amount_ref(right, scope)
        self.same_sort(first.type, second, node)
        if op not in ("=", "!=") and (first.type.sort not in ("number", "flag") or first.type.many):
            raise self.problem(
                "G0605", node, f"a {first.type} is not more or less than another", "= and != compare them"
            )
        return [_OPERATORS[op], first.expr, second.expr]

    def option_value(self, option: Ref, word: Token) -> Expr:
        values = self.model.options[str(option.type.kind)].values
        if str(word) not in values:
            raise self.unknown(
                "G0501", f"value of the option {option.type}", word, values, f"one of {', '.join(values)}"
            )
        return ["int", values.index(str(word))]

    def same_sort(self, left: Type, right: Ref, node: object) -> None:
        a, b = left.sort, right.type.sort
        numeric = ("number", "flag")
        if a == b == "procedure" or "program" in (a, b):
            raise self.problem("G0605", node, f"a {left} is not a value", "compare numbers, players, things or cards")
        if left.many != right.type.many and "nothing" not in (a, b):
            raise self.problem(
                "G0605", node, f"a {left} and a {right.type} cannot be compared", "number of .. counts a set"
            )
        if "nothing" in (a, b) or a == b or (a in numeric and b in numeric):
            if a == b and a in ("fixture", "piece") and not self.model.fits(left.kind, right.type.kind):
                raise self.problem("G0605", node, f"a {left} is never a {right.type}", "compare things of one kind")
            return
        raise self.problem(
            "G0605", node, f"a {left} and a {right.type} cannot be compared", "compare things of one sort"
        )

    def kept_as(self, type_: Type, value: Ref, node: object, what: str) -> None:
        """That a value can be put where values of a type are kept."""
        self.quiet += 1
        try:
            self.same_sort(type_, value, node)
            return
        except Unresolved:
            pass
        finally:
            self.quiet -= 1
        wanted = f"a {type_}" if type_.sort != "flag" else "a flag"
        hint = f"give it {wanted}"
        if type_.many and not value.type.many:
            hint = f"a set is filled with add: add .. to {what}; or give it each .."
        elif value.type.many and not type_.many:
            hint = (
                "name one of them: choose .. as NAME" if type_.sort == value.type.sort else "number of .. counts them"
            )
        raise self.problem("G0605", node, f"{what} is {wanted}, not a {value.type}", hint)

    def is_true(self, subject: s.Full, negated: bool, predicate: s.Predicate, scope: Scope) -> Expr:
        made = self.denote(subject, scope)
        if made.quant == "one":
            return self.predicate(self.one(made, subject), predicate, negated, scope)
        slot = scope.unit.slot()
        element = Ref(["slot", slot], made.type.one())
        test = self.predicate(element, predicate, negated, scope)
        sel = made.selector()
        if made.quant == "all":
            return ["all", sel, slot, test]
        if made.low is not None and made.low != ["int", 1]:
            return [">=", ["count", ["filter", sel, slot, test]], made.low]
        found: Expr = ["any", ["filter", sel, slot, test]]
        return ["not", found] if made.quant == "none" else found

    def predicate(self, subject: Ref, node: s.Predicate, negated: bool, scope: Scope) -> Expr:
        test = self.predicate_test(subject, node, scope)
        return ["not", test] if negated else test

    def predicate_test(self, subject: Ref, node: s.Predicate, scope: Scope) -> Expr:
        phrases = list(node.phrases)
        if node.prep is not None and node.noun is not None:
            own = self.share_out(self.peek_ref(subject), [s.Phrase(node.prep, node.noun), *phrases], scope)
            return self.both([self.phrase_test(subject, phrase, tail, scope) for phrase, tail in own])
        if node.noun is not None:
            return self.is_noun(subject, node.noun, phrases, scope)
        word = node.words[-1]
        if len(node.words) != 1:
            text = " ".join(node.words)
            raise self.problem("G0503", node.words[0], f'"{text}" is not one adjective', f"write a {text}, or one word")
        if subject.type.sort == "option":
            self.no_phrases(phrases)
            return ["==", subject.expr, self.option_value(subject, word)]
        test = self.adjective_test(word, subject.type, scope)
        if test is not None:
            more = [
                self.phrase_test(subject, phrase, tail, scope)
                for phrase, tail in self.share_out(self.peek_ref(subject), phrases, scope)
            ]
            return self.both([test(subject.expr), *more])
        if subject.type.sort == "flag" and word in ("on", "chosen", "true"):
            return ["==", subject.expr, ["int", 1]]
        self.no_phrases(phrases)
        value = self.bare_or_none(word, scope)
        if value is not None:
            self.same_sort(subject.type, value, word)
            return ["==", subject.expr, value.expr]
        raise self.no_adjective(word, subject.type, [])

    @staticmethod
    def peek_ref(subject: Ref) -> Peek:
        return Peek(subject.type.sort, subject.type.kind)

    def is_noun(self, subject: Ref, noun: s.NounPhrase, phrases: list[s.Phrase], scope: Scope) -> Expr:
        det = noun.det.type if isinstance(noun, s.Noun) and noun.det is not None else ""
        if det in ("A", "ANY") and subject.type.sort not in ("number", "flag"):
            return self.matches(subject, noun, phrases, scope)
        made = self.denote_np(noun, phrases, scope)
        if made.program is not None or (made.type.sort != "nothing" and subject.type.sort != made.type.sort):
            raise self.problem("G0605", noun, f"a {subject.type} is never a {made.type}", "compare things of one sort")
        test = self.member(subject, made)
        return ["not", test] if made.quant == "none" else test

    def matches(self, subject: Ref, noun: Item, phrases: list[s.Phrase], scope: Scope) -> Expr:
        """That one known object is among those a noun phrase describes."""
        if (
            isinstance(noun, s.Noun)
            and noun.det is not None
            and noun.det.type in ("A", "ANY", "EACH", "ALL", "ANOTHER")
        ):
            text = str(noun.words[-1])
            found = self.nouns.get(text)
            if found is not None and found[0].sort != subject.type.sort:
                raise self.problem("G0605", noun, f"a {subject.type} is never a {text}", "say it of the right thing")
        made = self.denote_np(noun, phrases, scope)
        if made.program is not None or (made.type.sort != subject.type.sort and made.type.sort != "nothing"):
            raise self.problem("G0605", noun, f"a {subject.type} is never a {made.type}", "compare things of one sort")
        if made.quant == "none":
            return ["not", self.member(subject, made)]
        return self.member(subject, made)

    def member(self, subject: Ref, made: Denotation) -> Expr:
        """Membership without walking the whole domain where the domain is a kind with filters."""
        if made.expr is not None:
            return ["int", 1] if made.expr == subject.expr else ["==", subject.expr, made.expr]
        if made.mask is not None:
            return ["has", made.mask, subject.expr]
        sel = made.sel
        assert sel is not None
        return self.member_of(subject, sel)

    def member_of(self, subject: Ref, sel: Expr) -> Expr:
        if sel[0] == "filter":
            inner = self.member_of(subject, sel[1])
            return self.both([inner, replace_slot(sel[3], sel[2], subject.expr)])
        if sel[0] == "seats":
            return (
                ["int", 1] if subject.expr == ["slot", 0] else ["!=", subject.expr, ["int", -1]]
            )  # nobody is no player
        if sel[0] in ("fixtures", "pieces"):
            sort = "fixture" if sel[0] == "fixtures" else "piece"
            kind = next(k for k in self.model.kinds.values() if k.index == sel[1])
            if self.model.is_a(subject.type.kind, kind.id):
                return ["!=", subject.expr, ["int", -1]]
            return ["iskind", sort, kind.index, subject.expr]
        if sel[0] == "zone*":
            return ["==", ["where", subject.expr], sel[1]]
        if sel[0] == "members":
            return ["has", sel[2], subject.expr]
        if sel[0] == "lone":
            return ["==", subject.expr, sel[1]]
        if sel[0] == "cat":
            return ["or", *[self.member_of(subject, part) for part in sel[1:]]]
        return ["has", ["set", sel], subject.expr]

    def has(self, subject: s.Full, thing: s.Full, scope: Scope) -> Expr:
        made = self.denote(subject, scope)
        if made.quant == "one":
            return self.had(self.one(made, subject), thing, scope)
        if made.quant == "all" and made.program is None:
            slot = scope.unit.slot()
            return ["all", made.selector(), slot, self.had(Ref(["slot", slot], made.type.one()), thing, scope)]
        if made.quant in ("choose", "none"):
            slot = scope.unit.slot()
            test = self.had(Ref(["slot", slot], made.type.one()), thing, scope)
            found: Expr = ["any", ["filter", made.selector(), slot, test]]
            return ["not", found] if made.quant == "none" else found
        raise self.problem("G0604", subject, "who has it?", "name one: you have .., the player left of you has ..")

    def had(self, owner: Ref, thing: s.Full, scope: Scope) -> Expr:
        noun = thing.noun
        if not isinstance(noun, s.Noun | s.Counted):
            raise self.problem("G0607", noun, "what is had needs a noun", "you have 2 or more .., it has no ..")
        words = noun.words
        none = isinstance(noun, s.Noun) and noun.det is not None and noun.det.type == "NO"
        declared = self.model.field(owner.type.kind, str(words[0])) if len(words) == 1 else None
        if declared is not None and not thing.phrases and noun.relative is None:
            value: Expr = ["attr", declared.column, owner.expr]
            if isinstance(noun, s.Noun):
                return self.there(value, declared.type, none)
            if declared.type.many:
                return self.enough(["size", value], noun.count, scope)
            if declared.type.sort == "number":
                return self.enough(value, noun.count, scope)
        draft, _ = self.draft(None, noun.words, noun.relative, list(thing.phrases), scope, owner)
        if draft.program is not None:
            return self.has_text(draft.program, noun.count if isinstance(noun, s.Counted) else None, none, scope)
        if draft.type.sort in ("number", "flag", "zone"):
            raise self.problem(
                "G0607", noun, f"a {draft.type} is not had like this", f"compare it: the {words[-1]} of .. >= 1"
            )
        made = self.finish(draft, "all", noun)
        if isinstance(noun, s.Counted):
            return self.enough(["count", made.selector()], noun.count, scope)
        return ["not", ["any", made.selector()]] if none else ["any", made.selector()]

    def enough(self, have: Expr, count: s.Count, scope: Scope) -> Expr:
        match count.kind:
            case "exactly" | "or_more" if count.low is not None:
                return [">=", have, self.amount(count.low, scope)]
            case "up_to" if count.high is not None:
                return ["<=", have, self.amount(count.high, scope)]
            case "between" if count.low is not None and count.high is not None:
                return self.both(
                    [[">=", have, self.amount(count.low, scope)], ["<=", have, self.amount(count.high, scope)]]
                )
        raise self.problem("G0607", count.word, "this number is no condition", "2, 2 or more, up to 2, 1 to 4")

    def exists(self, made: Denotation, node: s.Full) -> Expr:
        noun = node.noun
        if made.program is not None:
            raise self.problem("G0607", node, "a text of a card is always there", "ask for the card")
        if isinstance(noun, s.Counted | s.Part) and made.sel is not None and made.quant in ("choose", "random"):
            have: Expr = ["count", made.sel]
            if made.low is not None and made.low == made.high:
                return [">=", have, made.low]
            tests: list[Expr] = []
            if made.low is not None and made.low != ["int", 0]:
                tests.append([">=", have, made.low])
            if made.high is not None:
                tests.append(["<=", have, made.high])
            return self.both(tests)
        if made.expr is not None and made.quant in ("one", "none"):
            test: Expr = ["!=", made.expr, ["int", -1]]
            if made.type.sort == "procedure":
                test = ["running", made.expr[1]]
            return ["not", test] if made.quant == "none" else test
        found: Expr = ["any", made.selector()]
        return ["not", found] if made.quant == "none" else found


def replace_slot(expr: Expr, slot: int, value: Expr) -> Expr:
    """An expression with one slot replaced by another expression, also in the statements that it tries."""
    if expr == ["slot", slot]:
        return value
    return [_replaced(part, slot, value) for part in expr]


def _replaced(part: Any, slot: int, value: Expr) -> Any:
    if isinstance(part, list):
        return replace_slot(part, slot, value)
    if isinstance(part, dict):
        return {key: _replaced(inner, slot, value) for key, inner in part.items()}
    return part
