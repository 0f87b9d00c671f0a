"""Run the command in this process: arguments and lines of input in, exit code and both outputs out."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from grimoire.compiler.cli import main

from .sample import write_sample

ROOT = Path(__file__).parents[2]


class Done(NamedTuple):
    code: int
    out: str
    err: str


Run = Callable[..., Done]


@pytest.fixture(autouse=True)
def _at_the_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Iterator[Run]:
    def call(*args: str, stdin: str = "") -> Done:
        monkeypatch.setattr("sys.stdin", io.StringIO(stdin))
        capsys.readouterr()
        code = main(list(args))
        out, err = capsys.readouterr()
        assert "Traceback" not in err and "Traceback" not in out
        return Done(code, out, err)

    yield call


@pytest.fixture
def sample(tmp_path: Path) -> Path:
    """A small package outside content/, with texts in two languages."""
    return write_sample(tmp_path / "sample")
