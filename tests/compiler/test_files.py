"""Writing files: all or nothing, the rights and the links of what was there, and nothing left behind."""

from __future__ import annotations

import errno
import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from grimoire.compiler import files
from grimoire.compiler.api.check import check
from grimoire.compiler.files import NotWritten, replace_files, write_file
from tests.cli.sample import write_sample
from tests.faults import FAULTS, FaultyOs, left_over

posix = pytest.mark.skipif(os.name != "posix", reason="needs links, modes and pipes")


def test_a_file_is_made_and_replaced(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b" / "file"
    write_file(path, b"one")
    write_file(path, b"two")
    assert path.read_bytes() == b"two" and [name.name for name in path.parent.iterdir()] == ["file"]


@posix
def test_rights_stay(tmp_path: Path) -> None:
    path = tmp_path / "file"
    before = os.umask(0o022)
    try:
        write_file(path, b"one")
        assert path.stat().st_mode & 0o777 == 0o644
        for mode in (0o600, 0o664, 0o755):
            path.chmod(mode)
            write_file(path, b"two")
            assert path.stat().st_mode & 0o777 == mode
    finally:
        os.umask(before)


@posix
def test_a_protected_file_is_not_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old")
    monkeypatch.setattr(os, "access", lambda path, mode: False)  # root may do everything
    with pytest.raises(NotWritten, match="write-protected; nothing is lost"):
        write_file(path, b"new")
    assert path.read_bytes() == b"old" and not left_over(tmp_path)


@posix
def test_a_link_stays_and_does_not_lead_out(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    (home / "real").write_bytes(b"old")
    (home / "link").symlink_to("real")
    write_file(home / "link", b"new", inside=home)
    assert (home / "link").is_symlink() and (home / "real").read_bytes() == b"new"
    (tmp_path / "away").write_bytes(b"old")
    (home / "out").symlink_to(tmp_path / "away")
    (home / "folder").symlink_to(tmp_path)
    for name in ("out", "folder/away", "../away"):
        with pytest.raises(NotWritten, match="a link leads out"):
            write_file(home / name, b"new", inside=home)
    assert (tmp_path / "away").read_bytes() == b"old"
    write_file(home / "out", b"asked for")
    assert (tmp_path / "away").read_bytes() == b"asked for"


@posix
def test_what_is_no_file_gets_the_bytes_as_they_come(tmp_path: Path) -> None:
    command = (
        "from pathlib import Path; from grimoire.compiler.files import write_file; "
        "write_file(Path('/dev/stdout'), b'new')"
    )
    done = subprocess.run([sys.executable, "-c", command], capture_output=True, check=True)
    assert done.stdout == b"new"
    log = tmp_path / "log"
    log.write_bytes(b"old ")
    with log.open("ab") as out:  # as the shell does for >>
        subprocess.run([sys.executable, "-c", command], stdout=out, check=True)
    assert log.read_bytes() == b"old new"
    write_file(Path(os.devnull), b"new")
    assert not Path(os.devnull).is_file()
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(NotWritten, match="not a regular file"):
        replace_files({tmp_path / "pipe": b"new"})


@pytest.mark.parametrize("name", ["", "\0", "a/\0", "x" * 5000])
def test_a_name_that_no_file_has(name: str, tmp_path: Path) -> None:
    with pytest.raises((NotWritten, ValueError)):
        write_file(tmp_path / "file" / name if name else tmp_path, b"new")
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


@pytest.mark.parametrize("lasting", [False, True])
@pytest.mark.parametrize("fault", [*FAULTS])
def test_of_several_files_all_or_none(
    fault: str, lasting: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A new file, one in a new folder, and two that are there, with every call failing in turn."""
    old = {"a": b"old a", "b": b"old b"}
    new = {"a": b"new a", "b": b"new b", "c": b"new c", "d/e": b"new e"}
    for at in range(1, 200):
        folder = tmp_path / str(at)
        folder.mkdir()
        for name, data in old.items():
            (folder / name).write_bytes(data)
        disk = FaultyOs(at, FAULTS[fault], lasting=lasting)
        failed = False
        with monkeypatch.context() as patch:
            patch.setattr(files, "os", disk)
            try:
                replace_files({folder / name: data for name, data in new.items()})
            except (NotWritten, KeyboardInterrupt) as error:
                failed = True
                assert fault == "stopped" or isinstance(error, NotWritten)
        now = {
            path.relative_to(folder).as_posix(): path.read_bytes()
            for path in folder.rglob("*")
            if path.is_file() and not files.TEMPORARY.match(path.name)
        }
        if failed and not lasting:
            assert now in (old, new), (at, disk.calls)
        elif not failed:
            assert now == new, (at, disk.calls)
        for name in {*old, *new}:
            assert now.get(name) in (old.get(name), new.get(name)), (at, name)
        if not disk.fired:
            assert not left_over(folder)
            return
    raise AssertionError("the calls have no end")


def test_what_a_killed_process_left_is_swept_and_read_by_nobody(tmp_path: Path) -> None:
    root = write_sample(tmp_path / "sample")
    clean = check([root])
    names = [".grimoire-" + digit * 16 + ".tmp" for digit in "0123"]
    for name in names:
        (root / name).write_bytes(b"cards: [")
    (root / ".grimoire-mine.tmp").write_bytes(b"mine")
    assert check([root]) == clean
    os.utime(root / names[0], (1, 1))
    os.utime(root / ".grimoire-mine.tmp", (1, 1))
    (root / names[3]).unlink()
    (root / names[3]).mkdir()
    os.utime(root / names[3], (1, 1))
    write_file(root / "more.yaml", b"")
    assert sorted(path.name for path in root.glob(".*")) == sorted([*names[1:], ".grimoire-mine.tmp"])


@posix
def test_a_file_larger_than_may_be(tmp_path: Path) -> None:
    """A limit of the system, as a disk that is full after some bytes: the command says which file, and that nothing is
    lost."""
    root = write_sample(tmp_path / "sample")
    rules = root / "rules.yaml"
    rules.write_text(rules.read_text().replace("is now your", "is  now your") + "# and so on\n" * 4000)
    before = rules.read_bytes()

    def limit() -> None:
        import signal

        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (8192, 8192))

    command = [sys.executable, "-m", "grimoire.compiler.cli", "fmt", str(root)]
    done = subprocess.run(
        command, capture_output=True, text=True, preexec_fn=limit, env={**os.environ, "GRIMOIRE_CACHE": "off"}
    )
    assert done.returncode == 1
    assert done.stderr == f"grimoire: {rules}: {os.strerror(errno.EFBIG)}; nothing is lost: the file is as it was\n"
    assert rules.read_bytes() == before and not left_over(root)
