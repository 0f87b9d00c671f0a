"""Lower `NP is now VALUE`: counters, states, settings, flags, the result of a verb, parts of the event that is
heard."""

from __future__ import annotations

from grimoire.compiler.declare.base import plural_of
from grimoire.compiler.lower.actions import Actions
from grimoire.compiler.lower.amounts import Amounts
from grimoire.compiler.lower.context import Context
from grimoire.compiler.lower.engine_verbs import EngineVerbs
from grimoire.compiler.lower.forms import ZERO, as_sort, seq
from grimoire.compiler.lower.nouns import Nouns
from grimoire.compiler.lower.scope import Ref, Scope
from grimoire.compiler.syntax import nodes as s
from grimoire.compiler.syntax.printer import print_part
from grimoire.compiler.syntax.tokens import Token
from grimoire.runtime.core import expressions as ex
from grimoire.runtime.core import selectors as se
from grimoire.runtime.core import statements as st
from grimoire.runtime.core.records import Expression, Statement

_CAN_BE_SET = "a counter, a state or a setting can: the price is now 3"


class Assignments:
    """Assignments."""

    def __init__(self, context: Context, nouns: Nouns, amounts: Amounts, actions: Actions, engine: EngineVerbs) -> None:
        self.context = context
        self.nouns = nouns
        self.amounts = amounts
        self.actions = actions
        self.engine = engine

    def assign(self, full: s.Full, value: s.Amount, scope: Scope) -> Statement:
        spread = self.spread(full, value, scope)
        if spread is not None:
            return spread
        if isinstance(value, (s.Bare, s.Negated)):
            flag = self.flag_assign(full, value, scope)
            if flag is not None:
                return flag
        if isinstance(value, s.Negated):
            raise self.context.problem(
                "G0606", value.name, f'"{value.name}" is no flag of this', "declare it as a flag under states"
            )
        return self.assign_state(full, value, scope)

    def flag_assign(self, full: s.Full, value: s.Bare | s.Negated, scope: Scope) -> Statement | None:
        """`the room is now damaged`, `each good in your hand is now not marked`, `the voyage is now secret`."""
        made = self.nouns.denote(full, scope)
        new: Expression = ex.Number(1 if isinstance(value, s.Bare) else 0)
        if made.type.sort == "procedure":
            setting = self.nouns.find_setting_of(str(made.type.kind), str(value.name))
            flag = setting is not None and setting.type.sort == "flag"
            return self.store(setting.expr, new, full, scope) if setting is not None and flag else None
        declared = self.context.model.field(made.type.kind, str(value.name))
        if declared is None or declared.type.sort != "flag":
            return None
        if not declared.state:
            raise self.context.problem(
                "G0606", full, f'"{value.name}" is printed and cannot change', "declare it under states"
            )
        pre, ref = self.actions.choice(made, str(value.name), scope, False, full)
        if not ref.type.many:
            return seq([*pre, st.SetColumn(declared.column, ref.expr, new)])
        slot = scope.unit.slot()
        change: Statement = st.SetColumn(declared.column, ex.Slot(slot), new)
        return seq([*pre, st.ForEach(slot, se.Members(as_sort(ref.type.sort), ref.expr), change)])

    def assign_state(self, full: s.Full, value: s.Amount, scope: Scope) -> Statement:
        target = self.nouns.denote(full, scope)
        where = target.expr if target.expr is not None and target.quant == "one" else target.mask
        if where is None or target.program is not None:
            raise self.context.problem("G0606", full, "this cannot be set", _CAN_BE_SET)
        type_ = target.type if target.mask is None else target.type.set()
        ref = self.amounts.amount_ref(value, scope)
        if type_.many and ref.type.sort == "nothing":
            ref = Ref(ZERO, type_)
        if type_.sort == "option":
            raise self.context.problem("G0606", full, "an option of the game is fixed before it starts", _CAN_BE_SET)
        self.amounts.check_storable(type_, ref, value, self.print_short(full))
        return self.store(where, ref.expr, full, scope)

    def change(self, node: s.Change, scope: Scope) -> Statement:
        """`+1 action`: a number of yours, a setting or a counter of that name grows."""
        model, word = self.context.model, str(node.word)
        names = dict.fromkeys((word, plural_of(word), *find_singles(word)))
        own = [field for kind in model.ancestors("player") for field in model.kinds[kind].fields.values()]
        states = [field.name for field in own if field.name in names and field.type.sort == "number"]
        others = [name for name in names if self.is_number(name)]
        found = [(Token("YOUR", "your"), name) for name in states] + [(Token("THE", "the"), name) for name in others]
        if not found:
            known = [
                *(field.name for field in own if field.type.sort == "number"),
                *filter(self.is_number, model.counters),
            ]
            hint = "a number under the states of player, a counter, or a setting of a procedure"
            raise self.context.unknown("G0501", "counter", node.word, known, hint)
        if len(found) > 1:
            said = " or ".join(f"{det} {name}" for det, name in found)
            hint = f"write which: {found[0][0]} {found[0][1]} is now {found[0][1]} {node.sign} {node.amount.value}"
            raise self.context.problem("G0607", node.word, f'"{word}" could mean {said}', hint)
        det, name = found[0]
        at = Token.new_borrow_pos("NAME", name, node.word)
        target = s.Full(s.Noun(Token.new_borrow_pos(det.type, str(det), node.word), (at,), None, (), None), ())
        return self.assign_state(target, s.Binary(node.sign, s.Read(target), node.amount), scope)

    def is_number(self, name: str) -> bool:
        """Whether a counter or a setting of that name is a number."""
        counter, setting = self.context.model.counters.get(name), self.nouns.find_setting(name)
        type_ = counter.type if counter is not None else setting.type if setting is not None else None
        return type_ is not None and type_.sort == "number" and not type_.many

    @staticmethod
    def print_short(full: s.Full) -> str:
        text = print_part(full)
        return text if len(text) < 40 else "this"

    def store(self, where: Expression, value: Expression, node: object, scope: Scope | None = None) -> Statement:
        """Write a value to what an expression reads."""
        if isinstance(where, ex.ReadVariable):
            return st.SetVariable(where.variable, value)
        if isinstance(where, (ex.ReadColumn, ex.ReadModified)):
            known = self.context.vocabulary.declared
            declared = known[where.column][1] if where.column < len(known) else None
            if declared is not None and not declared.state:
                raise self.context.problem(
                    "G0606", node, f"the {declared.name} is printed and cannot change", "declare it under states"
                )
            return st.SetColumn(where.column, where.of, value)
        if isinstance(where, ex.ReadSetting):
            self.context.note_changed(self.context.verb_at(where.procedure), where.slot - 1)
            return st.SetSetting(where.procedure, where.slot, value)
        if scope is not None and scope.event is not None:
            if isinstance(where, ex.EventArgument) and where.slot > 0:
                self.context.note_changed(scope.event.verb, where.slot - 1)
                return st.SetArgument(where.slot, value)
            if isinstance(where, ex.EventResult):
                return st.SetResult(self.engine.bound_result(scope.event.verb, value))
        verb = scope.unit.verb if scope is not None else None
        if scope is not None and isinstance(where, ex.Slot) and verb is not None:
            if where.slot == scope.unit.result:
                return st.Let(where.slot, self.engine.bound_result(verb, value))
            if verb.procedure and 1 <= where.slot <= len(verb.params) + len(verb.settings):
                self.context.note_changed(verb, where.slot - 1)
                return st.SetSetting(verb.index, where.slot, value)
        raise self.context.problem("G0606", node, "this cannot be set", _CAN_BE_SET)

    def spread(self, full: s.Full, value: s.Amount, scope: Scope) -> Statement | None:
        """`the STATE of each KIND is now ..`, `each KIND's STATE is now ..`."""
        noun = full.noun
        if isinstance(noun, s.Owned) and noun.det.type in ("EACH", "ALL") and not full.phrases:
            owners = self.nouns.denote_np(s.Noun(noun.det, noun.owner, None, (), None), [], scope)
        elif isinstance(noun, s.Noun) and full.phrases and full.phrases[0].prep.type == "OF":
            item = full.phrases[0].item
            if not (isinstance(item, s.Noun) and item.det is not None and item.det.type in ("EACH", "ALL", "BOTH")):
                return None
            owners = self.nouns.denote_np(item, list(full.phrases[1:]), scope)
        else:
            return None
        if owners.quant != "all" or len(noun.words) != 1:
            return None
        declared = self.context.model.field(owners.type.kind, str(noun.words[-1]))
        if declared is None:
            return None
        if not declared.state:
            raise self.context.problem(
                "G0606", full, f"the {declared.name} is printed and cannot change", "declare it under states"
            )
        slot = scope.unit.slot()
        inner = scope.inner()
        inner.it = Ref(ex.Slot(slot), owners.type.one())
        if owners.type.sort == "seat":
            inner.they = ex.Slot(slot)
        ref = self.amounts.amount_ref(value, inner)
        if declared.type.many and ref.type.sort == "nothing":
            ref = Ref(ZERO, declared.type)
        self.amounts.check_storable(declared.type, ref, value, f"the {declared.name}")
        change: Statement = st.SetColumn(declared.column, ex.Slot(slot), ref.expr)
        return st.ForEach(slot, owners.selector(), change)


def find_singles(word: str) -> list[str]:
    """The words whose plural a word is."""
    return [one for one in (word[:-1], word[:-2], f"{word[:-3]}y") if one and plural_of(one) == word]
