"""Resolve noun phrases: determiners, pronouns, names, and the heads of nouns with what belongs to them.

In: noun phrases of the syntax tree and a scope. Out: a `Denotation` (see selectors.py, which narrows what is found
here).
"""

from __future__ import annotations

from grimoire.compiler.declare.base import plural_of
from grimoire.compiler.declare.model import NUMBER, SEAT, Definition, Type
from grimoire.compiler.lower.context import Context
from grimoire.compiler.lower.denotation import Denotation, Draft, Item, Program
from grimoire.compiler.lower.forms import NOTHING, ONE, ZERO, as_sort
from grimoire.compiler.lower.phrases import Phrases
from grimoire.compiler.lower.presence import or_nothing
from grimoire.compiler.lower.scope import Ref, Scope
from grimoire.compiler.lower.selectors import Selectors
from grimoire.compiler.syntax import nodes as s
from grimoire.compiler.syntax.tokens import Token
from grimoire.runtime.core import expressions as ex
from grimoire.runtime.core import selectors as se
from grimoire.runtime.core.records import Expression

NOBODY = ("nobody", "nothing", "nowhere")
MANNERS = ("face-up", "face-down")
DEFINITE = ("THE", "THIS_DET", "YOUR", "ITS", "THEIR")


class Nouns:
    """Noun phrases."""

    def __init__(self, context: Context, phrases: Phrases, selectors: Selectors) -> None:
        self.context = context
        self.phrases = phrases
        self.selectors = selectors

    # ------------------------------------------------------------ entry points

    def denote(self, full: s.Full, scope: Scope) -> Denotation:
        return self.denote_np(full.noun, list(full.phrases), scope)

    def denote_np(self, np: Item, phrases: list[s.Phrase], scope: Scope) -> Denotation:
        match np:
            case s.Pronoun(word):
                ref = self.pronoun(word, scope)
                self.no_phrases(phrases)
                return self.wrap_reference(ref, np)
            case s.Listed(words):
                return self.lower_list(words, phrases, scope)
            case s.BareWords(words):
                self.no_phrases(phrases)
                return self.bare_words(words, scope)
            case s.Count():
                self.no_phrases(phrases)
                return Denotation(NUMBER, "one", expr=self.context.above.count_amount(np, scope), node=np)
            case s.Part(count, whole):
                return self.apply_count(self.denote_np(whole, phrases, scope), count, scope, np)
            case s.Counted(count, words, relative):
                draft, manner = self.draft(None, words, relative, phrases, scope, None)
                made = self.with_manner(self.selectors.finish(draft, "all", np), manner)
                return self.mark_alike(self.apply_count(made, count, scope, np), draft, count)
            case s.Owned(det, owner, words, relative):
                whose = self.one(self.denote_np(s.Noun(det, owner, None, (), None), [], scope), owner[-1])
                draft, manner = self.draft(None, words, relative, phrases, scope, whose)
                return self.with_manner(self.selectors.finish(draft, "all" if draft.plural else "one", np), manner)
            case s.Noun():
                return self.noun(np, phrases, scope)
            case s.Operand(items, joint):
                return self.operand(items, joint, phrases, scope)
        raise self.context.problem("G0607", np, "this is no noun phrase", "the .., a .., each .., 2 ..")

    def operand(
        self, items: tuple[s.NounPhrase | s.Count, ...], joint: str, phrases: list[s.Phrase], scope: Scope
    ) -> Denotation:
        if len(items) == 1:
            return self.denote_np(items[0], phrases, scope)
        parts = [self.denote_np(item, phrases if i == len(items) - 1 else [], scope) for i, item in enumerate(items)]
        first = parts[0]
        for part, item in zip(parts, items, strict=True):
            if part.type.sort != first.type.sort:
                raise self.context.problem(
                    "G0601",
                    item,
                    f'"{joint}" joins a {first.type} and a {part.type}',
                    "join things of one sort, or write two clauses: .. and VERB ..",
                )
            if part.quant not in ("one", "all") and joint == "and":
                raise self.context.problem(
                    "G0604", item, 'a choice cannot be joined by "and"', "write two clauses: VERB a .. and VERB a .."
                )
        kind = first.type.kind if all(p.type.kind == first.type.kind for p in parts) else None
        type_ = Type(first.type.sort, kind)
        sel = se.Concatenation((*[part.selector() for part in parts],))
        if joint == "or":
            return Denotation(type_, "choose", sel=sel, low=ONE, high=ONE, node=items)
        return Denotation(type_, "all", sel=sel, node=items)

    @staticmethod
    def with_manner(made: Denotation, manner: str | None) -> Denotation:
        made.manner = manner
        return made

    @staticmethod
    def wrap_reference(ref: Ref, node: object) -> Denotation:
        if ref.type.many:
            return Denotation(ref.type.one(), "all", mask=ref.expr, node=node)
        return Denotation(ref.type, "one", expr=ref.expr, node=node)

    def one(self, made: Denotation, node: object) -> Ref:
        """The one object meant."""
        if made.program is not None:
            raise self.context.problem(
                "G0601", node, f"the {made.program.name} is a text", "resolve the .. of the card"
            )
        if made.quant == "one":
            if made.expr is not None:
                return Ref(made.expr, made.type.one())
            if made.sel is not None:
                return Ref(ex.FirstOf(made.sel), made.type.one())
            if made.mask is not None:
                first = ex.FirstOf(made.selector()) if made.type.sort == "piece" else ex.FirstOfSet(made.mask)
                return Ref(first, made.type.one())
        raise self.context.problem(
            "G0604",
            node,
            f"one {made.type.one()} is wanted here, not several or a choice",
            "name it first: choose .. as NAME",
        )

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
        if det == "THIS_DET" and np.det is not None and len(words) == 1 and words[0] in MANNERS and not phrases:
            return self.with_manner(
                self.wrap_reference(self.this_piece(np.det, scope), np), str(words[0])
            )  # move this face-down to ..
        draft, manner = self.draft(det, words, np.relative, phrases, scope, owner)
        if np.amount is not None:
            self.context.countable(np.amount)
            if isinstance(np.amount, s.Number) and int(np.amount.value) == 0:
                raise self.context.problem(
                    "G0702", np.amount, "0 things are none", "1 or more, or leave the clause out"
                )
            amount = self.context.above.amount(np.amount, scope)
            if draft.pick is None:
                raise self.context.problem(
                    "G0607",
                    np,
                    "a number behind an adjective goes with top, bottom or first",
                    "write the top 2 cards of ..",
                )
            draft.pick_count = amount
            draft.plural = True
        if det in ("A", "ANY", "ANOTHER"):
            if det == "ANOTHER":
                self.selectors.but_not(draft, scope, np)
            return self.with_manner(self.any_of(draft, np), manner)
        if det == "NO":
            return self.with_manner(self.selectors.finish(draft, "none", np), manner)
        if det in ("EACH", "ALL", "BOTH") or det is None:
            return self.with_manner(self.selectors.finish(draft, "all", np), manner)
        # the, this, your, its, their: definite
        if draft.plural and draft.single is None:
            return self.with_manner(self.selectors.finish(draft, "all", np), manner)
        open_noun = draft.whole and not (draft.filters or draft.best or draft.pick)
        if draft.single is None and draft.mask is None and open_noun and not self.singleton(draft):
            raise self.context.problem(
                "G0507",
                np,
                f'which {words[-1]} is "{" ".join(filter(None, [np.det, *words]))}"?',
                f"say a {words[-1]}, each {words[-1]}, or name it with as",
            )
        return self.with_manner(self.selectors.finish(draft, "one", np), manner)

    def any_of(self, draft: Draft, node: object) -> Denotation:
        made = self.selectors.finish(draft, "choose", node)
        if made.quant != "random":
            made.quant = "choose"
        made.low = made.high = ONE
        if made.program is not None:
            raise self.context.problem("G0601", node, "a text of a card is not chosen", "resolve the .. of the card")
        if made.expr is not None:
            made.sel, made.expr = se.Lone(made.expr), None
        return made

    def singleton(self, draft: Draft) -> bool:
        """Whether there is only one such thing in the whole game."""
        kind = draft.type.kind
        if kind is None:
            return False
        copies = sum(d.copies for d in self.context.model.definitions.values() if self.context.model.is_a(d.kind, kind))
        things = sum(1 for t in self.context.model.things.values() if self.context.model.is_a(t.kind, kind))
        return copies + things == 1

    def apply_count(self, made: Denotation, count: s.Count, scope: Scope, node: object) -> Denotation:
        if made.program is not None:
            return self.apply_count_to_texts(made, count, node)
        if count.kind == "each":
            made.quant = "all"
            return made
        self.context.countable(count.low, count.high)
        self.context.rising(count.low, count.high, count)
        sel = made.selector()
        result = Denotation(made.type.one(), "choose", sel=sel, node=node, manner=made.manner, source=made.source)
        match count.kind:
            case "exactly" if count.low is not None:
                result.low = result.high = self.context.above.amount(count.low, scope)
            case "between" if count.low is not None and count.high is not None:
                result.low, result.high = (
                    self.context.above.amount(count.low, scope),
                    self.context.above.amount(count.high, scope),
                )
            case "or_more" if count.low is not None:
                result.low = self.context.above.amount(count.low, scope)
            case "up_to" if count.high is not None:
                result.low, result.high = ZERO, self.context.above.amount(count.high, scope)
            case "all_but" if count.low is not None:
                rest: Expression = ex.Arithmetic(
                    "max", ZERO, ex.Arithmetic("-", ex.CountOf(sel), self.context.above.amount(count.low, scope))
                )
                result.low = result.high = rest
            case _:
                result.low = ZERO
        if made.quant == "random":
            if result.low != result.high:
                raise self.context.problem(
                    "G0607", node, "chance does not decide how many", "say how many: 2 random .."
                )
            result.quant = "random"
        return result

    def mark_alike(self, made: Denotation, draft: Draft, count: s.Count) -> Denotation:
        """So many copies of one card in one zone, where nothing can tell them apart."""
        stateless = all(
            not any(field.state for field in self.context.model.kinds[kind].fields.values())
            for kind in self.context.model.ancestors(draft.type.kind)
        )
        exact = made.quant == "choose" and count.kind == "exactly"
        made.alike = draft.copies and draft.zone is not None and exact and stateless
        return made

    def apply_count_to_texts(self, made: Denotation, count: s.Count, node: object) -> Denotation:
        """`any of the options of the card`, `each of the options ..`: of a slot that holds a list of texts."""
        assert made.program is not None
        name = made.program.name
        if not made.program.many:
            raise self.context.problem("G0601", node, f"the {name} is one text", f"resolve the {name} of the card")
        one = count.kind == "exactly" and isinstance(count.low, s.Number) and count.low.value == "1"
        if not one and count.kind != "each":
            raise self.context.problem(
                "G0607", node, "one of the texts is resolved, or each of them", f"any of the {name}, each of the {name}"
            )
        made.quant = "choose" if one else "all"
        return made

    # ------------------------------------------------------------ pronouns and bare words

    def pronoun(self, word: Token, scope: Scope) -> Ref:
        if word.type == "YOU":
            return Ref(scope.you, SEAT)
        if word.type == "THEY":
            return self.they(word, scope)
        if word.type == "THIS":
            return self.this_piece(word, scope)
        return self.it(word, scope)

    def this_piece(self, word: Token, scope: Scope) -> Ref:
        this = scope.inherit("this")
        if this is None:
            raise self.context.problem(
                "G0607", word, '"this" has no meaning here', "it is the card that bears the text"
            )
        return this

    def they(self, word: Token | None, scope: Scope) -> Ref:
        ref = scope.inherit("they")
        if ref is None:
            raise self.context.problem(
                "G0607",
                word,
                f'nobody is named that "{word}" could mean',
                "they is the one who must or may: each player must .. their ..",
            )
        return ref

    def it(self, word: Token | None, scope: Scope) -> Ref:
        ref = scope.inherit("it")
        if ref is None:
            raise self.context.problem(
                "G0607",
                word,
                f'nothing is named that "{word}" could mean',
                "it is the object of the event, or the thing an adjective is said of",
            )
        return ref

    def bare_words(self, words: s.Words, scope: Scope) -> Denotation:
        """Words without a determiner: a name, a value, an outcome, a counter."""
        if len(words) != 1 and words[0] in ("most", "fewest", "least"):
            word = "fewest" if words[0] == "least" else words[0]
            raise self.context.problem(
                "G0406", words[0], f'"the" is missing before "{words[0]}"', f"write with the {word} .."
            )
        if len(words) != 1:
            raise self.context.problem(
                "G0406",
                words[0],
                f'"{" ".join(words)}" stands without a determiner',
                f"write the {' '.join(words)} or each ..",
            )
        return self.wrap_reference(self.bare(words[0], scope), words[0])

    def bare(self, word: Token, scope: Scope) -> Ref:
        ref = self.bare_or_none(word, scope)
        if ref is not None:
            return ref
        text = str(word)
        if text in self.context.nouns or text in self.context.model.definitions:
            raise self.context.problem(
                "G0406", word, f'"{word}" stands without a determiner', f"write the {word}, a {word} or each {word}"
            )
        names = [
            *scope.words(),
            *self.context.model.things,
            *self.context.model.counters,
            *self.context.model.options,
            *self.context.model.zones,
        ]
        raise self.context.unknown("G0501", "name", word, names, "names are given with as, or declared by the package")

    def bare_or_none(self, word: Token, scope: Scope) -> Ref | None:
        text = str(word)
        ref = scope.lookup(text) or self.find_setting(text)
        if ref is not None:
            return ref
        own = scope.unit.verb
        if text == "result" and own is not None and own.result is not None and scope.unit.result >= 0:
            return Ref(ex.Slot(scope.unit.result), own.result)
        if text in NOBODY:
            return Ref(NOTHING, Type("nothing"))
        thing = self.context.model.things.get(text)
        if thing is not None:
            number = or_nothing(self.context.model, thing.when, ex.Number(thing.index))
            return Ref(number, Type("fixture", thing.kind))
        counter = self.context.model.counters.get(text)
        if counter is not None:
            return Ref(ex.ReadVariable(counter.index), counter.type)
        term = self.context.model.terms.get(text)
        if term is not None:
            return Ref(self.selectors.inline(term, None, scope, condition=False), self.selectors.term_type(text))
        option = self.context.model.options.get(text)
        if option is not None:
            return Ref(ex.OptionValue(text), Type("flag") if option.sort == "flag" else Type("option", text))
        zone = self.context.model.zones.get(text)
        if zone is not None and not zone.each:
            return Ref(or_nothing(self.context.model, zone.when, ex.Zone(zone.index)), Type("zone", text))
        return None

    def find_setting(self, text: str) -> Ref | None:
        """A parameter or setting of a procedure that may be running, when only one procedure has that name."""
        owners = self.context.vocabulary.setting_owners.get(text, ())
        return self.find_setting_of(owners[0], text) if len(owners) == 1 else None

    def find_setting_of(self, procedure: str, text: str) -> Ref | None:
        verb = self.context.model.verbs[procedure]
        for i, param in enumerate((*verb.params, *verb.settings)):
            if param.name == text:
                return Ref(ex.ReadSetting(verb.index, i + 1), param.type)
        return None

    def lower_list(self, words: s.Words, phrases: list[s.Phrase], scope: Scope) -> Denotation:
        self.no_phrases(phrases)
        refs = [self.bare(word, scope) for word in words]
        for ref, word in zip(refs, words, strict=True):
            if ref.type.sort != refs[0].type.sort or ref.type.many:
                raise self.context.problem(
                    "G0601", word, f'"{word}" is a {ref.type}, the list has {refs[0].type}', "list things of one sort"
                )
        sel = se.Concatenation((*[se.Lone(ref.expr) for ref in refs],))
        return Denotation(refs[0].type.one(), "all", sel=sel, node=words)

    def no_phrases(self, phrases: list[s.Phrase]) -> None:
        if phrases:
            phrase = phrases[0]
            raise self.context.problem(
                "G0608",
                phrase,
                f'"{phrase.prep}" fits neither the verb nor the noun on its left',
                "leave it out, or put it behind the noun it belongs to",
            )

    # ------------------------------------------------------------ heads

    def draft(
        self,
        det: str | None,
        words: s.Words,
        relative: s.Relative | None,
        phrases: list[s.Phrase],
        scope: Scope,
        owner: Ref | None,
    ) -> tuple[Draft, str | None]:
        manner, words, phrases = self.take_manner(words, phrases, scope.moving)
        head, adjectives = words[-1], words[:-1]
        noun = self.phrases.peek_word(str(head), owner is not None, scope)
        if phrases and relative is None and self.context.version() >= 2:
            self.phrases.refuse_two_readings(str(head), noun, phrases, scope)
        phrases, clauses = self.phrases.take_clauses(noun, relative, phrases, scope)
        rest = self.phrases.share_out(noun, phrases, scope) if phrases else []
        draft: Draft | None = None
        if owner is None and rest and rest[0][0].prep.type == "OF":
            phrase, tail = rest[0]
            whose = self.denote_np(phrase.item, tail, scope)
            rest = rest[1:]
            if whose.quant == "all" and noun.sort == whose.type.sort and not noun.wants:
                mask = whose.as_mask()
                kind = noun.kind or whose.type.kind
                have = Type(whose.type.sort, kind)
                sel = whose.sel if whose.sel is not None else se.Members(as_sort(have.sort), mask)
                draft = Draft(have, base=sel, whole=False, plural=self.is_plural(head), source=whose.source)
                if kind is not None and not self.context.model.is_a(whose.type.kind, kind):
                    wanted, known = kind, whose.type
                    draft.filters.append(lambda value: self.context.kind_test(wanted, known, value))
                if whose.sel is None:
                    draft.mask = mask if not draft.filters else None
            else:
                owner = self.one(whose, phrase)
        if draft is None:
            plain = det in DEFINITE and not (adjectives or rest or clauses)
            draft = self.head(head, owner, scope, plain)
        for word in adjectives:
            self.selectors.adjective(draft, word, scope)
        for phrase, tail in rest:
            self.phrases.attach(draft, phrase, tail, scope)
        self.selectors.add_clauses(draft, clauses, scope)
        return draft, manner

    def take_manner(
        self, words: s.Words, phrases: list[s.Phrase], moving: bool
    ) -> tuple[str | None, s.Words, list[s.Phrase]]:
        """How what is moved comes to lie: said behind its noun, or behind the last phrase that narrows it."""
        found: Token | None = None
        bare: s.Noun | s.Owned
        last = phrases[-1].item if phrases else None
        if len(words) > 1 and words[-1] in MANNERS:
            found, words = words[-1], words[:-1]
        elif isinstance(last, s.Noun) and last.rest and last.rest[-1] in MANNERS:
            found, bare = last.rest[-1], last._replace(rest=last.rest[:-1])
            phrases = [*phrases[:-1], phrases[-1]._replace(item=bare)]
        elif isinstance(last, (s.Noun, s.Owned)) and len(last.words) > 1 and last.words[-1] in MANNERS:
            found, bare = last.words[-1], last._replace(words=last.words[:-1])
            phrases = [*phrases[:-1], phrases[-1]._replace(item=bare)]
        if found is None:
            return None, words, phrases
        if not moving:
            raise self.context.problem(
                "G0607", found, f'"{found}" says how something lies that is moved', f"move .. {found} to the .."
            )
        return str(found), words, phrases

    def is_plural(self, head: Token) -> bool:
        noun = self.context.nouns.get(str(head))
        return noun is None or noun[1]

    def head(self, head: Token, owner: Ref | None, scope: Scope, plain: bool) -> Draft:
        """The objects that a noun means before anything narrows it. A kind's word means the participant of an event or
        the parameter of that name only where it stands `plain`: `the room`, and not `a room`, `the sound room`."""
        text = str(head)
        if owner is not None:
            found = self.property(head, owner, scope)
            if found is not None:
                return found
            names = self.property_names(owner)
            hint = f"it has {', '.join(names)}" if names else "it has nothing that could be named"
            raise self.context.unknown("G0501", "", head, names, hint, f'a {owner.type} has no "{head}"')
        ref = scope.lookup(text, given=text in self.context.nouns and not plain)
        if ref is None and text not in self.context.nouns:
            ref = self.find_setting(text)
        if ref is not None:
            return self.draft_of(ref, text)
        noun = self.context.nouns.get(text)
        zone = self.context.model.zones.get(text)
        if noun is not None and (zone is None or not plain):
            kind, plural = noun
            return Draft(Type(kind.sort, kind.id), base=self.context.domain(kind.id, scope), plural=plural)
        if text in ("opponent", "opponents"):
            you = self.context.actor(scope)
            draft = Draft(SEAT, base=self.context.seats_from(scope), plural=text.endswith("s"))
            draft.filters.append(lambda value: ex.Comparison("!=", value, you))
            return draft
        if text in ("number", "numbers"):
            return Draft(NUMBER, plural=text.endswith("s"))
        definition = self.context.model.definitions.get(text)
        if definition is not None:
            return self.copies_of(definition, False)
        verb = self.context.model.verbs.get(text)
        if verb is not None and verb.procedure:
            return Draft(Type("procedure", text), single=ex.Number(verb.index), whole=False)
        if zone is not None and zone.each:
            more = "" if noun is None else f"; all that there are: each {noun[0].id}"
            raise self.context.problem(
                "G0506",
                head,
                f"every player has a {text}: whose is meant?",
                f"your {text}, their {text}, the {text} of ..{more}",
            )
        ref = self.bare_or_none(head, scope)
        if ref is not None:
            return self.draft_of(ref, None)
        copies = self.find_copies(text)
        if copies is not None:
            return self.copies_of(copies, True)
        model = self.context.model
        candidates = [
            *scope.words(),
            *self.context.nouns,
            *model.things,
            *model.zones,
            *model.counters,
            *model.definitions,
            "player",
            "opponent",
        ]
        for kind in model.kinds.values():
            if text in kind.fields or text in kind.derived:
                hint = f"the {text} of a {kind.id}, its {text}" + (f", your {text}" if kind.sort == "seat" else "")
                raise self.context.problem("G0501", head, f'whose {text} is meant by "{text}"?', hint)
        raise self.context.unknown(
            "G0501", "noun", head, candidates, "nouns are the kinds, zones, things and names of the package"
        )

    def copies_of(self, definition: Definition, plural: bool) -> Draft:
        kind, index = self.context.model.kinds[definition.kind], definition.index
        draft = Draft(Type("piece", kind.id), base=se.PiecesOfKind(kind.index), plural=plural, copies=plural)
        draft.filters.append(lambda value: ex.IsDefinition(index, value))
        return draft

    def find_copies(self, text: str) -> Definition | None:
        """The card whose plural a word is: 7 coppers."""
        if not text.endswith("s"):
            return None
        singles = (text[:-1], text[:-2], f"{text[:-3]}y")
        found = (self.context.model.definitions.get(one) for one in singles if one and plural_of(one) == text)
        return next((one for one in found if one is not None), None)

    @staticmethod
    def draft_of(ref: Ref, source: str | None) -> Draft:
        if ref.type.many:
            base = se.Members(as_sort(ref.type.sort), ref.expr)
            return Draft(ref.type.one(), mask=ref.expr, base=base, whole=False, plural=True, source=source)
        return Draft(ref.type, single=ref.expr, whole=False)

    def property_names(self, owner: Ref) -> list[str]:
        names: list[str] = []
        for kind in self.context.model.ancestors(owner.type.kind):
            declared = self.context.model.kinds[kind]
            names += [*declared.fields, *declared.derived, *declared.slots]
        if owner.type.sort == "seat":
            names += [z.id for z in self.context.model.zones.values() if z.each]
        if owner.type.sort == "procedure":
            verb = self.context.model.verbs[str(owner.type.kind)]
            names += [p.name for p in (*verb.params, *verb.settings)]
        names += [r.member for r in self.context.model.relations if self.context.model.is_a(owner.type.kind, r.owner)]
        return sorted(set(names))

    def property(self, head: Token, owner: Ref, scope: Scope) -> Draft | None:
        """What `OWNER's HEAD` or `the HEAD of OWNER` means."""
        text = str(head)
        sort = owner.type.sort
        if sort == "procedure":
            ref = self.find_setting_of(str(owner.type.kind), text)
            return None if ref is None else self.draft_of(ref, None)
        declared = self.context.model.field(owner.type.kind, text)
        if declared is not None:
            return self.draft_of(Ref(ex.ReadModified(declared.column, owner.expr), declared.type), None)
        derived = self.find_derived(owner, text, scope)
        if derived is not None:
            return self.draft_of(derived, None)
        if text == "owner" and sort in ("piece", "zone"):
            return Draft(SEAT, single=self.context.owner_of(owner.expr, owner.type), whole=False)
        zone = self.context.model.zones.get(text)
        if sort == "seat" and zone is not None and zone.each:
            return Draft(Type("zone", text), single=ex.ZoneOfSeat(zone.index, owner.expr), whole=False)
        slot = self.phrases.slot_of(owner.type, text)
        if slot is not None:
            return Draft(Type("program"), single=owner.expr, whole=False, program=Program(owner.expr, *slot))
        noun = self.context.nouns.get(text)
        if noun is None:
            return self.find_fixed_property(text, owner, scope)
        kind, plural = noun
        wanted = Type(kind.sort, kind.id)
        if sort == "fixture" and kind.sort == "fixture":
            relation = self.phrases.relation("OF", owner.type, wanted)
            if relation is None:
                return None
            return Draft(wanted, base=se.Related(relation.index, owner.expr), plural=plural, whole=False)
        if sort == "fixture" and kind.sort == "piece":
            holders = self.context.model.descendants(owner.type.kind) if owner.type.kind else []
            if not any(self.context.model.kinds[k].holds for k in holders):
                return None
            self.context.presume_place(wanted, owner.type, head)
            return self.phrases.inside(
                Draft(wanted, plural=plural), Ref(ex.ZoneOfFixture(owner.expr), Type("zone")), kind.id
            )
        if sort == "piece" and kind.sort == "fixture":
            return Draft(wanted, single=ex.FixtureOfZone(ex.ZoneOfPiece(owner.expr)), whole=False)
        if sort == "zone" and kind.sort == "piece":
            self.context.presume_place(wanted, owner.type, head)
            return self.phrases.inside(Draft(wanted, plural=plural), owner, kind.id)
        place = self.context.model.kinds["player"].place
        if sort == "seat" and place is not None and kind.sort == "fixture":
            stands = self.selectors.find_type(place, Type("seat", "player"))
            if self.context.model.fits(stands.kind, kind.id):
                return Draft(stands, single=self.phrases.spot(owner), whole=False)
        if sort == "seat" and kind.sort in ("piece", "fixture"):
            if kind.sort == "fixture" and self.context.model.field(kind.id, "owner") is None:
                return None
            draft = Draft(wanted, base=self.context.domain(kind.id, scope), plural=plural, whole=False)
            seat = owner.expr
            draft.filters.append(lambda value: ex.Comparison("==", self.context.owner_of(value, wanted), seat))
            return draft
        return None

    def find_fixed_property(self, text: str, owner: Ref, scope: Scope) -> Draft | None:
        """What every package has: opponents of a player, the zone of a piece, a card of one definition in a place."""
        sort = owner.type.sort
        if sort == "seat" and text in ("opponent", "opponents"):
            seat = owner.expr
            draft = Draft(SEAT, base=se.SeatsFrom(seat), plural=text.endswith("s"))
            draft.filters.append(lambda value: ex.Comparison("!=", value, seat))
            return draft
        if sort == "piece" and text == "zone":
            return Draft(Type("zone"), single=ex.ZoneOfPiece(owner.expr), whole=False)
        definition = self.context.model.definitions.get(text) or self.find_copies(text)
        if definition is not None and sort in ("zone", "seat"):
            type_, index = Type("piece", definition.kind), definition.index
            if sort == "zone":
                draft = self.phrases.inside(Draft(type_), owner, definition.kind)
            else:
                seat = owner.expr
                draft = Draft(type_, base=self.context.domain(definition.kind, scope), whole=False)
                draft.filters.append(lambda value: ex.Comparison("==", self.context.owner_of(value, type_), seat))
            draft.filters.append(lambda value: ex.IsDefinition(index, value))
            return draft
        return None

    def find_derived(self, owner: Ref, text: str, scope: Scope) -> Ref | None:
        for kind in self.context.model.ancestors(owner.type.kind):
            body = self.context.model.kinds[kind].derived.get(text)
            if body is not None:
                type_ = self.selectors.find_type(body, Type(owner.type.sort, kind))
                return Ref(self.selectors.inline(body, owner, scope, condition=False), type_)
        return None
