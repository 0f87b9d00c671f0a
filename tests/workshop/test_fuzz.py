"""Random texts of the grammar: every one is read and resolved, or refused with a diagnostic; never an exception."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from grimoire.compiler.declare.model import Ability, Text
from grimoire.compiler.diagnostics.report import Diagnostics
from grimoire.compiler.lower.scenario_texts import ScenarioTexts
from grimoire.compiler.lower.units import ConditionUnit, EffectUnit, LoweringUnit, RuleUnit, ScoreUnit, lower_unit
from grimoire.compiler.syntax.parse import parse_texts
from grimoire.runtime import BudgetExceeded, load_artefact, new_game
from tests.packages import Compiled, compile_folder
from tests.workshop.harness import HARBOUR, scalar
from tests.workshop.sentences import Sense, Sentences

SEEDS = (1, 2, 3)
TEXTS = 400  # texts of one seed
STARTS = ("effect", "effect", "effect", "effect", "condition", "amount", "trigger")


def unit_of(text: Text, start: str, folder: Path) -> LoweringUnit:
    """The unit in which a text of this sort stands."""
    if start == "effect":
        return EffectUnit(text, 2)
    if start == "condition":
        return ConditionUnit(text, 2)
    if start == "amount":
        return ScoreUnit(text)
    answer = scalar("take a turn", folder)
    do = Text(answer.value, "effect", answer, "answer", "answer")
    parse_texts([do], Diagnostics())
    return RuleUnit(Ability("answer", text.span, window=text, do=do))


def try_text(lowered: ScenarioTexts, start: str, source: str, folder: Path, name: str) -> tuple[bool, list[Any]]:
    """Parse and lower one text. Whether it was accepted, and the diagnostics."""
    node = scalar(source, folder)
    text = Text(node.value, start, node, name, name)
    diags = Diagnostics()
    parse_texts([text], diags)
    if not text.ok:
        return False, []
    unit = unit_of(text, start, folder)
    made = lowered.add(unit) if start == "effect" else lower_unit(lowered.vocabulary, unit)
    diags.extend(made.diagnostics)
    found = list(diags)
    return not any(d.severity == "error" for d in found), found


def fuzz(seed: int, count: int, folder: Path) -> tuple[list[str], int]:
    """The effects that were accepted, and how many texts could be parsed."""
    accepted: list[str] = []
    parsed = 0

    def extra(lowered: ScenarioTexts) -> None:
        nonlocal parsed
        source, sense = Sentences(lowered.model, seed), Sense(seed)
        for number in range(count):
            start = STARTS[number % len(STARTS)]
            text = sense.text() if number % 2 and start == "effect" else source.text(start, 10 + number % 8)
            try:
                good, found = try_text(lowered, start, text, folder, f"text {number}")
            except Exception as error:
                raise AssertionError(f"{type(error).__name__}: {error}\n{text}") from error
            parsed += good or bool(found)
            for item in found:
                assert item.hint or item.severity != "error", f"{item.code} {item.message}\n{text}"
            if good and start == "effect":
                accepted.append(text)

    assert compile_folder(HARBOUR, [], extra).artefact is not None
    return accepted, parsed


def playable(accepted: list[str], folder: Path) -> Compiled:
    def extra(lowered: ScenarioTexts) -> None:
        for number, text in enumerate(accepted):
            good, _ = try_text(lowered, "effect", text, folder, f"play {number}")
            assert good

    return compile_folder(HARBOUR, [], extra)


def play(made: Compiled, accepted: list[str], seed: int) -> None:
    """Whatever was accepted can be played by chance."""
    assert made.artefact is not None
    package = load_artefact(made.artefact)
    chance = random.Random(seed)
    for number, text in enumerate(accepted):
        game = new_game(package, players=2, seed=seed, log=False)
        try:
            game.edit().start(f"play {number}")
            for _ in range(40):
                if game.decision is None:
                    break
                game.choose_index(chance.randrange(len(game.decision.options)))
        except BudgetExceeded:
            continue
        except Exception as error:
            raise AssertionError(f"{type(error).__name__}: {error}\n{text}") from error


@pytest.mark.parametrize("seed", SEEDS)
def test_random_texts(seed: int, tmp_path: Path) -> None:
    accepted, parsed = fuzz(seed, TEXTS, tmp_path)
    assert parsed > TEXTS // 8, "hardly any text could be parsed"
    play(playable(accepted, tmp_path), accepted, seed)
