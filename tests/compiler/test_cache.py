"""The cache: what is stored comes back, and nothing that happens to the folder does any harm."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from grimoire.compiler.cache import Cache, content_key

KEY = content_key("some", b"thing")


def files(root: Path) -> list[Path]:
    """Entries, and what lies beside them."""
    return sorted(path for path in root.rglob("*") if path.is_file() and path.parent not in (root, root / "key"))


def test_what_is_put_comes_back(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    assert cache.get(KEY) is None
    cache.put(KEY, b"value")
    cache.put(content_key("other"), b"")
    assert cache.get(KEY) == b"value"
    assert Cache(tmp_path).get(content_key("other")) == b""
    cache.put(KEY, b"newer")
    assert cache.get(KEY) == b"newer"


def test_any_text_is_a_key_and_none_leaves_the_folder(tmp_path: Path) -> None:
    root = tmp_path / "cache"
    cache = Cache(root)
    keys = ["", "a", "../../../evil", "/etc/evil", "a/b", "a\x00b", "\udc80", "x" * 5000, "CON", ".", "ab" * 32]
    for number, key in enumerate(keys):
        cache.put(key, b"%d" % number)
        cache.save_pack(key, {"k": b"%d" % number})
    for number, key in enumerate(keys):
        assert cache.get(key) == b"%d" % number
        assert cache.load_pack(key) == {"k": b"%d" % number}
    assert list(tmp_path.iterdir()) == [root]


def test_keys_tell_parts_apart() -> None:
    keys = [
        content_key(),
        content_key(""),
        content_key(b""),
        content_key("", ""),
        content_key("ab", "c"),
        content_key("a", "bc"),
        content_key("abc"),
        content_key(b"abc"),
        content_key("ж"),
        content_key("ж".encode()),
    ]
    assert len(set(keys)) == len(keys)
    assert content_key("a", b"b") == content_key("a", b"b")


def test_every_damaged_entry_counts_as_missing(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    cache.put(KEY, b"value of some length")
    (path,) = files(tmp_path)
    whole = path.read_bytes()
    for size in range(len(whole)):
        path.write_bytes(whole[:size])
        assert cache.get(KEY) is None, size
    for place in range(len(whole)):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        assert cache.get(KEY) is None, place
    path.write_bytes(whole + b"x")
    assert cache.get(KEY) is None
    cache.put(KEY, b"again")
    assert cache.get(KEY) == b"again"


def test_every_damaged_pack_counts_as_missing(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    entries = {"a": b"1", "": b"", "ж": b"\x00\xff"}
    cache.save_pack("trees", entries)
    assert cache.load_pack("trees") == entries
    (path,) = files(tmp_path)
    whole = path.read_bytes()
    for place in range(len(whole)):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 255]) + whole[place + 1 :])
        assert cache.load_pack("trees") == {}
        path.write_bytes(whole[:place])
        assert cache.load_pack("trees") == {}


def test_an_entry_cannot_be_taken_for_a_pack(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    cache.save_pack("trees", {"a": b"1"})
    (pack,) = files(tmp_path)
    cache.put(KEY, b"x")
    (entry,) = [path for path in files(tmp_path) if path != pack]
    entry.write_bytes(pack.read_bytes())
    assert cache.get(KEY) is None


def test_a_pack_is_one_file_with_the_same_bytes_for_the_same_entries(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    entries = {content_key(str(number)): b"x" * (number % 50) for number in range(10_000)}
    cache.save_pack("one", entries)
    cache.save_pack("two", dict(reversed(entries.items())))
    one, two = files(tmp_path)
    assert one.read_bytes() == two.read_bytes()
    assert cache.load_pack("one") == entries
    cache.save_pack("one", {})
    assert cache.load_pack("one") == {}
    assert cache.load_pack("none") == {}


def test_folders_and_files_in_the_way_are_harmless(tmp_path: Path) -> None:
    root = tmp_path / "cache"
    root.write_text("not a folder")
    cache = Cache(root)
    cache.put(KEY, b"value")
    cache.save_pack("trees", {"a": b"1"})
    assert cache.get(KEY) is None and cache.load_pack("trees") == {}
    other = Cache(tmp_path / "second")
    other.put(KEY, b"value")
    (path,) = files(tmp_path / "second")
    path.unlink()
    path.mkdir()
    assert other.get(KEY) is None
    other.put(KEY, b"value")
    assert other.get(KEY) is None


def test_read_only_folder_reads_but_does_not_write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = tmp_path / "cache"
    Cache(root).put(KEY, b"value")

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "read-only")

    # Permissions do not stop every user (root), so the refusal is played.
    monkeypatch.setattr(os, "replace", refuse)
    cache = Cache(root)
    cache.put(KEY, b"newer")
    cache.put(content_key("x"), b"newer")
    assert cache.get(KEY) == b"value" and cache.get(content_key("x")) is None
    assert [path.suffix for path in files(root)] == [""], "a temporary file was left behind"


@pytest.mark.parametrize(
    "call", ["open", "write", "close", "replace", "rename", "mkdir", "listdir", "scandir", "fstat"]
)
def test_no_fault_of_the_disk_comes_out(call: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every call of one sort fails, from the first or the second on, on a new folder and on one that is there."""
    Cache(tmp_path / "there").put(KEY, b"value")
    real = getattr(os, call)
    for root in (tmp_path / "there", tmp_path / "new"):
        for good in range(3):
            count = [0]

            def fail(*args: Any, count: list[int] = count, good: int = good, **more: Any) -> Any:
                count[0] += 1
                if count[0] > good:
                    if call == "close":
                        real(*args)
                    raise OSError(28, "No space left on device")
                return real(*args, **more)

            with monkeypatch.context() as patch:
                patch.setattr(os, call, fail)
                cache = Cache(root)
                assert cache.get(KEY) in (None, b"value")
                cache.put(KEY, b"value")
                cache.save_pack("trees", {"a": b"1"})
                assert cache.load_pack("trees") in ({}, {"a": b"1"})
    for root in (tmp_path / "there", tmp_path / "new"):
        cache = Cache(root)
        cache.put(KEY, b"value")
        assert cache.get(KEY) == b"value"


def test_the_environment_says_where_and_whether(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GRIMOIRE_CACHE", str(tmp_path / "elsewhere"))
    assert Cache().root == tmp_path / "elsewhere"
    assert Cache(tmp_path / "given").root == tmp_path / "given"
    monkeypatch.setenv("GRIMOIRE_CACHE", "off")
    cache = Cache()
    assert not cache.enabled
    cache.put(KEY, b"value")
    cache.save_pack("trees", {"a": b"1"})
    assert cache.get(KEY) is None and cache.load_pack("trees") == {}
    assert list(tmp_path.iterdir()) == []


def test_the_folder_is_marked_as_a_cache(tmp_path: Path) -> None:
    Cache(tmp_path / "cache").put(KEY, b"value")
    assert (tmp_path / "cache" / ".gitignore").read_text() == "*\n"
    assert (tmp_path / "cache" / "CACHEDIR.TAG").read_text().startswith("Signature: 8a477f597d28d172789f06886806bc55")


@pytest.mark.parametrize(
    ("platform", "variables", "folder"),
    [
        ("linux", {"XDG_CACHE_HOME": "/x/caches"}, "/x/caches/grimoire"),
        ("linux", {"XDG_CACHE_HOME": ""}, "/home/me/.cache/grimoire"),
        ("linux", {"XDG_CACHE_HOME": "caches"}, "/home/me/.cache/grimoire"),
        ("linux", {"HOME": ""}, None),
        ("linux", {"HOME": "relative"}, None),
        ("darwin", {}, "/home/me/Library/Caches/grimoire"),
        ("win32", {"LOCALAPPDATA": "/local"}, "/local/grimoire/Cache"),
        ("win32", {"LOCALAPPDATA": ""}, None),
    ],
)
def test_unasked_it_lies_where_the_platform_keeps_caches(
    platform: str, variables: dict[str, str], folder: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("GRIMOIRE_CACHE")
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setenv("HOME", "/home/me")
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr("sys.platform", platform)
    assert Cache().root == (None if folder is None else Path(folder))


def test_the_oldest_entries_go_when_the_limit_is_passed(tmp_path: Path) -> None:
    cache = Cache(tmp_path, limit=20_000)
    keys = [content_key(str(number)) for number in range(40)]
    for number, key in enumerate(keys):
        cache.put(key, b"x" * 1000)
        for path in files(tmp_path):
            if path.name == key[2:]:
                os.utime(path, (1000 + number, 1000 + number))
    assert sum(path.stat().st_size for path in files(tmp_path)) <= 20_000
    kept = [number for number, key in enumerate(keys) if cache.get(key) is not None]
    assert kept and kept == list(range(40 - len(kept), 40))
    cache.put(content_key("huge"), b"x" * 30_000)
    assert cache.get(content_key("huge")) is None and cache.get(keys[-1]) is not None


def test_left_over_temporary_files_are_swept_but_not_fresh_ones(tmp_path: Path) -> None:
    cache = Cache(tmp_path, limit=5_000)
    cache.put(KEY, b"x" * 100)
    folder = files(tmp_path)[0].parent
    old, fresh, other = (folder / f".grimoire-{name}.tmp" for name in ("0" * 16, "1" * 16, "other"))
    for path in (old, fresh, other):
        path.write_bytes(b"x" * 10)
    os.utime(old, (1, 1))
    os.utime(other, (1, 1))
    for number in range(10):
        cache.put(content_key(str(number)), b"x" * 1000)
    assert not old.exists() and fresh.exists() and other.exists()


WORKER = """
import sys
from pathlib import Path
from grimoire.compiler.cache import Cache
cache = Cache(Path(sys.argv[1]), limit=400_000)
for turn in range(60):
    for number in range(5):
        data = bytes([65 + number]) * 20_000
        found = cache.get(f"key-number-{number}")
        assert found is None or found == data
        cache.put(f"key-number-{number}", data)
    pack = cache.load_pack("shared")
    assert len(set(pack.values())) <= 1
    cache.save_pack("shared", {str(n): sys.argv[2].encode() * 1000 for n in range(20)})
"""


def test_processes_at_the_same_time_never_see_half_an_entry(tmp_path: Path) -> None:
    workers = [subprocess.Popen([sys.executable, "-c", WORKER, str(tmp_path), str(number)]) for number in range(4)]
    assert [worker.wait(timeout=120) for worker in workers] == [0, 0, 0, 0]
    assert not [path for path in files(tmp_path) if path.suffix == ".tmp"]
    assert len(Cache(tmp_path).load_pack("shared")) == 20


# --- nobody else's files, and nobody else's entries -------------------------------------------------------------------

posix = pytest.mark.skipif(os.name != "posix", reason="needs links, owners and modes")


def crowd(cache: Cache) -> None:
    """Write until the oldest entries have to go."""
    for number in range(20):
        cache.put(content_key("crowd", str(number)), b"x" * 1000)


def foreign(folder: Path) -> dict[Path, bytes]:
    """Files of somebody else, older than anything that is written now, some of them called like entries."""
    folder.mkdir(parents=True, exist_ok=True)
    made = {folder / "a" / "letter.txt": b"dear", folder / "ab" / ("0" * 62): b"an index", folder / "notes": b"mine"}
    made |= {folder / "packs" / ("1" * 64): b"wheels", folder / "ab" / ".grimoire-old.tmp": b"plans"}
    for path, data in made.items():
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(data)
        os.utime(path, (1, 1))
    return made


def test_a_folder_with_other_things_in_it_is_not_used(tmp_path: Path) -> None:
    there = foreign(tmp_path / "home")
    cache = Cache(tmp_path / "home", limit=5_000)
    crowd(cache)
    assert {path: path.read_bytes() for path in (tmp_path / "home").rglob("*") if path.is_file()} == there
    assert not cache.enabled and "not of a cache" in str(cache.refused)


def test_other_things_in_our_folder_are_never_deleted(tmp_path: Path) -> None:
    cache = Cache(tmp_path / "cache", limit=5_000)
    cache.put(KEY, b"x")
    there = foreign(tmp_path / "cache")
    crowd(cache)
    assert {path: path.read_bytes() for path in there} == there
    assert cache.get("ab" + "0" * 62) is None and (tmp_path / "cache" / "ab" / ("0" * 62)).exists()
    assert len(files(tmp_path / "cache")) - 4 <= 5, "its own entries were not deleted either"


@posix
def test_no_link_leads_the_cache_elsewhere(tmp_path: Path) -> None:
    there = foreign(tmp_path / "home")
    (tmp_path / "link").symlink_to(tmp_path / "home")
    empty = tmp_path / "empty"
    empty.mkdir()
    (tmp_path / "link-to-nothing").symlink_to(empty)
    for name in ("link", "link-to-nothing"):
        cache = Cache(tmp_path / name, limit=5_000)
        crowd(cache)
        assert not cache.enabled and "link" in str(cache.refused)
    assert not list(empty.iterdir())
    cache = Cache(tmp_path / "cache", limit=5_000)
    cache.put(KEY, b"x")
    for number in range(256):
        if not (folder := tmp_path / "cache" / f"{number:02x}").exists():
            folder.symlink_to(tmp_path / "home" / "ab")
    (tmp_path / "cache" / "packs").symlink_to(tmp_path / "home" / "packs")
    crowd(cache)
    cache.save_pack("trees", {"a": b"1"})
    assert {path: path.read_bytes() for path in (tmp_path / "home").rglob("*") if path.is_file()} == there


@posix
def test_a_link_in_place_of_an_entry_is_neither_read_nor_followed(tmp_path: Path) -> None:
    cache = Cache(tmp_path / "cache")
    cache.put(KEY, b"value")
    (path,) = files(tmp_path / "cache")
    (tmp_path / "away").write_bytes(path.read_bytes())
    path.unlink()
    path.symlink_to(tmp_path / "away")
    before = (tmp_path / "away").read_bytes()
    assert cache.get(KEY) is None
    cache.put(KEY, b"newer")
    assert cache.get(KEY) == b"newer" and (tmp_path / "away").read_bytes() == before


@posix
def test_it_is_for_this_user_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = os.umask(0)
    try:
        cache = Cache(tmp_path / "cache")
        cache.put(KEY, b"value")
    finally:
        os.umask(before)
    for path in [tmp_path / "cache", *(tmp_path / "cache").rglob("*")]:
        assert path.stat().st_mode & 0o777 == (0o700 if path.is_dir() else 0o600), path
    for mode in (0o770, 0o707, 0o777):
        (tmp_path / "cache").chmod(mode)
        assert Cache(tmp_path / "cache").get(KEY) is None
    (tmp_path / "cache").chmod(0o700)
    assert Cache(tmp_path / "cache").get(KEY) == b"value"
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
    assert Cache(tmp_path / "cache").get(KEY) is None


@posix
def test_entries_from_elsewhere_do_not_count(tmp_path: Path) -> None:
    """Not even with the secret that they were made with, as they would come in a repository or an archive."""
    cache = Cache(tmp_path / "made")
    cache.put(KEY, b"forged")
    cache.save_pack("trees", {"a": b"forged"})
    shutil.copytree(tmp_path / "made", tmp_path / "planted")
    planted = Cache(tmp_path / "planted")
    assert planted.get(KEY) is None and planted.load_pack("trees") == {}
    assert planted.enabled and not files(tmp_path / "planted"), "what is wrong is thrown away"
    planted.put(KEY, b"own")
    assert planted.get(KEY) == b"own" and cache.get(KEY) == b"forged"
    (tmp_path / "planted" / "key" / "secret").chmod(0o644)
    assert Cache(tmp_path / "planted").get(KEY) is None


def test_unasked_it_never_lies_in_what_is_checked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GRIMOIRE_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "repository" / ".cache"))
    (tmp_path / "repository" / "games" / "one").mkdir(parents=True)
    for folder, there in ((tmp_path / "repository", False), (tmp_path / "repository" / "games" / "one", True)):
        cache = Cache()
        cache.keep_out_of([folder])
        assert cache.enabled is there
    (tmp_path / "repository" / ".git").mkdir()
    cache = Cache()
    cache.keep_out_of([tmp_path / "repository" / "games" / "one"])
    assert not cache.enabled and "inside" in str(cache.refused)
    monkeypatch.setenv("GRIMOIRE_CACHE", str(tmp_path / "repository" / "kept"))
    cache = Cache()
    cache.keep_out_of([tmp_path / "repository"])
    assert cache.enabled
