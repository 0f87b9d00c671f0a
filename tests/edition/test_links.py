"""What a book refers to is there: links of pages and of print, related entries, the index; what is found is what is said."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from grimoire.compiler.edition import load_tables
from grimoire.compiler.edition_links import Searcher
from grimoire.compiler.edition_print import make_print
from grimoire.compiler.edition_site import make_site

from .conftest import compiled, volume

LANGUAGES = ["uk", "ru", "en"]
_LINK = re.compile(r"(?<!\\)\]\(([^)#]+)(?:#([\w-]+))?\)")
_ANCHOR = re.compile(r"\{: #([\w-]+)")


@pytest.mark.parametrize("language", LANGUAGES)
def test_links_of_pages_lead_somewhere(language: str) -> None:
    files = make_site(volume(language))
    pages = {name.removeprefix("docs/"): text for name, text in files.items() if name.endswith(".md")}
    count = 0
    for name, text in pages.items():
        folder = name.rpartition("/")[0]
        for file, anchor in _LINK.findall(text):
            to = file if not folder else f"{folder}/{file}"
            assert to in pages, (name, file)
            assert not anchor or anchor in _ANCHOR.findall(pages[to]), (name, file, anchor)
            count += 1
    assert count > 1500


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_clause_has_one_anchor(language: str) -> None:
    files = make_site(volume(language))
    for entry in volume(language).book.all():
        anchors = _ANCHOR.findall(files[f"docs/entries/{entry.id}.md"])
        assert anchors == [f"c{line.id.rpartition('.')[2]}" for line in entry.lines]


@pytest.mark.parametrize("language", LANGUAGES)
def test_links_of_print_lead_somewhere(language: str) -> None:
    source = make_print(volume(language))
    labels = Counter(re.findall(r"\] <([ec]:[^>]+)>$", source, re.MULTILINE))
    assert set(labels.values()) == {1}
    assert len([label for label in labels if label.startswith("c:")]) == len(volume(language).book.lines())
    assert set(re.findall(r"#link\(<([^>]+)>", source)) <= set(labels)


@pytest.mark.parametrize("language", LANGUAGES)
def test_index(language: str) -> None:
    book, links, *_ = volume(language)
    model = compiled().model
    assert model is not None
    for subject in links.subjects:
        assert set(subject.clauses) <= set(model.clauses)
        assert subject.entry is None or subject.entry in model.rules
        assert subject.entry not in {clause.rpartition(".")[0] for clause in subject.clauses}
        assert subject.entry or subject.clauses
    assert {subject.entry for subject in links.subjects if subject.entry} == set(model.rules)
    labels = [subject.label for subject in links.subjects]
    assert labels == sorted(labels, key=book.tables.key)
    assert len(labels) == len(set(labels))


@pytest.mark.parametrize("language", LANGUAGES)
def test_related_entries(language: str) -> None:
    """Of what an entry speaks, and what shares a mark with it; never itself."""
    see = volume(language).links.see
    assert all(id_ not in others for id_, others in see.items())
    assert {"die", "target-number", "defeated"} <= set(see["attack"])
    assert "activation" in see["mythos-card"]  # `§activation.1a,mythos-card.24c`
    assert "mythos-card" in see["activation"]
    assert not [id_ for id_, others in see.items() if "player" in others and id_ != "character"]


@pytest.mark.parametrize(
    ("language", "clause", "entry"),
    [
        ("uk", "activation.0", "monster"),  # Монстрів
        ("uk", "attack.1a", "action"),
        ("ru", "activation.0", "monster"),
        ("ru", "skill-test.1", "supporting-skill"),
        ("en", "skill-test.1", "supporting-skill"),
    ],
)
def test_mentions(language: str, clause: str, entry: str) -> None:
    index = {subject.entry: subject.clauses for subject in volume(language).links.subjects}
    assert clause in index[entry]


@pytest.mark.parametrize("language", LANGUAGES)
def test_places_of_mentions(language: str) -> None:
    book, links, *_ = volume(language)
    texts = {line.id: line.text for line in book.lines()}
    for clause, mentions in links.mentions.items():
        ends = 0
        for mention in mentions:
            assert ends <= mention.start < mention.end <= len(texts[clause])
            word = texts[clause][mention.start : mention.end]
            assert word == word.strip() and word[0].isalpha()
            ends = mention.end


def found(language: str, titles: dict[str, str], text: str) -> list[tuple[str, str]]:
    searcher = Searcher(load_tables()[language])
    for subject, title in titles.items():
        searcher.add_title(title, subject)
    return [(text[hit.start : hit.end], hit.entry) for hit in searcher.find(text)]


def test_the_longest_title_is_meant() -> None:
    titles = {"traitor": "Зрадники", "open": "Відкриті зрадники", "skill": "Уміння"}
    text = "Відкритого зрадника. Зрадниця й зрадник мають карту вмінь."
    assert found("uk", titles, text) == [("Відкритого зрадника", "open"), ("зрадник", "traitor"), ("вмінь", "skill")]


def test_titles_end_where_sentences_do() -> None:
    titles = {"track": "Трек ритуала", "ritual": "Ритуал"}
    assert found("ru", titles, "Это трек. Ритуала нет.") == [("Ритуала", "ritual")]
    assert found("ru", titles, "На треке ритуала.") == [("треке ритуала", "track")]


def test_english_articles_do_not_matter() -> None:
    titles = {"deep": "The Pool", "one": "Pool Car"}
    assert found("en", titles, "From the pool each of the pool cars") == [("pool", "deep"), ("pool cars", "one")]
    assert found("en", {"a": "Abilities"}, "An ability, a sale") == [("ability", "a")]
