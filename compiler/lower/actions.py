"""Lower one clause, a verb with its object and phrases, to core statements: choices, declared verbs, names given with `as`.

Every verb here is declared by a package with a signature; the engine's own verbs stand in engine_verbs.py. Prepositional phrases that
the signature names are the verb's; each other one belongs to the noun on its left.
"""

from __future__ import annotations

from grimoire.compiler.declare.model import NUMBER, Expr, Param, Stmt, Type, Verb
from grimoire.compiler.lower.amounts import Amounts
from grimoire.compiler.lower.base import NOTHING, seq
from grimoire.compiler.lower.scope import Ref, Scope
from grimoire.compiler.lower.selectors import Denotation, Program
from grimoire.compiler.syntax import nodes as s
from grimoire.compiler.syntax.tokens import Token

Shared = tuple[list[s.Phrase], dict[str, tuple[s.Phrase, list[s.Phrase]]]]
_ONE: Expr = ["int", 1]


def left_out(param: Param) -> Expr:
    """What a part of a signature is that was left out: nothing, of a set none, of a number 0."""
    return ["int", 0] if param.type.many or param.type.sort in ("number", "flag") else NOTHING


class Actions(Amounts):
    """Verbs of packages."""

    restricted: dict[int, Stmt]  # conditionals that stand for a verb's own restriction, by identity
    absent: dict[int, tuple[Stmt, Program]]  # statements that resolve a text which may not be there, by identity

    # ------------------------------------------------------------ what could not be done

    @staticmethod
    def impossible(scope: Scope) -> list[Stmt]:
        """A part that cannot be carried out: a move of nothing fails a cost that is being tried, and is nothing otherwise."""
        made: list[Stmt] = [{"op": "move", "piece": ["int", -1], "to": ["int", -1]}]
        if scope.fail >= 0:
            made.append({"op": "let", "slot": scope.fail, "value": ["int", 0]})
        return made

    def stoppable(self, verb: Verb) -> bool:
        """Whether some text can keep this event from happening."""
        return verb.index in self.vocabulary.stoppable

    # ------------------------------------------------------------ phrases and nouns

    def share(self, action: s.Action, preps: tuple[str, ...]) -> Shared:
        """Give each phrase to the verb (by preposition) or to the noun on its left."""
        own: list[s.Phrase] = []
        taken: dict[str, tuple[s.Phrase, list[s.Phrase]]] = {}
        tail = own
        for phrase in action.phrases:
            prep = phrase.prep.type
            if prep in preps and prep not in taken:
                tail = []
                taken[prep] = (phrase, tail)
            else:
                tail.append(phrase)
        return own, taken

    def direct(self, action: s.Action, phrases: list[s.Phrase], scope: Scope) -> Denotation:
        if action.object is None:
            raise self.problem(
                "G0602", action.verb, f'"{action.verb}" needs to know what', f"{action.verb} the .., {action.verb} a .."
            )
        return self.operand(action.object.items, action.object.joint, phrases, scope)

    # ------------------------------------------------------------ choices

    def only_known(self, made: Denotation, actor: Expr) -> None:
        """Nobody chooses by what they cannot see: options that a filter takes out of a hidden zone would tell what lies there.

        A zone that the chooser sees into needs no look; a whole hidden zone is offered place by place; anything else is narrowed
        to the pieces that the chooser knows. What lies face-down on the board is offered too, when its back tells that it is meant
        and nothing but its place is asked for.
        """
        sel = made.selector()
        inner, filtered, by_place = sel, False, True
        while inner[0] in ("filter", "best", "take"):
            if inner[0] != "take":
                filtered = True
                by_place = by_place and only_asks_where(inner[-1], inner[-2])
            inner = inner[2] if inner[0] in ("best", "take") else inner[1]
        if inner[0] in ("zone*", "top*"):
            if not filtered or self.sees_into(inner[1], actor):
                return
        elif inner[0] in ("members", "lone", "cat") and not filtered:
            return
        slot = self.fresh_slot()
        meant: Expr = ["knows", actor, ["slot", slot]]
        if inner[0] == "pieces" and by_place and any(k.back for k in self.model.kinds.values() if k.index == inner[1]):
            meant = ["or", meant, [">=", ["fixof", ["where", ["slot", slot]]], ["int", 0]]]
        made.sel, made.mask, made.expr = ["filter", sel, slot, meant], None, None

    def sees_into(self, zone: Expr, actor: Expr) -> bool:
        if zone[0] == "zfix":
            return all(kind.seen == "all" for kind in self.model.kinds.values() if kind.holds)
        if zone[0] not in ("zone", "zfam"):
            return False
        declared = next(z for z in self.model.zones.values() if z.index == zone[1])
        return declared.seen == "all" or (declared.seen == "owner" and zone[0] == "zfam" and zone[2] == actor)

    def choice(self, made: Denotation, label: str, scope: Scope, many: bool, node: object) -> tuple[list[Stmt], Ref]:
        """The statements that settle which objects are meant, and the value they leave."""
        unit = scope.unit
        type_ = made.type.one()
        if made.program is not None or type_.sort in ("procedure", "nothing", "option"):
            if type_.sort == "nothing":
                return [], Ref(NOTHING, type_)
            raise self.problem("G0601", node, f"a {type_} is no object of a verb", "name cards, players or things")
        if made.quant == "one":
            ref = self.one(made, node)
            return [], Ref(["bit", ref.expr], ref.type.set()) if many else ref
        if made.quant == "none":
            raise self.problem("G0607", node, '"no" is no object of a verb', "leave the clause out, or say cannot")
        if made.quant == "all":
            return [], Ref(made.as_mask(), type_.set())
        slot = made.slot if made.slot >= 0 else unit.slot()
        if made.source is not None:
            single = made.low == made.high == _ONE
            unit.taken[made.source] = ["bit", ["slot", slot]] if single else ["slot", slot]
        if made.quant == "random":
            if made.low is not None and made.low != _ONE:
                return self.random_many(made, slot, scope)
            unit.chosen.add(slot)
            stmts: list[Stmt] = [
                {"op": "random", "slot": slot, "from": made.selector()},
                {"op": "if", "cond": ["==", ["slot", slot], ["int", -1]], "then": seq(self.impossible(scope))},
            ]
            return stmts, Ref(["bit", ["slot", slot]], type_.set()) if many else Ref(["slot", slot], type_)
        if type_.sort == "piece":
            self.only_known(made, self.actor(scope))
        if made.low == _ONE and made.high == _ONE:
            unit.chosen.add(slot)
            domain = {"slot": slot, "sort": type_.sort, "in": made.selector()}
            entry = {"id": label, "guard": None, "domains": [domain], "body": None}
            reset: Stmt = {"op": "let", "slot": slot, "value": ["int", -1]}
            menu: Stmt = {
                "op": "menu",
                "seat": self.actor(scope),
                "label": label,
                "entries": [entry],
                "otherwise": seq([reset, *self.impossible(scope)]),
                "at": self.place(node),
            }
            return [menu], Ref(["bit", ["slot", slot]], type_.set()) if many else Ref(["slot", slot], type_)
        if type_.sort == "number":
            raise self.problem("G0610", node, "several numbers cannot be chosen at once", "choose them one by one")
        low = made.low or ["int", 0]
        picked: Stmt = {
            "op": "choose",
            "seat": self.actor(scope),
            "label": label,
            "slot": slot,
            "sort": type_.sort,
            "in": made.selector(),
            "low": low,
            "high": made.high or ["count", made.selector()],
            "at": self.place(node),
        }
        stmts = [picked]
        if scope.fail >= 0 and low != ["int", 0]:
            few: Expr = ["<", ["size", ["slot", slot]], low]
            stmts.append({"op": "if", "cond": few, "then": {"op": "let", "slot": scope.fail, "value": ["int", 0]}})
        return stmts, Ref(["slot", slot], type_.set())

    def random_many(self, made: Denotation, slot: int, scope: Scope) -> tuple[list[Stmt], Ref]:
        """Several at random: one after the other out of what is left."""
        one = scope.unit.slot()
        left = scope.unit.slot()
        assert made.low is not None
        body = seq(
            [
                {"op": "random", "slot": one, "from": ["members", made.type.sort, ["slot", left]]},
                {"op": "let", "slot": left, "value": ["minus", ["slot", left], ["bit", ["slot", one]]]},
                {"op": "let", "slot": slot, "value": ["union", ["slot", slot], ["bit", ["slot", one]]]},
            ]
        )
        return [
            {"op": "let", "slot": slot, "value": ["int", 0]},
            {"op": "let", "slot": left, "value": ["set", made.selector()]},
            {"op": "if", "cond": ["<", ["size", ["slot", left]], made.low], "then": seq(self.impossible(scope))},
            {"op": "repeat", "times": ["min", made.low, ["size", ["slot", left]]], "body": body},
        ], Ref(["slot", slot], made.type.set())

    def hold(self, action: s.Action, ref: Ref, pre: list[Stmt], scope: Scope) -> Ref:
        """What `as` names is the object meant now, not whatever the phrase describes later."""
        if action.bind is None or ref.expr[0] == "int":
            return ref
        return self.kept(ref, pre, scope)

    @staticmethod
    def kept(ref: Ref, pre: list[Stmt], scope: Scope) -> Ref:
        """The value in a slot of its own."""
        if ref.expr[0] == "slot":
            return ref
        slot = scope.unit.slot()
        pre.append({"op": "let", "slot": slot, "value": ref.expr})
        if not ref.type.many:
            scope.unit.chosen.add(slot)
        return Ref(["slot", slot], ref.type)

    def bind(self, action: s.Action, ref: Ref, scope: Scope) -> list[Stmt]:
        """Give the name behind `as` its value; a name that another branch gave keeps its slot."""
        if action.bind is None:
            return []
        word = str(action.bind)
        found = scope.find(word)
        if found is not None and found.token is not None:
            if found.resets and found.ref.type.sort == ref.type.sort and found.ref.type.many == ref.type.many:
                found.read()
                found.used = False
                return [{"op": "let", "slot": found.ref.expr[1], "value": ref.expr}]
            raise self.problem("G0509", action.bind, f'"{word}" is named already', "take another name")
        if word in self.nouns or word in self.model.zones or word in self.model.things or word in self.model.counters:
            raise self.problem("G0509", action.bind, f'"{word}" is a word of the package already', "take another name")
        made: list[Stmt] = []
        scope.bind(word, self.kept(ref, made, scope) if ref.expr[0] != "int" else ref, action.bind)
        return made

    # ------------------------------------------------------------ declared verbs

    def declared(self, verb: Verb, action: s.Action, scope: Scope) -> list[Stmt]:
        preps = tuple(p.role for p in verb.params if p.role not in (None, "object", "amount"))
        own, taken = self.share(action, preps)
        object_param = next((p for p in verb.params if p.role == "object"), None)
        amount_param = next((p for p in verb.params if p.role == "amount"), None)
        pre: list[Stmt] = []
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
            raise self.problem(
                "G0603", action.object, f'"{verb.id}" takes no object', f"it is written {verb.signature}"
            )
        elif own:
            raise self.problem(
                "G0603", own[0], f'"{verb.id}" has no "{own[0].prep}"', f"it is written {verb.signature}"
            )
        for i, param in enumerate(verb.params):
            if param.role in (None, "object", "amount"):
                continue
            if param.role not in taken:
                if not param.optional:
                    raise self.problem(
                        "G0602",
                        action.verb,
                        f'"{verb.id}" is missing its "{prep_word(param.role)}"',
                        f"it is written {verb.signature}",
                    )
                continue
            phrase, tail = taken[param.role]
            made = self.denote_np(phrase.item, tail, scope)
            self.check_type(made.type, param.type, phrase, verb)
            dens[i] = made
        nodes = [
            action.object if p.role == "object" else taken.get(str(p.role), (action.verb,))[0] for p in verb.params
        ]
        self.narrow(verb, dens, args, scope)
        for i, param in enumerate(verb.params):
            den = dens[i]
            if den is None:
                continue
            label = verb.id if param.role == "object" else f"{verb.id}-{prep_word(str(param.role))}"
            more, ref = self.choice(den, label, scope, param.type.many, nodes[i])
            pre += more
            args[i] = self.hold(action, ref, pre, scope) if param.role == "object" else ref
        return pre + self.call(verb, args, action, scope)

    def amount_object(
        self, verb: Verb, action: s.Action, own: list[s.Phrase], amount_param: Param, object_param: Param | None, scope: Scope
    ) -> tuple[list[Stmt], Expr, Ref | None]:  # fmt: skip
        """`draw 2 cards`, `lose 1 coin`, `draw (n) cards`: how many of what."""
        signature = f"it is written {verb.signature}"
        if action.object is None or len(action.object.items) != 1:
            raise self.problem("G0602", action.verb, f'"{verb.id}" needs one number', signature)
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
            raise self.problem("G0602", item, f'"{verb.id}" needs a number', hint)
        if len(words) > 1 or (isinstance(item, s.Counted | s.Noun) and item.relative is not None):
            raise self.problem("G0603", item, f'"{verb.id}" takes a plain amount, nothing that narrows it', signature)
        self.no_phrases(own)
        thing: Ref | None = None
        if object_param is not None:
            if not words:
                raise self.problem("G0602", item, f'"{verb.id}" needs to know of what', signature)
            thing = self.bare(words[-1], scope)
            self.check_type(thing.type, object_param.type, words[-1], verb)
        elif amount_param.noun is not None and words:
            wanted = self.nouns.get(amount_param.noun)
            given = self.nouns.get(str(words[-1]))
            same = wanted is not None and given is not None and self.model.fits(given[0].id, wanted[0].id)
            if not same and amount_param.noun.rstrip("s") != str(words[-1]).rstrip("s"):
                raise self.problem(
                    "G0601", words[-1], f'"{verb.id}" goes with {amount_param.noun}, not with {words[-1]}', signature
                )
        elif words:
            raise self.problem("G0603", words[-1], f'"{verb.id}" takes a number and no noun', signature)
        kind = self.nouns.get(str(amount_param.noun)) if amount_param.noun is not None else None
        if count.kind != "exactly" or (kind is not None and kind[0].sort == "piece"):
            self.countable(count.low, count.high)
        match count.kind:
            case "exactly" if count.low is not None:
                return [], self.amount(count.low, scope), thing
            case "between" | "up_to" if count.high is not None:
                low: Expr = ["int", 0] if count.low is None else self.amount(count.low, scope)
                slot = scope.unit.slot()
                domain = {"slot": slot, "sort": "number", "in": ["range", low, self.amount(count.high, scope)]}
                menu: Stmt = {
                    "op": "menu",
                    "seat": self.actor(scope),
                    "label": verb.id,
                    "entries": [{"id": verb.id, "guard": None, "domains": [domain], "body": None}],
                    "otherwise": seq([{"op": "let", "slot": slot, "value": ["int", 0]}, *self.impossible(scope)]),
                    "at": self.place(item),
                }
                return [menu], ["slot", slot], thing
        raise self.problem(
            "G0607", item, "this number is not one that can be chosen here", "2, 1 to 4, up to 3, (EXPR)"
        )

    def check_type(self, have: Type, want: Type, node: object, verb: Verb) -> None:
        if have.sort == "nothing" and want.optional:
            return
        places = want.sort == "zone" and have.sort == "fixture"
        if places:
            if have.kind is not None and not any(self.model.kinds[k].holds for k in self.model.descendants(have.kind)):
                raise self.problem("G0601", node, f"a {have} holds no pieces", "give its kind holds: true")
            return
        if have.sort != want.sort or (want.sort != "zone" and not self.model.fits(have.kind, want.kind)):
            raise self.problem(
                "G0601", node, f'"{verb.id}" wants a {want}, not a {have}', f"it is written {verb.signature}"
            )

    def narrow(self, verb: Verb, dens: list[Denotation | None], args: list[Ref | None], scope: Scope) -> None:
        """Only what the verb's own restriction and no prohibition exclude is offered."""
        if verb.only is None and verb.index not in self.vocabulary.forbidden:
            return
        values: list[Expr] = []
        open_: list[int] = []
        for i, param in enumerate(verb.params):
            den, ref = dens[i], args[i]
            if ref is not None:
                values.append(ref.expr)
            elif den is None:
                values.append(left_out(param))
            elif den.quant == "one" and den.type.sort != "nothing":
                ref = self.one(den, den.node)
                places = param.type.sort == "zone" and ref.type.sort == "fixture"
                values.append(["zfix", ref.expr] if places else ref.expr)
            elif den.quant == "choose" and not param.type.many:
                open_.append(i)
                values.append(["slot", self.fresh_slot()])
            else:
                return
        test = self.permitted(verb, values, scope)
        for at, i in enumerate(open_):
            den = dens[i]
            assert den is not None
            slot = values[i][1]
            single = den.low == den.high == _ONE
            if single:
                den.slot = slot  # a choice that follows knows this one by the slot that it fills
            later = [dens[j] for j in open_[at + 1 :]]
            if len(later) > 1:
                continue
            found = test
            for other in later:
                assert other is not None
                found = ["any", ["filter", other.selector(), values[open_[at + 1]][1], test]]
            den.sel, den.mask, den.expr = ["filter", den.selector(), slot, found], None, None
            if not single:
                return

    def permitted(self, verb: Verb, values: list[Expr], scope: Scope) -> Expr:
        tests: list[Expr] = []
        if verb.only is not None:
            refs: list[Ref | None] = [Ref(v, p.type) for v, p in zip(values, verb.params, strict=True)]
            tests.append(self.restriction(verb, refs, scope))
        if verb.index in self.vocabulary.forbidden:
            tests.append(["allowed", verb.index, self.actor(scope), *values])
        return self.both(tests)

    def restriction(self, verb: Verb, args: list[Ref | None], scope: Scope) -> Expr:
        assert verb.only is not None
        if not verb.only.ok or verb.only.node is None:
            return _ONE
        inner = Scope(scope.unit, None, {}, self.actor(scope))
        for param, ref in zip(verb.params, args, strict=False):
            if ref is not None:
                inner.bind(param.name, ref, None)
                if param.role == "object":
                    inner.it = ref
        saved, self.text = self.text, verb.only
        try:
            return self.condition(verb.only.node, inner)
        finally:
            self.text = saved

    # ------------------------------------------------------------ the event

    def call(self, verb: Verb, args: list[Ref | None], action: s.Action, scope: Scope) -> list[Stmt]:
        spread: tuple[int, Ref] | None = None
        pre: list[Stmt] = []
        values: list[Expr] = []
        unsure: list[Expr] = []
        for i, (param, ref) in enumerate(zip(verb.params, args, strict=True)):
            if ref is None or ref.type.sort == "nothing":
                values.append(left_out(param))
            elif ref.type.many and not param.type.many:
                if spread is not None:
                    raise self.problem(
                        "G0604",
                        action.verb,
                        f'"{verb.id}" gets several of two things at once',
                        "name one of them first: choose .. as NAME",
                    )
                spread = (i, ref)
                slot: Expr = ["slot", scope.unit.slot()]
                values.append(["zfix", slot] if self.is_place(param, ref) else slot)
            else:
                if self.unsure(ref, param, scope):
                    ref = self.kept(ref, pre, scope)
                    unsure.append(ref.expr)
                values.append(["zfix", ref.expr] if self.is_place(param, ref) else ref.expr)
        op: Stmt = {"op": "do", "verb": verb.index, "you": self.actor(scope), "args": values, "at": self.place(action)}
        body: list[Stmt] = [op]
        if verb.result is not None:
            result = scope.unit.slot()
            op["result"] = result
            if verb.result.sort in ("seat", "fixture", "piece", "zone") and not verb.result.many:
                scope.unit.chosen.add(result)
            scope.outcome = Ref(["slot", result], verb.result)
        self.watch(verb, op, body, scope)
        if action.bind is not None:
            more, target = self.name_result(verb, args, values, spread, op, body, action, scope)
            pre += more
            if target is not None:
                pre += self.bind(action, target, scope)
        made = seq(body)
        if verb.only is not None:
            refs: list[Ref | None] = [Ref(v, p.type) for v, p in zip(values, verb.params, strict=True)]
            cond = self.restriction(verb, refs, scope)
            made = {"op": "if", "cond": cond, "then": made, "else": seq(self.impossible(scope))}
            self.restricted[id(made)] = made
        if spread is not None:
            index, ref = spread
            inner = values[index][1] if values[index][0] == "slot" else values[index][1][1]
            return [*pre, {"op": "foreach", "slot": inner, "in": ["members", ref.type.sort, ref.expr], "body": made}]
        if unsure:
            # a choice that found nothing to choose leaves -1: then nothing is done
            known = self.both([["!=", expr, ["int", -1]] for expr in unsure])
            made = {"op": "if", "cond": known, "then": made, "else": seq(self.impossible(scope))}
        return [*pre, made]

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
        if expr[0] == "slot":
            own = scope.unit.verb.params if scope.unit.verb is not None else []
            left_out = 1 <= expr[1] <= len(own) and own[expr[1] - 1].optional
            return left_out or expr[1] in scope.unit.chosen
        return expr[0] not in ("int", "next", "this", "var", "arg") or (expr[0] == "var" and ref.type.optional)

    def watch(self, verb: Verb, op: Stmt, body: list[Stmt], scope: Scope) -> None:
        """Note a failure where somebody asks for it."""
        if scope.fail < 0 or not self.stoppable(verb):
            return
        op["ok"] = scope.unit.slot()
        failed: Stmt = {"op": "let", "slot": scope.fail, "value": ["int", 0]}
        body.append({"op": "if", "cond": ["!=", ["slot", op["ok"]], _ONE], "then": failed})

    def name_result(
        self, verb: Verb, args: list[Ref | None], values: list[Expr], spread: tuple[int, Ref] | None, op: Stmt, body: list[Stmt],
        action: s.Action, scope: Scope,
    ) -> tuple[list[Stmt], Ref | None]:  # fmt: skip
        """What `as` names: the result of the verb, or the objects to which it really happened."""
        if verb.result is not None:
            return [], scope.outcome
        at = next((i for i, p in enumerate(verb.params) if p.role == "object" and args[i] is not None), -1)
        if at < 0:
            at = next((i for i, p in enumerate(verb.params) if p.role == "amount" and args[i] is not None), -1)
        if at < 0:
            raise self.problem(
                "G0607", action.bind, f'"{verb.id}" leaves nothing that could be named', "give the verb a result"
            )
        ref = args[at]
        assert ref is not None
        if not self.stoppable(verb):
            return [], ref
        many = ref.type.many
        slot = scope.unit.slot()
        if "ok" not in op:
            op["ok"] = scope.unit.slot()
        now = ref.expr
        if spread is not None and spread[0] == at:
            now = ["union", ["slot", slot], ["bit", values[at]]]
        gained: Stmt = {"op": "let", "slot": slot, "value": now}
        body.append({"op": "if", "cond": ["==", ["slot", op["ok"]], _ONE], "then": gained})
        empty = 0 if many or ref.type.sort == "number" else -1
        if not many:
            scope.unit.chosen.add(slot)
        return [{"op": "let", "slot": slot, "value": ["int", empty]}], Ref(["slot", slot], ref.type)


def only_asks_where(expr: Expr, slot: int) -> bool:
    """Whether an expression asks of the element in the slot nothing but where it lies."""
    if expr == ["slot", slot]:
        return False
    if expr == ["where", ["slot", slot]]:
        return True
    return all(only_asks_where(part, slot) for part in expr if isinstance(part, list))


def prep_word(role: str) -> str:
    return role.lower().replace("_prep", "").replace("_", " ")
