"""The targets of the Makefile as commands of Python: `python make.py TARGET ..` works where there is no make.

Needs nothing but Python itself; `setup` makes `.venv`, and every other target runs in it. `python make.py --list` names
the targets.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent
WINDOWS = os.name == "nt"
VENV = ROOT / ".venv"
PYTHON = VENV / ("Scripts/python.exe" if WINDOWS else "bin/python")
PARTS = ("compiler", "runtime", "grammar")
INSTALLED = VENV / ".installed"  # newer than the files that say what is installed
PREPARED = VENV / ".prepared"  # newer than every source: byte code and the table of the parser fit them
DISTRIBUTIONS = ("./runtime", ".")
MADE = ("build", "site", "dist", ".mypy_cache", ".ruff_cache", ".pytest_cache", ".hypothesis")

# What is looked at while working: each stage once; no book, no large game to its end, no fuzzing, no trace.
QUICK = (
    "tests/language",
    "tests/diagnostics",
    "tests/compiler",
    "tests/runtime",
    "tests/cli/test_contracts.py",
    "tests/cli/test_fmt.py",
    "tests/cli/test_locale.py",
    "tests/cli/test_text.py",
    "tests/l10n/test_tuning.py",
    "tests/games/test_playthroughs.py",
    "tests/docs/test_make.py",
    "tests/docs/test_developing.py",
    "tests/charter/test_01_no_game_in_python.py",
    "tests/charter/test_07_same_bytes.py",
    "tests/charter/test_imports.py",
)
NOT_QUICK = ("tests/compiler/test_checking.py", "tests/compiler/test_source.py", "tests/runtime/test_aims.py")


class Failed(Exception):
    """A command that a target runs did not end with 0."""


def run(*command: str | Path) -> None:
    """Run a command at the root of the project; what it is called with is shown."""
    words = [str(word) for word in command]
    print("+", *words, flush=True)
    code = subprocess.run(words, cwd=ROOT, check=False).returncode
    if code:
        raise Failed(f"{' '.join(words)} ended with {code}")


def run_module(name: str, *arguments: str) -> None:
    """Run a module in the environment of the project."""
    run(PYTHON, "-m", name, *arguments)


def list_sources() -> Iterator[Path]:
    """What byte code and the table of the parser are made of."""
    for part in PARTS:
        for path in (ROOT / part).rglob("*"):
            if path.is_file() and "__pycache__" not in path.parts and path.suffix not in (".so", ".pyd"):
                yield path


def is_older(stamp: Path, files: Iterator[Path]) -> bool:
    """Whether a stamp is missing, or older than one of these files."""
    if not stamp.exists():
        return True
    made = stamp.stat().st_mtime
    return any(path.stat().st_mtime > made for path in files)


def link_folder(link: Path, target: Path) -> None:
    """Make a folder reachable under another name. Windows lets everybody make junctions, but not everybody links."""
    if link.is_symlink() or link.exists():
        return
    if WINDOWS:
        run("cmd", "/c", "mklink", "/J", link, target)
    else:
        link.symlink_to(os.path.relpath(target, link.parent), target_is_directory=True)


def set_up() -> None:
    """An environment in .venv with the project and its tools, byte code, and the table of the parser."""
    if is_older(INSTALLED, (ROOT / name / "pyproject.toml" for name in DISTRIBUTIONS)):
        if not PYTHON.exists():
            run(sys.executable, "-m", "venv", VENV)
        run_module("pip", "install", "--quiet", "--disable-pip-version-check", "-e", "./runtime", "-e", ".[dev]")
        types = ROOT / "build" / "types" / "grimoire"  # mypy finds the packages here under their names
        types.mkdir(parents=True, exist_ok=True)
        for part in PARTS:
            link_folder(types / part, ROOT / part)
        INSTALLED.touch()
    if is_older(PREPARED, list_sources()):
        prepare()
        PREPARED.touch()


def prepare() -> None:
    """Byte code and the table of the parser: a command then starts in a third of the time, also where Python may not
    write byte code by itself. What cannot be compiled is left to the tests to tell."""
    finders = [str(path) for path in VENV.rglob("__editable__*.py")]
    for words in (
        ("-m", "compileall", "-q", *PARTS, *finders),
        ("-c", "from grimoire.compiler.syntax.parse import install_parser; install_parser()"),
    ):
        try:
            run(PYTHON, *words)
        except Failed as error:
            print(f"make.py: {error}; the tests will say why", file=sys.stderr)


def play_demo() -> None:
    """Check all of content/, then play one seeded game to its end."""
    set_up()
    game = "unfathomable" if (ROOT / "content" / "unfathomable").is_dir() else "love-letter"
    run_module("grimoire.compiler.cli", "check", "content")
    run_module("grimoire.compiler.cli", "play", game, "--bots", "--seed", "7")


def lint() -> None:
    """The linter, the formatter as a check, and the tidiness of every text file."""
    set_up()
    run_module("ruff", "check", ".")
    run_module("ruff", "format", "--check", ".")
    run_module("tests.tidy")
    run_module("codespell_lib", ".")


def check_types() -> None:
    """The type checker over both packages."""
    set_up()
    run_module("mypy", "-p", "grimoire.compiler", "-p", "grimoire.runtime")


def test_quickly() -> None:
    """For the loop while working: linter, types, and each stage tested once."""
    lint()
    check_types()
    run_module("pytest", "-n", "2", "--dist", "worksteal", *QUICK, *(f"--ignore={name}" for name in NOT_QUICK))


def test_all() -> None:
    """Linter, types and the whole suite, with the kernel as plain Python."""
    take_away_compiled()
    lint()
    check_types()
    run_module("pytest", "-n", "2", "--dist", "worksteal")


def soak() -> None:
    """The long versions of the tests; hours."""
    set_up()
    run_module("tests.soak")


def measure() -> None:
    """Benchmarks, as one JSON document."""
    set_up()
    run_module("tests.bench")


def build_docs() -> None:
    """The documentation as a site, in site/; a broken link is an error."""
    set_up()
    run_module("mkdocs", "build", "--strict")


def build_wheels() -> None:
    """The wheels that are published, in dist/."""
    set_up()
    run_module("pip", "wheel", "--quiet", "--disable-pip-version-check", "--no-deps", "-w", "dist", *DISTRIBUTIONS)


def compile_kernel() -> None:
    """The kernel as extension modules beside its sources, for this Python alone; compile again after an edit."""
    set_up()
    os.environ["GRIMOIRE_COMPILED"] = "1"
    run(PYTHON, "runtime/setup.py", "--quiet", "build_ext", "--inplace")


def take_away_compiled() -> None:
    """The kernel as plain Python again: the reference, which the suite compares the compiled one with."""
    for path in [*(ROOT / "runtime").rglob("*.so"), *(ROOT / "runtime").rglob("*.pyd")]:
        path.unlink()


def clean() -> None:
    """Take away everything that these targets have made."""
    take_away_compiled()
    for path in [VENV, *(ROOT / name for name in MADE), *ROOT.glob("*.egg-info"), *ROOT.glob("runtime/*.egg-info")]:
        shutil.rmtree(path, ignore_errors=True)


TARGETS: dict[str, Callable[[], None]] = {
    "setup": set_up,
    "demo": play_demo,
    "lint": lint,
    "types": check_types,
    "quick": test_quickly,
    "test": test_all,
    "soak": soak,
    "bench": measure,
    "docs": build_docs,
    "wheels": build_wheels,
    "compiled": compile_kernel,
    "pure": take_away_compiled,
    "clean": clean,
}


def main(names: list[str]) -> int:
    if not names or any(name not in TARGETS for name in names):
        for name, work in TARGETS.items():
            print(f"{name:<6} {' '.join((work.__doc__ or '').split())}")
        return 0 if names == ["--list"] else 2
    try:
        for name in names:
            TARGETS[name]()
    except Failed as error:
        print(f"make.py: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
