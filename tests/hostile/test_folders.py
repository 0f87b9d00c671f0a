"""Hostile folders: links, pipes, folders called like files, odd names, packages that need each other."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from grimoire.compiler import CompileFailed, build, check
from grimoire.compiler.diagnostics.report import render_text, to_json

from .kit import BASE, SECONDS, codes, findings, package
from .watch import time_limit

posix = pytest.mark.skipif(os.name != "posix", reason="needs links and pipes")


@posix
def test_broken_link(tmp_path: Path) -> None:
    root = package(tmp_path)
    (root / "example.yaml").symlink_to("nowhere.yaml")
    assert codes(root) == {"G0104"}


@posix
def test_link_in_a_circle(tmp_path: Path) -> None:
    root = package(tmp_path)
    (root / "example.yaml").symlink_to("example.yaml")
    assert codes(root) == {"G0104"}


@posix
def test_link_out_of_the_package(tmp_path: Path) -> None:
    root = package(tmp_path)
    (tmp_path / "secret.yaml").write_text("counters: {secret: number}\n")
    (root / "example.yaml").symlink_to(tmp_path / "secret.yaml")
    assert codes(root) == {"G0104"}


@posix
def test_link_to_a_folder_above(tmp_path: Path) -> None:
    root = package(tmp_path)
    (root / "loop").symlink_to(root)
    assert codes(root) == {"G0104"}


@posix
def test_pipe(tmp_path: Path) -> None:
    root = package(tmp_path)
    os.mkfifo(root / "example.yaml")
    assert codes(root) == {"G0102"}


@posix
def test_file_name_that_is_not_utf8(tmp_path: Path) -> None:
    root = package(tmp_path)
    with open(os.path.join(os.fsencode(root), b"caf\xe9.yaml"), "wb") as file:
        file.write(b"counters: {a: number}\n")
    assert codes(root) == {"G0121"}


@posix
def test_pipe_as_manifest(tmp_path: Path) -> None:
    root = package(tmp_path)
    (root / "package.yaml").unlink()
    os.mkfifo(root / "package.yaml")
    with time_limit(SECONDS):
        assert {item.code for item in check([root])} <= {"G0102", "G0201"}


@posix
def test_socket(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = package(tmp_path)
    monkeypatch.chdir(root)  # the path of a socket must be short
    with socket.socket(socket.AF_UNIX) as made:
        made.bind("example.yaml")
        assert codes(root) <= {"G0102", "G0103"} and codes(root)


def test_manifest_that_is_a_folder(tmp_path: Path) -> None:
    root = package(tmp_path)
    (root / "package.yaml").unlink()
    (root / "package.yaml").mkdir()
    assert {item.code for item in check([root])} <= {"G0102", "G0201"}


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root reads everything")
def test_unreadable(tmp_path: Path) -> None:
    root = package(tmp_path)
    (root / "cards.yaml").chmod(0)
    assert "G0103" in codes(root)


def test_unreadable_by_the_system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = package(tmp_path)
    real = os.open

    def refuse(path: object, *rest: object, **more: object) -> int:
        if str(path).endswith("cards.yaml"):
            raise PermissionError(13, "Permission denied")
        return real(path, *rest, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(os, "open", refuse)
    monkeypatch.setattr(Path, "read_bytes", lambda path: refuse(path, os.O_RDONLY) and b"")
    assert "G0103" in {item.code for item in check([root])}


@pytest.mark.parametrize(
    "name", ["a\nb.yaml", "a\x1b[2Jb.yaml", "\u202egnp.yaml", "a b.yaml", "é.yaml", "-x.yaml", "'.yaml"]
)
def test_odd_file_name(name: str, tmp_path: Path) -> None:
    root = package(tmp_path)
    (root / name).write_text("counters:\n  Bad: number\n")
    found = findings(root)
    # a name that nobody can see is refused; any other is just a name
    assert [item.code for item in found] == ["G0308" if name.isprintable() else "G0121"]
    shown = render_text(found, {})
    assert all(char.isprintable() or char == "\n" for char in shown)
    assert len(shown.splitlines()) <= 3
    assert to_json(found)["diagnostics"][0]["file"].endswith(name)


def test_many_folders(tmp_path: Path) -> None:
    root = package(tmp_path)
    deep = root
    for _ in range(100):
        deep = deep / "sub"
    deep.mkdir(parents=True)
    (deep / "more.yaml").write_text("counters:\n  Bad: number\n")
    assert codes(root) == {"G0308"}


# --- packages that need each other ------------------------------------------------------------------------------------


def manifest(folder: Path, name: str, needs: list[str]) -> Path:
    root = folder / name
    root.mkdir(parents=True)
    lines = "".join(f'  {need}: "*"\n' for need in needs)
    head = f"package: {name}\nversion: 1.0.0\nlanguage: 2\nlanguages: [en]\n"
    (root / "package.yaml").write_text(head + (f"needs:\n{lines}" if needs else ""))
    (root / "more.yaml").write_text(f"counters:\n  count-{name}: number\n")
    return root


@pytest.mark.parametrize("size", [1, 2, 3, 200])
def test_cycle(size: int, tmp_path: Path) -> None:
    for i in range(size):
        manifest(tmp_path, f"p{i}", [f"p{(i + 1) % size}"])
    with time_limit(SECONDS):
        found = {item.code for item in check([tmp_path])}
    assert "G0215" in found
    with time_limit(SECONDS), pytest.raises(CompileFailed) as failed:
        build(tmp_path / "p0")
    assert "G0215" in {item.code for item in failed.value.diagnostics}


def test_need_of_nothing(tmp_path: Path) -> None:
    root = manifest(tmp_path, "p0", ["p1"])
    with time_limit(SECONDS):
        assert "G0213" in {item.code for item in check([root])}


def test_a_card_of_another_package_is_broken(tmp_path: Path) -> None:
    """The place of a finding is in the file that has it, whichever package is checked."""
    base = package(tmp_path)
    (base / "example.yaml").write_text("counters:\n  Bad: number\n")
    root = manifest(tmp_path, "more", ["base"])
    with time_limit(SECONDS):
        found = [item for item in check([root]) if item.code == "G0308"]
    assert [Path(item.span.file).parent.name for item in found] == ["base"]


def test_no_such_path(tmp_path: Path) -> None:
    for odd in ("no-such", "", ".", "/", "\x00", "a\nb", "x" * 5_000, str(BASE / "cards.yaml" / "x")):
        with time_limit(SECONDS):
            assert isinstance(check([odd] if odd != "/" else ["/nonexistent/"]), list)
