"""Random sentences over all constructs: the printed form reads back to an equal tree and prints the same again.

The generator makes text, not trees, so that other spellings than the canonical one are tried as well. The examples are
the same in every run; raise `max_examples` and drop `derandomize` after a change of the grammar.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from grimoire.compiler.syntax.parse import ParseProblem, parse
from grimoire.compiler.syntax.printer import print_node

Draw = Callable[..., Any]

NOUNS = ["card", "ally", "captain", "interior-space", "unit", "hour", "top card", "eager old crab", "x2-y3", "cards"]
VERBS = ["draw", "discard", "move", "use", "awaken", "set-aside"]
WORDS = ["value", "race", "strength", "upper rank", "d"]
DETS = ["the", "a", "an", "each", "all", "any", "another", "no", "both", "your", "its", "their", "this"]
PRONOUNS = ["you", "it", "they", "them", "this"]
PREPS = [
    "in", "into", "on", "onto", "from", "with", "at", "by", "over", "under", "through", "toward", "towards", "along", "within",
    "adjacent to", "other than", "left of", "right of", "beside", "behind", "without", "against", "about", "around", "on top of",
    "at the bottom of", "to the bottom of",
]  # fmt: skip
COMPARE = ["=", "!=", "<", "<=", ">", ">="]
EXTREME = ["highest", "lowest"]


class Writer:
    """Sentences, one method for each rule; `deep` shrinks on the way down."""

    def __init__(self, draw: Draw) -> None:
        self.draw = draw

    def pick(self, choices: list[str]) -> str:
        return str(self.draw(st.sampled_from(choices)))

    def chance(self, of: int = 2) -> bool:
        return bool(self.draw(st.integers(0, of - 1)) == 0)

    def one_of(self, *makers: Callable[[], str]) -> str:
        return makers[self.draw(st.integers(0, len(makers) - 1))]()

    def number(self) -> str:
        return str(self.draw(st.integers(0, 12)))

    # amounts

    def amount(self, deep: int) -> str:
        simple = [self.number, lambda: self.pick(["d", "price"]), lambda: f"-{self.number()}"]
        if deep <= 0:
            return self.one_of(*simple)
        return self.one_of(
            *simple,
            lambda: f"{self.amount(deep - 1)} {self.pick(['+', '-', '*', '/'])} {self.amount(deep - 1)}",
            lambda: f"({self.amount(deep - 1)})",
            lambda: f"({self.amount(deep - 1)} if {self.condition(deep - 1)}, otherwise {self.amount(deep - 1)})",
            lambda: (
                f"(the {self.pick(['lower', 'higher'])} of d and {self.pick(['price', '3', 'your price', '(d + 1)'])})"
            ),
            lambda: f"{self.noun(deep - 1)}{self.phrases(deep - 1)}",
            lambda: f"number of {self.counted_noun(deep - 1)}",
            lambda: f"{self.pick(['total', 'different', *EXTREME])} value of {self.counted_noun(deep - 1)}",
        )

    def counted_noun(self, deep: int) -> str:
        if self.chance():
            return self.pick(NOUNS) + self.relative(deep) + self.phrases(deep)
        return self.noun(deep) + self.phrases(deep)

    # noun phrases

    def count(self, deep: int) -> str:
        return self.one_of(
            self.number,
            lambda: f"{self.number()} to {self.number()}",
            lambda: f"{self.number()} or more",
            lambda: f"up to {self.number()}",
            lambda: f"({self.amount(deep - 1)})",
            lambda: f"up to ({self.amount(deep - 1)})",
        )

    def whole(self, deep: int) -> str:
        det = self.pick(DETS)
        return self.one_of(
            lambda: f"{det} {self.pick(NOUNS)}{self.relative(deep)}",
            lambda: f"the top {self.number()} {self.pick(NOUNS)}{self.relative(deep)}",
            lambda: f"the top ({self.amount(deep - 1)}) {self.pick(NOUNS)}",
            lambda: self.pick(PRONOUNS),
            lambda: f"{det} {self.pick(NOUNS)}'s {self.pick(NOUNS)}{self.relative(deep)}",
            lambda: "[" + ", ".join(self.draw(st.lists(st.sampled_from(["brig", "chapel", "d"]), min_size=1))) + "]",
        )

    def noun(self, deep: int) -> str:
        if deep <= 0:
            return f"{self.pick(DETS)} {self.pick(NOUNS)}"
        return self.one_of(
            lambda: self.whole(deep),
            lambda: f"{self.count(deep)} {self.pick(NOUNS)}{self.relative(deep)}",
            lambda: f"any number of {self.pick(NOUNS)}{self.relative(deep)}",
            lambda: f"{self.count(deep)} of {self.whole(deep)}",
            lambda: (
                f"{self.pick(['any number of', 'each of', 'any of', 'all but 2 of', 'all but (d) of'])} "
                f"{self.whole(deep)}"
            ),
        )

    def relative(self, deep: int) -> str:
        if deep <= 0 or self.chance():
            return ""
        more = ["", f", then {self.pick(EXTREME)} {self.pick(WORDS)}", ", then first to the left of you"]
        first = f" breaking ties by {self.pick([f'{self.pick(EXTREME)} {self.pick(WORDS)}', 'nearest to it'])}"
        ties = self.pick(["", f"{first}{self.pick(more)}"])
        return " " + self.one_of(
            lambda: f"whose {self.pick(WORDS)} {self.pick(COMPARE)} {self.measure(deep - 1)}",
            lambda: (
                f"{self.pick(['who', 'that'])} {self.pick(['is', 'are'])} "
                f"{self.pick(['', 'not '])}{self.predicate(deep - 1)}"
            ),
            lambda: f"where ({self.condition(deep - 1)})",
            lambda: f"with the {self.pick(['highest', 'lowest', 'most', 'fewest'])} {self.pick(WORDS)}{ties}",
            lambda: f"nearest to {self.pick(['you', 'them', 'the captain', 'an ally'])}{ties}",
            lambda: f"first to the {self.pick(['left', 'right'])} of {self.pick(['you', 'the captain'])}",
        )

    def measure(self, deep: int) -> str:
        return self.one_of(
            self.number,
            lambda: f"-{self.number()}",
            lambda: "d",
            lambda: f"({self.amount(deep)})",
            lambda: "the old value",
            lambda: "it",
        )

    def phrases(self, deep: int) -> str:
        if deep <= 0 or self.chance():
            return ""
        return "".join(self.phrase(deep - 1) for _ in range(self.draw(st.integers(1, 2))))

    def phrase(self, deep: int) -> str:
        return self.one_of(
            lambda: f" {self.pick(PREPS)} {self.noun(deep)}",
            lambda: f" of {self.whole(deep)}",
            lambda: f" with {self.pick(['', '+', '-'])}{self.number()}",
            lambda: f" as {self.pick(['with', 'in'])} {self.pick(WORDS)}"[3:],
            lambda: f" of those with the {self.pick(['highest', 'fewest'])} {self.pick(WORDS)}",
            lambda: f" and whose {self.pick(WORDS)} {self.pick(COMPARE)} {self.measure(deep)}",
        )

    # conditions

    def predicate(self, deep: int) -> str:
        return self.one_of(
            lambda: self.pick(["free", "old and"])[:4].strip(),
            lambda: self.whole(deep),
            lambda: f"{self.pick(PREPS)} {self.whole(deep)}",
        )

    def condition(self, deep: int) -> str:
        simple = [
            lambda: f"d {self.pick(COMPARE)} {self.amount(deep - 1)}",
            lambda: self.pick(["you do", "they do not"]),
        ]
        if deep <= 0:
            return self.one_of(*simple)
        return self.one_of(
            *simple,
            lambda: f"{self.amount(deep - 1)} {self.pick(COMPARE)} {self.amount(deep - 1)}",
            lambda: (
                f"{self.noun(deep - 1)} {self.pick(['is', 'are'])} "
                f"{self.pick(['', 'not '])}{self.predicate(deep - 1)}{self.phrases(deep - 1)}"
            ),
            lambda: f"{self.noun(deep - 1)}{self.phrases(deep - 1)} {self.pick(['has', 'have'])} {self.noun(deep - 1)}",
            lambda: f"{self.pick(['there is', 'there are'])} {self.noun(deep - 1)}{self.phrases(deep - 1)}",
            lambda: f"not {self.condition(deep - 1)}",
            lambda: f"({self.condition(deep - 1)})",
            lambda: f"{self.condition(deep - 1)} {self.pick(['and', 'or'])} {self.condition(deep - 1)}",
        )

    # windows and gates

    def event(self, deep: int) -> str:
        subject = self.noun(deep - 1) + self.phrases(deep - 1)
        if self.chance(3):
            subject += f" or {self.pick(['the captain', 'an ally in your hand', '2 cards'])}"
        return self.one_of(
            lambda: f"{subject} would be drawn{self.phrases(deep - 1)}",
            lambda: f"{subject} would {self.action(deep - 1)}",
            lambda: f"{subject} {self.pick(['is', 'are'])} drawn{self.phrases(deep - 1)}",
            lambda: f"you {self.action(deep - 1)}",
        )

    def window(self, deep: int) -> str:
        return self.one_of(
            lambda: f"{self.pick(['before', 'after', 'when', 'next time'])} {self.event(deep)}",
            lambda: f"{self.pick(['at the start of', 'at the end of'])} {self.noun(deep - 1)}{self.phrases(deep - 1)}",
            lambda: "at any time",
            lambda: f"as soon as {self.condition(deep - 1)}",
        )

    def gate(self, deep: int) -> str:
        outcomes = ["pass", "3", "1-4", "5 or more", "2 or less"]
        return self.one_of(
            lambda: f"{self.pick(['if', 'otherwise if', 'while'])} {self.condition(deep)}",
            lambda: "otherwise",
            lambda: "on " + " or ".join(self.draw(st.lists(st.sampled_from(outcomes), min_size=1, max_size=3))),
            lambda: f"for each of {self.noun(deep - 1)}{self.phrases(deep - 1)} as one",
            lambda: f"for each {self.pick(NOUNS)}{self.relative(deep - 1)}{self.phrases(deep - 1)} as one",
            lambda: f"until the {self.pick(['start', 'end'])} of {self.noun(deep - 1)}{self.phrases(deep - 1)}",
            lambda: self.window(deep),
            lambda: f"in turn from {self.noun(deep - 1)}{self.phrases(deep - 1)}",
            lambda: self.pick(["at the same time", "secretly", "repeat", "repeat 3 times"]),
            lambda: f"repeat {self.pick(['', 'up to '])}({self.amount(deep - 1)}) times",
        )

    # statements

    def action(self, deep: int) -> str:
        text = self.pick(VERBS)
        if not self.chance(3):
            joint = self.pick([" and ", " or "])
            text += " " + joint.join(self.noun(deep - 1) for _ in range(self.draw(st.integers(1, 2))))
        text += self.phrases(deep - 1)
        if self.chance(3):
            text += f" to {self.whole(deep - 1)}"
        return text + self.pick(["", "", " as one"]) + self.pick(["", "", " if able"]) + self.pick(["", "", " instead"])

    def subject(self, deep: int) -> str:
        return self.noun(deep - 1) + self.phrases(deep - 1)

    def clause(self, deep: int) -> str:
        return self.one_of(
            lambda: self.action(deep),
            lambda: f"{self.pick(['may', 'must'])} {self.action(deep)}",
            lambda: f"{self.subject(deep)} {self.pick(['may', 'must'])} {self.action(deep)}",
            lambda: f"{self.subject(deep)} cannot {self.action(deep)}",
            lambda: f"{self.subject(deep)} cannot be drawn{self.phrases(deep - 1)}",
            lambda: f"{self.subject(deep)} {self.pick(['is now', 'are now'])} {self.amount(deep - 1)}",
            lambda: f"{self.subject(deep)} is now not free",
            lambda: (
                f"{self.subject(deep)} {self.pick(['gets', 'get'])} {self.pick(['+1', '- 2', '+ (d)'])} "
                f"{self.pick(WORDS)}"
            ),
            lambda: f"either {self.action(deep)} or {self.action(deep)}",
            lambda: f"require {self.condition(deep)}",
        )

    def step(self, deep: int) -> str:
        text = self.clause(deep)
        if self.chance(3) and not text.startswith("require"):
            text += f" and {self.pick(['', 'may ', 'must '])}{self.action(deep)}"
        return text

    def sequence(self, deep: int) -> str:
        if deep <= 0:
            return self.step(0)
        return self.one_of(
            lambda: self.step(deep),
            lambda: f"{self.step(deep)}{self.pick([', then ', ' then ', '; ', '; then '])}{self.sequence(deep - 1)}",
            lambda: f"{self.gate(deep)}, {self.sequence(deep - 1)}",
            lambda: f"{self.step(deep)} to {self.action(deep - 1)}",
        )

    def opener(self, deep: int) -> str:
        return self.one_of(
            lambda: self.gate(deep),
            lambda: f"{self.gate(deep)}, {self.opener(deep - 1)}",
            lambda: self.pick(["may", "either", "or", "instead", "first able"]),
            lambda: f"{self.subject(deep)} {self.pick(['may', 'must'])}",
            lambda: f"{self.step(deep)} to",
        )

    def lines(self, deep: int, indent: str) -> list[str]:
        made: list[str] = []
        for _ in range(self.draw(st.integers(1, 3))):
            head = indent + self.pick(["", "", "§4.2 "])
            if deep > 0 and self.chance(3):
                made.append(f"{head}{self.opener(1)}:")
                made += self.lines(deep - 1, indent + self.pick([" ", "  ", "    "]))
            else:
                made.append(f"{head}{self.pick(['', '', 'then '])}{self.sequence(2)}")
        return made


@st.composite
def fragments(draw: Draw) -> tuple[str, str]:
    writer = Writer(draw)
    start = writer.pick(["effect", "effect", "effect", "trigger", "condition", "amount", "selector", "limit"])
    if start == "effect":
        return start, "\n".join(writer.lines(2, ""))
    if start == "trigger":
        return start, writer.window(2)
    if start == "condition":
        return start, writer.condition(3)
    if start == "amount":
        return start, writer.amount(3)
    if start == "selector":
        return start, writer.noun(3) + writer.phrases(3)
    return start, f"{writer.pick(['once', 'twice', '1 times', '3 times'])} per {writer.pick(NOUNS)}"


@settings(max_examples=200, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(fragments())
def test_a_random_sentence_survives_the_round_trip(fragment: tuple[str, str]) -> None:
    start, text = fragment
    try:
        tree = parse(text, start)
    except ParseProblem as problem:
        raise AssertionError(f"{problem.line}:{problem.column} {problem.message}\n{text}") from None
    printed = print_node(tree)
    again = parse(printed, start)
    assert repr(again) == repr(tree)
    assert print_node(again) == printed


@settings(max_examples=200, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(fragments(), st.data())
def test_a_spoiled_sentence_is_read_or_explained(fragment: tuple[str, str], data: st.DataObject) -> None:
    """A word left out, doubled or moved: a tree that survives, or a problem inside the text, and nothing else."""
    start, text = fragment
    words = text.split(" ")
    at = data.draw(st.integers(0, len(words) - 1))
    words[at : at + 1] = data.draw(
        st.sampled_from([[], [words[at]] * 2, [data.draw(st.sampled_from(words)), words[at]]])
    )
    spoiled = " ".join(words)
    try:
        tree = parse(spoiled, start)
    except ParseProblem as problem:
        lines = spoiled.split("\n")
        assert 1 <= problem.line <= len(lines)
        assert problem.column >= 1
        assert problem.column + problem.width - 1 <= max(len(lines[problem.line - 1]), 1)
    else:
        assert repr(parse(print_node(tree), start)) == repr(tree)
