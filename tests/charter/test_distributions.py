"""Two distributions: the runtime is built, installed and played alone; the tool needs it and brings the rest."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path
from typing import Any

import pytest

from tests import transcript
from tests.charter.kit import CONTENT, ROOT, package
from tests.packages import FOLDERS

DECISIONS = 20
NOT_SOURCES = ("__pycache__", "*.egg-info", ".wheel", "*.so", "*.pyd")


def run(*line: str | Path, cwd: Path | None = None) -> str:
    done = subprocess.run(list(map(str, line)), cwd=cwd, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def build_wheel(folder: Path, target: Path) -> Path:
    """A wheel of a copy of the sources, without network: what its build needs is installed for the suite."""
    target.mkdir()
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check")
    run(*pip, "wheel", "--quiet", "--no-index", "--no-deps", "--no-build-isolation", "-w", target, folder)
    (wheel,) = target.glob("*.whl")
    return wheel


def contents_of(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as file:
        return {name for name in file.namelist() if ".dist-info/" not in name}


@pytest.fixture(scope="module")
def runtime_wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built from the folder alone: nothing of the rest of the repository is near."""
    root = tmp_path_factory.mktemp("alone")
    shutil.copytree(ROOT / "runtime", root / "runtime", ignore=shutil.ignore_patterns(*NOT_SOURCES))
    return build_wheel(root / "runtime", root / "wheel")


@pytest.fixture(scope="module")
def tool_wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("tool")
    for part in ("compiler", "grammar"):
        shutil.copytree(ROOT / part, root / "tool" / part, ignore=shutil.ignore_patterns(*NOT_SOURCES))
    for name in ("pyproject.toml", "README.md"):
        shutil.copy(ROOT / name, root / "tool" / name)
    return build_wheel(root / "tool", root / "wheel")


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory, runtime_wheel: Path) -> Path:
    """The Python of an environment with the runtime and nothing else."""
    root = tmp_path_factory.mktemp("empty")
    run(sys.executable, "-m", "venv", "--without-pip", root)
    python = root / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    place = run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip()
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check")
    run(*pip, "install", "--quiet", "--no-index", "--no-deps", "--target", place, runtime_wheel)
    return python


def is_source(path: Path) -> bool:
    return (
        path.is_file()
        and "__pycache__" not in path.parts
        and ".egg-info" not in str(path)
        and ".wheel" not in str(path)
    )


def expected(part: str) -> set[str]:
    """The files of a folder that belong into its package."""
    beside = {"pyproject.toml", "setup.cfg", "setup.py", "README.md"}
    found = {path.relative_to(ROOT / part) for path in (ROOT / part).rglob("*") if is_source(path)}
    return {
        f"grimoire/{part}/{path.as_posix()}"
        for path in found
        if str(path) not in beside and path.suffix not in (".so", ".pyd")
    }


def test_the_wheels_hold_every_file_and_share_none(runtime_wheel: Path, tool_wheel: Path) -> None:
    assert contents_of(runtime_wheel) == expected("runtime")
    assert contents_of(tool_wheel) == expected("compiler") | expected("grammar")


def project(path: str) -> dict[str, Any]:
    data: dict[str, Any] = tomllib.loads((ROOT / path).read_text(encoding="utf-8"))["project"]
    return data


def test_the_runtime_needs_nothing_and_the_tool_the_same_version_of_it() -> None:
    runtime, tool = project("runtime/pyproject.toml"), project("pyproject.toml")
    assert runtime["dependencies"] == []
    ours = [line for line in tool["dependencies"] if line.startswith("grimoire")]
    assert ours == [f"{runtime['name']}=={runtime['version']}"] and tool["version"] == runtime["version"]
    assert "grimoire" not in (runtime["name"], tool["name"]), "that name belongs to somebody else on PyPI"


def test_the_runtime_alone_plays_every_artefact(empty: Path, tmp_path: Path) -> None:
    seen = run(empty, "-I", "-c", "import grimoire.runtime, sys; print(*sys.modules)").split()
    foreign = {name.split(".")[0] for name in seen} - set(sys.stdlib_module_names) - {"grimoire", "__main__"}
    assert {name for name in foreign if not re.match(r"_|sitecustomize", name)} == set()
    paths, here = [], []
    for folder in FOLDERS:
        made = package(folder.name)
        paths.append(tmp_path / f"{folder.name}.json")
        paths[-1].write_text(json.dumps(made.document), encoding="utf-8")
        here += transcript.transcript(made, DECISIONS)
    there = run(empty, "-I", transcript.__file__, str(DECISIONS), *paths, cwd=tmp_path)
    assert there.splitlines() == here
    assert len(here) > len(FOLDERS) * 6 and CONTENT.is_dir()
