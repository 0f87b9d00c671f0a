"""A pseudo-locale: every text of a package and of the tool stands in brackets. What is shown outside of them bypasses
the locale files."""

from __future__ import annotations

import io
import random
import re
from functools import cache
from typing import Any

import pytest

from grimoire.compiler.command.terminal import Terminal
from grimoire.compiler.diagnostics.report import Diagnostics
from grimoire.compiler.localisation.text import tool_words as tool_text
from grimoire.compiler.localisation.text.cards import CardText
from grimoire.compiler.localisation.text.inflect import Grammar, Term, Verb
from grimoire.compiler.localisation.text.lexicon import load_grammar, read_lexicon
from grimoire.compiler.localisation.text.patterns import Lexicon
from grimoire.runtime import Package, new_game
from grimoire.runtime.wording.own_words import OWN_WORDS
from tests.language.test_card_texts import compiled
from tests.packages import open_package

LANGUAGE = "en"
OPEN, CLOSE = "⟦", "⟧"
COMMANDS = ("help", "why", "view", "log", "undo", "save", "keep", "quit")  # what is typed is the same in all languages
_PLACE = re.compile(r"\{([^{}|?#]*)([|?#])?([^{}]*)\}")
_WORD = re.compile(r"[^\W\d_]{2,}")
# What can be typed: keys, offered or not, and their shapes; and the place in the content that is behind a reason.
_TYPED = re.compile(r"(?<![\w-])[a-z][\w.-]*(?::[\w<>@#.-]+)+|\([\w./-]+\.yaml:\d+(?::\d+)?\)|<\w+>")
_NOT_WORDS = frozenset(("language", "cases", "numerals", "adjectives", "euphony"))


def bracketed(text: str) -> str:
    """A text in brackets, its places left out of them; forms that a place picks are bracketed one by one."""
    parts: list[str] = []
    at = 0
    for place in _PLACE.finditer(text):
        parts += [words(text[at : place.start()])]
        forms = "|".join(words(form) for form in place[3].split("|"))
        parts += [f"{{{place[1]}{place[2]}{forms}}}" if place[2] else place[0]]
        at = place.end()
    return "".join([*parts, words(text[at:])])


def words(text: str) -> str:
    """Words stand in brackets; the square ones around what may be left out stay outside of them, and so does a colon:
    the name of an ability before it is shown alone, too."""
    if ": " in text:
        return ": ".join(words(part) for part in text.split(": "))
    return re.sub(
        r"[^\s\[\]][^\[\]]*", lambda found: f"{OPEN}{found[0]}{CLOSE}" if _WORD.search(found[0]) else found[0], text
    )


def whole(node: Any) -> Any:
    if isinstance(node, dict):
        return {key: whole(value) for key, value in node.items()}
    if isinstance(node, list):
        return [whole(value) for value in node]
    return bracketed(node) if isinstance(node, str) else node


def untyped(text: str, typed: re.Pattern[str] | None) -> str:
    """A text without what stands in brackets, and without what can be typed; of a name that a map cuts off the end is
    missing."""
    text = re.sub(rf"{OPEN}([^{OPEN}{CLOSE}\n]+)…", rf"{OPEN}\1{CLOSE}", text)
    while True:
        shorter = re.sub(rf"{OPEN}[^{OPEN}{CLOSE}]*{CLOSE}", " ", text)
        if shorter == text:
            break
        text = shorter
    text = _TYPED.sub(" ", text)
    return text if typed is None else typed.sub(" ", text)


def any_of(given: set[str]) -> re.Pattern[str]:
    return re.compile(
        rf"(?<![\w-])(?:{'|'.join(re.escape(word) for word in sorted(given, key=len, reverse=True))})(?![\w-])"
    )


@cache
def pseudo(name: str) -> Package:
    package = open_package(name)  # which other tests share
    text = {LANGUAGE: whole(package.document["text"][LANGUAGE])}
    return Package({**package.document, "text": text}, package.artefact)


def menu_entries(node: Any) -> set[str]:
    """The first words of all keys."""
    if isinstance(node, dict):
        own = {str(row["id"]) for row in node.get("entries", ()) if isinstance(row, dict) and "id" in row}
        return own.union(*(menu_entries(part) for part in node.values()))
    return set().union(*(menu_entries(part) for part in node)) if isinstance(node, list) else set()


class Answers(io.StringIO):
    """Somebody who chooses at random, and asks for everything that can be shown."""

    def __init__(self, terminal: list[Terminal], seed: int, most: int) -> None:
        super().__init__()
        self.terminal, self.chance, self.most = terminal, random.Random(seed), most
        self.keys: set[str] = set()
        self.given: list[str] = []

    def readline(self, *_: Any) -> str:
        self.given.append(self.answer())
        return f"{self.given[-1]}\n"

    def answer(self) -> str:
        decision = self.terminal[0].game.decision
        assert decision is not None
        self.keys.update(decision.keys)
        if len(self.given) > self.most:
            return "quit"
        if len(self.given) % 5 == 4:
            document = self.terminal[0].game.package.document
            key = self.chance.choice([row["label"] for row in document["abilities"]] + sorted(self.keys))
            return self.chance.choice((*COMMANDS[:5], f"why {key}", f"why {key}", "view 1", "zzz", "999"))
        return str(self.chance.randrange(len(decision.keys)) + 1)


def played(
    name: str, package: Package, players: int, seed: int, most: int, language: str, capsys: Any, monkeypatch: Any
) -> str:
    """What is shown in a game, without what can be typed."""
    game = new_game(package, players, seed)
    holder: list[Terminal] = []
    answers = Answers(holder, seed, most)
    monkeypatch.setattr("sys.stdin", answers)
    capsys.readouterr()
    holder.append(Terminal(game, list(range(players)), "random", language, 2000))
    holder[0].run()
    text: str = capsys.readouterr().out
    assert len(answers.given) >= 5
    allowed = {*answers.given, *(given.removeprefix("why ") for given in answers.given), *answers.keys, *COMMANDS}
    allowed |= menu_entries(package.document["procs"])
    typed = any_of(allowed)
    return "\n".join(untyped(row, typed) for row in text.splitlines())


@pytest.mark.parametrize(
    ("name", "players", "seed", "most"),
    [
        ("love-letter", 2, 1, 200),
        ("tic-tac-toe", 2, 1, 60),
        ("leduc", 2, 2, 60),
        ("unfathomable", 4, 7, 110),
        ("abyss", 2, 3, 120),
    ],
)
def test_play_shows_only_texts_of_the_locale_files(
    name: str, players: int, seed: int, most: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(tool_text.TOOL_TEXT, LANGUAGE, whole(tool_text.TOOL_TEXT[LANGUAGE]))
    monkeypatch.setitem(OWN_WORDS, LANGUAGE, whole(OWN_WORDS[LANGUAGE]))
    shown = played(name, pseudo(name), players, seed, most, LANGUAGE, capsys, monkeypatch)
    assert [row for row in shown.splitlines() if _WORD.search(row)] == []


@pytest.mark.parametrize(("name", "players", "told"), [("unfathomable", 3, 150), ("love-letter", 2, 0)])
def test_view_of_every_card_shows_only_texts_of_the_locale_files(
    name: str, players: int, told: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is asked for is the id of a card; its flavour is among what is shown."""
    monkeypatch.setitem(tool_text.TOOL_TEXT, LANGUAGE, whole(tool_text.TOOL_TEXT[LANGUAGE]))
    monkeypatch.setitem(OWN_WORDS, LANGUAGE, whole(OWN_WORDS[LANGUAGE]))
    package = pseudo(name)
    asked = [f"view {row['id'].replace('-', ' ')}" for row in package.document["definitions"]]
    monkeypatch.setattr("sys.stdin", io.StringIO("\n".join([*asked, "quit\n"])))
    Terminal(new_game(package, players, 1), list(range(players)), "random", LANGUAGE, 2000).run()
    shown, typed = capsys.readouterr().out, any_of({*COMMANDS, *asked})
    flavour = package.document["text"][LANGUAGE].get("flavour", {})
    assert len(flavour) >= told and [id_ for id_, text in flavour.items() if text not in shown] == []
    assert [row for row in shown.splitlines() if _WORD.search(untyped(row, typed))] == []


@pytest.mark.parametrize("language", ["uk", "ru"])
@pytest.mark.parametrize(
    ("name", "players", "seed", "most"), [("unfathomable", 3, 11, 110), ("love-letter", 3, 2, 120)]
)
def test_play_has_no_word_of_another_alphabet(
    name: str,
    players: int,
    seed: int,
    most: int,
    language: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    package = open_package(name)
    shown = played(name, package, players, seed, most, language, capsys, monkeypatch)
    assert len(shown) > 2000
    assert [row for row in shown.splitlines() if re.search("[A-Za-z]{2,}", row)] == []


def test_texts_of_cards_have_only_words_of_the_locale_files() -> None:
    made, folders = compiled("unfathomable")
    assert made.model is not None
    lexicon = read_lexicon(folders, made.model, LANGUAGE, Diagnostics())
    assert lexicon is not None
    says = CardText(made.model, pseudo_grammar(), pseudo_lexicon(lexicon))
    shown = [(card.id, part.text) for card in says.cards() for part in says.paragraphs(card)]
    assert len(shown) > 300
    assert [(id_, text) for id_, text in shown if _WORD.search(untyped(text, None))] == []


def pseudo_grammar() -> Grammar:
    tables = load_grammar(LANGUAGE).tables
    return Grammar({key: value if key in _NOT_WORDS else whole(value) for key, value in tables.items()})


def pseudo_lexicon(lexicon: Lexicon) -> Lexicon:
    terms = {name: bracketed_term(term) for name, term in lexicon.terms.items()}
    verbs = {name: bracketed_verb(verb) for name, verb in lexicon.verbs.items()}
    into = {name: bracketed_verb(verb) for name, verb in lexicon.into.items()}
    printed = {
        kind: row._replace(patterns={value: bracketed(text) for value, text in row.patterns.items()})
        for kind, row in lexicon.printed.items()
    }
    return Lexicon(
        terms, verbs, whole(lexicon.adjectives), lexicon.plurals, lexicon.results, whole(lexicon.slots), into, printed
    )


def bracketed_term(term: Term) -> Term:
    forms = {number: tuple(whole(list(row))) for number, row in term.forms.items()}
    tail = tuple(whole(list(term.tail)))
    return term._replace(
        forms=forms, at=bracketed(term.at), adjectives=tuple(whole(list(term.adjectives))), tail=(tail[0], tail[1]),
        whose=bracketed(term.whose), whose_before=bracketed(term.whose_before), set=whole(dict(term.set)), is_=whole(dict(term.is_)),
        get=whole(dict(term.get)),
    )  # fmt: skip


def bracketed_verb(verb: Verb) -> Verb:
    forms, phrases = whole(dict(verb.forms)), whole(dict(verb.phrases))
    rest = {"worked_out": bracketed(verb.worked_out), "alone": bracketed(verb.alone)}
    return verb._replace(forms=forms, pattern=bracketed(verb.pattern), phrases=phrases, **rest)
