"""What is no file to read is refused at once, wherever a command reads: pipes, devices, sockets, folders, links, files
without an end."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from grimoire.compiler.cli import main
from grimoire.compiler.files import MAX_INPUT, NotRead, read_file
from tests.cli.sample import write_sample

from .kit import SECONDS, package
from .watch import time_limit

pytestmark = pytest.mark.skipif(os.name != "posix", reason="needs pipes, devices and links")


def pipe(path: Path) -> None:
    os.mkfifo(path)


def endless(path: Path) -> None:
    path.symlink_to("/dev/zero")


def terminal(path: Path) -> None:
    path.symlink_to("/dev/tty")


def listening(path: Path) -> None:
    before = Path.cwd()
    os.chdir(path.parent)  # the path of a socket must be short
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(path.name)
    os.chdir(before)


def folder(path: Path) -> None:
    path.mkdir()


def circle(path: Path) -> None:
    path.symlink_to(path.name)


def nothing(path: Path) -> None:
    path.symlink_to("nowhere")


def large(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(MAX_INPUT + 1)


MAKERS = (pipe, endless, terminal, listening, folder, circle, nothing, large)
COMMANDS = (
    ("replay", "{odd}.json"),
    ("play", "sample", "--bots", "--load", "{odd}.json"),
    ("l10n", "import", "sample", "{odd}.po", "--lang", "uk"),
    ("l10n", "check", "{odd}.po"),
    ("l10n", "audit", "sample", "--lang", "uk", "--text", "{odd}.txt"),
    ("list", "{odd}.json"),
    ("cover", "sample", "--games", "1", "--explained", "{odd}.yaml"),
    ("check", "{odd}.yaml"),
    ("check", "sample/{odd}.yaml"),
    ("build", "sample/{odd}.yaml", "-o", "made.json"),
    ("fmt", "sample/{odd}.yaml"),
)


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize(
    "words", COMMANDS, ids=["-".join(words[:2]).split("/")[0].replace("{odd}", "odd") for words in COMMANDS]
)
def test_refused_at_once(
    words: tuple[str, ...],
    make: Callable[[Path], None],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    write_sample(tmp_path / "sample")
    given = next(word for word in words if "{odd}" in word)
    make(tmp_path / given.format(odd="odd"))
    with time_limit(SECONDS):
        code = main([word.format(odd="odd") for word in words])
    out, err = capsys.readouterr()
    assert "Traceback" not in out + err
    if make is not folder or "/" not in given:  # a folder in a package may be called as it likes
        assert code in (1, 2) and "odd" in out + err, (out, err)
        assert not Path("made.json").exists()


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize("name", ["odd.yaml", "text/odd.yaml", "scenarios/odd.yaml", "l10n/uk.yaml", "package.yaml"])
def test_in_a_package(
    name: str,
    make: Callable[[Path], None],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    path = write_sample(tmp_path / "sample") / name
    path.parent.mkdir(exist_ok=True)
    path.unlink(missing_ok=True)
    make(path)
    for words in (
        ("check", "sample"),
        ("fmt", "sample"),
        ("build", "sample", "-o", "made.json"),
        ("l10n", "stats", "sample"),
    ):
        with time_limit(SECONDS):
            code = main([*words])
        out, err = capsys.readouterr()
        assert "Traceback" not in out + err
        reads = words[0] == "check" or (words[0] == "build" and not name.startswith(("scenarios/", "l10n/")))
        if reads and (make is not folder or name == "package.yaml"):  # a folder may be called as it likes
            assert code in (1, 2) and Path(name).name in out + err, (words, out, err)


def test_a_folder_of_links(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """To the whole disk, to the folder itself, to each other: none is followed, and each that could be meant is
    told."""
    root = package(tmp_path)
    (tmp_path / "disk").symlink_to("/")
    (tmp_path / "self").symlink_to(tmp_path)
    (tmp_path / "again").symlink_to(root)
    for number in range(300):
        (root / f"to-{number}").symlink_to(f"to-{number + 1}" if number < 299 else "/")
    with time_limit(SECONDS):
        assert main(["check", str(tmp_path)]) == 1
    out, err = capsys.readouterr()
    assert "the link 'again' leads to a package" in out and "the link 'to-299' leads to a folder" in out
    assert "/proc" not in out + err


def test_nothing_behind_a_link_is_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = package(tmp_path)
    (tmp_path / "secret").write_text("swordfish\n")
    (root / "example.yaml").symlink_to(tmp_path / "secret")
    assert main(["check", str(root)]) == 1
    out, err = capsys.readouterr()
    assert "the link 'example.yaml' leads out" in out and "swordfish" not in out + err


def test_fmt_changes_nothing_outside(tmp_path: Path) -> None:
    """Through a package that is a link, or a file that is one."""
    away = write_sample(tmp_path / "away")
    rules = away / "rules.yaml"
    rules.write_text(rules.read_text().replace("is now your", "is  now your"))
    here = tmp_path / "here"
    here.mkdir()
    (here / "sample").symlink_to(away)
    own = write_sample(here / "own")
    manifest = own / "package.yaml"
    manifest.write_text(manifest.read_text().replace("package: sample", "package: own"))
    (own / "rules.yaml").unlink()
    (own / "rules.yaml").symlink_to(rules)
    before = rules.read_bytes()
    main(["fmt", str(here)])
    main(["fmt", str(own)])
    assert rules.read_bytes() == before


@pytest.mark.parametrize("sort", ["special", "folder", "large"])
def test_reading_says_what_is_wrong(sort: str, tmp_path: Path) -> None:
    path = tmp_path / "odd"
    {"special": pipe, "folder": folder, "large": large}[sort](path)
    with time_limit(SECONDS), pytest.raises(NotRead) as error:
        read_file(path)
    assert error.value.why == sort and error.value.filename == str(path)
