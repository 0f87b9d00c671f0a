"""Read and write files: nothing else in the tool opens, replaces or deletes a file for writing.

In: paths and bytes. Out: bytes, and files that are whole at every moment.

- Read: regular files within a size, never waiting for anybody; a device, a pipe, a file that changes meanwhile is
  refused.
- Write: each file is written beside its place, flushed to the disk, and put in its place in one step. Whatever fails,
  what was there before is there still; of several files that belong together all are put back. Who is killed leaves
  whole files, old and new, and at most temporary ones, which nothing reads and a later write into that folder takes
  away.
"""

from __future__ import annotations

import errno
import os
import re
import stat
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from time import sleep
from typing import Final, Literal

MAX_INPUT: Final = 64 * 1024 * 1024  # of a file that is named on the command line
TEMPORARY: Final = re.compile(r"\.grimoire-[0-9a-f]{16}\.tmp\Z")
REPLACE_TRIES: Final = 20  # of a name that another process reads on Windows: readers are quick
REPLACE_PAUSE: Final = 0.05  # seconds between two tries
STALE_SECONDS: Final = 3600  # a temporary file of that age belongs to nobody who still runs
_STREAMS: Final = ("/proc/", "/dev/fd")

# Flags that a platform lacks are 0. Without O_NONBLOCK, opening a pipe would wait for the other end.
_NO_LINK: Final = getattr(os, "O_NOFOLLOW", 0)
_PLAIN: Final = getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOCTTY", 0)
_READ: Final = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | _PLAIN
_MAKE: Final = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NO_LINK | _PLAIN


# --- reading ----------------------------------------------------------------------------------------------------------


class NotRead(OSError):
    """What is there is not read: a folder, no regular file, too large, or it changes at this moment."""

    def __init__(self, path: str | Path, why: Literal["folder", "special", "large", "changing"], said: str) -> None:
        super().__init__(errno.EINVAL, said, os.fspath(path))
        self.why = why


def read_file(path: str | Path, limit: int = MAX_INPUT) -> bytes:
    """The bytes of a regular file. Raises OSError; NotRead where the file is of a sort that is not read."""
    try:
        _require_regular(path, os.stat(path))  # before it is opened: that alone can do something to a device
        handle = os.open(path, _READ)
    except ValueError:
        raise OSError(errno.EINVAL, "the name cannot be used", os.fspath(path)) from None
    try:
        return read_open(path, handle, limit)
    finally:
        os.close(handle)


def read_open(path: str | Path, handle: int, limit: int) -> bytes:
    """The bytes of a file that is open. A size that is not kept to means that somebody is writing: half a text is no
    text."""
    status = os.fstat(handle)
    _require_regular(path, status)
    size = status.st_size
    if size > limit:
        most = f"{limit // 2**20} MiB" if limit >= 2**20 else f"{limit:,} bytes"
        raise NotRead(path, "large", f"it has {size:,} bytes; at most {most} are read")
    parts: list[bytes] = []
    left = size + 1
    while left and (part := os.read(handle, left)):
        parts.append(part)
        left -= len(part)
    if left != 1:
        raise NotRead(path, "changing", "it changes while it is read")
    return parts[0] if len(parts) == 1 else b"".join(parts)


def _require_regular(path: str | Path, status: os.stat_result) -> None:
    if stat.S_ISDIR(status.st_mode):
        raise NotRead(path, "folder", "it is a folder")
    if not stat.S_ISREG(status.st_mode):
        raise NotRead(path, "special", "it is not a regular file")


def open_own(path: str | Path) -> int:
    """Open a file that this user alone may have written; a link is not followed. Raises OSError."""
    handle = os.open(path, _READ | _NO_LINK)
    status = os.fstat(handle)
    if not stat.S_ISREG(status.st_mode) or not is_own(status):
        os.close(handle)
        raise NotRead(path, "special", "it is not a file of this user")
    return handle


def is_own(status: os.stat_result) -> bool:
    """Whether something belongs to this user, and nobody else may write to it. Platforms without owners say yes."""
    return not hasattr(os, "geteuid") or (status.st_uid == os.geteuid() and not status.st_mode & 0o022)


# --- writing ----------------------------------------------------------------------------------------------------------


class NotWritten(OSError):
    """A file could not be written. What was there is there still; `reason` is what the system said."""

    def __init__(self, path: str | Path, error: OSError, said: str) -> None:
        self.reason = error.strerror or str(error)
        super().__init__(error.errno, f"{self.reason}; {said}", os.fspath(path))


def write_file(path: Path, data: bytes, *, inside: Path | None = None) -> None:
    """Write one file as a whole, or leave all as it is and raise NotWritten. What is no regular file (/dev/stdout, a
    pipe) gets the bytes as they come."""
    if _is_stream(path):
        _write_through(path, data)
    else:
        replace_files({path: data}, inside=inside)


def replace_files(files: Mapping[Path, bytes], *, inside: Path | None = None) -> None:
    """Put files in place, in the order given; either all of them, or all is left as it is and NotWritten raised.

    A link stays one: what it leads to is replaced. With `inside` it must not lead out of that folder.
    """
    root = None if inside is None else os.path.join(os.path.realpath(inside), "")
    places: list[_Place] = []
    given = Path()
    try:
        for given, data in files.items():
            places.append(_Place(given, root))
            places[-1].prepare(data, keep_old=len(files) > 1)
        for place in places:
            given = place.given
            place.put()
    except BaseException as error:  # also who stops it by hand
        undone = [place.undo() for place in reversed(places)]
        if not isinstance(error, OSError):
            raise
        raise NotWritten(given, error, _what_is_left(places, undone)) from error
    for place in places:
        _remove(place.old)
    for folder, path in {os.path.dirname(place.path): place.path for place in places}.items():
        _flush_folder(folder)
        _delete_stale(folder, path)


def _what_is_left(places: list[_Place], undone: list[bool]) -> str:
    if not all(undone):
        return f"of {len(places)} files some are new and some are as they were, each of them whole: do it again"
    if len(places) > 1:
        return f"nothing was written and nothing is lost: all {len(places)} files are as they were"
    there = bool(places) and places[0].status is not None
    return "nothing is lost: the file is as it was" if there else "nothing was written"


class _Place:
    """One file on its way: what was there, and the temporary files beside it."""

    def __init__(self, given: Path, root: str | None) -> None:
        self.given = given
        self.path = os.path.realpath(given)
        self.root = root
        self.status: os.stat_result | None = None
        self.folders: list[str] = []  # made for it
        self.new: str | None = None
        self.old: str | None = None
        self.tried = False

    def prepare(self, data: bytes, *, keep_old: bool) -> None:
        if self.root is not None and not os.path.normcase(self.path).startswith(os.path.normcase(self.root)):
            raise OSError(errno.ELOOP, "a link leads out of its folder", self.path)
        folder = os.path.dirname(self.path)
        self._make_folders(folder)
        try:
            self.status = os.stat(self.path)
        except FileNotFoundError:
            self.new = _write_part(folder, data, 0o666)
            return
        if not stat.S_ISREG(self.status.st_mode):
            raise OSError(errno.EINVAL, "it is not a regular file", self.path)
        if not os.access(self.path, os.W_OK):  # the folder would allow it, but somebody has protected the file
            raise PermissionError(errno.EACCES, "the file is write-protected", self.path)
        self.new = _write_part(folder, data, 0o600)
        _copy_rights(self.new, self.status)
        if keep_old:
            self._keep_old(folder)

    def _make_folders(self, folder: str) -> None:
        missing: list[str] = []
        while not os.path.isdir(folder):
            missing.append(folder)
            folder = os.path.dirname(folder)
        for name in reversed(missing):
            try:
                os.mkdir(name)
                self.folders.append(name)
            except FileExistsError:  # another process was quicker
                continue

    def _keep_old(self, folder: str) -> None:
        """A second name for what is there: to put it back then takes no room on the disk."""
        assert self.status is not None
        self.old = _part_name(folder)
        try:
            os.link(self.path, self.old)
        except OSError:  # a file system without such names
            self.old = _write_part(folder, read_file(self.path, self.status.st_size), 0o600)
            _copy_rights(self.old, self.status)

    def put(self) -> None:
        assert self.new is not None
        self.tried = True
        _replace(self.new, self.path)

    def undo(self) -> bool:
        """Put back what was there; whether that could be done."""
        try:
            if self.tried and self.new is not None and not os.path.lexists(self.new):  # it has been put in its place
                if self.status is None:
                    os.unlink(self.path)
                elif self.old is not None:
                    _replace(self.old, self.path)
        except OSError:
            return False
        _remove(self.new)
        _remove(self.old)
        for folder in reversed(self.folders):
            try:
                os.rmdir(folder)
            except OSError:
                break
        return True


def _replace(part: str, path: str | Path, tries: int = REPLACE_TRIES) -> None:
    """Put a file in the place of another. Windows refuses that for as long as somebody has the other one open."""
    while True:
        try:
            os.replace(part, path)
            return
        except PermissionError:
            tries -= 1
            if sys.platform != "win32" or tries <= 0:
                raise
            sleep(REPLACE_PAUSE)


def _part_name(folder: str) -> str:
    return os.path.join(folder, f".grimoire-{os.urandom(8).hex()}.tmp")


def _write_part(folder: str, data: bytes, mode: int, *, flush: bool = True) -> str:
    """A new temporary file with these bytes; its path."""
    part = _part_name(folder)
    handle = os.open(part, _MAKE, mode)
    try:
        try:
            _write_all(handle, data)
            if flush:
                os.fsync(handle)
        finally:
            os.close(handle)
    except BaseException:
        _remove(part)
        raise
    return part


def _write_all(handle: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(handle, rest) :]


def _copy_rights(part: str, status: os.stat_result) -> None:
    if hasattr(os, "chown"):
        try:
            os.chown(part, status.st_uid, status.st_gid)
        except OSError:  # not every user may give a file away
            pass
    os.chmod(part, stat.S_IMODE(status.st_mode))


def _remove(part: str | None) -> None:
    try:
        if part is not None:
            os.unlink(part)
    except OSError:
        pass  # a later write takes it away


def _flush_folder(folder: str) -> None:
    """Have the new names on the disk. A file system that cannot do that has the old or the new file after a crash of
    the machine, whole."""
    if not hasattr(os, "O_DIRECTORY"):
        return
    try:
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
    except OSError:
        pass


def _delete_stale(folder: str, fresh: str) -> None:
    """Take away temporary files that somebody left who was killed. Their age is told by a file that was written just
    now."""
    try:
        now = os.stat(fresh).st_mtime
        with os.scandir(folder) as entries:
            for entry in entries:
                if TEMPORARY.match(entry.name) and is_stale(entry, now):
                    os.unlink(entry.path)
    except OSError:
        pass


def is_stale(entry: os.DirEntry[str], now: float) -> bool:
    """Whether a temporary file was left by somebody who no longer runs."""
    return entry.is_file(follow_symlinks=False) and now - entry.stat(follow_symlinks=False).st_mtime > STALE_SECONDS


def put_file(path: str | Path, data: bytes, mode: int = 0o600) -> None:
    """Write a file that may be lost but must never be half there: nothing is flushed, and a link is replaced. Raises
    OSError."""
    part = _write_part(os.path.dirname(path), data, mode, flush=False)
    try:
        _replace(part, path)
    except BaseException:
        _remove(part)
        raise


def remove_file(path: Path) -> None:
    """Delete a file of the tool's own; that it is gone already is fine. Raises OSError."""
    try:
        os.unlink(path)
    except FileNotFoundError:
        pass


@contextmanager
def scratch_folder() -> Iterator[Path]:
    """A folder of this user alone for what other programs make, gone afterwards."""
    from tempfile import TemporaryDirectory

    with TemporaryDirectory(prefix="grimoire-", ignore_cleanup_errors=True) as name:
        yield Path(name)


def fill_folder(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write files into a scratch folder, by their names in it."""
    for name, data in files.items():
        path = folder / name
        os.makedirs(path.parent, exist_ok=True)
        put_file(path, data)


# --- what is no file --------------------------------------------------------------------------------------------------


def _is_stream(path: Path) -> bool:
    """Whether a name means something that takes bytes as they come. Of /dev/stdout that is so also when it is led into
    a file."""
    try:
        mode = os.stat(path).st_mode
    except (OSError, ValueError):
        return False
    if not stat.S_ISREG(mode):
        return not stat.S_ISDIR(mode)
    name = os.path.abspath(path)
    if os.path.islink(name):
        name = os.path.join(os.path.dirname(name), os.readlink(name))
    return os.path.realpath(os.path.dirname(name)).startswith(_STREAMS)


def _write_through(path: Path, data: bytes) -> None:
    try:
        handle = os.open(path, os.O_WRONLY | os.O_APPEND | _PLAIN)
        try:
            _write_all(handle, data)
        finally:
            os.close(handle)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise NotWritten(path, error, "it takes bytes as they come, and may have a part of them") from error
