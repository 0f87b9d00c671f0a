"""Put one more file into a small package and look at it within bounds of time and memory."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from grimoire.compiler import Diagnostic, check
from grimoire.compiler.reference.errors import register_all
from grimoire.runtime import load_artefact
from tests.packages import compile_folder

from .watch import TooSlow, time_limit

register_all()
BASE = Path(__file__).parents[1] / "diagnostics" / "base"
SECONDS = 10.0
MEMORY = 1 << 30  # address space of a checking process, its own code included


def package(folder: Path, name: str = "base") -> Path:
    """A fresh copy of the small package."""
    root = folder / name
    shutil.copytree(BASE, root)
    if name != "base":
        manifest = root / "package.yaml"
        manifest.write_text(manifest.read_text().replace("package: base", f"package: {name}"))
    return root


def with_file(folder: Path, content: str | bytes, name: str = "example.yaml") -> Path:
    root = package(folder)
    data = content.encode("utf-8") if isinstance(content, str) else content
    (root / name).write_bytes(data)
    return root


def findings(root: Path) -> list[Diagnostic]:
    """What both ways of checking say; accepted packages are loaded as well. No exception may come out."""
    try:
        with time_limit(SECONDS):
            quick = check([root])
        with time_limit(SECONDS):
            compiled = compile_folder(root, [])
            full = compiled.diags.sorted()
            if compiled.artefact is not None and not compiled.diags.has_errors:
                load_artefact(compiled.artefact)
    except (TooSlow, RecursionError) as error:
        # Their tracebacks are too long, or cut off at a bad moment, for a report.
        raise AssertionError(f"{type(error).__name__}: {error}") from None
    errors = [[(item.code, item.span) for item in report if item.severity == "error"] for report in (quick, full)]
    assert errors[0] == errors[1]
    return quick


def codes(root: Path) -> set[str]:
    return {item.code for item in findings(root) if item.severity != "note" and item.code != "G0704"}


_CHILD = """
import json, resource, sys
resource.setrlimit(resource.RLIMIT_AS, ({memory}, {memory}))
from grimoire.compiler import check
found = check([sys.argv[1]])
print(json.dumps({{"codes": sorted({{item.code for item in found}}), "count": len(found)}}))
"""


def bounded(root: Path, memory: int = MEMORY) -> dict[str, Any]:
    """Check a package in a process of its own that may use only so much memory; its answer."""
    done = subprocess.run(
        [sys.executable, "-c", _CHILD.format(memory=memory), str(root)],
        capture_output=True,
        text=True,
        timeout=60,
        env={**os.environ, "GRIMOIRE_CACHE": "off"},
    )
    assert done.returncode == 0, done.stderr[-2000:]
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def body(text: str) -> str:
    """A file with one verb that has this effect."""
    return "verbs:\n  loot:\n    body: |\n" + "".join(f"      {line}\n" for line in text.split("\n"))
