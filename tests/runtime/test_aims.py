"""The bot that plays by aims: what it knows, what it prefers, and what a report says about sides."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

import pytest

from grimoire.compiler import compile_package
from grimoire.runtime import Game, SetupError, new_game, simulate
from grimoire.runtime.bots.bot import AimsBot, make_bot
from grimoire.runtime.bots.imagine import Imagination
from grimoire.runtime.kernel.rng import Dice
from grimoire.runtime.play.save import state_data
from grimoire.runtime.testing.redeal import deal_again
from tests.charter.kit import ROOT, package, play, tiny

GUESS = """
kinds:
  lot: {is: card, fields: {worth: number}}
  player:
    states: {gold: number, purse: {type: number, start: 3, seen: owner}}
zones:
  urn: {holds: lot, seen: nobody}
cards:
  blank: {kind: lot, copies: 3, worth: 0, in: urn}
  prize: {kind: lot, worth: 9, in: urn}
verbs:
  open:
    signature: open <lot>
    body: your gold is now your gold + the worth of the lot
  steal:
    body: your gold is now your gold + total purse of players
  wait: {body: your gold is now your gold + 2}
outcomes: [finished]
aims:
  riches: your gold
procedures:
  game: |
    shuffle the urn
    take a turn
    end the game with finished for you
  turn: |
"""


def bot_for(game: Game, seed: int = 0) -> AimsBot:
    made = make_bot("aims")
    assert isinstance(made, AimsBot)
    made.join(game.program)
    made.begin(seed)
    return made


def chosen(game: Game, seed: int = 0) -> str:
    assert game.decision is not None
    return game.decision.options[bot_for(game, seed).pick(game.state)].key


@pytest.mark.parametrize(
    ("name", "players", "games"),
    [("leduc", 2, 12), ("love-letter", 3, 2), ("love-letter", 4, 1), ("unfathomable", 4, 1)],
)
def test_what_a_seat_cannot_see_does_not_change_what_it_does(name: str, players: int, games: int) -> None:
    """The choice is the same when what the seat cannot see is dealt again; and so is the whole position that it
    imagines.

    Compared are positions in which the same kinds lie in the same places: where kinds with one back lie mixed, what is
    imagined may hang on which of them lies where.
    """
    looked = 0
    for seed in range(games):
        rng = random.Random(f"{name} {seed}")
        game = new_game(package(name), players, seed)
        imagination = Imagination(game.program)
        while game.decision is not None:
            here = game.decision
            if len(here.options) > 1 and (name != "unfathomable" or rng.randrange(6) == 0):
                other = deal_again(game, here.seat, rng.randrange(1 << 30), range(len(game.program.piece_def))).game
                if kinds_by_place(other, imagination) == kinds_by_place(game, imagination):
                    looked += 1
                    first = imagination.position(game.state, here.seat, Dice(seed, "test"))
                    second = imagination.position(other.state, here.seat, Dice(seed, "test"))
                    assert first.mem == second.mem and first.zones == second.zones and first.index == second.index
                    assert chosen(game, seed) == chosen(other, seed)
            game.choose_index(rng.randrange(len(here.options)))
    assert looked >= 20


def kinds_by_place(game: Game, imagination: Imagination) -> list[list[int]]:
    return [[imagination.dealer.kinds[piece] for piece in zone] for zone in game.state.zones]


def test_to_try_leaves_the_game_as_it_is() -> None:
    game = new_game(package("love-letter"), 3, 1)
    while game.decision is not None:
        before = state_data(game), game.log(None), game.decision.keys
        choice = bot_for(game).pick(game.state)
        assert before == (state_data(game), game.log(None), game.decision.keys)
        game.choose_index(choice)


def test_a_prize_that_nobody_sees_is_not_found(tmp_path: Path) -> None:
    """Any of four lots may be opened, one of them is worth 9: whoever cannot see which takes it as often as chance
    does."""
    text = GUESS + "    choose a lot in the urn as picked\n    open the picked\n"
    found = 0
    for seed in range(80):
        game = play(tmp_path, text, players=2, seed=seed)
        game.choose(chosen(game, seed))
        found += game.view(None)["seats"]["p1"]["player.gold"] > 0
    assert 8 <= found <= 36


def test_a_number_that_only_its_owner_sees_is_not_known(tmp_path: Path) -> None:
    """The others' purses stand as at the start in what is imagined: 3 + 3 is more than 2, whatever is really in
    them."""
    text = GUESS + "    the purse of each opponent is now -9\n    either steal or wait\n"
    assert chosen(play(tmp_path, text)) == "steal"
    mine = GUESS + "    the purse of each player is now -9\n    either steal or wait\n"
    assert chosen(play(tmp_path, mine)) == "wait", "its own purse it sees"


COINS = """
outcomes: [finished]
counters: {face: number}
kinds:
  player: {states: {gold: number}}
aims: {riches: your gold}
procedures:
  game: |
    at the same time, each player must:
      choose a number from 1 to 2 as call
      if face = call, their gold is now their gold + 5
      the face is now call
    end the game with finished for all players
"""


def test_an_answer_that_is_not_shown_yet_is_not_known(tmp_path: Path) -> None:
    """Who answers last wins by the same answer as the first, which it cannot know."""
    found = set()
    for seed in range(30):
        game = play(tmp_path, COINS, players=2, seed=seed)
        game.choose("call:1", 0)
        found.add(chosen(game, seed))
    assert found == {"call:1", "call:2"}


def test_without_aims_it_plays_to_win() -> None:
    """Whoever can end the game with the next mark does so."""
    game = new_game(package("tic-tac-toe"), 2, 0)
    for key in ("mark:a1", "mark:a2", "mark:b1", "mark:b2"):
        game.choose(key)
    assert all(chosen(game, seed) == "mark:c1" for seed in range(5))


def test_the_score_counts_where_there_are_no_aims(tmp_path: Path) -> None:
    text = GUESS.replace("aims:\n  riches: your gold\n", "score: 0 - your gold\n") + "    may wait\n"
    assert chosen(play(tmp_path, text)) == "decline"
    assert chosen(play(tmp_path, text.replace("score: 0 - your gold", "score: your gold"))) == "wait"


LAMPS = """
outcomes: [finished]
counters: {lamps: number}
kinds:
  player: {states: {dark: flag}, adjectives: {bright-eyed: it is not dark}}
aims:
  bright: {only: you are not dark, value: lamps}
  gloomy: {only: you are dark, value: [-2 * lamps, -1 * lamps]}
verbs:
  light: {body: the lamps is now lamps + 1}
  snuff: {body: the lamps is now lamps - 1}
procedures:
  game: |
    the player right of the first-player is now dark
    in turn from the first-player, each player must take a turn
    if lamps >= 1, end the game with finished for all bright-eyed players
    end the game with finished for all dark players
  turn: either light or snuff
"""


def test_each_plays_for_its_side_and_the_report_says_which_won(tmp_path: Path) -> None:
    game = play(tmp_path, LAMPS, players=3)
    assert game.package.document["aims"] == [
        {"id": "bright", "only": 0, "value": 1},
        {"id": "gloomy", "only": 2, "value": 3},
    ]
    made = compile_package(tiny(tmp_path, LAMPS, "3"))
    report = simulate(made, games=4, players=3, bot="aims")
    assert report.winners == {"finished": {"bright": 4}}, "two for it, one against"
    assert report.outcomes == {"finished": 4} and report.wins == [4, 4, 0]
    first = simulate(made, games=4, players=3, bot="random")
    assert sum(first.winners["finished"].values()) == 4 and set(first.winners["finished"]) <= {"bright", "gloomy"}


def test_one_side_plays_and_the_others_take_any_option(tmp_path: Path) -> None:
    made = compile_package(tiny(tmp_path, LAMPS, "3"))
    bright = simulate(made, games=40, players=3, bot="aims:bright")
    assert bright.winners == {"finished": {"bright": 40}}, "two of three light, whatever the third does"
    gloomy = simulate(made, games=40, players=3, bot="aims:gloomy").winners["finished"]
    assert set(gloomy) == {"bright", "gloomy"}, "one snuffs, two do this or that"
    assert simulate(made, games=40, players=3, bot="aims:gloomy+bright").winners == {"finished": {"bright": 40}}
    with pytest.raises(SetupError, match="no side 'dim' in the aims of this package; there are bright, gloomy"):
        simulate(made, games=1, players=3, bot="aims:dim")


RIDE = """
outcomes: [finished]
counters: {miles: number, fares: number}
kinds:
  player: {states: {tired: flag}}
aims: {trip: [10 * miles, 3 * fares]}
verbs:
  act: {abilities: action}
  wait: {body: the fares is now fares + 1}
  saddle: {body: you are now tired}
  ride: {only: you are tired, body: the miles is now miles + 1}
  pay: {body: the fares is now fares - 1}
abilities:
  resting: {action: wait}
  saddling: {action: saddle}
  riding: {action: ride}
  toll: {window: after you ride, do: may pay}
procedures:
  game: |
    repeat 2 times, act
    end the game with finished for you
"""


def test_its_next_action_is_looked_through(tmp_path: Path) -> None:
    """To saddle is worth nothing in itself; to ride is, and nobody has to react to that in thought."""
    game = play(tmp_path, RIDE)
    keys = []
    while game.decision is not None:
        keys.append(chosen(game))
        game.choose(keys[-1])
    assert keys == ["saddling", "riding", "pass"]


def test_without_sides_the_report_names_the_seats() -> None:
    report = simulate(package("leduc"), games=60, seed=3)
    assert sum(report.winners["showdown"].values()) == report.outcomes["showdown"]
    assert set(report.winners["showdown"]) == {"p1", "p2"} and set(report.winners["split"]) == {"nobody"}


def test_the_same_games_with_other_jobs_and_another_hash_seed() -> None:
    code = (
        "import sys; from grimoire.compiler import compile_package as c; from grimoire.runtime import simulate as s\n"
        "if __name__ == '__main__': r = s(c('content/love-letter'), 70, 3, 5, 'aims', int(sys.argv[1])); print(r.digest, r.winners)"
    )
    script = ["-c", code]
    found = set()
    for jobs, hashed in (("1", "1"), ("2", "77")):
        run = subprocess.run(
            [sys.executable, *script, jobs],
            cwd=ROOT,
            env={"PYTHONHASHSEED": hashed, "PATH": "/usr/bin:/bin"},
            capture_output=True,
            text=True,
            check=True,
        )
        found.add(run.stdout)
    assert len(found) == 1 and "favour" in found.pop()
