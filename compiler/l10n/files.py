"""Write several files as one: either all are there in their new form, or none, and none is ever half-written.

In: paths and bytes. Out: files. Each is written beside its place first and then put there in one step, in the order given. Who is stopped
between two of these steps has whole files, old and new; doing the same again finishes the work.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from pathlib import Path


def replace_files(files: Mapping[Path, bytes]) -> None:
    """Put files in place. Raises OSError; whatever stops it but the end of the process, everything is as it was."""
    parts: dict[Path, Path] = {}
    before: dict[Path, bytes | None] = {}
    try:
        for given, data in files.items():
            path = Path(os.path.realpath(given))  # a link stays one
            path.parent.mkdir(parents=True, exist_ok=True)
            part = path.with_name(f".{path.name}.part")
            parts[path] = part
            with part.open("wb") as out:
                out.write(data)
                out.flush()
                os.fsync(out.fileno())
            if path.exists():
                shutil.copymode(path, part)
        for path, part in parts.items():
            before[path] = path.read_bytes() if path.exists() else None
            os.replace(part, path)
    except BaseException:  # also who stops it by hand
        _undo(parts, before)
        raise


def _undo(parts: Mapping[Path, Path], before: Mapping[Path, bytes | None]) -> None:
    for path, part in parts.items():
        if part.exists():
            part.unlink()
        elif path in before:  # it was put in its place already
            old = before[path]
            if old is None:
                path.unlink()
            else:
                path.write_bytes(old)
