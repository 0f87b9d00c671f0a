"""A copy of the runtime with its kernel compiled, apart from the tree whose pure kernel the suite runs.

It lies below build/, by the hash of what it was made from: compiled again only when a source changed. A process whose
PYTHONPATH begins with its root plays with it.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from hashlib import blake2b
from importlib.metadata import version
from pathlib import Path

from tests.sources import ROOT, source_files

FOLDER = ROOT / "build" / "compiled"
KEPT = 6  # copies of former sources, the newest of them
NO_COMPILER = "needs a C compiler"


class NoCompiler(Exception):
    """The machine cannot compile the kernel."""


def source_hash(opt_level: str) -> str:
    """What the extensions depend on: sources, tools and machine."""
    state = blake2b(digest_size=12)
    for word in (sys.version, sysconfig.get_platform(), version("mypy"), version("setuptools"), opt_level):
        state.update(f"{word}\0".encode())
    for path in [*source_files("runtime"), ROOT / "runtime" / "setup.py", ROOT / "runtime" / "setup.cfg"]:
        state.update(f"{path.relative_to(ROOT).as_posix()}\0".encode() + path.read_bytes())
    return state.hexdigest()


def compiled_root(opt_level: str) -> Path:
    """The folder that holds ``grimoire/runtime``, compiled; raises ``NoCompiler`` where there is no compiler."""
    root = FOLDER / f"O{opt_level}-{source_hash(opt_level)}"
    if root.is_dir():
        return root
    FOLDER.mkdir(parents=True, exist_ok=True)
    work = Path(tempfile.mkdtemp(dir=FOLDER, prefix="work-"))
    try:
        copy = work / "grimoire" / "runtime"
        shutil.copytree(ROOT / "runtime", copy, ignore=shutil.ignore_patterns("__pycache__", ".wheel", "*.so", "*.pyd"))
        env = os.environ | {"GRIMOIRE_COMPILED": "1", "GRIMOIRE_OPT_LEVEL": opt_level}
        line = [sys.executable, "setup.py", "--quiet", "build_ext", "--inplace"]
        done = subprocess.run(line, cwd=copy, env=env, capture_output=True, text=True, check=False)
        if done.returncode != 0 and NO_COMPILER in done.stderr:
            raise NoCompiler(done.stderr.strip())
        assert done.returncode == 0, done.stdout + done.stderr
        shutil.rmtree(copy / ".wheel")
        os.replace(work, root)
    except OSError:
        if not root.is_dir():  # another process was first
            raise
    finally:
        shutil.rmtree(work, ignore_errors=True)
    old = sorted(FOLDER.glob("O*"), key=lambda path: path.stat().st_mtime)
    for path in old[:-KEPT]:
        shutil.rmtree(path, ignore_errors=True)
    return root


def environment(root: Path | None) -> dict[str, str]:
    """The environment of a process that plays with the runtime below a root; None: with the one that is installed."""
    env = dict(os.environ)
    if root is not None:
        env["PYTHONPATH"] = os.pathsep.join([str(root), *filter(None, [env.get("PYTHONPATH")])])
    return env
