"""The cache: what is stored comes back, and nothing that happens to the folder does any harm."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from grimoire.compiler.cache import Cache, content_key

KEY = content_key("some", b"thing")


def files(root: Path) -> list[Path]:
    return sorted(path for path in root.rglob("*") if path.is_file() and path.parent != root)


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


def test_the_environment_says_where_and_whether(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GRIMOIRE_CACHE", raising=False)
    assert Cache().root == tmp_path / ".grimoire-cache"
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
    old, fresh = folder / "old.1-1.tmp", folder / "fresh.1-2.tmp"
    for path in (old, fresh):
        path.write_bytes(b"x" * 10)
    os.utime(old, (1, 1))
    for number in range(10):
        cache.put(content_key(str(number)), b"x" * 1000)
    assert not old.exists() and fresh.exists()


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
