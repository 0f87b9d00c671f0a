"""Lower `NP is now VALUE`: counters, states, settings, flags, the result of a verb, parts of the event that is heard."""

from __future__ import annotations

from grimoire.compiler.declare.model import Expr, Stmt
from grimoire.compiler.lower.base import seq
from grimoire.compiler.lower.engine_verbs import EngineVerbs
from grimoire.compiler.lower.scope import Ref, Scope
from grimoire.compiler.syntax import nodes as s
from grimoire.compiler.syntax.printer import print_part

_CAN_BE_SET = "a counter, a state or a setting can: the price is now 3"


class Assignments(EngineVerbs):
    """Assignments."""

    def assign(self, full: s.Full, value: s.Amount, scope: Scope) -> Stmt:
        spread = self.spread(full, value, scope)
        if spread is not None:
            return spread
        if isinstance(value, s.Bare | s.Negated):
            flag = self.flag_assign(full, value, scope)
            if flag is not None:
                return flag
        if isinstance(value, s.Negated):
            raise self.problem(
                "G0606", value.name, f'"{value.name}" is no flag of this', "declare it as a flag under states"
            )
        return self.assign_state(full, value, scope)

    def flag_assign(self, full: s.Full, value: s.Bare | s.Negated, scope: Scope) -> Stmt | None:
        """`the room is now damaged`, `each good in your hand is now not marked`."""
        made = self.denote(full, scope)
        declared = self.model.field(made.type.kind, str(value.name))
        if declared is None or declared.type.sort != "flag":
            return None
        if not declared.state:
            raise self.problem("G0606", full, f'"{value.name}" is printed and cannot change', "declare it under states")
        new: Expr = ["int", 1 if isinstance(value, s.Bare) else 0]
        pre, ref = self.choice(made, str(value.name), scope, False, full)
        if not ref.type.many:
            return seq([*pre, {"op": "setcol", "col": declared.column, "of": ref.expr, "value": new}])
        slot = scope.unit.slot()
        change: Stmt = {"op": "setcol", "col": declared.column, "of": ["slot", slot], "value": new}
        return seq([*pre, {"op": "foreach", "slot": slot, "in": ["members", ref.type.sort, ref.expr], "body": change}])

    def assign_state(self, full: s.Full, value: s.Amount, scope: Scope) -> Stmt:
        target = self.denote(full, scope)
        where = target.expr if target.expr is not None and target.quant == "one" else target.mask
        if where is None or target.program is not None:
            raise self.problem("G0606", full, "this cannot be set", _CAN_BE_SET)
        type_ = target.type if target.mask is None else target.type.set()
        ref = self.amount_ref(value, scope)
        if type_.many and ref.type.sort == "nothing":
            ref = Ref(["int", 0], type_)
        if type_.sort == "option":
            raise self.problem("G0606", full, "an option of the game is fixed before it starts", _CAN_BE_SET)
        self.kept_as(type_, ref, value, self.said_as(full))
        return self.store(where, ref.expr, full, scope)

    @staticmethod
    def said_as(full: s.Full) -> str:
        text = print_part(full)
        return text if len(text) < 40 else "this"

    def store(self, where: Expr, value: Expr, node: object, scope: Scope | None = None) -> Stmt:
        """Write a value to what an expression reads."""
        if where[0] == "var":
            return {"op": "setvar", "var": where[1], "value": value}
        if where[0] in ("col", "attr"):
            declared = next(
                (f for k in self.model.kinds.values() for f in k.fields.values() if f.column == where[1]), None
            )
            if declared is not None and not declared.state:
                raise self.problem(
                    "G0606", node, f"the {declared.name} is printed and cannot change", "declare it under states"
                )
            return {"op": "setcol", "col": where[1], "of": where[2], "value": value}
        if where[0] == "setting":
            return {"op": "setting", "proc": where[1], "slot": where[2], "value": value}
        if scope is not None and scope.event is not None:
            if where[0] == "arg" and where[1] > 0:
                return {"op": "setarg", "arg": where[1], "value": value}
            if where[0] == "result":
                return {"op": "setresult", "value": self.bounded_result(scope.event.verb, value)}
        verb = scope.unit.verb if scope is not None else None
        if scope is not None and where[0] == "slot" and verb is not None:
            if where[1] == scope.unit.result:
                return {"op": "let", "slot": where[1], "value": self.bounded_result(verb, value)}
            if verb.procedure and 1 <= where[1] <= len(verb.params) + len(verb.settings):
                return {"op": "setting", "proc": verb.index, "slot": where[1], "value": value}
        raise self.problem("G0606", node, "this cannot be set", _CAN_BE_SET)

    def spread(self, full: s.Full, value: s.Amount, scope: Scope) -> Stmt | None:
        """`the STATE of each KIND is now ..`, `each KIND's STATE is now ..`."""
        noun = full.noun
        if isinstance(noun, s.Owned) and noun.det.type in ("EACH", "ALL") and not full.phrases:
            owners = self.denote_np(s.Noun(noun.det, noun.owner, None, (), None), [], scope)
        elif isinstance(noun, s.Noun) and full.phrases and full.phrases[0].prep.type == "OF":
            item = full.phrases[0].item
            if not (isinstance(item, s.Noun) and item.det is not None and item.det.type in ("EACH", "ALL", "BOTH")):
                return None
            owners = self.denote_np(item, list(full.phrases[1:]), scope)
        else:
            return None
        if owners.quant != "all" or len(noun.words) != 1:
            return None
        declared = self.model.field(owners.type.kind, str(noun.words[-1]))
        if declared is None:
            return None
        if not declared.state:
            raise self.problem(
                "G0606", full, f"the {declared.name} is printed and cannot change", "declare it under states"
            )
        slot = scope.unit.slot()
        inner = scope.inner()
        inner.it = Ref(["slot", slot], owners.type.one())
        if owners.type.sort == "seat":
            inner.they = ["slot", slot]
        ref = self.amount_ref(value, inner)
        if declared.type.many and ref.type.sort == "nothing":
            ref = Ref(["int", 0], declared.type)
        self.kept_as(declared.type, ref, value, f"the {declared.name}")
        change: Stmt = {"op": "setcol", "col": declared.column, "of": ["slot", slot], "value": ref.expr}
        return {"op": "foreach", "slot": slot, "in": owners.selector(), "body": change}
