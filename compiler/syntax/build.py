"""Build syntax nodes while the parser reduces: one method for each rule or alias of grammar/effects.lark."""

from __future__ import annotations

from typing import Any, TypeAlias

from grimoire.compiler.syntax import nodes as s
from grimoire.compiler.syntax.tokens import Token

# What the parts of a rule were made into: the grammar says what they are, so that no types can be checked here.
Part: TypeAlias = Any  # a node, a tuple of them, a token or nothing
Parts: TypeAlias = list[Any]


def _pick(parts: Parts, *types: str) -> list[Token]:
    return [p for p in parts if isinstance(p, Token) and p.type in types]


def _full(parts: Parts) -> s.Full:
    return s.Full(parts[0], tuple(p for p in parts[1:] if isinstance(p, s.Phrase)))


class Builder:
    """One method for each rule or alias of the grammar. Called while parsing: no tree is kept."""

    # start symbols
    def __init__(self) -> None:
        self.counts = False  # whether the effect at hand says "that many"

    def effect(self, p: Parts) -> s.Block:
        made = s.Block(tuple(p))
        if not self.counts:
            return made
        self.counts = False
        return link_counts(made)

    def same(self, p: Parts) -> object:
        return p[0]

    trigger = condition = amount = same

    def selector(self, p: Parts) -> s.Full:
        return _full(p)

    def limit(self, p: Parts) -> s.Limit:
        word, times = p[0]
        shared = p[-1] if isinstance(p[-1], tuple) else ()
        return s.Limit(word, times, tuple(_pick(p[1:], "NAME")), shared)

    def for_all(self, p: Parts) -> s.Words:
        return tuple(_pick(p, "NAME"))

    def often(self, p: Parts) -> tuple[Token, int]:
        word: Token = p[0]
        if word.type == "NUMBER":
            word = {"1": word.update("ONCE", "once"), "2": word.update("TWICE", "twice")}.get(word.value, word)
        return word, {"ONCE": 1, "TWICE": 2}.get(word.type) or int(p[0])

    # statements
    def line(self, p: Parts) -> s.Line:
        clause = p[0] if isinstance(p[0], Token) else None
        return s.Line(clause, p[-1], False)

    def block(self, p: Parts) -> s.Line:
        clause = p[0] if isinstance(p[0], Token) else None
        opener = p[1] if clause is not None else p[0]
        body: s.Statement = s.Block(tuple(x for x in p if isinstance(x, s.Line)))
        for gate in reversed(opener):
            body = s.Gated(gate, body)
        return s.Line(clause, body, True)

    def then(self, p: Parts) -> s.Then:
        return s.Then(p[0], "then", p[2])

    def next(self, p: Parts) -> s.Then:
        return s.Then(p[0], ";", p[1])

    def gated(self, p: Parts) -> s.Gated:
        return s.Gated(p[0], p[1])

    def pay(self, p: Parts) -> s.Pay:
        return s.Pay(_as_cost(p[0]), p[1])

    def open_gate(self, p: Parts) -> list[s.Gate]:
        return [p[0]]

    def open_nested(self, p: Parts) -> list[s.Gate]:
        return [p[0], *p[1]]

    def open_modal(self, p: Parts) -> list[s.Gate]:
        return [s.Gate(p[-1], "modal", noun=p[0] if len(p) == 2 else None)]

    def open_pay(self, p: Parts) -> list[s.Gate]:
        extent = s.extent(p[0])
        return [s.Gate(extent[0] if extent else Token("NAME", ""), "pay", cost=_as_cost(p[0]))]

    def open_either(self, p: Parts) -> list[s.Gate]:
        return [s.Gate(p[0], "either")]

    def open_or(self, p: Parts) -> list[s.Gate]:
        return [s.Gate(p[0], "or")]

    def open_instead(self, p: Parts) -> list[s.Gate]:
        return [s.Gate(p[0], "instead")]

    def open_first_able(self, p: Parts) -> list[s.Gate]:
        return [s.Gate(p[0], "first_able")]

    def together(self, p: Parts) -> s.Together:
        return s.Together(_inherit(p))

    def act(self, p: Parts) -> s.Act:
        return s.Act(None, None, p[0])

    def may_act(self, p: Parts) -> s.Act:
        return s.Act(None, p[0], p[1])

    def subject_act(self, p: Parts) -> s.Act:
        return s.Act(p[0], p[1], p[2])

    def act_until(self, p: Parts) -> s.Act:
        at = next(i for i, x in enumerate(p) if isinstance(x, s.Action))
        modal = next((x for x in p[:at] if isinstance(x, Token)), None)
        subject = p[0] if isinstance(p[0], s.Full) else None
        return s.Act(subject, modal, p[at]._replace(until=p[-1]))

    def cannot(self, p: Parts) -> s.Cannot:
        return s.Cannot(p[0], p[2])

    def cannot_be(self, p: Parts) -> s.CannotBe:
        return s.CannotBe(p[0], p[2], tuple(p[3:]))

    def assign(self, p: Parts) -> s.Assign:
        return s.Assign(p[0], p[2], _agree(p[1], p[0]))

    def assign_not(self, p: Parts) -> s.Assign:
        return s.Assign(p[0], s.Negated(p[3]), _agree(p[1], p[0]))

    def gets(self, p: Parts) -> s.Gets:
        return s.Gets(p[0], p[2], p[3], tuple(p[4:]), _agree(p[1], p[0]))

    def change(self, p: Parts) -> s.Change:
        return s.Change(p[0], s.Number(p[1]), p[2])

    def either(self, p: Parts) -> s.Either:
        return s.Either(p[0], tuple(x for x in p if isinstance(x, s.Action)))

    def require(self, p: Parts) -> s.Require:
        return s.Require(p[0], p[1])

    def subject(self, p: Parts) -> s.Full:
        return _full(p)

    modal = sign = value = det = pron = prep = same

    def vp(self, p: Parts) -> s.Action:
        operand: s.Operand | None = None
        phrases: list[s.Phrase] = []
        bind: Token | None = None
        again: s.Again | None = None
        order: Token | None = None
        able = instead = False
        for part in p[1:]:
            if isinstance(part, s.Operand):
                operand = part
            elif isinstance(part, s.Phrase):
                phrases.append(part)
            elif isinstance(part, s.Again):
                again = part
            elif part.type == "IN_ANY_ORDER":
                order = part
            elif part.type == "IF_ABLE":
                able = True
            elif part.type == "INSTEAD":
                instead = True
            else:
                bind = part
        return s.Action(p[0], operand, tuple(phrases), bind, able, instead, again, order=order)

    def again(self, p: Parts) -> s.Again:
        if not isinstance(p[0], Token):
            return s.Again(p[1], s.Paren(p[0]))
        if p[0].type == "THAT_MANY":
            return s.Again(p[1], self.that_amount(p))
        number = p[0].update("NUMBER", "2" if p[0].type == "TWICE" else str(p[0]))
        return s.Again(p[-1].update("TWICE", "twice") if number == "2" else p[-1], s.Number(number))

    def bind(self, p: Parts) -> Token:
        return p[1]  # type: ignore[no-any-return]

    def all_of(self, p: Parts) -> s.Operand:
        return s.Operand(tuple(x for x in p if not isinstance(x, Token)), "and")

    def one_of(self, p: Parts) -> s.Operand:
        return s.Operand(tuple(x for x in p if not isinstance(x, Token)), "or")

    item = bare_count = same

    def bonus(self, p: Parts) -> s.Count:
        return s.Count(p[0], "exactly", s.Number(p[1]), None)

    def malus(self, p: Parts) -> s.Count:
        return s.Count(p[0], "exactly", self.negative(p), None)

    def ppl(self, p: Parts) -> s.Phrase:
        if isinstance(p[0], s.Phrase):  # a further relative clause
            return p[0]
        item = p[1]
        if isinstance(item, s.Operand) and len(item.items) == 1:
            item = item.items[0]
        return s.Phrase(p[0], item)

    pp = ppl

    def named(self, p: Parts) -> s.Phrase:
        return self.ppl([p[0], p[2]])._replace(name=p[1])

    ppl_item = pp_item = same

    def bare_item(self, p: Parts) -> s.BareWords:
        return s.BareWords(tuple(p))

    # gates
    def g_if(self, p: Parts) -> s.Gate:
        return s.Gate(p[0], "if", condition=p[1])

    def g_otherwise(self, p: Parts) -> s.Gate:
        return s.Gate(p[0], "otherwise")

    def g_otherwise_if(self, p: Parts) -> s.Gate:
        return s.Gate(p[0], "otherwise_if", condition=p[2])

    def g_on(self, p: Parts) -> s.Gate:
        return s.Gate(p[0], "on", outcomes=p[1])

    def outcomes(self, p: Parts) -> tuple[s.Outcome, ...]:
        return tuple(x for x in p if isinstance(x, s.Outcome))

    def outcome(self, p: Parts) -> s.Outcome:
        form = {"NAME": "name", "RANGE": "range", "NUMBER": "number"}[p[0].type]
        return s.Outcome(p[0], form)

    def at_least(self, p: Parts) -> s.Outcome:
        return s.Outcome(p[0], "at_least")

    def at_most(self, p: Parts) -> s.Outcome:
        return s.Outcome(p[0], "at_most")

    def g_each(self, p: Parts) -> s.Gate:
        words = tuple(_pick(p[1:-1], "NAME"))
        relative = next((x for x in p if not isinstance(x, (Token, s.Phrase))), None)
        noun = s.Noun(None, words, None, (), relative)
        return s.Gate(p[0], "each", noun=s.Full(noun, tuple(x for x in p if isinstance(x, s.Phrase))), bind=p[-1])

    def g_each_of(self, p: Parts) -> s.Gate:
        return s.Gate(p[0], "each", noun=_full(p[1:-1]), bind=p[-1])

    def g_while(self, p: Parts) -> s.Gate:
        return s.Gate(p[0], "while", condition=p[1])

    def g_until(self, p: Parts) -> s.Gate:
        return s.Gate(p[0], "until", noun=_full(p[1:]))

    def g_window(self, p: Parts) -> s.Gate:
        return s.Gate(p[0].word, "window", window=p[0])

    def g_in_turn(self, p: Parts) -> s.Gate:
        return s.Gate(p[0], "in_turn", noun=_full(p[1:]))

    def g_at_once(self, p: Parts) -> s.Gate:
        return s.Gate(p[0], "at_once")

    def g_secretly(self, p: Parts) -> s.Gate:
        return s.Gate(p[0], "secretly")

    def g_repeat(self, p: Parts) -> s.Gate:
        return s.Gate(p[0], "repeat")

    def g_repeat_until(self, p: Parts) -> s.Gate:
        return s.Gate(p[0], "repeat", condition=p[2])

    def g_repeat_times(self, p: Parts) -> s.Gate:
        return s.Gate(p[0], "repeat", amount=p[1])

    def g_repeat_up_to(self, p: Parts) -> s.Gate:
        return s.Gate(p[0], "repeat", amount=p[2], up_to=True)

    # windows
    def _window(self, kind: str, p: Parts) -> s.Window:
        return s.Window(p[0], kind, p[1], None)

    def w_before(self, p: Parts) -> s.Window:
        return self._window("before", p)

    def w_after(self, p: Parts) -> s.Window:
        return self._window("after", p)

    def w_when(self, p: Parts) -> s.Window:
        return self._window("when", p)

    def w_next(self, p: Parts) -> s.Window:
        return self._window("next", p)

    def w_start(self, p: Parts) -> s.Window:
        return s.Window(p[0], "start", None, _full(p[1:]))

    def w_end(self, p: Parts) -> s.Window:
        return s.Window(p[0], "end", None, _full(p[1:]))

    def w_any(self, p: Parts) -> s.Window:
        return s.Window(p[0], "any", None, None)

    def w_soon(self, p: Parts) -> s.Window:
        return s.Window(p[0], "soon", None, None, p[1])

    def subjects(self, p: Parts) -> tuple[s.Full, ...]:
        return tuple(x for x in p if not isinstance(x, Token))

    def would_be(self, p: Parts) -> s.Event:
        return s.Event("would_be", p[0][0], p[3], None, tuple(p[4:]), p[0][1:])

    def is_done(self, p: Parts) -> s.Event:
        return s.Event("is_done", p[0][0], p[2], None, tuple(p[3:]), p[0][1:], _agree(p[1], p[0][-1]))

    def would(self, p: Parts) -> s.Event:
        return s.Event("would", p[0][0], p[2].verb, p[2], (), p[0][1:])

    def you_do(self, p: Parts) -> s.Event:
        return s.Event("you_do", s.Full(s.Pronoun(p[0]), ()), p[1].verb, p[1], ())

    # noun phrases
    def noun(self, p: Parts) -> s.Noun:
        relative = None if isinstance(p[-1], Token) else p[-1]
        return s.Noun(p[0], tuple(_pick(p[1:], "NAME")), None, (), relative)

    def noun_n(self, p: Parts) -> s.Noun:
        at = next(i for i, x in enumerate(p) if i and not (isinstance(x, Token) and x.type == "NAME"))
        amount = s.Number(p[at]) if isinstance(p[at], Token) else s.Paren(p[at])
        relative = None if isinstance(p[-1], Token) else p[-1]
        return s.Noun(p[0], tuple(p[1:at]), amount, tuple(_pick(p[at + 1 :], "NAME")), relative)

    def counted(self, p: Parts) -> s.Counted:
        relative = None if isinstance(p[-1], Token) else p[-1]
        return s.Counted(p[0], tuple(_pick(p[1:], "NAME")), relative)

    def part(self, p: Parts) -> s.Part:
        return s.Part(p[0], p[2])

    def part_any(self, p: Parts) -> s.Part:
        return s.Part(s.Count(p[0], "any", None, None), p[1])

    def part_each(self, p: Parts) -> s.Part:
        return s.Part(s.Count(p[0], "each", None, None), p[1])

    def part_one(self, p: Parts) -> s.Part:
        return s.Part(s.Count(p[0], "exactly", s.Number(p[0].update("NUMBER", "1")), None), p[1])

    def all_but(self, p: Parts) -> s.Part:
        amount = s.Number(p[1]) if isinstance(p[1], Token) else s.Paren(p[1])
        return s.Part(s.Count(p[0], "all_but", amount, None), p[-1])

    def pronoun(self, p: Parts) -> s.Pronoun:
        return s.Pronoun(p[0])

    def owned(self, p: Parts) -> s.Owned:
        at = next(i for i, x in enumerate(p) if isinstance(x, Token) and x.type == "APOS")
        relative = None if isinstance(p[-1], Token) else p[-1]
        return s.Owned(p[0], tuple(p[1:at]), tuple(_pick(p[at:], "NAME")), relative)

    def listed(self, p: Parts) -> s.Listed:
        return s.Listed(tuple(p))

    def exactly(self, p: Parts) -> s.Count:
        return s.Count(p[0], "exactly", s.Number(p[0]), None)

    def exactly_sum(self, p: Parts) -> s.Count:
        return s.Count(_first(p[0]), "exactly", s.Paren(p[0]), None)

    def between(self, p: Parts) -> s.Count:
        return s.Count(p[0], "between", s.Number(p[0]), s.Number(p[2]))

    def or_more(self, p: Parts) -> s.Count:
        return s.Count(p[0], "or_more", s.Number(p[0]), None)

    def up_to(self, p: Parts) -> s.Count:
        return s.Count(p[0], "up_to", None, s.Number(p[1]))

    def up_to_sum(self, p: Parts) -> s.Count:
        return s.Count(p[0], "up_to", None, s.Paren(p[1]))

    def that_amount(self, p: Parts) -> s.ThatMany:
        self.counts = True
        return s.ThatMany(p[0])

    def that_many(self, p: Parts) -> s.Count:
        return s.Count(p[0], "exactly", self.that_amount(p), None)

    def any_number(self, p: Parts) -> s.Count:
        return s.Count(p[0], "any", None, None)

    def whose(self, p: Parts) -> s.Whose:
        return s.Whose(
            p[0], tuple(_pick(p[1:], "NAME")), next(x for x in p if isinstance(x, Token) and x.type == "CMP"), p[-1]
        )

    def who_is(self, p: Parts) -> s.WhoIs:
        return s.WhoIs(p[0], len(p) == 4, p[-1], p[1])

    def where(self, p: Parts) -> s.Where:
        return s.Where(p[0], p[1])

    def superlative(self, p: Parts) -> s.Superlative:
        return s.Superlative(p[0], tuple(_pick(p[1:], "NAME")), p[-1] if isinstance(p[-1], s.Ties) else None)

    def nearest(self, p: Parts) -> s.Nearest:
        anchor = p[1].noun.noun
        return s.Nearest(p[0], anchor, p[2] if len(p) == 3 else None)

    def first_to(self, p: Parts) -> s.FirstTo:
        return s.FirstTo(p[0], p[1].noun.noun)

    def ties(self, p: Parts) -> s.Ties:
        return s.Ties(p[0], tuple(x for x in p if isinstance(x, s.Tie)))

    def tie(self, p: Parts) -> s.Tie:
        return s.Tie(p[0], tuple(p[1:]), None)

    def tie_anchor(self, p: Parts) -> s.Tie:
        return s.Tie(p[0], (), p[1].noun.noun)

    def further(self, p: Parts) -> s.Phrase:
        return s.Phrase(p[0], s.Those(p[1]))

    def measure_noun(self, p: Parts) -> s.Read:
        return s.Read(s.Full(s.Noun(p[0], tuple(p[1:]), None, (), None), ()))

    def measure_pron(self, p: Parts) -> s.Read:
        return s.Read(s.Full(s.Pronoun(p[0]), ()))

    # conditions
    def or_(self, p: Parts) -> s.Or:
        return s.Or(p[0], p[2])

    def and_(self, p: Parts) -> s.And:
        return s.And(p[0], p[2])

    def grouped(self, p: Parts) -> s.Grouped:
        return s.Grouped(p[0])

    def compare(self, p: Parts) -> s.Compare:
        return s.Compare(p[0], p[1], p[2])

    def is_(self, p: Parts) -> s.Is:
        at = next(i for i, x in enumerate(p) if isinstance(x, Token))
        subject = _full(p[:at])
        negated = isinstance(p[at + 1], Token)
        predicate: s.Predicate = p[at + 2 if negated else at + 1]
        phrases = tuple(p[at + 3 if negated else at + 2 :])
        return s.Is(
            subject, negated, predicate._replace(phrases=phrases) if phrases else predicate, _agree(p[at], subject)
        )

    def has(self, p: Parts) -> s.Has:
        at = next(i for i, x in enumerate(p) if isinstance(x, Token))
        subject = _full(p[:at])
        return s.Has(subject, _full(p[at + 1 :]), _agree(p[at], subject))

    def there(self, p: Parts) -> s.There:
        return s.There(p[0], _full(p[1:]))

    def you_did(self, p: Parts) -> s.Did:
        return s.Did(p[0], False)

    def you_did_not(self, p: Parts) -> s.Did:
        return s.Did(p[0], True)

    def not_(self, p: Parts) -> s.Not:
        return s.Not(p[1])

    def p_words(self, p: Parts) -> s.Predicate:
        return s.Predicate(tuple(p), None, None)

    def p_np(self, p: Parts) -> s.Predicate:
        return s.Predicate((), p[0], None)

    def p_in(self, p: Parts) -> s.Predicate:
        return s.Predicate((), p[1], p[0])

    # amounts
    def add(self, p: Parts) -> s.Binary:
        return s.Binary(p[1], p[0], p[2])

    sub = mul = div = add

    def number(self, p: Parts) -> s.Number:
        return s.Number(p[-1])

    def negative(self, p: Parts) -> s.Binary:
        return s.Binary(p[0], s.Number(p[0].update("ZERO", "0")), s.Number(p[1]))

    def bare(self, p: Parts) -> s.Bare:
        return s.Bare(p[0])

    def paren(self, p: Parts) -> s.Paren:
        return s.Paren(p[-1])

    def read(self, p: Parts) -> s.Read:
        return s.Read(_full(p))

    def number_of(self, p: Parts) -> s.NumberOf:
        return s.NumberOf(p[0], p[1])

    def total(self, p: Parts) -> s.Total:
        return s.Total(p[0], p[1], p[3])

    extreme = different = total

    def extreme_of(self, p: Parts) -> s.Extreme:
        return s.Extreme(p[0], p[1], p[3])

    def depends(self, p: Parts) -> s.Depends:
        return s.Depends(p[0], p[1], p[2], p[4])

    def bare_noun(self, p: Parts) -> s.Full:
        relative = next((x for x in p if not isinstance(x, (Token, s.Phrase))), None)
        return s.Full(
            s.Noun(None, tuple(_pick(p, "NAME")), None, (), relative), tuple(x for x in p if isinstance(x, s.Phrase))
        )

    def full_noun(self, p: Parts) -> s.Full:
        return _full(p)


def link_counts(block: s.Block) -> s.Block:
    """Tell each `that many` which clause it counts: the nearest one in front of it that has an object."""
    given: dict[int, str] = {}  # clauses that are counted, and what their number is called
    meant: dict[int, str] = {}
    before: s.Action | None = None

    def look(node: object) -> None:
        nonlocal before
        if isinstance(node, s.ThatMany) and before is not None:
            name = given.setdefault(id(before), str(before.bind or f"that many {len(given) + 1}"))
            meant[id(node)] = name
        if not isinstance(node, tuple):
            return
        for part in node:
            look(part)
        if isinstance(node, s.Action) and node.object is not None and (node.bind or node.verb not in _UNCOUNTED):
            before = node

    def link(node: Part) -> Part:
        if isinstance(node, s.ThatMany):
            return node._replace(of=meant.get(id(node)))
        if not isinstance(node, tuple):
            return node
        parts = [link(part) for part in node]
        if all(new is old for new, old in zip(parts, node, strict=True)) and id(node) not in given:
            return node  # the very same: parts of a clause are known by that
        made: Part = node._make(parts) if hasattr(node, "_make") else tuple(parts)
        return made._replace(counted=given[id(node)]) if id(node) in given else made

    look(block)
    linked: s.Block = link(block)
    return linked


_UNCOUNTED = frozenset(("choose", "stop", "conclude", "end", "take", "resolve", "shuffle", "swap", "prevent"))


def _inherit(parts: Parts) -> tuple[s.Statement, ...]:
    """`each player must draw a card and discard a card`: a part without a subject takes the subject of the part before
    it, and one without a modal of its own its modal as well. What is taken over is the very same object, by which it
    can be told from what was written."""
    made: list[s.Statement] = []
    before: s.Statement | None = None
    for part in parts:
        if isinstance(part, s.Act) and part.subject is None and before is not None:
            if isinstance(before, s.Act):
                part = s.Act(before.subject, part.modal or before.modal, part.action)
            elif isinstance(before, s.Cannot) and part.modal is None:
                part = s.Cannot(before.subject, part.action)
        made.append(part)
        before = part
    return tuple(made)


def _as_cost(cost: s.Statement) -> s.Statement:
    """A joint cost is one thing: its first part says who may pay it."""
    if isinstance(cost, s.Together) and isinstance(cost.parts[0], s.Act):
        lead = cost.parts[0]
        return s.Together(
            (
                lead,
                *(
                    s.Act(None, None, part.action)
                    if isinstance(part, s.Act) and part.subject is lead.subject and part.modal is lead.modal
                    else part
                    for part in cost.parts[1:]
                ),
            )
        )
    return cost


_FORMS = {
    "is": ("is", "are"), "are": ("is", "are"), "has": ("has", "have"), "have": ("has", "have"),
    "gets": ("gets", "get"), "get": ("gets", "get"), "is now": ("is now", "are now"), "are now": ("is now", "are now"),
}  # fmt: skip
_PLURAL = {
    "YOU": True,
    "THEY": True,
    "BOTH": True,
    "IT": False,
    "THIS": False,
    "A": False,
    "EACH": False,
    "ANOTHER": False,
}


def _agree(verb: Token, subject: s.Full) -> Token:
    """is or are, has or have, .. in the form that a pronoun or determiner asks for; otherwise as it was written."""
    noun = subject.noun
    word = noun.word if isinstance(noun, s.Pronoun) else noun.det if isinstance(noun, s.Noun) else None
    plural = _PLURAL.get(word.type) if word is not None else None
    if plural is None:
        return verb
    form = _FORMS[verb][plural]
    return verb if form == verb else verb.update(value=form)


def _first(node: object) -> Token:
    found = s.extent(node)
    return found[0] if found else Token("NUMBER", "0")
