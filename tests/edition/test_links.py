"""What a book refers to is there: links of pages and of print, related entries, the index; what is found is what is
said."""

from __future__ import annotations

import posixpath
import re
from collections import Counter

import pytest

from grimoire.compiler.localisation.edition.book import load_tables
from grimoire.compiler.localisation.edition.book_content import list_references
from grimoire.compiler.localisation.edition.links import Searcher, Subject, find_related, find_shared_marks
from grimoire.compiler.localisation.edition.print import make_print
from grimoire.compiler.localisation.edition.site import make_site
from grimoire.runtime.core.reading import read_artefact

from .conftest import compiled, volume

LANGUAGES = ["uk", "ru", "en"]
_LINK = re.compile(r"(?<!\\)\]\(([^)#]*)(?:#([\w-]+))?\)")
_ANCHOR = re.compile(r"\{: #([\w-]+)")


@pytest.mark.parametrize("language", LANGUAGES)
def test_links_of_pages_lead_somewhere(language: str) -> None:
    files = make_site(volume(language))
    pages = {name.removeprefix("docs/"): text for name, text in files.items() if name.endswith(".md")}
    count = 0
    for name, text in pages.items():
        for file, anchor in _LINK.findall(text):
            to = posixpath.normpath(posixpath.join(posixpath.dirname(name), file)) if file else name
            assert to in pages, (name, file)
            assert not anchor or anchor in _ANCHOR.findall(pages[to]), (name, file, anchor)
            count += 1
    assert count > 1500


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_clause_has_one_anchor(language: str) -> None:
    files = make_site(volume(language))
    for entry in volume(language).book.all():
        anchors = _ANCHOR.findall(files[f"docs/entries/{entry.id}.md"])
        keys = [(line.id.rpartition(".")[2], line.head) for line in entry.lines]
        wanted = [name for key, head in keys for name in ([f"h{key}", f"c{key}"] if head else [f"c{key}"])]
        assert anchors == ["top", *wanted]


@pytest.mark.parametrize("language", LANGUAGES)
def test_links_of_print_lead_somewhere(language: str) -> None:
    source = make_print(volume(language))
    labels = Counter(re.findall(r'^#(?:entry|clause)\(.*?"([ec]:[^"]+)"\)', source, re.MULTILINE))
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
        assert subject.entry or subject.clauses or subject.head
        assert subject.head is None or (subject.head in model.clauses and subject.head not in subject.clauses)
    assert {subject.entry for subject in links.subjects if subject.entry} == set(model.rules)
    heads = {line.id for line in book.lines() if line.head}
    assert len(heads) == 36
    assert {subject.head for subject in links.subjects if subject.head} == heads
    labels = [subject.label for subject in links.subjects]
    assert labels == sorted(labels, key=book.tables.key)
    assert len(labels) == len(set(labels))


def test_related_entries_are_those_of_the_ledger() -> None:
    """Both printed books have the same ones: 188 in 52 entries."""
    model = compiled().model
    assert model is not None
    printed = [rule for id_, rule in model.rules.items() if id_ not in ("golden-rules", "first-game")]
    given = {rule.id: set(rule.see) for rule in printed if rule.see is not None}
    assert sum(map(len, given.values())) == 188
    for language in LANGUAGES:
        book, links, *_ = volume(language)
        order = [entry.id for entry in book.all()]
        assert {id_: set(links.see[id_]) for id_ in given} == given
        assert all(list(others) == sorted(others, key=order.index) for others in links.see.values())


@pytest.mark.parametrize("language", LANGUAGES)
def test_related_entries_are_found_where_the_ledger_has_none(language: str) -> None:
    """Of what an entry speaks and others seldom do, and what shares a mark with it; few, and never itself."""
    made = compiled()
    assert made.model is not None and made.artefact is not None
    book, links, *_ = volume(language)
    speaks: Counter[tuple[str, str]] = Counter()
    for subject in links.subjects:
        if subject.entry:
            speaks.update((clause.rpartition(".")[0], subject.entry) for clause in subject.clauses)
    see = find_related(book, speaks, find_shared_marks(made.model, read_artefact(made.artefact)))
    assert all(id_ not in others for id_, others in see.items())
    assert {"die", "target-number", "defeated"} <= set(see["attack"])
    assert "activation" in see["mythos-card"]  # `§activation.1a,mythos-card.24c`
    assert max(map(len, see.values())) <= 12
    given = {id_: set(rule.see) for id_, rule in made.model.rules.items() if rule.see is not None}
    hits = sum(len(given[id_] & set(see[id_])) for id_ in given)
    assert hits / sum(map(len, given.values())) > 0.55  # of those that an editor has chosen
    assert hits / sum(len(see[id_]) for id_ in given) > 0.4


@pytest.mark.parametrize("language", LANGUAGES)
def test_cards_and_rules_lead_to_each_other(language: str) -> None:
    files = make_site(volume(language))
    assert "(../entries/die.md#c2c)" in files["docs/cards/item.md"]
    assert "(../cards/item.md#almanac)" in files["docs/entries/die.md"]
    assert "(../cards/skill-card.md)" in files["docs/entries/skill-card.md"]
    assert "(../entries/skill-card.md)" in files["docs/cards/skill-card.md"]
    assert "(../entries/attack.md)" in files["docs/cards/item.md"]  # what the text of a card speaks of


def test_numbers_that_follow_one_another_are_a_range() -> None:
    book = volume("uk")
    lines = [line.id for entry in book.book.all() if entry.id == "attack" for line in entry.lines]
    at = lines.index("attack.4")
    subject = Subject("x", None, (*lines[at : at + 3], lines[at + 5], lines[at + 6], "die.1"))
    shown = [(ref.number, ref.clause) for ref in list_references(book, subject)]
    assert shown == [
        ("2.4\u20132.4b", "attack.4"),
        ("2.5a", "attack.5a"),
        ("2.5b", "attack.5b"),
        ("26.1", "die.1"),
    ]
    many = Subject("x", None, tuple(line.id for line in book.book.lines())[::2])
    assert [ref.number for ref in list_references(book, many)][:3] == ["1", "2", "4"]


def test_a_quotation_is_linked_whole() -> None:
    assert found("uk", {"a": "Властивості «Дія»"}, "Це властивість «Дія».") == [("властивість «Дія»", "a")]


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
