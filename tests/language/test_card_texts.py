"""The generated texts of all cards of content/: golden files in three languages; what differs is said differently.

python -m tests.language.test_card_texts    # write the golden files again; read the difference as an editor would
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from grimoire.compiler.declare.model import Definition
from grimoire.compiler.diagnostics.report import Diagnostics
from grimoire.compiler.localisation.languages import WORDED
from grimoire.compiler.localisation.text.cards import PRINTED, CardText, Paragraph, euphony_rules, find_needed_text
from grimoire.compiler.localisation.text.lexicon import load_grammar, read_lexicon
from grimoire.compiler.localisation.text.patterns import Printed
from grimoire.compiler.records import replace
from grimoire.compiler.resolve import resolve_paths
from grimoire.compiler.source.tree import Scalar
from grimoire.compiler.syntax.printer import print_node
from tests.language.effect_changes import changes
from tests.packages import FOLDERS, Compiled, compile_folder

MEAN_THE_SAME = ({"damage-ship\ndamage-ship", "pound"},)  # the one is the other's body
GOLDEN = Path(__file__).parent / "card-texts"
PACKAGES = [
    root.name
    for root in FOLDERS
    if any("\nterms:" in f"\n{path.read_text(encoding='utf-8')}" for path in root.rglob("text/**/*.yaml"))
]


@cache
def compiled(name: str) -> tuple[Compiled, list[Path]]:
    root, needs = resolve_paths([FOLDERS[0].parent / name], Diagnostics())[0]
    return compile_folder(root, needs), [*needs, root]


@cache
def sayer(name: str, language: str) -> CardText:
    made, folders = compiled(name)
    assert made.model is not None
    diags = Diagnostics()
    lexicon = read_lexicon(folders, made.model, language, diags)
    assert lexicon is not None and not len(diags), [item.message for item in diags]
    return CardText(made.model, load_grammar(language), lexicon)


def paragraphs(name: str, language: str) -> Iterator[tuple[Definition, Paragraph]]:
    says = sayer(name, language)
    for card in says.cards():
        if card.package != name:
            continue
        for paragraph in says.paragraphs(card):
            yield card, paragraph


def page(name: str, language: str) -> str:
    return "".join(f"{card.id}.{paragraph.part}: {paragraph.text}\n" for card, paragraph in paragraphs(name, language))


def test_the_cards_of_these_packages_are_worded() -> None:
    assert {"abyss", "love-letter", "unfathomable"} <= set(PACKAGES)


@pytest.mark.parametrize("language", WORDED)
@pytest.mark.parametrize("name", PACKAGES)
def test_only_what_is_shortened_is_said_otherwise_step_by_step(name: str, language: str) -> None:
    says = sayer(name, language)
    long = CardText(says.model, says.grammar, says.lexicon, brief=False)
    for card in says.cards():
        parts, steps = list(says.paragraphs(card)), list(long.paragraphs(card))
        assert [one.text for one in says.step_by_step(card, parts)] == [one.text for one in steps]
        for one, other in zip(parts, steps, strict=True):
            assert one.shortened == (one.text != other.text)
            assert not other.shortened


@pytest.mark.parametrize("language", WORDED)
def test_what_a_rule_needs_stands_wherever_it_is_found(language: str) -> None:
    pages = [path.read_text(encoding="utf-8") for path in sorted(GOLDEN.glob(f"*.{language}.txt"))]
    texts = [line for page in pages for line in page.split("\n")]
    rules = euphony_rules(load_grammar(language))
    assert sum(len(rule.needed) > 1 for rule in rules) > len(rules) / 2
    for rule in rules:
        assert all(rule.needed in text.casefold() for text in texts if rule.pattern.search(text))


@pytest.mark.parametrize(
    ("find", "needed"),
    [
        (r"\bone (?:two|three)\b", "one "),
        (r"a(?:bcd)?(Efg) hi", "efg hi"),
        (r"ab{2,3}c?def", "def"),
        (r"abc|d", ""),
        (r"(?<=xyz)ab[cd]+?e(?!f)", "ab"),
        (r"(ab(?: c)*d)", "ab"),
    ],
)
def test_what_a_rule_needs(find: str, needed: str) -> None:
    assert find_needed_text(find) == needed


@pytest.mark.parametrize("language", WORDED)
@pytest.mark.parametrize("name", PACKAGES)
def test_golden(name: str, language: str) -> None:
    assert page(name, language) == (GOLDEN / f"{name}.{language}.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("language", WORDED)
@pytest.mark.parametrize("name", PACKAGES)
def test_everything_has_words_and_clean_ends(name: str, language: str) -> None:
    for card, paragraph in paragraphs(name, language):
        text = paragraph.text
        assert not paragraph.missing, (card.id, paragraph.missing)
        assert text.endswith(".") and text[0] == text[0].upper(), (card.id, text)
        assert not re.search(r"[<>{}]|  | [,.;:]|,,|\.\.|,\.|\b(\w{2,}) \1\b", text), (card.id, text)
        if language != "en":
            assert not re.search(r"[A-Za-z]", text), (card.id, text)


def source(card: Definition, part: str) -> str:
    """All that a part of a card says, in canonical form."""
    if part == PRINTED:
        return repr(
            [card.kind, *((name, node.value) for name, node in card.values.items() if isinstance(node, Scalar))]
        )
    if part in card.programs:
        return print_node(card.programs[part].node)
    ability = card.abilities[part]
    texts = [ability.window, *ability.other_windows, ability.only, ability.limit, ability.do, ability.always]
    return repr([None if text is None else print_node(text.node) for text in texts])


@pytest.mark.parametrize("language", WORDED)
def test_different_effects_have_different_texts(language: str) -> None:
    said: dict[tuple[str, str], tuple[str, str]] = {}
    for name in PACKAGES:
        for card, paragraph in paragraphs(name, language):
            effect = re.sub(r"§\S+ | as [a-z][\w-]*", "", source(card, paragraph.part))
            slot = paragraph.part if paragraph.part in (PRINTED, *card.programs) else ""
            known = said.setdefault((slot, paragraph.text), (f"{card.id}.{paragraph.part}", effect))
            assert known[1] == effect or {known[1], effect} in MEAN_THE_SAME, (
                known,
                f"{card.id}.{paragraph.part}",
                effect,
                paragraph.text,
            )


def variants(card: Definition, word: str) -> Iterator[tuple[str, Definition]]:
    """The card with one thing changed in one of its texts."""
    for slot, text in card.programs.items():
        for what, node in changes(text.node, word, "reveal"):
            yield what, replace(card, programs={slot: replace(text, node=node)}, abilities={})
    for name, ability in card.abilities.items():
        for field in ("window", "only", "limit", "do", "always"):
            part = getattr(ability, field)
            for what, node in changes(part.node, word, "reveal") if part is not None else ():
                other = replace(ability, **{field: replace(part, node=node)})
                yield what, replace(card, programs={}, abilities={name: other})


@cache
def said_before(name: str, language: str, id_: str, programs: tuple[str, ...], abilities: tuple[str, ...]) -> list[str]:
    """What parts of a card say as it stands."""
    says = sayer(name, language)
    card = next(card for card in says.cards() if card.id == id_)
    return [part.text for part in says.paragraphs(same_part(card, programs, abilities))]


def same_part(card: Definition, programs: tuple[str, ...], abilities: tuple[str, ...]) -> Definition:
    """The card with some of its parts only."""
    return replace(
        card,
        programs={slot: card.programs[slot] for slot in programs},
        abilities={name: card.abilities[name] for name in abilities},
    )


@pytest.mark.parametrize("name", PACKAGES)
def test_a_changed_effect_has_another_text_in_every_language(name: str) -> None:
    """Every number, term, verb, may and must, test, limit, window, decider and order, one at a time, without
    exception."""
    cards = [card for card in sayer(name, WORDED[0]).cards() if card.package == name]
    known = [word for word in ("galley", "deck", "player") if word in sayer(name, WORDED[0]).lexicon.terms]
    tried = [(card, what, other) for card in cards for what, other in variants(card, known[0])]
    assert len(tried) > 50
    for card, what, other in tried:
        for language in WORDED:
            before = said_before(name, language, card.id, tuple(other.programs), tuple(other.abilities))
            now = [part.text for part in sayer(name, language).paragraphs(other)]
            assert before != now, (language, card.id, what, before)


@pytest.mark.parametrize("language", WORDED)
@pytest.mark.parametrize("kind", ["lord", "location"])
def test_every_card_says_what_is_printed_on_it(kind: str, language: str) -> None:
    made, _ = compiled("abyss")
    says = sayer("abyss", language)
    assert made.model is not None
    cards = [card for card in made.model.definitions.values() if card.kind == kind]
    assert len(cards) == {"lord": 35, "location": 20}[kind]
    for card in cards:
        row = says.row(card)
        assert row is not None
        text = says.line(card, row).text
        for name, node in card.values.items():
            if not isinstance(node, Scalar) or node.value == "0":
                continue
            flag = node.value in ("true", "false")
            number = node.value.removeprefix("-").isdigit()
            other = (
                {"true": "false", "false": "true"}[node.value] if flag else str(int(node.value) + 1) if number else ""
            )
            if other:
                changed = card.values | {name: node._replace(value=other)}
                assert says.line(replace(card, values=changed), row).text != text, (card.id, name)
            elif name != row.field:
                without = {key: value for key, value in card.values.items() if key != name}
                assert says.line(replace(card, values=without), row).text != text, (card.id, name)


def test_a_value_without_a_pattern_is_missed() -> None:
    made, _ = compiled("abyss")
    assert made.model is not None
    says = sayer("abyss", "en")
    row = says.row(made.model.definitions["jail"])
    assert row is not None
    fewer = Printed(row.field, {key: text for key, text in row.patterns.items() if key != "all-lords"})
    assert says.line(made.model.definitions["jail"], fewer).missing == {("line", "location.all-lords")}


def main() -> None:
    GOLDEN.mkdir(exist_ok=True)
    for name in PACKAGES:
        for language in WORDED:
            (GOLDEN / f"{name}.{language}.txt").write_text(page(name, language), encoding="utf-8")


if __name__ == "__main__":
    main()
