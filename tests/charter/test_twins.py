"""The twins of charter 9 find what they are there to find: every sort of leak, planted, and nothing where a rule tells
something."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from grimoire.compiler import compile_package
from grimoire.runtime import Game, Package, UndoBarrier, content_hash, load_artefact, new_game
from grimoire.runtime.build.slot_sorts import MIXED
from grimoire.runtime.play.dealer import Dealer
from grimoire.runtime.play.listener_index import rebuild_index
from grimoire.runtime.play.names import Names
from grimoire.runtime.testing.redeal import deal_again
from tests.charter.kit import HIDDEN, package, positions, tiny
from tests.charter.twins import CHANNELS, Channel, differences, twins
from tests.packages import LARGE

Json = Any


def hidden(game: Game, seat: int) -> list[int]:
    """The pieces that a seat does not know, in the order of their places."""
    names = Names(game.program, game.state, seat)
    return [piece for zone in game.state.zones for piece in zone if not names.knows(piece)]


def first(game: Game, seat: int) -> int:
    """Something about what a seat does not know."""
    return (hidden(game, seat) or [0])[0]


# --- leaks in what is told --------------------------------------------------------------------------------------------

Change = Callable[[Json, Game, int], Json]


def told(change: Change, channel: str) -> dict[str, Channel]:
    """The channels, one of which tells more than it should."""
    return {
        **CHANNELS,
        channel: lambda game, seat, rng: change(CHANNELS[channel](game, seat, rng), game, seat),
    }


def ranked(view: Json, game: Game, seat: int) -> Json:
    """The places of hidden pieces, listed by the numbers of the pieces."""
    places = [Names(game.program, game.state, seat).place(piece) for piece in sorted(hidden(game, seat))]
    return {**view, "vars": {**view["vars"], "table": places}}


def renumbered(log: Json, game: Game, seat: int) -> Json:
    return [{**entry, "n": entry["n"] + first(game, seat) % 2} for entry in log]


def deepened(log: Json, game: Game, seat: int) -> Json:
    return [{**entry, "depth": entry["depth"] + first(game, seat) % 2} for entry in log]


def opened(log: Json, game: Game, seat: int) -> Json:
    return [*log[:-1], *({**entry, "open": bool(first(game, seat) % 2)} for entry in log[-1:])]


def reordered(asked: Json, game: Game, seat: int) -> Json:
    return [[*rest, options[::-1] if first(game, seat) % 2 else options] for *rest, options in asked]


def sourced(asked: Json, game: Game, seat: int) -> Json:
    return [[label, prompt, first(game, seat) % 2, options] for label, prompt, _, options in asked]


def passed_on(view: Json, game: Game, seat: int) -> Json:
    return {**view, "decision": {**(view["decision"] or {}), "seat": f"p{1 + first(game, seat) % 2}"}}


def backed(view: Json, game: Game, seat: int) -> Json:
    zones = {
        zone: [piece if piece["id"] else {**piece, "kind": first(game, seat) % 2} for piece in pieces]
        for zone, pieces in view["zones"].items()
    }
    return {**view, "zones": zones}


def reasoned(reasons: Json, game: Game, seat: int) -> Json:
    return [*reasons, ["?", game.program.definition_names[game.program.piece_def[first(game, seat)]]]]


TOLD = {
    "a set in the order of piece numbers": (ranked, "view", "order"),
    "the numbers of the log": (renumbered, "log", "numbering"),
    "the depth of the log": (deepened, "log", "numbering"),
    "an event that is open": (opened, "log", "open"),
    "the order of options": (reordered, "question", "options"),
    "the source of a question": (sourced, "question", "options"),
    "who is asked": (passed_on, "view", "asked"),
    "a back that is no back": (backed, "view", "back"),
    "a reason that names a hidden card": (reasoned, "why-not", "why-not"),
}


@pytest.mark.parametrize("leak", TOLD)
def test_a_leak_in_what_is_told_is_found(leak: str) -> None:
    change, channel, sort = TOLD[leak]
    found = twins("love-letter", 2, 25, steps=4, channels=told(change, channel))
    assert any(name.split()[0] == sort for name in found.classes), found.classes


LEAKS: dict[str, Channel] = {
    "a hidden id": lambda game, seat, rng: [piece["id"] for piece in game.view(None)["zones"]["deck"]],
    "the hand of another": lambda game, seat, rng: game.view((seat + 1) % game.players)["zones"],
    "a count of what is hidden": lambda game, seat, rng: sum(
        piece["id"] in ("king", "guard") for piece in game.view(None)["zones"]["deck"]
    ),
    "the digest": lambda game, seat, rng: game.digest(),
}


@pytest.mark.parametrize("leak", LEAKS)
@pytest.mark.parametrize(("name", "players"), HIDDEN[:2])
def test_a_channel_that_tells_too_much_is_found(leak: str, name: str, players: int) -> None:
    assert twins(name, players, 30, steps=0, channels={**CHANNELS, "leak": LEAKS[leak]}).wrong


# --- leaks in what happens --------------------------------------------------------------------------------------------


def test_undo_that_depends_on_what_is_hidden_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = Game.undo

    def undo(game: Game, steps: int = 1, force: bool = False) -> None:
        if sum(game.state.zones[0][:1]) % 2:
            raise UndoBarrier("planted")
        kept(game, steps, force)

    monkeypatch.setattr(Game, "undo", undo)
    assert any("undo" in name for name in twins("love-letter", 2, 20, steps=6).classes)


SKIPPING = """
kinds:
  trick: {is: card, fields: {worth: number}}
  player: {states: {coins: {type: number 0 to 20, start: 3}}}
zones:
  deck: {holds: trick, seen: nobody}
  hand: {holds: trick, each: player, seen: owner}
  heap: {holds: trick, seen: nobody}
outcomes: [finish]
verbs:
  forage:
    body: move a trick whose worth = 2 in your hand to the heap
  drop:
    body: move any number of tricks whose worth = 2 in your hand to the heap
cards:
  dud: {kind: trick, worth: 1, copies: 6, in: deck}
  gem: {kind: trick, worth: 2, copies: 6, in: deck}
procedures:
  game: |
    shuffle the deck
    repeat 3 times, each player must move the top trick of the deck to their hand
    repeat 4 times, each player must:
      choose a number from 0 to 3 as bid
      their coins is now bid
      forage
      drop
    end the game with finish
"""


def without(part: Json, field: str) -> Json:
    """A part of an artefact without a field, wherever it stands."""
    if isinstance(part, dict):
        return {key: without(value, field) for key, value in part.items() if key != field}
    return [without(value, field) for value in part] if isinstance(part, list) else part


def skipping(folder: Path) -> Package:
    """A package in which a seat without a fitting card is not asked, whatever the compiler does about that."""
    document = copy.deepcopy(compile_package(tiny(folder, SKIPPING, "3")).document)
    document["procs"] = without(document["procs"], "might")
    document["hash"] = content_hash(document)
    return load_artefact(document)


def test_a_question_that_is_skipped_is_found(tmp_path: Path) -> None:
    found = twins(skipping(tmp_path), 3, 60)
    sorts = {name.split()[0] for name in found.classes}
    assert sorts & {"open", "skipped"} and not sorts - {"open", "skipped", "asked"}, found.classes


def test_a_seat_is_asked_for_its_own_cards_by_what_it_knows(tmp_path: Path) -> None:
    """Where every card is seen there is nothing to deal again, and nothing is found."""
    open_hands = SKIPPING.replace("seen: owner", "seen: everyone").replace("seen: nobody", "seen: everyone")
    found = twins(compile_package(tiny(tmp_path, open_hands, "3")), 3, 20)
    assert found.moved == 0 and not found.wrong


# --- what explains a difference ---------------------------------------------------------------------------------------


def told_of(log: list[Json], zones: dict[str, Json] | None = None, **more: Json) -> dict[str, Json]:
    view = {
        "zones": zones or {},
        "vars": {},
        "seats": {},
        "fixtures": {},
        "effects": [],
        "outcome": None,
        "decision": None,
    }
    return {"log": log, "view": {**view, **more}}


def event(verb: str = "take", **more: Json) -> Json:
    return {"n": 1, "depth": 0, "verb": verb, "you": "p1", "args": [], "ok": True, **more}


@pytest.mark.parametrize(
    ("one", "two", "sort"),
    [
        (told_of([event(args=[{"sort": "piece", "value": "a"}])]), told_of([event(args=[{"sort": "piece", "value": "b"}])]), "named"),
        (told_of([event(args=[{"sort": "piece", "value": "a"}])]), told_of([event(args=[{"sort": "piece", "value": None}])]), "known"),
        (told_of([event(args=[{"sort": "set:piece", "value": ["a", "b"]}])]), told_of([event(args=[{"sort": "set:piece", "value": ["b", "a"]}])]), "order"),
        (told_of([event("take")]), told_of([event("lose")]), "event"),
        (told_of([event("take")]), told_of([event("take"), event("lose")]), "event"),
        (told_of([event()]), told_of([event(open=True)]), "open"),
        (told_of([event()]), told_of([event(n=2)]), "numbering"),
        (told_of([], {"row": [{"id": "a"}]}), told_of([], {"row": [{"id": "b"}]}), "named"),
        (told_of([], {"row": [{"id": None}]}), told_of([], {"row": []}), "state"),
        (told_of([], vars={"gold": 1}), told_of([], vars={"gold": 2}), "state"),
        (told_of([], decision={"seat": "p1"}), told_of([], decision={"seat": "p2"}), "asked"),
    ],
)  # fmt: skip
def test_differences_are_told_apart(one: Json, two: Json, sort: str) -> None:
    assert {found.sort for found in differences(one, two)} == {sort}


# --- what is dealt again ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [*dict(HIDDEN), *LARGE])
def test_every_slot_of_every_package_has_a_sort_and_can_be_renamed_and_back(name: str) -> None:
    """Renaming what pending work refers to, and renaming it back, changes nothing; nothing is left out for want of a
    sort."""
    rng = random.Random(name)
    for at, (game, _) in enumerate(positions(name, package(name).min_players, 1)):
        if at % 7 == 0:
            pieces = [piece for zone in game.state.zones for piece in zone]
            swap = dict(zip(pieces, rng.sample(pieces, len(pieces)), strict=True))
            back = {after: before for before, after in swap.items()}
            before = game.save()["state"], game.state.index, game.log(None)
            other = game.clone()
            dealer = Dealer(other.program)
            dealer.carry_out(other.state, swap)
            there = other.state.index[:]
            rebuild_index(other.state)
            assert other.state.index == there and other.state.zones != game.state.zones
            dealer.carry_out(other.state, back)
            assert (other.save()["state"], other.state.index, other.log(None)) == before
            assert MIXED not in [sort for _, sort in dealer.find_references(other.state)]
        if at > 150:
            break


def test_kinds_that_share_a_back_are_exchanged_where_they_lie_mixed() -> None:
    kinds = package("abyss").document["kinds"]
    crossed = 0
    for game, _ in positions("abyss", 2, 1):
        p, other = game.program, deal_again(game, 0, 3).game
        for mine, theirs in zip(game.state.zones, other.state.zones, strict=True):
            found = [[p.artefact.definitions[p.piece_def[x]].kind for x in zone] for zone in (mine, theirs)]
            crossed += found[0] != found[1]
            assert sorted(found[0]) == sorted(found[1]), "no zone gets a kind that it did not hold"
            assert [p.backs[p.piece_def[x]] for x in mine] == [p.backs[p.piece_def[x]] for x in theirs]
        if len(game.decisions_made) > 10:
            break
    assert crossed > 3 and any(row.get("back") for row in kinds)


BIDS = """
kinds:
  player: {states: {bid: number, purse: {type: number 0 to 9, start: 3, seen: owner}}}
outcomes: [finish]
procedures:
  game: |
    each player must:
      choose a number from 0 to 9 as saved
      their purse is now saved
    at the same time, secretly, each player must:
      choose a number from 0 to 9 as offer
      their bid is now offer
    end the game with finish
"""


def test_answers_and_purses_of_others_are_exchanged_and_ones_own_are_not(tmp_path: Path) -> None:
    game = new_game(compile_package(tiny(tmp_path, BIDS, "3")), 3)
    for seat, saved in enumerate((1, 5, 8)):
        game.choose(next(key for key in game.decisions()[0].keys if key.endswith(str(saved))), seat)
    for seat in (0, 1):
        game.choose(game.decisions()[0].keys[4], seat)
    bids, purses = set(), set()
    for seed in range(20):
        other = deal_again(game, 0, seed).game
        assert other.view(0) == game.view(0)
        purses.add(tuple(row["player.purse"] for row in other.view(None)["seats"].values()))
        other.choose(other.decisions()[0].keys[0], 2)
        bids.add(tuple(row["player.bid"] for row in other.view(None)["seats"].values())[:2])
    assert purses == {(1, 5, 8), (1, 8, 5)}
    assert {first for first, _ in bids} == {4} and len(bids) > 4
