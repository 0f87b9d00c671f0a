"""The kept inputs of the fuzzers, and that the targets find what is planted; `make soak` lets the fuzzers loose."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from grimoire.compiler.diagnostics.report import Diagnostics, Span
from grimoire.runtime import load_artefact
from tests.soak import fuzzers

from . import fuzz_targets
from .fuzz_targets import CORPUS, TARGETS, corpus, keep

MOST = 300_000  # bytes of the whole corpus


@pytest.mark.parametrize("target", TARGETS)
def test_kept_inputs(target: str) -> None:
    inputs = corpus(target)
    assert inputs
    for data in inputs:
        TARGETS[target](data)


def test_the_corpus_is_small_and_named_after_what_it_holds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = [path for target in TARGETS for path in (CORPUS / target).iterdir()]
    assert sum(path.stat().st_size for path in files) < MOST
    monkeypatch.setattr(fuzz_targets, "CORPUS", tmp_path)
    assert all(keep(path.parent.name, path.read_bytes()).name == path.name for path in files)


def test_runner_and_targets_have_the_same_names() -> None:
    assert [*TARGETS] == [*fuzzers.TARGETS] == [*fuzzers.LONGEST]


def test_a_place_outside_of_the_file_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def planted(data: bytes, name: str, diags: Diagnostics) -> None:
        diags.add("G0106", Span(name, 7, 1, 7, 2), "planted")

    monkeypatch.setattr(fuzz_targets, "parse_bytes", planted)
    with pytest.raises(AssertionError, match="line 7 of 2"):
        fuzz_targets.yaml_reader(b"a: b\n")
    monkeypatch.setattr(fuzz_targets, "parse_bytes", lambda *_: None)
    with pytest.raises(AssertionError, match="neither"):
        fuzz_targets.yaml_reader(b"a: b\n")


def test_a_text_that_prints_as_another_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fuzz_targets, "print_node", lambda node: "draw 2 cards")
    with pytest.raises(AssertionError, match="another tree"):
        fuzz_targets.effect_parser(b"\x00draw 1 card")


def test_a_loader_that_raises_something_else_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    seed = next(data for data in corpus("artefact_loader") if len(data) > 2000)
    taken: list[Any] = []
    monkeypatch.setattr(fuzz_targets, "load_artefact", lambda source: taken.append(source) or load_artefact(source))
    fuzz_targets.artefact_loader(seed)
    assert load_artefact(taken[-1]).hash, "the input reaches what lies behind the hash"
    monkeypatch.setattr(fuzz_targets, "load_artefact", lambda source: {}["planted"])
    with pytest.raises(KeyError):
        fuzz_targets.artefact_loader(b"{}")


def test_without_atheris_hypothesis_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fuzzers, "find_spec", lambda name: None)
    (row,) = fuzzers.run_fuzzers(1, 1, lambda text: None, ("effect_parser",))
    assert row["runs"] > 10 and row["with"].startswith("hypothesis") and row["findings"] == []
    monkeypatch.setitem(TARGETS, "effect_parser", lambda data: {}["planted"])
    (row,) = fuzzers.run_fuzzers(1, 1, lambda text: None, ("effect_parser",))
    assert row["found"] == 1 and "KeyError: 'planted'" in row["findings"][0]


def test_inputs_that_reach_something_new_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fuzz_targets, "CORPUS", tmp_path / "corpus")
    keep("effect_parser", b"\x00draw 1 card")
    grown = tmp_path / "grown"
    grown.mkdir()
    for name, data in {
        "same": b"\x00draw 2 cards",
        "more": b"\x00if you have 2 cards, draw 1 card",
        "large": b"\x00" + b"x" * 9000,
    }.items():
        (grown / name).write_bytes(data)
    assert fuzzers.merge("effect_parser", grown) == 1
    assert sorted(map(len, corpus("effect_parser"))) == [12, 33]


def test_what_is_found_is_cut_down(monkeypatch: pytest.MonkeyPatch) -> None:
    def planted(data: bytes) -> None:
        if b"b" in data and data.endswith(b"d"):
            raise LookupError("planted")

    monkeypatch.setitem(TARGETS, "yaml_reader", planted)
    assert fuzzers.cut_down("yaml_reader", b"aaabaaacccd") == b"bd"
    assert fuzzers.cut_down("yaml_reader", b"fine") == b"fine"
