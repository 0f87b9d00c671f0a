"""Checking at scale: the quick ways give what a full compile gives, whatever changed in between."""

from __future__ import annotations

import marshal
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from grimoire.compiler.cache import Cache
from grimoire.compiler.checking import incremental, units
from grimoire.compiler.checking import packages as checking
from grimoire.compiler.checking.packages import check_folder, full
from grimoire.compiler.diagnostics.report import Diagnostic, Diagnostics
from tests.bench.generate import Part, write_package, write_part

ROOT = Path(__file__).resolve().parents[2]


def sorted_(report: list[Diagnostic]) -> list[Diagnostic]:
    return Diagnostics(report).sorted()


def write_cards(folder: Path, files: int, count: int, different: bool = False) -> Path:
    """The game of the benchmarks with some files of cards."""
    write_package(folder, 0, different=different)
    for i in range(files):
        write_part(Part(folder / "cards" / f"cards-{i:03}.yaml", i * count, count, different))
    return folder


@pytest.fixture
def package(tmp_path: Path) -> Path:
    return write_cards(tmp_path / "bench-cards", 2, 100)


@pytest.fixture
def ways(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The ways that gave an answer, in order."""
    taken: list[str] = []
    for way in (incremental.Delta, incremental.Together, incremental.Alone):

        def run(self: incremental.Way, real: object = way.run, name: str = way.__name__) -> incremental.Outcome | None:
            found: incremental.Outcome | None = real(self)  # type: ignore[operator]
            if found is not None:
                taken.append(name)
            return found

        monkeypatch.setattr(way, "run", run)
    real_full = checking.full

    def told(root: Path, needs: list[Path]) -> list[Diagnostic]:
        taken.append("full")
        return real_full(root, needs)

    monkeypatch.setattr(checking, "full", told)
    return taken


def edit(path: Path, old: str, new: str, count: int = 1) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, count), encoding="utf-8")


# What is changed, and the way that is then taken.
CHANGES = {
    "another effect": ("cards/cards-000.yaml", "gain", "lose", "Delta"),
    "an unknown verb": ("cards/cards-000.yaml", "gain", "gian", "Delta"),
    "a line more": ("cards/cards-000.yaml", "cards:\n", "cards:\n\n", "Delta"),
    "another value": ("cards/cards-000.yaml", "price: ", "price: 1", "Alone"),  # nobody knows whether it is used
    "a wrong value": ("cards/cards-000.yaml", "price: ", "price: x", "Delta"),
    "a word that nothing used": ("cards/cards-000.yaml", "gain 4 coins", "shuffle the attic", "Alone"),
    "a new name": ("cards/cards-000.yaml", "card-00001:", "card-zero:", "Alone"),
    "a name twice": ("cards/cards-000.yaml", "card-00001:", "card-00000:", "Alone"),
    "a name of another file": ("cards/cards-000.yaml", "card-00001:", "card-00150:", "Alone"),
    "a name of a zone": ("cards/cards-000.yaml", "card-00001:", "pile:", "Alone"),
    "another kind": ("cards/cards-000.yaml", "kind: trick", "kind: card", "Alone"),
    "copies": ("cards/cards-000.yaml", "kind: trick", "kind: trick\n    copies: 3", "Alone"),
    "an unknown key": ("cards/cards-000.yaml", "price:", "prize:", "Alone"),
    "a slot less": ("cards/cards-000.yaml", "effect: |", "# effect: |", "Alone"),
    "a verb renamed": ("game.yaml", "  gain:\n    signature: gain", "  win:\n    signature: win", "Alone"),
    "a zone unused": ("game.yaml", "zones:\n", "zones:\n  garret: {holds: trick}\n", "Alone"),
    "players": ("package.yaml", "players: 2", "players: 2-3", "Alone"),
    "broken YAML": ("cards/cards-000.yaml", "cards:", "cards: [", "Alone"),
    "a list for a file": ("cards/cards-000.yaml", "cards:", "- cards:", "full"),
    "tokens": ("cards/cards-000.yaml", "cards:", "tokens:", "Delta"),
    "another section": ("cards/cards-000.yaml", "cards:", "outcomes: [late]\ncards:", "Alone"),
}


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("cached", [True, False])
def test_incremental_equals_full(package: Path, tmp_path: Path, change: str, cached: bool, ways: list[str]) -> None:
    edit(package / "game.yaml", "zones:\n", "zones:\n  attic: {holds: trick}\n")
    cache = Cache(tmp_path / "cache")
    before = sorted_(check_folder(package, [], cache))
    assert [item.code for item in before] == ["G0704"]
    if not cached:
        cache = Cache(tmp_path / "other")
    name, old, new, way = CHANGES[change]
    edit(package / name, old, new)
    expected = sorted_(full(package, []))
    ways.clear()
    assert sorted_(check_folder(package, [], cache)) == expected
    if cached:
        assert ways[-1] == way
    assert sorted_(check_folder(package, [], cache)) == expected, "the stored report"
    edit(package / name, new, old)
    assert sorted_(check_folder(package, [], cache)) == before, "back again"
    edit(package / "cards/cards-001.yaml", "gain", "lose")
    assert sorted_(check_folder(package, [], cache)) == before, "and on"


def test_texts_that_no_card_has_are_parsed(tmp_path: Path, ways: list[str]) -> None:
    """A text that another package replaces, and the text of a card that is refused."""
    root, needs = packages(tmp_path)["expansion"]
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
    edit(path, "card-00007:", "card-00030:")  # which another file has
    spoil("card-00030")
    compare("G0401", "G0523")
    assert ways == ["Alone", "Delta", "Alone"]


def test_a_mistake_and_its_repair_read_one_file_each(package: Path, tmp_path: Path, ways: list[str]) -> None:
    cache = Cache(tmp_path / "cache")
    check_folder(package, [], cache)
    for old, new, problems in (("gain", "gian", 1), ("gian", "gaian", 1), ("gaian", "gain", 0)):
        edit(package / "cards/cards-001.yaml", old, new)
        assert len(check_folder(package, [], cache)) == problems
        # a file with something to report is looked at again, also when another one changes
        edit(package / "cards/cards-000.yaml", "cards:\n", "cards:\n\n")
        assert len(check_folder(package, [], cache)) == problems
    assert ways == ["Alone"] + ["Delta"] * 6


# ------------------------------------------------------------ random edits


def packages(folder: Path) -> dict[str, tuple[Path, list[Path]]]:
    """Packages to be edited, each with those it needs: games with texts and scenarios, many cards, an expansion."""
    found: dict[str, tuple[Path, list[Path]]] = {}
    for name in ("leduc", "love-letter"):
        shutil.copytree(ROOT / "content" / name, folder / name)
        found[name] = (folder / name, [])
    shutil.copytree(ROOT / "tests/workshop/content/harbour", folder / "harbour")
    found["harbour"] = (folder / "harbour", [])
    found["plain"] = (write_cards(folder / "plain" / "bench-cards", 4, 25), [])
    found["different"] = (write_cards(folder / "different" / "bench-cards", 3, 20, different=True), [])
    more = folder / "plain" / "more-cards"
    more.mkdir()
    (more / "package.yaml").write_text(
        'package: more-cards\nversion: 1.0.0\nlanguages: [en]\nneeds: {bench-cards: ">=1.0.0"}\n', encoding="utf-8"
    )
    (more / "changes.yaml").write_text(
        "replaces:\n  card-00003: {price: 8, effect: draw 3 cards}\n  helper: {effect: gain 2 coins}\n",
        encoding="utf-8",
    )
    (more / "cards.yaml").write_text(
        "cards:\n  extra: {kind: trick, price: 1, in: deck, effect: gain 3 coins}\n", encoding="utf-8"
    )
    found["expansion"] = (more, [folder / "plain" / "bench-cards"])
    return found


class Editor:
    """Edits a package as hurried authors do."""

    def __init__(self, roots: list[Path], rng: random.Random) -> None:
        self.roots = roots
        self.rng = rng
        self.first = {path: path.read_bytes() for path in self.files()}

    def files(self) -> list[Path]:
        return [path for root in self.roots for path in sorted(root.rglob("*.yaml"))]

    def step(self) -> str:
        rng = self.rng
        files = self.files()
        # every sort of file as often, though there are many of cards
        sorts: dict[str, list[Path]] = {}
        for file in files:
            sorts.setdefault(file.parent.name + file.name[:5], []).append(file)
        path = rng.choice(sorts[rng.choice(sorted(sorts))])
        deed = rng.choices(["line", "restore", "delete", "copy", "swap", "junk"], [12, 6, 1, 1, 2, 1])[0]
        if deed == "restore":
            changed = [p for p, data in self.first.items() if not p.exists() or p.read_bytes() != data]
            extra = [p for p in files if p not in self.first]
            for other in extra:
                other.unlink()
            for other in changed if rng.random() < 0.5 else changed[:1]:
                other.parent.mkdir(parents=True, exist_ok=True)
                other.write_bytes(self.first[other])
        elif deed == "delete" and path.name != "package.yaml":
            path.unlink()
        elif deed == "copy":
            other = path.with_name(f"copy-{rng.randrange(3)}.yaml")
            other.write_bytes(path.read_bytes())
        elif deed == "swap":
            other = rng.choice(files)
            one, two = path.read_bytes(), other.read_bytes()
            if "package.yaml" not in (path.name, other.name):
                path.write_bytes(two)
                other.write_bytes(one)
        elif deed == "junk":
            path.write_bytes(
                path.read_bytes() + rng.choice([b"\n", b"# remark\n", b"\xff", b"cards: {x: y}\n", b"  z: 1\n"])
            )
        else:
            self.line(path)
        return f"{deed} {path.name}"

    def line(self, path: Path) -> None:
        rng = self.rng
        lines = path.read_text(encoding="utf-8", errors="surrogateescape").split("\n")
        at = rng.randrange(len(lines))
        words = lines[at].split(" ")
        which = rng.randrange(len(words))
        match rng.randrange(8):
            case 0:
                lines.insert(at, lines[rng.randrange(len(lines))])
            case 1:
                del lines[at]
            case 2:
                lines[at] = lines[at].replace("a", "e", 1)
            case 3:
                words[which] = rng.choice(" ".join(lines).split() or ["x"])
                lines[at] = " ".join(words)
            case 4:
                lines[at] = lines[at].replace("2", "3").replace("1", "2")
            case 5:
                lines[at] += rng.choice([" ", "#", " 7", ":", "\n"])
            case 6:
                lines.insert(at, "")
            case _:
                other = rng.randrange(len(lines))
                lines[at], lines[other] = lines[other], lines[at]
        path.write_text("\n".join(lines), encoding="utf-8", errors="surrogateescape")


def edit_and_compare(folder: Path, name: str, seed: int, steps: int, monkeypatch: pytest.MonkeyPatch) -> None:
    root, needs = packages(folder)[name]
    rng = random.Random(f"{name} {seed}")
    editor = Editor([*needs, root], rng)
    cache = Cache(folder / "cache")
    done: list[str] = []
    for _ in range(steps):
        monkeypatch.setattr(incremental, "PARALLEL_BYTES", rng.choice([1, 10**9]))
        monkeypatch.setattr(units, "PARALLEL_FROM", rng.choice([2, 10**9]))
        warm = sorted_(check_folder(root, needs, cache))
        assert warm == sorted_(full(root, needs)), done
        done.append(editor.step())


@pytest.mark.parametrize("name", ["leduc", "love-letter", "harbour", "plain", "different", "expansion"])
def test_random_edits_in_a_row(tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """One cache, many edits of any file, one after the other: each report equals that of a full compile."""
    edit_and_compare(tmp_path, name, 1, 25, monkeypatch)


# ------------------------------------------------------------ texts and scenarios


@pytest.fixture
def game(tmp_path: Path) -> Path:
    return Path(shutil.copytree(ROOT / "content/love-letter", tmp_path / "love-letter"))


def test_a_changed_text_compiles_nothing(game: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache = Cache(tmp_path / "cache")
    assert check_folder(game, [], cache) == []
    edit(game / "text/uk.yaml", "names:\n", "names:\n  nobody-at-all: x\n")
    expected = sorted_(full(game, []))
    assert [item.code for item in expected] == ["G0902"]
    monkeypatch.setattr("grimoire.compiler.package.compile_folder", lambda *_, **__: pytest.fail("compiled"))
    assert sorted_(check_folder(game, [], cache)) == expected
    edit(game / "text/uk.yaml", "  nobody-at-all: x\n", "")
    (game / "text/uk.yaml").write_text((game / "text/uk.yaml").read_text(encoding="utf-8") + "\n", encoding="utf-8")
    assert check_folder(game, [], cache) == []


def test_a_changed_scenario_leaves_texts_alone(game: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache = Cache(tmp_path / "cache")
    check_folder(game, [], cache)
    edit(game / "scenarios/cards.yaml", "then:", "than:")
    expected = sorted_(full(game, []))
    assert expected
    monkeypatch.setattr("grimoire.compiler.localisation.text.texts.check_texts", lambda *_: [])
    assert sorted_(check_folder(game, [], cache)) == expected


def test_a_changed_rule_is_seen_by_texts_and_scenarios(game: Path, tmp_path: Path) -> None:
    cache = Cache(tmp_path / "cache")
    check_folder(game, [], cache)
    edit(game / "cards.yaml", "outcomes: [", "outcomes: [late, ")
    found = sorted_(check_folder(game, [], cache))
    assert found == sorted_(full(game, []))
    assert {Path(item.span.file).parent.name for item in found} == {"love-letter", "text"}


# ------------------------------------------------------------ several processes


def test_several_processes_give_the_same(
    package: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ways: list[str]
) -> None:
    for path in sorted((package / "cards").glob("*.yaml")):
        edit(path, "coins", "cions")
    alone = sorted_(check_folder(package, [], Cache(tmp_path / "one")))
    monkeypatch.setattr(units, "PARALLEL_FROM", 1)
    assert sorted_(check_folder(package, [], Cache(tmp_path / "two"))) == alone
    monkeypatch.setattr(incremental, "PARALLEL_BYTES", 1)
    assert sorted_(check_folder(package, [], Cache(tmp_path / "three"))) == alone
    assert len(alone) >= 1
    assert ways == ["Alone", "Alone", "Together"]


@pytest.mark.parametrize("half", ["first_half", "second_half"])
def test_a_helper_that_dies_is_done_without(
    package: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ways: list[str], half: str
) -> None:
    monkeypatch.setattr(incremental, "PARALLEL_BYTES", 1)
    monkeypatch.setattr(units, "PARALLEL_FROM", 1)
    edit(package / "cards/cards-001.yaml", "gain", "gian")
    expected = sorted_(full(package, []))
    parent, real = os.getpid(), getattr(incremental.Together, half)

    def die(*args: object) -> object:
        if os.getpid() != parent:
            os._exit(3)
        return real(*args)

    monkeypatch.setattr(incremental.Together, half, die)
    assert sorted_(check_folder(package, [], Cache(tmp_path / "cache"))) == expected
    assert ways[-1] == "Alone"


def test_where_no_process_can_be_started(
    package: Path, game: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ways: list[str]
) -> None:
    monkeypatch.setattr(incremental, "PARALLEL_BYTES", 1)
    monkeypatch.setattr(units, "PARALLEL_FROM", 1)
    monkeypatch.setattr(checking, "PARALLEL_BYTES", 1)
    edit(package / "cards/cards-001.yaml", "gain", "gian")
    edit(game / "scenarios/cards.yaml", "then:", "than:")
    expected = [sorted_(full(folder, [])) for folder in (package, game)]

    def fork() -> int:
        raise BlockingIOError(11, "no room")

    monkeypatch.setattr(os, "fork", fork)
    for folder, report in zip((package, game), expected, strict=True):
        assert sorted_(check_folder(folder, [], Cache(tmp_path / "cache"))) == report
    assert "Alone" in ways


def test_what_is_not_remembered_is_not_guessed(
    package: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ways: list[str]
) -> None:
    """A stage that one day looks into the cards of other files makes the check slower, never wrong."""
    from grimoire.compiler.declare.model import PackageModel
    from grimoire.compiler.lower import units as lowering
    from grimoire.compiler.lower.vocabulary import Vocabulary

    cache = Cache(tmp_path / "cache")
    check_folder(package, [], cache)
    real = lowering.make_vocabulary

    def make_vocabulary(model: PackageModel) -> Vocabulary:
        for definition in model.definitions.values():
            assert [text.text for text in definition.programs.values()]
        return real(model)

    monkeypatch.setattr(lowering, "make_vocabulary", make_vocabulary)
    edit(package / "cards/cards-001.yaml", "gain", "gian")
    assert len(check_folder(package, [], cache)) == 1
    monkeypatch.setattr(incremental, "PARALLEL_BYTES", 1)
    assert len(check_folder(package, [], Cache(tmp_path / "other"))) == 1
    assert ways == ["Alone"] * 3


def test_too_many_to_be_shown_are_told_by_the_full_compile(package: Path, tmp_path: Path) -> None:
    cache = Cache(tmp_path / "cache")
    check_folder(package, [], cache)
    edit(package / "game.yaml", "signature: draw <number> cards", "signature: pull <number> cards")
    for path in sorted((package / "cards").glob("*.yaml")):
        edit(path, "coins", "cions and xyz", -1)
    assert sorted_(check_folder(package, [], cache)) == sorted_(full(package, []))


# ------------------------------------------------------------ the cache


def test_a_clean_second_run_looks_at_nothing(package: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache = Cache(tmp_path / "cache")
    assert check_folder(package, [], cache) == []
    monkeypatch.setattr(checking, "full", lambda *_: pytest.fail("compiled in full"))
    monkeypatch.setattr(incremental, "check_content", lambda *_: pytest.fail("checked again"))
    assert check_folder(package, [], cache) == []


def test_a_changed_file_of_known_texts_loads_little(package: Path, tmp_path: Path) -> None:
    """To start is most of what a second run takes: what is loaded without need is the first thing to look for."""
    script = "import sys; from grimoire.compiler.cli import main; main(['check', sys.argv[1]]); print(*sys.modules)"
    command = [sys.executable, "-c", script, str(package)]
    environment = os.environ | {"GRIMOIRE_CACHE": str(tmp_path / "cache")}
    subprocess.run(command, env=environment, check=True, capture_output=True)
    path = package / "cards/cards-000.yaml"
    path.write_bytes(path.read_bytes() + b"# a remark\n")
    ran = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    ours = {
        f"grimoire.compiler.{name}"
        for name in ("lower", "syntax.nodes", "syntax.parse", "checking.flow", "package", "text.locale", "scenario.run")
    }
    others = {"argparse", "dataclasses", "hashlib", "inspect", "json", "lark", "multiprocessing", "rich", "jsonschema"}
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
    kept = {path: path.read_bytes() for path in (tmp_path / "cache" / "packs").iterdir()}
    assert len(kept) == 2
    edit(package / "cards/cards-001.yaml", "gain", "gian")
    expected = sorted_(full(package, []))
    for damaged, content in kept.items():
        for data in damages(content):
            for path in kept:
                path.write_bytes(data if path == damaged else kept[path])
            assert sorted_(check_folder(package, [], Cache(tmp_path / "cache"))) == expected


def test_an_entry_that_makes_no_sense_is_thrown_away(package: Path, game: Path, tmp_path: Path) -> None:
    """Kept by this tool under the right checksum, by mistake: the answer is that of a check without a cache."""
    wrong = [b"", b"?", marshal.dumps(5), marshal.dumps((1, 2)), marshal.dumps({"a": [1]})]
    for root in (package, game):
        cache = Cache(tmp_path / "cache")
        expected = check_folder(root, [], cache)
        one = checking.PackageCheck(root, [], checking.read_files([root]) or [], cache)
        pack = cache.load_pack(one.name)
        for at, name in enumerate(name for name in pack if name != "tool"):
            cache.save_pack(one.name, {**pack, "reports": marshal.dumps({}), name: wrong[at % len(wrong)]})
            assert sorted_(check_folder(root, [], cache)) == sorted_(expected)


def test_a_cache_of_another_compiler_is_not_used(
    package: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ways: list[str]
) -> None:
    cache = Cache(tmp_path / "cache")
    check_folder(package, [], cache)
    monkeypatch.setattr(checking, "tool_key", lambda: "another")
    check_folder(package, [], cache)
    assert ways == ["Alone", "Alone"]


def test_a_cache_that_cannot_be_written(package: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder", encoding="utf-8")
    for folder in (tmp_path / "file", tmp_path / "file" / "below", Path("/proc/nowhere")):
        assert check_folder(package, [], Cache(folder)) == []
    assert check_folder(package, [], Cache(tmp_path / "small", limit=100)) == []


def test_a_file_that_changes_during_the_check_is_not_remembered(
    game: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was found in newer bytes must not be kept for the older ones."""
    from grimoire.compiler import package as package_module

    cache = Cache(tmp_path / "cache")
    real = package_module.compile_folder

    def compile_newer(*args: object, **more: object) -> object:
        edit(game / "cards.yaml", "guard", "gaurd")
        return real(*args, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(package_module, "compile_folder", compile_newer)
    assert check_folder(game, [], cache)
    monkeypatch.undo()
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
    "package.yaml": "package: shop\nversion: 1.0.0\nlanguages: [en]\nplayers: 2\n",
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
