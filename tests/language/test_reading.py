"""The tables of wordings can be read: simple sentences that they say are read back with them, in three languages."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

import pytest

from grimoire.compiler.localisation.languages import WORDED
from grimoire.compiler.localisation.text.cards import euphony
from grimoire.compiler.localisation.text.inflect import MOODS, NUMBERS
from grimoire.compiler.localisation.text.lexicon import load_grammar
from grimoire.compiler.syntax import nodes as s
from tests.language.reading import Back, Meaning, meaning
from tests.language.test_card_texts import PACKAGES, sayer


def steps(name: str, language: str) -> list[tuple[str, Meaning, set[Meaning]]]:
    """Every simple step of the cards of a package: what is said, what it means, and what is read in it."""
    says = sayer(name, language)
    back = Back(says)
    found: dict[str, tuple[Meaning, set[Meaning]]] = {}
    for card in says.cards():
        for text in card.programs.values():
            for line in text.node.statements if isinstance(text.node, s.Block) else ():
                speaks = says.sayer(card)
                meant = meaning(line.statement, back, speaks)
                if meant is not None:
                    sentence = euphony(speaks.sentence(speaks.statement(line.statement)), says.rules)
                    found[sentence] = (meant, back.read(sentence))
    return [(sentence, *row) for sentence, row in found.items()]


@pytest.mark.parametrize("language", WORDED)
def test_simple_sentences_are_read_back(language: str) -> None:
    rows = steps("unfathomable", language)
    read = Counter(meant in meanings for _, meant, meanings in rows)
    assert len(rows) >= 50
    assert read[True] >= 0.9 * len(rows), [row for row in rows if row[1] not in row[2]]


@pytest.mark.parametrize("language", WORDED)
def test_another_sentence_is_not_read_as_the_same(language: str) -> None:
    rows = [row for row in steps("unfathomable", language) if row[1] in row[2]]
    for sentence, meant, _ in rows:
        others = [other for other, _, meanings in rows if other != sentence and meant in meanings]
        assert others == [], (sentence, others)


def patterns(language: str) -> Iterator[tuple[str, str]]:
    """Every pattern of the tables of a language and of the words of the packages."""
    tables = load_grammar(language).tables
    yield from ((f"frames.{key}", pattern) for key, pattern in tables["frames"].items())
    for key, row in tables["prepositions"].items():
        yield from ((f"prepositions.{key}", text) for text in ([row] if isinstance(row, str) else row.values()))
    for name in PACKAGES:
        lexicon = sayer(name, language).lexicon
        for key, verb in lexicon.verbs.items():
            yield from ((f"{name}.{key}", text) for text in (verb.pattern, verb.worked_out, *verb.phrases.values()))
        for key, term in lexicon.terms.items():
            texts = (term.whose, term.whose_before, *term.set.values(), *term.get.values(), *term.is_.values())
            yield from ((f"{name}.{key}", text) for text in texts)
        yield from ((f"{name}.slots.{key}", text) for key, text in lexicon.slots.items())


@pytest.mark.parametrize("language", WORDED)
def test_wordings_are_patterns_and_nothing_else(language: str) -> None:
    """Text with slots; a slot asks for a case, a mood, a case and a number, or has the words that agree with it."""
    grammar = load_grammar(language)
    cases = {*grammar.cases, "acc"}
    asked = {"", "ind", "low", *MOODS, *cases, *(f"{case}.{number}" for case in cases for number in NUMBERS)}
    slot = re.compile(r"\{[\w-]+(?::([\w.]+)|\?[^{}|]*(?:\|[^{}|]*){1,3}|#[^{}|]*(?:\|[^{}|]*){1,2})?\}")
    count = 0
    for key, pattern in patterns(language):
        count += 1
        assert isinstance(pattern, str), key
        assert not re.search(r"[{}]", slot.sub("", pattern)), (key, pattern)
        assert pattern.count("[") == pattern.count("]"), (key, pattern)
        assert {found[1] or "" for found in slot.finditer(pattern)} <= asked, (key, pattern)
    assert count > 500
