"""Resolve amounts and conditions to pure core expressions."""

from __future__ import annotations

from typing import Final, Literal

from grimoire.compiler.declare.model import NUMBER, Type
from grimoire.compiler.lower.context import Context
from grimoire.compiler.lower.denotation import Denotation, Item
from grimoire.compiler.lower.forms import COMPARISONS, NOTHING, ONE, ZERO, both
from grimoire.compiler.lower.nouns import Nouns
from grimoire.compiler.lower.phrases import Phrases
from grimoire.compiler.lower.presence import compare, is_same
from grimoire.compiler.lower.ranges import can_hold, find_range
from grimoire.compiler.lower.scope import Ref, Scope
from grimoire.compiler.lower.selectors import Selectors
from grimoire.compiler.lower.tidy import replace_slot
from grimoire.compiler.lower.vocabulary import Peek, is_absent_number
from grimoire.compiler.syntax import nodes as s
from grimoire.compiler.syntax.printer import print_part
from grimoire.compiler.syntax.tokens import Token
from grimoire.runtime.core import expressions as ex
from grimoire.runtime.core import selectors as se
from grimoire.runtime.core.records import Expression, Selector, Sort

_ARITHMETIC: Final[dict[str, Literal["+", "-", "*", "//"]]] = {"+": "+", "-": "-", "*": "*", "/": "//"}
_TOTALS: Final[dict[str, Literal["sum", "maxof", "minof", "distinct"]]] = {
    "total": "sum",
    "highest": "maxof",
    "lowest": "minof",
    "different": "distinct",
}

_YOU: Final = ex.Slot(0)


class Amounts:
    """Amounts and conditions."""

    def __init__(self, context: Context, phrases: Phrases, selectors: Selectors, nouns: Nouns) -> None:
        self.context = context
        self.phrases = phrases
        self.selectors = selectors
        self.nouns = nouns

    # ------------------------------------------------------------ amounts

    def amount(self, node: s.Amount, scope: Scope) -> Expression:
        ref = self.amount_ref(node, scope)
        if ref.type.sort not in ("number", "flag") or ref.type.many:
            raise self.context.problem(
                "G0601", node, f"a number is wanted here, not a {ref.type}", "number of .. counts things"
            )
        return ref.expr

    def amount_ref(self, node: s.Amount, scope: Scope) -> Ref:
        """The value of an amount, which may be any one object: `the owner is now you`."""
        match node:
            case s.Number(value):
                if len(value) > 9:
                    raise self.context.problem(
                        "G0609", value, f"{value[:6]}... is too large a number", "numbers go up to 999999999"
                    )
                return Ref(ex.Number(int(value)), NUMBER)
            case s.Bare(name):
                return self.place_absent(self.nouns.bare(name, scope), name)
            case s.Negated(name):
                raise self.context.problem("G0607", name, '"not" sets a flag back', f"write NP is now not {name}")
            case s.Read(full):
                made = self.nouns.denote(full, scope)
                if made.quant == "all":
                    return Ref(made.as_mask(), made.type.set())
                return self.place_absent(self.nouns.one(made, full), full)
            case s.NumberOf(_, full):
                made = self.nouns.denote(full, scope)
                if made.program is not None and made.program.many:
                    return Ref(ex.Arithmetic("max", ZERO, self.phrases.texts_of(made.program)), NUMBER)
                if made.program is not None or made.type.sort in ("number", "flag", "option", "nothing"):
                    raise self.context.problem(
                        "G0601", full, f"a {made.type} cannot be counted", "number of counts things"
                    )
                return Ref(ex.CountOf(made.selector()), NUMBER)
            case s.Total(word, field, full):
                return self.total(word, field, full, scope)
            case s.Binary(op, left, right):
                if str(op) == "/" and isinstance(right, s.Number) and int(right.value) == 0:
                    raise self.context.problem("G0702", right, "nothing is divided by 0", "another number")
                first, second = self.amount(left, scope), self.amount(right, scope)
                return Ref(ex.Arithmetic(_ARITHMETIC[str(op)], first, second), NUMBER)
            case s.Extreme(word, left, right):
                first, second = self.amount(left, scope), self.amount(right, scope)
                return Ref(ex.Arithmetic("min" if word == "the lower of" else "max", first, second), NUMBER)
            case s.Depends(then, _, condition, other):
                return self.depends(then, condition, other, scope)
            case s.Paren(inner):
                return self.amount_ref(inner, scope)
            case s.ThatMany(word, of):
                return self.counted(word, of, scope)

    def place_absent(self, ref: Ref, node: object) -> Ref:
        """A number that may be nothing keeps its place: where it is needed unasked, that is reported."""
        if not is_absent_number(ref.type) or isinstance(ref.expr, ex.Slot):
            return ref
        return Ref(self.context.at(node, ref.expr), ref.type)

    def counted(self, word: Token, of: str | None, scope: Scope) -> Ref:
        """`that many`: what the clause in front was done to, or done with."""
        ref = scope.lookup(of) if of is not None else None
        if ref is None:
            hint = "a clause with several stands in front of it; of an event it is its amount: draw (amount) cards"
            raise self.context.problem("G0607", word, 'nothing in front says how many "that many" is', hint)
        if ref.type.many:
            return Ref(ex.SizeOfSet(ref.expr), NUMBER)
        if ref.type.sort == "number":
            return ref
        hint = "2, or up to 2 of them; one or none is: if you do, .."
        raise self.context.problem("G0607", word, f'"that many" counts one {ref.type} here', hint)

    def depends(self, then: s.Amount, condition: s.Condition, other: s.Amount, scope: Scope) -> Ref:
        """`3 if .., otherwise 1`: numbers, or any two values of one sort."""
        test = self.condition(condition, scope)
        first, second = self.amount_ref(then, scope), self.amount_ref(other, scope)
        self.check_storable(first.type, second, other, "what stands before if")
        a, b = first.type, second.type
        if "nothing" in (a.sort, b.sort):
            known = b if a.sort == "nothing" else a
            empty: Expression = ex.Number(0 if known.many else -1)
            one, two = (empty if ref.type.sort == "nothing" else ref.expr for ref in (first, second))
            return Ref(ex.Conditional(test, one, two), Type(known.sort, known.kind, known.many, True))
        kind = next((k for k in self.context.model.ancestors(a.kind) if self.context.model.is_a(b.kind, k)), None)
        return Ref(ex.Conditional(test, first.expr, second.expr), Type(a.sort, kind, a.many, a.optional or b.optional))

    def total(self, word: Token, field: Token, full: s.Full, scope: Scope) -> Ref:
        made = self.nouns.denote(full, scope)
        op = _TOTALS[str(word)]
        reader = (self.selectors.field_reader if op == "distinct" else self.selectors.number_reader)(
            (field,), made.type, scope
        )
        slot = scope.unit.slot()
        return Ref(ex.Aggregate(op, made.selector(), slot, reader(ex.Slot(slot))), NUMBER)

    def count_amount(self, node: s.Count, scope: Scope) -> Expression:
        if node.kind == "exactly" and node.low is not None:
            return self.amount(node.low, scope)
        raise self.context.problem("G0607", node.word, "one number is wanted here", "write 2, or (EXPR)")

    # ------------------------------------------------------------ conditions

    def condition(self, node: s.Condition, scope: Scope) -> Expression:
        match node:
            case s.And(left, right):
                return both([self.condition(left, scope), self.condition(right, scope)])
            case s.Or(left, right):
                return ex.Or((self.condition(left, scope), self.condition(right, scope)))
            case s.Not(inner):
                return ex.Not(self.condition(inner, scope))
            case s.Grouped(inner):
                return self.condition(inner, scope)
            case s.Compare(left, op, right):
                return self.context.at(node, self.compare(node, left, str(op), right, scope))
            case s.Is(subject, negated, predicate):
                return self.context.at(node, self.is_true(subject, negated, predicate, scope))
            case s.Has(subject, thing):
                return self.context.at(node, self.has(subject, thing, scope))
            case s.There(_, thing):
                return self.context.at(node, self.exists(self.nouns.denote(thing, scope), thing))
            case s.Did(word, negated):
                if scope.did < 0:
                    raise self.context.problem(
                        "G0607",
                        word,
                        "nothing above can be done or left undone",
                        "a verb, may .., a cost, or a choice stands before it",
                    )
                return ex.Comparison("!=" if negated else "==", ex.Slot(scope.did), ONE)

    def compare(self, node: s.Compare, left: s.Amount, op: str, right: s.Amount, scope: Scope) -> Expression:
        first = self.amount_ref(left, scope)
        if first.type.sort == "option" and isinstance(right, s.Bare):
            return ex.Comparison(COMPARISONS[op], first.expr, self.option_value(first, right.name))
        second = self.amount_ref(right, scope)
        self.same_sort(first.type, second, node)
        if op not in ("=", "!=") and (first.type.sort not in ("number", "flag") or first.type.many):
            raise self.context.problem(
                "G0605", node, f"a {first.type} is not more or less than another", "= and != compare them"
            )
        self.check_reachable(node, op, first, second)
        return compare(COMPARISONS[op], first.expr, second.expr)

    def check_reachable(self, node: s.Compare, op: str, first: Ref, second: Ref) -> None:
        """That a comparison of numbers can come true, by the bounds that are declared."""
        if first.type.sort != "number" or second.type.sort != "number" or first.type.many:
            return
        left, right = find_range(first.expr, self.context), find_range(second.expr, self.context)
        if can_hold(op, left, right) or (left.is_fixed and right.is_fixed):
            return  # two fixed numbers are told by whoever looks at the flow
        shown, said, other = (right, node.right, left) if left.is_fixed else (left, node.left, right)
        bound = f"at most {shown.high}" if other.low >= shown.high else f"at least {shown.low}"
        message = f"this is never true: {print_part(said)} is {bound}"
        raise self.context.problem("G0702", node, message, "compare it with a number that it can be")

    def option_value(self, option: Ref, word: Token) -> Expression:
        values = self.context.model.options[str(option.type.kind)].values
        if str(word) not in values:
            raise self.context.unknown(
                "G0501", f"value of the option {option.type}", word, values, f"one of {', '.join(values)}"
            )
        return ex.Number(values.index(str(word)))

    def same_sort(self, left: Type, right: Ref, node: object) -> None:
        """That two values can be compared."""
        problem = self.mismatch(left, right.type)
        if problem is not None:
            raise self.context.problem("G0605", node, *problem)

    def mismatch(self, left: Type, right: Type) -> tuple[str, str] | None:
        """Why values of two types cannot be compared, and what to do; None if they can."""
        a, b = left.sort, right.sort
        numeric = ("number", "flag")
        if a == b == "procedure" or "program" in (a, b):
            return f"a {left} is not a value", "compare numbers, players, things or cards"
        if left.many != right.many and "nothing" not in (a, b):
            return f"a {left} and a {right} cannot be compared", "number of .. counts a set"
        if "nothing" in (a, b) or a == b or (a in numeric and b in numeric):
            if a == b and a in ("fixture", "piece") and not self.context.model.fits(left.kind, right.kind):
                return f"a {left} is never a {right}", "compare things of one kind"
            return None
        return f"a {left} and a {right} cannot be compared", "compare things of one sort"

    def check_storable(self, type_: Type, value: Ref, node: object, what: str) -> None:
        """That a value can be put where values of a type are kept."""
        if self.mismatch(type_, value.type) is None:
            return
        wanted = f"a {type_}" if type_.sort != "flag" else "a flag"
        hint = f"give it {wanted}"
        if type_.many and not value.type.many:
            hint = f"a set is filled with add: add .. to {what}; or give it each .."
        elif value.type.many and not type_.many:
            hint = (
                "name one of them: choose .. as NAME" if type_.sort == value.type.sort else "number of .. counts them"
            )
        raise self.context.problem("G0605", node, f"{what} is {wanted}, not a {value.type}", hint)

    def is_true(self, subject: s.Full, negated: bool, predicate: s.Predicate, scope: Scope) -> Expression:
        made = self.nouns.denote(subject, scope)
        if made.quant == "one":
            return self.predicate(self.nouns.one(made, subject), predicate, negated, scope)
        slot = scope.unit.slot()
        element = Ref(ex.Slot(slot), made.type.one())
        test = self.predicate(element, predicate, negated, scope)
        sel = made.selector()
        if made.quant == "all":
            return ex.AllOf(sel, slot, test)
        if made.low is not None and made.low != ONE:
            return ex.Comparison(">=", ex.CountOf(se.Filter(sel, slot, test)), made.low)
        found: Expression = ex.AnyOf(se.Filter(sel, slot, test))
        return ex.Not(found) if made.quant == "none" else found

    def predicate(self, subject: Ref, node: s.Predicate, negated: bool, scope: Scope) -> Expression:
        test = self.predicate_test(subject, node, scope)
        return ex.Not(test) if negated else test

    def predicate_test(self, subject: Ref, node: s.Predicate, scope: Scope) -> Expression:
        phrases = list(node.phrases)
        if node.prep is not None and node.noun is not None:
            own = self.phrases.share_out(self.peek_ref(subject), [s.Phrase(node.prep, node.noun), *phrases], scope)
            return both([self.phrases.phrase_test(subject, phrase, tail, scope) for phrase, tail in own])
        if node.noun is not None:
            return self.is_noun(subject, node.noun, phrases, scope)
        word = node.words[-1]
        if len(node.words) != 1:
            text = " ".join(node.words)
            raise self.context.problem(
                "G0503", node.words[0], f'"{text}" is not one adjective', f"write a {text}, or one word"
            )
        if subject.type.sort == "option":
            self.nouns.no_phrases(phrases)
            return ex.Comparison("==", subject.expr, self.option_value(subject, word))
        if subject.type.sort == "procedure":
            setting = self.nouns.find_setting_of(str(subject.type.kind), str(word))
            if setting is not None and setting.type.sort == "flag":
                self.nouns.no_phrases(phrases)
                return ex.Comparison("==", setting.expr, ONE)
        test = self.selectors.adjective_test(word, subject.type, scope)
        if test is not None:
            more = [
                self.phrases.phrase_test(subject, phrase, tail, scope)
                for phrase, tail in self.phrases.share_out(self.peek_ref(subject), phrases, scope)
            ]
            return both([test(subject.expr), *more])
        if subject.type.sort == "flag" and word in ("on", "chosen", "true"):
            return ex.Comparison("==", subject.expr, ONE)
        self.nouns.no_phrases(phrases)
        value = self.nouns.bare_or_none(word, scope)
        if value is not None:
            self.same_sort(subject.type, value, word)
            return is_same(subject.expr, value.expr)
        raise self.selectors.no_adjective(word, subject.type, [], scope)

    @staticmethod
    def peek_ref(subject: Ref) -> Peek:
        return Peek(subject.type.sort, subject.type.kind)

    def is_noun(self, subject: Ref, noun: s.NounPhrase, phrases: list[s.Phrase], scope: Scope) -> Expression:
        det = noun.det.type if isinstance(noun, s.Noun) and noun.det is not None else ""
        if det in ("A", "ANY") and subject.type.sort not in ("number", "flag"):
            return self.matches(subject, noun, phrases, scope)
        made = self.nouns.denote_np(noun, phrases, scope)
        if made.program is not None or (made.type.sort != "nothing" and subject.type.sort != made.type.sort):
            raise self.context.problem(
                "G0605", noun, f"a {subject.type} is never a {made.type}", "compare things of one sort"
            )
        test = self.member(subject, made)
        return ex.Not(test) if made.quant == "none" else test

    def matches(self, subject: Ref, noun: Item, phrases: list[s.Phrase], scope: Scope) -> Expression:
        """That one known object is among those a noun phrase describes."""
        if (
            isinstance(noun, s.Noun)
            and noun.det is not None
            and noun.det.type in ("A", "ANY", "EACH", "ALL", "ANOTHER")
        ):
            text = str(noun.words[-1])
            found = self.context.nouns.get(text)
            if found is not None and found[0].sort != subject.type.sort:
                raise self.context.problem(
                    "G0605", noun, f"a {subject.type} is never a {text}", "say it of the right thing"
                )
        made = self.nouns.denote_np(noun, phrases, scope)
        if made.program is not None or (made.type.sort != subject.type.sort and made.type.sort != "nothing"):
            raise self.context.problem(
                "G0605", noun, f"a {subject.type} is never a {made.type}", "compare things of one sort"
            )
        if made.quant == "none":
            return ex.Not(self.member(subject, made))
        return self.member(subject, made)

    def member(self, subject: Ref, made: Denotation) -> Expression:
        """Membership without walking the whole domain where the domain is a kind with filters."""
        if made.expr is not None:
            return ONE if made.expr == subject.expr else is_same(subject.expr, made.expr)
        if made.mask is not None:
            return ex.Contains(made.mask, subject.expr)
        sel = made.sel
        assert sel is not None
        return self.member_of(subject, sel)

    def member_of(self, subject: Ref, sel: Selector) -> Expression:
        match sel:
            case se.Filter(inner, slot, condition):
                return both([self.member_of(subject, inner), replace_slot(condition, slot, subject.expr)])
            case se.SeatsFrom():
                # nobody is no player
                return ONE if subject.expr == _YOU else ex.Comparison("!=", subject.expr, NOTHING)
            case se.FixturesOfKind(index) | se.PiecesOfKind(index):
                kind = next(k for k in self.context.model.kinds.values() if k.index == index)
                if self.context.model.is_a(subject.type.kind, kind.id):
                    return ex.Comparison("!=", subject.expr, NOTHING)
                sort: Sort = "fixture" if isinstance(sel, se.FixturesOfKind) else "piece"
                return ex.IsKind(sort, kind.index, subject.expr)
            case se.PiecesOfZone(zone):
                return is_same(ex.ZoneOfPiece(subject.expr), zone)
            case se.Members(_, members):
                return ex.Contains(members, subject.expr)
            case se.Lone(one):
                return is_same(subject.expr, one)
            case se.Concatenation(lists):
                return ex.Or(tuple(self.member_of(subject, part) for part in lists))
        return ex.Contains(ex.SetOf(sel), subject.expr)

    def has(self, subject: s.Full, thing: s.Full, scope: Scope) -> Expression:
        made = self.nouns.denote(subject, scope)
        if made.quant == "one":
            return self.had(self.nouns.one(made, subject), thing, scope)
        if made.quant == "all" and made.program is None:
            slot = scope.unit.slot()
            return ex.AllOf(made.selector(), slot, self.had(Ref(ex.Slot(slot), made.type.one()), thing, scope))
        if made.quant in ("choose", "none"):
            slot = scope.unit.slot()
            test = self.had(Ref(ex.Slot(slot), made.type.one()), thing, scope)
            found: Expression = ex.AnyOf(se.Filter(made.selector(), slot, test))
            return ex.Not(found) if made.quant == "none" else found
        raise self.context.problem(
            "G0604", subject, "who has it?", "name one: you have .., the player left of you has .."
        )

    def had(self, owner: Ref, thing: s.Full, scope: Scope) -> Expression:
        noun = thing.noun
        if not isinstance(noun, (s.Noun, s.Counted)):
            raise self.context.problem("G0607", noun, "what is had needs a noun", "you have 2 or more .., it has no ..")
        words = noun.words
        none = isinstance(noun, s.Noun) and noun.det is not None and noun.det.type == "NO"
        declared = self.context.model.field(owner.type.kind, str(words[0])) if len(words) == 1 else None
        if declared is not None and not thing.phrases and noun.relative is None:
            value: Expression = ex.ReadModified(declared.column, owner.expr)
            if isinstance(noun, s.Noun):
                return self.phrases.there(value, declared.type, none)
            if declared.type.many:
                return self.enough(ex.SizeOfSet(value), noun.count, scope)
            if declared.type.sort == "number":
                return self.enough(value, noun.count, scope)
        draft, _ = self.nouns.draft(None, noun.words, noun.relative, list(thing.phrases), scope, owner)
        if draft.program is not None:
            return self.phrases.has_text(
                draft.program, noun.count if isinstance(noun, s.Counted) else None, none, scope
            )
        if draft.type.sort in ("number", "flag", "zone"):
            raise self.context.problem(
                "G0607", noun, f"a {draft.type} is not had like this", f"compare it: the {words[-1]} of .. >= 1"
            )
        made = self.selectors.finish(draft, "all", noun)
        if isinstance(noun, s.Counted):
            return self.enough(ex.CountOf(made.selector()), noun.count, scope)
        return ex.Not(ex.AnyOf(made.selector())) if none else ex.AnyOf(made.selector())

    def enough(self, have: Expression, count: s.Count, scope: Scope) -> Expression:
        match count.kind:
            case "exactly" | "or_more" if count.low is not None:
                return ex.Comparison(">=", have, self.amount(count.low, scope))
            case "up_to" if count.high is not None:
                return ex.Comparison("<=", have, self.amount(count.high, scope))
            case "between" if count.low is not None and count.high is not None:
                return both(
                    [
                        ex.Comparison(">=", have, self.amount(count.low, scope)),
                        ex.Comparison("<=", have, self.amount(count.high, scope)),
                    ]
                )
        raise self.context.problem("G0607", count.word, "this number is no condition", "2, 2 or more, up to 2, 1 to 4")

    def exists(self, made: Denotation, node: s.Full) -> Expression:
        noun = node.noun
        if made.program is not None:
            raise self.context.problem("G0607", node, "a text of a card is always there", "ask for the card")
        if isinstance(noun, (s.Counted, s.Part)) and made.sel is not None and made.quant in ("choose", "random"):
            have: Expression = ex.CountOf(made.sel)
            if made.low is not None and made.low == made.high:
                return ex.Comparison(">=", have, made.low)
            tests: list[Expression] = []
            if made.low is not None and made.low != ZERO:
                tests.append(ex.Comparison(">=", have, made.low))
            if made.high is not None:
                tests.append(ex.Comparison("<=", have, made.high))
            return both(tests)
        if made.expr is not None and made.quant in ("one", "none"):
            test: Expression = ex.Comparison("!=", made.expr, NOTHING)
            if made.type.sort == "procedure":
                assert isinstance(made.expr, ex.Number)
                test = ex.IsRunning(made.expr.value)
            return ex.Not(test) if made.quant == "none" else test
        found: Expression = ex.AnyOf(made.selector())
        return ex.Not(found) if made.quant == "none" else found
