"""Lower statements to core statements: gates, modals, costs, choices, assignments, sequences."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lark import Token

from grimoire.compiler import syntax as s
from grimoire.compiler.actions import Actions
from grimoire.compiler.base import Unresolved, seq
from grimoire.compiler.model import NUMBER, Expr, Stmt, Type
from grimoire.compiler.nouns import Denotation
from grimoire.compiler.scope import Ref, Scope

_FLOAT_GATES = ("until", "window")


class Statements(Actions):
    """Statements and blocks."""

    def block(self, block: s.Block, scope: Scope) -> Stmt:
        """A block in its own scope; what cannot be lowered is reported and left out, the rest goes on."""
        inner = scope.inner()
        body = self.lines(list(block.statements), inner)
        scope.did = inner.did if inner.did >= 0 else scope.did
        self.close(inner)
        return seq(body)

    def close(self, scope: Scope) -> None:
        for name in scope.names.values():
            if not name.used and name.token is not None:
                self.problem("G0701", name.token, f'"{name.word}" is named and never used', f"leave out as {name.word}")

    def lines(self, lines: list[s.Line], scope: Scope) -> list[Stmt]:
        body: list[Stmt] = []
        at = 0
        while at < len(lines):
            line = lines[at]
            group = [line]
            at += 1
            head = _gate(line)
            if head is not None and head.kind in ("if", "on", "otherwise_if"):
                while at < len(lines) and _kind(lines[at]) in ("otherwise", "otherwise_if"):
                    group.append(lines[at])
                    at += 1
            elif head is not None and head.kind == "either":
                while at < len(lines) and _kind(lines[at]) == "or":
                    group.append(lines[at])
                    at += 1
            elif at < len(lines) and isinstance(lines[at].statement, s.Require):
                group.append(lines[at])
                at += 1
            try:
                body.append(self.group(group, scope))
            except Unresolved:
                continue
        return body

    def group(self, group: list[s.Line], scope: Scope) -> Stmt:
        line = group[0]
        head = _gate(line)
        if head is not None and head.kind in ("otherwise", "otherwise_if", "or"):
            wanted = "if or on" if head.kind != "or" else "either"
            raise self.problem("G0407", head.word, f'"{head.word}" stands behind nothing', f"it follows a line that starts with {wanted}")
        if head is not None and head.kind == "either":
            made = self.either_blocks(group, scope)
        elif len(group) > 1 and isinstance(group[1].statement, s.Require):
            made = self.constrained(line.statement, group[1].statement, scope)
        else:
            made = self.statement(line.statement, scope)
            if len(group) > 1:
                made = self.otherwise(made, group[1:], scope)
        return self.tagged(made, line)

    def tagged(self, made: Stmt, line: s.Line) -> Stmt:
        if line.clause is None:
            return made
        clause = self.clause_id(line.clause)
        if clause is None:
            return made
        if "clause" in made:
            made = {"op": "seq", "body": [made]}
        made["clause"] = clause
        return made

    def clause_id(self, token: Token) -> str | None:
        wanted = str(token)[1:]
        clauses = self.model.clauses
        if wanted not in clauses:
            found = [c for c in clauses if c.split(".", 1)[-1] == wanted]
            if len(found) != 1:
                self.unknown("G0801", "clause", token, [f"§{c}" for c in clauses])
                return None
            wanted = found[0]
        clauses[wanted].carried.append(self.text.owner if self.text else "")
        return wanted

    def otherwise(self, made: Stmt, rest: list[s.Line], scope: Scope) -> Stmt:
        """Chain `otherwise` lines to the conditional they follow."""
        target = made
        while target["op"] == "if" and "else" in target:
            target = target["else"]
        if target["op"] != "if":
            raise self.problem("G0407", rest[0].statement, '"otherwise" stands behind nothing that can fail')
        for line in rest:
            gated = line.statement
            assert isinstance(gated, s.Gated)
            if target is None:
                raise self.problem("G0702", gated.gate.word, "this can never be reached: an otherwise without a condition stands above it")
            if gated.gate.kind == "otherwise_if":
                assert gated.gate.condition is not None
                branch: Stmt = {"op": "if", "cond": self.condition(gated.gate.condition, scope), "then": self.body(gated.body, scope)}
                target["else"] = self.tagged(branch, line)
                target = branch
            else:
                target["else"] = self.tagged(self.body(gated.body, scope), line)
                target = None  # type: ignore[assignment]
        return made

    def body(self, node: s.Statement, scope: Scope) -> Stmt:
        if isinstance(node, s.Block):
            return self.block(node, scope)
        inner = scope.inner()
        made = self.statement(node, inner)
        scope.did = inner.did if inner.did >= 0 else scope.did
        self.close(inner)
        return made

    # ------------------------------------------------------------ one statement

    def statement(self, node: s.Statement, scope: Scope) -> Stmt:
        match node:
            case s.Act():
                return seq(self.act(node, scope))
            case s.Then(first, _, rest):
                return seq([self.statement(first, scope), self.statement(rest, scope)])
            case s.Together(parts):
                return seq([self.statement(part, scope) for part in parts])
            case s.Pay(cost, rest):
                return seq(self.pay(cost, lambda inner: self.statement(rest, inner), scope))
            case s.Assign(target, value):
                return self.assign(target, value, scope)
            case s.Either(word, options):
                return self.menu_of(
                    [(option, (lambda inner, option=option: self.act(s.Act(None, None, option), inner))) for option in options], word, scope
                )
            case s.Gated(gate, body):
                return self.gated(gate, body, scope)
            case s.Block():
                return self.block(node, scope)
            case s.Require(word, _):
                raise self.problem("G0607", word, "require stands behind a choice", "choose .. as NAME, and on the next line require ..")
            case s.Gets() | s.Cannot() | s.CannotBe():
                raise self.problem("G0607", node, "this holds for a time: it needs a duration", "until the end of the turn: .., or the slot always")
        raise AssertionError(node)

    def gated(self, gate: s.Gate, body: s.Statement, scope: Scope) -> Stmt:
        match gate.kind:
            case "if":
                assert gate.condition is not None
                return {"op": "if", "cond": self.condition(gate.condition, scope), "then": self.body(body, scope)}
            case "on":
                return {"op": "if", "cond": self.on(gate, scope), "then": self.body(body, scope)}
            case "each":
                return self.for_each(gate, body, scope)
            case "repeat":
                inner = scope.inner()
                inner.loops += 1
                made: Stmt = {"op": "repeat", "body": self.body(body, inner)}
                if gate.amount is not None:
                    made["times"] = self.amount(gate.amount, scope)
                return made
            case "in_turn":
                assert gate.noun is not None
                inner = scope.inner()
                inner.order_from = self.one(self.denote(gate.noun, scope), gate.noun).expr
                return self.body(body, inner)
            case "at_once":
                inner = scope.inner()
                inner.poll = True
                return self.body(body, inner)
            case "secretly":
                inner = scope.inner()
                inner.secret = True
                return self.body(body, inner)
            case "modal":
                return seq(self.modal_block(gate, body, scope))
            case "pay":
                assert gate.cost is not None
                return seq(self.pay(gate.cost, lambda inner: self.body(body, inner), scope))
            case "first_able":
                return self.first_able(body, scope)
            case "instead":
                self.need_event(gate.word, scope)
                return seq([{"op": "cancel"}, self.body(body, scope)])
            case "until" | "window":
                return self.grant(gate, body, scope)
            case "while":
                raise self.problem("G0607", gate.word, "while stands in the slot always", "until the end of .. is a duration inside an effect")
        raise self.problem("G0407", gate.word, f'"{gate.word}" stands behind nothing')

    def need_event(self, word: object, scope: Scope) -> None:
        if scope.event is None or not scope.event.replaceable:
            raise self.problem("G0607", word, "there is no pending event to replace or prevent", "the window must say when .. would ..")

    def on(self, gate: s.Gate, scope: Scope) -> Expr:
        ref = scope.outcome
        if ref is None:
            raise self.problem("G0607", gate.word, "nothing above gives a result", "a verb with a result stands on an earlier line: roll a die")
        tests: list[Expr] = []
        for outcome in gate.outcomes:
            token = outcome.token
            if outcome.form == "name":
                value = self.bare(token, scope)
                self.same_sort(ref.type, value, token)
                tests.append(["==", ref.expr, value.expr])
            elif ref.type.sort != "number":
                raise self.problem("G0605", token, f"the result is a {ref.type}, not a number")
            elif outcome.form == "range":
                low, high = str(token).split("-")
                if int(low) > int(high):
                    raise self.problem("G0702", token, f"no number lies from {low} to {high}")
                tests.append(["and", [">=", ref.expr, ["int", int(low)]], ["<=", ref.expr, ["int", int(high)]]])
            else:
                op = {"number": "==", "at_least": ">=", "at_most": "<="}[outcome.form]
                tests.append([op, ref.expr, ["int", int(token)]])
        test = tests[0] if len(tests) == 1 else ["or", *tests]
        return self.at(gate.outcomes[0], test)

    def for_each(self, gate: s.Gate, body: s.Statement, scope: Scope) -> Stmt:
        assert gate.noun is not None and gate.bind is not None
        made = self.denote(gate.noun, scope)
        if made.quant not in ("all", "one"):
            raise self.problem("G0607", gate.noun, "for each goes over all of them", "say for each NOUN as NAME")
        slot = scope.unit.slot()
        inner = scope.inner()
        inner.loops += 1
        inner.bind(str(gate.bind), Ref(["slot", slot], made.type.one()), gate.bind)
        lowered = self.body(body, inner)
        self.close(inner)
        return {"op": "foreach", "slot": slot, "in": made.selector(), "body": lowered}

    # ------------------------------------------------------------ modals

    def subject_loop(self, subject: s.Full, scope: Scope, make: Callable[[Scope], list[Stmt]]) -> list[Stmt]:
        """Somebody else acts: one after the other in turn order where there are several."""
        made = self.denote(subject, scope)
        if made.type.sort != "seat":
            raise self.problem("G0601", subject, f"a {made.type} cannot act", "players act; name a player")
        inner = scope.inner()
        if made.quant == "one":
            who = self.one(made, subject).expr
            if who[0] not in ("slot", "var", "int"):
                slot = scope.unit.slot()
                inner.they = inner.asks = ["slot", slot]
                return [{"op": "let", "slot": slot, "value": who}, {"op": "if", "cond": ["!=", ["slot", slot], ["int", -1]], "then": seq(make(inner))}]
            inner.they = inner.asks = who
            result = make(inner)
            scope.did = inner.did if inner.did >= 0 else scope.did
            return result
        slot = scope.unit.slot()
        inner.they = inner.asks = ["slot", slot]
        if made.quant == "choose":
            return self.first_willing(made, slot, inner, scope, make)
        if scope.poll:
            return self.poll(made, slot, inner, scope, make)
        inner.loops += 1
        body = seq(make(inner))
        sel = made.selector()
        # the condition is looked at when the turn comes, not when the loop starts
        if sel[0] == "filter":
            test = ["let", sel[2]]
            body = {"op": "if", "cond": _with_slot(sel[3], sel[2], slot), "then": body}
            del test
            sel = sel[1]
        return [{"op": "foreach", "slot": slot, "in": sel, "body": body}]

    def first_willing(self, made: Denotation, slot: int, inner: Scope, scope: Scope, make: Callable[[Scope], list[Stmt]]) -> list[Stmt]:
        """`any player may ..`: asked in turn order until one does."""
        inner.loops += 1
        body = make(inner)
        if inner.did < 0:
            raise self.problem("G0607", made.node, "any player may ..: with must, say which one", "the player with .., each player, or a choice")
        stop: Stmt = {"op": "if", "cond": ["==", ["slot", inner.did], ["int", 1]], "then": {"op": "stop"}}
        scope.did = inner.did
        return [
            {"op": "let", "slot": inner.did, "value": ["int", 0]},
            {"op": "foreach", "slot": slot, "in": made.selector(), "body": seq([*body, stop])},
        ]

    def poll(self, made: Denotation, slot: int, inner: Scope, scope: Scope, make: Callable[[Scope], list[Stmt]]) -> list[Stmt]:
        """At the same time: every seat answers one menu, in any order."""
        body = seq(make(inner))
        menus = [part for part in (body["body"] if body["op"] == "seq" else [body])]
        if len(menus) == 1 and menus[0]["op"] == "menu":
            return [{"op": "poll", "seats": made.as_mask(), "slot": slot, "menu": menus[0]}]
        raise self.problem("G0607", made.node, "at the same time each player makes one choice", "each player must choose one thing and do one verb with it")

    def modal_block(self, gate: s.Gate, body: s.Statement, scope: Scope) -> list[Stmt]:
        if gate.noun is not None:
            def make(inner: Scope) -> list[Stmt]:
                lowered = self.body(body, inner)
                return [lowered] if gate.word.type == "MUST" else self.optional([lowered], "accept", inner)

            return self.subject_loop(gate.noun, scope, make)
        if gate.word.type == "MUST":
            raise self.problem("G0607", gate.word, '"must" needs somebody', "the captain must: .., each player must: ..")
        return self.optional([self.body(body, scope)], "accept", scope)

    def act(self, node: s.Act, scope: Scope) -> list[Stmt]:
        def make(inner: Scope) -> list[Stmt]:
            body = self.perform(node.action, inner)
            if node.modal is not None and node.modal.type == "MAY":
                return self.optional(body, str(node.action.verb), inner)
            return body

        if node.subject is not None:
            return self.subject_loop(node.subject, scope, make)
        if node.modal is not None and node.modal.type == "MUST":
            raise self.problem("G0607", node.modal, '"must" needs somebody', "the captain must .., each player must ..")
        return make(scope)

    def optional(self, body: list[Stmt], label: str, scope: Scope) -> list[Stmt]:
        """`may`: one menu with the choice inside it where the clause starts with one, and `decline`."""
        did = scope.unit.slot()
        scope.did = did
        actor = self.actor(scope)
        done: Stmt = {"op": "let", "slot": did, "value": ["int", 1]}
        first = body[0]
        reset: Stmt = {"op": "let", "slot": did, "value": ["int", 0]}
        if first["op"] == "menu" and len(first["entries"]) == 1 and first["entries"][0]["body"] is None:
            entry = first["entries"][0]
            domain = entry["domains"][0]["in"]
            accepted = {**entry, "body": seq([*body[1:], done])}
            declined = {"id": "decline", "guard": ["any", domain], "domains": [], "body": None}
            return [reset, {**first, "entries": [accepted, declined]}]
        whole = seq(body)
        menu: Stmt = {
            "op": "menu",
            "seat": actor,
            "label": label,
            "entries": [
                {"id": label, "guard": None, "domains": [], "body": seq([whole, done])},
                {"id": "decline", "guard": None, "domains": [], "body": None},
            ],
        }
        if self.can_fail(whole):
            return [reset, {"op": "if", "cond": ["can", whole], "then": menu}]
        return [reset, menu]

    def can_fail(self, stmt: Stmt) -> bool:
        """Whether a statement may turn out impossible to carry out in full."""
        op = stmt["op"]
        if op in ("menu", "choose", "do", "pay", "move"):
            return True
        if op == "seq":
            return any(self.can_fail(part) for part in stmt["body"])
        if op in ("if", "foreach", "repeat"):
            return any(self.can_fail(stmt[key]) for key in ("then", "else", "body") if key in stmt)
        return False

    # ------------------------------------------------------------ costs

    def pay(self, cost: s.Statement, rest: Callable[[Scope], Stmt], scope: Scope) -> list[Stmt]:
        subject: s.Full | None = None
        optional = False
        inner_cost = cost
        if isinstance(cost, s.Act):
            subject, optional = cost.subject, cost.modal is not None and cost.modal.type == "MAY"
            inner_cost = s.Act(None, None, cost.action)
        elif isinstance(cost, s.Together) and isinstance(cost.parts[0], s.Act):
            lead = cost.parts[0]
            subject, optional = lead.subject, lead.modal is not None and lead.modal.type == "MAY"
            inner_cost = s.Together((s.Act(None, None, lead.action), *cost.parts[1:]))

        def make(inner: Scope) -> list[Stmt]:
            stmt = self.statement(inner_cost, inner)
            paid = stmt["body"] if stmt["op"] == "seq" and "clause" not in stmt else [stmt]
            did = inner.unit.slot()
            after = rest(inner)
            inner.did = did
            done: Stmt = {"op": "let", "slot": did, "value": ["int", 1]}
            reset: Stmt = {"op": "let", "slot": did, "value": ["int", 0]}
            first = paid[0]
            single = first["op"] == "menu" and len(first["entries"]) == 1 and first["entries"][0]["body"] is None
            if not optional:
                return [reset, {"op": "pay", "cost": seq(paid), "then": seq([done, after])}]
            if single:
                entry = first["entries"][0]
                remaining = paid[1:]
                body: Stmt = {"op": "pay", "cost": seq(remaining), "then": seq([done, after])} if remaining else seq([done, after])
                guard = ["can", seq(remaining)] if len(remaining) > 1 else None
                domain = entry["domains"][0]
                if guard is not None:
                    domain = {**domain, "in": ["filter", domain["in"], domain["slot"], guard]}
                accepted = {**entry, "domains": [domain], "body": body}
                declined = {"id": "decline", "guard": ["any", domain["in"]], "domains": [], "body": None}
                return [reset, {**first, "entries": [accepted, declined]}]
            label = _first_verb(cost)
            menu: Stmt = {
                "op": "menu",
                "seat": self.actor(inner),
                "label": label,
                "entries": [
                    {"id": label, "guard": None, "domains": [], "body": {"op": "pay", "cost": seq(paid), "then": seq([done, after])}},
                    {"id": "decline", "guard": None, "domains": [], "body": None},
                ],
            }
            return [reset, {"op": "if", "cond": ["can", seq(paid)], "then": menu}]

        if subject is not None:
            return self.subject_loop(subject, scope, make)
        return make(scope)

    # ------------------------------------------------------------ choices between clauses

    def either_blocks(self, group: list[s.Line], scope: Scope) -> Stmt:
        options: list[tuple[object, Callable[[Scope], list[Stmt]]]] = []
        for line in group:
            gated = line.statement
            assert isinstance(gated, s.Gated)

            def make(inner: Scope, body: s.Statement = gated.body, line: s.Line = line) -> list[Stmt]:
                return [self.tagged(self.body(body, inner), line) if line is not group[0] else self.body(body, inner)]

            options.append((gated.body, make))
        head = _gate(group[0])
        assert head is not None
        if len(options) < 2:
            raise self.problem("G0407", head.word, "either has no or", "add or: and a block, or leave either out")
        return self.menu_of(options, head.word, scope)

    def menu_of(self, options: list[tuple[Any, Callable[[Scope], list[Stmt]]]], word: Token, scope: Scope) -> Stmt:
        entries: list[dict[str, Any]] = []
        seen: dict[str, int] = {}
        for node, make in options:
            label = _first_verb(node)
            seen[label] = seen.get(label, 0) + 1
            key = label if seen[label] == 1 else f"{label}-{seen[label]}"
            inner = scope.inner()
            body = seq(make(inner))
            entries.append({"id": key, "guard": self.startable(body), "domains": [], "body": body})
        return {"op": "menu", "seat": self.actor(scope), "label": "either", "entries": entries, "at": self.place(word)}

    def startable(self, stmt: Stmt) -> Expr | None:
        """The guard of an option: what must hold for its first step to be possible."""
        op = stmt["op"]
        if op == "seq":
            return self.startable(stmt["body"][0]) if stmt["body"] else None
        if op == "if" and id(stmt) in self.restricted:
            inner = self.startable(stmt["then"])
            return stmt["cond"] if inner is None else self.both([stmt["cond"], inner])
        if op == "pay":
            return ["can", stmt["cost"]]
        if op == "menu" and len(stmt["entries"]) == 1 and not stmt.get("otherwise"):
            entry = stmt["entries"][0]
            return ["any", entry["domains"][0]["in"]] if entry["domains"] else entry["guard"]
        if op == "choose":
            return [">=", ["count", stmt["in"]], stmt["low"]]
        if op == "do" and stmt["verb"] in self.forbidden_procs:
            return ["allowed", stmt["verb"], stmt["you"], *stmt["args"]]
        if op == "let":
            return None
        return None

    def first_able(self, body: s.Statement, scope: Scope) -> Stmt:
        if not isinstance(body, s.Block):
            raise self.problem("G0607", body, "first able: opens a block, one possibility a line")
        made: Stmt | None = None
        for line in reversed(body.statements):
            statement = line.statement
            tests: list[Expr] = []
            inner = scope.inner()
            while isinstance(statement, s.Gated) and statement.gate.kind == "if" and not isinstance(statement.body, s.Block):
                assert statement.gate.condition is not None
                tests.append(self.condition(statement.gate.condition, inner))
                statement = statement.body
            lowered = self.body(statement, inner)
            tests.append(["can", lowered])
            branch: Stmt = {"op": "if", "cond": self.both(tests), "then": lowered}
            if made is not None:
                branch["else"] = made
            made = self.tagged(branch, line) if line.clause is None else {**branch, "clause": self.clause_id(line.clause)}
        assert made is not None
        return made

    def constrained(self, node: s.Statement, require: s.Require, scope: Scope) -> Stmt:
        if not isinstance(node, s.Act):
            raise self.problem("G0607", require.word, "require stands directly behind a choice")
        body = self.act(node, scope)
        choice = next((part for part in body if part["op"] == "choose"), None)
        if choice is None:
            raise self.problem("G0607", require.word, "require narrows a choice of several: choose any number of .. as NAME")
        choice["constraint"] = self.condition(require.condition, scope)
        return seq(body)

    # ------------------------------------------------------------ assignments

    def assign(self, full: s.Full, value: s.Amount, scope: Scope) -> Stmt:
        """`NP is now VALUE`: a counter, a state, a setting, the result of a verb."""
        noun = full.noun
        spread = self.spread(full, value, scope)
        if spread is not None:
            return spread
        if isinstance(value, s.Bare | s.Negated):
            flag = self.flag_assign(full, value, scope)
            if flag is not None:
                return flag
        if isinstance(value, s.Negated):
            raise self.problem("G0606", value.name, f'"{value.name}" is no flag of this')
        if isinstance(noun, s.Noun) and noun.words == ("result",) and scope.unit.result >= 0 and not full.phrases:
            ref = self.amount_ref(value, scope)
            return {"op": "let", "slot": scope.unit.result, "value": ref.expr}
        return self.assign_state(full, value, scope)

    def flag_assign(self, full: s.Full, value: s.Bare | s.Negated, scope: Scope) -> Stmt | None:
        made = self.denote(full, scope)
        declared = self.model.field(made.type.kind, str(value.name))
        if declared is None or declared.type.sort != "flag":
            return None
        if not declared.state:
            raise self.problem("G0606", full, f'"{value.name}" is printed and cannot change')
        new: Expr = ["int", 1 if isinstance(value, s.Bare) else 0]
        if made.quant == "one":
            return {"op": "setcol", "col": declared.column, "of": self.one(made, full).expr, "value": new}
        slot = scope.unit.slot()
        return {"op": "foreach", "slot": slot, "in": made.selector(), "body": {"op": "setcol", "col": declared.column, "of": ["slot", slot], "value": new}}

    def assign_state(self, full: s.Full, value: s.Amount, scope: Scope) -> Stmt:
        target = self.denote(full, scope)
        where = target.expr
        if where is None or target.quant != "one":
            raise self.problem("G0606", full, "this cannot be set", "a counter, a state or a setting can: the price is now 3")
        ref = self.amount_ref(value, scope)
        self.same_sort(target.type, ref, full)
        if ref.type.many != target.type.many:
            raise self.problem("G0604", value, f"one {target.type} is wanted here, not several")
        if where[0] == "var":
            return {"op": "setvar", "var": where[1], "value": ref.expr}
        if where[0] in ("col", "attr"):
            declared = next((f for k in self.model.kinds.values() for f in k.fields.values() if f.column == where[1]), None)
            if declared is not None and not declared.state:
                raise self.problem("G0606", full, f"the {declared.name} is printed and cannot change", "declare it under states")
            return {"op": "setcol", "col": where[1], "of": where[2], "value": ref.expr}
        if where[0] == "setting":
            return {"op": "setting", "proc": where[1], "slot": where[2], "value": ref.expr}
        raise self.problem("G0606", full, "this cannot be set", "a counter, a state or a setting can: the price is now 3")

    def spread(self, full: s.Full, value: s.Amount, scope: Scope) -> Stmt | None:
        """`the STATE of each KIND is now ..`."""
        noun = full.noun
        if not (isinstance(noun, s.Noun) and full.phrases and full.phrases[0].prep.type == "OF"):
            return None
        item = full.phrases[0].item
        if not (isinstance(item, s.Noun) and item.det is not None and item.det.type in ("EACH", "ALL", "BOTH")):
            return None
        owners = self.denote_np(full.phrases[0].item, list(full.phrases[1:]), scope)
        if owners.quant != "all":
            return None
        declared = self.model.field(owners.type.kind, str(noun.words[-1]))
        if declared is None or not declared.state:
            return None
        slot = scope.unit.slot()
        inner = scope.inner()
        inner.it = Ref(["slot", slot], owners.type.one())
        ref = self.amount_ref(value, inner)
        self.same_sort(declared.type, ref, full)
        change: Stmt = {"op": "setcol", "col": declared.column, "of": ["slot", slot], "value": ref.expr}
        return {"op": "foreach", "slot": slot, "in": owners.selector(), "body": change}

    def grant(self, gate: s.Gate, body: s.Statement, scope: Scope) -> Stmt:
        raise NotImplementedError


def _gate(line: s.Line) -> s.Gate | None:
    return line.statement.gate if isinstance(line.statement, s.Gated) else None


def _kind(line: s.Line) -> str | None:
    gate = _gate(line)
    return gate.kind if gate is not None else None


def _with_slot(expr: Expr, slot: int, to: int) -> Expr:
    if expr == ["slot", slot]:
        return ["slot", to]
    return [_with_slot(part, slot, to) if isinstance(part, list) else part for part in expr]


def _first_verb(node: object) -> str:
    """The verb that names an option."""
    if isinstance(node, s.Action):
        return str(node.verb)
    if isinstance(node, s.Act):
        return str(node.action.verb)
    if isinstance(node, tuple):
        for part in node:
            found = _first_verb(part)
            if found:
                return found
    return ""


__all__ = ["NUMBER", "Statements", "Type"]
