"""Lower one clause, a verb with its object and phrases, to core statements.

The engine's own verbs stand in `BUILT_IN`; every other verb is declared by a package with a signature. Prepositional phrases that the
signature names are the verb's; each other one belongs to the noun on its left.
"""

from __future__ import annotations

from lark import Token

from grimoire.compiler import syntax as s
from grimoire.compiler.amounts import Amounts
from grimoire.compiler.base import seq
from grimoire.compiler.model import NUMBER, Expr, Param, Stmt, Type, Verb
from grimoire.compiler.nouns import Denotation
from grimoire.compiler.scope import Ref, Scope

# verb -> (prepositions it takes, what it does); the reference in docs/ is made from this table
BUILT_IN: dict[str, tuple[tuple[str, ...], str]] = {
    "choose": ((), "the one who acts picks what the noun phrase describes; `as` names it"),
    "move": (("TO", "INTO", "ONTO", "ON_TOP_OF", "AT_BOTTOM_OF", "UNDER"), "pieces go to a zone or a space, on top unless said otherwise"),
    "shuffle": ((), "the pieces of a zone get a random order"),
    "swap": (("WITH",), "the contents of two zones change places"),
    "look": (("AT",), "the one who acts sees the pieces, nobody else does"),
    "reveal": (("TO",), "everybody, or the players named, see the pieces"),
    "take": (("WITH",), "carries out a procedure: take a turn"),
    "resolve": ((), "carries out a text of a card: resolve the effect of the card"),
    "end": (("WITH", "FOR"), "end the game with an outcome for the winners"),
    "stop": ((), "leaves the innermost loop, or the procedure named"),
    "conclude": (("WITH",), "leaves the procedure named with a result"),
    "prevent": ((), "the pending event does not happen"),
}


class Actions(Amounts):
    """Verbs."""

    forbidden_procs: set[int]
    restricted: dict[int, Stmt]  # conditionals that stand for a verb's own restriction, by identity

    def perform(self, action: s.Action, scope: Scope) -> list[Stmt]:
        word = str(action.verb)
        if word in BUILT_IN and word not in self.verb_words:
            body = getattr(self, f"do_{word}")(action, scope)
        else:
            verb = self.verb_words.get(word)
            if verb is None:
                if word in self.participles:
                    raise self.problem("G0502", action.verb, f'"{word}" is the participle of {self.participles[word].id}', f"write {self.participles[word].id}")
                if word in self.nouns or word in self.model.things or word in self.model.zones:
                    raise self.problem("G0502", action.verb, f'"{word}" is a noun, and a verb is wanted here', f'write "the {word}" where a noun is meant')
                raise self.unknown("G0502", "verb", action.verb, [*self.verb_words, *BUILT_IN])
            body = self.declared(verb, action, scope)
        if action.instead:
            self.need_replaceable(action, scope)
            return [{"op": "cancel"}, *body]
        return body

    def need_replaceable(self, node: object, scope: Scope) -> None:
        if scope.event is None or not scope.event.replaceable:
            raise self.problem("G0607", node, "there is no pending event to replace or prevent", "the window must say when .. would ..")

    # ------------------------------------------------------------ phrases and nouns

    def share(self, action: s.Action, preps: tuple[str, ...]) -> tuple[list[s.Phrase], dict[str, tuple[s.Phrase, list[s.Phrase]]]]:
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

    def object(self, action: s.Action, phrases: list[s.Phrase], scope: Scope) -> Denotation:
        if action.object is None:
            raise self.problem("G0602", action.verb, f'"{action.verb}" needs to know what', f"{action.verb} the .., {action.verb} a ..")
        return self.operand(action.object.items, action.object.joint, phrases, scope)

    # ------------------------------------------------------------ choices

    def choice(self, made: Denotation, label: str, scope: Scope, many: bool, node: object) -> tuple[list[Stmt], Ref]:
        """The statements that settle which objects are meant, and the value they leave."""
        unit = scope.unit
        type_ = made.type.one()
        if made.quant == "one":
            ref = self.one(made, node)
            return [], Ref(["bit", ref.expr], ref.type.set()) if many else ref
        if made.quant == "none":
            raise self.problem("G0607", node, '"no" is no object of a verb')
        if made.quant == "all":
            return [], Ref(made.as_mask(), type_.set())
        slot = unit.slot()
        if made.quant == "random":
            unit.chosen.add(slot)
            stmt: Stmt = {"op": "random", "slot": slot, "from": made.selector()}
            if made.low is not None and made.low != ["int", 1]:
                return self.random_many(made, slot, scope)
            return [stmt], Ref(["bit", ["slot", slot]], type_.set()) if many else Ref(["slot", slot], type_)
        if made.low == ["int", 1] and made.high == ["int", 1]:
            unit.chosen.add(slot)
            entry = {"id": label, "guard": None, "domains": [{"slot": slot, "sort": type_.sort, "in": made.selector()}], "body": None}
            reset: Stmt = {"op": "let", "slot": slot, "value": ["int", -1]}
            menu: Stmt = {"op": "menu", "seat": self.actor(scope), "label": label, "entries": [entry], "otherwise": reset, "at": self.place(node)}
            return [menu], Ref(["bit", ["slot", slot]], type_.set()) if many else Ref(["slot", slot], type_)
        picked: Stmt = {
            "op": "choose",
            "seat": self.actor(scope),
            "label": label,
            "slot": slot,
            "sort": type_.sort,
            "in": made.selector(),
            "low": made.low or ["int", 0],
            "high": made.high or ["count", made.selector()],
            "at": self.place(node),
        }
        return [picked], Ref(["slot", slot], type_.set())

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
        times: Expr = ["min", made.low, ["count", made.selector()]]
        return [
            {"op": "let", "slot": slot, "value": ["int", 0]},
            {"op": "let", "slot": left, "value": ["set", made.selector()]},
            {"op": "repeat", "times": times, "body": body},
        ], Ref(["slot", slot], made.type.set())

    def hold(self, action: s.Action, ref: Ref, pre: list[Stmt], scope: Scope) -> Ref:
        """What `as` names is the object meant now, not whatever the phrase describes later."""
        if action.bind is None or ref.expr[0] in ("slot", "int"):
            return ref
        slot = scope.unit.slot()
        pre.append({"op": "let", "slot": slot, "value": ref.expr})
        if not ref.type.many:
            scope.unit.chosen.add(slot)
        return Ref(["slot", slot], ref.type)

    def bind(self, action: s.Action, ref: Ref, scope: Scope) -> None:
        if action.bind is None:
            return
        word = str(action.bind)
        found = scope.find(word)
        if found is not None and found.token is not None:
            raise self.problem("G0509", action.bind, f'"{word}" is named already', "take another name")
        if word in self.nouns or word in self.model.zones or word in self.model.things or word in self.model.counters:
            raise self.problem("G0509", action.bind, f'"{word}" is a word of the package already', "take another name")
        scope.bind(word, ref, action.bind)

    # ------------------------------------------------------------ declared verbs

    def declared(self, verb: Verb, action: s.Action, scope: Scope) -> list[Stmt]:
        verb.used = True
        self.used_names.add(verb.id)
        preps = tuple(p.role for p in verb.params if p.role not in (None, "object", "amount"))
        own, taken = self.share(action, preps)  # type: ignore[arg-type]
        pre: list[Stmt] = []
        args: list[Ref | None] = []
        object_param = next((p for p in verb.params if p.role == "object"), None)
        amount_param = next((p for p in verb.params if p.role == "amount"), None)
        amount: Expr | None = None
        thing: Ref | None = None
        if amount_param is not None:
            more, amount, thing = self.amount_object(verb, action, own, amount_param, object_param, scope)
            pre += more
        elif object_param is not None:
            if action.object is None and object_param.optional:
                thing = None
            else:
                made = self.object(action, own, scope)
                self.check_type(made.type, object_param.type, action.object, verb)
                self.narrow(verb, made, object_param, scope)
                more, thing = self.choice(made, verb.id, scope, object_param.type.many, action.object)
                pre += more
                thing = self.hold(action, thing, pre, scope)
        elif action.object is not None:
            raise self.problem("G0603", action.object, f'"{verb.id}" takes no object', f"it is written {verb.signature}")
        elif own:
            raise self.problem("G0603", own[0], f'"{verb.id}" has no "{own[0].prep}"', f"it is written {verb.signature}")
        for param in verb.params:
            if param.role == "object":
                args.append(thing)
            elif param.role == "amount":
                args.append(Ref(amount, NUMBER) if amount is not None else None)
            elif param.role is None:
                args.append(None)
            elif param.role not in taken:
                if not param.optional:
                    raise self.problem("G0602", action.verb, f'"{verb.id}" is missing its "{_prep_word(param.role)}"', f"it is written {verb.signature}")
                args.append(None)
            else:
                phrase, tail = taken[param.role]
                made = self.denote_np(phrase.item, tail, scope)
                self.check_type(made.type, param.type, phrase, verb)
                more, ref = self.choice(made, f"{verb.id}-{_prep_word(param.role)}", scope, param.type.many, phrase)
                pre += more
                args.append(ref)
        return pre + self.call(verb, args, action, scope)

    def amount_object(
        self, verb: Verb, action: s.Action, own: list[s.Phrase], amount_param: Param, object_param: Param | None, scope: Scope
    ) -> tuple[list[Stmt], Expr, Ref | None]:
        """`draw 2 cards`, `lose 1 fuel`, `draw (n) cards`: how many of what."""
        if action.object is None or len(action.object.items) != 1:
            raise self.problem("G0602", action.verb, f'"{verb.id}" needs one number', f"it is written {verb.signature}")
        item = action.object.items[0]
        if isinstance(item, s.Count):
            count, words = item, ()
        elif isinstance(item, s.Counted):
            count, words = item.count, item.words
        elif isinstance(item, s.Noun) and item.det is not None and item.det.type == "A":
            count, words = s.Count(item.det, "exactly", s.Number(Token("NUMBER", "1")), None), item.words
        else:
            raise self.problem("G0602", item, f'"{verb.id}" needs a number', f"it is written {verb.signature}")
        if own:
            self.no_phrases(own)
        thing: Ref | None = None
        if object_param is not None:
            if not words:
                raise self.problem("G0602", item, f'"{verb.id}" needs to know of what', f"it is written {verb.signature}")
            thing = self.bare(words[-1], scope)
            self.check_type(thing.type, object_param.type, words[-1], verb)
        elif amount_param.noun is not None and words:
            kind = self.nouns.get(amount_param.noun)
            given = self.nouns.get(str(words[-1]))
            same = words[-1] == amount_param.noun or (kind is not None and given is not None and self.model.fits(given[0].id, kind[0].id))
            singular = amount_param.noun.rstrip("s") == str(words[-1]).rstrip("s")
            if not same and not singular:
                raise self.problem("G0601", words[-1], f'"{verb.id}" goes with {amount_param.noun}, not with {words[-1]}', f"it is written {verb.signature}")
        match count.kind:
            case "exactly":
                assert count.low is not None
                return [], self.amount(count.low, scope), thing
            case "between" | "up_to":
                low: Expr = ["int", 0] if count.low is None else self.amount(count.low, scope)
                assert count.high is not None
                slot = scope.unit.slot()
                domain = {"slot": slot, "sort": "number", "in": ["range", low, self.amount(count.high, scope)]}
                entry = {"id": verb.id, "guard": None, "domains": [domain], "body": None}
                menu: Stmt = {"op": "menu", "seat": self.actor(scope), "label": verb.id, "entries": [entry], "at": self.place(item)}
                return [menu], ["slot", slot], thing
        raise self.problem("G0607", item, "this number is not one that can be chosen here", "2, 1 to 4, up to 3, (EXPR)")

    def check_type(self, have: Type, want: Type, node: object, verb: Verb) -> None:
        if have.sort == "nothing" and want.optional:
            return
        places = want.sort == "zone" and have.sort == "fixture"
        if not places and (have.sort != want.sort or (want.sort != "zone" and not self.model.fits(have.kind, want.kind))):
            raise self.problem("G0601", node, f'"{verb.id}" wants a {want}, not a {have}', f"it is written {verb.signature}")

    def narrow(self, verb: Verb, made: Denotation, param: Param, scope: Scope) -> None:
        """Only what the verb's own restriction and no prohibition exclude is offered."""
        if made.quant != "choose" or (verb.only is None and verb.index not in self.forbidden_procs):
            return
        others = [p for p in verb.params if p is not param]
        if others:
            return
        slot = self.fresh_slot()
        tests: list[Expr] = []
        if verb.only is not None:
            tests.append(self.restriction(verb, [Ref(["slot", slot], param.type)], scope))
        if verb.index in self.forbidden_procs:
            tests.append(["allowed", verb.index, self.actor(scope), ["slot", slot]])
        made.sel, made.mask, made.expr = ["filter", made.selector(), slot, self.both(tests)], None, None

    def restriction(self, verb: Verb, args: list[Ref | None], scope: Scope) -> Expr:
        assert verb.only is not None
        inner = Scope(scope.unit, None, {}, self.actor(scope))
        for param, ref in zip(verb.params, args, strict=False):
            if ref is not None:
                inner.bind(param.name, ref, None)
                inner.names[param.name].unit = scope.unit
        if verb.params and args and args[0] is not None:
            inner.it = args[0]
        saved, self.text = self.text, verb.only
        try:
            return self.condition(verb.only.node, inner)
        finally:
            self.text = saved

    def call(self, verb: Verb, args: list[Ref | None], action: s.Action, scope: Scope) -> list[Stmt]:
        spread: tuple[int, Ref] | None = None
        values: list[Expr] = []
        for i, (param, ref) in enumerate(zip(verb.params, args, strict=True)):
            if ref is None:
                values.append(["int", -1])
            elif ref.type.many and not param.type.many:
                if spread is not None:
                    raise self.problem("G0604", action.verb, f'"{verb.id}" gets several of two things at once', "name one of them first: choose .. as NAME")
                spread = (i, ref)
                values.append(["slot", scope.unit.slot()])
            elif param.type.sort == "zone" and ref.type.sort == "fixture":
                values.append(["zfix", ref.expr])
            else:
                values.append(ref.expr)
        op: Stmt = {"op": "do", "verb": verb.index, "you": self.actor(scope), "args": values, "at": self.place(action)}
        if verb.result is not None:
            slot = scope.unit.slot()
            op["result"] = slot
            scope.outcome = Ref(["slot", slot], verb.result)
        if action.bind is not None:
            if verb.result is not None:
                assert scope.outcome is not None
                self.bind(action, scope.outcome, scope)
            else:
                bound = next((ref for param, ref in zip(verb.params, args, strict=True) if param.role == "object" and ref is not None), None)
                amount = next((ref for param, ref in zip(verb.params, args, strict=True) if param.role == "amount" and ref is not None), None)
                if bound is None and amount is None:
                    raise self.problem("G0607", action.bind, f'"{verb.id}" leaves nothing that could be named', "give the verb a result")
                self.bind(action, bound or amount or Ref(["int", 0], NUMBER), scope)
        made = op
        if verb.only is not None:
            made = {"op": "if", "cond": self.restriction(verb, [Ref(v, p.type) for v, p in zip(values, verb.params, strict=True)], scope), "then": op}
            self.restricted[id(made)] = made
        if spread is not None:
            index, ref = spread
            return [{"op": "foreach", "slot": values[index][1], "in": ["members", ref.type.sort, ref.expr], "body": made}]
        chosen = [ref for ref in args if ref is not None and ref.expr[0] == "slot" and ref.type.sort in ("piece", "fixture", "seat")]
        chosen = [ref for ref in chosen if not ref.type.many and ref.expr[1] in self.unit.chosen]
        if chosen:
            # a choice that found nothing to choose leaves -1: then nothing is done
            return [{"op": "if", "cond": self.both([["!=", ref.expr, ["int", -1]] for ref in chosen]), "then": made}]
        return [made]

    # ------------------------------------------------------------ the engine's own verbs

    def only_phrases(self, action: s.Action, word: str) -> tuple[list[s.Phrase], dict[str, tuple[s.Phrase, list[s.Phrase]]]]:
        return self.share(action, BUILT_IN[word][0])

    def do_choose(self, action: s.Action, scope: Scope) -> list[Stmt]:
        made = self.object(action, list(action.phrases), scope)
        if made.quant not in ("choose", "random"):
            raise self.problem("G0607", action.object, "there is nothing to choose", "choose a .., choose 2 .., choose up to 3 ..")
        if action.bind is None:
            raise self.problem("G0602", action.verb, "a choice needs a name", "choose .. as NAME")
        pre, ref = self.choice(made, str(action.bind), scope, False, action.object)
        self.bind(action, ref, scope)
        did = scope.unit.slot()
        scope.did = did
        found: Expr = ["!=", ref.expr, ["int", 0 if ref.type.many else -1]]
        return [*pre, {"op": "let", "slot": did, "value": found}]

    def zone_of(self, made: Denotation, node: object) -> Expr:
        ref = self.one(made, node)
        if ref.type.sort == "zone":
            return ref.expr
        if ref.type.sort == "fixture":
            if ref.type.kind is not None and not any(self.model.kinds[k].holds for k in self.model.descendants(ref.type.kind)):
                raise self.problem("G0601", node, f"a {ref.type} holds no pieces", "give its kind holds: true")
            return ["zfix", ref.expr]
        raise self.problem("G0601", node, f"a {ref.type} is no place", "a zone or a space that holds pieces")

    def do_move(self, action: s.Action, scope: Scope) -> list[Stmt]:
        own, taken = self.only_phrases(action, "move")
        if not taken:
            raise self.problem("G0602", action.verb, '"move" needs to know where to', "move .. to the ..")
        made = self.object(action, own, scope)
        if made.type.sort != "piece":
            raise self.problem("G0601", action.object, f"a {made.type} does not move", "cards, tokens and figures move")
        pre, ref = self.choice(made, "move", scope, False, action.object)
        ref = self.hold(action, ref, pre, scope)
        prep, (phrase, tail) = next(iter(taken.items()))
        where = self.denote_np(phrase.item, tail, scope)
        if where.quant == "choose":
            more, spot = self.choice(where, "move-to", scope, False, phrase)
            pre += more
            where = Denotation(spot.type, "one", expr=spot.expr)
        zone = self.zone_of(where, phrase)
        seen = {"face-up": "all", "face-down": "none", None: "zone"}[made.manner or where.manner]
        slot = scope.unit.slot() if ref.type.many or (made.quant == "all") else None
        piece = ["slot", slot] if slot is not None else ref.expr
        move: Stmt = {"op": "move", "piece": piece, "to": zone, "where": "bottom" if prep in ("AT_BOTTOM_OF", "UNDER") else "top", "seen": seen}
        self.bind(action, ref, scope)
        if slot is not None:
            order = made.selector() if made.quant == "all" and action.bind is None else ["members", "piece", ref.expr]
            return [*pre, {"op": "foreach", "slot": slot, "in": order, "body": move}]
        return [*pre, {"op": "if", "cond": ["!=", piece, ["int", -1]], "then": move}] if pre or piece[0] != "slot" else [move]

    def do_shuffle(self, action: s.Action, scope: Scope) -> list[Stmt]:
        made = self.object(action, list(action.phrases), scope)
        return [{"op": "shuffle", "zone": self.zone_of(made, action.object)}]

    def do_swap(self, action: s.Action, scope: Scope) -> list[Stmt]:
        own, taken = self.only_phrases(action, "swap")
        if "WITH" not in taken:
            raise self.problem("G0602", action.verb, '"swap" needs to know what with', "swap your hand with the hand of ..")
        phrase, tail = taken["WITH"]
        first = self.zone_of(self.object(action, own, scope), action.object)
        second = self.zone_of(self.denote_np(phrase.item, tail, scope), phrase)
        unit = scope.unit
        held, other, one, two = unit.slot(), unit.slot(), unit.slot(), unit.slot()
        there: Stmt = {"op": "move", "piece": ["slot", one], "to": second, "where": "top", "seen": "zone"}
        back: Stmt = {"op": "move", "piece": ["slot", two], "to": first, "where": "top", "seen": "zone"}
        return [
            {"op": "let", "slot": held, "value": ["set", ["zone*", first]]},
            {"op": "let", "slot": other, "value": ["set", ["zone*", second]]},
            {"op": "foreach", "slot": one, "in": ["members", "piece", ["slot", held]], "body": there},
            {"op": "foreach", "slot": two, "in": ["members", "piece", ["slot", other]], "body": back},
        ]

    def do_look(self, action: s.Action, scope: Scope) -> list[Stmt]:
        own, taken = self.only_phrases(action, "look")
        if "AT" not in taken:
            raise self.problem("G0602", action.verb, '"look" needs to know what at', "look at the ..")
        self.no_phrases(own)
        phrase, tail = taken["AT"]
        made = self.denote_np(phrase.item, tail, scope)
        pre, ref = self.choice(made, "look", scope, True, phrase)
        ref = self.hold(action, ref, pre, scope)
        if ref.type.sort != "piece":
            raise self.problem("G0601", phrase, f"a {ref.type} cannot be looked at")
        self.bind(action, ref, scope)
        return [*pre, {"op": "look", "who": ["bit", self.actor(scope)], "what": ref.expr}]

    def do_reveal(self, action: s.Action, scope: Scope) -> list[Stmt]:
        own, taken = self.only_phrases(action, "reveal")
        made = self.object(action, own, scope)
        pre, ref = self.choice(made, "reveal", scope, True, action.object)
        ref = self.hold(action, ref, pre, scope)
        if ref.type.sort != "piece":
            raise self.problem("G0601", action.object, f"a {ref.type} cannot be revealed")
        who: Expr = ["set", ["seats", ["int", 0]]]
        if "TO" in taken:
            phrase, tail = taken["TO"]
            who = self.denote_np(phrase.item, tail, scope).as_mask()
        self.bind(action, ref, scope)
        return [*pre, {"op": "look", "who": who, "what": ref.expr}]

    def do_take(self, action: s.Action, scope: Scope) -> list[Stmt]:
        item = action.object.items[0] if action.object is not None else None
        words = item.words if isinstance(item, s.Noun) else ()
        verb = self.model.verbs.get(str(words[-1])) if words else None
        if verb is None or not verb.procedure:
            names = [v.id for v in self.model.verbs.values() if v.procedure]
            if words:
                raise self.unknown("G0510", "procedure", words[-1], names, "take a .. carries out a procedure")
            raise self.problem("G0602", action.verb, '"take" needs a procedure', "take a turn")
        own, taken = self.only_phrases(action, "take")
        self.no_phrases(own)
        args: list[Ref | None] = [None] * len(verb.params)
        pre: list[Stmt] = []
        if "WITH" in taken:
            phrase, tail = taken["WITH"]
            if len(verb.params) != 1:
                raise self.problem("G0603", phrase, f"{verb.id} takes {len(verb.params)} things", "give it a signature")
            made = self.denote_np(phrase.item, tail, scope)
            self.check_type(made.type, verb.params[0].type, phrase, verb)
            pre, ref = self.choice(made, verb.id, scope, verb.params[0].type.many, phrase)
            args = [ref]
        elif any(not p.optional for p in verb.params):
            raise self.problem("G0602", action.verb, f"{verb.id} needs {', '.join(p.name for p in verb.params)}", f"take a {verb.id} with ..")
        self.used_names.add(verb.id)
        return pre + self.call(verb, args, action, scope)

    def do_resolve(self, action: s.Action, scope: Scope) -> list[Stmt]:
        made = self.object(action, list(action.phrases), scope)
        if made.program is None:
            raise self.problem("G0601", action.object, "a text of a card is wanted here", "resolve the effect of the card")
        piece, name = made.program
        return [{"op": "program", "piece": piece, "name": name, "you": self.actor(scope)}]

    def do_end(self, action: s.Action, scope: Scope) -> list[Stmt]:
        own, taken = self.only_phrases(action, "end")
        item = action.object.items[0] if action.object is not None else None
        if not (isinstance(item, s.Noun) and item.words == ("game",)) or own:
            raise self.problem("G0607", action.verb, '"end" ends the game', "end the game with OUTCOME for .. ; a procedure is left with stop or conclude")
        if "WITH" not in taken:
            raise self.problem("G0602", action.verb, "how does the game end?", "end the game with OUTCOME for ..")
        phrase, _ = taken["WITH"]
        word = phrase.item.words[-1] if isinstance(phrase.item, s.BareWords | s.Noun) else None
        thing = self.model.things.get(str(word)) if word is not None else None
        if thing is None or thing.kind != "outcome":
            names = [t.id for t in self.model.things.values() if t.kind == "outcome"]
            if word is None:
                raise self.problem("G0601", phrase, "an outcome is wanted here", f"one of {', '.join(names)}")
            raise self.unknown("G0511", "outcome", word, names, f"outcomes: {', '.join(names)}")
        self.used_names.add(thing.id)
        winners: Expr = ["int", 0]
        if "FOR" in taken:
            phrase, tail = taken["FOR"]
            made = self.denote_np(phrase.item, tail, scope)
            if made.type.sort != "seat":
                raise self.problem("G0601", phrase, f"a {made.type} cannot win")
            winners = made.as_mask()
        return [{"op": "end", "outcome": thing.id, "winners": winners, "at": self.place(action)}]

    def do_stop(self, action: s.Action, scope: Scope) -> list[Stmt]:
        if action.object is None:
            if scope.loops == 0:
                raise self.problem("G0607", action.verb, "there is no loop to stop", "stop the PROCEDURE leaves a procedure")
            return [{"op": "stop"}]
        return [{"op": "leave", "proc": self.procedure_of(action).index}]

    def procedure_of(self, action: s.Action) -> Verb:
        item = action.object.items[0] if action.object is not None else None
        words = item.words if isinstance(item, s.Noun) else ()
        verb = self.model.verbs.get(str(words[-1])) if words else None
        if verb is None or not verb.procedure:
            names = [v.id for v in self.model.verbs.values() if v.procedure]
            raise self.unknown("G0510", "procedure", words[-1] if words else action.verb, names)
        return verb

    def do_conclude(self, action: s.Action, scope: Scope) -> list[Stmt]:
        verb = self.procedure_of(action)
        _, taken = self.only_phrases(action, "conclude")
        if "WITH" not in taken:
            raise self.problem("G0602", action.verb, '"conclude" needs a result', f"conclude the {verb.id} with .., or stop the {verb.id}")
        phrase, tail = taken["WITH"]
        ref = self.one(self.denote_np(phrase.item, tail, scope), phrase)
        if verb.result is None:
            raise self.problem("G0601", phrase, f"{verb.id} has no result", "declare result")
        self.same_sort(verb.result, ref, phrase)
        return [{"op": "leave", "proc": verb.index, "value": ref.expr}]

    def do_prevent(self, action: s.Action, scope: Scope) -> list[Stmt]:
        self.need_replaceable(action, scope)
        return [{"op": "cancel"}]


def _prep_word(role: str) -> str:
    return role.lower().replace("_prep", "").replace("_", " ")
