"""Keep results of earlier runs on disk under keys made from what they were computed from.

In: keys (`content_key` of everything that a result depends on) and bytes. Out: those bytes again, or None. A cache may
be lost, damaged, shared by processes, read-only or switched off at any time: nothing here raises because of that, and
a damaged entry counts as missing. What the bytes mean is the caller's matter.
"""

from __future__ import annotations

import os
import re
import struct
import time
from itertools import count
from pathlib import Path
from typing import Final

MAX_CACHE_BYTES: Final = 256 * 1024 * 1024
ENVIRONMENT: Final = "GRIMOIRE_CACHE"
DEFAULT_FOLDER: Final = ".grimoire-cache"

try:  # hashlib would load OpenSSL first, for nothing
    from _blake2 import blake2b as blake2b
except ImportError:  # another Python
    from hashlib import blake2b as blake2b

_ENTRY = b"GRIMOIRE entry 1"
_PACK = b"GRIMOIRE pack 01"
_DIGEST = 20
_HEAD = len(_ENTRY) + _DIGEST
_SIZES = struct.Struct("<QQ")
_PLAIN_KEY = r"[0-9a-z][0-9a-z_-]{7,127}\Z"
_STALE_SECONDS = 3600
_serial = count()


def content_key(*parts: bytes | str) -> str:
    """A key for a result that depends on exactly these parts, in this order."""
    digest = blake2b(digest_size=32)
    for part in parts:
        # Kind and length go first, so that ("ab", "c"), ("a", "bc") and (b"ab", "c") are three keys.
        data = part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part
        digest.update(b"%c%d:" % (b"s" if isinstance(part, str) else b"b", len(data)))
        digest.update(data)
    return digest.hexdigest()


class Cache:
    """A folder of checksummed entries.

    Without a root it lies in `.grimoire-cache` under the current folder, or where the variable GRIMOIRE_CACHE says;
    with GRIMOIRE_CACHE=off nothing is read or written.
    """

    def __init__(self, root: Path | None = None, *, limit: int = MAX_CACHE_BYTES) -> None:
        self.root: Path | None = _root_from_environment() if root is None else root
        self._limit = limit
        self._size: int | None = None  # estimate of what the folder holds; counted at the first write
        self._ready = False

    @property
    def enabled(self) -> bool:
        return self.root is not None

    def get(self, key: str) -> bytes | None:
        """The bytes stored under a key, or None."""
        path = self._path(key)
        return None if path is None else _read(path, _ENTRY, self._limit)

    def put(self, key: str, data: bytes) -> None:
        """Store bytes under a key; whoever reads at the same time sees all of them or none."""
        path = self._path(key)
        if path is not None:
            self._write(path, _ENTRY, data)

    def load_pack(self, name: str) -> dict[str, bytes]:
        """All entries of a pack, one file with many small entries; empty if there is none."""
        path = self._pack_path(name)
        body = None if path is None else _read(path, _PACK, self._limit)
        if body is None:
            return {}
        return _unpack(body)

    def save_pack(self, name: str, entries: dict[str, bytes]) -> None:
        """Replace a pack as a whole. When two processes save at once, one of them wins."""
        path = self._pack_path(name)
        if path is not None:
            self._write(path, _PACK, _packed(entries))

    def _path(self, key: str) -> Path | None:
        if self.root is None:
            return None
        plain = key if re.match(_PLAIN_KEY, key) else content_key("key", key)
        return self.root / plain[:2] / plain[2:]

    def _pack_path(self, name: str) -> Path | None:
        if self.root is None:
            return None
        plain = name if re.match(r"[0-9a-z][0-9a-z_-]{0,63}\Z", name) else content_key("pack", name)
        return self.root / "packs" / plain

    def _write(self, path: Path, magic: bytes, body: bytes) -> None:
        if self.root is None or len(body) + _HEAD > self._limit:
            return
        # The process id and a counter make the name unique, also between processes that start at the same moment.
        temporary = path.with_name(f"{path.name}.{os.getpid()}-{next(_serial)}.tmp")
        try:
            self._prepare()
            path.parent.mkdir(parents=True, exist_ok=True)
            try:
                with open(temporary, "wb") as stream:
                    stream.write(magic + _checksum(magic, body))
                    stream.write(body)
                os.replace(temporary, path)
            except OSError:
                temporary.unlink(missing_ok=True)
                raise
            self._grow(len(body) + _HEAD)
        except OSError:
            # No room, no right, or the folder is gone: the next run computes it again.
            return

    def _prepare(self) -> None:
        """Keep the folder out of version control and backups."""
        if self._ready or self.root is None:
            return
        self.root.mkdir(parents=True, exist_ok=True)
        for name, text in (
            (".gitignore", "*\n"),
            ("CACHEDIR.TAG", "Signature: 8a477f597d28d172789f06886806bc55\n"),
        ):
            if not (self.root / name).exists():
                (self.root / name).write_text(text, encoding="utf-8")
        self._ready = True

    def _grow(self, added: int) -> None:
        if self._size is None:
            self._size = sum(size for _, _, size in self._entries())
        else:
            self._size += added
        if self._size > self._limit:
            self._size = self._prune()

    def _prune(self) -> int:
        """Delete the oldest entries until four fifths of the limit are left; what remains."""
        entries = sorted(self._entries())
        size = sum(entry[2] for entry in entries)
        now = time.time()
        for changed, path, length in entries:
            stale = path.endswith(".tmp") and now - changed > _STALE_SECONDS
            if size <= self._limit * 4 // 5 and not stale:
                continue
            if path.endswith(".tmp") and not stale:
                continue  # another process is writing it
            try:
                os.unlink(path)
                size -= length
            except OSError:
                continue
        return size

    def _entries(self) -> list[tuple[float, str, int]]:
        """(time of change, path, size) of every entry."""
        found: list[tuple[float, str, int]] = []
        if self.root is None:
            return found
        for folder, _, names in os.walk(self.root):
            if folder == str(self.root):
                continue
            for name in names:
                path = os.path.join(folder, name)
                try:
                    status = os.lstat(path)
                except OSError:
                    continue
                found.append((status.st_mtime, path, status.st_size))
        return found


def _root_from_environment() -> Path | None:
    setting = os.environ.get(ENVIRONMENT, "").strip()
    if setting.lower() == "off":
        return None
    return Path(setting) if setting else Path.cwd() / DEFAULT_FOLDER


def _checksum(magic: bytes, body: bytes) -> bytes:
    return blake2b(body, digest_size=_DIGEST, key=magic).digest()


def _read(path: Path, magic: bytes, limit: int) -> bytes | None:
    try:
        if os.stat(path).st_size > limit:
            return None
        data = path.read_bytes()
    except OSError:
        return None
    body = data[_HEAD:]
    if data[: len(magic)] != magic or data[len(magic) : _HEAD] != _checksum(magic, body):
        return None
    return body


def _packed(entries: dict[str, bytes]) -> bytes:
    parts = [_SIZES.pack(len(entries), 0)]
    for key in sorted(entries):
        name = key.encode("utf-8", "surrogatepass")
        parts += (_SIZES.pack(len(name), len(entries[key])), name, entries[key])
    return b"".join(parts)


def _unpack(body: bytes) -> dict[str, bytes]:
    """The checksum was right, so a fault here means that another version wrote it: nothing is taken then."""
    entries: dict[str, bytes] = {}
    try:
        number, _ = _SIZES.unpack_from(body, 0)
        at = _SIZES.size
        for _ in range(number):
            name_size, size = _SIZES.unpack_from(body, at)
            at += _SIZES.size
            middle, end = at + name_size, at + name_size + size
            if end > len(body):
                return {}
            entries[body[at:middle].decode("utf-8", "surrogatepass")] = body[middle:end]
            at = end
    except (struct.error, UnicodeDecodeError):
        return {}
    return entries if at == len(body) else {}
