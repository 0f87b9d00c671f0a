"""Syntax nodes of the effect language: what the parse stage gives to the resolver and the printer.

Every node is an immutable tuple with named fields. Words are kept as lexer tokens, which carry their line and column,
so a node needs no place of its own: `first_token` finds it. Nothing here knows a verb or a noun.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

from grimoire.compiler.syntax.tokens import Token

Words: TypeAlias = tuple[Token, ...]

# ---------------------------------------------------------------- amounts


class Number(NamedTuple):
    value: Token


class Bare(NamedTuple):
    """A name read as an amount: `d <= 6`."""

    name: Token


class Read(NamedTuple):
    """A noun phrase read as an amount: `the value of the page`."""

    noun: Full


class NumberOf(NamedTuple):
    word: Token
    noun: Full


class Total(NamedTuple):
    """`total VALUE of NP`, `highest VALUE of NP`, `lowest ..`, `different ..`."""

    word: Token
    field: Token
    noun: Full


class Binary(NamedTuple):
    """A sum, difference, product or quotient; `-4` is 0 - 4, where the 0 is a token of the type ZERO."""

    op: Token
    left: Amount
    right: Amount


class Paren(NamedTuple):
    inner: Amount


class Extreme(NamedTuple):
    """`the lower of A and B`, `the higher of A and B`."""

    word: Token
    left: Amount
    right: Amount


class Depends(NamedTuple):
    """`A if CONDITION, otherwise B`."""

    then: Amount
    word: Token
    condition: Condition
    other: Amount


class ThatMany(NamedTuple):
    """How many a clause in front of it was done to; `of` is what their number is called."""

    word: Token
    of: str | None = None


class Negated(NamedTuple):
    """`not protected`, as the new value of a flag."""

    name: Token


Amount: TypeAlias = Number | Bare | Read | NumberOf | Total | Binary | Paren | Extreme | Depends | ThatMany | Negated

# ---------------------------------------------------------------- noun phrases


class Count(NamedTuple):
    """How many: `exactly`, `between`, `or_more`, `up_to`, `any`, `all_but`, `each` (`each of the charts`: all of them).

    `any of NP` is `exactly` 1, with ANY_OF as its word; `with +2` is `exactly` 2 with PLUS, `with -2` the amount 0 - 2
    with MINUS.
    """

    word: Token
    kind: str
    low: Amount | None
    high: Amount | None


class Whose(NamedTuple):
    word: Token
    field: Words
    op: Token
    value: Amount


class WhoIs(NamedTuple):
    word: Token  # who or that
    negated: bool
    predicate: Predicate
    verb: Token | None = None  # is or are


class Where(NamedTuple):
    word: Token
    condition: Condition


class Superlative(NamedTuple):
    word: Token
    field: Words
    ties: Ties | None


class Nearest(NamedTuple):
    word: Token
    anchor: Noun | Pronoun
    ties: Ties | None


class FirstTo(NamedTuple):
    """`first to the left of the leader`: of players, the next one in turn among those that are meant."""

    word: Token
    anchor: Noun | Pronoun


class Tie(NamedTuple):
    """`highest worth`; `nearest to the mole`, `first to the left of you`: then with an anchor and without a field."""

    word: Token
    field: Words
    anchor: Noun | Pronoun | None


class Ties(NamedTuple):
    word: Token
    parts: tuple[Tie, ...]


Relative: TypeAlias = Whose | WhoIs | Where | Superlative | Nearest | FirstTo


class Noun(NamedTuple):
    """`the top 2 cards`, `each free cell whose ..`; without a determiner behind `number of`."""

    det: Token | None
    words: Words
    amount: Amount | None
    rest: Words
    relative: Relative | None


class Counted(NamedTuple):
    count: Count  # type: ignore[assignment]  # hides the method of tuples
    words: Words
    relative: Relative | None


class Part(NamedTuple):
    """`2 of your items`, `all but 10 of their cards`, `any number of your items`, `each of the charts`, `any of your
    items`."""

    count: Count  # type: ignore[assignment]  # hides the method of tuples
    whole: NounPhrase


class Pronoun(NamedTuple):
    word: Token


class Owned(NamedTuple):
    """`the leader's hand`."""

    det: Token
    owner: Words
    words: Words
    relative: Relative | None


class Listed(NamedTuple):
    words: Words


NounPhrase: TypeAlias = Noun | Counted | Part | Pronoun | Owned | Listed


class Phrase(NamedTuple):
    """A preposition and what stands behind it; with a name, an argument: `with weight 12`, `and mate the ..`.

    A further relative clause is one, too: `and whose ..`, `of those with ..`.
    """

    prep: Token
    item: NounPhrase | Count | Operand | BareWords | Those
    name: Token | None = None


class Those(NamedTuple):
    """What is meant so far, narrowed by a further relative clause."""

    relative: Relative


class BareWords(NamedTuple):
    words: Words


class Full(NamedTuple):
    """A noun phrase with the prepositional phrases behind it, still flat."""

    noun: NounPhrase
    phrases: tuple[Phrase, ...]


class Operand(NamedTuple):
    items: tuple[NounPhrase | Count, ...]
    joint: str  # "and" or "or"; "and" for one item


# ---------------------------------------------------------------- conditions


class Compare(NamedTuple):
    left: Amount
    op: Token
    right: Amount


class Predicate(NamedTuple):
    """What stands behind `is`: words, a noun phrase, or a preposition with a noun phrase; then the phrases behind
    that."""

    words: Words
    noun: NounPhrase | None
    prep: Token | None
    phrases: tuple[Phrase, ...] = ()


class Is(NamedTuple):
    subject: Full
    negated: bool
    predicate: Predicate
    word: Token | None = None  # is or are


class Has(NamedTuple):
    subject: Full
    thing: Full
    word: Token | None = None  # has or have


class There(NamedTuple):
    word: Token
    thing: Full


class Did(NamedTuple):
    word: Token
    negated: bool


class Not(NamedTuple):
    inner: Condition


class Grouped(NamedTuple):
    """A condition in parentheses."""

    inner: Condition


class And(NamedTuple):
    left: Condition
    right: Condition


class Or(NamedTuple):
    left: Condition
    right: Condition


Condition: TypeAlias = Compare | Is | Has | There | Did | Not | Grouped | And | Or

# ---------------------------------------------------------------- windows


class Event(NamedTuple):
    """`form`: would_be, would, is_done, you_do. `a guest or a host would be moved`: `others` holds the subjects behind
    `or`, and the event is heard for any one of them."""

    form: str
    subject: Full | None
    verb: Token
    action: Action | None  # for would and you_do
    phrases: tuple[Phrase, ...]
    others: tuple[Full, ...] = ()
    word: Token | None = None  # is or are, for is_done


class Window(NamedTuple):
    """`kind`: before, after, when, next, start, end, any, soon (`as soon as CONDITION`)."""

    word: Token
    kind: str
    event: Event | None
    noun: Full | None
    condition: Condition | None = None  # for soon


# ---------------------------------------------------------------- statements


class Again(NamedTuple):
    """How often a verb is done: `twice`, `3 times`, `(N) times`."""

    word: Token
    times: Amount


class Action(NamedTuple):
    """A verb with its object and phrases; `until`: it is done again and again until that holds; `counted`: what `that
    many` behind it calls the number of what it was done to."""

    verb: Token
    object: Operand | None
    phrases: tuple[Phrase, ...]
    bind: Token | None
    able: bool
    instead: bool
    again: Again | None = None
    until: Condition | None = None
    order: Token | None = None  # in any order
    counted: str | None = None


class Act(NamedTuple):
    subject: Full | None
    modal: Token | None
    action: Action


class Cannot(NamedTuple):
    subject: Full
    action: Action


class CannotBe(NamedTuple):
    subject: Full
    verb: Token
    phrases: tuple[Phrase, ...]


class Assign(NamedTuple):
    target: Full
    value: Amount
    word: Token | None = None  # is now or are now


class Gets(NamedTuple):
    subject: Full
    sign: Token
    amount: Amount
    words: Words
    word: Token | None = None  # gets or get


class Change(NamedTuple):
    """`+1 action`: a counter, a state of yours or a setting grows or shrinks."""

    sign: Token
    amount: Number
    word: Token


class Either(NamedTuple):
    word: Token
    options: tuple[Action, ...]


class Require(NamedTuple):
    word: Token
    condition: Condition


class Together(NamedTuple):
    """`A and B`. A part that was written without a subject has that of the part before it, and without a modal its
    modal too, as the very same objects (`each player must draw a card and discard a card`). In a cost (`may A and B to
    C`) only the first part has them."""

    parts: tuple[Statement, ...]


class Then(NamedTuple):
    """`A, then B` (word is `then`) or `A; B`."""

    first: Statement
    word: str
    rest: Statement


class Pay(NamedTuple):
    cost: Statement
    rest: Statement


class Gate(NamedTuple):
    """`kind`: if, otherwise, otherwise_if, on, each, while, until, window, in_turn, at_once, secretly, repeat, modal,
    either, or, instead, first_able, pay."""

    word: Token
    kind: str
    condition: Condition | None = None
    noun: Full | None = None
    bind: Token | None = None
    window: Window | None = None
    amount: Amount | None = None
    outcomes: tuple[Outcome, ...] = ()
    cost: Statement | None = None
    up_to: bool = False  # repeat up to N times


class Outcome(NamedTuple):
    """A name, a number, a range, `5 or more`, `2 or less`."""

    token: Token
    form: str  # name, number, range, at_least, at_most


class Gated(NamedTuple):
    gate: Gate
    body: Statement


class Block(NamedTuple):
    statements: tuple[Line, ...]


class Line(NamedTuple):
    """One line or one headed block, with the clause that it carries out."""

    clause: Token | None
    statement: Statement
    block: bool  # the body of the statement stands indented below


Statement: TypeAlias = (
    Act | Cannot | CannotBe | Assign | Gets | Change | Either | Require | Together | Then | Pay | Gated | Block
)


class Limit(NamedTuple):
    word: Token
    times: int
    scope: Words
    shared: Words = ()  # `for all players`: whose uses count together


Root: TypeAlias = Block | Window | Condition | Amount | Full | Limit  # what the start symbols of the grammar stand for


def tokens(node: object) -> Iterator[Token]:
    """All tokens of a node, in the order of its fields."""
    if isinstance(node, Token):
        yield node
    elif isinstance(node, tuple):
        for part in node:
            yield from tokens(part)


def extent(node: object) -> tuple[Token, Token] | None:
    """The first and the last token of a node by place, or None for an empty node."""
    first: Token | None = None
    last: Token | None = None
    start, end = (0, 0), (0, 0)
    todo = [node]
    while todo:
        one = todo.pop()
        if isinstance(one, tuple):
            todo += one
        elif isinstance(one, Token) and one.line is not None:
            place = (one.line, one.column or 0)
            if first is None or place < start:
                first, start = one, place
            place = (one.end_line or one.line, one.end_column or one.column or 0)
            if last is None or place > end:
                last, end = one, place
    return None if first is None or last is None else (first, last)
