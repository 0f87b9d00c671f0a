"""Checking by command: what an earlier run kept gives what a new workspace gives, whatever changed in between."""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from grimoire.compiler.api import check as checking
from grimoire.compiler.api.check import check_folder, full
from grimoire.compiler.cache import Cache
from grimoire.compiler.diagnostics.report import Diagnostic, Diagnostics
from grimoire.compiler.workspace import content, declarations, sources
from grimoire.compiler.workspace.store import PackageStore
from grimoire.compiler.workspace.workspace import Workspace
from tests.workspace.edits import Editor, copy_package, write_cards

ROOT = Path(__file__).resolve().parents[2]


def sorted_(report: list[Diagnostic]) -> list[Diagnostic]:
    return Diagnostics(report).sorted()


@pytest.fixture
def package(tmp_path: Path) -> Path:
    return write_cards(tmp_path / "bench-cards", 2, 100)


@pytest.fixture
def game(tmp_path: Path) -> Path:
    return Path(shutil.copytree(ROOT / "content/love-letter", tmp_path / "love-letter"))


@pytest.fixture
def lowered(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The cards that are lowered, in order; `frame` for the rest."""
    names: list[str] = []
    real, real_frame = content.unit.compute, content.vocabulary.compute
    monkeypatch.setattr(content.unit, "compute", lambda db, key: names.append(key[1]) or real(db, key))
    monkeypatch.setattr(content.vocabulary, "compute", lambda db, key: names.append("frame") or real_frame(db, key))
    return names


def edit(path: Path, old: str, new: str, count: int = 1) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, count), encoding="utf-8")


# What is changed.
CHANGES = {
    "another effect": ("cards/cards-000.yaml", "gain", "lose"),
    "an unknown verb": ("cards/cards-000.yaml", "gain", "gian"),
    "a line more": ("cards/cards-000.yaml", "cards:\n", "cards:\n\n"),
    "another value": ("cards/cards-000.yaml", "price: ", "price: 1"),
    "a wrong value": ("cards/cards-000.yaml", "price: ", "price: x"),
    "a word that nothing used": ("cards/cards-000.yaml", "gain 4 coins", "shuffle the attic"),
    "a new name": ("cards/cards-000.yaml", "card-00001:", "card-zero:"),
    "a name twice": ("cards/cards-000.yaml", "card-00001:", "card-00000:"),
    "a name of another file": ("cards/cards-000.yaml", "card-00001:", "card-00150:"),
    "a name of a zone": ("cards/cards-000.yaml", "card-00001:", "pile:"),
    "another kind": ("cards/cards-000.yaml", "kind: trick", "kind: card"),
    "copies": ("cards/cards-000.yaml", "kind: trick", "kind: trick\n    copies: 3"),
    "an unknown key": ("cards/cards-000.yaml", "price:", "prize:"),
    "a slot less": ("cards/cards-000.yaml", "effect: |", "# effect: |"),
    "a verb renamed": ("game.yaml", "  gain:\n    signature: gain", "  win:\n    signature: win"),
    "a zone unused": ("game.yaml", "zones:\n", "zones:\n  garret: {holds: trick}\n"),
    "players": ("package.yaml", "players: 2", "players: 2-3"),
    "broken YAML": ("cards/cards-000.yaml", "cards:", "cards: ["),
    "a list for a file": ("cards/cards-000.yaml", "cards:", "- cards:"),
    "tokens": ("cards/cards-000.yaml", "cards:", "tokens:"),
    "a byte order mark": ("cards/cards-000.yaml", "cards:", "\ufeffcards:"),
    "a mark of a document": ("cards/cards-000.yaml", "cards:", "---\ncards:"),
    "a name that is a term too": ("game.yaml", "outcomes:", "terms: {card-00001: your coins}\noutcomes:"),
    "a card replaced": ("game.yaml", "outcomes:", "replaces: {card-00001: {price: 3}}\noutcomes:"),
    "another section": ("cards/cards-000.yaml", "cards:", "outcomes: [late]\ncards:"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_what_was_kept_changes_no_report(package: Path, tmp_path: Path, change: str) -> None:
    edit(package / "game.yaml", "zones:\n", "zones:\n  attic: {holds: trick}\n")
    cache = Cache(tmp_path / "cache")
    before = sorted_(check_folder(package, [], cache))
    assert [item.code for item in before] == ["G0704"]
    name, old, new = CHANGES[change]
    edit(package / name, old, new)
    expected = sorted_(full(package, []))
    assert sorted_(check_folder(package, [], cache)) == expected
    assert sorted_(check_folder(package, [], cache)) == expected, "the stored report"
    edit(package / name, new, old)
    assert sorted_(check_folder(package, [], cache)) == before, "back again"
    edit(package / "cards/cards-001.yaml", "gain", "lose")
    assert sorted_(check_folder(package, [], cache)) == before, "and on"


def test_a_changed_card_is_lowered_alone(package: Path, tmp_path: Path, lowered: list[str]) -> None:
    cache = Cache(tmp_path / "cache")
    check_folder(package, [], cache)
    assert lowered.count("frame") == 1 and len(lowered) > 200
    for old, new, problems in (("gain", "gian", 1), ("gian", "gaian", 1), ("gaian", "gain", 0)):
        lowered.clear()
        edit(package / "cards/cards-001.yaml", old, new)
        assert len(check_folder(package, [], cache)) == problems
        assert len(lowered) == 2 and "frame" in lowered
        lowered.clear()
        edit(package / "cards/cards-000.yaml", "cards:\n", "cards:\n\n")  # which moves all cards of the file
        assert len(check_folder(package, [], cache)) == problems
        assert lowered == []


def test_what_cards_say_alike_is_lowered_once(package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And told of each of them, if it is wrong."""
    path, looked = package / "cards/more.yaml", []
    real = content.card_unit.compute
    monkeypatch.setattr(content.card_unit, "compute", lambda db, key: looked.append(key[1]) or real(db, key))

    def write(effect: str, *prices: object) -> None:
        cards = [
            f"  more-{at}: {{kind: trick, price: {price}, in: deck, effect: {effect}}}\n"
            for at, price in enumerate(prices)
        ]
        path.write_text("cards:\n" + "".join(cards), encoding="utf-8")

    write("gain 77 coins", 1, 2, "x", 4)
    found = full(package, [])
    assert [(item.code, item.span.line) for item in found] == [("G0302", 4)]
    assert [name for name in looked if name.startswith("more")] == ["more-0"]
    write("gian 77 coins", 1, 2, 3)
    assert [(item.code, item.span.line) for item in full(package, [])] == [("G0502", 2), ("G0502", 3), ("G0502", 4)]
    path.write_text(
        "cards:\n  one: {kind: loud, price: 1, in: deck, effect: gain 77 coins}\n"
        "  two: {kind: loud, price: 1, in: deck, effect: gain 77 coins}\n",
        encoding="utf-8",
    )
    loud = "  loud: {is: trick, abilities: {cry: {window: after you play this, do: gain 1 coin}}}\n"
    edit(package / "game.yaml", "zones:\n", loud + "zones:\n")
    looked.clear()
    assert full(package, []) == [] and {"one", "two"} <= {*looked}, "abilities have names of their own"


def test_of_an_unchanged_file_of_cards_only_the_bytes_are_read(
    package: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache, read = Cache(tmp_path / "cache"), []
    real = sources.cut_file.compute
    monkeypatch.setattr(sources.cut_file, "compute", lambda db, path: read.append(Path(path).name) or real(db, path))
    check_folder(package, [], cache)
    assert sorted(read) == ["cards-000.yaml", "cards-001.yaml", "game.yaml", "package.yaml"]
    read.clear()
    edit(package / "cards/cards-001.yaml", "gain", "lose")
    check_folder(package, [], cache)
    assert sorted(read) == ["cards-001.yaml", "game.yaml", "package.yaml"]


@pytest.mark.parametrize(
    ("data", "is_so"),
    [
        (b"cards:\n  x: {kind: y}\n", True),
        (b"# words\n\n  # more\ntokens:\n  x: {}\ncards:\n\n  y: {}\n", True),
        (b"\r\n# words\r\ncards:\r\n  x: {}\r\n\r\ntokens:\r\n  y: {}\r\n", True),
        (b"cards:\n  x: {}\nkinds:\n  y: {}\n", False),
        (b"  cards:\n    x: {}\n  kinds:\n    y: {}\n", False),
        (b"{cards: {x: {}}, kinds: {}}\n", False),
        (b"cards:\n  x: {}\n'kinds':\n  y: {}\n", False),
        (b"cards:\n  x: {}\n? kinds\n: {}\n", False),
        (b"cards:\r  x: {}\rkinds:\r  y: {}\r", False),
        (b"kinds: {}\n", False),
        (b"", False),
    ],
)
def test_a_file_that_has_nothing_but_cards(tmp_path: Path, data: bytes, is_so: bool) -> None:
    path = tmp_path / "some.yaml"
    path.write_bytes(data)
    assert declarations.holds_only_cards(Workspace().db, str(path)) == is_so


def test_a_card_stands_where_its_interface_says(package: Path) -> None:
    path = package / "cards/more.yaml"
    path.write_text(
        "cards: {one: {kind: trick, price: 1, in: deck, effect: gain 1 coin}, "
        "'two': {kind: trick, price: 1, in: deck}}\n"
        'tokens:\n    "three": {kind: trick, price: 1, in: deck, effect: gain 1 coin}\n'
        "    four: {kind: trick, price: 2, in: deck}\n",
        encoding="utf-8",
    )
    workspace, asked = Workspace(), sources.Package(str(package))
    assert workspace.problems(asked) == []
    rows = {row.name: row.span for row in declarations.card_rows(workspace.db, asked)}
    whole = declarations.declared(workspace.db, asked)
    assert whole is not None and {name: card.span for name, card in whole.model.definitions.items()} == rows
    assert len(rows) == 206


def test_texts_that_no_card_has_are_parsed(tmp_path: Path) -> None:
    """A text that another package replaces, and the text of a card that is refused."""
    root, needs = copy_package(tmp_path, "expansion")
    cache = Cache(tmp_path / "cache")
    path = needs[0] / "cards/cards-000.yaml"
    check_folder(root, needs, cache)
    wrong = "effect: |\n      gain ( coins\n"

    def spoil(name: str) -> None:
        before, after = path.read_text(encoding="utf-8").split(f"  {name}:")
        after = after.replace("effect: |\n", wrong, 1)
        path.write_text(f"{before}  {name}:{after}", encoding="utf-8")

    def compare(*codes: str) -> None:
        expected = sorted_(full(root, needs))
        assert [item.code for item in expected] == list(codes)
        assert sorted_(check_folder(root, needs, cache)) == expected

    spoil("card-00003")
    compare("G0401")
    edit(path, wrong, "effect: |\n")
    compare()
    edit(path, "card-00007:", "card-00020:")  # which another file has
    spoil("card-00020")
    compare("G0401", "G0523")


def test_too_many_to_be_shown(package: Path, tmp_path: Path) -> None:
    cache = Cache(tmp_path / "cache")
    check_folder(package, [], cache)
    edit(package / "game.yaml", "signature: draw <number> cards", "signature: pull <number> cards")
    for path in sorted((package / "cards").glob("*.yaml")):
        edit(path, "coins", "cions and xyz", -1)
    assert sorted_(check_folder(package, [], cache)) == sorted_(full(package, []))


def test_a_changed_rule_is_seen_by_texts_and_scenarios(game: Path, tmp_path: Path) -> None:
    cache = Cache(tmp_path / "cache")
    check_folder(game, [], cache)
    edit(game / "cards.yaml", "outcomes: [", "outcomes: [late, ")
    found = sorted_(check_folder(game, [], cache))
    assert found == sorted_(full(game, []))
    assert {Path(item.span.file).parent.name for item in found} == {"love-letter", "text"}


@pytest.mark.parametrize("name", ["leduc", "harbour", "expansion"])
def test_random_edits_between_two_commands(tmp_path: Path, name: str) -> None:
    """One cache, many edits of any file, one after the other: each report equals that of a new workspace."""
    root, needs = copy_package(tmp_path, name)
    editor = Editor([*needs, root], random.Random(f"commands {name}"), Workspace())
    cache = Cache(tmp_path / "cache")
    done: list[str] = []
    for _ in range(15):
        assert sorted_(check_folder(root, needs, cache)) == sorted_(full(root, needs)), done
        done.append(editor.step())


# ------------------------------------------------------------ the cache


def test_a_clean_second_run_looks_at_nothing(package: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache = Cache(tmp_path / "cache")
    assert check_folder(package, [], cache) == []
    monkeypatch.setattr(Workspace, "problems", lambda *_: pytest.fail("looked at"))
    assert check_folder(package, [], cache) == []


def test_a_run_that_knows_its_answer_loads_little(package: Path, tmp_path: Path) -> None:
    """To start is most of what such a run takes: what is loaded without need is the first thing to look for."""
    script = "import sys; from grimoire.compiler.cli import main; main(['check', sys.argv[1]]); print(*sys.modules)"
    command = [sys.executable, "-c", script, str(package)]
    environment = os.environ | {"GRIMOIRE_CACHE": str(tmp_path / "cache")}
    subprocess.run(command, env=environment, check=True, capture_output=True)
    ran = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    ours = {
        f"grimoire.compiler.{name}"
        for name in ("declare", "lower", "syntax", "checking.flow", "package", "localisation", "scenario")
    }
    others = {"argparse", "dataclasses", "hashlib", "inspect", "lark", "multiprocessing", "rich", "jsonschema"}
    assert (ours | others | {"grimoire.runtime", "importlib.metadata"}) & set(ran.stdout.split()) == set()


def test_a_moved_package_is_checked_under_its_new_name(package: Path, tmp_path: Path) -> None:
    cache = Cache(tmp_path / "cache")
    edit(package / "cards/cards-000.yaml", "coins", "cions")
    first = check_folder(package, [], cache)
    moved = tmp_path / "elsewhere" / "bench-cards"
    shutil.copytree(package, moved)
    second = check_folder(moved, [], cache)
    assert [d.message for d in first] == [d.message for d in second]
    assert all(str(moved) in d.span.file for d in second)


def damages(data: bytes) -> Iterator[bytes]:
    yield b""
    yield data[:-1]
    yield data[: len(data) // 2]
    yield data[:40] + bytes([data[40] ^ 1]) + data[41:]
    yield b"GRIMOIRE pack 99" + data[16:]
    yield os.urandom(1000)


def test_a_damaged_cache_is_as_good_as_none(package: Path, tmp_path: Path) -> None:
    cache = Cache(tmp_path / "cache")
    check_folder(package, [], cache)
    (path,) = (tmp_path / "cache" / "packs").iterdir()
    kept = path.read_bytes()
    edit(package / "cards/cards-001.yaml", "gain", "gian")
    expected = sorted_(full(package, []))
    for data in damages(kept):
        path.write_bytes(data)
        assert sorted_(check_folder(package, [], Cache(tmp_path / "cache"))) == expected


WRONG = [None, 5, "?", [], [[]], [1, 2], {"a": [1]}, [None] * 3, [[], [], "x"], [["G0501", "grave", [], "", None, []]]]


def test_an_answer_that_makes_no_sense_is_thrown_away(game: Path, tmp_path: Path) -> None:
    """Kept by this tool under the right checksum, by mistake: the answer is that of a check without a cache."""
    cache = Cache(tmp_path / "cache")
    expected = check_folder(game, [], cache)
    store = PackageStore(cache, game, checking.tool_key())
    shelves = {shelf: store.open(shelf) for shelf in store.packed if shelf != checking.REPORT}
    assert len(shelves) > 1 and sum(map(len, shelves.values())) > 40

    def keep(shelves: dict[str, bytes]) -> None:
        cache.save_pack(store.name, {"tool": store.tool.encode(), **{f"shelf {k}": v for k, v in shelves.items()}})

    for at, wrong in enumerate(WRONG):
        spoiled = {
            shelf: {
                name: [row[0], wrong] if number % len(WRONG) == at else row  # type: ignore[index]
                for number, (name, row) in enumerate(sorted(rows.items()))
            }
            for shelf, rows in shelves.items()
        }
        keep({shelf: json.dumps(rows).encode() for shelf, rows in spoiled.items()})
        assert sorted_(check_folder(game, [], cache)) == sorted_(expected)
    for whole in (b"", b"?", b"[]", b"{}", b"[" * 100_000, b'{"unit": 1}'):
        keep(dict.fromkeys([*shelves, checking.REPORT], whole))
        assert sorted_(check_folder(game, [], cache)) == sorted_(expected)
    cache.save_pack(store.name, {"tool": b"another", "shelf report": b"?"})
    assert sorted_(check_folder(game, [], cache)) == sorted_(expected)


def test_what_was_kept_stays_as_large_as_the_package(game: Path, tmp_path: Path) -> None:
    cache = Cache(tmp_path / "cache")
    sizes: list[int] = []
    for number in range(6):
        edit(game / "cards.yaml", f"outcomes: [{'x' * number}", f"outcomes: [{'x' * (number + 1)}")
        check_folder(game, [], cache)
        store = PackageStore(cache, game, checking.tool_key())
        sizes.append(sum(len(store.open(shelf)) for shelf in store.packed))
    assert max(sizes) - min(sizes) <= 3


def test_a_cache_of_another_compiler_is_not_used(
    package: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lowered: list[str]
) -> None:
    cache = Cache(tmp_path / "cache")
    check_folder(package, [], cache)
    monkeypatch.setattr(checking, "tool_key", lambda: "another")
    check_folder(package, [], cache)
    assert lowered.count("frame") == 2


def test_a_cache_that_cannot_be_written(package: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder", encoding="utf-8")
    for folder in (tmp_path / "file", tmp_path / "file" / "below", Path("/proc/nowhere")):
        assert check_folder(package, [], Cache(folder)) == []
    assert check_folder(package, [], Cache(tmp_path / "small", limit=100)) == []


def test_a_file_that_changes_during_the_check_is_not_read_again(
    game: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is found is found in the bytes that were read first, so that it can be kept for them."""
    cache = Cache(tmp_path / "cache")
    real = declarations.skeleton.compute

    def declare_newer(*args: object) -> object:
        edit(game / "cards.yaml", "guard", "gaurd")
        return real(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(declarations.skeleton, "compute", declare_newer)
    assert check_folder(game, [], cache) == []
    monkeypatch.undo()
    assert check_folder(game, [], cache)
    edit(game / "cards.yaml", "gaurd", "guard")
    assert check_folder(game, [], cache) == []


def test_two_processes_at_once(package: Path, tmp_path: Path) -> None:
    """Several commands that share a cache and find the package changed each time."""
    command = [sys.executable, "-m", "grimoire.compiler.cli", "check", str(package), "--format", "json"]
    environment = os.environ | {"GRIMOIRE_CACHE": str(tmp_path / "cache")}
    for turn in range(3):
        (package / "cards/more.yaml").write_text(
            f"cards:\n  extra-{turn}: {{kind: trick, price: 1, effect: gian 1 coin}}\n", encoding="utf-8"
        )
        running = [
            subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE) for _ in range(3)
        ]
        for process in running:
            out, errors = process.communicate(timeout=120)
            assert (process.returncode, errors) == (1, b"")
            assert out.count(b'"code"') == 1


# ------------------------------------------------------------ cards that lend

LENDING = {
    "package.yaml": "package: shop\nversion: 1.0.0\nlanguage: 2\nlanguages: [en]\nplayers: 2\n",
    "game.yaml": """\
kinds:
  player: {states: {coins: number}}
  trait: {is: card, names: keyword, lends to: ware}
  ware: {is: card, fields: {worth: number, traits: optional set of keyword}}
zones:
  shelf: {holds: ware, each: player}
  store: {holds: ware}
outcomes: [sold-out]
verbs:
  gain: {signature: gain <number> coins, done: gained, body: your coins is now your coins + amount}
  rest: {done: rested, body: gain 1 coin}
procedures:
  game: |
    move each ware in the store to the shelf of the first-player
    rest
    end the game with sold-out for all players with the most coins
""",
    "traits.yaml": """\
cards:
  lucky: {kind: trait, abilities: {luck: {in: shelf, window: after you rest, do: gain (the worth of this) coins}}}
  heavy: {kind: trait}
""",
    "wares.yaml": """\
cards:
  oar: {kind: ware, worth: 2, in: store, traits: [lucky]}
  net: {kind: ware, worth: 3, in: store, traits: [heavy, lucky]}
""",
}


@pytest.mark.parametrize(
    ("name", "old", "new", "codes"),
    [
        ("wares.yaml", "[lucky]", "[lukcy]", ["G0522"]),
        ("wares.yaml", "heavy, ", "", []),
        ("traits.yaml", "worth of this", "size of this", ["G0501"]),
        ("traits.yaml", "gain (", "gian (", ["G0502"]),
        ("traits.yaml", "  heavy: {kind: trait}\n", "", ["G0522"]),
        ("traits.yaml", "lucky:", "happy:", ["G0522", "G0522"]),
        ("game.yaml", "lends to: ware", "lends to: wear", ["G0310"]),
    ],
)
def test_cards_that_lend_are_looked_at_again(tmp_path: Path, name: str, old: str, new: str, codes: list[str]) -> None:
    root = tmp_path / "shop"
    root.mkdir()
    for file, text in LENDING.items():
        (root / file).write_text(text, encoding="utf-8")
    cache = Cache(tmp_path / "cache")
    assert check_folder(root, [], cache) == []
    for before, after, wanted in ((old, new, codes), (new, old, [])):
        if before:
            edit(root / name, before, after)
        else:
            (root / name).write_text(LENDING[name], encoding="utf-8")
        expected = sorted_(full(root, []))
        assert [item.code for item in expected if item.severity == "error"] == wanted
        assert sorted_(check_folder(root, [], cache)) == expected
