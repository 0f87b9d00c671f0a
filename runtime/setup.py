"""Builds the distribution: pure Python, or with GRIMOIRE_COMPILED=1 the kernel as extension modules, compiled by mypyc.

    python setup.py build_ext --inplace    puts the extensions beside the sources (`make compiled`)
    GRIMOIRE_COMPILED=1 pip wheel --no-build-isolation .    a wheel for this machine; needs mypy and a C compiler

GRIMOIRE_OPT_LEVEL is the C compiler's -O, 3 unless told. The pure form is the reference: both play the same games, byte
for byte.
"""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_py import build_py

HERE = Path(__file__).resolve().parent
BUILD = ".wheel"  # what setup.cfg says

# What is compiled, in one unit: modules call each other without going through Python. A folder stands for all in it.
COMPILED = ["kernel"]

# No other library calls what the extensions share, so the C compiler may put calls between its functions in line:
# an eighth of the time.
INLINING = ["-fvisibility=hidden", "-fno-semantic-interposition"]


def compiled_modules() -> list[Path]:
    """The modules of the list, without package files: an extension cannot be a folder."""
    found = []
    for name in COMPILED:
        path = HERE / name
        found += sorted(path.glob("*.py")) if path.is_dir() else [path.with_suffix(".py")]
    return [path for path in found if path.name != "__init__.py"]


def require_compiler() -> None:
    """Stop with a plain message when something that compiling needs is not there."""
    from setuptools._distutils import ccompiler, sysconfig

    compiler = ccompiler.new_compiler()
    sysconfig.customize_compiler(compiler)
    command = getattr(compiler, "compiler", None)
    if command is None:
        try:
            compiler.initialize()
        except Exception as error:
            sys.exit(f"the compiled kernel needs a C compiler, and there is none: {error}")
    elif shutil.which(command[0]) is None:
        sys.exit(f"the compiled kernel needs a C compiler, and there is none: {command[0]} was not found")
    try:
        import mypyc.build  # noqa: F401
    except ImportError:
        sys.exit("the compiled kernel needs mypyc, which comes with mypy: pip install mypy")


def copy_sources() -> Path:
    """The sources under their import names, for mypy: here the folder has another name than the package."""
    root = HERE / BUILD / "sources"
    shutil.rmtree(root, ignore_errors=True)
    ignored = shutil.ignore_patterns("__pycache__", "*.egg-info", BUILD, "setup.py", "*.so", "*.pyd")
    shutil.copytree(HERE, root / "grimoire" / "runtime", ignore=ignored)
    return root


def extensions() -> list[Extension]:
    """One extension for each module, and the library that they share."""
    require_compiler()
    from mypyc.build import mypycify

    root = copy_sources()
    os.environ["MYPYPATH"] = str(root)
    paths = [str(root / "grimoire" / "runtime" / path.relative_to(HERE)) for path in compiled_modules()]
    found: list[Extension] = mypycify(
        [
            "--namespace-packages",
            "--explicit-package-bases",
            "--config-file=",
            f"--cache-dir={HERE / BUILD}/mypy",
            *paths,
        ],
        opt_level=os.environ.get("GRIMOIRE_OPT_LEVEL", "3"),
        debug_level=os.environ.get("GRIMOIRE_DEBUG_LEVEL", "0"),
        group_name="grimoire.runtime.kernel",
        target_dir=str(HERE / BUILD / "c"),
    )
    if os.name == "posix":
        for extension in found:
            extension.extra_compile_args += INLINING
    return found


class BuildModules(build_py):
    """Leaves this file, which lies in the folder of the package, out of it."""

    def find_package_modules(self, package: str, package_dir: str) -> list[tuple[str, str, str]]:
        return [row for row in super().find_package_modules(package, package_dir) if row[1] != "setup"]


if __name__ == "__main__":
    os.chdir(HERE)
    setup(
        cmdclass={"build_py": BuildModules},
        ext_modules=extensions() if os.environ.get("GRIMOIRE_COMPILED") == "1" else [],
    )
