"""Keep results of earlier runs on disk under keys made from what they were computed from.

In: keys (`content_key` of everything that a result depends on) and bytes. Out: those bytes again, or None. A cache may
be lost, damaged, shared by processes, read-only or switched off at any time: nothing here raises because of that, and
a damaged entry counts as missing. What the bytes mean is the caller's matter.

What is read here is believed, so nobody else may have written it. The folder belongs to this user alone and has a
secret in it, made once; an entry counts only with a checksum under that secret and under the file that holds it (its
number and its time, which no copy has), so that neither a repository nor an archive can bring entries along. A folder
with other things in it is not used. Only files with the name and the head of an entry are ever deleted, and no link is
followed.
"""

from __future__ import annotations

import os
import re
import stat
import struct
import sys
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from grimoire.compiler.files import TEMPORARY, is_own, is_stale, open_own, put_file, read_open

MAX_CACHE_BYTES: Final = 256 * 1024 * 1024
ENVIRONMENT: Final = "GRIMOIRE_CACHE"

try:  # hashlib would load OpenSSL first, for nothing
    from _blake2 import blake2b as blake2b
except ImportError:  # another Python
    from hashlib import blake2b as blake2b

_ENTRY = b"GRIMOIRE entry 2"
_PACK = b"GRIMOIRE pack 02"
_DIGEST = 20
_HEAD = len(_ENTRY) + _DIGEST
_SIZES = struct.Struct("<QQ")
_SECRET = ("key", "secret")  # a folder with one file: a folder can be put in place only where none is yet
_SECRET_BYTES = 32
_MARKS = (
    (".gitignore", b"*\n"),
    (
        "CACHEDIR.TAG",
        b"Signature: 8a477f597d28d172789f06886806bc55\n# Made by grimoire. It can be deleted at any time.\n",
    ),
)
_PACKS = "packs"
_FOLDER_NAME = re.compile(rf"[0-9a-f]{{2}}\Z|{_PACKS}\Z")
_FILE_NAME = re.compile(r"[0-9a-f]{62}\Z|[0-9a-f]{64}\Z")
_KEY = re.compile(r"[0-9a-f]{64}\Z")


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

    Without a root it lies where the platform keeps the caches of a user, or where the variable GRIMOIRE_CACHE says;
    with GRIMOIRE_CACHE=off nothing is read or written. `refused` says why a folder that is there is not used.
    """

    def __init__(self, root: Path | None = None, *, limit: int = MAX_CACHE_BYTES) -> None:
        setting = os.environ.get(ENVIRONMENT, "").strip()
        self.asked = root is not None or bool(setting)
        if root is None and setting.lower() != "off":
            root = Path(setting) if setting else user_folder()
        self.root = root
        self.refused: str | None = None
        self._limit = limit
        self._size: int | None = None  # estimate of what the folder holds; counted at the first write
        self._secret: bytes | None = None
        self._marked = False

    @property
    def enabled(self) -> bool:
        return self.root is not None and self.refused is None

    def keep_out_of(self, folders: Iterable[Path]) -> None:
        """Do without a cache that lies in one of these folders, or in their repository, unless it was asked for
        there."""
        if self.root is None or self.asked:
            return
        own = Path(os.path.realpath(self.root))
        for folder in folders:
            top = Path(os.path.realpath(folder))
            top = next((above for above in (top, *top.parents) if (above / ".git").exists()), top)
            if own.is_relative_to(top):
                self.refused = f"it lies inside {top}, which is checked"

    def get(self, key: str) -> bytes | None:
        """The bytes stored under a key, or None."""
        return self._read(self._path(key), _ENTRY)

    def put(self, key: str, data: bytes) -> None:
        """Store bytes under a key; whoever reads at the same time sees all of them or none."""
        self._write(self._path(key), _ENTRY, data)

    def drop(self, key: str) -> None:
        """Forget what is stored under a key."""
        self._delete(self._path(key))

    def load_pack(self, name: str) -> dict[str, bytes]:
        """All entries of a pack, one file with many small entries; empty if there is none."""
        body = self._read(self._pack_path(name), _PACK)
        return {} if body is None else _unpack(body)

    def save_pack(self, name: str, entries: dict[str, bytes]) -> None:
        """Replace a pack as a whole. When two processes save at once, one of them wins."""
        self._write(self._pack_path(name), _PACK, _pack(entries))

    def drop_pack(self, name: str) -> None:
        """Forget a pack."""
        self._delete(self._pack_path(name))

    def _path(self, key: str) -> tuple[str, str]:
        plain = key if _KEY.match(key) else content_key("key", key)
        return plain[:2], plain[2:]

    def _pack_path(self, name: str) -> tuple[str, str]:
        return _PACKS, content_key("pack", name)

    # --- one file ---

    def _read(self, place: tuple[str, str], magic: bytes) -> bytes | None:
        try:
            if not self._open(make=False) or not _is_own_folder(self._at(place[0])):
                return None
            path = self._at(*place)
            handle = open_own(path)
            try:
                data = read_open(path, handle, self._limit)
            finally:
                os.close(handle)
        except OSError:
            return None
        body = data[_HEAD:]
        if data[: len(magic)] == magic and data[len(magic) : _HEAD] == self._checksum(magic, body):
            return body
        self._delete(place)
        return None

    def _write(self, place: tuple[str, str], magic: bytes, body: bytes) -> None:
        if not self.enabled or len(body) + _HEAD > self._limit:
            return
        try:
            if self._open(make=True) and _is_own_folder(self._at(place[0]), make=True):
                self._mark()
                put_file(self._at(*place), magic + self._checksum(magic, body) + body)
                self._grow(len(body) + _HEAD)
        except OSError:
            # No room, no right, or the folder is gone: the next run computes it again.
            return

    def _delete(self, place: tuple[str, str]) -> None:
        """Delete an entry, if that is what lies there."""
        try:
            if self._open(make=False) and _is_own_folder(self._at(place[0])) and _is_entry(self._at(*place)):
                os.unlink(self._at(*place))
        except OSError:
            return

    def _at(self, *names: str) -> str:
        assert self.root is not None
        return os.path.join(self.root, *names)

    def _checksum(self, magic: bytes, body: bytes) -> bytes:
        assert self._secret is not None
        return blake2b(body, digest_size=_DIGEST, key=self._secret, person=magic).digest()

    # --- the folder ---

    def _open(self, *, make: bool) -> bool:
        """Whether the folder can be used: it is there, or is made, and is this tool's and this user's own. Raises
        OSError."""
        if self._secret is not None or not self.enabled:
            return self.enabled
        root = self._at()
        if make and not os.path.lexists(root):
            os.makedirs(root, 0o700, exist_ok=True)
        try:
            fits = _is_own_folder(root)
        except FileNotFoundError:
            return False
        if not fits:
            self.refused = "it is no folder, or a link, or not of this user alone"
            return False
        self._secret = self._read_secret()
        if self._secret is None and all(TEMPORARY.match(name) for name in os.listdir(root)):
            if not make:
                return False
            self._make_secret()
            self._secret = self._read_secret()
        if self._secret is None:
            self._secret = self._read_secret()  # another process may have made it between two steps
        if self._secret is None:
            self.refused = "it has files that are not of a cache of this tool"
        return self.enabled

    def _read_secret(self) -> bytes | None:
        path = self._at(*_SECRET)
        try:
            if not _is_own_folder(os.path.dirname(path)):
                return None
            handle = open_own(path)
        except OSError:
            return None
        try:
            status = os.fstat(handle)
            secret = read_open(path, handle, _SECRET_BYTES)
        except OSError:
            return None
        finally:
            os.close(handle)
        if len(secret) != _SECRET_BYTES or (os.name == "posix" and status.st_mode & 0o077):
            return None
        return secret + _SIZES.pack(status.st_ino & 2**64 - 1, status.st_ctime_ns & 2**64 - 1)

    def _make_secret(self) -> None:
        part = self._at(f".grimoire-{os.urandom(8).hex()}.tmp")
        os.mkdir(part, 0o700)
        try:
            put_file(os.path.join(part, _SECRET[1]), os.urandom(_SECRET_BYTES))
            os.rename(part, self._at(_SECRET[0]))
        except OSError:  # another process was quicker, or there is no room
            try:
                os.unlink(os.path.join(part, _SECRET[1]))
            finally:
                os.rmdir(part)

    def _mark(self) -> None:
        """Keep the folder out of version control and backups."""
        if not self._marked:
            for name, data in _MARKS:
                if not os.path.lexists(self._at(name)):
                    put_file(self._at(name), data)
            self._marked = True

    # --- its size ---

    def _grow(self, added: int) -> None:
        if self._size is None:
            self._size = sum(entry.stat(follow_symlinks=False).st_size for entry in self._entries())
        else:
            self._size += added
        if self._size > self._limit:
            self._size = self._prune()

    def _prune(self) -> int:
        """Delete the oldest entries until four fifths of the limit are left, and what killed processes have left; what
        remains."""
        found: list[tuple[float, str, int]] = []
        now = time.time()
        for entry in self._entries():
            status = entry.stat(follow_symlinks=False)
            if not TEMPORARY.match(entry.name):
                found.append((status.st_mtime, entry.path, status.st_size))
            elif is_stale(entry, now):
                os.unlink(entry.path)
        size = sum(row[2] for row in found)
        for _, path, length in sorted(found):
            if size <= self._limit * 4 // 5:
                break
            try:
                if _is_entry(path):
                    os.unlink(path)
            except OSError:
                continue
            size -= length
        return size

    def _entries(self) -> list[os.DirEntry[str]]:
        """What lies where entries lie and is called as they are, or as a temporary file is."""
        found: list[os.DirEntry[str]] = []
        with os.scandir(self._at()) as folders:
            names = [one.name for one in folders if _FOLDER_NAME.match(one.name) and one.is_dir(follow_symlinks=False)]
        for name in names:
            with os.scandir(self._at(name)) as entries:
                found += [
                    entry
                    for entry in entries
                    if (_FILE_NAME.match(entry.name) or TEMPORARY.match(entry.name))
                    and entry.is_file(follow_symlinks=False)
                ]
        return found


def user_folder() -> Path | None:
    """Where the platform keeps the caches of a user; None where there is no such place."""
    if sys.platform == "win32":
        local = os.environ.get("LOCALAPPDATA", "")
        return Path(local, "grimoire", "Cache") if os.path.isabs(local) else None
    home = os.path.expanduser("~") if os.environ.get("HOME") != "" else ""
    if sys.platform == "darwin":
        return Path(home, "Library", "Caches", "grimoire") if os.path.isabs(home) else None
    given = os.environ.get("XDG_CACHE_HOME", "")
    if os.path.isabs(given):  # any other is to be ignored, says the convention
        return Path(given, "grimoire")
    return Path(home, ".cache", "grimoire") if os.path.isabs(home) else None


def _is_own_folder(path: str, *, make: bool = False) -> bool:
    """Whether this is a folder itself, no link, to which this user alone writes. Raises OSError."""
    if make:
        try:
            os.mkdir(path, 0o700)
        except FileExistsError:
            pass
    status = os.lstat(path)
    return stat.S_ISDIR(status.st_mode) and is_own(status)


def _is_entry(path: str) -> bool:
    """Whether a file begins as one that was written here. Raises OSError."""
    handle = open_own(path)
    try:
        return os.read(handle, len(_ENTRY)) in (_ENTRY, _PACK)
    finally:
        os.close(handle)


def _pack(entries: dict[str, bytes]) -> bytes:
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
