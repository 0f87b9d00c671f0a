"""Prepositional phrases: which noun each belongs to, and what it says of it.

In: a `Draft` (where the objects of a noun come from) and the phrases behind its head. Out: filters in the draft.
Prepositional phrases that the verb has not taken belong to the nearest noun on their left that can take them.
"""

from __future__ import annotations

from typing import NamedTuple

from grimoire.compiler.declare.model import Field, Relation, Type
from grimoire.compiler.lower.context import MAX_COUNT, Context, Unresolved
from grimoire.compiler.lower.denotation import Denotation, Draft, Item, Program
from grimoire.compiler.lower.forms import NOTHING, ZERO, both
from grimoire.compiler.lower.presence import is_same
from grimoire.compiler.lower.scope import Ref, Scope
from grimoire.compiler.lower.vocabulary import Peek
from grimoire.compiler.syntax import nodes as s
from grimoire.compiler.syntax.printer import print_part
from grimoire.compiler.syntax.tokens import Token
from grimoire.runtime.core import expressions as ex
from grimoire.runtime.core import selectors as se
from grimoire.runtime.core.records import Expression

PLACE_PREPS = ("IN", "ON_PREP", "FROM", "AT")
AIM_PREPS = ("INTO", "ONTO")  # where something goes, never where it is
FURTHER = ("AND_REL", "OF_THOSE")  # what joins a further relative clause
FAR = 9999  # the distance of what cannot be reached


class Clause(NamedTuple):
    """A relative clause, and what joins it to the one before it: nothing for the first."""

    joint: Token | None
    relative: s.Relative


def relative_of(item: Item) -> s.Relative | None:
    """The relative clause of the noun in a phrase."""
    while isinstance(item, s.Operand):
        item = item.items[-1]
    while isinstance(item, s.Part):
        item = item.whole
    return item.relative if isinstance(item, (s.Noun, s.Counted, s.Owned, s.Those)) else None


def word_of(relative: s.Relative | None) -> str:
    return "whose" if relative is None else str(relative.word)


class Phrases:
    """Prepositional phrases."""

    def __init__(self, context: Context) -> None:
        self.context = context

    # ------------------------------------------------------------ who gets which phrase

    def share_out(self, noun: Peek, phrases: list[s.Phrase], scope: Scope) -> list[tuple[s.Phrase, list[s.Phrase]]]:
        """The phrases of a noun, each with the flat rest that belongs to the noun inside it."""
        own: list[tuple[s.Phrase, list[s.Phrase]]] = []
        inside: list[Peek] = []
        for phrase in phrases:
            if phrase.name is not None:
                message = f'"{phrase.prep} {phrase.name} .." gives an argument to a verb, not to a noun'
                raise self.context.problem("G0608", phrase, message, f"whose {phrase.name} = 2, with 2 {phrase.name}")
            if phrase.prep.type in FURTHER:
                if not own or not any(relative_of(one.item) for one in (own[-1][0], *own[-1][1])):
                    raise self.no_clause_before(phrase)
                own[-1][1].append(phrase)
                continue
            item = self.peek(phrase.item, scope)
            prep = phrase.prep.type
            chained = bool(own) and (
                (prep == "OF" and own[-1][0].prep.type == "WITHIN" and not own[-1][1])
                or any(self.takes(other, prep, item) for other in reversed(inside))
            )
            if chained and not (prep == "OTHER_THAN" and self.takes(noun, prep, item)):
                own[-1][1].append(phrase)
                inside.append(item)
            else:
                own.append((phrase, []))
                inside = [item]
        return own

    def take_clauses(
        self, noun: Peek, relative: s.Relative | None, phrases: list[s.Phrase], scope: Scope
    ) -> tuple[list[s.Phrase], list[Clause]]:
        """The relative clauses of a noun, and the phrases without them. A further one belongs to the noun whose
        relative clause stands before it."""
        further = [one for one in phrases if one.prep.type in FURTHER]
        if relative is None and phrases:
            at = next((i for i, one in enumerate(phrases) if one.prep.type in FURTHER), len(phrases))
            if at:
                before, relative = self.lift_relative(noun, phrases[:at], scope)
                phrases = [*before, *phrases[at:]]
        own = [Clause(None, relative)] if relative is not None else []
        if not further:
            return phrases, own
        rest: list[s.Phrase] = []
        here = bool(own)  # whether the relative clause before the place is one of this noun
        for phrase in phrases:
            clause = relative_of(phrase.item)
            if phrase.prep.type not in FURTHER:
                rest.append(phrase)
                here = here if clause is None else False
            elif here and clause is not None:
                self.expect_one_reading(own[-1].relative, phrase)
                own.append(Clause(phrase.prep, clause))
            else:
                rest.append(phrase)
        if rest and rest[0].prep.type in FURTHER:
            raise self.no_clause_before(rest[0])
        return rest, own

    def expect_one_reading(self, before: s.Relative, phrase: s.Phrase) -> None:
        """Behind `who is in a room whose ..` a further clause could be about the room as well."""
        if not isinstance(before, s.WhoIs) or before.predicate.prep is None:
            return
        noun = before.predicate.noun
        if isinstance(noun, (s.Noun, s.Counted, s.Owned)) and noun.relative is not None:
            said = f"{phrase.prep} {word_of(relative_of(phrase.item))}"
            message = f'"{said} .." may be said of the {noun.words[-1]} or of what is in it'
            raise self.context.problem("G0607", phrase, message, "write where (.. and ..) with it for what is meant")

    def refuse_two_readings(self, head: str, noun: Peek, phrases: list[s.Phrase], scope: Scope) -> None:
        """`a room adjacent to a boat nearest to the pier`: which of both is the nearest? Nobody is to guess."""
        at = next((i for i, one in enumerate(phrases) if one.prep.type in FURTHER), len(phrases))
        phrase = phrases[at - 1] if at else None
        relative = None if phrase is None else relative_of(phrase.item)
        if phrase is None or relative is None or noun.single or phrase.prep.type in ("OF", "OTHER_THAN"):
            return
        items = phrase.item.items if isinstance(phrase.item, s.Operand) else (phrase.item,)
        inner = items[0]
        if len(items) > 1 or not isinstance(inner, (s.Noun, s.Counted)):
            return
        other = self.peek(inner, scope)
        if other.single or not self.can_take(noun, relative) or not self.can_take(other, relative):
            return
        said = print_part(relative)
        word = inner.words[-1]
        one = f"a {' '.join(inner.words)}" if isinstance(inner, s.Noun) else print_part(inner._replace(relative=None))
        near, far = f"the {word}", f"the {head}"
        if word == head:
            near, far = f'the {word} behind "{phrase.prep}"', f"the {head} before it"
        raise self.context.problem(
            "G0612",
            phrase.item,
            f'"{said}" can be said of {near} or of {far}',
            f"of {near}: choose {one} {said} as NAME, and {phrase.prep} the NAME; "
            f"of {far}: {head} {said} of those where (it is {phrase.prep} {one})",
        )

    def can_take(self, noun: Peek, relative: s.Relative) -> bool:
        """Whether a relative clause that picks or compares can be said of a noun."""
        match relative:
            case s.Whose() | s.Superlative():
                return self.has_field(noun, str(relative.field[-1]))
            case s.Nearest():
                return noun.sort is not None and self.stands(Type(noun.sort, noun.kind))
        return False

    def no_clause_before(self, phrase: s.Phrase) -> Unresolved:
        clause = relative_of(phrase.item)
        message = f'no relative clause stands before "{phrase.prep}"'
        return self.context.problem("G0607", phrase, message, f'leave "{phrase.prep}" out: the .. {word_of(clause)} ..')

    def lift_relative(
        self, noun: Peek, phrases: list[s.Phrase], scope: Scope
    ) -> tuple[list[s.Phrase], s.Relative | None]:
        """`each good in your hand whose worth >= 3`: a relative clause that the last noun cannot take belongs to the
        head."""
        item = phrases[-1].item
        operand = isinstance(item, s.Operand) and len(item.items) == 1
        inner = item.items[0] if isinstance(item, s.Operand) and operand else item
        if not isinstance(inner, (s.Noun, s.Counted, s.Owned)):
            return phrases, None
        relative = inner.relative
        if not isinstance(relative, (s.Whose, s.Superlative)) or not self.has_field(noun, str(relative.field[-1])):
            return phrases, None
        if self.has_field(self.peek(inner, scope), str(relative.field[-1])):
            return phrases, None
        bare = inner._replace(relative=None)
        last = phrases[-1]._replace(item=s.Operand((bare,), "and") if operand else bare)
        return [*phrases[:-1], last], relative

    def has_field(self, noun: Peek, word: str) -> bool:
        if word == "owner":
            return noun.sort in ("piece", "zone") or self.context.model.field(noun.kind, word) is not None
        return self.context.model.field(noun.kind, word) is not None or any(
            word in self.context.model.kinds[kind].derived for kind in self.context.model.ancestors(noun.kind)
        )

    def peek(self, item: Item, scope: Scope) -> Peek:
        match item:
            case s.Pronoun(word):
                if word.type == "IT":
                    it = scope.inherit("it")
                    return Peek(it.type.sort if it else None, None, True)
                return Peek("piece" if word.type == "THIS" else "seat", None, True)
            case s.Noun(det, words, _, rest, _):
                owned = det is not None and det.type in ("YOUR", "ITS", "THEIR")
                return self.peek_word(str((words + rest)[-1]), owned, scope)
            case s.Counted(_, words, _) | s.BareWords(words) | s.Listed(words):
                return self.peek_word(str(words[-1]), False, scope)
            case s.Owned(_, _, words, _):
                return self.peek_word(str(words[-1]), True, scope)
            case s.Part(_, whole):
                return self.peek(whole, scope)
            case s.Operand(items, _):
                return self.peek(items[-1], scope)
        return Peek("number", None, True)

    def peek_word(self, word: str, owned: bool, scope: Scope) -> Peek:
        name = scope.find(word)
        if name is not None:
            # the object of an event or a parameter is meant only by the plain noun: `the room in the east` is another
            # one
            single = not name.ref.type.many and (name.token is not None or word not in self.context.nouns)
            return Peek(name.ref.type.sort, name.ref.type.kind, single)
        key = (word, owned)
        known = self.context.vocabulary.peeks
        found = known.get(key)
        if found is None:
            found = known[key] = self.find_declared_word(word, owned)
        return found

    def find_declared_word(self, word: str, owned: bool) -> Peek:
        """What a word of the package is."""
        noun = self.context.nouns.get(word)
        if noun is not None:
            return Peek(noun[0].sort, noun[0].id)
        model = self.context.model
        zone = model.zones.get(word)
        if zone is not None:
            return Peek("zone", word, not zone.each or owned, zone.each and not owned)
        if word in ("opponent", "opponents"):
            return Peek("seat", "player")
        thing = model.things.get(word)
        if thing is not None:
            return Peek("fixture", thing.kind, True)
        definition = model.definitions.get(word)
        if definition is not None:
            return Peek("piece", definition.kind)
        if word in ("number", "numbers"):
            return Peek("number")
        declared = next((k.fields[word] for k in model.kinds.values() if word in k.fields), None)
        if declared is not None:
            return Peek(declared.type.sort, declared.type.kind, owned, not owned)
        if word == "owner" or any(word in k.derived or word in k.slots for k in model.kinds.values()):
            return Peek("seat" if word == "owner" else "number", None, owned, not owned)
        if word in model.counters:
            return Peek(model.counters[word].type.sort, None, True)
        if word in model.terms:
            type_ = self.context.above.term_type(word)
            return Peek(type_.sort, type_.kind, True)
        if word in model.verbs and model.verbs[word].procedure:
            return Peek("procedure", word, True)
        return Peek(None, None, False, True)

    def takes(self, noun: Peek, prep: str, item: Peek) -> bool:
        """Whether a phrase can belong to a noun."""
        if prep == "OF":
            if noun.wants:
                return True
            if noun.single:
                return False
            places = ("zone", "fixture", "seat", "piece", "procedure", None)
            return noun.sort in ("piece", "fixture") and item.sort in places and noun.sort != "seat"
        if noun.single or noun.wants:
            return False
        if noun.sort is None:
            return True
        placed = noun.sort == "seat" and self.context.model.kinds["player"].place is not None
        if prep in PLACE_PREPS:
            return (
                (placed and item.sort in ("fixture", None))
                or (noun.sort == "piece" and item.sort in ("zone", "fixture", "piece", None))
                or (noun.sort == "fixture" and item.sort in ("fixture", None))
                or (noun.sort == "number" and prep == "FROM")
            )
        if prep == "OTHER_THAN":
            return item.sort is None or noun.sort == item.sort or (noun.sort == "piece" and item.sort == "fixture")
        if prep in ("LEFT_OF", "RIGHT_OF"):
            return noun.sort == "seat"
        if prep in ("ADJACENT_TO", "WITHIN", "BY"):
            return noun.sort in ("fixture", "piece") or placed
        if prep in ("WITH", "WITHOUT"):
            return True
        return noun.sort in ("piece", "fixture") or (noun.sort == "number" and prep == "TO")

    # ------------------------------------------------------------ prepositional phrases of a noun

    def attach(self, draft: Draft, phrase: s.Phrase, tail: list[s.Phrase], scope: Scope) -> None:
        prep = phrase.prep.type
        type_ = draft.type
        if type_.sort == "number":
            self.number_range(draft, phrase, tail, scope)
            return
        if prep == "OTHER_THAN":
            self.exclude(draft, phrase, tail, scope)
            return
        if prep == "WITHIN":
            self.within(draft, phrase, tail, scope)
            return
        if prep in ("WITH", "WITHOUT") and self.with_field(draft, phrase, tail, scope):
            return
        where = self.context.above.denote_np(phrase.item, tail, scope)
        if where.quant == "all" and where.type.sort == type_.sort and prep in ("IN", "OF", "FROM"):
            members = where.as_mask()
            draft.filters.append(lambda value: ex.Contains(members, value))
            return
        if prep in ("LEFT_OF", "RIGHT_OF") and type_.sort == "seat":
            seat = self.context.above.one(where, phrase)
            if seat.type.sort != "seat":
                raise self.context.problem(
                    "G0601", phrase, f"a {seat.type} has no neighbour at the table", "name a player"
                )
            draft.single = ex.NextSeat(seat.expr, ex.Number(1 if prep == "LEFT_OF" else -1))
            draft.base = None
            return
        if prep == "BY" and type_.sort in ("piece", "fixture", "zone") and where.type.sort == "seat":
            maker = self.context.above.one(where, phrase).expr
            draft.filters.append(lambda value: ex.Comparison("==", self.context.owner_of(value, type_), maker))
            return
        if type_.sort == "fixture" and self.stands(where.type):
            relation = self.relation(prep, where.type, type_)
            if relation is not None:
                self.add_relation(draft, relation, where, phrase)
                return
        if type_.sort == "piece":
            figure = not self.context.model.is_a(type_.kind, "card")
            if prep == "ADJACENT_TO" and where.type.sort in ("fixture", "piece") and figure:
                self.add_nearness(draft, where, phrase)
                return
            if prep in (*PLACE_PREPS, "OF"):
                region = self.region(where.type) if prep in PLACE_PREPS else None
                if region is not None:
                    self.add_nearness(draft, where, phrase, region)
                else:
                    self.add_place(draft, where, phrase)
                return
        if type_.sort == "seat" and self.stands(type_) and prep == "ADJACENT_TO" and self.stands(where.type):
            self.add_nearness(draft, where, phrase)
            return
        if type_.sort == "seat" and self.stands(type_) and prep in PLACE_PREPS and where.type.sort == "fixture":
            region = self.region(where.type)
            if region is not None:
                self.add_nearness(draft, where, phrase, region)
            else:
                self.add_standing(draft, where, phrase)
            return
        if type_.sort == "seat" and prep in PLACE_PREPS and where.type.sort == "fixture":
            raise self.context.problem(
                "G0608",
                phrase,
                "players stand nowhere in this game",
                "give them a value with place: true, or say where their figure is",
            )
        raise self.context.problem(
            "G0608",
            phrase,
            f'"{phrase.prep}" cannot be said of a {type_}',
            f"a {type_} and a {where.type} do not go together like this",
        )

    def phrase_test(self, subject: Ref, phrase: s.Phrase, tail: list[s.Phrase], scope: Scope) -> Expression:
        """A phrase said of one known object: `it is in the cellar`."""
        draft = Draft(subject.type.one(), mask=ZERO, whole=False)
        self.attach(draft, phrase, tail, scope)
        if draft.single is not None:
            return ex.Comparison("==", subject.expr, draft.single)
        return both([make(subject.expr) for make in draft.filters])

    def relation(self, prep: str, owner: Type, member: Type) -> Relation | None:
        for relation in self.context.model.relations:
            same = relation.prep == prep or (prep in ("THROUGH", "OF") and relation.prep == "OF")
            same = same or (relation.region and prep in PLACE_PREPS)
            anchor = owner.kind if owner.sort == "fixture" else None
            if (
                same
                and self.context.model.fits(anchor, relation.owner)
                and self.context.model.fits(member.kind, relation.member)
            ):
                return relation
        return None

    def region(self, where: Type) -> Relation | None:
        """The spaces of a region, where a thing that holds nothing itself is one."""
        if where.sort != "fixture" or where.kind is None:
            return None
        if any(self.context.model.kinds[kind].holds for kind in self.context.model.descendants(where.kind)):
            return None
        return self.relation("IN", where, Type("fixture"))

    def spot(self, where: Ref) -> Expression:
        """The space of a space, of a piece or of a player."""
        if where.type.sort == "seat":
            place = self.context.model.kinds["player"].place
            assert place is not None
            return self.context.above.inline(
                place, where, Scope(self.context.unit, None, {}, ex.Slot(0)), condition=False
            )
        return where.expr if where.type.sort == "fixture" else ex.FixtureOfZone(ex.ZoneOfPiece(where.expr))

    def stands(self, type_: Type) -> bool:
        """Whether such a thing is somewhere on the board."""
        return type_.sort in ("fixture", "piece") or (
            type_.sort == "seat" and self.context.model.kinds["player"].place is not None
        )

    def add_relation(self, draft: Draft, relation: Relation, where: Denotation, phrase: s.Phrase) -> None:
        index = relation.index
        if where.quant == "one":
            anchor = self.spot(self.context.above.one(where, phrase))
            if draft.whole and draft.base is not None:
                kind, type_ = draft.type.kind, Type("fixture", relation.member)
                draft.base, draft.whole = se.Related(index, anchor), False
                if kind is not None and not self.context.model.is_a(relation.member, kind):
                    draft.filters.insert(0, lambda value: self.context.kind_test(kind, type_, value))
            else:
                draft.filters.append(lambda value: ex.Contains(ex.SetOf(se.Related(index, anchor)), value))
            return
        # adjacent to a, in each: true of one of them is enough
        slot = self.fresh_slot()
        sel, element = where.selector(), self.spot(Ref(ex.Slot(slot), where.type.one()))
        draft.filters.append(
            lambda value: ex.AnyOf(se.Filter(sel, slot, ex.Contains(ex.SetOf(se.Related(index, element)), value)))
        )

    def add_nearness(self, draft: Draft, where: Denotation, phrase: s.Phrase, relation: Relation | None = None) -> None:
        """Pieces and players in a space adjacent to another, or in one that another relation leads to."""
        relation = relation or self.adjacency(Type("fixture"), phrase)
        near = Draft(Type("fixture"), mask=ZERO, whole=False)
        self.add_relation(near, relation, where, phrase)
        tests, type_ = near.filters, draft.type.one()
        draft.filters.append(lambda value: both([make(self.spot(Ref(value, type_))) for make in tests]))

    def add_standing(self, draft: Draft, where: Denotation, phrase: s.Phrase) -> None:
        """Players in a space."""
        if draft.single is not None and draft.base is None:
            draft.base, draft.single, draft.whole = se.Lone(draft.single), None, False
        type_ = draft.type.one()
        if where.quant == "one":
            spot = self.context.above.one(where, phrase).expr
            draft.filters.append(lambda value: is_same(self.spot(Ref(value, type_)), spot))
        else:
            sel = where.selector()
            draft.filters.append(lambda value: ex.Contains(ex.SetOf(sel), self.spot(Ref(value, type_))))

    def fresh_slot(self) -> int:
        return self.context.unit.slot()

    def add_place(self, draft: Draft, where: Denotation, phrase: s.Phrase) -> None:
        if draft.single is None and where.type.sort in ("zone", "fixture"):
            self.context.presume_place(draft.type, where.type, phrase)
        if where.type.sort == "zone" and where.quant == "one":
            self.inside(draft, self.context.above.one(where, phrase), draft.type.kind)
            return
        if where.type.sort == "piece" and where.quant == "all":
            mask = where.as_mask()
            draft.filters.append(lambda value: ex.Contains(mask, value))
            return
        if where.type.sort == "fixture":
            if where.type.kind is not None and not any(
                self.context.model.kinds[k].holds for k in self.context.model.descendants(where.type.kind)
            ):
                raise self.context.problem(
                    "G0608", phrase, f"a {where.type} holds no pieces", "give its kind holds: true"
                )
            if where.quant == "one":
                self.inside(
                    draft,
                    Ref(ex.ZoneOfFixture(self.context.above.one(where, phrase).expr), Type("zone")),
                    draft.type.kind,
                )
                return
            sel = where.selector()
            draft.filters.append(lambda value: ex.Contains(ex.SetOf(sel), ex.FixtureOfZone(ex.ZoneOfPiece(value))))
            return
        if where.type.sort == "zone":
            sel = where.selector()
            draft.filters.append(lambda value: ex.Contains(ex.SetOf(sel), ex.ZoneOfPiece(value)))
            return
        if where.type.sort == "seat" and phrase.prep.type == "OF" and where.quant == "one":
            seat, type_ = self.context.above.one(where, phrase).expr, draft.type
            draft.filters.append(lambda value: ex.Comparison("==", self.context.owner_of(value, type_), seat))
            return
        raise self.context.problem(
            "G0608", phrase, f"a {where.type} is no place", "a zone, or a space that holds pieces"
        )

    def inside(self, draft: Draft, zone: Ref, kind: str | None) -> Draft:
        """Narrow a draft of pieces to the content of one zone."""
        if draft.single is not None and draft.base is None:
            draft.base = se.Lone(draft.single)
            draft.single = None
            draft.whole = False
        if not draft.whole or draft.mask is not None:
            here = zone.expr
            draft.filters.append(lambda value: is_same(ex.ZoneOfPiece(value), here))
            return draft
        draft.base = se.PiecesOfZone(zone.expr)
        draft.zone, draft.place = zone.expr, zone.type.kind
        draft.whole = False
        holds = self.context.model.zones[zone.type.kind].holds if zone.type.kind in self.context.model.zones else None
        if kind is not None and not self.context.model.is_a(holds, kind):
            type_ = Type("piece", holds)
            draft.filters.insert(0, lambda value: self.context.kind_test(kind, type_, value))
        return draft

    def exclude(self, draft: Draft, phrase: s.Phrase, tail: list[s.Phrase], scope: Scope) -> None:
        out = self.context.above.denote_np(phrase.item, tail, scope)
        if out.type.sort != draft.type.sort and out.type.sort != "nothing":
            if out.type.sort == "fixture":
                fields = self.value_fields(draft.type, str(out.type.kind))
                if len(fields) == 1:
                    column, mask, many = fields[0].column, out.as_mask(), fields[0].type.many
                    draft.filters.append(
                        lambda value: (
                            ex.Comparison("==", ex.SetArithmetic("inter", ex.ReadModified(column, value), mask), ZERO)
                            if many
                            else ex.Not(ex.Contains(mask, ex.ReadModified(column, value)))
                        )
                    )
                    return
            raise self.context.problem(
                "G0601",
                phrase,
                f"a {out.type} is no {draft.type} to begin with",
                f"name a {draft.type} behind other than",
            )
        if out.quant == "one":
            other = self.context.above.one(out, phrase).expr
            draft.filters.append(lambda value: ex.Comparison("!=", value, other))
        else:
            mask = out.as_mask()
            draft.filters.append(lambda value: ex.Not(ex.Contains(mask, value)))

    def within(self, draft: Draft, phrase: s.Phrase, tail: list[s.Phrase], scope: Scope) -> None:
        """`within 2 spaces of the quay`: by the shortest way over what is adjacent."""
        item = phrase.item
        if not isinstance(item, s.Counted) or not tail or tail[0].prep.type != "OF" or not self.stands(draft.type):
            raise self.context.problem(
                "G0608", phrase, f"within does not fit a {draft.type} like this", "write within 1 space of the .."
            )
        steps = self.context.above.count_amount(item.count, scope)
        self.check_spaces(item)
        where = self.context.above.denote_np(tail[0].item, tail[1:], scope)
        if not self.stands(where.type):
            raise self.context.problem(
                "G0608", tail[0], f"a {where.type} stands nowhere", "name a space or a piece on the board"
            )
        relation = self.adjacency(draft.type, phrase)
        type_, index = draft.type, relation.index
        if where.quant == "one":
            anchor = self.spot(self.context.above.one(where, tail[0]))
            draft.filters.append(
                lambda value: ex.Comparison("<=", ex.Distance(index, anchor, self.spot(Ref(value, type_))), steps)
            )
            return
        slot = self.fresh_slot()
        sel, element = where.selector(), self.spot(Ref(ex.Slot(slot), where.type.one()))
        draft.filters.append(
            lambda value: ex.AnyOf(
                se.Filter(
                    sel, slot, ex.Comparison("<=", ex.Distance(index, element, self.spot(Ref(value, type_))), steps)
                )
            )
        )

    def check_spaces(self, item: s.Counted) -> None:
        noun = self.context.nouns.get(str(item.words[-1]))
        if len(item.words) != 1 or noun is None or noun[0].sort != "fixture":
            raise self.context.problem("G0608", item, "within counts spaces", "write within 1 space of the ..")

    def with_field(self, draft: Draft, phrase: s.Phrase, tail: list[s.Phrase], scope: Scope) -> bool:
        """`a boat with 2 or more cargo`, `a player without fame`."""
        item = phrase.item
        if isinstance(item, s.Operand) and len(item.items) == 1:
            item = item.items[0]
        words = item.words if isinstance(item, (s.Counted, s.Noun, s.BareWords)) else ()
        if len(words) != 1 or tail:
            return False
        declared = self.context.model.field(draft.type.kind, str(words[0]))
        none = phrase.prep.type == "WITHOUT" or (
            isinstance(item, s.Noun) and item.det is not None and item.det.type == "NO"
        )
        if declared is None:
            slot = self.slot_of(draft.type, str(words[0]))
            if slot is None:
                return False
            texts = item.count if isinstance(item, s.Counted) else None
            draft.filters.append(lambda value: self.has_text(Program(value, *slot), texts, none, scope))
            return True
        column = declared.column
        if isinstance(item, s.Counted) and declared.type.sort == "number" and not none:
            count = item.count
            draft.filters.append(lambda value: self.context.above.enough(ex.ReadModified(column, value), count, scope))
        else:
            draft.filters.append(lambda value: self.there(ex.ReadModified(column, value), declared.type, none))
        return True

    def slot_of(self, type_: Type, word: str) -> tuple[str, str | None, bool] | None:
        """The slot of texts that a word names on a kind: its name, the kind, and whether it holds a list."""
        for kind in self.context.model.ancestors(type_.kind) if type_.sort == "piece" else ():
            found = self.context.model.kinds[kind].slots.get(word)
            if found is not None:
                return word, type_.kind, found == "effects"
        return None

    def texts_of(self, program: Program) -> Expression:
        """How many texts a piece has in a slot: a number printed on it that nobody is shown."""
        return ex.ReadColumn(self.context.out.text_column(program.name), program.piece)

    def has_text(self, program: Program, count: s.Count | None, none: bool, scope: Scope) -> Expression:
        """That a piece has such a text, or so many of them."""
        if count is not None and not none:
            return self.context.above.enough(self.texts_of(program), count, scope)
        return ex.Comparison("<=" if none else ">", self.texts_of(program), ZERO)

    def there(self, value: Expression, type_: Type, none: bool) -> Expression:
        """That a field has something in it."""
        if type_.many or (type_.sort == "number" and not type_.optional) or type_.sort == "flag":
            return ex.Comparison("<=", value, ZERO) if none else ex.Comparison(">", value, ZERO)
        return ex.Comparison("==" if none else "!=", value, NOTHING)

    def number_range(self, draft: Draft, phrase: s.Phrase, tail: list[s.Phrase], scope: Scope) -> None:
        item = phrase.item
        if isinstance(item, s.Operand) and len(item.items) == 1:
            item = item.items[0]
        if phrase.prep.type == "FROM" and isinstance(item, s.Count) and item.kind == "between":
            assert item.low is not None and item.high is not None
            self.context.rising(item.low, item.high, item)
            if isinstance(item.low, s.Number) and isinstance(item.high, s.Number):
                low, high = int(item.low.value), int(item.high.value)
                if high - low >= MAX_COUNT:
                    raise self.context.problem(
                        "G0609",
                        item,
                        f"{high - low + 1:,} numbers are too many",
                        f"at most {MAX_COUNT:,} can be chosen from",
                    )
            draft.base = se.Range(
                self.context.above.amount(item.low, scope), self.context.above.amount(item.high, scope)
            )
            draft.whole = False
            return
        amount = self.context.above.one(self.context.above.denote_np(item, tail, scope), phrase)
        if amount.type.sort != "number":
            raise self.context.problem(
                "G0601", phrase, f"a number is wanted here, not a {amount.type}", "a number from 1 to 8"
            )
        if phrase.prep.type == "FROM":
            draft.base = se.Range(amount.expr, amount.expr)
        elif phrase.prep.type == "TO" and isinstance(draft.base, se.Range):
            draft.base = se.Range(draft.base.low, amount.expr)
        elif phrase.prep.type == "OTHER_THAN":
            draft.filters.append(lambda value: ex.Comparison("!=", value, amount.expr))
        else:
            raise self.context.problem("G0608", phrase, "a number goes from .. to ..", "a number from 1 to 8")
        draft.whole = False

    def adjacency(self, type_: Type, node: object) -> Relation:
        """The relation by which distances are measured."""
        for relation in self.context.model.relations:
            if relation.prep == "ADJACENT_TO" and (
                type_.sort != "fixture" or self.context.model.fits(type_.kind, relation.member)
            ):
                return relation
        raise self.context.problem(
            "G0607", node, "nothing is adjacent on this board", "declare which spaces are adjacent"
        )

    def value_fields(self, type_: Type, kind: str) -> list[Field]:
        """The fields that hold one value of a kind; where there are none, those that hold a set of them."""
        found: list[Field] = []
        for ancestor in self.context.model.ancestors(type_.kind):
            for declared in self.context.model.kinds[ancestor].fields.values():
                wanted = declared.type.kind
                if declared.type.sort == "fixture" and wanted is not None and self.context.model.is_a(kind, wanted):
                    found.append(declared)
        return [f for f in found if not f.type.many] or found
