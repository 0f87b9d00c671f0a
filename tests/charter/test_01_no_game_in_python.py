"""Charter 1: compiler/, runtime/ and grammar/ contain no noun of any game."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.charter.kit import CONTENT, ROOT, words
from tests.packages import LARGE
from tests.sources import source_files

SECTIONS = [
    "kinds", "values", "things", "boards", "zones", "counters", "cards", "tokens", "figures", "sheets", "verbs",
    "procedures", "abilities", "outcomes", "options",
]  # fmt: skip
PARTS = ["fields", "states", "adjectives", "values", "slots", "abilities", "takes", "settings", "spaces"]

# Words that are terms of a package and stand in the source all the same, because they mean something of their own
# there. A term of several words is looked for word by word: "letter" is excused, "love" is not.
GENERAL = {
    "what the language itself is about; docs/reference/packages.md declares them": """
        card board cell character column effect game grid line owner player round token turn""",
    "words of play that every game of cards shares; messages and examples of mistakes use them": """
        deck hand draw drawn discard discarded play played shown spent gain gained win winner""",
    "words of programming, with their own meaning there": """
        action aside call called complete face fold folded four free goal guard letter mark marked match open out
        protected raise raised rank set settle settled size split upgrade upgrades""",
    "words that join words": "has in is of the this to up из этом цьому",
    "the same general words in the two other languages of the tool's own messages (tool_text.py)": """
        гравців игроков переможець победитель стіл стол""",
}
ALLOWED = {word for group in GENERAL.values() for word in group.split()}

# Ordinary words that a large game uses as terms of one word, and the source as words of programming or of its messages.
ORDINARY_WORDS = """
    act added advance again ahead bid bonu box breach build built cause common count covered damaged deal deep
    die distance echo edge even extra fail failed figure fitting follow gather give given go heading heeded
    held help high hush hushed item keep kept laid lay learn level lose lost low modifier need opening partial pas passed
    person place placed port push pushed reading refusal repair reset resolve resource revealed roll room
    score send sent shift strong shifted sort sorted sound space spare start steer step stripped symbol taken target
    title trouble used value water whose worth граве игр пос
    """
ORDINARY = set(ORDINARY_WORDS.split())
PHRASES = [
    "at the start",
    "fall back",
    "give to",
    "hand over",
    "number from",
    "number to",
    "pas on",
    "set up",
    "used up",
]

# Games that are to come: their nouns, looked for in every line of the source, comments included.
TO_COME = re.compile(
    r"deep[-_ ]?ones?\b|passenger|\bbrig\b|mythos|hydra|dagon|treachery|waypoint|grimoire[-_ ]keeper|keeper[-_ ]of"
    r"|chaos[-_ ]deck|unfathomable|\babyss\b|\bpearls?\b|\blords?\b|\bglow\b|arkham|investigator|\bdoom\b"
    r"|tic[-_]tac|connect[-_]four|leduc|love[-_]letter",
    re.IGNORECASE,
)


def sources() -> list[Path]:
    modules = [path for part in ("compiler", "runtime", "grammar") for path in source_files(part)]
    return sorted([*modules, *source_files("grammar", "*.lark")])


# --- terms of the content ---------------------------------------------------------------------------------------------


def terms_of(path: Path, content: Path) -> Iterator[str]:
    """The terms of one content file: ids, words of signatures, names in a language."""
    data: dict[str, Any] = yaml.safe_load(path.read_text(encoding="utf-8"))
    where = path.relative_to(content).parts
    if "scenarios" in where:
        return
    if path.name == "package.yaml":
        yield from (str(data["package"]), str(data.get("title", "")))
    elif "text" in where:
        yield str(data.get("title", ""))
        for section in ("names", "headings"):
            yield from (str(text) for text in (data.get(section) or {}).values())
    else:
        for section in SECTIONS:
            yield from declared(data.get(section))


def declared(section: Any) -> Iterator[str]:
    if isinstance(section, list):
        yield from map(str, section)
    elif isinstance(section, dict):
        for name, entry in section.items():
            yield str(name)
            if isinstance(entry, list):
                yield from map(str, entry)
            elif isinstance(entry, dict):
                yield from (str(key) for part in PARTS if isinstance(entry.get(part), dict) for key in entry[part])
                yield from (
                    re.sub(r"<[^>]*>", "", str(entry.get(part, ""))) for part in ("signature", "done", "plural")
                )


@cache
def terms(content: Path = CONTENT) -> dict[str, str]:
    """Every term of every package, with the file that it comes from."""
    found: dict[str, str] = {}
    for path in sorted(content.glob("*/**/*.yaml")):
        for term in terms_of(path, content):
            if term:
                found.setdefault(" ".join(words(term)), path.relative_to(content).as_posix())
    return found


def stem(word: str) -> str:
    """A word without what changes in the plural or, in Cyrillic, in most cases."""
    if re.match("[а-яіїєґё]", word):
        return word if len(word) < 4 else word[: max(3, len(word) - 2)]
    return word.removesuffix("s")


def forbidden(found: dict[str, str]) -> dict[str, str]:
    """The stems that must not stand in the source, with the term that each comes from.

    A large game has hundreds of terms, made of ordinary words: there a term is meant as a whole.
    """
    allowed = {stem(word) for word in ALLOWED}
    rows: dict[str, str] = {}
    for term, place in found.items():
        large = place.split("/")[0] in LARGE
        parts = term.split()
        excused = allowed | ORDINARY if large else allowed
        if large and len(parts) > 1:
            whole = " ".join(stem(word) for word in parts)
            rows.update({} if whole in PHRASES else {whole: f"{term} ({place})"})
            continue
        rows.update({stem(word): f"{term} ({place})" for word in parts if len(word) > 1 and stem(word) not in excused})
    return rows


# --- words of the source ----------------------------------------------------------------------------------------------


def said(path: Path) -> Iterator[tuple[int, list[str]]]:
    """Line and words of every identifier and every text in a source file."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".lark":
        for number, line in enumerate(text.split("\n"), 1):
            yield number, words(line.partition("//")[0])
        return
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.NAME:
            yield token.start[0], words(token.string)
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            for offset, line in enumerate(node.value.split("\n")):
                yield node.lineno + offset, words(line)


def hits(paths: list[Path], rows: dict[str, str]) -> list[str]:
    """Where forbidden words stand: file:line, word, and the term it belongs to."""
    longest = max((len(row.split()) for row in rows), default=1)
    return sorted(
        {
            f"{path.parent.name}/{path.name}:{line}: {word} <- {rows[word]}"
            for path in paths
            for line, row in said(path)
            for word in runs(row, longest)
            if word in rows
        }
    )


def runs(row: list[str], longest: int) -> Iterator[str]:
    """The stems of a row, and those of up to so many words that stand side by side."""
    stems = [stem(word) for word in row]
    for at in range(len(stems)):
        for size in range(1, min(longest, len(stems) - at) + 1):
            yield " ".join(stems[at : at + size])


# --- tests ------------------------------------------------------------------------------------------------------------


def test_no_term_of_a_package_stands_in_the_source() -> None:
    found = hits(sources(), forbidden(terms()))
    assert not found, "\n".join(found)


def test_no_noun_of_the_games_to_come_stands_in_the_source() -> None:
    found = [
        f"{path.parent.name}/{path.name}:{number}: {line.strip()}"
        for path in sources()
        for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1)
        if TO_COME.search(line)
    ]
    assert not found, "\n".join(found)


def test_no_noun_of_a_game_stands_in_the_schema_of_artefacts() -> None:
    text = (ROOT / "grammar" / "artefact.schema.json").read_text(encoding="utf-8")
    assert not TO_COME.search(text)
    assert TO_COME.search("the Deep_Ones") and TO_COME.search("PEARL") and not TO_COME.search("glowing pearly lordship")


def test_every_word_of_the_list_is_a_term_of_some_package() -> None:
    """The list stays short: what no package says needs no excuse."""
    every = {stem(word) for term in terms() for word in term.split()}
    assert [word for word in sorted(ALLOWED) if stem(word) not in every] == []


@pytest.mark.parametrize(
    ("source", "line"),
    [
        ("def princess() -> None: ...\n", 1),
        ("x = 1\ncourt_card = 2\n", 2),
        ("class CountessRule: ...\n", 1),
        ("x = {\n    'kind': 'a baron',\n}\n", 2),
        ("x = f'the {1} of leduc'\n", 1),
        ('"""First line.\n\nA handmaid protects.\n"""\n', 3),
        ("x = 'Графині'\n", 1),
        ("x = 'Tic-tac-toe'\n", 1),
        ("x.betting = 1\n", 1),
    ],
)
def test_a_planted_noun_is_found(tmp_path: Path, source: str, line: int) -> None:
    path = tmp_path / "planted.py"
    path.write_text(source, encoding="utf-8")
    found = hits([path], forbidden(terms()))
    assert found and all(f"planted.py:{line}:" in text for text in found)


def test_a_planted_noun_is_found_in_a_grammar(tmp_path: Path) -> None:
    path = tmp_path / "planted.lark"
    path.write_text('// the king of a comment\nstart: "a"\nKING: "king"\n', encoding="utf-8")
    assert [text.partition(" <-")[0].rpartition("/")[2] for text in hits([path], forbidden(terms()))] == [
        "planted.lark:3: king"
    ]


def test_a_new_package_brings_its_own_nouns(tmp_path: Path) -> None:
    (tmp_path / "zoo" / "text").mkdir(parents=True)
    (tmp_path / "zoo" / "package.yaml").write_text("package: zoo\n", encoding="utf-8")
    (tmp_path / "zoo" / "a.yaml").write_text("cards:\n  old-badger: {kind: card}\n", encoding="utf-8")
    (tmp_path / "zoo" / "text" / "uk.yaml").write_text("names:\n  old-badger: Старий борсук\n", encoding="utf-8")
    rows = forbidden(terms(tmp_path))
    assert {"old", "badger", "zoo", "стар", "борс"} == set(rows)
