"""One module writes files, so that none is ever half-written: every other one goes through it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest

from tests.charter.kit import ROOT
from tests.sources import source_files

MODULES = [path for part in ("compiler", "runtime", "grammar") for path in source_files(part)]
WRITER = "compiler/files.py"
# The cache makes and deletes its own folders and entries; their bytes go through the writer as well. The worker and the
# second process of a check talk through pipes.
MAY = {
    "compiler/cache.py": {"os.makedirs", "os.mkdir", "os.rename", "os.rmdir", "os.unlink"},
    "compiler/workspace/second_process.py": {"os.write"},
    "runtime/worker/pool.py": {"os.open", "os.write"},
}

_OS = {
    "chmod",
    "chown",
    "copy_file_range",
    "fdopen",
    "ftruncate",
    "link",
    "makedirs",
    "mkdir",
    "mkfifo",
    "pwrite",
    "remove",
    "removedirs",
    "rename",
    "renames",
    "replace",
    "rmdir",
    "sendfile",
    "symlink",
    "truncate",
    "unlink",
    "utime",
    "write",
    "writev",
}
_OF_PATHS = {
    "chmod",
    "hardlink_to",
    "mkdir",
    "rename",
    "rmdir",
    "symlink_to",
    "touch",
    "unlink",
    "write_bytes",
    "write_text",
}
_MODULES = {"shutil", "tempfile", "fileinput", "zipfile", "tarfile", "sqlite3", "shelve", "dbm"}


def writes(source: str) -> Iterator[tuple[int, str]]:
    """Line and name of every call that changes a disk, or might."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import | ast.ImportFrom):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else [node.module or ""]
            yield from ((node.lineno, name) for name in names if name.partition(".")[0] in _MODULES)
            if isinstance(node, ast.ImportFrom) and node.module == "os":
                yield from ((node.lineno, f"os.{alias.name}") for alias in node.names if alias.name in _OS | {"open"})
        if not isinstance(node, ast.Call):
            continue
        name = ast.unparse(node.func)
        owner, _, last = name.rpartition(".")
        if owner == "os":
            flags = ast.unparse(node.args[1]) if last == "open" and len(node.args) > 1 else ""
            if last in _OS or (last == "open" and "devnull" not in ast.unparse(node) and flags != "os.O_RDONLY"):
                yield node.lineno, name
        elif (last in _OF_PATHS and owner) or (last == "replace" and len(node.args) == 1 and not node.keywords):
            yield node.lineno, name
        elif name in ("open", "io.open", "gzip.open", "codecs.open") or (last == "open" and _is_mode(node.args)):
            given = [*node.args[1:2], *(word.value for word in node.keywords if word.arg == "mode")]
            given = node.args[:1] if last == "open" and owner and _is_mode(node.args) else given
            if any(not isinstance(mode, ast.Constant) or set("wax+") & set(str(mode.value)) for mode in given):
                yield node.lineno, name


def _is_mode(args: list[ast.expr]) -> bool:
    """Whether the first argument is a mode, as of Path.open."""
    return bool(args) and isinstance(args[0], ast.Constant) and set(str(args[0].value)) <= set("rwaxbt+")


@pytest.mark.parametrize("path", MODULES, ids=[path.relative_to(ROOT).as_posix() for path in MODULES])
def test_nothing_else_writes(path: object) -> None:
    name = path.relative_to(ROOT).as_posix()  # type: ignore[attr-defined]
    if name == WRITER:
        return
    found = [
        (line, call) for line, call in writes((ROOT / name).read_text("utf-8")) if call not in MAY.get(name, set())
    ]
    assert found == [], f"{name} changes files by itself: grimoire.compiler.files does that"


@pytest.mark.parametrize(
    "line",
    [
        "open('a', 'w')",
        "open('a', mode='ab')",
        "open('a', mode)",
        "Path('a').open('wb')",
        "Path('a').write_text('x')",
        "path.write_bytes(b'')",
        "path.unlink()",
        "path.replace(other)",
        "os.replace('a', 'b')",
        "os.open('a', os.O_WRONLY)",
        "from os import replace",
        "import shutil",
        "from tempfile import mkdtemp",
        "path.touch()",
    ],
)
def test_a_write_is_found(line: str) -> None:
    assert list(writes(line))


@pytest.mark.parametrize(
    "line",
    ["open('a')", "open('a', encoding='utf-8')", "text.replace('a', 'b')", "sys.stdout.write('x')", "x.open('r')"],
)
def test_what_is_no_write_is_not(line: str) -> None:
    assert not list(writes(line))
