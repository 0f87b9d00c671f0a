"""Keep the answers of a workspace between two runs, in the user's cache.

In: answers as plain data, each with a word for all that it hangs on. Out: the same answers, where that word is still
the same. One pack holds what is known of one package, on *shelves*: that of the package, and one for each file of
cards. Each is JSON that is read and looked at when somebody asks for something on it. What is not asked for in a run is
not written again, but for shelves that an answer covers.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from functools import cache as remembered
from itertools import accumulate, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias, TypeVar

import yaml

from grimoire.compiler.cache import Cache, content_key

if TYPE_CHECKING:  # a run that knows its answer does not load the runtime
    from grimoire.runtime.plain_data import Json

_TOOL: Final = "tool"
_SHELF: Final = "shelf "  # what stands before the name of a shelf

Rows: TypeAlias = "dict[str, Json]"

T = TypeVar("T")


@remembered
def tool_key() -> str:
    """Changes whenever the compiler does: older answers are then not used."""
    here = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    return folders_key(here, os.path.join(os.path.dirname(here), "grammar"))


def folders_key(*given: str) -> str:
    """Changes whenever a file of the tool in these folders does."""
    parts = [f"{sys.version} {yaml.__version__}"]
    folders = list(given)
    for folder in folders:
        with os.scandir(folder) as entries:
            for entry in sorted(entries, key=lambda entry: entry.name):
                if entry.name.endswith((".py", ".lark", ".yaml", ".so", ".pyd")):
                    status = entry.stat()
                    parts.append(f"{entry.name}:{status.st_size}:{status.st_mtime_ns}")
                elif entry.name != "__pycache__" and entry.is_dir():
                    folders.append(entry.path)
    return content_key(*parts)


def ask_keeping(store: PackageStore, ask: Callable[[PackageStore], T]) -> T:
    """An answer with the help of what is kept; what was asked for is kept again."""
    try:
        found = ask(store)
    except Exception:
        if not store.packed:
            raise
        # What was kept may be the reason, whatever is wrong with it: without it the answer, or the error, is true.
        store.forget()
        found = ask(store)
    store.save()
    return found


class PackageStore:
    """What is kept of one package."""

    def __init__(self, cache: Cache, root: Path, tool: str, sort: str = "workspace") -> None:
        """`sort`: runs that ask for other things have a pack of their own."""
        self.cache = cache
        self.tool = tool
        self.name = f"{sort}-" + content_key(str(root), os.path.realpath(root))[:40]
        self.packed = self._load()  # shelves as they were kept
        self.opened: dict[str, Rows] = {}  # and those that somebody asked of
        self.new: dict[str, Rows] = {}
        self.retained: set[str] = set()
        self.changed: set[str] = set()  # shelves that have something new
        self.is_settled = False

    def get(self, name: str, fingerprint: str, shelf: str = "") -> Json:
        kept = self.open(shelf).get(name)
        if not isinstance(kept, list) or len(kept) != 2 or kept[0] != fingerprint:
            return None
        self.new.setdefault(shelf, {})[name] = kept
        value: Json = kept[1]
        return value

    def put(self, name: str, fingerprint: str, value: Json, shelf: str = "") -> None:
        self.new.setdefault(shelf, {})[name] = [fingerprint, value]
        self.changed.add(shelf)

    def retain(self, shelf: str) -> None:
        """Keep a shelf, whatever is asked of it."""
        self.retained.add(shelf)

    def hand_over(self, work: Callable[[], object]) -> bytes:
        """What some work puts, shelf by shelf, for a store that stands where this one stood before it."""
        self.new, self.changed = {}, set()
        work()
        packed = {shelf: self._pack(shelf) for shelf in self.new}
        sizes = json.dumps({shelf: len(data) for shelf, data in packed.items()})
        return b"\n".join([sizes.encode(), b"".join(packed.values())])

    def take_over(self, data: bytes) -> None:
        """What another store handed over counts as kept, for whoever asks."""
        head, _, rest = data.partition(b"\n")
        sizes = {shelf: size for shelf, size in _read_rows(head).items() if isinstance(size, int)}
        if sum(sizes.values()) == len(rest):  # else the other one did not come to its end
            ends = [*accumulate(sizes.values(), initial=0)]
            self.packed |= {shelf: rest[start:end] for shelf, (start, end) in zip(sizes, pairwise(ends), strict=True)}
            self.opened = {}

    def settle(self) -> None:
        """All that is kept holds as it is."""
        self.is_settled = True

    def save(self) -> None:
        if not self.cache.enabled or self.is_settled:
            return
        found = {_SHELF + shelf: self._pack(shelf) for shelf in self.new.keys() | (self.retained & self.packed.keys())}
        if found != {_SHELF + shelf: data for shelf, data in self.packed.items()}:
            self.cache.save_pack(self.name, {_TOOL: self.tool.encode(), **found})

    def forget(self) -> None:
        self.packed, self.opened, self.new = {}, {}, {}
        self.retained, self.changed = set(), set()
        self.cache.drop_pack(self.name)

    def open(self, shelf: str) -> Rows:
        """What was kept on a shelf."""
        found = self.opened.get(shelf)
        if found is None:
            found = self.opened[shelf] = _read_rows(self.packed.get(shelf))
        return found

    def _pack(self, shelf: str) -> bytes:
        rows, is_changed = self.new.get(shelf, {}), shelf in self.changed
        if shelf in self.retained:
            rows = {**self.open(shelf), **rows} if is_changed else rows
        elif not is_changed:
            is_changed = len(rows) != len(self.open(shelf))  # something was not asked for
        return json.dumps(rows, separators=(",", ":")).encode() if is_changed else self.packed[shelf]

    def _load(self) -> dict[str, bytes]:
        found = self.cache.load_pack(self.name) if self.cache.enabled else {}
        if found.get(_TOOL) != self.tool.encode():
            return {}
        return {name.removeprefix(_SHELF): data for name, data in found.items() if name.startswith(_SHELF)}


def _read_rows(data: bytes | None) -> Rows:
    try:
        found = {} if data is None else json.loads(data)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}
