"""Lower the clause frame: who acts, whether they may, what it costs, and choices between clauses.

One frame for all wordings: a subject (who decides), a gate (may, a cost, require), a body. What can fail writes 0 into the slot of the
frame (`Scope.fail`), so that `if you do` and costs see what really happened.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator
from typing import Any

from grimoire.compiler.declare.model import Expr, Stmt
from grimoire.compiler.lower.amounts import replace_slot
from grimoire.compiler.lower.assignments import Assignments
from grimoire.compiler.lower.base import seq
from grimoire.compiler.lower.scope import Order, Scope
from grimoire.compiler.lower.selectors import Denotation
from grimoire.compiler.syntax import nodes as s
from grimoire.compiler.syntax.tokens import Token

Make = Callable[[Scope], list[Stmt]]
_ONE: Expr = ["int", 1]
_NOTHING: Stmt = {"op": "seq", "body": []}


class Frames(Assignments):
    """Modals, costs, either .. or, first able."""

    # ------------------------------------------------------------ who acts

    def subject_loop(self, subject: s.Full, may: bool, scope: Scope, make: Make) -> list[Stmt]:
        """Somebody else acts: one after the other in turn order where there are several."""
        made = self.denote(subject, scope)
        if made.type.sort != "seat":
            raise self.problem("G0601", subject, f"a {made.type} cannot act", "players act; name a player")
        pre: list[Stmt] = []
        if made.quant == "random" or (made.quant == "choose" and not may):
            pre, ref = self.choice(made, "player", scope, False, subject)
            if ref.type.many:
                made = Denotation(ref.type, "all", mask=ref.expr, node=subject)
            else:
                made = Denotation(ref.type, "one", expr=ref.expr, node=subject)
        if made.quant == "none":
            raise self.problem("G0607", subject, "nobody acts here", "say cannot in the slot always or for a duration")
        inner = scope.inner()
        if made.quant == "one":
            return [*pre, *self.single_subject(self.one(made, subject).expr, inner, scope, make)]
        slot = scope.unit.slot()
        inner.they = inner.asks = ["slot", slot]
        if made.quant == "choose":
            return self.first_willing(made, slot, inner, scope, make)
        if scope.poll is not None and not scope.poll.used:
            scope.poll.used = True
            inner.poll = None
            return [*pre, *self.poll(made, slot, inner, make)]
        inner.loops += 1
        body = make(inner)
        self.close(inner)
        body = [*inner.resets, *body]
        if inner.did >= 0 and inner.did != scope.did:
            # behind the round, "if they do" asks whether anybody did
            some = scope.unit.slot()
            pre.append({"op": "let", "slot": some, "value": ["int", 0]})
            known: Stmt = {"op": "let", "slot": some, "value": _ONE}
            body.append({"op": "if", "cond": ["==", ["slot", inner.did], _ONE], "then": known})
            body.insert(0, {"op": "let", "slot": inner.did, "value": ["int", 0]})
            scope.did = some
        whole = seq(body)
        sel = made.selector()
        # the condition is looked at when the turn comes, not when the loop starts
        if sel[0] == "filter":
            whole = {"op": "if", "cond": replace_slot(sel[3], sel[2], ["slot", slot]), "then": whole}
            sel = sel[1]
        return [*pre, {"op": "foreach", "slot": slot, "in": sel, "body": whole}]

    def single_subject(self, who: Expr, inner: Scope, scope: Scope, make: Make) -> list[Stmt]:
        sure = who[0] in ("int", "next") or (who[0] == "slot" and who[1] not in scope.unit.chosen) or who == ["var", 0]
        pre: list[Stmt] = []
        if who[0] not in ("slot", "int", "var"):
            slot = scope.unit.slot()
            pre.append({"op": "let", "slot": slot, "value": who})
            who = ["slot", slot]
        inner.they = inner.asks = who
        body = make(inner)
        body = [*inner.resets, *body]
        inner.resets.clear()
        inner.leave()
        if sure:
            return [*pre, *body]
        absent = seq(self.impossible(scope))
        return [*pre, {"op": "if", "cond": ["!=", who, ["int", -1]], "then": seq(body), "else": absent}]

    def first_willing(self, made: Denotation, slot: int, inner: Scope, scope: Scope, make: Make) -> list[Stmt]:
        """`any player may ..`: asked in turn order until one does."""
        if made.low != _ONE or made.high != _ONE:
            raise self.problem("G0607", made.node, "one player may do it", "any player may .., or each player may ..")
        inner.loops += 1
        inner.did = -1
        body = make(inner)
        body = [*inner.resets, *body]
        inner.resets.clear()
        stop: Stmt = {"op": "if", "cond": ["==", ["slot", inner.did], _ONE], "then": {"op": "stop"}}
        inner.leave()
        return [{"op": "foreach", "slot": slot, "in": made.selector(), "body": seq([*body, stop])}]

    def poll(self, made: Denotation, slot: int, inner: Scope, make: Make) -> list[Stmt]:
        """At the same time: every seat answers one menu, in any order; then the answers are carried out in turn order."""
        body = seq([*make(inner)])
        self.close(inner)
        parts = body["body"] if body["op"] == "seq" else [body]
        parts = [*inner.resets, *parts]
        first = next((i for i, part in enumerate(parts) if part["op"] != "let"), None)
        if first is None or parts[first]["op"] != "menu":
            raise self.problem(
                "G0607",
                made.node,
                "at the same time each player starts with one choice",
                "each player must choose a .. as NAME, and more lines below it",
            )
        menu, rest = parts[first], parts[first + 1 :]
        entries = [{**entry, "body": seq([*_listed(entry["body"]), *rest])} for entry in menu["entries"]]
        asked = {**menu, "seat": ["slot", slot], "entries": entries}
        asked["otherwise"] = seq([*_listed(menu.get("otherwise")), *rest])
        return [*parts[:first], {"op": "poll", "seats": made.as_mask(), "slot": slot, "menu": asked}]

    # ------------------------------------------------------------ may

    def act(self, node: s.Act, scope: Scope) -> list[Stmt]:
        return self.acts([node], scope)

    def acts(self, nodes: list[s.Act], scope: Scope) -> list[Stmt]:
        """One clause, or several joined by `and` under one subject and modal."""
        lead = nodes[0]
        may = lead.modal is not None and lead.modal.type == "MAY"

        def perform(inner: Scope) -> list[Stmt]:
            return [part for node in nodes for part in self.perform(node.action, inner)]

        def make(inner: Scope) -> list[Stmt]:
            if may:
                return self.optional(lambda deep: (perform(deep), None), str(lead.action.verb), inner)
            return self.tracked(perform, lead.action, inner)

        if lead.subject is not None:
            return self.subject_loop(lead.subject, may, scope, make)
        if lead.modal is not None and not may:
            raise self.problem("G0607", lead.modal, '"must" needs somebody', "the leader must .., each player must ..")
        return make(scope)

    def tracked(self, perform: Make, action: s.Action, scope: Scope) -> list[Stmt]:
        """A plain clause; where the text asks `if you do`, it notes whether it was carried out."""
        text = self.text.text if self.text is not None else ""
        if str(action.verb) == "choose" or ("you do" not in text and "they do" not in text):
            return perform(scope)
        did = scope.unit.slot()
        fail, scope.fail = scope.fail, did
        try:
            body = perform(scope)
        finally:
            scope.fail = fail
        scope.did = did
        if fail >= 0:
            note: Stmt = {"op": "let", "slot": fail, "value": ["int", 0]}
            body.append({"op": "if", "cond": ["!=", ["slot", did], _ONE], "then": note})
        return [{"op": "let", "slot": did, "value": _ONE}, *body]

    def modal_block(self, gate: s.Gate, body: s.Statement, scope: Scope) -> list[Stmt]:
        may = gate.word.type == "MAY"

        def build(deep: Scope) -> tuple[list[Stmt], Stmt | None]:
            lines = self.branch_lines(body, deep)
            return lines, next((part for part in lines if part["op"] != "let"), None)

        def make(inner: Scope) -> list[Stmt]:
            if not may:
                return self.branch_lines(body, inner)
            tests, rest = self.guards(body, inner)
            if not tests:
                return self.optional(build, "accept", inner)

            def guarded(deep: Scope) -> tuple[list[Stmt], Stmt | None]:
                lines = self.branch_lines(rest, deep)
                return lines, next((part for part in lines if part["op"] != "let"), None)

            return self.optional(guarded, "accept", inner, self.both(tests))

        if gate.noun is not None:
            return self.subject_loop(gate.noun, may, scope, make)
        if not may:
            raise self.problem("G0607", gate.word, '"must" needs somebody', "the leader must: .., each player must: ..")
        return make(scope)

    def optional(
        self,
        build: Callable[[Scope], tuple[list[Stmt], Stmt | None]],
        label: str,
        scope: Scope,
        guard: Expr | None = None,
    ) -> list[Stmt]:
        """`may`: one menu, with the choice inside it where the clause starts with one, and `decline`.

        It is offered when its first step (`head`; without one, all of it) can be carried out.
        """
        did = scope.unit.slot()
        inner = scope.inner()
        inner.fail, inner.did = did, -1
        body, head = build(inner)
        body = [*inner.resets, *body]
        inner.resets.clear()
        inner.did = did
        inner.leave()
        done: Stmt = {"op": "let", "slot": did, "value": _ONE}
        lead = next((i for i, part in enumerate(body) if part["op"] != "let"), 0)
        if body and _picks(body[lead]):
            menu = self.menu_with_decline(body[lead], body[lead + 1 :], [done, *body[lead + 1 :]], head is None)
            made = [*body[:lead], menu]
        else:
            menu = {
                "op": "menu",
                "seat": self.actor(scope),
                "label": label,
                "entries": [
                    {"id": label, "guard": None, "domains": [], "body": seq([done, *body])},
                    {"id": "decline", "guard": None, "domains": [], "body": None},
                ],
            }
            whole = seq(body) if head is None else head
            made = [{"op": "if", "cond": ["can", whole], "then": menu}] if self.can_fail(whole) else [menu]
        if guard is not None:
            made = [{"op": "if", "cond": guard, "then": seq(made)}]
        return [{"op": "let", "slot": did, "value": ["int", 0]}, *made]

    def menu_with_decline(self, menu: Stmt, rest: list[Stmt], body: list[Stmt], whole: bool) -> Stmt:
        """A choice that may be declined; only what lets the rest be carried out is offered."""
        entry = menu["entries"][0]
        domain = entry["domains"][0]
        following = seq(rest)
        if whole and rest and self.can_fail(following):
            domain = {**domain, "in": ["filter", domain["in"], domain["slot"], ["can", following]]}
        accepted = {**entry, "domains": [domain, *entry["domains"][1:]], "body": seq(body)}
        declined = {"id": "decline", "guard": ["any", domain["in"]], "domains": [], "body": None}
        return {**{k: v for k, v in menu.items() if k != "otherwise"}, "entries": [accepted, declined]}

    def can_fail(self, stmt: Stmt) -> bool:
        """Whether a statement may turn out impossible to carry out in full."""
        op = stmt["op"]
        if op == "menu":
            return not any(entry["id"] == "decline" for entry in stmt["entries"])
        if op in ("choose", "do", "pay", "move", "setvar", "setcol", "program"):
            return True
        if op == "seq":
            return any(self.can_fail(part) for part in stmt["body"])
        if op in ("if", "foreach", "repeat"):
            return any(self.can_fail(stmt[key]) for key in ("then", "else", "body") if key in stmt)
        return False

    # ------------------------------------------------------------ costs

    @staticmethod
    def lead(cost: s.Statement) -> tuple[s.Full | None, bool, s.Statement]:
        """Who pays, whether they may, and the cost without these."""
        if isinstance(cost, s.Act):
            may = cost.modal is not None and cost.modal.type == "MAY"
            return cost.subject, may, s.Act(None, None, cost.action)
        if isinstance(cost, s.Together) and isinstance(cost.parts[0], s.Act):
            first = cost.parts[0]
            may = first.modal is not None and first.modal.type == "MAY"
            bare = [s.Act(None, None, p.action) if isinstance(p, s.Act) else p for p in cost.parts]
            return first.subject, may, s.Together(tuple(bare))
        return None, False, cost

    def pay(self, cost: s.Statement, rest: Callable[[Scope], Stmt], scope: Scope) -> list[Stmt]:
        """`A to B`: A is checked in full, paid, and only then B."""
        subject, may, plain = self.lead(cost)

        def make(inner: Scope) -> list[Stmt]:
            return self.paid(cost, plain, may, rest, inner)

        if subject is not None:
            return self.subject_loop(subject, may, scope, make)
        return make(scope)

    def paid(
        self, cost: s.Statement, plain: s.Statement, may: bool, rest: Callable[[Scope], Stmt], scope: Scope
    ) -> list[Stmt]:
        did = scope.unit.slot()
        inner = scope.inner()
        inner.fail = did
        first = self.statement(plain, inner)
        paid = [*inner.resets, *_listed(first)]
        inner.resets.clear()
        inner.fail, inner.did = scope.fail, -1
        after = rest(inner)
        after = seq([*inner.resets, after])
        inner.resets.clear()
        inner.did = did
        inner.leave()
        done: Stmt = {"op": "let", "slot": did, "value": _ONE}
        reset: Stmt = {"op": "let", "slot": did, "value": ["int", 0]}
        then: Stmt = {"op": "if", "cond": ["==", ["slot", did], _ONE], "then": after}
        if not self.watched(seq(paid), did):
            then = after
        if not may:
            unpaid = seq(self.impossible(scope))
            return [reset, {"op": "pay", "cost": seq([done, *paid]), "then": then, "else": unpaid}]
        lead = next((i for i, part in enumerate(paid) if part["op"] != "let"), 0)
        if paid and _picks(paid[lead]):
            remaining = paid[lead + 1 :]
            body: list[Stmt] = (
                [done, {"op": "pay", "cost": seq(remaining), "then": then}] if remaining else [done, then]
            )
            return [reset, *paid[:lead], self.menu_with_decline(paid[lead], remaining, body, True)]
        label = first_verb(cost)
        accepted = {"op": "pay", "cost": seq([done, *paid]), "then": then}
        menu: Stmt = {
            "op": "menu",
            "seat": self.actor(scope),
            "label": label,
            "entries": [
                {"id": label, "guard": None, "domains": [], "body": accepted},
                {"id": "decline", "guard": None, "domains": [], "body": None},
            ],
        }
        return [reset, {"op": "if", "cond": ["can", seq(paid)], "then": menu}]

    @staticmethod
    def watched(stmt: object, slot: int) -> bool:
        """Whether something in a cost can note that it was not paid after all."""
        if isinstance(stmt, dict):
            if stmt.get("op") == "let" and stmt["slot"] == slot:
                return True
            return any(Frames.watched(value, slot) for value in stmt.values() if isinstance(value, dict | list))
        if isinstance(stmt, list):
            return any(Frames.watched(part, slot) for part in stmt if isinstance(part, dict | list))
        return False

    # ------------------------------------------------------------ choices between clauses

    def guards(self, body: s.Statement, scope: Scope) -> tuple[list[Expr], s.Statement]:
        """The `require` lines at the head of an option, and the rest of it."""
        tests: list[Expr] = []
        if not isinstance(body, s.Block):
            return tests, body
        lines = list(body.statements)
        while lines and isinstance(lines[0].statement, s.Require):
            tests.append(self.condition(lines[0].statement.condition, scope))
            lines.pop(0)
        if not lines:
            raise self.problem("G0602", body, "nothing follows the require", "say what is done when it holds")
        return tests, s.Block(tuple(lines))

    def either_blocks(self, group: list[s.Line], scope: Scope) -> Stmt:
        options: list[tuple[object, list[Expr], Make]] = []
        for line in group:
            gated = line.statement
            assert isinstance(gated, s.Gated)
            tests, rest = self.guards(gated.body, scope)

            def make(inner: Scope, body: s.Statement = rest, line: s.Line = line) -> list[Stmt]:
                lowered = seq(self.branch_lines(body, inner))
                return [self.tagged(lowered, line) if line is not group[0] else lowered]

            options.append((rest, tests, make))
        head = gate_of(group[0])
        assert head is not None
        if len(options) < 2:
            raise self.problem("G0407", head.word, "either has no or", "add or: and a block, or leave either out")
        return self.menu_of(options, head.word, scope)

    def either(self, node: s.Either, scope: Scope) -> Stmt:
        options: list[tuple[object, list[Expr], Make]] = []
        for option in node.options:

            def make(inner: Scope, action: s.Action = option) -> list[Stmt]:
                return self.act(s.Act(None, None, action), inner)

            options.append((option, [], make))
        return self.menu_of(options, node.word, scope)

    def menu_of(self, options: list[tuple[object, list[Expr], Make]], word: Token, scope: Scope) -> Stmt:
        entries: list[dict[str, Any]] = []
        seen: dict[str, int] = {}
        resets: list[Stmt] = []
        for node, tests, make in options:
            label = option_word(node) or "or"
            seen[label] = seen.get(label, 0) + 1
            key = label if seen[label] == 1 else f"{label}-{seen[label]}"
            inner = scope.inner()
            body = seq([*make(inner)])
            body = seq([*inner.resets, body])
            inner.resets.clear()
            inner.leave()
            start = self.startable(body)
            guard = self.both([*tests, *([start] if start is not None else [])])
            entries.append({"id": key, "guard": None if guard == _ONE else guard, "domains": [], "body": body})
        menu: Stmt = {
            "op": "menu",
            "seat": self.actor(scope),
            "label": "either",
            "entries": entries,
            "at": self.place(word),
        }
        if any(entry["guard"] is not None for entry in entries) and all(
            entry["guard"] is not None for entry in entries
        ):
            menu["otherwise"] = seq(self.impossible(scope))
        return seq([*resets, menu])

    def startable(self, stmt: Stmt) -> Expr | None:
        """The guard of an option: what must hold for its first step to be possible."""
        op = stmt["op"]
        if id(stmt) in self.absent:
            return [">", self.texts_of(self.absent[id(stmt)][1]), ["int", 0]]
        if op == "seq":
            first = next((part for part in stmt["body"] if part["op"] not in ("let", "cancel")), None)
            return self.startable(first) if first is not None else None
        if op == "if" and id(stmt) in self.restricted:
            inner = self.startable(stmt["then"])
            return stmt["cond"] if inner is None else self.both([stmt["cond"], inner])
        if op == "if" and stmt["cond"][0] == "!=" and "else" in stmt:
            cond: Expr = stmt["cond"]  # the object of a verb that may be missing
            return cond
        if op == "pay":
            return ["can", stmt["cost"]]
        if op == "menu" and _picks(stmt):
            return ["any", stmt["entries"][0]["domains"][0]["in"]]
        if op == "choose":
            if "constraint" in stmt:
                return ["can", stmt]
            if stmt["low"] == ["int", 0]:
                return None
            return [">=", ["count", stmt["in"]], stmt["low"]]
        if op == "move" and stmt["piece"][0] != "slot":
            return ["!=", stmt["piece"], ["int", -1]]
        if op == "call" and stmt["proc"] in self.programs_of_this.values() and stmt["you"] == ["slot", 0]:
            return self.startable(self.out.procs[stmt["proc"] - self.out.first_proc]["body"])
        if op == "do" and stmt["verb"] in self.vocabulary.forbidden:
            return ["allowed", stmt["verb"], stmt["you"], *stmt["args"]]
        return None

    def first_able(self, body: s.Statement, word: Token, scope: Scope) -> Stmt:
        """The first line that can be carried out in full."""
        if not isinstance(body, s.Block):
            raise self.problem("G0607", body, "first able: opens a block", "one possibility a line, indented below it")
        done = scope.unit.slot()
        made: list[Stmt] = [{"op": "let", "slot": done, "value": ["int", 0]}]
        for i, group in enumerate(groups(list(body.statements))):
            line, inner = group[0], scope.inner()
            if len(group) > 1:
                lowered = self.group(group, inner)
                lowered = seq([*inner.resets, lowered])
                self.close(inner)
                made.append(self.attempt(lowered, done, [], i == 0))
                continue
            statement = line.statement
            tests: list[Expr] = []
            while (
                isinstance(statement, s.Gated) and statement.gate.kind == "if" and statement.gate.condition is not None
            ):
                tests.append(self.condition(statement.gate.condition, scope))
                statement = statement.body
            more, statement = self.guards(statement, scope)
            tests += more
            lowered = seq(self.branch_lines(statement, inner))
            self.close(inner)
            made.append(self.tagged(self.attempt(lowered, done, tests, i == 0), line))
        last: Stmt = {"op": "if", "cond": ["==", ["slot", done], ["int", 0]], "then": seq(self.impossible(scope))}
        return seq([*made, last])

    def attempt(self, lowered: Stmt, done: int, tests: list[Expr], first: bool) -> Stmt:
        """One possibility: tried in full, unless an earlier one was taken."""
        taken: Stmt = {"op": "let", "slot": done, "value": _ONE}
        made: Stmt = {"op": "pay", "cost": lowered, "then": taken}
        if leaves(lowered):
            made = {"op": "if", "cond": ["can", lowered], "then": seq([taken, lowered])}
        cond = self.both([*([] if first else [["==", ["slot", done], ["int", 0]]]), *tests])
        return made if cond == _ONE else {"op": "if", "cond": cond, "then": made}

    # ------------------------------------------------------------ supplied by the other parts

    @abstractmethod
    def group(self, group: list[s.Line], scope: Scope) -> Stmt: ...

    @abstractmethod
    def statement(self, node: s.Statement, scope: Scope) -> Stmt: ...

    @abstractmethod
    def branch_lines(self, node: s.Statement, scope: Scope) -> list[Stmt]: ...

    @abstractmethod
    def tagged(self, made: Stmt, line: s.Line) -> Stmt: ...

    @abstractmethod
    def close(self, scope: Scope) -> None: ...

    def gated_order(self, order: Order, node: object, word: str, hint: str) -> None:
        """Complain about a gate that nobody below it has used."""
        if not order.used:
            raise self.problem("G0607", node, f'"{word}" changes nothing here', hint)


def leaves(stmt: object) -> bool:
    """Whether a statement may jump out of where it stands."""
    if isinstance(stmt, dict):
        if stmt.get("op") in ("stop", "again", "leave", "return"):
            return True
        return any(leaves(value) for value in stmt.values() if isinstance(value, dict | list))
    return isinstance(stmt, list) and any(leaves(part) for part in stmt if isinstance(part, dict | list))


def gate_of(line: s.Line) -> s.Gate | None:
    return line.statement.gate if isinstance(line.statement, s.Gated) else None


def groups(lines: list[s.Line]) -> list[list[s.Line]]:
    """Lines that belong together: a condition with its otherwise, either with its or, a choice with its require."""
    found: list[list[s.Line]] = []
    for line in lines:
        gate = gate_of(line)
        kind = gate.kind if gate is not None else None
        head = gate_of(found[-1][0]) if found else None
        follows = False
        if found and head is not None and head.kind in ("if", "on", "otherwise_if"):
            follows = kind in ("otherwise", "otherwise_if")
        elif found and head is not None and head.kind == "either":
            follows = kind == "or"
        elif found and head is None:
            follows = isinstance(line.statement, s.Require) and not isinstance(found[-1][0].statement, s.Require)
        if follows:
            found[-1].append(line)
        else:
            found.append([line])
    return found


def first_verb(node: object) -> str:
    """The verb that names an option."""
    if isinstance(node, s.Action):
        return str(node.verb)
    if isinstance(node, s.Act):
        return str(node.action.verb)
    if isinstance(node, tuple):
        for part in node:
            found = first_verb(part)
            if found:
                return found
    return ""


def option_word(node: object) -> str:
    """What an option between clauses is called: its verb; where a text is resolved, which one."""
    action = next((part for part in _actions(node)), None)
    if action is not None and str(action.verb) == "resolve" and action.object is not None:
        item = action.object.items[0]
        if isinstance(item, s.Noun | s.Owned):
            return f"resolve-{item.words[-1]}"
    return first_verb(node)


def _actions(node: object) -> Iterator[s.Action]:
    if isinstance(node, s.Action):
        yield node
    elif isinstance(node, tuple):
        for part in node:
            yield from _actions(part)


def _picks(stmt: Stmt) -> bool:
    """Whether a statement is the plain choice of one thing."""
    return stmt["op"] == "menu" and len(stmt["entries"]) == 1 and stmt["entries"][0]["body"] is None


def _listed(stmt: Stmt | None) -> list[Stmt]:
    if stmt is None:
        return []
    if stmt["op"] == "seq" and "clause" not in stmt:
        body: list[Stmt] = stmt["body"]
        return body
    return [stmt]
