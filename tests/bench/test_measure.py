"""The harness itself: its arithmetic, its package generator, its report. No test here depends on a duration."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml

from grimoire.compiler.api.build import build
from grimoire.compiler.api.check import check_folder
from grimoire.compiler.cache import Cache

from . import kernels, large, measure
from .generate import EFFECTS, LARGEST_FILE, SMALLEST_FILE, plan, write_package, write_part
from .measure import Clock, Playouts, Settings, Timing

QUICK = Settings(seconds=1e-6, repetitions=2, check_repetitions=1, cards=120, idle_cards=1)


def test_seconds_are_corrected_by_the_spin() -> None:
    timings = [Timing(1.0, 0.1), Timing(2.0, 0.2), Timing(1.0, 0.2)]
    assert Clock().steady(timings) == pytest.approx([2.0, 2.0, 1.0])


def fake_engine(path: Path, players: int) -> Playouts:
    return lambda games, seed: games * 3


def test_report_of_a_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measure, "load_engine", fake_engine)
    found = measure.measure_game("leduc", Clock(), QUICK)
    assert "error" not in found
    assert found["decisions_per_game"]["engine"] == 3
    assert found["goal"] == 0.08
    assert found["met"] == (found["engine_decisions_per_s"] >= 0.08 * found["handwritten_decisions_per_s"])
    assert found["ratio"] > 0 < found["games_ratio"]


def test_what_cannot_be_measured_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(path: Path, players: int) -> Playouts:
        raise ValueError(f"no {path.name}")

    monkeypatch.setattr(measure, "load_engine", broken)
    monkeypatch.setattr(measure, "use_one_core", lambda: None)
    report = measure.measure(["tic-tac-toe", "idle-cards"], QUICK)
    assert json.loads(json.dumps(report)) == report
    assert report["games"]["tic-tac-toe"]["error"] == "ValueError: no tic-tac-toe"
    assert report["games"]["tic-tac-toe"]["handwritten_decisions_per_s"] > 0
    assert report["idle_cards"]["error"] == "ValueError: no idle-1"
    assert measure.errors(report) == ["tic-tac-toe", "idle_cards"]


def test_report_of_a_check_starts_cold_twice_a_repetition(monkeypatch: pytest.MonkeyPatch) -> None:
    checked: list[tuple[str, bool]] = []

    def check(package: Path) -> None:
        cache = package.parent / measure.CACHE_FOLDER
        checked.append((package.parent.name, cache.exists()))
        cache.mkdir(exist_ok=True)

    monkeypatch.setattr(measure, "check", check)
    found = measure.measure_check(Clock(), QUICK)
    assert checked == [("single", False), ("single", True), ("double", False)]
    goals = {key: row["goal"] for key, row in found.items() if isinstance(row, dict) and "goal" in row}
    assert goals == {"cold_to_compose": 10, "touched_to_compose": 0.5, "double_to_single": 2.2}


def test_no_two_different_cards_say_the_same(tmp_path: Path) -> None:
    parts = write_package(tmp_path / "a", 700, different=True)
    cards = {id: card for part in parts for id, card in yaml.safe_load(part.path.read_text())["cards"].items()}
    assert len({card["effect"] for card in cards.values()}) == len(cards) == 700
    size = sum(part.path.stat().st_size for part in parts) / len(cards)
    assert 250 <= size <= 400
    found = check_folder(tmp_path / "a", [], Cache(tmp_path / "cache"))
    assert [item.code for item in found] == ["G0205"], "nothing but the name of the folder"


@pytest.mark.parametrize("cards", [1, 99, 500, 560, 1000, 10_000])
def test_cards_are_shared_out_to_files_of_100_to_500(cards: int) -> None:
    parts = plan(Path(), cards)
    assert sum(part.count for part in parts) == cards
    assert [part.first for part in parts] == [sum(part.count for part in parts[:i]) for i in range(len(parts))]
    if cards >= SMALLEST_FILE:
        assert all(SMALLEST_FILE <= part.count <= LARGEST_FILE for part in parts)


def test_the_generated_package(tmp_path: Path) -> None:
    parts = write_package(tmp_path / "a", 600)
    write_package(tmp_path / "b", 600)
    texts = [[path.read_text() for path in sorted((tmp_path / name).rglob("*.yaml"))] for name in "ab"]
    assert texts[0] == texts[1]
    cards = {id: card for part in parts for id, card in yaml.safe_load(part.path.read_text())["cards"].items()}
    assert len(cards) == 600
    assert all(1 <= len(card["effect"].splitlines()) <= 4 for card in cards.values())
    assert len({card["effect"] for card in cards.values()}) > len(EFFECTS)
    before = parts[0].path.read_text()
    write_part(parts[0], seed=1)
    after = parts[0].path.read_text()
    assert after != before
    assert list(yaml.safe_load(after)["cards"]) == list(yaml.safe_load(before)["cards"])


def test_report_of_a_large_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(large, "compiled_cold", lambda path: (0.1, 0.2))
    found = large.measure_large(measure.CONTENT / "leduc", measure_with_two_players(monkeypatch), Clock(), QUICK)
    assert json.loads(json.dumps(found)) == found
    assert found["decisions_per_s"]["goal"] == 5000 and set(found["ratio_to_handwritten"]) == set(large.BY_HAND)
    assert found["compile_ms"]["value"] == pytest.approx(200, rel=0.5) and found["compile_ms"]["met"]
    assert found["load_ms"]["goal"] == 150 and found["first_game_ms"] > 0
    assert len(found["profile"]) == large.TOP and found["profile"][0]["share"] >= found["profile"][1]["share"]


def measure_with_two_players(monkeypatch: pytest.MonkeyPatch) -> object:
    monkeypatch.setattr(large, "PLAYERS", 2)
    return measure


def test_shares_are_of_own_time() -> None:
    stats = {("a/b.py", 3, "slow"): (1, 2, 0.75, 1.0, {}), ("c.py", 1, "fast"): (1, 1, 0.25, 0.25, {})}
    assert large.shares(stats, 1) == [{"function": "b.py:3 slow", "share": 0.75, "calls": 2}]


def test_a_package_is_compiled_in_a_process_of_its_own() -> None:
    imported, compiled = large.compiled_cold(measure.CONTENT / "tic-tac-toe")
    assert imported > 0 < compiled
    with pytest.raises(RuntimeError, match="nowhere"):
        large.compiled_cold(measure.CONTENT / "nowhere")


def test_report_of_the_kernels_where_there_is_no_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_compiler(opt_level: str) -> Path:
        raise kernels.NoCompiler("there is none")

    monkeypatch.setattr(kernels, "compiled_root", no_compiler)
    report = kernels.measure_kernels(measure.CONTENT, measure, QUICK, ["tic-tac-toe", "leduc"])
    assert report["not_compiled"] == "there is none"
    for name in ("tic-tac-toe", "leduc"):
        found = report[name]
        assert found["decisions_per_s"].keys() == {"hand", "pure"} and "compiled" not in found
        assert found["pure"]["goal"] == kernels.ROWS[name].pure and found["pure"]["value"] > 0


def test_a_process_with_another_kernel_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "artefact.json"
    path.write_text(json.dumps(build(measure.CONTENT / "tic-tac-toe")), encoding="utf-8")
    with (
        pytest.raises(RuntimeError, match="a compiled kernel was to be measured"),
        kernels.working(None, path, 2, "compiled"),
    ):
        pass
