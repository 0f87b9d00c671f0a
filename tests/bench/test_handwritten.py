"""The hand-written games keep the rules that they are a measure of. Nothing here looks at a clock."""

from __future__ import annotations

import copy
import itertools
import random
from collections import Counter
from collections.abc import Iterator

import pytest

from .handwritten import (
    ASK_CARD,
    ASK_NAME,
    ASK_TARGET,
    BARON,
    CALL,
    CARDS,
    COUNTESS,
    EMPTY,
    FOLD,
    GUARD,
    HANDMAID,
    HEIGHT,
    KING,
    NOBODY,
    PRIEST,
    PRINCE,
    PRINCESS,
    RAISE,
    WIDTH,
    ConnectFour,
    Leduc,
    LoveLetter,
    TicTacToe,
    playout,
)

# ---------------------------------------------------------------- tic-tac-toe


def test_tic_tac_toe_has_the_known_numbers_of_games_and_positions() -> None:
    seen: dict[tuple[int, ...], Counter[int]] = {}

    def games(game: TicTacToe) -> Counter[int]:
        """Games that go on from here, by winner."""
        key = tuple(game.cells)
        if key not in seen:
            seen[key] = Counter({game.winner: 1}) if game.done else Counter()
            if not game.done:
                for cell in game.legal():
                    after = copy.copy(game)
                    after.cells = list(game.cells)
                    after.apply(cell)
                    seen[key] += games(after)
        return seen[key]

    ends = Counter(dict(games(TicTacToe())))
    assert ends == {0: 131184, 1: 77904, NOBODY: 46080}
    assert ends.total() == 255168
    assert len(seen) == 5478
    assert sum(1 for key, found in seen.items() if found.total() == 1 and is_over(key)) == 958


def is_over(cells: tuple[int, ...]) -> bool:
    """Found another way than the game does: by the coordinates of each player's marks."""
    marks = [{(i % 3, i // 3) for i, mark in enumerate(cells) if mark == seat} for seat in (0, 1)]
    lines = [{(x, y) for y in range(3)} for x in range(3)] + [{(x, y) for x in range(3)} for y in range(3)]
    lines += [{(i, i) for i in range(3)}, {(i, 2 - i) for i in range(3)}]
    return EMPTY not in cells or any(line <= mine for line in lines for mine in marks)


# --------------------------------------------------------------- connect four


def test_connect_four_has_the_known_numbers_of_positions() -> None:
    """Distinct positions after each of the first plies."""
    layer: dict[tuple[tuple[int, ...], ...], ConnectFour] = {((),) * WIDTH: ConnectFour()}
    counts = [1]
    for _ in range(6):
        after: dict[tuple[tuple[int, ...], ...], ConnectFour] = {}
        for game in layer.values():
            for column in [] if game.done else game.legal():
                child = copy.copy(game)
                child.columns = [list(discs) for discs in game.columns]
                child.apply(column)
                after[tuple(tuple(discs) for discs in child.columns)] = child
        layer = after
        counts.append(len(layer))
    assert counts == [1, 7, 49, 238, 1120, 4263, 16422]


def fours() -> Iterator[list[tuple[int, int]]]:
    for x, y, (dx, dy) in itertools.product(range(WIDTH), range(HEIGHT), [(1, 0), (0, 1), (1, 1), (-1, 1)]):
        cells = [(x + dx * i, y + dy * i) for i in range(4)]
        if all(0 <= cx < WIDTH and 0 <= cy < HEIGHT for cx, cy in cells):
            yield cells


def test_connect_four_ends_exactly_when_one_of_the_69_lines_is_full() -> None:
    lines = list(fours())
    assert len(lines) == 69
    rand = random.Random(4).random
    ends: Counter[int] = Counter()
    won_lines = set()
    for _ in range(400):
        game = ConnectFour()
        while not game.done:
            mover = game.turn
            game.apply(game.legal()[int(rand() * len(game.legal()))])
            discs = {(x, y): seat for x, column in enumerate(game.columns) for y, seat in enumerate(column)}
            full = [i for i, cells in enumerate(lines) if all(discs.get(cell) == mover for cell in cells)]
            won_lines.update(full)
            assert (game.winner == mover) == bool(full)
            assert game.done == (bool(full) or len(discs) == WIDTH * HEIGHT)
        ends[game.winner] += 1
    assert len(won_lines) > 50
    assert ends[0] > ends[1] > 0


def test_a_full_column_is_not_offered() -> None:
    game = ConnectFour()
    for _ in range(HEIGHT):
        assert 3 in game.legal()
        game.apply(3)
    assert game.legal() == [0, 1, 2, 4, 5, 6]
    assert not game.done


# ---------------------------------------------------------------------- Leduc


def leduc_deals() -> Iterator[tuple[int, int, int]]:
    yield from itertools.product(range(6), range(5), range(4))


def leduc_dealt(deal: tuple[int, int, int]) -> Leduc:
    """A game that deals the cards at those places of the deck."""
    rest = iter([(place + 0.5) / size for place, size in zip(deal, (6, 5, 4), strict=True)])
    return Leduc(lambda: next(rest))


def leduc_lines(deal: tuple[int, int, int], played: tuple[int, ...] = ()) -> Iterator[tuple[tuple[int, ...], Leduc]]:
    """Every position of that deal, with the actions that lead to it."""
    game = leduc_dealt(deal)
    for action in played:
        game.apply(action)
    yield played, game
    if not game.done:
        for action in game.legal():
            yield from leduc_lines(deal, (*played, action))


def test_leduc_tree_has_the_known_size() -> None:
    """36 decisions and 49 ends for a deal; 288 information sets when the suits are not told apart."""
    information = set()
    for deal in leduc_deals():
        lines = list(leduc_lines(deal))
        assert sum(not game.done for _, game in lines) == 36
        assert sum(game.done for _, game in lines) == 49
        for played, game in lines:
            if not game.done:
                information.add((game.turn, game.hands[game.turn], game.public, played))
    assert len(information) == 288


def test_leduc_outcomes() -> None:
    stakes = set()
    worth: Counter[int] = Counter()
    for deal in leduc_deals():
        for played, game in leduc_lines(deal):
            cards = [*game.hands, *game.deck] + ([game.public] if game.street else [])
            assert sorted(cards) == [0, 0, 1, 1, 2, 2]
            if not game.done:
                facing = game.paid[game.turn] < game.paid[1 - game.turn]
                assert (FOLD in game.legal()) == facing
                assert CALL in game.legal()
                assert (RAISE in game.legal()) == (game.raises < 2)
                continue
            first, second = game.gains()
            assert first + second == 0
            stakes.add(max(game.paid))
            if played[-1] == FOLD:
                assert game.winner == 1 - game.turn
            else:
                assert game.paid[0] == game.paid[1]
                strength = [(card == game.public, card) for card in game.hands]
                assert (first > 0) == (strength[0] > strength[1])
                assert (first == 0) == (strength[0] == strength[1])
                worth[first] += 1
    assert stakes == {1, 3, 5, 7, 9, 11, 13}
    assert all(worth[gain] == worth[-gain] for gain in worth)
    assert worth[13] > 0


# ---------------------------------------------------------------- Love Letter


def love_letter(players: int = 2, seed: int = 1) -> LoveLetter:
    return LoveLetter(random.Random(seed).random, players)


def position(hands: list[list[int]], deck: list[int]) -> LoveLetter:
    """A round in which seat 0 is to play, with these hands and this deck (its top is the end)."""
    game = love_letter(len(hands))
    game.hands = [list(hand) for hand in hands]
    game.deck = list(deck)
    game.aside = [GUARD]
    return game


@pytest.mark.parametrize(("players", "goal"), [(2, 7), (3, 5), (4, 4)])
def test_love_letter_keeps_its_sixteen_cards(players: int, goal: int) -> None:
    rand = random.Random(players).random
    asked: Counter[int] = Counter()
    for seed in range(40):
        game = love_letter(players, seed)
        while not game.done:
            held = [card for pile in (*game.hands, *game.discards) for card in pile]
            assert sorted([*held, *game.deck, *game.aside, *game.shown]) == CARDS
            assert len(game.shown) == (3 if players == 2 else 0)
            assert game.within[game.turn]
            assert not game.protected[game.turn] or game.card == HANDMAID
            assert all(len(hand) == (1 if game.within[seat] else 0) for seat, hand in others(game))
            asked[game.ask] += 1
            options = game.legal()
            assert options
            assert len(set(options)) == len(options)
            game.apply(options[int(rand() * len(options))])
        assert game.winners == [seat for seat, tokens in enumerate(game.tokens) if tokens == goal]
        assert max(game.tokens) == goal
        assert game.rounds <= sum(game.tokens)
    assert asked[ASK_CARD] > asked[ASK_TARGET] > asked[ASK_NAME] > 0


def others(game: LoveLetter) -> Iterator[tuple[int, list[int]]]:
    return ((seat, hand) for seat, hand in enumerate(game.hands) if seat != game.turn)


def test_the_deck() -> None:
    assert Counter(CARDS) == {1: 5, 2: 2, 3: 2, 4: 2, 5: 2, 6: 1, 7: 1, 8: 1}


@pytest.mark.parametrize(
    ("hand", "options"),
    [
        ([GUARD, GUARD], [GUARD]),
        ([GUARD, COUNTESS], [GUARD, COUNTESS]),
        ([PRINCE, COUNTESS], [COUNTESS]),
        ([COUNTESS, PRINCE], [COUNTESS]),
        ([KING, COUNTESS], [COUNTESS]),
        ([COUNTESS, KING], [COUNTESS]),
        ([COUNTESS, PRINCESS], [COUNTESS, PRINCESS]),
    ],
)
def test_cards_that_may_be_played(hand: list[int], options: list[int]) -> None:
    assert position([hand, [PRIEST]], [GUARD]).legal() == options


@pytest.mark.parametrize(("theirs", "out"), [(KING, True), (PRIEST, False)])
def test_the_guard_names_a_character(theirs: int, out: bool) -> None:
    game = position([[GUARD, HANDMAID], [theirs], [BARON]], [GUARD, GUARD])
    game.apply(GUARD)
    assert (game.ask, game.legal()) == (ASK_TARGET, [1, 2])
    game.apply(1)
    assert (game.ask, game.legal()) == (ASK_NAME, [2, 3, 4, 5, 6, 7, 8])
    game.apply(KING)
    assert game.within == [True, not out, True]
    assert game.turn == (2 if out else 1)
    assert game.discards[1] == ([KING] if out else [])


def test_one_target_is_still_asked_for() -> None:
    game = position([[PRIEST, HANDMAID], [KING]], [GUARD, GUARD])
    game.apply(PRIEST)
    assert (game.ask, game.legal()) == (ASK_TARGET, [1])
    game.apply(1)
    assert (game.ask, game.turn) == (ASK_CARD, 1)


@pytest.mark.parametrize("card", [GUARD, PRIEST, BARON, KING])
def test_a_protected_player_is_no_target(card: int) -> None:
    game = position([[HANDMAID, GUARD], [card]], [GUARD, GUARD, PRIEST])
    game.apply(HANDMAID)
    assert (game.turn, game.protected, game.hands[1]) == (1, [True, False], [card, PRIEST])
    game.apply(card)
    assert (game.ask, game.turn, game.protected) == (ASK_CARD, 0, [False, False])
    assert (game.hands, game.within) == ([[GUARD, GUARD], [PRIEST]], [True, True])


def test_a_prince_among_protected_players_is_for_oneself() -> None:
    game = position([[PRINCE, KING], [PRIEST]], [GUARD, BARON])
    game.protected[1] = True
    game.apply(PRINCE)
    assert game.legal() == [0]
    game.apply(0)
    assert (game.hands[0], game.discards[0]) == ([BARON], [PRINCE, KING])


def test_a_prince_makes_one_draw_the_card_set_aside_when_the_deck_is_empty() -> None:
    game = position([[PRINCE, KING], [COUNTESS], [PRIEST]], [])
    game.aside = [PRINCESS]
    game.apply(PRINCE)
    game.apply(1)
    assert game.tokens == [0, 1, 0]
    assert game.starter == 1
    assert game.turn == 1


def test_a_prince_puts_out_who_drops_the_princess() -> None:
    game = position([[PRINCE, KING], [PRINCESS], [PRIEST]], [GUARD, GUARD])
    game.apply(PRINCE)
    assert game.legal() == [0, 1, 2]
    game.apply(1)
    assert (game.within, game.turn, game.hands[1], game.discards[1]) == ([True, False, True], 2, [], [PRINCESS])


@pytest.mark.parametrize(
    ("mine", "theirs", "within"),
    [(KING, PRIEST, [True, False, True]), (PRIEST, KING, [False, True, True]), (PRIEST, PRIEST, [True] * 3)],
)
def test_the_baron_compares(mine: int, theirs: int, within: list[bool]) -> None:
    game = position([[BARON, mine], [theirs], [GUARD]], [GUARD, GUARD])
    game.apply(BARON)
    game.apply(1)
    assert game.within == within


def test_the_king_trades() -> None:
    game = position([[KING, PRIEST], [PRINCESS], [GUARD]], [GUARD, GUARD])
    game.apply(KING)
    game.apply(1)
    assert game.hands[0] == [PRINCESS]
    assert game.hands[1] == [PRIEST, GUARD]


def test_playing_the_princess_loses_the_round() -> None:
    game = position([[PRINCESS, PRIEST], [GUARD]], [GUARD, GUARD])
    game.apply(PRINCESS)
    assert (game.tokens, game.starter, game.rounds) == ([0, 1], 1, 2)


@pytest.mark.parametrize(
    ("hands", "discards", "winners"),
    [
        ([PRIEST, KING, BARON], [[], [], []], [1]),
        ([KING, KING, BARON], [[GUARD], [BARON], [PRINCESS]], [1]),
        ([PRIEST, GUARD, PRIEST], [[BARON], [], [GUARD, PRIEST]], [0, 2]),
    ],
)
def test_the_end_of_the_deck(hands: list[int], discards: list[list[int]], winners: list[int]) -> None:
    game = position([[card] for card in hands], [])
    game.discards = discards
    assert game.round_winners() == winners
    game.starter = 1
    game.end_round()
    assert game.tokens == [int(seat in winners) for seat in range(3)]
    assert game.starter == next(seat for seat in (1, 2, 0) if seat in winners)


def test_a_playout_counts_its_decisions() -> None:
    rand = random.Random(0).random
    assert 5 <= playout(TicTacToe(), rand) <= 9
    assert 7 <= playout(ConnectFour(), rand) <= 42
    assert 2 <= playout(Leduc(rand), rand) <= 8
    assert playout(LoveLetter(rand, 4), rand) >= 4
