"""Resolve noun phrases to values, sets and domains.

In: noun phrases of the syntax tree and a scope. Out: a `Denotation`: which objects are meant (an expression, a mask or a selector) and
how many of them (all, one, a choice between bounds, a random one). Prepositional phrases that the verb has not taken belong to the noun
on their left and become filters here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from lark import Token

from grimoire.compiler import syntax as s
from grimoire.compiler.base import CURRENT, NOTHING, Base, Unresolved
from grimoire.compiler.model import NUMBER, SEAT, Expr, Type
from grimoire.compiler.scope import Ref, Scope

Filter = Callable[[Expr], Expr]

PLACE_PREPS = ("IN", "INTO", "ON_PREP", "ONTO", "FROM", "AT")
NOBODY = ("nobody", "nothing", "nowhere")
MANNERS = ("face-up", "face-down")
POSITIONS = ("top", "bottom", "first", "last", "random", "other")


@dataclass(slots=True)
class Denotation:
    """`quant`: one (a definite object), all, choose, random, none. `low` and `high` bound a choice (None: no bound)."""

    type: Type
    quant: str
    expr: Expr | None = None
    mask: Expr | None = None
    sel: Expr | None = None
    low: Expr | None = None
    high: Expr | None = None
    manner: str | None = None
    node: object = None
    program: tuple[Expr, str] | None = None  # a program slot of a piece: `the effect of the card`
    number: Expr | None = None  # how many, when only the amount is meant

    def selector(self) -> Expr:
        if self.sel is not None:
            return self.sel
        if self.mask is not None:
            return ["members", self.type.sort, self.mask]
        assert self.expr is not None
        return ["lone", self.expr]

    def as_mask(self) -> Expr:
        if self.mask is not None:
            return self.mask
        if self.sel is not None:
            return ["set", self.sel]
        assert self.expr is not None
        return ["bit", self.expr]

    @property
    def many(self) -> bool:
        return self.quant == "all" or (self.expr is None and self.quant not in ("choose", "random", "one"))


@dataclass(slots=True)
class Draft:
    """A noun being built: where its objects come from, and what they must meet."""

    type: Type
    base: Expr | None = None  # selector
    single: Expr | None = None
    mask: Expr | None = None
    whole: bool = True  # base is the whole domain of the kind
    filters: list[Filter] = field(default_factory=list)
    best: list[tuple[str, Filter]] = field(default_factory=list)
    pick: str | None = None
    pick_count: Expr | None = None
    random: bool = False
    plural: bool = False
    program: tuple[Expr, str] | None = None
    zone: Expr | None = None  # the one zone that the base is the content of


class Nouns(Base):
    """Noun phrases."""

    # ------------------------------------------------------------ entry points

    def denote(self, full: s.Full, scope: Scope) -> Denotation:
        return self.denote_np(full.noun, list(full.phrases), scope)

    def denote_np(self, np: s.NounPhrase | s.Count | s.Operand | s.BareWords, phrases: list[s.Phrase], scope: Scope) -> Denotation:
        match np:
            case s.Pronoun(word):
                ref = self.pronoun(word, scope)
                self.no_phrases(phrases)
                return Denotation(ref.type, "all" if ref.type.many else "one", **self._held(ref), node=np)
            case s.Listed(words):
                return self.listed(words, phrases, scope)
            case s.BareWords(words):
                return self.bare_words(words, scope)
            case s.Count():
                return Denotation(NUMBER, "one", expr=self.count_amount(np, scope), node=np)
            case s.Part(count, whole):
                inner = self.denote_np(whole, phrases, scope)
                return self.counted(inner, count, scope, np)
            case s.Counted(count, words, relative):
                draft, manner = self.draft(None, words, relative, phrases, scope, None)
                made = self.finish(draft, "all", np, scope)
                made.manner = manner
                return self.counted(made, count, scope, np)
            case s.Owned(det, owner, words, relative):
                whose = self.one(self.denote_np(s.Noun(det, owner, None, (), None), [], scope), owner[-1])
                draft, manner = self.draft(None, words, relative, phrases, scope, whose)
                return self.with_manner(self.finish(draft, "all" if draft.plural else "one", np, scope), manner)
            case s.Noun():
                return self.noun(np, phrases, scope)
            case s.Operand(items, joint):
                return self.operand(items, joint, phrases, scope)
        raise AssertionError(np)

    def operand(self, items: tuple[s.NounPhrase | s.Count, ...], joint: str, phrases: list[s.Phrase], scope: Scope) -> Denotation:
        if len(items) == 1:
            return self.denote_np(items[0], phrases, scope)
        parts = [self.denote_np(item, phrases if i == len(items) - 1 else [], scope) for i, item in enumerate(items)]
        first = parts[0]
        for part, item in zip(parts[1:], items[1:], strict=True):
            if part.type.sort != first.type.sort:
                raise self.problem("G0601", item, f'"{joint}" joins a {first.type} and a {part.type}', "join things of one sort, or write two clauses")
        sel: Expr = ["cat", *[part.selector() for part in parts]]
        kind = first.type.kind if all(p.type.kind == first.type.kind for p in parts) else None
        type_ = Type(first.type.sort, kind)
        if joint == "or":
            return Denotation(type_, "choose", sel=sel, low=["int", 1], high=["int", 1], node=items)
        return Denotation(type_, "all", sel=sel, node=items)

    @staticmethod
    def with_manner(made: Denotation, manner: str | None) -> Denotation:
        made.manner = manner
        return made

    @staticmethod
    def _held(ref: Ref) -> dict[str, Expr]:
        return {"mask": ref.expr} if ref.type.many else {"expr": ref.expr}

    def one(self, made: Denotation, node: object) -> Ref:
        """The one object meant."""
        if made.expr is not None and made.quant == "one":
            return Ref(made.expr, made.type.one())
        if made.quant == "one" and made.sel is not None:
            return Ref(["one", made.sel], made.type.one())
        if made.quant == "one" and made.mask is not None:
            return Ref(["first", made.mask], made.type.one())
        raise self.problem("G0604", node, f"one {made.type.one()} is wanted here, not several or a choice", "name it first: choose .. as NAME")

    # ------------------------------------------------------------ determiners

    def noun(self, np: s.Noun, phrases: list[s.Phrase], scope: Scope) -> Denotation:
        det = np.det.type if np.det is not None else None
        owner: Ref | None = None
        if det == "YOUR":
            owner = Ref(scope.you, SEAT)
        elif det == "THEIR":
            owner = self.they(np.det, scope)
        elif det == "ITS":
            owner = self.it(np.det, scope)
        words = np.words + np.rest
        draft, manner = self.draft(det, words, np.relative, phrases, scope, owner)
        if np.amount is not None:
            amount = self.amount(np.amount, scope)
            if draft.pick is None:
                raise self.problem("G0607", np, "a number behind an adjective goes with top, bottom, first or last", "write the top 2 cards of ..")
            draft.pick_count = amount
            draft.plural = True
        if det in ("A", "ANY", "ANOTHER"):
            if det == "ANOTHER":
                self.but_not(draft, scope, np)
            made = self.finish(draft, "choose", np, scope)
            if made.quant != "random":
                made.quant = "choose"
            made.low = made.high = ["int", 1]
            if made.expr is not None:
                made.sel, made.expr = ["lone", made.expr], None
            return self.with_manner(made, manner)
        if det == "NO":
            return self.with_manner(self.finish(draft, "none", np, scope), manner)
        if det in ("EACH", "ALL", "BOTH") or (det is None):
            return self.with_manner(self.finish(draft, "all", np, scope), manner)
        # the, this, your, its, their: definite
        if draft.plural and draft.single is None:
            return self.with_manner(self.finish(draft, "all", np, scope), manner)
        if (
            draft.single is None
            and draft.mask is None
            and draft.whole
            and not draft.filters
            and not draft.best
            and draft.pick is None
            and not self.singleton(draft)
        ):
            raise self.problem(
                "G0507", np, f'which {words[-1]} is "{" ".join(filter(None, [np.det, *words]))}"?', f"say a {words[-1]}, each {words[-1]}, or name it with as"
            )
        return self.with_manner(self.finish(draft, "one", np, scope), manner)

    def singleton(self, draft: Draft) -> bool:
        kind = draft.type.kind
        if kind is None:
            return False
        copies = sum(d.copies for d in self.model.definitions.values() if self.model.is_a(d.kind, kind))
        things = sum(1 for t in self.model.things.values() if self.model.is_a(t.kind, kind))
        return copies + things == 1

    def but_not(self, draft: Draft, scope: Scope, node: object) -> None:
        if draft.type.sort == "seat":
            other = scope.they if scope.they is not None else scope.you
        elif scope.this is not None and scope.this.type.sort == draft.type.sort:
            other = scope.this.expr
        else:
            raise self.problem("G0607", node, '"another" needs something it is not', "say other than ..")
        draft.filters.append(lambda value: ["!=", value, other])

    def counted(self, made: Denotation, count: s.Count, scope: Scope, node: object) -> Denotation:
        sel = made.selector()
        result = Denotation(made.type.one(), "choose", sel=sel, node=node, manner=made.manner)
        match count.kind:
            case "exactly":
                assert count.low is not None
                result.low = result.high = self.amount(count.low, scope)
            case "between":
                assert count.low is not None and count.high is not None
                result.low, result.high = self.amount(count.low, scope), self.amount(count.high, scope)
            case "or_more":
                assert count.low is not None
                result.low = self.amount(count.low, scope)
            case "up_to":
                assert count.high is not None
                result.low, result.high = ["int", 0], self.amount(count.high, scope)
            case "all_but":
                assert count.low is not None
                rest: Expr = ["max", ["int", 0], ["-", ["count", sel], self.amount(count.low, scope)]]
                result.low = result.high = rest
            case _:
                result.low = ["int", 0]
        if made.quant == "random":
            result.quant = "random"
        return result

    # ------------------------------------------------------------ pronouns and bare words

    def pronoun(self, word: Token, scope: Scope) -> Ref:
        if word.type == "YOU":
            return Ref(scope.you, SEAT)
        if word.type == "THEY":
            return self.they(word, scope)
        if word.type == "THIS":
            if scope.this is None:
                raise self.problem("G0607", word, '"this" has no meaning here', "it is the card that bears the text")
            return scope.this
        return self.it(word, scope)

    def they(self, word: Token | None, scope: Scope) -> Ref:
        if scope.they is None:
            raise self.problem("G0607", word, f'nobody is named that "{word}" could mean', "they is the one who must or may: each player must .. their ..")
        return Ref(scope.they, SEAT)

    def it(self, word: Token | None, scope: Scope) -> Ref:
        if scope.it is None:
            raise self.problem("G0607", word, f'nothing is named that "{word}" could mean', "it is the object of the event, or the thing an adjective is said of")
        return scope.it

    def bare_words(self, words: s.Words, scope: Scope) -> Denotation:
        """Words without a determiner: a name, a value, an outcome, a counter."""
        if len(words) != 1:
            raise self.problem("G0406", words[0], f'"{" ".join(words)}" stands without a determiner', f"write the {' '.join(words)} or each ..")
        ref = self.bare(words[0], scope)
        return Denotation(ref.type, "all" if ref.type.many else "one", **self._held(ref), node=words[0])

    def bare(self, word: Token, scope: Scope) -> Ref:
        text = str(word)
        ref = scope.lookup(text) or self.setting(text, scope)
        if ref is not None:
            return ref
        if text in NOBODY:
            return Ref(NOTHING, Type("nothing"))
        thing = self.model.things.get(text)
        if thing is not None:
            self.used_names.add(text)
            return Ref(["int", thing.index], Type("fixture", thing.kind))
        counter = self.model.counters.get(text)
        if counter is not None:
            self.used_names.add(text)
            return Ref(["var", counter.index], counter.type)
        option = self.model.options.get(text)
        if option is not None:
            self.used_names.add(text)
            return Ref(["option", text], Type("flag" if option.sort == "flag" else "number"))
        zone = self.model.zones.get(text)
        if zone is not None and not zone.each:
            self.used_names.add(text)
            return Ref(["zone", zone.index], Type("zone", text))
        raise self.unknown("G0501", "name", word, [*scope.words(), *self.model.things, *self.model.counters, *self.model.options])

    def setting(self, text: str, scope: Scope) -> Ref | None:
        """A parameter or setting of a procedure that may be running, when only one procedure has that name."""
        owners = [v for v in self.model.verbs.values() if v.procedure and any(p.name == text for p in (*v.params, *v.settings))]
        if len(owners) != 1:
            return None
        return self.setting_of(owners[0].id, text)

    def setting_of(self, procedure: str, text: str) -> Ref | None:
        verb = self.model.verbs[procedure]
        for i, param in enumerate((*verb.params, *verb.settings)):
            if param.name == text:
                return Ref(["setting", verb.index, i + 1], param.type)
        return None

    def listed(self, words: s.Words, phrases: list[s.Phrase], scope: Scope) -> Denotation:
        self.no_phrases(phrases)
        refs = [self.bare(word, scope) for word in words]
        for ref, word in zip(refs, words, strict=True):
            if ref.type.sort != refs[0].type.sort:
                raise self.problem("G0601", word, f'"{word}" is a {ref.type}, the list has {refs[0].type}')
        sel: Expr = ["cat", *[["lone", ref.expr] for ref in refs]]
        return Denotation(refs[0].type.one(), "all", sel=sel, node=words)

    def no_phrases(self, phrases: list[s.Phrase]) -> None:
        if phrases:
            phrase = phrases[0]
            raise self.problem("G0608", phrase, f'"{phrase.prep}" fits neither the verb nor the noun on its left')

    # ------------------------------------------------------------ heads

    def draft(
        self, det: str | None, words: s.Words, relative: s.Relative | None, phrases: list[s.Phrase], scope: Scope, owner: Ref | None
    ) -> tuple[Draft, str | None]:
        manner: str | None = None
        if len(words) > 1 and words[-1] in MANNERS:
            manner, words = str(words[-1]), words[:-1]
        head, adjectives = words[-1], words[:-1]
        rest = list(phrases)
        if owner is None and rest and rest[0].prep.type == "OF" and not self.is_place_noun(head, rest[0], scope):
            owner = self.one(self.denote_np(rest[0].item, [], scope), rest[0]) if not self.takes_tail(rest) else self.tail_owner(rest, scope)
            rest = rest[1:] if not self.takes_tail(phrases) else []
        draft = self.head(head, owner, scope, det, bool(adjectives))
        for word in adjectives:
            self.adjective(draft, word, scope)
        for phrase in rest:
            self.attach(draft, phrase, scope)
        if relative is not None:
            self.relative(draft, relative, scope)
        return draft, manner

    @staticmethod
    def takes_tail(phrases: list[s.Phrase]) -> bool:
        """`the value of the top card of the deck`: a second `of` belongs to the noun behind the first."""
        return len(phrases) > 1 and all(p.prep.type in ("OF", *PLACE_PREPS, "LEFT_OF", "RIGHT_OF") for p in phrases)

    def tail_owner(self, phrases: list[s.Phrase], scope: Scope) -> Ref:
        return self.one(self.denote_np(phrases[0].item, phrases[1:], scope), phrases[0])

    def is_place_noun(self, head: Token, phrase: s.Phrase, scope: Scope) -> bool:
        """`cards of the deck`: a kind of pieces and a zone; handled as a place."""
        return False

    def head(self, head: Token, owner: Ref | None, scope: Scope, det: str | None, has_adjectives: bool) -> Draft:
        text = str(head)
        if owner is not None:
            found = self.property(head, owner, scope)
            if found is not None:
                return found
            raise self.problem("G0501", head, f'a {owner.type} has no "{head}"', self.property_hint(text, owner))
        ref = scope.lookup(text)
        if ref is None and text not in self.nouns:
            ref = self.setting(text, scope)
        if ref is not None:
            if ref.type.many:
                return Draft(ref.type.one(), mask=ref.expr, base=["members", ref.type.sort, ref.expr], whole=False, plural=True)
            return Draft(ref.type, single=ref.expr, whole=False)
        noun = self.nouns.get(text)
        if noun is not None:
            kind, plural = noun
            self.used_names.add(kind.id)
            return Draft(Type(kind.sort, kind.id), base=self.domain(kind.id, scope), plural=plural)
        if text in ("opponent", "opponents"):
            you = self.actor(scope)
            draft = Draft(SEAT, base=self.seats_from(scope), plural=text.endswith("s"))
            draft.filters.append(lambda value: ["!=", value, you])
            return draft
        if text in ("number", "numbers"):
            return Draft(NUMBER, plural=text.endswith("s"))
        definition = self.model.definitions.get(text)
        if definition is not None:
            self.used_names.add(text)
            kind = self.model.kinds[definition.kind]
            draft = Draft(Type("piece", kind.id), base=["pieces", kind.index])
            index = definition.index
            draft.filters.append(lambda value: ["isdef", index, value])
            return draft
        verb = self.model.verbs.get(text)
        if verb is not None and verb.procedure:
            return Draft(Type("procedure", text), single=["int", verb.index], whole=False)
        zone = self.model.zones.get(text)
        if zone is not None:
            self.used_names.add(text)
            if zone.each:
                raise self.problem("G0506", head, f'every player has a {text}: whose is meant?', f"your {text}, their {text}, the {text} of ..")
            return Draft(Type("zone", text), single=["zone", zone.index], whole=False)
        try:
            self.quiet += 1
            ref = self.bare(head, scope)
        except Unresolved:
            ref = None
        finally:
            self.quiet -= 1
        if ref is not None:
            return Draft(ref.type, single=ref.expr, whole=False)
        candidates = [*scope.words(), *self.nouns, *self.model.things, *self.model.zones, *self.model.counters, *self.model.definitions, "player", "opponent"]
        raise self.unknown("G0501", "noun", head, candidates)

    def property_hint(self, text: str, owner: Ref) -> str | None:
        names: list[str] = []
        for kind in self.model.ancestors(owner.type.kind):
            names += [*self.model.kinds[kind].fields, *self.model.kinds[kind].derived]
        if owner.type.sort == "seat":
            names += [z.id for z in self.model.zones.values() if z.each]
        return f"it has {', '.join(sorted(set(names)))}" if names else None

    def property(self, head: Token, owner: Ref, scope: Scope) -> Draft | None:
        """What `OWNER's HEAD` or `the HEAD of OWNER` means."""
        text = str(head)
        sort = owner.type.sort
        if sort == "procedure":
            ref = self.setting_of(str(owner.type.kind), text)
            return None if ref is None else Draft(ref.type, single=ref.expr, whole=False)
        declared = self.model.field(owner.type.kind, text)
        if declared is not None:
            declared.used = True
            value: Expr = ["attr", declared.column, owner.expr]
            if declared.type.many:
                return Draft(declared.type.one(), mask=value, base=["members", declared.type.sort, value], whole=False, plural=True)
            return Draft(declared.type, single=value, whole=False)
        derived = self.derived(owner, text, scope)
        if derived is not None:
            return Draft(derived.type, single=derived.expr, whole=False)
        if text == "owner" and sort in ("piece", "zone"):
            return Draft(SEAT, single=self.owner_of(owner.expr, owner.type), whole=False)
        zone = self.model.zones.get(text)
        if sort == "seat" and zone is not None and zone.each:
            self.used_names.add(text)
            return Draft(Type("zone", text), single=["zfam", zone.index, owner.expr], whole=False)
        if sort == "piece" and self.slot_of(owner, text):
            return Draft(Type("program"), single=owner.expr, whole=False, program=(owner.expr, text))
        noun = self.nouns.get(text)
        if noun is None:
            if sort == "seat" and text in ("opponent", "opponents"):
                seat = owner.expr
                draft = Draft(SEAT, base=["seats", seat], plural=text.endswith("s"))
                draft.filters.append(lambda value: ["!=", value, seat])
                return draft
            if sort == "piece" and text == "zone":
                return Draft(Type("zone"), single=["where", owner.expr], whole=False)
            return None
        kind, plural = noun
        self.used_names.add(kind.id)
        if sort in ("fixture",) and kind.sort == "fixture":
            for relation in self.model.relations:
                if self.model.fits(owner.type.kind, relation.owner) and self.model.fits(kind.id, relation.member) and relation.prep == "OF":
                    return Draft(Type("fixture", kind.id), base=["rel", relation.index, owner.expr], plural=plural, whole=False)
            return None
        if sort == "fixture" and kind.sort == "piece" and self.model.kinds[str(owner.type.kind)].holds:
            return self.inside(Draft(Type("piece", kind.id), plural=plural), Ref(["zfix", owner.expr], Type("zone")), kind.id)
        if sort == "piece" and kind.sort == "fixture":
            return Draft(Type("fixture", kind.id), single=["fixof", ["where", owner.expr]], whole=False)
        if sort == "zone" and kind.sort == "piece":
            return self.inside(Draft(Type("piece", kind.id), plural=plural), owner, kind.id)
        if sort == "seat" and kind.sort in ("piece", "fixture"):
            draft = Draft(Type(kind.sort, kind.id), base=self.domain(kind.id, scope), plural=plural, whole=False)
            seat, type_ = owner.expr, Type(kind.sort, kind.id)
            if kind.sort == "fixture" and self.model.field(kind.id, "owner") is None:
                return None
            draft.filters.append(lambda value: ["==", self.owner_of(value, type_), seat])
            return draft
        return None

    def slot_of(self, owner: Ref, text: str) -> bool:
        return any(text in self.model.kinds[k].slots for k in self.model.ancestors(owner.type.kind))

    def derived(self, owner: Ref, text: str, scope: Scope) -> Ref | None:
        for kind in self.model.ancestors(owner.type.kind):
            body = self.model.kinds[kind].derived.get(text)
            if body is not None:
                return Ref(self.inline(body, owner, scope, condition=False), NUMBER)
        return None

    # ------------------------------------------------------------ adjectives

    def adjective(self, draft: Draft, word: Token, scope: Scope) -> None:
        text = str(word)
        if text in POSITIONS:
            self.position(draft, text, word, scope)
            return
        test = self.adjective_test(word, draft.type, scope)
        if test is None:
            names = list(POSITIONS)
            for kind in self.model.ancestors(draft.type.kind):
                names += [*self.model.kinds[kind].adjectives, *(n for n, f in self.model.kinds[kind].fields.items() if f.type.sort == "flag")]
            raise self.unknown("G0503", "adjective", word, [*names, *self.model.things], f'nothing called "{word}" can be said of a {draft.type}')
        if draft.single is not None:
            raise self.problem("G0503", word, f'"{word}" narrows nothing: one {draft.type} is meant already')
        draft.filters.append(test)

    def adjective_test(self, word: Token, type_: Type, scope: Scope) -> Filter | None:
        text = str(word)
        for kind in self.model.ancestors(type_.kind):
            declared = self.model.kinds[kind]
            body = declared.adjectives.get(text)
            if body is not None:
                found = body
                return lambda value: self.inline(found, Ref(value, Type(type_.sort, kind)), scope, condition=True)
            flag = declared.fields.get(text)
            if flag is not None and flag.type.sort == "flag":
                flag.used = True
                column = flag.column
                return lambda value: ["==", ["attr", column, value], ["int", 1]]
        if text == "yours":
            you = scope.you
            return lambda value: ["==", self.owner_of(value, type_), you]
        noun = self.nouns.get(text)
        if noun is not None and noun[0].sort == type_.sort and self.model.fits(noun[0].id, type_.kind):
            kind_id = noun[0].id
            self.used_names.add(kind_id)
            return lambda value: self.kind_test(kind_id, type_, value)
        thing = self.model.things.get(text)
        if thing is not None:
            fields = self.value_fields(type_, thing.kind)
            if len(fields) > 1:
                raise self.problem("G0505", word, f'"{word}" may be the {" or the ".join(f.name for f in fields)} of a {type_}', "say whose .. = ..")
            if fields:
                fields[0].used = True
                self.used_names.add(text)
                column, index = fields[0].column, thing.index
                if fields[0].type.many:
                    return lambda value: ["has", ["attr", column, value], ["int", index]]
                return lambda value: ["==", ["attr", column, value], ["int", index]]
        return None

    def value_fields(self, type_: Type, kind: str) -> list:  # type: ignore[type-arg]
        out = []
        for ancestor in self.model.ancestors(type_.kind):
            for declared in self.model.kinds[ancestor].fields.values():
                if declared.type.sort == "fixture" and declared.type.kind is not None and self.model.is_a(kind, declared.type.kind):
                    out.append(declared)
        return out

    def position(self, draft: Draft, text: str, word: Token, scope: Scope) -> None:
        if text == "random":
            draft.random = True
        elif text == "other":
            self.but_not(draft, scope, word)
        else:
            draft.pick = text

    def inline(self, body: object, it: Ref, scope: Scope, condition: bool) -> Expr:
        """The condition of an adjective or the amount of a derived value, said of one object."""
        from grimoire.compiler.model import Text

        assert isinstance(body, Text)
        if not body.ok or body.node is None:
            raise Unresolved
        if self.depth > 12:
            raise self.problem("G0706", body.node, f"{body.owner} is defined by itself")
        inner = Scope(scope.unit, None, {}, scope.you, None, it, it if it.type.sort == "piece" else None)
        inner.order_from = scope.order_from
        if it.type.sort == "seat":
            inner.they = it.expr
        saved, self.text = self.text, body
        self.depth += 1
        try:
            return self.condition(body.node, inner) if condition else self.amount(body.node, inner)
        finally:
            self.text = saved
            self.depth -= 1

    # ------------------------------------------------------------ prepositional phrases of a noun

    def attach(self, draft: Draft, phrase: s.Phrase, scope: Scope) -> None:
        prep = phrase.prep.type
        type_ = draft.type
        if type_.sort == "number":
            self.number_range(draft, phrase, scope)
            return
        if prep == "OTHER_THAN":
            self.exclude(draft, phrase, scope)
            return
        if prep in ("LEFT_OF", "RIGHT_OF") and type_.sort == "seat":
            seat = self.one(self.denote_np(phrase.item, [], scope), phrase).expr
            draft.single = ["next", seat, ["int", 1 if prep == "LEFT_OF" else -1]]
            draft.base = None
            return
        if prep == "WITHIN":
            self.within(draft, phrase, scope)
            return
        if prep == "BY" and type_.sort != "seat":
            seat = self.one(self.denote_np(phrase.item, [], scope), phrase).expr
            draft.filters.append(lambda value: ["==", self.owner_of(value, type_), seat])
            return
        where = self.denote_np(phrase.item, [], scope)
        if type_.sort == "fixture" and where.type.sort == "fixture":
            for relation in self.model.relations:
                same = relation.prep == prep or (prep in ("THROUGH", "OF") and relation.prep == "OF")
                if same and self.model.fits(where.type.kind, relation.owner) and self.model.fits(type_.kind, relation.member):
                    self.related(draft, relation.index, where, phrase)
                    return
        if type_.sort == "piece" and prep in (*PLACE_PREPS, "OF", "WITH", "UNDER"):
            self.placed(draft, where, phrase)
            return
        if type_.sort == "seat" and prep in PLACE_PREPS and where.type.sort == "fixture":
            raise self.problem("G0608", phrase, "players stand nowhere themselves", "say where their figure is")
        raise self.problem("G0608", phrase, f'"{phrase.prep}" cannot be said of a {type_}')

    def related(self, draft: Draft, relation: int, where: Denotation, phrase: s.Phrase) -> None:
        if where.quant == "one":
            anchor = self.one(where, phrase).expr
            if draft.whole and draft.base is not None:
                draft.base, draft.whole = ["rel", relation, anchor], False
            else:
                draft.filters.append(lambda value: ["has", ["set", ["rel", relation, anchor]], value])
            return
        # adjacent to any, in each: true of one of them is enough
        unit_slot = self.fresh_slot()
        sel = where.selector()
        draft.filters.append(
            lambda value: ["any", ["filter", sel, unit_slot, ["has", ["set", ["rel", relation, ["slot", unit_slot]]], value]]]
        )

    def fresh_slot(self) -> int:
        return self.unit.slot()

    def placed(self, draft: Draft, where: Denotation, phrase: s.Phrase) -> None:
        if where.type.sort == "zone" and where.quant == "one":
            self.inside(draft, self.one(where, phrase), draft.type.kind)
            return
        if where.type.sort == "fixture":
            if where.type.kind is not None and not any(self.model.kinds[k].holds for k in self.model.descendants(where.type.kind)):
                raise self.problem("G0608", phrase, f"a {where.type} holds no pieces", "give its kind holds: true")
            if where.quant == "one":
                self.inside(draft, Ref(["zfix", self.one(where, phrase).expr], Type("zone")), draft.type.kind)
                return
            sel = where.selector()
            draft.filters.append(lambda value: ["has", ["set", sel], ["fixof", ["where", value]]])
            draft.whole = False
            return
        if where.type.sort == "zone":
            sel = where.selector()
            draft.filters.append(lambda value: ["has", ["set", sel], ["where", value]])
            return
        raise self.problem("G0608", phrase, f"a {where.type} is no place")

    def inside(self, draft: Draft, zone: Ref, kind: str | None) -> Draft:
        """Narrow a draft of pieces to the content of one zone."""
        if draft.single is not None:
            return draft
        if not draft.whole or draft.mask is not None:
            here = zone.expr
            draft.filters.append(lambda value: ["==", ["where", value], here])
            return draft
        draft.base = ["zone*", zone.expr]
        draft.zone = zone.expr
        draft.whole = False
        holds = self.model.zones[zone.type.kind].holds if zone.type.kind in self.model.zones else None
        if kind is not None and not self.model.is_a(holds, kind):
            type_ = Type("piece", holds)
            draft.filters.insert(0, lambda value: self.kind_test(kind, type_, value))
        return draft

    def exclude(self, draft: Draft, phrase: s.Phrase, scope: Scope) -> None:
        out = self.denote_np(phrase.item, [], scope)
        if out.type.sort != draft.type.sort and not (out.type.sort == "nothing"):
            if out.type.sort == "fixture":
                fields = self.value_fields(draft.type, str(out.type.kind))
                if len(fields) == 1:
                    column, value_ = fields[0].column, self.one(out, phrase).expr
                    draft.filters.append(lambda value: ["!=", ["attr", column, value], value_])
                    return
            raise self.problem("G0601", phrase, f"a {out.type} is no {draft.type} to begin with")
        if out.quant == "one":
            other = self.one(out, phrase).expr
            draft.filters.append(lambda value: ["!=", value, other])
        else:
            mask = out.as_mask()
            draft.filters.append(lambda value: ["not", ["has", mask, value]])

    def within(self, draft: Draft, phrase: s.Phrase, scope: Scope) -> None:
        raise self.problem("G0608", phrase, "within wants a number of spaces: within 1 space of ..")

    def number_range(self, draft: Draft, phrase: s.Phrase, scope: Scope) -> None:
        amount = self.one(self.denote_np(phrase.item, [], scope), phrase).expr
        if phrase.prep.type == "FROM":
            draft.base = ["range", amount, amount]
        elif phrase.prep.type == "TO" and draft.base is not None:
            draft.base = ["range", draft.base[1], amount]
        elif phrase.prep.type == "OTHER_THAN":
            draft.filters.append(lambda value: ["!=", value, amount])
        else:
            raise self.problem("G0608", phrase, "a number goes from .. to ..", "a number from 1 to 8")
        draft.whole = False

    # ------------------------------------------------------------ relative clauses

    def relative(self, draft: Draft, node: s.Relative, scope: Scope) -> None:
        type_ = draft.type
        match node:
            case s.Whose(_, words, op, value):
                left = self.field_reader(words, type_, scope)
                wanted = self.amount_ref(value, scope)
                self.same_sort(self.field_type(words, type_), wanted, node)
                operator = {"=": "=="}.get(str(op), str(op))
                draft.filters.append(lambda item: self.at(node, [operator, left(item), wanted.expr]))
            case s.WhoIs(_, negated, predicate):
                draft.filters.append(lambda item: self.at(node, self.predicate(Ref(item, type_), predicate, negated, scope)))
            case s.Where(_, condition):
                draft.filters.append(lambda item: self.at(node, self.where(condition, Ref(item, type_), scope)))
            case s.Superlative(word, words, ties):
                best = "max" if str(word).split()[-1] in ("highest", "most") else "min"
                draft.best.append((best, self.field_reader(words, type_, scope)))
                self.tie_breaks(draft, ties, scope)
            case s.Nearest(_, anchor, ties):
                near = self.one(self.denote_np(anchor, [], scope), anchor)
                self.nearest(draft, near, node)
                self.tie_breaks(draft, ties, scope)

    def where(self, condition: s.Condition, it: Ref, scope: Scope) -> Expr:
        inner = scope.inner()
        inner.it = it
        if it.type.sort == "seat":
            inner.they = it.expr
        return self.condition(condition, inner)

    def tie_breaks(self, draft: Draft, ties: s.Ties | None, scope: Scope) -> None:
        if ties is not None:
            draft.best.append(("max" if ties.extreme == "highest" else "min", self.field_reader(ties.field, draft.type, scope)))

    def nearest(self, draft: Draft, near: Ref, node: object) -> None:
        relation = next((r for r in self.model.relations if r.prep == "ADJACENT_TO"), None)
        if relation is None:
            raise self.problem("G0607", node, "nothing is adjacent on this board", "declare which spaces are adjacent")
        spot = near.expr if near.type.sort == "fixture" else ["fixof", ["where", near.expr]]
        if draft.type.sort == "fixture":
            draft.best.append(("min", lambda value: ["dist", relation.index, spot, value]))
        else:
            draft.best.append(("min", lambda value: ["dist", relation.index, spot, ["fixof", ["where", value]]]))

    def field_type(self, words: s.Words, type_: Type) -> Type:
        declared = self.model.field(type_.kind, str(words[-1]))
        return declared.type if declared is not None else SEAT if words[-1] == "owner" else NUMBER

    def field_reader(self, words: s.Words, type_: Type, scope: Scope) -> Filter:
        word = words[-1]
        if len(words) != 1:
            raise self.problem("G0501", words[0], f'"{" ".join(words)}" is not one field')
        declared = self.model.field(type_.kind, str(word))
        if declared is not None:
            declared.used = True
            column = declared.column
            return lambda value: ["attr", column, value]
        for kind in self.model.ancestors(type_.kind):
            body = self.model.kinds[kind].derived.get(str(word))
            if body is not None:
                found = body
                return lambda value: self.inline(found, Ref(value, Type(type_.sort, kind)), scope, condition=False)
        if str(word) == "owner" and type_.sort in ("piece", "zone"):
            return lambda value: self.owner_of(value, type_)
        names: list[str] = []
        for kind in self.model.ancestors(type_.kind):
            names += [*self.model.kinds[kind].fields, *self.model.kinds[kind].derived]
        raise self.unknown("G0501", f"field of a {type_}", word, names)

    # ------------------------------------------------------------ from draft to denotation

    def finish(self, draft: Draft, quant: str, node: object, scope: Scope) -> Denotation:
        type_ = draft.type.one()
        if draft.program is not None:
            return Denotation(type_, "one", expr=draft.single, node=node, program=draft.program)
        if draft.single is not None and draft.base is None and not draft.filters:
            return Denotation(type_, "none" if quant == "none" else "one", expr=draft.single, node=node)
        base = draft.base
        if base is None:
            if draft.single is None:
                raise self.problem("G0607", node, "these numbers have no bounds", "say from .. to ..")
            base = ["lone", draft.single]
        if draft.pick in ("top", "bottom") and draft.zone is None:
            raise self.problem("G0607", node, f'"{draft.pick}" needs the zone: the {draft.pick} card of ..')
        if draft.pick == "top" and draft.zone is not None and not draft.filters:
            count = draft.pick_count or ["int", 1]
            if quant == "one" and draft.pick_count is None:
                return Denotation(type_, "one", expr=["top", draft.zone], node=node)
            base = ["top*", draft.zone, count]
        elif draft.pick == "top":
            base = ["top*", draft.zone, ["height", draft.zone]]
        sel = self.filtered(base, draft.filters)
        for best, key in draft.best:
            slot = self.fresh_slot()
            sel = ["best", best, sel, slot, key(["slot", slot])]
        if quant == "one" and draft.pick in ("first", "bottom"):
            return Denotation(type_, "one", sel=sel, node=node)
        if draft.pick in ("first", "bottom") or (draft.pick == "top" and draft.filters):
            sel = ["take", draft.pick_count or ["int", 1], sel]
        elif draft.pick == "last":
            raise self.problem("G0607", node, '"last" is not known', "use top, bottom or first")
        if draft.random:
            return Denotation(type_, "random", sel=sel, node=node)
        if draft.mask is not None and not draft.filters and not draft.best and draft.pick is None:
            return Denotation(type_, quant, mask=draft.mask, node=node)
        return Denotation(type_, quant, sel=sel, node=node)

    def filtered(self, base: Expr, filters: list[Filter]) -> Expr:
        if not filters:
            return base
        slot = self.fresh_slot()
        tests = [make(["slot", slot]) for make in filters]
        test = self.both(tests)
        return base if test == ["int", 1] else ["filter", base, slot, test]

    # ------------------------------------------------------------ supplied by the other parts

    def amount(self, node: s.Amount, scope: Scope) -> Expr:
        raise NotImplementedError

    def amount_ref(self, node: s.Amount, scope: Scope) -> Ref:
        raise NotImplementedError

    def count_amount(self, node: s.Count, scope: Scope) -> Expr:
        raise NotImplementedError

    def condition(self, node: s.Condition, scope: Scope) -> Expr:
        raise NotImplementedError

    def predicate(self, subject: Ref, node: s.Predicate, negated: bool, scope: Scope) -> Expr:
        raise NotImplementedError

    def same_sort(self, left: Type, right: Ref, node: object) -> None:
        raise NotImplementedError


__all__ = ["CURRENT", "Denotation", "Nouns"]
