"""Resolve amounts and conditions to pure core expressions."""

from __future__ import annotations

from grimoire.compiler import syntax as s
from grimoire.compiler.model import FLAG, NUMBER, SEAT, Expr, Type
from grimoire.compiler.nouns import PLACE_PREPS, Denotation, Nouns
from grimoire.compiler.scope import Ref, Scope

_OPERATORS = {"=": "==", "!=": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">=", "+": "+", "-": "-", "*": "*", "/": "//"}


class Amounts(Nouns):
    """Amounts and conditions."""

    # ------------------------------------------------------------ amounts

    def amount(self, node: s.Amount, scope: Scope) -> Expr:
        ref = self.amount_ref(node, scope)
        if ref.type.sort not in ("number", "flag"):
            raise self.problem("G0601", node, f"a number is wanted here, not a {ref.type}", "number of .. counts things")
        return ref.expr

    def amount_ref(self, node: s.Amount, scope: Scope) -> Ref:
        """The value of an amount, which may be any one object: `the owner is now you`."""
        match node:
            case s.Number(value):
                if len(value) > 9:
                    raise self.problem("G0609", value, f"{value[:6]}... is too large a number", "numbers go up to 999999999")
                return Ref(["int", int(value)], NUMBER)
            case s.Bare(name):
                return self.bare(name, scope)
            case s.Negated(name):
                raise self.problem("G0607", name, '"not" sets a flag back: NP is now not ..')
            case s.Read(full):
                made = self.denote(full, scope)
                if made.quant == "all":
                    return Ref(made.as_mask(), made.type.set())
                return self.one(made, full)
            case s.NumberOf(_, full):
                return Ref(["count", self.denote(full, scope).selector()], NUMBER)
            case s.Total(word, field, full):
                return self.total(word, field, full, scope)
            case s.Binary(op, left, right):
                return Ref([_OPERATORS[str(op)], self.amount(left, scope), self.amount(right, scope)], NUMBER)
            case s.Paren(inner):
                return self.amount_ref(inner, scope)

    def total(self, word: s.Token, field: s.Token, full: s.Full, scope: Scope) -> Ref:
        made = self.denote(full, scope)
        reader = self.field_reader((field,), made.type, scope)
        slot = scope.unit.slot()
        op = {"total": "sum", "highest": "maxof", "lowest": "minof", "different": "distinct"}[str(word)]
        return Ref([op, made.selector(), slot, reader(["slot", slot])], NUMBER)

    def count_amount(self, node: s.Count, scope: Scope) -> Expr:
        if node.kind == "exactly" and node.low is not None:
            return self.amount(node.low, scope)
        raise self.problem("G0607", node.word, "one number is wanted here")

    # ------------------------------------------------------------ conditions

    def condition(self, node: s.Condition, scope: Scope) -> Expr:
        match node:
            case s.And(left, right):
                return self.both([self.condition(left, scope), self.condition(right, scope)])
            case s.Or(left, right):
                return ["or", self.condition(left, scope), self.condition(right, scope)]
            case s.Not(inner):
                return ["not", self.condition(inner, scope)]
            case s.Compare(left, op, right):
                first, second = self.amount_ref(left, scope), self.amount_ref(right, scope)
                self.same_sort(first.type, second, node)
                if str(op) not in ("=", "!=") and first.type.sort not in ("number", "flag"):
                    raise self.problem("G0605", node, f"a {first.type} is not more or less than another", "= and != compare them")
                return self.at(node, [_OPERATORS[str(op)], first.expr, second.expr])
            case s.Is(subject, negated, predicate):
                return self.at(node, self.is_true(subject, negated, predicate, scope))
            case s.Has(subject, thing):
                return self.at(node, self.has(subject, thing, scope))
            case s.There(_, thing):
                return self.at(node, self.exists(self.denote(thing, scope), thing))
            case s.Did(word, negated):
                if scope.did < 0:
                    raise self.problem("G0607", word, "nothing above can be done or left undone", "may .., a cost, or a choice stands before it")
                return ["==", ["slot", scope.did], ["int", 0 if negated else 1]]

    def same_sort(self, left: Type, right: Ref, node: object) -> None:
        a, b = left.sort, right.type.sort
        numeric = ("number", "flag")
        if "nothing" in (a, b) or a == b or (a in numeric and b in numeric):
            if a == b == "fixture" and not self.model.fits(left.kind, right.type.kind):
                raise self.problem("G0605", node, f"a {left} is never a {right.type}")
            return
        raise self.problem("G0605", node, f"a {left} and a {right.type} cannot be compared")

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
        found: Expr = ["any", ["filter", sel, slot, test]]
        return ["not", found] if made.quant == "none" else found

    def predicate(self, subject: Ref, node: s.Predicate, negated: bool, scope: Scope) -> Expr:
        test = self.predicate_test(subject, node, scope)
        return ["not", test] if negated else test

    def predicate_test(self, subject: Ref, node: s.Predicate, scope: Scope) -> Expr:
        if node.prep is not None and node.noun is not None:
            return self.at_place(subject, node, scope)
        if node.noun is not None:
            return self.is_noun(subject, node.noun, scope)
        words = node.words
        if len(words) == 1:
            test = self.adjective_test(words[0], subject.type, scope)
            if test is not None:
                return test(subject.expr)
            value = self.bare_or_none(words[0], scope)
            if value is not None:
                self.same_sort(subject.type, value, words[0])
                return ["==", subject.expr, value.expr]
            names = []
            for kind in self.model.ancestors(subject.type.kind):
                names += [*self.model.kinds[kind].adjectives, *(n for n, f in self.model.kinds[kind].fields.items() if f.type.sort == "flag")]
            raise self.unknown("G0503", "adjective", words[0], [*names, *self.model.things], f'nothing called "{words[0]}" can be said of a {subject.type}')
        raise self.problem("G0503", words[0], f'"{" ".join(words)}" is not one adjective', f"write a {' '.join(words)}, or one word")

    def bare_or_none(self, word: s.Token, scope: Scope) -> Ref | None:
        from grimoire.compiler.base import Unresolved

        self.quiet += 1
        try:
            return self.bare(word, scope)
        except Unresolved:
            return None
        finally:
            self.quiet -= 1

    def is_noun(self, subject: Ref, noun: s.NounPhrase, scope: Scope) -> Expr:
        if isinstance(noun, s.Noun) and noun.det is not None and noun.det.type in ("A", "ANY") and subject.type.sort != "number":
            return self.matches(subject, noun, [], scope)
        made = self.denote_np(noun, [], scope)
        if made.type.sort != "nothing" and subject.type.sort != made.type.sort:
            raise self.problem("G0605", noun, f"a {subject.type} is never a {made.type}")
        if made.quant == "one":
            return ["==", subject.expr, self.one(made, noun).expr]
        return ["has", made.as_mask(), subject.expr]

    def matches(self, subject: Ref, noun: s.NounPhrase, phrases: list[s.Phrase], scope: Scope) -> Expr:
        """That one known object is among those a noun phrase describes."""
        if isinstance(noun, s.Noun) and noun.det is not None and noun.det.type in ("A", "ANY", "EACH", "ALL", "ANOTHER"):
            text = str(noun.words[-1])
            found = self.nouns.get(text)
            if found is not None and found[0].sort != subject.type.sort:
                raise self.problem("G0605", noun, f"a {subject.type} is never a {text}")
        made = self.denote_np(noun, phrases, scope)
        if made.type.sort != subject.type.sort and made.type.sort != "nothing":
            raise self.problem("G0605", noun, f"a {subject.type} is never a {made.type}")
        return self.member(subject, made)

    def member(self, subject: Ref, made: Denotation) -> Expr:
        """Membership without walking the whole domain where the domain is a kind with filters."""
        if made.expr is not None:
            return ["==", subject.expr, made.expr]
        if made.mask is not None:
            return ["has", made.mask, subject.expr]
        sel = made.sel
        assert sel is not None
        return self.member_of(subject, sel)

    def member_of(self, subject: Ref, sel: Expr) -> Expr:
        if sel[0] == "filter":
            inner = self.member_of(subject, sel[1])
            return self.both([inner, _replace(sel[3], sel[2], subject.expr)])
        if sel[0] == "seats":
            return ["int", 1]
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
        return ["has", ["set", sel], subject.expr]

    def at_place(self, subject: Ref, node: s.Predicate, scope: Scope) -> Expr:
        assert node.prep is not None and node.noun is not None
        made = self.denote_np(node.noun, [], scope)
        prep = node.prep.type
        if subject.type.sort == "fixture" and made.type.sort == "fixture":
            for relation in self.model.relations:
                if relation.prep == prep and self.model.fits(made.type.kind, relation.owner) and self.model.fits(subject.type.kind, relation.member):
                    if made.quant == "one":
                        return ["has", ["set", ["rel", relation.index, self.one(made, node).expr]], subject.expr]
                    slot = scope.unit.slot()
                    return ["any", ["filter", made.selector(), slot, ["has", ["set", ["rel", relation.index, ["slot", slot]]], subject.expr]]]
        if subject.type.sort == "piece" and prep in PLACE_PREPS:
            if made.type.sort == "zone":
                if made.quant == "one":
                    return ["==", ["where", subject.expr], self.one(made, node).expr]
                return ["has", made.as_mask(), ["where", subject.expr]]
            if made.type.sort == "fixture":
                return self.member(Ref(["fixof", ["where", subject.expr]], Type("fixture")), made)
        if prep == "OTHER_THAN":
            return ["not", self.member(subject, made)]
        raise self.problem("G0608", node, f'"{node.prep}" cannot be said of a {subject.type} and a {made.type}')

    def has(self, subject: s.Full, thing: s.Full, scope: Scope) -> Expr:
        owner = self.one(self.denote(subject, scope), subject)
        noun = thing.noun
        words = noun.words if isinstance(noun, s.Noun | s.Counted) else ()
        none = isinstance(noun, s.Noun) and noun.det is not None and noun.det.type == "NO"
        if len(words) == 1:
            declared = self.model.field(owner.type.kind, str(words[0]))
            if declared is not None and isinstance(noun, s.Noun):
                declared.used = True
                test: Expr = ["attr", declared.column, owner.expr]
                return ["==", test, ["int", -1]] if none else ["!=", test, ["int", -1]]
            if declared is not None and isinstance(noun, s.Counted) and declared.type.sort == "number":
                return self.enough(["attr", declared.column, owner.expr], noun.count, scope)
        if not isinstance(noun, s.Noun | s.Counted):
            raise self.problem("G0607", noun, "what is had needs a noun")
        draft, _ = self.draft(None, noun.words, noun.relative, list(thing.phrases), scope, owner)
        made = self.finish(draft, "all", noun, scope)
        if isinstance(noun, s.Counted):
            return self.enough(["count", made.selector()], noun.count, scope)
        return ["not", ["any", made.selector()]] if none else ["any", made.selector()]

    def enough(self, have: Expr, count: s.Count, scope: Scope) -> Expr:
        match count.kind:
            case "exactly" if count.low is not None:
                return ["==", have, self.amount(count.low, scope)]
            case "or_more" if count.low is not None:
                return [">=", have, self.amount(count.low, scope)]
            case "up_to" if count.high is not None:
                return ["<=", have, self.amount(count.high, scope)]
            case "between" if count.low is not None and count.high is not None:
                return self.both([[">=", have, self.amount(count.low, scope)], ["<=", have, self.amount(count.high, scope)]])
        raise self.problem("G0607", count.word, "this number is no condition", "2, 2 or more, up to 2, 1 to 4")

    def exists(self, made: Denotation, node: s.Full) -> Expr:
        noun = node.noun
        if isinstance(noun, s.Counted) and made.sel is not None:
            sel = made.sel
            have: Expr = ["count", sel]
            if made.low is not None and made.high is not None and made.low == made.high:
                return [">=", have, made.low]
            tests: list[Expr] = []
            if made.low is not None:
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


def _replace(expr: Expr, slot: int, value: Expr) -> Expr:
    """An expression with one slot replaced by another expression."""
    if expr == ["slot", slot]:
        return value
    return [_replace(part, slot, value) if isinstance(part, list) else part for part in expr]


__all__ = ["FLAG", "SEAT", "Amounts"]
