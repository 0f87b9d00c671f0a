"""Charter 5: nothing in a file is silently ignored."""

from __future__ import annotations

import random
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from grimoire.compiler import Diagnostic, check
from grimoire.compiler.api.scenarios import load_scenarios
from tests.charter.kit import CONTENT, NAMES, tiny

JUNK = "zzjunk"
PLACES = 30  # for each package


def places(text: str) -> Iterator[int]:
    """The lines of a YAML file in front of which one more key of the same mapping can stand."""
    block = -1
    for number, line in enumerate(text.split("\n")):
        indent = len(line) - len(line.lstrip())
        if block >= 0 and (not line.strip() or indent > block):
            continue  # inside a text of several lines
        block = -1
        found = re.match(r"( *)(?:- )?[^\s#'\"{\[-][^#'\"{\[]*:(.*)", line)
        if found is None:
            continue
        if re.search(r"[|>][+-]?\s*$", found[2]):
            block = indent
        if re.match(r" *[^\s-]", line):
            yield number


def junk(text: str, number: int, value: str) -> str:
    """One more key in front of a line."""
    lines = text.split("\n")
    indent = re.match(" *", lines[number])
    assert indent is not None
    lines.insert(number, f"{indent[0]}{JUNK}: {value}")
    return "\n".join(lines)


def said(root: Path) -> list[Diagnostic]:
    """Everything that the checks of a package say, its scenarios included."""
    loaded = load_scenarios(root, [])
    return [*check([root]), *loaded.problems, *(item for scenario in loaded.scenarios for item in scenario.problems)]


def silent(name: str, folder: Path, number: int, seed: int) -> list[str]:
    """Junk keys at random places of a package that nobody reports."""
    root = folder / name
    shutil.copytree(CONTENT / name, root)
    rng = random.Random(f"{seed} {name}")
    every = [
        (path, text, line)
        for path in sorted(root.rglob("*.yaml"))
        for text in [path.read_text(encoding="utf-8")]
        for line in places(text)
    ]
    assert len(every) > 30
    found = []
    for path, text, line in rng.sample(every, min(number, len(every))):
        value = rng.choice(["1", "true", "word", "[1]", "{a: b}", "''"])
        path.write_text(junk(text, line, value), encoding="utf-8")
        items = said(root) if path.parent.name == "scenarios" else check([root])
        if not any(
            item.span.file.endswith(path.name) and (item.span.line == line + 1 or JUNK in item.message)
            for item in items
        ):
            where = path.relative_to(root).as_posix()
            found.append(
                f"{name}/{where}:{line + 1}: {JUNK}: {value} before {text.split(chr(10))[line].strip()!r}: "
                f"{[i.message for i in items][:2]}"
            )
        path.write_text(text, encoding="utf-8")
    return found


@pytest.mark.parametrize("name", NAMES)
def test_a_junk_key_anywhere_is_reported(tmp_path: Path, name: str) -> None:
    found = silent(name, tmp_path, PLACES, seed=1)
    assert not found, "\n".join(found)


def test_packages_as_they_stand_say_nothing() -> None:
    """What the other tests here find is new, not noise."""
    for name in NAMES:
        assert [item for item in check([CONTENT / name]) if item.severity == "error"] == []


def test_places_are_keys_of_mappings() -> None:
    text = "a: 1\nb:\n  c: |\n    d: not a key\n    e\n  f: [x]\ng:\n  - h: 1\n    i: 2\n# j: 1\n"
    assert list(places(text)) == [0, 1, 2, 5, 6, 8]
    assert junk(text, 2, "1").split("\n")[2] == f"  {JUNK}: 1"


HEAD = "counters: {tide: number}\noutcomes: [finish]\nverbs:\n  rise: {done: risen, body: the tide is now tide + 1}\n"
IGNORED = {
    "a name that nothing reads": (
        "procedures:\n  game: |\n    choose a player as friend\n    rise\n    end the game with finish\n",
        "friend",
        7,
    ),
    "what stands behind the end": (
        "procedures:\n  game: |\n    end the game with finish\n    rise\n",
        "never reached",
        8,
    ),
    "a condition that always holds": (
        "procedures:\n  game: |\n    if 1 = 1, rise\n    end the game with finish\n",
        "always",
        7,
    ),
    "a verb that nobody uses": ("procedures:\n  game: end the game with finish\n", "rise", 4),
    "a procedure that nobody takes": (
        "procedures:\n  game: |\n    rise\n    end the game with finish\n  day: rise\n",
        "day",
        9,
    ),
    "an otherwise without an if": (
        "procedures:\n  game: |\n    rise\n    otherwise, rise\n    end the game with finish\n",
        "otherwise",
        8,
    ),
    "an outcome that nothing leads to": (
        "procedures:\n  game: |\n    rise\n    end the game with finish\noutcomes-2: [x]\n",
        "outcomes-2",
        9,
    ),
}


@pytest.mark.parametrize("case", IGNORED)
def test_what_would_be_ignored_is_reported(tmp_path: Path, case: str) -> None:
    text, word, line = IGNORED[case]
    found = [(item.span.line, f"{item.message} {item.hint}") for item in check([tiny(tmp_path, HEAD + text)])]
    assert any(at == line and word in message for at, message in found), found


def test_an_outcome_that_nothing_leads_to_is_reported(tmp_path: Path) -> None:
    text = (
        HEAD.replace("[finish]", "[finish, triumph]")
        + "procedures:\n  game: |\n    rise\n    end the game with finish\n"
    )
    assert any("triumph" in item.message for item in check([tiny(tmp_path, text)]))


def test_a_state_that_is_only_written_is_reported(tmp_path: Path) -> None:
    text = (
        "kinds: {player: {states: {fame: number}}}\n"
        + HEAD
        + "procedures:\n  game: |\n    rise\n    end the game with finish\n"
    )
    assert any("fame" in item.message for item in check([tiny(tmp_path, text)]))
