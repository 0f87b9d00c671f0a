"""Corrupt saves, replays, artefacts, caches and PO files: `python -m tests.soak.corruption --number 50000`.

Whatever is read, the answer is a documented error, or the thing is taken and works: a game goes on, a check says what
it said before, a translation is imported. Changes are made to bytes and to values; half of the changed saves and
artefacts get the checksum that belongs to them, so that what lies behind it is reached. Without that no change of a
save or an artefact may be taken at all.

`python -m tests.soak.corruption --sort save --seed 1 --again 17` shows one of them again.
"""

from __future__ import annotations

import argparse
import copy
import json
import marshal
import random
import shutil
import sys
import tempfile
import time
from abc import abstractmethod
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from grimoire.compiler import build, compile_package
from grimoire.compiler.api.check import check_packages
from grimoire.compiler.api.translations import open_edition
from grimoire.compiler.cache import Cache
from grimoire.compiler.diagnostics.report import Diagnostics
from grimoire.compiler.localisation.translation.export import export_po
from grimoire.compiler.localisation.translation.po import check_head, is_foreign, plan_import, read_po
from grimoire.compiler.localisation.translation.run import check_po
from grimoire.compiler.localisation.translation.write import write_texts
from grimoire.compiler.resolve import resolve_paths
from grimoire.compiler.telling import Finding, WrongUse
from grimoire.runtime import GrimoireError, Package, content_hash, load_artefact, load_game, new_game, record_of, replay
from grimoire.runtime.play.save import checksum
from tests.hostile.change_json import change_document, change_encoded
from tests.hostile.change_text import change_words, change_yaml, vocabulary
from tests.hostile.fuzz import play_on
from tests.hostile.watch import Looker, Report, run_lookers, settle
from tests.packages import CONTENT

DECISIONS = 10  # that are played with what was taken
GAMES = ("tic-tac-toe", "leduc", "love-letter", "abyss")
COMMAND = "tests.soak.corruption --sort"


class Corrupter(Looker):
    """Looks at one sort of files."""

    command = COMMAND
    sort = ""

    def __init__(self, folder: Path) -> None:
        super().__init__(self.sort)
        self.folder = folder
        self.prepare()
        self.measure()

    def prepare(self) -> None:
        """Make the things as they stand."""

    @abstractmethod
    def look(self, rng: random.Random, whole: bool) -> str | None:
        """Look at one of them, changed unless `whole`; what is wrong, or None. Documented errors may be raised."""

    def measure(self) -> None:
        for number in range(8):
            began = time.process_time()
            wrong = self.look(random.Random(number), True)
            assert wrong is None, wrong
            self.report.own = max(self.report.own, time.process_time() - began)

    def attempt(self, seed: int, number: int) -> tuple[str, str] | None:
        rng = random.Random(f"{seed}/{self.sort}/{number}")

        def look() -> str | None:
            try:
                return self.look(rng, False)
            except (GrimoireError, WrongUse, Finding) as error:
                self.report.faults[type(error).__name__] += 1
                return None

        return self.guarded(look)


class Saves(Corrupter):
    """Saved games."""

    sort = "save"
    take = staticmethod(load_game)

    def prepare(self) -> None:
        self.packages: dict[str, Package] = {name: compile_package(CONTENT / name) for name in GAMES}
        self.kept: list[tuple[Package, dict[str, Any]]] = []
        for name, package in self.packages.items():
            for seed, decisions in enumerate((0, 3, 8, 20, 400)):
                game = new_game(package, package.min_players, seed)
                rng = random.Random(f"{name}/{seed}")
                while game.decision is not None and len(game.decisions_made) < decisions:
                    game.choose_index(rng.randrange(len(game.decision.options)))
                self.kept.append((package, json.loads(json.dumps(self.written(game)))))

    def written(self, game: Any) -> dict[str, Any]:
        saved: dict[str, Any] = game.save()
        return saved

    def signed(self, document: dict[str, Any]) -> dict[str, Any]:
        try:
            return {**document, "check": checksum(document)}
        except (ValueError, RecursionError, TypeError):
            return document  # no checksum can be made

    def look(self, rng: random.Random, whole: bool) -> str | None:
        package, document = rng.choice(self.kept)
        changed: Any = document
        signed = rng.random() < 0.6
        if not whole and rng.random() < 0.2:
            signed = False
            try:
                changed = json.loads(change_encoded(json.dumps(document).encode(), rng))
            except (ValueError, RecursionError):
                return None  # whoever reads the file says so
        elif not whole:
            changed = change_document(document, rng)
            changed = self.signed(changed) if signed and isinstance(changed, dict) else changed
        game = self.take(package, copy.deepcopy(changed) if whole else changed)
        if not signed and not same(changed, document):
            return self.unsigned()
        self.report.clean += 1
        game.log(None, choices=True)
        for seat in range(game.players):
            game.view(seat)
            game.log(seat)
        game.why_not("x")
        wrong = play_on(game, DECISIONS, rng, self.report)
        game.save()
        return wrong

    def unsigned(self) -> str | None:
        return "a change was taken without its checksum"


class Records(Saves):
    """Records of games, to be played again. They have no checksum, but the digest of the end."""

    sort = "replay"
    take = staticmethod(replay)

    def written(self, game: Any) -> dict[str, Any]:
        return record_of(game)

    def signed(self, document: dict[str, Any]) -> dict[str, Any]:
        return {key: part for key, part in document.items() if key != "digest"}

    def unsigned(self) -> str | None:
        return None


class Artefacts(Corrupter):
    """Compiled packages."""

    sort = "artefact"

    def prepare(self) -> None:
        self.kept = [build(CONTENT / name) for name in GAMES[:3]]
        self.weights = [6, 4, 1]

    def look(self, rng: random.Random, whole: bool) -> str | None:
        document = rng.choices(self.kept, self.weights)[0]
        source: Any = document
        signed = rng.random() < 0.8
        if not whole and rng.random() < 0.15:
            source, signed = change_encoded(json.dumps(document, ensure_ascii=False).encode(), rng), False
        elif not whole:
            # most of a document are places and texts; what is played stands in few tables
            source = change_document(document, rng)
            if signed and isinstance(source, dict):
                try:
                    source = {**source, "hash": content_hash(source)}
                except (ValueError, RecursionError, TypeError):
                    signed = False
        package = load_artefact(source)
        if not signed and not same(package.document, document):
            return "a change was taken without its hash"
        self.report.clean += 1
        wrong = None
        for players in {package.min_players, min(package.max_players, 8)}:
            wrong = wrong or play_on(new_game(package, players, 1), DECISIONS, rng, self.report)
        return wrong


class Named(Cache):
    """A cache that tells the names of the packs that it is given."""

    def __init__(self, root: Path) -> None:
        super().__init__(root)
        self.names: list[str] = []

    def save_pack(self, name: str, entries: dict[str, bytes]) -> None:
        self.names.append(name)
        super().save_pack(name, entries)


class Caches(Corrupter):
    """What a check remembers. A damaged file counts as missing, so that every check says the same."""

    sort = "cache"

    def prepare(self) -> None:
        self.root = self.folder / "leduc"
        shutil.copytree(CONTENT / "leduc", self.root)
        (self.root / "extra.yaml").write_text("verbs:\n  unheard: {body: unknown-verb}\n", encoding="utf-8")
        self.cache = self.folder / "cache"
        named = Named(self.cache)
        self.report_of = self.check(named)
        self.files = {path: path.read_bytes() for path in sorted((self.cache / "packs").iterdir())}
        self.packs = {name: named.load_pack(name) for name in named.names}
        assert self.report_of and self.files and self.packs and all(self.packs.values())

    def check(self, cache: Cache | None = None) -> list[Any]:
        diags = Diagnostics()
        check_packages(resolve_paths([self.root], diags), diags, cache or Cache(self.cache))
        return diags.sorted()

    def look(self, rng: random.Random, whole: bool) -> str | None:
        if not whole and rng.random() < 0.7:
            path = rng.choice([*self.files])
            path.write_bytes(change_encoded(self.files[path], rng))
        elif not whole:
            self.forge(rng)
        try:
            return None if self.check() == self.report_of else "the check says something else"
        finally:
            for path, data in self.files.items():
                path.write_bytes(data)
                path.chmod(0o600)

    def forge(self, rng: random.Random) -> None:
        """Another pack with a right checksum: parts are gone, swapped, cut off or of another shape."""
        name = rng.choice(sorted(self.packs))
        pack = dict(self.packs[name])
        part = rng.choice(sorted(pack))
        match rng.randrange(4):
            case 0:
                del pack[part]
            case 1:
                pack[part] = b""
            case 2:
                pack["tool"] = b"another"
            case _:
                pack[part + "x"] = marshal.dumps([1, "x"])
        Cache(self.cache).save_pack(name, pack)


class Translations(Corrupter):
    """PO files, as an import takes them."""

    sort = "po"

    def prepare(self) -> None:
        self.root = self.folder / "leduc"
        shutil.copytree(CONTENT / "leduc", self.root)
        self.edition = open_edition(str(self.root))
        self.data = export_po(self.edition, "uk", "en").text.encode()
        self.texts = {path: path.read_bytes() for path in sorted(self.root.rglob("*.yaml"))}
        self.words = [*vocabulary([self.data.decode()]), *_PO]

    def look(self, rng: random.Random, whole: bool) -> str | None:
        data = self.data
        for _ in range(0 if whole else rng.choice((1, 1, 2, 3))):
            way: Callable[..., bytes] = rng.choice((change_words, change_words, change_yaml, change_text))
            data = way(data, rng, self.words)
        if not whole and rng.random() < 0.3:
            data = change_encoded(data, rng)
        path = self.folder / "uk.po"
        path.write_bytes(data)
        po, slips = read_po(path, "uk")
        if not slips:
            slips = check_head(po, self.edition, "uk", "en")
            if not is_foreign(slips) and (whole or rng.random() < 0.3):
                slips = check_po(po, self.edition, "uk", "en")
        asked = {entry.msgctxt or "" for entry in po.entries[:3]} if rng.random() < 0.3 else set()
        plan = plan_import(po, self.edition, "uk", "en", slips, asked)
        self.report.clean += not slips
        lines = data.count(b"\n") + data.count(b"\r") + 2
        if any(
            not 1 <= slip.span.line <= lines for slip in slips if slip.span is not None and slip.span.file == str(path)
        ):
            return "a place outside of the file"
        if plan.texts and rng.random() < 0.2:
            try:
                write_texts(self.edition, "uk", "en", plan.texts, None)
            finally:
                for file, before in self.texts.items():
                    if not file.is_file() or file.read_bytes() != before:
                        file.write_bytes(before)
        return None


_PO = [
    'msgid ""',
    'msgstr ""',
    'msgctxt "',
    "#~ ",
    "#, fuzzy",
    '\\"',
    "\\x",
    "\\400",
    'msgstr[0] "',
    "msgid_plural",
    '"\n"',
    "{1|",
    "{card}",
    "[b]",
]


def change_text(data: bytes, rng: random.Random, _: list[str]) -> bytes:
    """Something that a translation may hold: half a placeholder, markup, an escape that is none."""
    lines = data.split(b"\n")
    found = [at for at, line in enumerate(lines) if line.startswith(b"msgstr")]
    at = rng.choice(found or [0])
    odd = (
        "{",
        "}",
        "{1|a|b",
        "{x:y}",
        "{0}",
        "**",
        "[a](b",
        "<b>",
        "\\",
        "\\x4",
        "\\777",
        "%s",
        "\u202e",
        "\ufeff",
        "a" * 30_000,
        "{" * 500,
    )
    lines[at] = f'msgstr "{rng.choice(odd)} {rng.choice(odd)}"'.encode()
    return b"\n".join(lines)


def same(one: Any, two: Any) -> bool:
    """Whether two documents are written alike."""
    try:
        return json.dumps(one, sort_keys=True) == json.dumps(two, sort_keys=True)
    except (ValueError, TypeError, RecursionError):
        return False


SORTS: dict[str, tuple[type[Corrupter], int]] = {  # each with its share of a hundred
    "save": (Saves, 30),
    "replay": (Records, 20),
    "artefact": (Artefacts, 20),
    "cache": (Caches, 10),
    "po": (Translations, 20),
}


def corrupt(
    number: int,
    seed: int,
    *,
    sorts: list[str] | None = None,
    first: int = 0,
    seconds: float | None = None,
    jobs: int = 1,
    tell: Callable[[str], None] = lambda text: None,
) -> list[Report]:
    """Look at so many corrupted files, or as many as there is time for; a report for each sort."""
    chosen = {name: row for name, row in SORTS.items() if sorts is None or name in sorts}
    total = sum(share for _, share in chosen.values())
    lookers = [(name, partial(made), number * share // total) for name, (made, share) in chosen.items()]
    return run_lookers(lookers, seed, first=first, seconds=seconds, jobs=jobs, command=COMMAND, tell=tell)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.soak.corruption", description=__doc__)
    parser.add_argument("--number", type=int, default=50_000, help="corrupted files in all")
    parser.add_argument("--seconds", type=float, help="stop after so much time")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--first", type=int, default=0, help="the number of the first one: to go on with a run")
    parser.add_argument("--sort", action="append", choices=[*SORTS], help="only this sort (may be said several times)")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--again", type=int, metavar="NUMBER", help="show one of them again")
    given = parser.parse_args(arguments)
    if given.again is not None:
        settle()
        found = []
        for sort in given.sort or [*SORTS]:
            with tempfile.TemporaryDirectory() as folder:
                found.append(SORTS[sort][0](Path(folder)).run(given.seed, given.again))
                print(found[-1] or f"{sort}: no crash")
        return 1 if any(found) else 0
    reports = corrupt(given.number, given.seed, sorts=given.sort, first=given.first, seconds=given.seconds, jobs=given.jobs,
                      tell=lambda text: print(text, file=sys.stderr, flush=True))  # fmt: skip
    print(json.dumps([report.plain() for report in reports], ensure_ascii=False, indent=1))
    return 1 if any(report.crashes for report in reports) else 0


if __name__ == "__main__":
    sys.exit(main())
