"""The engine's own verbs: the few things that no package can declare, because they touch zones, knowledge, chance and
flow."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Literal, NamedTuple

from grimoire.compiler.declare.model import Definition, Type, Verb
from grimoire.compiler.lower.actions import Actions, Shared
from grimoire.compiler.lower.amounts import Amounts
from grimoire.compiler.lower.context import Context
from grimoire.compiler.lower.denotation import Denotation, Item, Program
from grimoire.compiler.lower.forms import NOTHING, ONE, ZERO, seq
from grimoire.compiler.lower.nouns import Nouns
from grimoire.compiler.lower.phrases import Phrases
from grimoire.compiler.lower.repeating import check_times, do_until, each_in_any_order
from grimoire.compiler.lower.scope import Ref, Scope
from grimoire.compiler.syntax import nodes as s
from grimoire.compiler.syntax.tokens import Token
from grimoire.runtime.core import expressions as ex
from grimoire.runtime.core import selectors as se
from grimoire.runtime.core import statements as st
from grimoire.runtime.core.records import Expression, Statement

End = Literal["top", "bottom"]
_ENDS: Final[dict[str, End]] = {"ON_TOP_OF": "top", "AT_BOTTOM_OF": "bottom", "UNDER": "bottom"}
_SEEN: Final[dict[str | None, Literal["zone", "none", "all"]]] = {"face-up": "all", "face-down": "none", None: "zone"}

# verb -> (prepositions it takes, how it is written, what it does); the reference in docs/ is made from this table
BUILT_IN: dict[str, tuple[tuple[str, ...], str, str]] = {
    "choose": ((), "choose NP as NAME", "the one who acts picks what the noun phrase describes; `as` names it"),
    "move": (
        ("TO", "INTO", "ONTO", "ON_TOP_OF", "AT_BOTTOM_OF", "UNDER"),
        "move NP to ZONE",
        "pieces go to a zone or a space: on top of what is there, or `under` it",
    ),
    "shuffle": (("INTO",), "shuffle ZONE, shuffle NP into ZONE", "the pieces of a zone get a random order"),
    "swap": (("WITH",), "swap ZONE with ZONE", "the contents of two zones change places"),
    "look": (("AT",), "look at NP", "the one who acts sees the pieces, nobody else does"),
    "reveal": (("TO",), "reveal NP, reveal NP to PLAYERS", "everybody, or the players named, see the pieces"),
    "add": (("TO",), "add NP to SET", "what is named becomes part of a set that is a state"),
    "remove": (("FROM",), "remove NP from SET", "what is named is no longer part of a set that is a state"),
    "take": (("WITH",), "take a PROCEDURE, take a PROCEDURE with NAME NP and NAME NP", "carries out a procedure"),
    "resolve": (
        (),
        "resolve the SLOT of CARD, resolve any of the SLOT of CARD",
        "carries out a text of a card, or one of a list of texts",
    ),
    "end": (("WITH", "FOR"), "end the game with OUTCOME for PLAYERS", "the game is over"),
    "stop": ((), "stop, stop the PROCEDURE", "leaves the innermost loop, or the procedure named"),
    "conclude": (("WITH",), "conclude the PROCEDURE with VALUE", "leaves the procedure named with a result"),
    "prevent": ((), "prevent it", "the pending event does not happen"),
}


Taken = dict[str, tuple[s.Phrase, list[s.Phrase]]]


class Destination(NamedTuple):
    """Where something goes, as it is said."""

    prep: str
    phrase: s.Phrase
    where: Denotation


class EngineVerbs:
    """The engine's own verbs."""

    def __init__(self, context: Context, phrases: Phrases, nouns: Nouns, amounts: Amounts, actions: Actions) -> None:
        self.context = context
        self.phrases = phrases
        self.nouns = nouns
        self.amounts = amounts
        self.actions = actions

    def perform(self, action: s.Action, scope: Scope) -> list[Statement]:
        fail = scope.fail
        if action.able:
            scope.fail = -1
        try:
            once = action.again is None and action.until is None
            body = self.verb_body(action, scope) if once else self.perform_again(action, scope)
        finally:
            scope.fail = fail
        if action.able:
            whole = seq(body)
            body = [st.If(ex.CanCarryOut(whole), whole)]
        if action.instead:
            self.need_replaceable(action, scope)
            return [st.Cancel(), *body]
        return body

    def perform_again(self, action: s.Action, scope: Scope) -> list[Statement]:
        """`draw 2 cards twice`, `draw a card until you have 7 cards`: what each time gives has no name behind it."""
        again, until = action.again, action.until
        if action.counted is not None and action.bind is None:
            raise self.context.problem(
                "G0607",
                again or until,
                '"that many" counts one clause, and this one is done several times',
                "open a block: repeat ..: with both clauses in it",
            )
        if action.bind is not None:
            raise self.context.problem(
                "G0607",
                action.bind,
                f'"{action.bind}" would name something else each time',
                f"open a block: repeat {'until ..' if again is None else 'so many times'}: and name it inside",
            )
        inner = scope.inner()
        inner.loops += 1
        body = seq([*self.verb_body(action, inner), *inner.resets])
        scope.outcome = None
        if until is not None:
            body = do_until(self.amounts.condition(until, scope), body, scope.unit, self.context)
        if again is not None:
            self.context.countable(again.times)
            times = self.amounts.amount(again.times, scope)
            check_times(times, again.times, self.context)
            if isinstance(times, ex.Number) and times.value < 2:
                message = f'"{times.value} times" is no repetition'
                raise self.context.problem("G0607", again, message, "leave it out, or write twice")
            body = st.Repeat(body, times)
        return [body]

    def verb_body(self, action: s.Action, scope: Scope) -> list[Statement]:
        word = str(action.verb)
        verb = self.context.verb_words.get(word)
        if action.counted is not None and action.bind is None:
            action = action._replace(bind=Token.new_borrow_pos("NAME", action.counted, action.verb))
        if verb is None and word != "move":
            self.actions.refuse_order(action)
        if verb is not None:
            return self.actions.lower_declared(verb, action, scope)
        if word in BUILT_IN:
            perform: Callable[[s.Action, Scope], list[Statement]] = getattr(self, f"do_{word}")
            return perform(action, scope)
        if word in self.context.participles:
            verb = self.context.participles[word]
            raise self.context.problem(
                "G0502", action.verb, f'"{word}" is the participle of {verb.id}', f"write {verb.id}"
            )
        if word in self.context.model.verbs:
            raise self.context.problem(
                "G0502", action.verb, f'"{word}" is a procedure, and a verb is wanted here', f'write "take a {word}"'
            )
        if word in self.context.nouns or word in self.context.model.things or word in self.context.model.zones:
            raise self.context.problem(
                "G0502",
                action.verb,
                f'"{word}" is a noun, and a verb is wanted here',
                f'write "the {word}" where a noun is meant',
            )
        raise self.context.unknown(
            "G0502", "verb", action.verb, [*self.context.verb_words, *BUILT_IN], "a package declares it under verbs"
        )

    def need_replaceable(self, node: object, scope: Scope) -> None:
        if scope.event is None or not scope.event.replaceable:
            raise self.context.problem(
                "G0607", node, "there is no pending event to replace or prevent", "the window must say when .. would .."
            )

    def only_phrases(self, action: s.Action, word: str) -> Shared:
        return self.actions.share(action, BUILT_IN[word][0])

    def plain(self, action: s.Action) -> None:
        """This verb leaves nothing to name."""
        if action.bind is not None:
            raise self.context.problem(
                "G0607", action.bind, f'"{action.verb}" leaves nothing that could be named', "leave out as"
            )

    def do_choose(self, action: s.Action, scope: Scope) -> list[Statement]:
        made = self.actions.direct(action, list(action.phrases), scope)
        if made.quant not in ("choose", "random"):
            raise self.context.problem(
                "G0607", action.object, "there is nothing to choose", "choose a .., choose 2 .., choose up to 3 .."
            )
        if action.bind is None:
            raise self.context.problem("G0602", action.verb, "a choice needs a name", "choose .. as NAME")
        self.check_single(made, action.object)
        pre, ref = self.actions.choice(made, str(action.bind), scope, False, action.object)
        pre += self.actions.bind(action, ref, scope)
        did = scope.unit.slot()
        scope.did = did
        found: Expression = ex.Comparison("!=", ref.expr, ex.Number(0 if ref.type.many else -1))
        return [*pre, st.Let(did, found)]

    def check_single(self, made: Denotation, node: object) -> None:
        """That there is more than one thing to choose among."""
        if made.quant != "choose" or made.low != ONE or made.high != ONE:
            return
        kind, model = made.type.kind, self.context.model
        single = (
            isinstance(made.sel, se.Range) and isinstance(made.sel.low, ex.Number) and made.sel.low == made.sel.high
        )
        if kind is not None and made.type.sort == "piece":
            single = self.context.vocabulary.count_copies(kind) == 1
        elif kind is not None and made.type.sort == "fixture":
            single = sum(model.is_a(thing.kind, kind) for thing in model.things.values()) == 1
        if single:
            said = f"there is one {kind}" if kind is not None else "it is one number"
            message = f"nothing is chosen here: {said}"
            self.context.warn("G0725", node, message, "name it, or choose among more")

    # ------------------------------------------------------------ places

    def zone_of(self, made: Denotation, node: object) -> Expression:
        ref = self.nouns.one(made, node)
        if ref.type.sort == "zone":
            return ref.expr
        if ref.type.sort == "fixture":
            if ref.type.kind is not None and not any(
                self.context.model.kinds[k].holds for k in self.context.model.descendants(ref.type.kind)
            ):
                raise self.context.problem("G0601", node, f"a {ref.type} holds no pieces", "give its kind holds: true")
            return ex.ZoneOfFixture(ref.expr)
        raise self.context.problem("G0601", node, f"a {ref.type} is no place", "a zone or a space that holds pieces")

    def content(self, made: Denotation, node: object) -> Denotation:
        """All pieces in a zone or a space."""
        zone = self.context.model.zones.get(str(made.type.kind)) if made.type.sort == "zone" else None
        kind = zone.holds if zone is not None else None
        return Denotation(Type("piece", kind), "all", sel=se.PiecesOfZone(self.zone_of(made, node)), manner=made.manner)

    def check_holds(self, moved: Type, where: Type, node: object) -> None:
        """That a zone is one for such pieces."""
        zone = self.context.model.zones.get(str(where.kind)) if where.sort == "zone" else None
        if zone is None or self.context.model.fits(moved.kind, zone.holds):
            return
        there = [one.id for one in self.context.model.zones.values() if self.context.model.fits(moved.kind, one.holds)]
        hint = (
            f"for a {moved.kind} there is {', '.join(there)}" if there else f"declare a zone that holds: {moved.kind}"
        )
        message = f"the zone {zone.id} is for pieces of the kind {zone.holds}, and this is a {moved.kind}"
        raise self.context.problem("G0601", node, message, hint)

    def test_fit(self, moved: Type, where: Type, zone: Expression, piece: Expression) -> Expression:
        """That a piece may lie where it is moved; nothing to test where every such piece may."""
        model = self.context.model
        if where.sort != "zone":
            return ONE
        known = model.zones.get(str(where.kind))
        if known is not None:
            return self.context.kind_test(known.holds, moved, piece)
        if all(model.is_a(moved.kind, one.holds) for one in model.zones.values()):
            return ONE
        return ex.FitsZone(zone, piece)

    def only_fitting(self, made: Denotation, goal: Destination, scope: Scope) -> None:
        """Of what is chosen and moved, only what may lie there is offered; not where a choice by what lies hidden
        would tell it."""
        if made.quant != "choose" or goal.where.quant != "one":
            return
        inner = made.selector()
        while isinstance(inner, (se.Filter, se.Best, se.Take)):
            inner = inner.selector
        if isinstance(inner, (se.PiecesOfZone, se.TopPieces)):
            if not self.actions.sees_into(inner.zone, self.context.actor(scope)):
                return
        zone = self.zone_of(goal.where, goal.phrase)
        if self.test_fit(made.type, goal.where.type, zone, NOTHING) == ONE:
            return
        slot = self.phrases.fresh_slot()
        test = self.test_fit(made.type, goal.where.type, zone, ex.Slot(slot))
        made.sel, made.mask, made.expr = se.Filter(made.selector(), slot, test), None, None

    def move_fitting(self, move: st.Move, moved: Type, where: Type, scope: Scope) -> Statement:
        """A move that cannot be done with a piece that may not lie there."""
        test = self.test_fit(moved, where, move.to, move.piece)
        if test == ONE:
            return move
        made = st.If(test, move, seq(self.actions.impossible(scope)))
        self.context.restricted[id(made)] = made
        return made

    def read_destination(self, moved: Type, taken: Taken, scope: Scope) -> Destination:
        """Where something goes, as it is said."""
        prep, (phrase, tail) = next(iter(taken.items()))
        if len(taken) > 1:
            second = list(taken.values())[1][0]
            raise self.context.problem("G0603", second, "this says a second time where to", "leave one of them out")
        where = self.nouns.denote_np(phrase.item, tail, scope)
        self.check_holds(moved, where.type, phrase)
        return Destination(prep, phrase, where)

    def settle_destination(
        self, goal: Destination, scope: Scope
    ) -> tuple[list[Statement], Expression, End, str | None]:
        """Where something goes: what has to be chosen first, the zone, top or bottom, and how it lies."""
        prep, phrase, where = goal
        pre: list[Statement] = []
        manner = where.manner
        if where.quant in ("choose", "random"):
            pre, spot = self.actions.choice(where, "move-to", scope, False, phrase)
            if spot.type.many:
                raise self.context.problem("G0604", phrase, "one place is wanted here", "move .. to a ..")
            where = Denotation(spot.type, "one", expr=spot.expr)
        if prep in _ENDS:
            zone = where.type.kind if where.type.sort == "zone" else None
            self.context.require_order(zone, _ENDS[prep], phrase, "move .. to it")
        return pre, self.zone_of(where, phrase), _ENDS.get(prep, "top"), manner

    def do_move(self, action: s.Action, scope: Scope) -> list[Statement]:
        own, taken = self.only_phrases(action, "move")
        if not taken:
            raise self.context.problem("G0602", action.verb, '"move" needs to know where to', "move .. to the ..")
        moving = scope.of_move()
        made = self.actions.direct(action, own, moving)
        if made.type.sort != "piece":
            raise self.context.problem(
                "G0601", action.object, f"a {made.type} does not move", "cards, tokens and figures move"
            )
        goal = self.read_destination(made.type, taken, moving)
        self.only_fitting(made, goal, scope)
        pre, ref = self.actions.choice(made, "move", scope, False, action.object)
        ref = self.actions.hold(action, ref, pre, scope)
        more, zone, end, manner = self.settle_destination(goal, moving)
        self.context.note_move(ref, Ref(zone, goal.where.type.one()), scope)
        pre += more
        pre += self.actions.bind(action, ref, scope)
        seen = _SEEN[made.manner or manner]
        if not ref.type.many:
            self.actions.refuse_order(action)
            only = st.Move(piece=ref.expr, to=zone, where=end, seen=seen)
            return [*pre, self.move_fitting(only, made.type, goal.where.type, scope)]
        slot = scope.unit.slot()
        one = st.Move(piece=ex.Slot(slot), to=zone, where=end, seen=seen)
        move = self.move_fitting(one, made.type, goal.where.type, scope)
        ordered = made.quant == "all" and action.bind is None
        if action.order is not None:
            actor = self.context.actor(scope)
            return [*pre, *each_in_any_order(slot, ref.expr, move, "piece", "move", actor, scope.unit)]
        order = made.selector() if ordered else se.Members("piece", ref.expr)
        return [*pre, st.ForEach(slot, order, move)]

    def do_shuffle(self, action: s.Action, scope: Scope) -> list[Statement]:
        self.plain(action)
        own, taken = self.only_phrases(action, "shuffle")
        made = self.actions.direct(action, own, scope)
        if not taken:
            return [st.Shuffle(self.zone_of(made, action.object))]
        if made.type.sort in ("zone", "fixture"):
            made = self.content(made, action.object)
        elif made.type.sort != "piece":
            raise self.context.problem(
                "G0601", action.object, f"a {made.type} cannot be shuffled", "cards and zones can"
            )
        goal = self.read_destination(made.type, taken, scope)
        self.only_fitting(made, goal, scope)
        pre, zone, _, _ = self.settle_destination(goal, scope)
        more, ref = self.actions.choice(made, "shuffle", scope, True, action.object)
        self.context.note_move(ref, Ref(zone, goal.where.type.one()), scope)
        slot = scope.unit.slot()
        one = st.Move(piece=ex.Slot(slot), to=zone, where="top", seen="none")
        move = self.move_fitting(one, made.type, goal.where.type, scope)
        each: Statement = st.ForEach(slot, se.Members("piece", ref.expr), move)
        return [*pre, *more, each, st.Shuffle(zone)]

    def do_swap(self, action: s.Action, scope: Scope) -> list[Statement]:
        self.plain(action)
        own, taken = self.only_phrases(action, "swap")
        if "WITH" not in taken:
            raise self.context.problem(
                "G0602", action.verb, '"swap" needs to know what with', "swap your hand with the hand of .."
            )
        phrase, tail = taken["WITH"]
        one_zone, other_zone = self.actions.direct(action, own, scope), self.nouns.denote_np(phrase.item, tail, scope)
        first, second = self.zone_of(one_zone, action.object), self.zone_of(other_zone, phrase)
        here, over = (self.content(made, node).type for made, node in ((one_zone, action.object), (other_zone, phrase)))
        if one_zone.type.sort == "zone":
            self.check_holds(here, other_zone.type, phrase)
        self.context.note_move(Ref(NOTHING, here), Ref(second, other_zone.type.one()), scope)
        self.context.note_move(Ref(NOTHING, over), Ref(first, one_zone.type.one()), scope)
        unit = scope.unit
        held, other, one, two = unit.slot(), unit.slot(), unit.slot(), unit.slot()
        there = st.Move(piece=ex.Slot(one), to=second, where="top", seen="zone")
        back = st.Move(piece=ex.Slot(two), to=first, where="top", seen="zone")
        return [
            st.Let(held, ex.SetOf(se.PiecesOfZone(first))),
            st.Let(other, ex.SetOf(se.PiecesOfZone(second))),
            st.ForEach(one, se.Members("piece", ex.Slot(held)), self.move_fitting(there, here, other_zone.type, scope)),
            st.ForEach(two, se.Members("piece", ex.Slot(other)), self.move_fitting(back, over, one_zone.type, scope)),
        ]

    # ------------------------------------------------------------ knowledge

    def lower_shown(
        self, made: Denotation, label: str, node: object, action: s.Action, scope: Scope
    ) -> tuple[list[Statement], Ref]:
        """The pieces that somebody gets to see: pieces, or all in a zone."""
        if made.type.sort == "zone" and made.quant == "one":
            made = self.content(made, node)
        elif made.type.sort != "piece":
            raise self.context.problem(
                "G0601", node, f"a {made.type} cannot be looked at or revealed", "cards and zones can"
            )
        pre, ref = self.actions.choice(made, label, scope, True, node)
        ref = self.actions.hold(action, Ref(ref.expr, ref.type), pre, scope)
        return pre, ref

    def do_look(self, action: s.Action, scope: Scope) -> list[Statement]:
        own, taken = self.only_phrases(action, "look")
        if "AT" not in taken or action.object is not None:
            raise self.context.problem("G0602", action.verb, '"look" needs to know what at', "look at the ..")
        self.nouns.no_phrases(own)
        phrase, tail = taken["AT"]
        pre, ref = self.lower_shown(self.nouns.denote_np(phrase.item, tail, scope), "look", phrase, action, scope)
        pre += self.actions.bind(action, ref, scope)
        return [*pre, st.Look(ex.SetWith(self.context.actor(scope)), ref.expr)]

    def do_reveal(self, action: s.Action, scope: Scope) -> list[Statement]:
        own, taken = self.only_phrases(action, "reveal")
        pre, ref = self.lower_shown(self.actions.direct(action, own, scope), "reveal", action.object, action, scope)
        who: Expression = ex.SetOf(se.SeatsFrom(ZERO))
        if "TO" in taken:
            phrase, tail = taken["TO"]
            made = self.nouns.denote_np(phrase.item, tail, scope)
            if made.type.sort != "seat":
                raise self.context.problem(
                    "G0601", phrase, f"a {made.type} sees nothing", "reveal .. to the players who see it"
                )
            more, seats = self.actions.choice(made, "reveal-to", scope, True, phrase)
            pre += more
            who = seats.expr
        pre += self.actions.bind(action, ref, scope)
        return [*pre, st.Look(who, ref.expr)]

    # ------------------------------------------------------------ sets

    def do_add(self, action: s.Action, scope: Scope) -> list[Statement]:
        return self.change_set(action, "TO", "union", scope)

    def do_remove(self, action: s.Action, scope: Scope) -> list[Statement]:
        return self.change_set(action, "FROM", "minus", scope)

    def change_set(self, action: s.Action, prep: str, op: Literal["union", "minus"], scope: Scope) -> list[Statement]:
        self.plain(action)
        own, taken = self.only_phrases(action, str(action.verb))
        if prep not in taken:
            raise self.context.problem(
                "G0602", action.verb, f'"{action.verb}" needs a set', f"{action.verb} .. {prep.lower()} the SET of .."
            )
        made = self.actions.direct(action, own, scope)
        phrase, tail = taken[prep]
        target = self.nouns.denote_np(phrase.item, tail, scope)
        if target.mask is None or target.type.sort != made.type.sort:
            raise self.context.problem(
                "G0606", phrase, f"this is no set of {made.type}", "a state whose type is set of .. can grow"
            )
        pre, ref = self.actions.choice(made, str(action.verb), scope, True, action.object)
        return [*pre, self.context.above.store(target.mask, ex.SetArithmetic(op, target.mask, ref.expr), phrase, scope)]

    # ------------------------------------------------------------ procedures and flow

    def procedures(self) -> list[str]:
        """The procedures that can be named; `game` is always one."""
        return [*(v.id for v in self.context.model.verbs.values() if v.procedure and v.id != "game"), "game"]

    def procedure_of(self, action: s.Action) -> Verb:
        item = action.object.items[0] if action.object is not None and len(action.object.items) == 1 else None
        words = item.words if isinstance(item, s.Noun) else ()
        verb = self.context.model.verbs.get(str(words[-1])) if len(words) == 1 else None
        if verb is None or not verb.procedure:
            names = self.procedures()
            word = words[-1] if words else action.verb
            raise self.context.unknown("G0510", "procedure", word, names, f"one of {', '.join(names)}")
        return verb

    def do_take(self, action: s.Action, scope: Scope) -> list[Statement]:
        verb = self.procedure_of(action)
        own, taken = self.actions.share(action, BUILT_IN["take"][0], verb)
        self.nouns.no_phrases(own)
        args: list[Ref | None] = [None] * len(verb.params)
        pre: list[Statement] = []
        given: dict[int, tuple[Item, list[s.Phrase]]] = {}
        if "WITH" in taken:
            phrase, tail = taken["WITH"]
            given |= enumerate(arguments(phrase, tail))
            if len(given) > len(verb.params):
                raise self.context.problem(
                    "G0603", phrase, f"{verb.id} takes {len(verb.params)} things", f"it is written {verb.signature}"
                )
        for i, param in enumerate(verb.params):
            if param.name in taken:
                phrase, tail = taken[param.name]
                given[i] = phrase.item, tail
        for i, (item, own) in given.items():
            param = verb.params[i]
            made = self.nouns.denote_np(item, own, scope)
            self.actions.check_type(made.type, param.type, item, verb)
            if made.quant == "none" and param.optional:
                continue
            more, ref = self.actions.choice(made, param.name, scope, param.type.many, item)
            pre += more
            args[i] = ref
        missing = [p.name for p, ref in zip(verb.params, args, strict=True) if ref is None and not p.optional]
        if missing:
            raise self.context.problem(
                "G0602", action.verb, f"{verb.id} needs {', '.join(missing)}", f"it is written {verb.signature}"
            )
        return pre + self.actions.call(verb, args, action, scope)

    def do_resolve(self, action: s.Action, scope: Scope) -> list[Statement]:
        self.plain(action)
        made = self.actions.direct(action, list(action.phrases), scope)
        if made.program is None:
            raise self.context.problem(
                "G0601", action.object, "a text of a card is wanted here", "resolve the effect of the card"
            )
        program = made.program
        if program.many:
            return self.resolve_texts(made, program, scope)
        known = self.context.programs_of_this.get(program.name) if program.piece == ex.Slot(1) else None
        if known is not None:
            # an ability that a card has from its kind: the text is known here, so what it needs can be looked at first
            scope.unit.slots = max(scope.unit.slots, self.context.out.procs[known - self.context.out.first_proc].slots)
            return [st.Call(known, self.context.actor(scope), (program.piece,))]
        stmt: Statement = st.RunProgram(program.piece, program.name, self.context.actor(scope))
        if self.always_there(program):
            return [stmt]
        if scope.fail >= 0:
            # somebody asks whether it can be done: a text that is not there cannot
            there: Expression = ex.Comparison(">", self.phrases.texts_of(program), ZERO)
            stmt = st.If(there, stmt, seq(self.actions.impossible(scope)))
            self.context.restricted[id(stmt)] = stmt
        else:
            self.context.absent[id(stmt)] = (stmt, program)
        return [stmt]

    def always_there(self, program: Program) -> bool:
        """Whether every card of the kind has the text."""
        return all(d.texts(program.name) for d in self.of_kind(program.kind))

    def of_kind(self, kind: str | None) -> list[Definition]:
        kinds = set(self.context.model.descendants(kind) if kind is not None else self.context.model.kinds)
        return [d for d in self.context.model.definitions.values() if d.kind in kinds]

    def resolve_texts(self, made: Denotation, program: Program, scope: Scope) -> list[Statement]:
        """The texts of a list: each in order, or one that is chosen. An option is the text's number, and says whose it
        is."""
        most = max((d.texts(program.name) for d in self.of_kind(program.kind)), default=0)
        you = self.context.actor(scope)
        steps: list[Statement] = [st.RunProgram(program.piece, f"{program.name}.{i}", you) for i in range(1, most + 1)]
        if made.quant != "choose":
            return steps
        entries = [
            st.Entry(
                f"{program.name}-{i}",
                ex.Comparison(">=", self.phrases.texts_of(program), ex.Number(i)),
                (st.Domain(scope.unit.slot(), "piece", se.Lone(program.piece)),),
                step,
            )
            for i, step in enumerate(steps, 1)
        ]
        if not entries:
            return self.actions.impossible(scope)
        menu: Statement = st.Menu(
            seat=you,
            label=program.name,
            entries=tuple(entries),
            otherwise=seq(self.actions.impossible(scope)),
            at=self.context.place(made.node),
        )
        self.context.absent[id(menu)] = (menu, program)
        return [menu]

    def do_end(self, action: s.Action, scope: Scope) -> list[Statement]:
        self.plain(action)
        own, taken = self.only_phrases(action, "end")
        item = action.object.items[0] if action.object is not None else None
        if not (isinstance(item, s.Noun) and item.words == ("game",)) or own:
            raise self.context.problem(
                "G0607",
                action.verb,
                '"end" ends the game',
                "end the game with OUTCOME for .. ; a procedure is left with stop or conclude",
            )
        if "WITH" not in taken:
            raise self.context.problem(
                "G0602", action.verb, "how does the game end?", "end the game with OUTCOME for .."
            )
        phrase, tail = taken["WITH"]
        self.nouns.no_phrases(tail)
        word = phrase.item.words[-1] if isinstance(phrase.item, s.BareWords | s.Noun) else None
        if isinstance(phrase.item, s.Operand) and isinstance(phrase.item.items[0], s.Noun):
            word = phrase.item.items[0].words[-1]
        thing = self.context.model.things.get(str(word)) if word is not None else None
        if thing is None or thing.kind != "outcome":
            names = [t.id for t in self.context.model.things.values() if t.kind == "outcome"]
            if word is None:
                raise self.context.problem("G0601", phrase, "an outcome is wanted here", f"one of {', '.join(names)}")
            raise self.context.unknown("G0511", "outcome", word, names, f"outcomes: {', '.join(names)}")
        winners: Expression = ZERO
        if "FOR" in taken:
            phrase, tail = taken["FOR"]
            made = self.nouns.denote_np(phrase.item, tail, scope)
            if made.type.sort != "seat":
                raise self.context.problem("G0601", phrase, f"a {made.type} cannot win", "players win")
            winners = made.as_mask()
        return [st.EndGame(thing.id, winners, at=self.context.place(action))]

    def do_stop(self, action: s.Action, scope: Scope) -> list[Statement]:
        self.plain(action)
        if action.object is None:
            if scope.loops == 0:
                raise self.context.problem(
                    "G0607", action.verb, "there is no loop to stop", "stop the PROCEDURE leaves a procedure"
                )
            self.nouns.no_phrases(list(action.phrases))
            return [st.Stop()]
        self.nouns.no_phrases(list(action.phrases))
        return self.leave(self.procedure_of(action), None, scope)

    def do_conclude(self, action: s.Action, scope: Scope) -> list[Statement]:
        self.plain(action)
        verb = self.procedure_of(action)
        own, taken = self.only_phrases(action, "conclude")
        self.nouns.no_phrases(own)
        if "WITH" not in taken:
            raise self.context.problem(
                "G0602",
                action.verb,
                '"conclude" needs a result',
                f"conclude the {verb.id} with .., or stop the {verb.id}",
            )
        phrase, tail = taken["WITH"]
        ref = self.nouns.one(self.nouns.denote_np(phrase.item, tail, scope), phrase)
        if verb.result is None:
            raise self.context.problem(
                "G0601", phrase, f"{verb.id} has no result", f"declare a result, or stop the {verb.id}"
            )
        self.amounts.check_storable(verb.result, ref, phrase, f"the result of {verb.id}")
        return self.leave(verb, self.bound_result(verb, ref.expr), scope)

    @staticmethod
    def bound_result(verb: Verb, value: Expression) -> Expression:
        """A result that is a number with bounds stays inside them."""
        type_ = verb.result
        if type_ is None or type_.sort != "number" or type_.low is None or type_.high is None:
            return value
        if isinstance(value, ex.Number):
            return ex.Number(max(type_.low, min(type_.high, value.value)))
        return ex.Arithmetic("max", ex.Number(type_.low), ex.Arithmetic("min", ex.Number(type_.high), value))

    @staticmethod
    def leave(verb: Verb, value: Expression | None, scope: Scope) -> list[Statement]:
        out = st.Leave(verb.index, value)
        if scope.unit.verb is not None and scope.unit.verb.id == verb.id:
            return [out]
        return [st.If(ex.IsRunning(verb.index), out)]

    def do_prevent(self, action: s.Action, scope: Scope) -> list[Statement]:
        self.plain(action)
        self.need_replaceable(action, scope)
        item = action.object.items[0] if action.object is not None and len(action.object.items) == 1 else None
        if not (isinstance(item, s.Pronoun) and item.word.type == "IT") or action.phrases:
            raise self.context.problem("G0607", action, "what is prevented is the pending event", "write prevent it")
        return [st.Cancel()]


def arguments(phrase: s.Phrase, tail: list[s.Phrase]) -> list[tuple[Item, list[s.Phrase]]]:
    """What stands behind `with`, joined by `and`: `the worth of the lamp and 2` are two things, each with the phrases
    behind it."""
    found: list[tuple[Item, list[s.Phrase]]] = []
    for part in (phrase, *tail):
        item = part.item
        items: list[Item] = list(item.items) if isinstance(item, s.Operand) and item.joint == "and" else [item]
        if part is phrase:
            found.append((items[0], []))
        else:
            found[-1][1].append(part._replace(item=items[0]))
        found.extend((other, []) for other in items[1:])
    return found
