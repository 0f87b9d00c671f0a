"""Edit packages as hurried authors do, in a living workspace, and compare with a cold one after each edit."""

from __future__ import annotations

import gc
import hashlib
import random
import shutil
from pathlib import Path

from grimoire.compiler.diagnostics.report import Diagnostic, Diagnostics
from grimoire.compiler.workspace.sources import Package, package_of
from grimoire.compiler.workspace.workspace import Workspace
from tests.bench.generate import Part, write_package, write_part
from tests.workspace.whole import compile_whole

ROOT = Path(__file__).resolve().parents[2]
CAPPED = "G0199"
SMALL = ("leduc", "love-letter", "tic-tac-toe", "harbour", "plain", "different", "expansion")


def write_cards(folder: Path, files: int, count: int, different: bool = False) -> Path:
    """The game of the benchmarks with some files of cards."""
    write_package(folder, 0, different=different)
    for i in range(files):
        write_part(Part(folder / "cards" / f"cards-{i:03}.yaml", i * count, count, different))
    return folder


def copy_package(folder: Path, name: str) -> tuple[Path, list[Path]]:
    """A package to be edited, with those it needs: a game with texts and scenarios, many cards, an expansion."""
    if name == "harbour":
        return Path(shutil.copytree(ROOT / "tests/workshop/content/harbour", folder / name)), []
    if name in ("plain", "different"):
        return write_cards(folder / name / "bench-cards", 3, 15, different=name == "different"), []
    if name == "expansion":
        game = write_cards(folder / name / "bench-cards", 2, 15)
        more = folder / name / "more-cards"
        more.mkdir()
        (more / "package.yaml").write_text(
            'package: more-cards\nversion: 1.0.0\nlanguage: 2\nlanguages: [en]\nneeds: {bench-cards: ">=1.0.0"}\n',
            encoding="utf-8",
        )
        (more / "changes.yaml").write_text(
            "replaces:\n  card-00003: {price: 8, effect: draw 3 cards}\n  helper: {effect: gain 2 coins}\n",
            encoding="utf-8",
        )
        (more / "cards.yaml").write_text(
            "cards:\n  extra: {kind: trick, price: 1, in: deck, effect: gain 3 coins}\n", encoding="utf-8"
        )
        return more, [game]
    return Path(shutil.copytree(ROOT / "content" / name, folder / name)), []


class Editor:
    """Edits files, with and without mistakes. Some edits are saved, others are held by an editor."""

    def __init__(self, roots: list[Path], rng: random.Random, workspace: Workspace) -> None:
        self.roots = roots
        self.rng = rng
        self.workspace = workspace
        self.first = {path: path.read_bytes() for root in roots for path in sorted(root.rglob("*.yaml"))}
        self.now = dict(self.first)

    def put(self, path: Path, data: bytes | None) -> None:
        if data is None:
            self.now.pop(path, None)
            path.unlink(missing_ok=True)
        else:
            self.now[path] = data
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)

    def step(self) -> str:
        rng = self.rng
        files = sorted(self.now)
        sorts: dict[str, list[Path]] = {}
        for file in files:  # every sort of file as often, though there are many of cards
            sorts.setdefault(file.parent.name + file.name[:5], []).append(file)
        path = rng.choice(sorts[rng.choice(sorted(sorts))])
        deed = rng.choices(["line", "restore", "delete", "copy", "swap", "junk"], [12, 8, 1, 1, 1, 1])[0]
        if deed == "restore":
            self.put_back(None if rng.random() < 0.5 else 1)
        elif deed == "delete" and path.name != "package.yaml":
            self.put(path, None)
        elif deed == "copy":
            self.put(path.with_name(f"copy-{rng.randrange(3)}.yaml"), self.now[path])
        elif deed == "swap":
            other = rng.choice(files)
            if "package.yaml" not in (path.name, other.name):
                one, two = self.now[path], self.now[other]
                self.put(path, two)
                self.put(other, one)
        elif deed == "junk":
            more = rng.choice([b"\n", b"# remark\n", b"\xff", b"cards: {x: y}\n", b"  z: 1\n"])
            self.put(path, self.now[path] + more)
        else:
            self.put(path, self.line(self.now[path]))
        self.workspace.reload()
        return f"{deed} {path.name}"

    def put_back(self, most: int | None = None) -> None:
        """Have files as they were at first: all that were changed, or so many of them."""
        changed = [p for p in sorted({*self.first, *self.now}) if self.now.get(p) != self.first.get(p)]
        for path in changed[:most]:
            self.put(path, self.first.get(path))

    def restore(self) -> None:
        """All files as they were at first."""
        self.put_back()
        self.workspace.reload()

    def line(self, data: bytes) -> bytes:
        rng = self.rng
        lines = data.decode(errors="surrogateescape").split("\n")
        at = rng.randrange(len(lines))
        words = lines[at].split(" ")
        which = rng.randrange(len(words))
        match rng.randrange(9):
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
            case 6 | 7:
                lines.insert(at, "")
            case _:
                other = rng.randrange(len(lines))
                lines[at], lines[other] = lines[other], lines[at]
        return "\n".join(lines).encode(errors="surrogateescape")


class Cold:
    """What a new workspace says of the files as they are. Reports follow from the files alone, so that files which come
    back, as edits are often taken back, are not looked at again."""

    def __init__(self, package: Package) -> None:
        self.package = package
        self.reports: dict[bytes, list[Diagnostic]] = {}

    def problems(self, files: dict[Path, bytes]) -> list[Diagnostic]:
        found = hashlib.sha256()
        for path, data in sorted(files.items()):
            found.update(f"{path} {len(data)} ".encode() + data)
        if found.digest() not in self.reports:
            gc.disable()  # nothing of it is garbage before it is done
            try:
                self.reports[found.digest()] = Workspace().problems(self.package)
            finally:
                gc.enable()
        return self.reports[found.digest()]


def edit_and_compare(folder: Path, name: str, seed: int, steps: int, *, whole: int = 1) -> Workspace:
    """Edit at random; after each edit the report must be that of a new workspace, and, after every `whole` of them,
    what is said of the content and its texts, and the artefact, must be those of a compile of everything at once."""
    root, needs = copy_package(folder, name)
    rng = random.Random(f"{name} {seed}")
    living, package = Workspace(), package_of(root, needs)
    editor, cold = Editor([*needs, root], rng, living), Cold(package)
    done: list[str] = []
    for number in range(1, steps + 1):
        done.append(editor.step())
        assert living.problems(package) == cold.problems(editor.now), done
        if number % whole == 0:
            compare_with_whole(root, needs, package, living, done)
    return living


def compare_with_whole(root: Path, needs: list[Path], package: Package, living: Workspace, done: list[str]) -> None:
    """Reports without what says how many more there are: one that is capped twice says less."""
    everything, artefact = compile_whole(root, needs)
    assert living.artefact(package) == artefact, done
    expected, found = ([x for x in report if x.code != CAPPED] for report in (everything, living.problems(package)))
    if any(item.severity == "error" for item in expected):
        found = Diagnostics(found).sorted()
        assert found == expected, (
            done,
            [d for d in found if d not in expected],
            [d for d in expected if d not in found],
        )
    else:
        assert [item for item in expected if item not in found] == [], done
