"""Keep the answers of a workspace between two runs, in the user's cache.

In: answers as plain data, each with a word for all that it hangs on. Out: the same answers, where that word is still
the same. One pack holds what is known of one package: JSON, looked at when it is read. What is not asked for in a run
is not written again.
"""

from __future__ import annotations

import json
import os
import sys
from functools import cache as remembered
from pathlib import Path
from typing import Final

import yaml

from grimoire.compiler.cache import Cache, content_key
from grimoire.runtime.plain_data import Json

_ENTRY: Final = "answers"


@remembered
def tool_key() -> str:
    """Changes whenever the compiler does: older answers are then not used."""
    here = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    folders = [here, os.path.join(os.path.dirname(here), "grammar")]
    parts = [f"{sys.version} {yaml.__version__}"]
    for folder in folders:
        with os.scandir(folder) as entries:
            for entry in sorted(entries, key=lambda entry: entry.name):
                if entry.name.endswith((".py", ".lark", ".yaml")):
                    status = entry.stat()
                    parts.append(f"{entry.name}:{status.st_size}:{status.st_mtime_ns}")
                elif entry.name != "__pycache__" and entry.is_dir():
                    folders.append(entry.path)
    return content_key(*parts)


class PackageStore:
    """What is kept of one package."""

    def __init__(self, cache: Cache, root: Path, tool: str) -> None:
        self.cache = cache
        self.tool = tool
        self.name = "workspace-" + content_key(str(root), os.path.realpath(root))[:40]
        self.old: dict[str, Json] = self._load()
        self.new: dict[str, Json] = {}
        self.is_changed = False

    def get(self, name: str, fingerprint: str) -> Json:
        kept = self.old.get(name)
        if not isinstance(kept, list) or len(kept) != 2 or kept[0] != fingerprint:
            return None
        self.new[name] = kept
        value: Json = kept[1]
        return value

    def put(self, name: str, fingerprint: str, value: Json) -> None:
        self.new[name] = [fingerprint, value]
        self.is_changed = True

    def save(self) -> None:
        if self.cache.enabled and (self.is_changed or len(self.new) != len(self.old)):
            data = json.dumps({"tool": self.tool, _ENTRY: self.new}, separators=(",", ":")).encode()
            self.cache.save_pack(self.name, {_ENTRY: data})

    def forget(self) -> None:
        self.old, self.new = {}, {}
        self.cache.drop_pack(self.name)

    def _load(self) -> dict[str, Json]:
        data = self.cache.load_pack(self.name).get(_ENTRY) if self.cache.enabled else None
        if data is None:
            return {}
        try:
            found = json.loads(data)
        except (ValueError, RecursionError):
            return {}
        rows = found.get(_ENTRY) if isinstance(found, dict) and found.get("tool") == self.tool else None
        return rows if isinstance(rows, dict) else {}
