"""Print syntax nodes as canonical effect text: the inverse of the parse stage.

parse(print(node)) equals node, and print(parse(text)) is the formatted text. `grimoire fmt` writes what this module
prints. Forms that depend on the position are found here: a or an by the next word, they as a subject and them
elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from grimoire.compiler.syntax import nodes as s
from grimoire.compiler.syntax.tokens import Token

INDENT = "  "


# Tuples, made once: to join types by `|` in each test takes longer than the test.
_CONDITIONS: Final = (s.Compare, s.Is, s.Has, s.There, s.Did, s.Not, s.Grouped, s.And, s.Or)
_RELATIVES: Final = (s.Whose, s.WhoIs, s.Where, s.Superlative, s.Nearest, s.FirstTo)
_NOUNS: Final = (s.Noun, s.Counted, s.Part, s.Pronoun, s.Owned, s.Listed)
_STATEMENTS: Final = (
    s.Act, s.Cannot, s.CannotBe, s.Assign, s.Gets, s.Change, s.Either, s.Require, s.Together, s.Then, s.Pay,
)  # fmt: skip


def print_node(node: object) -> str:
    """Canonical text of any start symbol's node; an effect may have several lines."""
    if isinstance(node, s.Block):
        return "\n".join(_block(node, 0))
    if isinstance(node, s.Window):
        return _window(node)
    if isinstance(node, s.Full):
        return _full(node)
    if isinstance(node, s.Limit):
        return _limit(node)
    if isinstance(node, _CONDITIONS):
        return _condition(node)
    return _amount(node)  # type: ignore[arg-type]


def print_part(node: object) -> str:
    """Text of any node, for people: where no function prints it, its words in the order of the source."""
    if isinstance(node, _RELATIVES):
        return _relative(node).strip()
    if isinstance(node, _NOUNS):
        return _noun(node)
    if isinstance(node, s.Action):
        return _action(node)
    if isinstance(node, _STATEMENTS):
        return _statement(node)
    if isinstance(node, s.Predicate):
        return _predicate(node)
    if isinstance(node, s.Outcome):
        return _outcome(node)
    if isinstance(node, (s.Window, s.Full, *_CONDITIONS)):
        return print_node(node)
    found = sorted(s.tokens(node), key=lambda token: (token.line or 0, token.column or 0))
    return " ".join(str(token) for token in found if not token.type.startswith("_"))


def _limit(node: s.Limit) -> str:
    often = {1: "once", 2: "twice"}.get(node.times, f"{node.times} times")
    shared = f" for all {_words(node.shared)}" if node.shared else ""
    return f"{often} per {_words(node.scope)}{shared}"


# ---------------------------------------------------------------- statements


def _block(node: s.Block, depth: int) -> list[str]:
    lines: list[str] = []
    for line in node.statements:
        head = INDENT * depth + (f"{line.clause} " if line.clause else "")
        if not line.block:
            lines.append(head + _statement(line.statement))
            continue
        gates: list[str] = []
        body: s.Statement = line.statement
        while isinstance(body, s.Gated):
            gates.append(_gate(body.gate))
            body = body.body
        lines.append(head + ", ".join(gates) + ":")
        assert isinstance(body, s.Block)
        lines.extend(_block(body, depth + 1))
    return lines


def _statement(node: s.Statement) -> str:
    match node:
        case s.Act(subject, modal, action):
            parts = [_subject(subject)] if subject else []
            if modal:
                parts.append(str(modal))
            parts.append(_action(action))
            return " ".join(parts)
        case s.Cannot(subject, action):
            return f"{_subject(subject)} cannot {_action(action)}"
        case s.CannotBe(subject, verb, phrases):
            return f"{_subject(subject)} cannot be {verb}{_phrases(phrases)}"
        case s.Assign(target, value, word):
            return f"{_subject(target)} {word or _agree(target, 'is now', 'are now')} {_amount(value)}"
        case s.Gets(subject, sign, amount, words, word):
            tail = f" {_words(words)}" if words else ""
            return f"{_subject(subject)} {word or _agree(subject, 'gets', 'get')} {sign}{_amount(amount)}{tail}"
        case s.Change(sign, amount, word):
            return f"{sign}{_amount(amount)} {word}"
        case s.Either(_, options):
            return "either " + " or ".join(_action(option) for option in options)
        case s.Require(_, condition):
            return f"require {_condition(condition)}"
        case s.Together(parts_):
            return _together(parts_)
        case s.Then(first, joint, rest):
            joint = ", then " if joint == "then" else "; "
            return _statement(first) + joint + _statement(rest)
        case s.Pay(cost, rest):
            return f"{_statement(cost)} to {_statement(rest)}"
        case s.Gated(gate, body):
            return f"{_gate(gate)}, {_statement(body)}"
        case s.Block():
            raise AssertionError("a block is printed by its line")


def _together(parts: Sequence[s.Statement]) -> str:
    """A part does not repeat the subject and the modal that it took over from the part before it."""
    texts: list[str] = []
    before: s.Statement | None = None
    for part in parts:
        if isinstance(part, s.Act) and isinstance(before, s.Act) and part.subject == before.subject:
            modal = f"{part.modal} " if part.modal is not None and part.modal is not before.modal else ""
            texts.append(modal + _action(part.action))
        elif isinstance(part, s.Cannot) and isinstance(before, s.Cannot) and part.subject == before.subject:
            texts.append(_action(part.action))
        else:
            texts.append(_statement(part))
        before = part
    return " and ".join(texts)


def _action(node: s.Action) -> str:
    parts = [str(node.verb)]
    if node.object is not None:
        parts.append(_operand(node.object))
    text = " ".join(parts) + _phrases(node.phrases)
    if node.order is not None:
        text += " in any order"
    if node.bind is not None:
        text += f" as {node.bind}"
    if node.again is not None:
        text += f" {_times(node.again.times)}"
    if node.able:
        text += " if able"
    if node.instead:
        text += " instead"
    if node.until is not None:
        text += f" until {_condition(node.until)}"
    return text


def _times(times: s.Amount) -> str:
    return "twice" if isinstance(times, s.Number) and times.value == "2" else f"{_amount(times)} times"


def _operand(node: s.Operand) -> str:
    return f" {node.joint} ".join(_item(item) for item in node.items)


def _item(node: s.NounPhrase | s.Count | s.Operand | s.BareWords | s.Those) -> str:
    if isinstance(node, s.Those):
        return _relative(node.relative).strip()
    if isinstance(node, s.Count):
        return _count(node)
    if isinstance(node, s.Operand):
        return _operand(node)
    if isinstance(node, s.BareWords):
        return _words(node.words)
    return _noun(node)


def _phrases(phrases: Sequence[s.Phrase]) -> str:
    return "".join(f" {phrase.prep} {_name(phrase.name)}{_item(phrase.item)}" for phrase in phrases)


def _name(name: Token | None) -> str:
    return "" if name is None else f"{name} "


def _gate(gate: s.Gate) -> str:
    match gate.kind:
        case "if":
            assert gate.condition is not None
            return f"if {_condition(gate.condition)}"
        case "otherwise_if":
            assert gate.condition is not None
            return f"otherwise if {_condition(gate.condition)}"
        case "on":
            return "on " + " or ".join(_outcome(o) for o in gate.outcomes)
        case "each":
            assert gate.noun is not None
            of = "for each of" if gate.word.type == "FOR_EACH_OF" else "for each"
            return f"{of} {_full(gate.noun)} as {gate.bind}"
        case "while":
            assert gate.condition is not None
            return f"while {_condition(gate.condition)}"
        case "until":
            assert gate.noun is not None
            return f"{gate.word} {_full(gate.noun)}"
        case "window":
            assert gate.window is not None
            return _window(gate.window)
        case "in_turn":
            assert gate.noun is not None
            return f"in turn from {_full(gate.noun)}"
        case "repeat":
            up_to = "up to " if gate.up_to else ""
            if gate.condition is not None:
                return f"repeat until {_condition(gate.condition)}"
            return "repeat" if gate.amount is None else f"repeat {up_to}{_amount(gate.amount)} times"
        case "modal":
            return (f"{_subject(gate.noun)} " if gate.noun else "") + str(gate.word)
        case "pay":
            assert gate.cost is not None
            return f"{_statement(gate.cost)} to"
        case _:  # otherwise, either, or, instead, first able, at the same time, secretly
            return str(gate.word)


def _outcome(node: s.Outcome) -> str:
    return f"{node.token}{ {'at_least': ' or more', 'at_most': ' or less'}.get(node.form, '') }"


def _window(node: s.Window) -> str:
    if node.kind == "any":
        return "at any time"
    if node.condition is not None:
        return f"as soon as {_condition(node.condition)}"
    if node.noun is not None:
        return f"{'at the start of' if node.kind == 'start' else 'at the end of'} {_full(node.noun)}"
    event = node.event
    assert event is not None and event.subject is not None
    word = "next time" if node.kind == "next" else node.kind
    subject = " or ".join(_subject(full) for full in (event.subject, *event.others))
    match event.form:
        case "would_be":
            return f"{word} {subject} would be {event.verb}{_phrases(event.phrases)}"
        case "would":
            assert event.action is not None
            return f"{word} {subject} would {_action(event.action)}"
        case "is_done":
            done = event.word or _agree(event.others[-1] if event.others else event.subject, "is", "are")
            return f"{word} {subject} {done} {event.verb}{_phrases(event.phrases)}"
        case _:
            assert event.action is not None
            return f"{word} you {_action(event.action)}"


# ---------------------------------------------------------------- noun phrases


def _full(node: s.Full) -> str:
    return _noun(node.noun) + _phrases(node.phrases)


def _subject(node: s.Full) -> str:
    if isinstance(node.noun, s.Pronoun):
        return str(node.noun.word) + _phrases(node.phrases)
    return _full(node)


def _noun(node: s.NounPhrase) -> str:
    match node:
        case s.Noun(det, words, amount, rest, relative):
            parts = []
            if det is not None:
                parts.append(_det(det, words))
            parts.append(_words(words))
            if amount is not None:
                parts.append(f"{_amount(amount)} {_words(rest)}")
            return " ".join(parts) + _relative(relative)
        case s.Counted(count, words, relative):
            return f"{_count(count)} {_words(words)}{_relative(relative)}"
        case s.Part(count, whole):
            of = " of" if count.kind not in ("any", "each") and count.word.type != "ANY_OF" else ""
            return f"{_count(count)}{of} {_noun(whole)}"
        case s.Pronoun(word):
            return "them" if word.type == "THEY" else str(word)
        case s.Owned(det, owner, words, relative):
            return f"{_det(det, owner)} {_words(owner)}'s {_words(words)}{_relative(relative)}"
        case s.Listed(words):
            return "[" + ", ".join(words) + "]"


# a unit, a user, a one-eyed crab; an hour
_AN = re.compile(r"(?!eu|uni(?![mn])|us[aeiu]|u[bkst][aeiou]|one\b|once\b)[aeiou]|hour|honest|honou?r|heir")


def _det(det: Token, words: s.Words) -> str:
    if det.type == "A":
        return "an" if _AN.match(words[0]) else "a"
    return str(det)


def _count(node: s.Count) -> str:
    match node.kind:
        case "exactly":
            assert node.low is not None
            if node.word.type == "ANY_OF":
                return "any of"
            return f"+{_amount(node.low)}" if node.word.type == "PLUS" else _amount(node.low)
        case "between":
            assert node.low is not None and node.high is not None
            return f"{_amount(node.low)} to {_amount(node.high)}"
        case "or_more":
            assert node.low is not None
            return f"{_amount(node.low)} or more"
        case "up_to":
            assert node.high is not None
            return f"up to {_amount(node.high)}"
        case "all_but":
            assert node.low is not None
            return f"all but {_amount(node.low)}"
        case "each":
            return "each of"
        case _:
            return "any number of"


def _relative(node: s.Relative | None) -> str:
    match node:
        case None:
            return ""
        case s.Whose(_, field, op, value):
            return f" whose {_words(field)} {op} {_amount(value)}"
        case s.WhoIs(word, negated, predicate, verb):
            return f" {word} {verb or 'is'} {'not ' if negated else ''}{_predicate(predicate)}"
        case s.Where(_, condition):
            return f" where ({_condition(condition)})"
        case s.Superlative(word, field, ties):
            return f" {word} {_words(field)}{_ties(ties)}"
        case s.Nearest(_, anchor, ties):
            return f" nearest to {_noun(anchor)}{_ties(ties)}"
        case s.FirstTo(word, anchor):
            return f" {word} {_noun(anchor)}"


def _ties(node: s.Ties | None) -> str:
    if node is None:
        return ""
    parts = (f"{word} {_words(field) if anchor is None else _noun(anchor)}" for word, field, anchor in node.parts)
    return f" breaking ties by {', then '.join(parts)}"


def _words(words: s.Words) -> str:
    return " ".join(words)


# ---------------------------------------------------------------- conditions and amounts


def _agree(subject: s.Full, one: str, many: str) -> str:
    """`you are`, `they have`; every other subject takes the first form."""
    noun = subject.noun
    return many if isinstance(noun, s.Pronoun) and noun.word.type in ("YOU", "THEY") else one


def _condition(node: s.Condition) -> str:
    match node:
        case s.Compare(left, op, right):
            first = _subject(left.noun) if isinstance(left, s.Read) else _amount(left)
            return f"{first} {op} {_amount(right)}"
        case s.Is(subject, negated, predicate, word):
            verb = word or _agree(subject, "is", "are")
            return f"{_subject(subject)} {verb} {'not ' if negated else ''}{_predicate(predicate)}"
        case s.Has(subject, thing, word):
            return f"{_subject(subject)} {word or _agree(subject, 'has', 'have')} {_full(thing)}"
        case s.There(word, thing):
            return f"{word} {_full(thing)}"
        case s.Did(word, negated):
            who = str(word).split(" ", 1)[0]
            return f"{who} do not" if negated else f"{who} do"
        case s.Not(inner):
            return f"not {_condition(inner)}"
        case s.Grouped(inner):
            return f"({_condition(inner)})"
        case s.And(left, right):
            return f"{_condition(left)} and {_condition(right)}"
        case s.Or(left, right):
            return f"{_condition(left)} or {_condition(right)}"


def _predicate(node: s.Predicate) -> str:
    text = _words(node.words) if node.noun is None else _noun(node.noun)
    return (f"{node.prep} " if node.prep else "") + text + _phrases(node.phrases)


def _amount(node: s.Amount) -> str:
    match node:
        case s.Number(value):
            return str(value)
        case s.Bare(name):
            return str(name)
        case s.Read(noun):
            return _full(noun)
        case s.NumberOf(_, noun):
            return f"number of {_full(noun)}"
        case s.Total(word, field, noun):
            return f"{word} {field} of {_full(noun)}"
        case s.Binary(op, s.Number(zero), right) if zero.type == "ZERO":
            return f"{op}{_amount(right)}"
        case s.Binary(op, left, right):
            return f"{_amount(left)} {op} {_amount(right)}"
        case s.Paren(inner):
            return f"({_amount(inner)})"
        case s.Extreme(word, left, right):
            return f"{word} {_amount(left)} and {_amount(right)}"
        case s.Depends(then, _, condition, other):
            return f"{_amount(then)} if {_condition(condition)}, otherwise {_amount(other)}"
        case s.ThatMany():
            return "that many"
        case s.Negated(name):
            return f"not {name}"
