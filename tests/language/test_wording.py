"""Texts made from effects: every construct can be said in every language, forms agree, what differs is said
differently."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, given, settings

from grimoire.compiler.diagnostics.report import Diagnostics
from grimoire.compiler.localisation.languages import WORDED
from grimoire.compiler.localisation.text.cards import CardText
from grimoire.compiler.localisation.text.inflect import Features, Term, Verb, plural_category
from grimoire.compiler.localisation.text.lexicon import Reader, load_grammar
from grimoire.compiler.localisation.text.patterns import Lexicon
from grimoire.compiler.localisation.text.sentences import Sayer
from grimoire.compiler.syntax.parse import parse
from tests.language.test_round_trip import fragments
from tests.packages import CONTENT

PROJECT = CONTENT.parent


class Everything(Mapping[str, Any]):
    """A row for every word that is asked for."""

    def __init__(self, make: Any, known: Mapping[str, Any]) -> None:
        self.make = make
        self.known = known

    def __getitem__(self, name: str) -> Any:
        return self.known[name] if name in self.known else self.make(name)

    def __contains__(self, name: object) -> bool:
        return True

    def __iter__(self) -> Iterator[str]:
        return iter(self.known)

    def __len__(self) -> int:
        return len(self.known)


MOODS = ("imp", "inf", "sg", "pl", "you", "past", "done")


def any_words(language: str) -> Lexicon:
    """A lexicon that has a word for everything: what is missing then is missing in the tables of the language."""
    reader = Reader(language, Diagnostics())
    terms = Everything(lambda name: Term({"sg": (name,), "pl": (f"{name}S",)}), reader.terms)
    verbs = Everything(lambda name: Verb({mood: f"{name}.{mood}" for mood in MOODS}), reader.verbs)
    return Lexicon(terms, verbs, Everything(lambda name: name, {}), {})


def texts_of_the_reference() -> list[str]:
    page = yaml.safe_load((PROJECT / "docs/reference/constructs.yaml").read_text(encoding="utf-8"))
    return [row["example"] for section in page["sections"] for row in section["constructs"] if "example" in row]


@pytest.mark.parametrize("language", WORDED)
def test_every_construct_can_be_said(language: str) -> None:
    missing: set[tuple[str, str]] = set()
    count = 0
    for example in texts_of_the_reference():
        try:
            node = parse(example, "effect")
        except Exception:
            continue
        sayer = Sayer(load_grammar(language), any_words(language), "card")
        text = sayer.text(node.statements)
        assert text.endswith((".", ":")) and "<" not in text, (example, text)
        missing |= sayer.missing
        count += 1
    assert count > 60
    assert missing == set()


def said(sayer: Sayer, start: str, node: Any) -> str:
    if start == "effect":
        return sayer.text(node.statements)
    if start == "trigger":
        return sayer.say_window(node)
    if start == "condition":
        return sayer.say_condition(node)
    if start == "amount":
        return sayer.amount(node).say("nom")
    if start == "selector":
        return sayer.full(node).say("nom")
    return sayer.say_limit(node)


@settings(max_examples=150, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(fragments())
def test_a_random_sentence_can_be_said(fragment: tuple[str, str]) -> None:
    start, text = fragment
    node = parse(text, start)
    for language in WORDED:
        sayer = Sayer(load_grammar(language), any_words(language), "card")
        assert said(sayer, start, node)
        assert sayer.missing == set(), (language, text)


@pytest.mark.parametrize(
    ("language", "number", "form"),
    [
        ("uk", 1, "one"),
        ("uk", 3, "few"),
        ("uk", 5, "many"),
        ("uk", 21, "one"),
        ("uk", 12, "many"),
        ("ru", 22, "few"),
        ("en", 1, "one"),
        ("en", 2, "other"),
    ],
)
def test_the_category_of_a_number(language: str, number: int, form: str) -> None:
    assert plural_category(language, number) == form


PASSENGER = {
    "uk": "пасажир пасажира пасажирові пасажира пасажиром пасажирі / пасажири пасажирів пасажирам пасажирів "
    "пасажирами пасажирах",
    "ru": "пассажир пассажира пассажиру пассажира пассажиром пассажире / пассажиры пассажиров пассажирам пассажиров "
    "пассажирами пассажирах",
}


@pytest.mark.parametrize(
    ("language", "number", "case", "word"),
    [
        ("uk", 1, "nom", "пасажир"),
        ("uk", 2, "nom", "пасажири"),
        ("uk", 2, "acc", "пасажирів"),
        ("uk", 5, "nom", "пасажирів"),
        ("uk", 2, "ins", "пасажирами"),
        ("uk", 1, "ins", "пасажиром"),
        ("ru", 2, "nom", "пассажира"),
        ("ru", 2, "acc", "пассажиров"),
        ("ru", 5, "nom", "пассажиров"),
        ("ru", 21, "acc", "пассажира"),
    ],
)
def test_a_noun_behind_a_number(language: str, number: int, case: str, word: str) -> None:
    term = Reader.read_term({"forms": PASSENGER[language], "animate": "true"})
    assert load_grammar(language).inflect_counted(term, number, case)[0] == word


@pytest.mark.parametrize(
    ("number", "case", "words"),
    [
        (1, "acc", "водную область"),
        (2, "acc", "водные области"),
        (4, "nom", "водные области"),
        (5, "nom", "водных областей"),
        (22, "acc", "водные области"),
        (2, "ins", "водными областями"),
    ],
)
def test_an_adjective_behind_a_number_has_the_gender_of_its_noun(number: int, case: str, words: str) -> None:
    forms = "область области области область областью области / области областей областям области областями областях"
    term = Reader.read_term({"forms": forms, "gender": "f", "with": "водный"})
    assert load_grammar("ru").inflect_counted(term, number, case)[0] == words


@pytest.mark.parametrize(
    ("language", "word", "case", "features", "form"),
    [
        ("uk", "внутрішній", "acc", Features("f"), "внутрішню"),
        ("uk", "внутрішній", "loc", Features("f"), "внутрішній"),
        ("uk", "ворожий", "acc", Features("m", "sg", True), "ворожого"),
        ("uk", "ворожий", "acc", Features("m"), "ворожий"),
        ("uk", "ворожий", "gen", Features("m", "pl"), "ворожих"),
        ("ru", "внутренний", "acc", Features("f"), "внутреннюю"),
        ("ru", "вражеский", "gen", Features("m", "pl"), "вражеских"),
        ("ru", "ближайший", "acc", Features("f"), "ближайшую"),
        ("ru", "защищающийся", "gen", Features("m", "sg", True), "защищающегося"),
        ("ru", "водный", "loc", Features("f"), "водной"),
    ],
)
def test_an_adjective_agrees(language: str, word: str, case: str, features: Features, form: str) -> None:
    assert load_grammar(language).adjective(word, case, features) == form


def test_the_text_of_a_slot_can_begin_with_a_small_letter() -> None:
    from tests.language.test_card_texts import compiled, sayer

    says = sayer("unfathomable", "uk")
    made, _ = compiled("unfathomable")
    assert made.model is not None
    card = made.model.definitions["hull-leak"]
    other = CardText(made.model, says.grammar, says.lexicon._replace(slots={"fail": "Провал: {body:low}"}))
    assert [part.text for part in says.paragraphs(card)] == ["Провал: Пошкодьте корабель."]
    assert [part.text for part in other.paragraphs(card)] == ["Провал: пошкодьте корабель."]
