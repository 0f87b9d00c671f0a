"""The compiled kernel: it plays the same games as the pure one, byte for byte, in every package."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests import transcript
from tests.charter.kit import ROOT, package
from tests.compiled import NoCompiler, compiled_root, environment
from tests.packages import FOLDERS

DECISIONS = 80
SHUFFLED = "j = (word(words, at) * (i + 1)) >> 32"


@pytest.fixture(scope="module")
def compiled() -> Path:
    """Quickly compiled, with the checks of the C code left in."""
    try:
        return compiled_root("0")
    except NoCompiler as error:
        pytest.skip(f"the proof of the compiled kernel was not run: {error}")


@pytest.fixture(scope="module")
def artefacts(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    root = tmp_path_factory.mktemp("artefacts")
    for folder in FOLDERS:
        (root / f"{folder.name}.json").write_text(json.dumps(package(folder.name).document), encoding="utf-8")
    return sorted(root.iterdir())


def told(root: Path | None, artefacts: list[Path], decisions: int) -> list[str]:
    """The form of the kernel below a root, and what it makes of the artefacts."""
    start = (
        "import runpy, sys; from grimoire.runtime import kernel_form; print(kernel_form()); sys.argv = sys.argv[1:]; "
    )
    line = [sys.executable, "-c", start + "runpy.run_path(sys.argv[0], run_name='__main__')"]
    line += [transcript.__file__, str(decisions), *map(str, artefacts)]
    done = subprocess.run(line, env=environment(root), cwd=ROOT.parent, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_both_kernels_give_the_same_logs_saves_and_digests(compiled: Path, artefacts: list[Path]) -> None:
    pure, other = told(None, artefacts, DECISIONS), told(compiled, artefacts, DECISIONS)
    assert (pure[0], other[0]) == ("pure", "compiled")
    assert len(pure) > 20 * len(artefacts)
    for one, two in zip(pure[1:], other[1:], strict=True):
        assert one == two, f"the two kernels differ: {one[:200]}"


def test_a_kernel_that_plays_otherwise_is_found(artefacts: list[Path], tmp_path: Path) -> None:
    """The comparison sees a difference of the kernel: shown with a pure copy, which needs no compiler."""
    copy = tmp_path / "grimoire" / "runtime"
    shutil.copytree(ROOT / "runtime", copy, ignore=shutil.ignore_patterns("__pycache__", ".wheel", "*.so"))
    shuffling = copy / "kernel" / "rng.py"
    text = shuffling.read_text(encoding="utf-8")
    assert SHUFFLED in text
    shuffling.write_text(text.replace(SHUFFLED, "j = (word(words, at) * i) >> 32"), encoding="utf-8")
    assert told(tmp_path, artefacts[:1], 10) != told(None, artefacts[:1], 10)


def test_without_a_c_compiler_it_is_said_and_nothing_is_built(tmp_path: Path) -> None:
    copy = tmp_path / "runtime"
    shutil.copytree(ROOT / "runtime", copy, ignore=shutil.ignore_patterns("__pycache__", ".wheel", "*.so"))
    env = os.environ | {"GRIMOIRE_COMPILED": "1", "CC": "no-such-compiler"}
    line = [sys.executable, "setup.py", "build_ext", "--inplace"]
    done = subprocess.run(line, cwd=copy, env=env, capture_output=True, text=True, check=False)
    if os.name == "posix":
        assert done.returncode == 1 and "needs a C compiler, and there is none: no-such-compiler" in done.stderr
        assert "Traceback" not in done.stderr and not list(copy.rglob("*.so"))
