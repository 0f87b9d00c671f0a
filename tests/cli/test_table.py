"""The table of a large game: a board of 25 spaces, dials, ten piles, hands of ten, up to six players. See
content/delta."""

from __future__ import annotations

import io
import re
import shutil
from functools import cache
from pathlib import Path

import pytest
from rich.cells import cell_len
from rich.console import Console

from grimoire.compiler import compile_package
from grimoire.compiler.command.terminal import Terminal
from grimoire.compiler.command.terminal_view import Painter
from grimoire.runtime import Game, Package, new_game
from grimoire.runtime.wording.words import Words

DELTA = Path(__file__).parent / "content" / "delta"
LANGUAGES = ["en", "uk", "ru"]


@cache
def package() -> Package:
    return compile_package(DELTA)


def play(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    *answers: str,
    game: Game | None = None,
    language: str = "en",
    width: int = 120,
    players: int = 3,
) -> str:
    """What a person at seat 1 sees who answers like this; the others are bots."""
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{answer}\n" for answer in answers)))
    capsys.readouterr()
    Terminal(game or new_game(package(), players, 3), [0], "first", language, width).run()
    return capsys.readouterr().out


def table(text: str) -> list[str]:
    """The lines of the first table that was shown: from behind the log to the question."""
    lines = text.splitlines()
    start = next(at for at, line in enumerate(lines) if line.startswith("──"))
    start = next(at for at in range(start + 2, len(lines)) if not lines[at].startswith(" "))
    return lines[start : lines.index("", start)]


@pytest.mark.parametrize("width", [80, 120])
@pytest.mark.parametrize("players", [3, 6])
@pytest.mark.parametrize("language", LANGUAGES)
def test_it_fits(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, language: str, players: int, width: int
) -> None:
    text = play(capsys, monkeypatch, "1", "1", language=language, width=width, players=players)
    assert "<" not in text
    lines = table(text)
    assert max(cell_len(line) for line in lines) <= width and len(lines) < 45
    lists = [line for line in text.splitlines() if len(re.findall("[0-9]+  ", line)) >= 3 and line.startswith("   1")]
    assert lists and all(cell_len(line) <= width for line in lists)


def test_the_parts(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    lines = table(play(capsys, monkeypatch, width=130))
    assert [" ".join(line.split()) for line in lines] == [
        "Weir [Shut]",
        "Ferry Heron (P1), Otter (P2), Bittern (P3)",
        "Long Quay Crane (P1), Teal (P2), Pike (P3)",
        "Marsh 3 × Brown rat [Flooded]",
        "Empty spaces: 21",
        "Level Grain 5/8 · Timber 5/8 · Peat 5/8 · Salt 5/8",
        "Step River 0/12 · Sea 0/12",
        "Nest 9 × Brown rat",
        "Face down Skills, deck 46 · Crises, deck 12 · Gear, deck 6 · Rumours, deck 16 · Goals, deck 5",
        "Empty Moorings",
        "Day: 1/7 · Weather: calm · First player: Player 1",
        "Players Coins Bid Hand Bench Secret goals",
        "▸ Player 1 3 0 10 1 1",
        "Player 2 3 ? 8 1 1",
        "Player 3 3 ? 8 1 1",
        "Hand, Player 1 Row, 2 × Guard duty, Sing, 2 × Climb, 2 × Dig, Pray, Listen",
        "Bench, Player 1 Lantern",
        "Secret goals, Player 1 Hero",
        "Bench, Player 2 Lantern",
        "Bench, Player 3 Bell",
    ]


def test_players_stand_side_by_side_where_lines_would_be_too_long(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    game = new_game(package(), 6, 3)
    for state, value in (("fame", 2), ("weary", 1), ("patron", "mill")):  # what nobody has takes no room
        game.edit().set_col(f"player.{state}", "p1", value)
    lines = table(play(capsys, monkeypatch, game=game, width=80))
    rows = [line.split() for line in lines]
    assert ["Players", "▸", "P1", "P2", "P3", "P4", "P5", "P6"] in rows
    assert ["Hand", "10", "8", "8", "8", "8", "8"] in rows


def test_states_that_changed(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Numbers of dials are shown when they are nothing too; states of spaces and pieces only when they say
    something."""
    game = new_game(package(), 3, 3)
    edit = game.edit()
    edit.set_col("supply.level", "grain", 0)
    edit.set_col("gauge.alarm", "sea", 1)
    edit.set_col("site.silt", "mill", 2)
    edit.set_col("site.claim", "mill", "p2")
    edit.set_col("barge.cargo", "heron@ferry", 3)
    edit.lay(
        {"skill-pile": ["row", "dig", "dig", "haggle", "pray", "climb", "mend", "count", "listen", "carry", "sing"]}
    )
    text = play(capsys, monkeypatch, game=game)
    assert "Grain 0/8 · Timber 5/8" in text and "Sea 0/12 (Alarm)" in text
    assert "[Silt 2, Claim: P2]" in text and "Heron (Owner: P1, Cargo 3)" in text
    assert "… and 3 below, Haggle, Pray, Climb, Mend, Count, Listen, Carry, Sing" in text


def test_a_state_with_an_empty_heading_is_not_shown(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    root = tmp_path / "delta"
    shutil.copytree(DELTA, root)
    path = root / "text" / "en.yaml"
    path.write_text(path.read_text(encoding="utf-8").replace("  coins: Coins\n", "  coins: ''\n"), encoding="utf-8")
    shown = play(capsys, monkeypatch, "view", game=new_game(compile_package(root), 3, 3))
    assert "Coins" in play(capsys, monkeypatch, "view")
    assert "Coins" not in shown and "coins" not in shown


def test_a_column_that_has_been_shown_stays() -> None:
    game = new_game(package(), 3, 3)
    painter = Painter(game.package.artefact, Words(game.package.document, "en"))
    view = {**game.view(0), "seats": {name: dict(states) for name, states in game.view(0)["seats"].items()}}
    column = next(name for name in view["seats"]["p1"] if name.endswith("coins"))

    def shown(coins: int) -> bool:
        for states in view["seats"].values():
            states[column] = coins
        console = Console(file=io.StringIO(), width=120)
        console.print(painter.paint(view))
        assert isinstance(console.file, io.StringIO)
        return "Coins" in console.file.getvalue()

    assert [shown(0), shown(2), shown(0)] == [False, True, True]


def test_a_long_list_is_narrowed_by_parts_of_words(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    text = play(capsys, monkeypatch, "sail", "heron", "gate", "gate se")
    assert "Player 1, Play · 1 › sail › Heron: Where does it sail?" in text
    assert "24 options; type a part" in text and "sail-to:mill" not in text
    assert (
        "2 of 24 options have that:\n   1  North Gate  sail-to:north-gate\n  22  Sea Gate  sail-to:sea-gate\n" in text
    )
    assert "Player 1 sails Heron to Sea Gate." in text
    russian = play(capsys, monkeypatch, "плыть", "цапля", "ворота", "морск", language="ru")
    assert "Подходит вариантов: 2 из 24" in russian and "Цапля — Морские ворота" in russian


def test_the_table_is_not_repeated_while_nothing_has_changed(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    text = play(capsys, monkeypatch, "sail", "heron", "view", "quit")
    assert text.count("Face down") == 2 and text.count("Where does it sail?") == 2


def test_who_is_asked_for_what(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    game = new_game(package(), 3, 3)
    edit = game.edit()
    edit.lay({"crisis-deck": ["storm", "spring-tide"], "bench.p1": ["waders", "bell"]})
    text = play(capsys, monkeypatch, "sail", "heron", "mill", "1", "weir", "1", game=game)
    assert "This has just happened. Player 1 sails Heron to Mill.\nPlayer 1: Do you want to react?\n" in text
    assert "   1  ring the bell  bell.ring:bell@bench.p1" in text
    assert "Player 1, Spring tide: Which site is flooded?" in text
    assert "About to happen: Weir is flooded.\nPlayer 1, Spring tide: Do you want to react?\n" in text
    assert "  Crisis: Spring tide.\n" in text


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "Player 1, Play · 1: What do you do?"),
        ("uk", "Гравець 1, Гра · 1: Що ви робите?"),
        ("ru", "Игрок 1, Игра · 1: Что вы делаете?"),
    ],
)
def test_a_question_of_a_rule_names_the_rule(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, language: str, words: str
) -> None:
    assert words in play(capsys, monkeypatch, language=language)


def test_why(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    game = new_game(package(), 3, 3)
    game.edit().set_col("player.weary", "p1", 1)
    asked = ["why tow", "why anywhere", "why", "why sail", "why nonsense"]
    text = play(capsys, monkeypatch, *asked, "sail", "heron", "why marsh", "why sail-to:marsh", "why gate", game=game)
    assert text.count("this does not hold: you are not weary  (delta/rules.yaml:") == 2
    assert "Name an option" in text and "sail is offered." in text
    assert "nonsense is no key here; keys look like sail, tow, drain, rest" in text
    assert text.count("this does not hold: the site is not flooded") == 2
    assert "sail-to:north-gate is offered.\nsail-to:sea-gate is offered.\n" in text
    ukrainian = play(capsys, monkeypatch, "пливти", "чапля", "why болото", language="uk")
    assert "не виконано умову: the site is not flooded" in ukrainian


def test_view_of_one_thing(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    text = play(capsys, monkeypatch, "view mill", "view brown", "view salt", "view hand 2", "view pray", "view zzz")
    assert (
        "Mill  site, Flooded: no, Silt: 0/3, Claim: nobody\n      –\n      Next to: North Gate, Weir, Granary\n" in text
    )
    assert "Brown rat  rat\n           Nest: 9 × Brown rat\n           Marsh: 3 × Brown rat\n" in text
    assert "Salt  supply, Level: 5/8\n" in text and "Hand, Player 2  8 × skill face down\n" in text
    assert "Pray  skill, Strength: 4\n      Hand, Player 1: Pray\n" in text
    assert "Nothing is called 'zzz'." in text
