"""Narrow a noun: adjectives, relative clauses, superlatives; and the finished meaning of a noun.

In: a `Draft` and the words around its head. Out: a `Denotation`: which objects are meant (an expression, a mask or a
selector) and how many of them (all, one, a choice between bounds, a random one).
"""

from __future__ import annotations

from grimoire.compiler.declare.model import NUMBER, SEAT, Text, Type
from grimoire.compiler.lower.context import Context, Unresolved
from grimoire.compiler.lower.denotation import Denotation, Draft, Extreme, Filter
from grimoire.compiler.lower.forms import COMPARISONS, ONE, ZERO, as_sort, both
from grimoire.compiler.lower.output import Ruling, ruling_key
from grimoire.compiler.lower.phrases import FAR, Clause, Phrases
from grimoire.compiler.lower.presence import compare
from grimoire.compiler.lower.scope import Ref, Scope, Unit
from grimoire.compiler.records import replace
from grimoire.compiler.syntax import nodes as s
from grimoire.compiler.syntax.tokens import Token
from grimoire.runtime.core import expressions as ex
from grimoire.runtime.core import selectors as se
from grimoire.runtime.core.records import Expression, Selector
from grimoire.runtime.core.tables import Function

MAX_CHAIN = 30  # definitions used inside each other
MAX_EXPANSIONS = 1_000  # definitions written out in one verb, text or ability; a long one counts as several
LINE = 40  # characters of a definition that count as one
NEIGHBOURS = {"next": "left", "following": "left", "previous": "right", "preceding": "right"}
POSITIONS = ("top", "bottom", "first", "last", "random", "other")


class Selectors:
    """What narrows a noun."""

    def __init__(self, context: Context, phrases: Phrases) -> None:
        self.context = context
        self.phrases = phrases

    # ------------------------------------------------------------ adjectives

    def adjective(self, draft: Draft, word: Token, scope: Scope) -> None:
        text = str(word)
        if text in POSITIONS:
            self.position(draft, text, word, scope)
            return
        test = self.adjective_test(word, draft.type, scope)
        if test is None:
            raise self.no_adjective(word, draft.type, list(POSITIONS), scope)
        if draft.single is not None and draft.base is None:
            raise self.context.problem(
                "G0503",
                word,
                f'"{word}" narrows nothing: one {draft.type} is meant already',
                f"leave {word} out, or ask for it: if .. is {word}",
            )
        draft.filters.append(test)

    def no_adjective(self, word: Token, type_: Type, names: list[str], scope: Scope) -> Unresolved:
        for kind in self.context.model.ancestors(type_.kind):
            declared = self.context.model.kinds[kind]
            names += [*declared.adjectives, *(n for n, f in declared.fields.items() if f.type.sort == "flag")]
        hint = f'nothing called "{word}" can be said of a {type_}'
        if str(word) in NEIGHBOURS and type_.sort == "seat":
            side = NEIGHBOURS[str(word)]
            return self.context.problem(
                "G0503",
                word,
                f'"{word}" is not said of a player',
                f"write the player {side} of you: left is next in turn",
            )
        if str(word) == "empty" and type_.sort in ("zone", "fixture"):
            zone = self.context.model.zones.get(str(type_.kind))
            holds = zone.holds if zone is not None else ".."
            where = f"the {type_}" if zone is None or not zone.each else f"your {type_}"
            return self.context.problem(
                "G0503", word, f'"empty" is not said of a {type_}', f"write there is no {holds} in {where}"
            )
        if names:
            hint += f"; it can be {', '.join(sorted(set(names)))}"
        return self.context.unknown(
            "G0503", "adjective", word, [*names, *self.context.model.things, *scope.words()], hint
        )

    def adjective_test(self, word: Token, type_: Type, scope: Scope) -> Filter | None:
        text = str(word)
        for kind in self.context.model.ancestors(type_.kind):
            declared = self.context.model.kinds[kind]
            body = declared.adjectives.get(text)
            if body is not None:
                return self.make_adjective_filter(body, type_.sort, kind, scope)
            flag = declared.fields.get(text)
            if flag is not None and flag.type.sort == "flag":
                column = flag.column
                return lambda value: ex.Comparison("==", ex.ReadModified(column, value), ONE)
        if text == "yours" and type_.sort in ("piece", "zone", "fixture"):
            you = scope.you
            return lambda value: ex.Comparison("==", self.context.owner_of(value, type_), you)
        noun = self.context.nouns.get(text)
        if noun is not None and noun[0].sort == type_.sort and self.context.model.fits(noun[0].id, type_.kind):
            kind_id = noun[0].id
            return lambda value: self.context.kind_test(kind_id, type_, value)
        thing = self.context.model.things.get(text)
        if thing is not None:
            return self.value_test(word, type_, thing.kind, thing.index)
        return None

    def make_adjective_filter(self, body: Text, sort: str, kind: str, scope: Scope) -> Filter:
        return lambda value: self.inline(body, Ref(value, Type(sort, kind)), scope, condition=True)

    def value_test(self, word: Token, type_: Type, kind: str, index: int) -> Filter | None:
        """A value of an enumeration said of what has a field of that kind: `a red good`."""
        fields = self.phrases.value_fields(type_, kind)
        if len(fields) > 1:
            raise self.context.problem(
                "G0505",
                word,
                f'"{word}" may be the {" or the ".join(f.name for f in fields)} of a {type_}',
                f"say whose {fields[0].name} = {word}",
            )
        if not fields:
            return None
        column = fields[0].column
        if fields[0].type.many:
            return lambda value: ex.Contains(ex.ReadModified(column, value), ex.Number(index))
        return lambda value: ex.Comparison("==", ex.ReadModified(column, value), ex.Number(index))

    def position(self, draft: Draft, text: str, word: Token, scope: Scope) -> None:
        if text == "random":
            draft.random = True
        elif text == "other":
            self.but_not(draft, scope, word)
        elif text == "last":
            raise self.context.problem("G0607", word, '"last" is not known', "use top, bottom or first")
        else:
            draft.pick = text

    def but_not(self, draft: Draft, scope: Scope, node: object) -> None:
        """`another`, `other`: not the one that is spoken of."""
        sort = draft.type.sort
        if draft.source is not None and draft.source in scope.unit.taken:
            rest: Expression = ex.SetArithmetic("minus", draft.mask or ZERO, scope.unit.taken[draft.source])
            draft.mask, draft.base = rest, se.Members(as_sort(sort), rest)
            return
        known = [scope.inherit("they")] if sort == "seat" else [scope.inherit("this"), scope.inherit("it")]
        found = next((ref for ref in known if ref is not None and ref.type.sort == sort and not ref.type.many), None)
        if found is None and sort == "seat":
            found = Ref(scope.you, SEAT)
        found = found or scope.most_recent(sort)
        if found is None:
            raise self.context.problem("G0607", node, '"another" needs something it is not', "say other than ..")
        other = found.expr
        draft.filters.append(lambda value: ex.Comparison("!=", value, other))

    def inline(self, body: Text, it: Ref | None, scope: Scope, condition: bool) -> Expression:
        """The condition of an adjective or the amount of a derived value, said of one object; or a term, said of
        none."""
        if not body.ok or body.node is None or id(body) in self.context.vocabulary.broken:
            raise Unresolved
        self.no_circle(body)
        if body.clauses and not self.context.quiet:
            return self.lower_rule(body, it, scope, condition)
        inner = Scope(scope.unit, None, {}, scope.you, None, it, it if it and it.type.sort == "piece" else None)
        if scope.order is not None:
            inner.order = scope.order
        if it is not None and it.type.sort == "seat":
            inner.they = it.expr
        saved, self.context.text = self.context.text, body
        self.context.expanding.append(body)
        try:
            return (
                self.context.above.condition(body.condition, inner)
                if condition
                else self.context.above.amount_ref(body.amount, inner).expr
            )
        finally:
            self.context.text = saved
            self.context.expanding.pop()

    def lower_rule(self, body: Text, it: Ref | None, scope: Scope, condition: bool) -> Expression:
        """A definition that carries out a clause is a function of its own, so that it can be broken in one place."""
        known = self.context.vocabulary.rulings.get(id(body))
        if known is None:
            saved, outer, out = self.context.text, self.context.unit, self.context.out
            unit = self.context.unit = Unit(body.owner, 1 if it is None else 2)
            self.context.out = out.fresh()
            own = None if it is None else Ref(ex.Slot(1), self.context.vocabulary.meant_of.get(id(body), it.type))
            inner = Scope(unit, None, {}, ex.Slot(0), None, own, own if own and own.type.sort == "piece" else None)
            if own is not None and own.type.sort == "seat":
                inner.they = own.expr
            self.context.text = body
            self.context.expanding.append(body)
            try:
                value = (
                    self.context.above.condition(body.condition, inner)
                    if condition
                    else self.context.above.amount_ref(body.amount, inner).expr
                )
            finally:
                made, self.context.out = self.context.out, out
                self.context.text, self.context.unit = saved, outer
                self.context.expanding.pop()
            row = Function(body.owner, 0 if it is None else 1, unit.slots, value, body.clauses, condition)
            known = self.context.vocabulary.rulings[id(body)] = Ruling(ruling_key(body), made.log, row)
        return ex.CallFunction(self.context.out.number_ruling(known), scope.you, (*([] if it is None else [it.expr]),))

    def find_type(self, body: Text, of: Type | None) -> Type:
        """Of which type a derived value or a term is: it is resolved once for that alone."""
        meanings = self.context.vocabulary.meanings
        found = meanings.get(id(body))
        if found is None:
            meanings[id(body)] = NUMBER  # while it is being found out
            found = self.context.above.find_meaning(body, of) if body.ok and body.node is not None else None
            found = meanings[id(body)] = found or NUMBER
        return found

    def term_type(self, word: str) -> Type:
        found = self.find_type(self.context.model.terms[word], None)
        return found if found.sort in ("number", "flag") or found.many else replace(found, optional=True)

    def no_circle(self, body: Text) -> None:
        """Definitions are written out where they are used: neither into themselves nor without end."""
        if self.context.expanded_in is not self.context.unit:
            self.context.expanded_in, self.context.expansions = self.context.unit, 0
        self.context.expansions += 1 + len(body.text) // LINE
        circle = any(body is other for other in self.context.expanding)
        if not circle and len(self.context.expanding) < MAX_CHAIN and self.context.expansions <= MAX_EXPANSIONS:
            return
        saved, self.context.text = self.context.text, body
        try:
            if circle:
                hint = "define one of them by fields and states alone"
                raise self.context.problem("G0706", body.node, f"{body.owner} is defined by itself", hint)
            hint = "use fewer definitions inside definitions, or make one of them a state"
            raise self.context.problem(
                "G0405", body.node, f"with {body.owner} the definitions used here grow too large", hint
            )
        finally:
            self.context.text = saved

    # ------------------------------------------------------------ relative clauses

    def add_clauses(self, draft: Draft, clauses: list[Clause], scope: Scope) -> None:
        """What stands behind `of those` narrows first: the nearest of those with the least. Clauses joined by `and`
        hold of each by itself, so that their order is nothing."""
        groups: list[list[s.Relative]] = []
        for joint, relative in clauses:
            if joint is None or joint.type == "OF_THOSE":
                groups.append([])
            elif isinstance(groups[-1][0], (s.Superlative, s.Nearest, s.FirstTo)):
                one, other = groups[-1][0].word, relative.word
                raise self.context.problem(
                    "G0607",
                    relative,
                    f'"{one}" picks from many, so that it matters whether "{other}" comes before it or after it',
                    f"write {one} .. of those {other} .., or {other} .. of those {one} ..",
                )
            groups[-1].append(relative)
        for number, group in enumerate(reversed(groups)):
            if number:
                self.fix_so_far(draft)
            for relative in group:
                self.relative(draft, relative, scope)

    def fix_so_far(self, draft: Draft) -> None:
        """What narrows a draft so far becomes its base, so that what comes next picks from that alone."""
        if not draft.best or draft.base is None:
            return
        base = draft.base
        if draft.pick == "top" and draft.zone is not None:
            base, draft.pick = se.TopPieces(draft.zone, ex.HeightOfZone(draft.zone)), "first"
        draft.base = self.add_best(self.add_filters(base, draft.filters), draft.best)
        draft.filters, draft.best, draft.mask, draft.whole = [], [], None, False

    def relative(self, draft: Draft, node: s.Relative, scope: Scope) -> None:
        type_ = draft.type
        if draft.single is not None and draft.base is None:
            draft.base, draft.single, draft.whole = se.Lone(draft.single), None, False
        match node:
            case s.Whose(_, words, op, value):
                left = self.field_reader(words, type_, scope)
                have = self.field_type(words, type_)
                wanted = self.context.above.amount_ref(value, scope)
                self.context.above.same_sort(have, wanted, node)
                operator = COMPARISONS[str(op)]
                if operator not in ("==", "!=") and have.sort not in ("number", "flag"):
                    raise self.context.problem(
                        "G0605", node, f"a {have} is not more or less than another", "= and != compare them"
                    )
                if have.many and not wanted.type.many:
                    raise self.context.problem(
                        "G0604",
                        node,
                        f"the {words[-1]} of a {type_} are several",
                        f"say where ({value_word(value)} is in ..)",
                    )
                draft.filters.append(lambda item: self.context.at(node, compare(operator, left(item), wanted.expr)))
            case s.WhoIs(_, negated, predicate):
                draft.filters.append(
                    lambda item: self.context.at(
                        node, self.context.above.predicate(Ref(item, type_), predicate, negated, scope)
                    )
                )
            case s.Where(_, condition):
                draft.filters.append(lambda item: self.context.at(node, self.where(condition, Ref(item, type_), scope)))
            case s.Superlative(word, words, ties):
                best: Extreme = "max" if str(word).split()[-1] in ("highest", "most") else "min"
                draft.best.append((best, self.superlative_key(words, type_, scope)))
                self.tie_breaks(draft, ties, scope)
            case s.Nearest(_, anchor, ties):
                self.nearest(draft, anchor, scope)
                self.tie_breaks(draft, ties, scope)
            case s.FirstTo(word, anchor):
                draft.best.append(("min", self.turn_distance(word, anchor, type_, scope)))

    def superlative_key(self, words: s.Words, type_: Type, scope: Scope) -> Filter:
        """`with the highest fame`: a field; `with the most goods`: how many it has."""
        noun = self.context.nouns.get(str(words[-1]))
        if noun is None or self.context.model.field(type_.kind, str(words[-1])) is not None:
            return self.number_reader(words, type_, scope)

        def count(value: Expression) -> Expression:
            draft = self.context.above.property(words[-1], Ref(value, type_), scope)
            if draft is None:
                raise self.context.problem(
                    "G0501", words[-1], f'a {type_} has no "{words[-1]}"', "name a field of it, or what it owns"
                )
            for word in words[:-1]:
                self.adjective(draft, word, scope)
            return ex.CountOf(self.finish(draft, "all", words[-1]).selector())

        return count

    def where(self, condition: s.Condition, it: Ref, scope: Scope) -> Expression:
        inner = scope.inner()
        inner.it = it
        if it.type.sort == "seat":
            inner.they = it.expr
        return self.context.above.condition(condition, inner)

    def tie_breaks(self, draft: Draft, ties: s.Ties | None, scope: Scope) -> None:
        for word, field, anchor in () if ties is None else ties.parts:
            if anchor is None:
                best: Extreme = "max" if word == "highest" else "min"
                draft.best.append((best, self.superlative_key(field, draft.type, scope)))
            elif word.type == "FIRST_TO":
                draft.best.append(("min", self.turn_distance(word, anchor, draft.type, scope)))
            else:
                draft.best.append(("min", self.reach(anchor, draft.type, scope)))

    def turn_distance(self, word: Token, anchor: s.Noun | s.Pronoun, type_: Type, scope: Scope) -> Filter:
        """How many places to the left or right of a player another one sits; the player itself comes last."""
        start = self.context.above.one(self.context.above.denote_np(anchor, [], scope), anchor)
        if type_.sort != "seat" or start.type.sort != "seat":
            told = type_ if type_.sort != "seat" else start.type
            raise self.context.problem("G0607", word, f"a {told} does not sit to the left or right", "players do")
        one: Expression = start.expr
        seats = ex.SeatCount()

        def steps(value: Expression) -> Expression:
            ahead = (value, one) if word.endswith("left of") else (one, value)
            gap = ex.Arithmetic("+", ex.Arithmetic("-", *ahead), ex.Arithmetic("-", seats, ONE))
            return ex.Arithmetic("-", gap, ex.Arithmetic("*", seats, ex.Arithmetic("//", gap, seats)))

        return steps

    def nearest(self, draft: Draft, anchor: s.Noun | s.Pronoun, scope: Scope) -> None:
        reach = self.reach(anchor, draft.type, scope)
        draft.filters.append(lambda value: ex.Comparison("<", reach(value), ex.Number(FAR)))
        draft.best.append(("min", reach))

    def reach(self, node: s.Noun | s.Pronoun, type_: Type, scope: Scope) -> Filter:
        """How far it is from something to what is asked for."""
        near = self.context.above.one(self.context.above.denote_np(node, [], scope), node)
        if not self.phrases.stands(type_) or not self.phrases.stands(near.type):
            raise self.context.problem(
                "G0607", node, f"a {type_} is not near to a {near.type}", "spaces and pieces on them are"
            )
        relation, spot = self.phrases.adjacency(type_, node), self.phrases.spot(near)

        return lambda value: ex.Distance(relation.index, spot, self.phrases.spot(Ref(value, type_)))

    def field_type(self, words: s.Words, type_: Type) -> Type:
        declared = self.context.model.field(type_.kind, str(words[-1]))
        if declared is not None:
            return declared.type
        for kind in self.context.model.ancestors(type_.kind):
            body = self.context.model.kinds[kind].derived.get(str(words[-1]))
            if body is not None:
                return self.find_type(body, Type(type_.sort, kind))
        return SEAT if words[-1] == "owner" else NUMBER

    def number_reader(self, words: s.Words, type_: Type, scope: Scope) -> Filter:
        have = self.field_type(words, type_)
        reader = self.field_reader(words, type_, scope)
        if have.sort not in ("number", "flag") or have.many:
            raise self.context.problem(
                "G0601", words[-1], f"the {words[-1]} of a {type_} is a {have}, not a number", "name a number"
            )
        return reader

    def field_reader(self, words: s.Words, type_: Type, scope: Scope) -> Filter:
        word = words[-1]
        if len(words) != 1:
            raise self.context.problem(
                "G0501",
                words[0],
                f'"{" ".join(words)}" is not one field',
                f"write {word} alone, or declare a value for it",
            )
        declared = self.context.model.field(type_.kind, str(word))
        if declared is not None:
            column = declared.column
            if column in self.context.vocabulary.absent_columns:
                place = self.context.place(word)
                return lambda value: ex.Placed(place, ex.ReadModified(column, value))
            return lambda value: ex.ReadModified(column, value)
        for kind in self.context.model.ancestors(type_.kind):
            body = self.context.model.kinds[kind].derived.get(str(word))
            if body is not None:
                return self.make_derived_reader(body, type_.sort, kind, scope)
        if str(word) == "owner" and type_.sort in ("piece", "zone"):
            return lambda value: self.context.owner_of(value, type_)
        names: list[str] = []
        for kind in self.context.model.ancestors(type_.kind):
            names += [*self.context.model.kinds[kind].fields, *self.context.model.kinds[kind].derived]
        hint = f"it has {', '.join(sorted(set(names)))}" if names else f"declare it under the kind {type_}"
        raise self.context.unknown("G0501", f"field of a {type_}", word, names, hint)

    def make_derived_reader(self, body: Text, sort: str, kind: str, scope: Scope) -> Filter:
        return lambda value: self.inline(body, Ref(value, Type(sort, kind)), scope, condition=False)

    # ------------------------------------------------------------ from draft to denotation

    def finish(self, draft: Draft, quant: str, node: object) -> Denotation:
        type_ = draft.type.one()
        if draft.program is not None:
            return Denotation(type_, "one", expr=draft.single, node=node, program=draft.program)
        if draft.single is not None and draft.base is None and not draft.filters:
            return Denotation(type_, "none" if quant == "none" else "one", expr=draft.single, node=node)
        base = draft.base
        if base is None:
            if draft.single is None:
                raise self.context.problem("G0607", node, "these numbers have no bounds", "say a number from 1 to 6")
            base = se.Lone(draft.single)
        if draft.pick in ("top", "bottom") and draft.zone is None:
            raise self.context.problem(
                "G0607", node, f'"{draft.pick}" needs the zone', f"write the {draft.pick} {type_} of the .."
            )
        if draft.pick in ("top", "bottom"):
            self.context.require_order(draft.place, draft.pick, node, f"a random {type_} in .. takes one unseen")
        if draft.pick == "top" and not draft.filters:
            if quant == "one" and draft.pick_count is None:
                assert draft.zone is not None
                return Denotation(type_, "one", expr=ex.TopOfZone(draft.zone), node=node)
            assert draft.zone is not None
            base = se.TopPieces(draft.zone, draft.pick_count or ONE)
        elif draft.pick == "top":
            assert draft.zone is not None
            base = se.TopPieces(draft.zone, ex.HeightOfZone(draft.zone))
        sel = self.add_filters(base, draft.filters)
        sel = self.add_best(sel, draft.best)
        if draft.pick in ("first", "bottom") or (draft.pick == "top" and draft.filters):
            if quant == "one":
                return Denotation(type_, "one", sel=sel, node=node)
            sel = se.Take(draft.pick_count or ONE, sel)
        if draft.random:
            return Denotation(type_, "random", sel=sel, low=ONE, high=ONE, node=node)
        if draft.mask is not None and not draft.filters and not draft.best and draft.pick is None:
            return Denotation(type_, quant, mask=draft.mask, node=node, source=draft.source)
        return Denotation(type_, quant, sel=sel, node=node, source=draft.source)

    def add_best(self, sel: Selector, keys: list[tuple[Extreme, Filter]]) -> Selector:
        for best, key in keys:
            slot = self.phrases.fresh_slot()
            sel = se.Best(best, sel, slot, key(ex.Slot(slot)))
        return sel

    def add_filters(self, base: Selector, filters: list[Filter]) -> Selector:
        if not filters:
            return base
        slot = self.phrases.fresh_slot()
        test = both([make(ex.Slot(slot)) for make in filters])
        return base if test == ONE else se.Filter(base, slot, test)


def value_word(node: s.Amount) -> str:
    """One word to speak of an amount in a hint."""
    return next((str(token) for token in s.tokens(node)), "it")
