"""Lower one clause, a verb with its object and phrases, to core statements: choices, declared verbs, names given with
`as`.

Every verb here is declared by a package with a signature; the engine's own verbs stand in engine_verbs.py.
Prepositional phrases that the signature names are the verb's; each other one belongs to the noun on its left.
"""

from __future__ import annotations

from dataclasses import replace

from grimoire.compiler.declare.model import NUMBER, Param, Type, Verb
from grimoire.compiler.diagnostics.report import did_you_mean
from grimoire.compiler.lower.amounts import Amounts
from grimoire.compiler.lower.context import Context
from grimoire.compiler.lower.denotation import Denotation
from grimoire.compiler.lower.forms import NOTHING, ONE, ZERO, as_sort, both, seq
from grimoire.compiler.lower.nouns import Nouns
from grimoire.compiler.lower.phrases import AIM_PREPS, Phrases
from grimoire.compiler.lower.repeating import each_in_any_order
from grimoire.compiler.lower.scope import Ref, Scope
from grimoire.compiler.syntax import nodes as s
from grimoire.compiler.syntax.tokens import Token
from grimoire.runtime.core import expressions as ex
from grimoire.runtime.core import selectors as se
from grimoire.runtime.core import statements as st
from grimoire.runtime.core.analysis import strip
from grimoire.runtime.core.records import Expression, Statement
from grimoire.runtime.core.walk import children

Shared = tuple[list[s.Phrase], dict[str, tuple[s.Phrase, list[s.Phrase]]]]


def fill_left_out(param: Param) -> Expression:
    """What a part of a signature is that was left out: nothing, of a set none, of a number 0."""
    return ZERO if param.type.many or param.type.sort in ("number", "flag") else NOTHING


class Actions:
    """Verbs of packages."""

    def __init__(self, context: Context, phrases: Phrases, nouns: Nouns, amounts: Amounts) -> None:
        self.context = context
        self.phrases = phrases
        self.nouns = nouns
        self.amounts = amounts

    # ------------------------------------------------------------ what could not be done

    @staticmethod
    def impossible(scope: Scope) -> list[Statement]:
        """A part that cannot be carried out: a move of nothing fails a cost that is being tried, and is nothing
        otherwise."""
        made: list[Statement] = [st.Move(NOTHING, NOTHING)]
        if scope.fail >= 0:
            made.append(st.Let(scope.fail, ZERO))
        return made

    def stoppable(self, verb: Verb) -> bool:
        """Whether some text can keep this event from happening."""
        return verb.index in self.context.vocabulary.stoppable

    # ------------------------------------------------------------ phrases and nouns

    def share(self, action: s.Action, preps: tuple[str, ...], verb: Verb | None = None) -> Shared:
        """Give each phrase to the verb (by preposition, or by the name of an argument) or to the noun on its left."""
        own: list[s.Phrase] = []
        taken: dict[str, tuple[s.Phrase, list[s.Phrase]]] = {}
        tail = own
        named = False
        for phrase in action.phrases:
            key = phrase.prep.type
            if phrase.name is not None:
                key, named = self.name_argument(phrase.name, action.verb, verb), True
                if key in taken:
                    raise self.context.problem("G0603", phrase.name, f'"{key}" is given twice', "leave one of them out")
            # behind an argument with a name, `with` narrows its noun: with foe a boat with 2 cargo
            elif key not in preps or key in taken or (named and key == "WITH"):
                tail.append(phrase)
                continue
            tail = []
            taken[key] = (phrase, tail)
        return own, taken

    def name_argument(self, name: Token, word: Token, verb: Verb | None) -> str:
        """The argument that a phrase names."""
        names = [param.name for param in verb.params if param.role is None] if verb is not None else []
        if str(name) in names:
            return str(name)
        guess = did_you_mean(str(name), names)
        thing = verb.id if verb is not None else word
        message = f'{thing} takes nothing called "{name}"' + (f": did you mean {guess}?" if guess else "")
        written = f"it is written {verb.signature}; " if verb is not None else ""
        raise self.context.problem("G0603", name, message, f'{written}another step stands behind "then"')

    def direct(self, action: s.Action, phrases: list[s.Phrase], scope: Scope) -> Denotation:
        if action.object is None:
            raise self.context.problem(
                "G0602", action.verb, f'"{action.verb}" needs to know what', f"{action.verb} the .., {action.verb} a .."
            )
        return self.nouns.operand(action.object.items, action.object.joint, phrases, scope)

    # ------------------------------------------------------------ choices

    def only_known(self, made: Denotation, actor: Expression) -> None:
        """Nobody chooses by what they cannot see: options that a filter takes out of a hidden zone would tell what lies
        there.

        A zone that the chooser sees into needs no look; a whole hidden zone is offered place by place; anything else is
        narrowed to the pieces that the chooser knows. What lies face-down on the board is offered too, when its back
        tells that it is meant and nothing but its place is asked for.
        """
        sel = made.selector()
        inner, filtered, by_place = sel, False, True
        while isinstance(inner, (se.Filter, se.Best, se.Take)):
            if not isinstance(inner, se.Take):
                filtered = True
                asked = inner.key if isinstance(inner, se.Best) else inner.condition
                by_place = by_place and only_asks_where(asked, inner.element)
            inner = inner.selector
        if isinstance(inner, (se.PiecesOfZone, se.TopPieces)):
            if not filtered or self.sees_into(inner.zone, actor):
                return
        elif isinstance(inner, (se.Members, se.Lone, se.Concatenation)) and not filtered:
            return
        element = ex.Slot(self.phrases.fresh_slot())
        meant: Expression = ex.Knows(actor, element)
        if isinstance(inner, se.PiecesOfKind) and by_place:
            index = inner.kind
            if any(k.back for k in self.context.model.kinds.values() if k.index == index):
                on_board = ex.Comparison(">=", ex.FixtureOfZone(ex.ZoneOfPiece(element)), ZERO)
                meant = ex.Or((meant, on_board))
        made.sel, made.mask, made.expr = se.Filter(sel, element.slot, meant), None, None

    def sees_into(self, zone: Expression, actor: Expression) -> bool:
        if isinstance(zone, ex.ZoneOfFixture):
            return all(kind.seen == "all" for kind in self.context.model.kinds.values() if kind.holds)
        if not isinstance(zone, (ex.Zone, ex.ZoneOfSeat)):
            return False
        declared = next(z for z in self.context.model.zones.values() if z.index == zone.zone)
        own = isinstance(zone, ex.ZoneOfSeat) and zone.seat == actor
        return declared.seen == "all" or (declared.seen == "owner" and own)

    def choice(
        self, made: Denotation, label: str, scope: Scope, many: bool, node: object
    ) -> tuple[list[Statement], Ref]:
        """The statements that settle which objects are meant, and the value they leave."""
        unit = scope.unit
        type_ = made.type.one()
        if made.program is not None or type_.sort in ("procedure", "nothing", "option"):
            if type_.sort == "nothing":
                return [], Ref(NOTHING, type_)
            raise self.context.problem(
                "G0601", node, f"a {type_} is no object of a verb", "name cards, players or things"
            )
        if made.quant == "one":
            ref = self.nouns.one(made, node)
            return [], Ref(ex.SetWith(ref.expr), ref.type.set()) if many else ref
        if made.quant == "none":
            raise self.context.problem(
                "G0607", node, '"no" is no object of a verb', "leave the clause out, or say cannot"
            )
        if made.quant == "all":
            return [], Ref(made.as_mask(), type_.set())
        slot = made.slot if made.slot >= 0 else unit.slot()
        if made.source is not None:
            single = made.low == made.high == ONE
            unit.taken[made.source] = ex.SetWith(ex.Slot(slot)) if single else ex.Slot(slot)
        if made.quant == "random":
            if made.low is not None and made.low != ONE:
                return self.random_many(made, slot, scope)
            unit.chosen.add(slot)
            stmts: list[Statement] = [
                st.ChooseAtRandom(slot, made.selector()),
                st.If(ex.Comparison("==", ex.Slot(slot), NOTHING), seq(self.impossible(scope))),
            ]
            return stmts, Ref(ex.SetWith(ex.Slot(slot)), type_.set()) if many else Ref(ex.Slot(slot), type_)
        if type_.sort == "piece":
            self.only_known(made, self.context.actor(scope))
        if made.alike:
            return self.take_alike(made, slot, scope)
        if made.low == ONE and made.high == ONE:
            unit.chosen.add(slot)
            domain = st.Domain(slot, as_sort(type_.sort), made.selector())
            entry = st.Entry(label, None, (domain,), None)
            reset: Statement = st.Let(slot, NOTHING)
            menu: Statement = st.Menu(
                seat=self.context.actor(scope),
                label=label,
                entries=(entry,),
                otherwise=seq([reset, *self.impossible(scope)]),
                at=self.context.place(node),
            )
            return [menu], Ref(ex.SetWith(ex.Slot(slot)), type_.set()) if many else Ref(ex.Slot(slot), type_)
        if type_.sort == "number":
            raise self.context.problem(
                "G0610", node, "several numbers cannot be chosen at once", "choose them one by one"
            )
        low = made.low or ZERO
        picked: Statement = st.Choose(
            seat=self.context.actor(scope),
            label=label,
            slot=slot,
            sort=as_sort(type_.sort),
            in_=made.selector(),
            low=low,
            high=made.high or ex.CountOf(made.selector()),
            at=self.context.place(node),
        )
        stmts = [picked]
        if scope.fail >= 0 and low != ZERO:
            few: Expression = ex.Comparison("<", ex.SizeOfSet(ex.Slot(slot)), low)
            stmts.append(st.If(few, st.Let(scope.fail, ZERO)))
        return stmts, Ref(ex.Slot(slot), type_.set())

    def take_alike(self, made: Denotation, slot: int, scope: Scope) -> tuple[list[Statement], Ref]:
        """Copies of one card that nothing tells apart: which of them is not asked."""
        assert made.low is not None
        stmts: list[Statement] = [
            st.Let(slot, ex.SetOf(se.Take(made.low, made.selector()))),
            st.If(ex.Comparison("<", ex.SizeOfSet(ex.Slot(slot)), made.low), seq(self.impossible(scope))),
        ]
        return stmts, Ref(ex.Slot(slot), made.type.set())

    def random_many(self, made: Denotation, slot: int, scope: Scope) -> tuple[list[Statement], Ref]:
        """Several at random: one after the other out of what is left."""
        one = scope.unit.slot()
        left = scope.unit.slot()
        assert made.low is not None
        body = seq(
            [
                st.ChooseAtRandom(one, se.Members(as_sort(made.type.sort), ex.Slot(left))),
                st.Let(left, ex.SetArithmetic("minus", ex.Slot(left), ex.SetWith(ex.Slot(one)))),
                st.Let(slot, ex.SetArithmetic("union", ex.Slot(slot), ex.SetWith(ex.Slot(one)))),
            ]
        )
        return [
            st.Let(slot, ZERO),
            st.Let(left, ex.SetOf(made.selector())),
            st.If(ex.Comparison("<", ex.SizeOfSet(ex.Slot(left)), made.low), seq(self.impossible(scope))),
            st.Repeat(times=ex.Arithmetic("min", made.low, ex.SizeOfSet(ex.Slot(left))), body=body),
        ], Ref(ex.Slot(slot), made.type.set())

    def hold(self, action: s.Action, ref: Ref, pre: list[Statement], scope: Scope) -> Ref:
        """What `as` names is the object meant now, not whatever the phrase describes later."""
        if action.bind is None or isinstance(ref.expr, ex.Number):
            return ref
        return self.keep_in_slot(ref, pre, scope)

    @staticmethod
    def keep_in_slot(ref: Ref, pre: list[Statement], scope: Scope) -> Ref:
        """The value in a slot of its own."""
        if isinstance(ref.expr, ex.Slot):
            return ref
        slot = scope.unit.slot()
        pre.append(st.Let(slot, ref.expr))
        if not ref.type.many:
            scope.unit.chosen.add(slot)
        return Ref(ex.Slot(slot), ref.type)

    def bind(self, action: s.Action, ref: Ref, scope: Scope) -> list[Statement]:
        """Give the name behind `as` its value; a name that another branch gave keeps its slot."""
        if action.bind is None:
            return []
        word = str(action.bind)
        found = scope.find(word)
        if found is not None and found.token is not None:
            if found.resets and found.ref.type.sort == ref.type.sort and found.ref.type.many == ref.type.many:
                found.read()
                found.used = False
                assert isinstance(found.ref.expr, ex.Slot)
                return [st.Let(found.ref.expr.slot, ref.expr)]
            raise self.context.problem("G0509", action.bind, f'"{word}" is named already', "take another name")
        if (
            word in self.context.nouns
            or word in self.context.model.zones
            or word in self.context.model.things
            or word in self.context.model.counters
        ):
            raise self.context.problem(
                "G0509", action.bind, f'"{word}" is a word of the package already', "take another name"
            )
        made: list[Statement] = []
        scope.bind(word, ref if isinstance(ref.expr, ex.Number) else self.keep_in_slot(ref, made, scope), action.bind)
        return made

    # ------------------------------------------------------------ declared verbs

    def lower_declared(self, verb: Verb, action: s.Action, scope: Scope) -> list[Statement]:
        preps = tuple(p.role for p in verb.params if p.role not in (None, "object", "amount"))
        own, taken = self.share(action, preps, verb)
        used = [phrase for phrase, _ in taken.values()]
        aimed = next((one for one in action.phrases if one.prep.type in AIM_PREPS and one not in used), None)
        if aimed is not None:  # where something goes is the verb's to say: no noun takes it
            raise self.context.problem(
                "G0603", aimed, f'"{verb.id}" has no "{aimed.prep}"', f"it is written {verb.signature}"
            )
        object_param = next((p for p in verb.params if p.role == "object"), None)
        amount_param = next((p for p in verb.params if p.role == "amount"), None)
        pre: list[Statement] = []
        args: list[Ref | None] = [None] * len(verb.params)
        dens: list[Denotation | None] = [None] * len(verb.params)
        if amount_param is not None:
            more, amount, thing = self.amount_object(verb, action, own, amount_param, object_param, scope)
            pre += more
            args[verb.params.index(amount_param)] = Ref(amount, NUMBER)
            if object_param is not None:
                args[verb.params.index(object_param)] = thing
        elif object_param is not None and (action.object is not None or not object_param.optional):
            made = self.direct(action, own, scope)
            self.check_type(made.type, object_param.type, action.object, verb)
            dens[verb.params.index(object_param)] = made
        elif action.object is not None:
            raise self.context.problem(
                "G0603", action.object, f'"{verb.id}" takes no object', f"it is written {verb.signature}"
            )
        elif own:
            raise self.context.problem(
                "G0603", own[0], f'"{verb.id}" has no "{own[0].prep}"', f"it is written {verb.signature}"
            )
        for i, param in enumerate(verb.params):
            if param.role in ("object", "amount"):
                continue
            if param.key not in taken:
                if not param.optional:
                    raise self.context.problem(
                        "G0602",
                        action.verb,
                        f'"{verb.id}" is missing its "{prep_word(param.key)}"',
                        f"it is written {verb.signature}",
                    )
                continue
            phrase, tail = taken[param.key]
            made = self.nouns.denote_np(phrase.item, tail, scope)
            self.check_type(made.type, param.type, phrase, verb)
            dens[i] = made
        nodes = [action.object if p.role == "object" else taken.get(p.key, (action.verb,))[0] for p in verb.params]
        self.narrow(verb, dens, args, scope)
        for i, param in enumerate(verb.params):
            den = dens[i]
            if den is None:
                continue
            label = verb.id if param.role == "object" else f"{verb.id}-{prep_word(param.key)}"
            more, ref = self.choice(den, label, scope, param.type.many, nodes[i])
            pre += more
            args[i] = self.hold(action, ref, pre, scope) if param.role == "object" else ref
        return pre + self.call(verb, args, action, scope)

    def amount_object(
        self,
        verb: Verb,
        action: s.Action,
        own: list[s.Phrase],
        amount_param: Param,
        object_param: Param | None,
        scope: Scope,
    ) -> tuple[list[Statement], Expression, Ref | None]:
        """`draw 2 cards`, `lose 1 coin`, `draw (n) cards`: how many of what."""
        signature = f"it is written {verb.signature}"
        if action.object is None or len(action.object.items) != 1:
            raise self.context.problem("G0602", action.verb, f'"{verb.id}" needs one number', signature)
        item = action.object.items[0]
        words: s.Words = ()
        if isinstance(item, s.Count):
            count = item
        elif isinstance(item, s.Counted):
            count, words = item.count, item.words
        elif isinstance(item, s.Noun) and item.det is not None and item.det.type == "A":
            count, words = s.Count(item.det, "exactly", s.Number(Token("NUMBER", "1")), None), item.words
        else:
            some = isinstance(item, s.Noun) and item.det is not None and item.det.type in ("ALL", "EACH", "ANY", "YOUR")
            hint = f"{signature}; all of it is an amount in parentheses: {verb.id} (..) .." if some else signature
            raise self.context.problem("G0602", item, f'"{verb.id}" needs a number', hint)
        if len(words) > 1 or (isinstance(item, (s.Counted, s.Noun)) and item.relative is not None):
            raise self.context.problem(
                "G0603", item, f'"{verb.id}" takes a plain amount, nothing that narrows it', signature
            )
        self.nouns.no_phrases(own)
        thing: Ref | None = None
        if object_param is not None:
            if not words:
                raise self.context.problem("G0602", item, f'"{verb.id}" needs to know of what', signature)
            thing = self.nouns.bare(words[-1], scope)
            self.check_type(thing.type, object_param.type, words[-1], verb)
        elif amount_param.noun is not None and words:
            wanted = self.context.nouns.get(amount_param.noun)
            given = self.context.nouns.get(str(words[-1]))
            same = wanted is not None and given is not None and self.context.model.fits(given[0].id, wanted[0].id)
            if not same and amount_param.noun.rstrip("s") != str(words[-1]).rstrip("s"):
                forms = (amount_param.noun, amount_param.noun.rstrip("s"))
                guess = did_you_mean(str(words[-1]), forms)
                said = f'"{verb.id}" goes with {amount_param.noun}, not with {words[-1]}'
                said += f": did you mean {guess}?" if guess else ""
                raise self.context.problem("G0601", words[-1], said, signature)
        elif words:
            raise self.context.problem("G0603", words[-1], f'"{verb.id}" takes a number and no noun', signature)
        kind = self.context.nouns.get(str(amount_param.noun)) if amount_param.noun is not None else None
        if count.kind != "exactly" or (kind is not None and kind[0].sort == "piece"):
            self.context.countable(count.low, count.high)
            self.context.rising(count.low, count.high, count)
        match count.kind:
            case "exactly" if count.low is not None:
                return [], self.amounts.amount(count.low, scope), thing
            case "between" | "up_to" if count.high is not None:
                low: Expression = ZERO if count.low is None else self.amounts.amount(count.low, scope)
                slot = scope.unit.slot()
                domain = st.Domain(slot, "number", se.Range(low, self.amounts.amount(count.high, scope)))
                menu: Statement = st.Menu(
                    seat=self.context.actor(scope),
                    label=verb.id,
                    entries=(st.Entry(verb.id, None, (domain,), None),),
                    otherwise=seq([st.Let(slot, ZERO), *self.impossible(scope)]),
                    at=self.context.place(item),
                )
                return [menu], ex.Slot(slot), thing
        raise self.context.problem(
            "G0607", item, "this number is not one that can be chosen here", "2, 1 to 4, up to 3, (EXPR)"
        )

    def check_type(self, have: Type, want: Type, node: object, verb: Verb) -> None:
        if have.sort == "nothing" and want.optional:
            return
        places = want.sort == "zone" and have.sort == "fixture"
        if places:
            if have.kind is not None and not any(
                self.context.model.kinds[k].holds for k in self.context.model.descendants(have.kind)
            ):
                raise self.context.problem("G0601", node, f"a {have} holds no pieces", "give its kind holds: true")
            return
        if have.sort != want.sort or (want.sort != "zone" and not self.context.model.fits(have.kind, want.kind)):
            raise self.context.problem(
                "G0601", node, f'"{verb.id}" wants a {want}, not a {have}', f"it is written {verb.signature}"
            )

    def narrow(self, verb: Verb, dens: list[Denotation | None], args: list[Ref | None], scope: Scope) -> None:
        """Only what the verb's own restriction and no prohibition exclude is offered."""
        if verb.only is None and verb.index not in self.context.vocabulary.forbidden:
            return
        values: list[Expression] = []
        open_: list[int] = []
        slots: dict[int, int] = {}
        for i, param in enumerate(verb.params):
            den, ref = dens[i], args[i]
            if ref is not None:
                values.append(ref.expr)
            elif den is None:
                values.append(fill_left_out(param))
            elif den.quant == "one" and den.type.sort != "nothing":
                ref = self.nouns.one(den, den.node)
                places = param.type.sort == "zone" and ref.type.sort == "fixture"
                values.append(ex.ZoneOfFixture(ref.expr) if places else ref.expr)
            elif den.quant == "choose" and not param.type.many:
                slots[i] = self.phrases.fresh_slot()
                open_.append(i)
                values.append(ex.Slot(slots[i]))
            else:
                return
        test = self.test_permission(verb, values, scope)
        for at, i in enumerate(open_):
            den = dens[i]
            assert den is not None
            slot = slots[i]
            single = den.low == den.high == ONE
            if single:
                den.slot = slot  # a choice that follows knows this one by the slot that it fills
            later = [dens[j] for j in open_[at + 1 :]]
            if len(later) > 1:
                continue
            found = test
            for other in later:
                assert other is not None
                found = ex.AnyOf(se.Filter(other.selector(), slots[open_[at + 1]], test))
            den.sel, den.mask, den.expr = se.Filter(den.selector(), slot, found), None, None
            if not single:
                return

    def test_permission(self, verb: Verb, values: list[Expression], scope: Scope) -> Expression:
        tests: list[Expression] = []
        if verb.only is not None:
            refs: list[Ref | None] = [Ref(v, p.type) for v, p in zip(values, verb.params, strict=True)]
            tests.append(self.restriction(verb, refs, scope))
        if verb.index in self.context.vocabulary.forbidden:
            tests.append(ex.IsAllowed(verb.index, self.context.actor(scope), (*values,)))
        return both(tests)

    def restriction(self, verb: Verb, args: list[Ref | None], scope: Scope) -> Expression:
        assert verb.only is not None
        if not verb.only.ok or verb.only.node is None:
            return ONE
        inner = Scope(scope.unit, None, {}, self.context.actor(scope))
        for param, ref in zip(verb.params, args, strict=False):
            if ref is not None:
                inner.bind(param.name, ref, None)
                if param.role == "object":
                    inner.it = ref
        saved, self.context.text = self.context.text, verb.only
        try:
            return self.amounts.condition(verb.only.condition, inner)
        finally:
            self.context.text = saved

    # ------------------------------------------------------------ the event

    def call(self, verb: Verb, args: list[Ref | None], action: s.Action, scope: Scope) -> list[Statement]:
        spread: tuple[int, Ref, int] | None = None
        pre: list[Statement] = []
        values: list[Expression] = []
        unsure: list[Expression] = []
        for i, (param, ref) in enumerate(zip(verb.params, args, strict=True)):
            if ref is None or ref.type.sort == "nothing":
                values.append(fill_left_out(param))
            elif ref.type.many and not param.type.many:
                if spread is not None:
                    raise self.context.problem(
                        "G0604",
                        action.verb,
                        f'"{verb.id}" gets several of two things at once',
                        "name one of them first: choose .. as NAME",
                    )
                element = ex.Slot(scope.unit.slot())
                spread = (i, ref, element.slot)
                values.append(ex.ZoneOfFixture(element) if self.is_place(param, ref) else element)
            else:
                if self.unsure(ref, param, scope):
                    ref = self.keep_in_slot(ref, pre, scope)
                    unsure.append(ref.expr)
                value = ex.ZoneOfFixture(ref.expr) if self.is_place(param, ref) else ref.expr
                values.append(self.leave_out(param, value))
        self.context.told.carried_out.add(verb.id)
        for number, given in enumerate(args):
            if given is not None:
                self.context.note_given(verb, number, given, scope)
        event = st.Propose(verb.index, self.context.actor(scope), tuple(values), at=self.context.place(action))
        if verb.result is not None:
            result = scope.unit.slot()
            event = replace(event, result=result)
            if verb.result.sort in ("seat", "fixture", "piece", "zone") and not verb.result.many:
                scope.unit.chosen.add(result)
            scope.outcome = Ref(ex.Slot(result), verb.result)
        event, after = self.watch(verb, event, scope)
        if action.bind is not None:
            event, more, target = self.name_result(verb, args, values, spread, event, after, action, scope)
            pre += more
            if target is not None:
                pre += self.bind(action, target, scope)
        made = seq([event, *after])
        if verb.only is not None:
            refs: list[Ref | None] = [Ref(v, p.type) for v, p in zip(values, verb.params, strict=True)]
            cond = self.restriction(verb, refs, scope)
            made = st.If(cond, made, seq(self.impossible(scope)))
            self.context.restricted[id(made)] = made
        if spread is not None:
            _, ref, slot = spread
            if action.order is not None:
                sort, actor = as_sort(ref.type.sort), self.context.actor(scope)
                return [*pre, *each_in_any_order(slot, ref.expr, made, sort, verb.id, actor, scope.unit)]
            return [*pre, st.ForEach(slot, se.Members(as_sort(ref.type.sort), ref.expr), made)]
        self.refuse_order(action)
        if unsure:
            # a choice that found nothing to choose leaves -1: then nothing is done
            known = both([ex.Comparison("!=", expr, NOTHING) for expr in unsure])
            made = st.If(known, made, seq(self.impossible(scope)))
        return [*pre, made]

    def refuse_order(self, action: s.Action) -> None:
        """`in any order` is for a verb that is done to several things, one after the other."""
        if action.order is not None:
            raise self.context.problem(
                "G0607",
                action.order,
                '"in any order" changes nothing here',
                "it stands behind several: move the others on top of the deck in any order",
            )

    @staticmethod
    def is_place(param: Param, ref: Ref) -> bool:
        return param.type.sort == "zone" and ref.type.sort == "fixture"

    @staticmethod
    def unsure(ref: Ref, param: Param, scope: Scope) -> bool:
        """Whether the value may be nothing, so that the event must not be proposed with it."""
        if param.optional or param.role == "amount" or ref.type.many:
            return False
        if ref.type.sort not in ("piece", "fixture", "seat"):
            return False
        expr = ref.expr
        if isinstance(expr, ex.Slot):
            own = scope.unit.verb.params if scope.unit.verb is not None else []
            left_out = 1 <= expr.slot <= len(own) and own[expr.slot - 1].optional
            return left_out or expr.slot in scope.unit.chosen
        if isinstance(expr, ex.ReadVariable):
            return ref.type.optional
        return not isinstance(expr, (ex.Number, ex.NextSeat, ex.ThisPiece, ex.EventArgument))

    def leave_out(self, param: Param, value: Expression) -> Expression:
        """A number that may be nothing, given for one that may be left out, is then left out."""
        read = strip(value)
        text = self.context.text
        if not (param.optional or param.type.optional) or (text is not None and text.language < 2):
            return value
        absent = (
            isinstance(read, ex.ReadColumn | ex.ReadModified) and read.column in self.context.vocabulary.absent_columns
        ) or (isinstance(read, ex.ReadVariable) and read.variable in self.context.vocabulary.absent_counters)
        if not absent:
            return value
        return ex.Conditional(ex.Comparison("!=", value, NOTHING), value, fill_left_out(param))

    def watch(self, verb: Verb, event: st.Propose, scope: Scope) -> tuple[st.Propose, list[Statement]]:
        """Note a failure where somebody asks for it: the event, and what follows it."""
        if scope.fail < 0 or not self.stoppable(verb):
            return event, []
        happened = scope.unit.slot()
        failed = st.Let(scope.fail, ZERO)
        return replace(event, ok=happened), [st.If(ex.Comparison("!=", ex.Slot(happened), ONE), failed)]

    def name_result(
        self,
        verb: Verb,
        args: list[Ref | None],
        values: list[Expression],
        spread: tuple[int, Ref, int] | None,
        event: st.Propose,
        after: list[Statement],
        action: s.Action,
        scope: Scope,
    ) -> tuple[st.Propose, list[Statement], Ref | None]:
        """What `as` names: the result of the verb, or the objects to which it really happened."""
        if verb.result is not None:
            return event, [], scope.outcome
        at = next((i for i, p in enumerate(verb.params) if p.role == "object" and args[i] is not None), -1)
        if at < 0:
            at = next((i for i, p in enumerate(verb.params) if p.role == "amount" and args[i] is not None), -1)
        if at < 0:
            raise self.context.problem(
                "G0607", action.bind, f'"{verb.id}" leaves nothing that could be named', "give the verb a result"
            )
        ref = args[at]
        assert ref is not None
        if not self.stoppable(verb):
            return event, [], ref
        many = ref.type.many
        slot = scope.unit.slot()
        happened = event.ok
        if happened is None:
            happened = scope.unit.slot()
            event = replace(event, ok=happened)
        now = ref.expr
        if spread is not None and spread[0] == at:
            now = ex.SetArithmetic("union", ex.Slot(slot), ex.SetWith(values[at]))
        after.append(st.If(ex.Comparison("==", ex.Slot(happened), ONE), st.Let(slot, now)))
        empty = 0 if many or ref.type.sort == "number" else -1
        if not many:
            scope.unit.chosen.add(slot)
        return event, [st.Let(slot, ex.Number(empty))], Ref(ex.Slot(slot), ref.type)


def only_asks_where(expr: object, slot: int) -> bool:
    """Whether an expression asks of the element in the slot nothing but where it lies."""
    if expr == ex.Slot(slot):
        return False
    if expr == ex.ZoneOfPiece(ex.Slot(slot)):
        return True
    return isinstance(expr, Statement) or all(only_asks_where(part, slot) for part in children(expr))


def prep_word(role: str) -> str:
    """The word of a preposition; the name of an argument is one already."""
    return role.lower().replace("_prep", "").replace("_", " ")
