"""Runs the constructs of docs/reference/constructs.yaml on the package of this folder.

A construct has an example: an effect (`example`), or a file of declarations (`file`) that is added to the package as an
expansion. Its checks are small plays:

given     an effect, carried out first by p1; decisions in it are not allowed
run       the effect that is played (without it: the example itself)
when      the decisions, in order: `p1 gain`, or {p1: gain, offers: [gain, decline]}, or {p1: gain, why not: {KEY: part of the reason}}
then      conditions that hold afterwards; with `open` the play stands at a decision that offers exactly these keys
knows     {p1: {deck: [lamp]}}: what a seat knows of the pieces of a zone
ends      the outcome and the winners: [victory, p1]
players, random, options: how the game is set up

`p1`, `p2` .. name the seats in all texts. `refused` lists effects that must not compile, each with its code.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from grimoire.compiler.declare.model import Text
from grimoire.compiler.lower.scenario_texts import ScenarioTexts
from grimoire.compiler.lower.units import ConditionUnit, EffectUnit
from grimoire.compiler.source.tree import Mapping, Scalar, load_file
from grimoire.compiler.syntax.parse import parse_texts
from grimoire.runtime import Game, load_artefact, load_game, new_game
from tests.packages import Compiled, compile_folder

HERE = Path(__file__).parent
HARBOUR = HERE / "content" / "harbour"
CONSTRUCTS = HERE.parents[1] / "docs" / "reference" / "constructs.yaml"
SEATS = 4


@dataclass
class Play:
    """One check of one construct, with the names under which its texts are compiled."""

    construct: str
    number: int
    data: dict[str, Any]
    example: str | None
    file: str | None
    effects: dict[str, str] = field(default_factory=dict)
    conditions: list[str] = field(default_factory=list)

    @property
    def id(self) -> str:
        return f"{self.construct}-{self.number}"


def constructs() -> list[dict[str, Any]]:
    """All constructs, in the order of the page."""
    data = yaml.safe_load(CONSTRUCTS.read_text(encoding="utf-8"))
    return [entry for section in data["sections"] for entry in section["constructs"]]


def plays() -> list[Play]:
    return [
        Play(entry["id"], number, check, entry.get("example"), entry.get("file"))
        for entry in constructs()
        for number, check in enumerate(entry.get("checks", []), 1)
    ]


def scalar(text: str, folder: Path) -> Scalar:
    """A text as the loader gives it, so that diagnostics have a place."""
    file = folder / "text.yaml"
    indented = "\n".join("  " + line for line in text.rstrip().splitlines())
    file.write_text(f"text: |\n{indented}\n", encoding="utf-8")
    tree = load_file(file, _none())
    assert isinstance(tree, Mapping)
    node = tree.get("text")
    assert isinstance(node, Scalar)
    return node


def _none() -> Any:
    from grimoire.compiler.diagnostics.report import Diagnostics

    return Diagnostics()


def compiled(found: list[Play], folder: Path) -> tuple[Compiled, dict[str, list[str]]]:
    """The package with the texts of some plays of one file (or of none). Problems by play."""
    root, needs = HARBOUR, []
    file = found[0].file
    if file is not None:
        root, needs = folder / "expansion", [HARBOUR]
        root.mkdir(exist_ok=True)
        (root / "package.yaml").write_text(
            'package: example\nversion: 1.0.0\nlanguage: 2\nlanguages: [en]\nplayers: 2-4\nneeds:\n  harbour: ">=1, <2"\n',
            encoding="utf-8",
        )
        (root / "example.yaml").write_text(file, encoding="utf-8")
    problems: dict[str, list[str]] = {}

    def extra(lowered: ScenarioTexts) -> None:
        for play in found:
            texts = {"given": play.data.get("given"), "run": play.data.get("run", play.example)}
            for key, text in texts.items():
                if text is not None:
                    add(lowered, play, f"{play.id}:{key}", text, "effect")
                    play.effects[key] = f"{play.id}:{key}"
            for i, text in enumerate(play.data.get("then", [])):
                add(lowered, play, f"{play.id}:then:{i}", text, "condition")
                play.conditions.append(f"{play.id}:then:{i}")

    def add(lowered: ScenarioTexts, play: Play, name: str, source: str, start: str) -> None:
        node = scalar(str(source), folder)
        text = Text(node.value, start, node, name, name)
        found = _none()
        parse_texts([text], found)
        unit = EffectUnit(text, SEATS) if start == "effect" else ConditionUnit(text, SEATS)
        found.extend(lowered.add(unit).diagnostics)
        new = [d for d in found if d.severity == "error"]
        if new:
            problems.setdefault(play.id, []).extend(f"{d.code} {name} {d.message} ({d.hint})" for d in new)

    made = compile_folder(root, needs, extra)
    own = [d for d in made.diags if d.severity == "error"]
    assert own or made.artefact is not None
    for play in found:
        problems.setdefault(play.id, []).extend(
            f"{d.code} {d.span.file}:{d.span.line} {d.message} ({d.hint})" for d in own
        )
    return made, {key: value for key, value in problems.items() if value}


def start(made: Compiled, play: Play) -> Game:
    """The game at the start of what the play runs."""
    assert made.artefact is not None
    data = play.data
    script = {"random": list(data["random"])} if "random" in data else None
    game = new_game(
        load_artefact(made.artefact),
        players=data.get("players", 2),
        seed=1,
        options=data.get("options", {}),
        script=script,
    )
    if "given" in play.effects:
        game.edit().start(play.effects["given"])
        assert game.decision is None, f"given asks {game.decision}"
    game.edit().start(play.effects["run"])
    return game


def run(made: Compiled, play: Play) -> None:
    """Play a check and look at what it left."""
    game = start(made, play)
    data = play.data
    for step in data.get("when", []):
        loaded = load_game(game.package, game.save())
        take(game, step)
        take(loaded, step)
        assert loaded.digest() == game.digest(), f"a loaded game goes on otherwise: {step}"
    decision = game.decision
    if "open" in data:
        assert decision is not None, "nothing is asked"
        assert list(decision.keys) == data["open"], f"offered: {list(decision.keys)}"
    else:
        assert decision is None, f"still asked: {decision}"
    names = [row.id for row in game.program.artefact.functions]
    for name, text in zip(play.conditions, data.get("then", []), strict=True):
        assert game.call_function(names.index(name), 0, []) == 1, f"does not hold: {text}"
    for seat, zones in data.get("knows", {}).items():
        view = game.view(int(seat[1:]) - 1)
        for zone, wanted in zones.items():
            assert [p["id"] for p in view["zones"][zone] if p["id"]] == wanted, f"{seat} knows {view['zones'][zone]}"
    if "ends" in data:
        outcome = game.outcome
        assert outcome is not None and [outcome.id, *(f"p{w + 1}" for w in outcome.winners)] == data["ends"], outcome


def take(game: Game, step: Any) -> None:
    """One decision."""
    if isinstance(step, str):
        seat, _, key = step.partition(" ")
        step = {seat: key}
    seat, key = next((k, v) for k, v in step.items() if k[0] == "p" and k[1:].isdigit())
    number = int(seat[1:]) - 1
    open_ = game.decisions()
    mine = next((d for d in open_ if d.seat == number), None)
    assert mine is not None, f"{seat} is not asked: {open_}"
    if "offers" in step:
        assert list(mine.keys) == step["offers"], f"{seat} is offered {list(mine.keys)}"
    for other, reason in step.get("why not", {}).items():
        reasons = game.why_not(other, number)
        assert reasons, f"{other} is offered: {list(mine.keys)}"
        assert any(reason in r.text for r in reasons), f"{other}: {[r.text for r in reasons]}"
    assert key in mine.keys, f"{seat} is offered {list(mine.keys)}, not {key}"
    game.choose(key, number)
