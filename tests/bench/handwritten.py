"""Four games as a programmer would write them by hand: what the engine's playouts are compared with.

Every game is a class with ``legal()``, ``apply()`` and ``done``; one call of ``apply`` answers one atomic decision.
Plain Python without tricks: no bit boards, no tables of wins worked out beforehand, no inlined loops. Chance comes from
a callable that gives floats in [0, 1).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

Rand = Callable[[], float]


class Game(Protocol):
    """What a playout needs of a game."""

    done: bool

    def legal(self) -> list[int]: ...

    def apply(self, action: int) -> None: ...


def playout(game: Game, rand: Rand) -> int:
    """Play one game with uniformly random decisions; the number of decisions made."""
    decisions = 0
    while not game.done:
        options = game.legal()
        game.apply(options[int(rand() * len(options))])
        decisions += 1
    return decisions


def shuffle(items: list[int], rand: Rand) -> None:
    for last in range(len(items) - 1, 0, -1):
        other = int(rand() * (last + 1))
        items[last], items[other] = items[other], items[last]


# ---------------------------------------------------------------- tic-tac-toe

EMPTY = -1
NOBODY = -1

ROWS_OF_THREE = (
    (0, 1, 2),
    (3, 4, 5),
    (6, 7, 8),
    (0, 3, 6),
    (1, 4, 7),
    (2, 5, 8),
    (0, 4, 8),
    (2, 4, 6),
)


class TicTacToe:
    """An action is a cell, 0 to 8."""

    def __init__(self, rand: Rand | None = None) -> None:
        self.cells = [EMPTY] * 9
        self.turn = 0
        self.winner = NOBODY
        self.done = False

    def legal(self) -> list[int]:
        return [cell for cell, mark in enumerate(self.cells) if mark == EMPTY]

    def apply(self, action: int) -> None:
        cells, turn = self.cells, self.turn
        cells[action] = turn
        for a, b, c in ROWS_OF_THREE:
            if cells[a] == turn and cells[b] == turn and cells[c] == turn:
                self.winner = turn
                self.done = True
                return
        if EMPTY not in cells:
            self.done = True
            return
        self.turn = 1 - turn


# --------------------------------------------------------------- connect four

WIDTH = 7
HEIGHT = 6
DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))


class ConnectFour:
    """An action is a column, 0 to 6. ``columns`` holds the discs of each column from the bottom up."""

    def __init__(self, rand: Rand | None = None) -> None:
        self.columns: list[list[int]] = [[] for _ in range(WIDTH)]
        self.turn = 0
        self.left = WIDTH * HEIGHT
        self.winner = NOBODY
        self.done = False

    def legal(self) -> list[int]:
        return [x for x, column in enumerate(self.columns) if len(column) < HEIGHT]

    def apply(self, action: int) -> None:
        column = self.columns[action]
        column.append(self.turn)
        self.left -= 1
        height = len(column) - 1
        for dx, dy in DIRECTIONS:
            if 1 + self.run(action, height, dx, dy) + self.run(action, height, -dx, -dy) >= 4:
                self.winner = self.turn
                self.done = True
                return
        if self.left == 0:
            self.done = True
            return
        self.turn = 1 - self.turn

    def run(self, x: int, y: int, dx: int, dy: int) -> int:
        """How many discs of the player lie in a row beyond (x, y) in that direction."""
        columns, turn = self.columns, self.turn
        found = 0
        x += dx
        y += dy
        while 0 <= x < WIDTH and 0 <= y < len(columns[x]) and columns[x][y] == turn:
            found += 1
            x += dx
            y += dy
        return found


# ---------------------------------------------------------------------- Leduc

FOLD, CALL, RAISE = 0, 1, 2
ANTE = 1
BETS = (2, 4)
MOST_RAISES = 2


class Leduc:
    """Actions: fold (only against a bet), call or check, raise. A card is its rank: 0 jack, 1 queen, 2 king."""

    def __init__(self, rand: Rand) -> None:
        self.rand = rand
        self.deck = [0, 0, 1, 1, 2, 2]
        self.hands = [self.deal(), self.deal()]
        self.public = -1
        self.paid = [ANTE, ANTE]
        self.street = 0
        self.raises = 0
        self.checked = False
        self.turn = 0
        self.winner = NOBODY
        self.done = False

    def deal(self) -> int:
        return self.deck.pop(int(self.rand() * len(self.deck)))

    def legal(self) -> list[int]:
        options = [CALL]
        if self.paid[self.turn] < self.paid[1 - self.turn]:
            options.append(FOLD)
        if self.raises < MOST_RAISES:
            options.append(RAISE)
        return options

    def apply(self, action: int) -> None:
        turn, other = self.turn, 1 - self.turn
        if action == FOLD:
            self.winner = other
            self.done = True
        elif action == RAISE:
            self.paid[turn] = self.paid[other] + BETS[self.street]
            self.raises += 1
            self.turn = other
        elif self.raises == 0 and not self.checked:
            self.checked = True
            self.turn = other
        else:
            self.paid[turn] = self.paid[other]
            if self.street == 0:
                self.next_street()
            else:
                self.show_down()

    def next_street(self) -> None:
        self.public = self.deal()
        self.street = 1
        self.raises = 0
        self.checked = False
        self.turn = 0

    def show_down(self) -> None:
        self.done = True
        first, second = self.hands
        if first == second:
            self.winner = NOBODY
        elif first == self.public:
            self.winner = 0
        elif second == self.public:
            self.winner = 1
        else:
            self.winner = 0 if first > second else 1

    def gains(self) -> tuple[int, int]:
        """What each player has won or lost, once the game is over."""
        if self.winner == NOBODY:
            return 0, 0
        amount = self.paid[1 - self.winner]
        return (amount, -amount) if self.winner == 0 else (-amount, amount)


# ---------------------------------------------------------------- Love Letter

GUARD, PRIEST, BARON, HANDMAID, PRINCE, KING, COUNTESS, PRINCESS = range(1, 9)
CARDS = (
    [GUARD] * 5 + [PRIEST] * 2 + [BARON] * 2 + [HANDMAID] * 2 + [PRINCE] * 2 + [KING] + [COUNTESS] + [PRINCESS]
)  # fmt: skip
TOKENS_TO_WIN = {2: 7, 3: 5, 4: 4}

ASK_CARD, ASK_TARGET, ASK_NAME = range(3)


class LoveLetter:
    """A whole game of rounds, for two to four players.

    Three decisions: the card to play (an action is its number), whom it is for (a seat), which character a guard names
    (a number).
    """

    def __init__(self, rand: Rand, players: int = 2) -> None:
        self.rand = rand
        self.players = players
        self.goal = TOKENS_TO_WIN[players]
        self.tokens = [0] * players
        self.rounds = 0
        self.starter = 0
        self.winners: list[int] = []
        self.done = False
        self.deal_round()

    # ---- rounds and turns

    def deal_round(self) -> None:
        deck = list(CARDS)
        shuffle(deck, self.rand)
        self.rounds += 1
        self.deck = deck
        self.aside = [deck.pop()]
        self.shown = [deck.pop() for _ in range(3)] if self.players == 2 else []
        self.hands = [[deck.pop()] for _ in range(self.players)]
        self.discards: list[list[int]] = [[] for _ in range(self.players)]
        self.within = [True] * self.players
        self.protected = [False] * self.players
        self.turn = self.starter
        self.start_turn()

    def start_turn(self) -> None:
        self.protected[self.turn] = False
        self.hands[self.turn].append(self.deck.pop())
        self.ask = ASK_CARD
        self.card = 0
        self.target = NOBODY

    def end_turn(self) -> None:
        if sum(self.within) == 1 or not self.deck:
            self.end_round()
            return
        self.turn = (self.turn + 1) % self.players
        while not self.within[self.turn]:
            self.turn = (self.turn + 1) % self.players
        self.start_turn()

    def end_round(self) -> None:
        best = self.round_winners()
        for seat in best:
            self.tokens[seat] += 1
        self.winners = [seat for seat, tokens in enumerate(self.tokens) if tokens >= self.goal]
        if self.winners:
            self.done = True
            return
        while self.starter not in best:
            self.starter = (self.starter + 1) % self.players
        self.deal_round()

    def round_winners(self) -> list[int]:
        seats = [seat for seat in range(self.players) if self.within[seat]]
        if len(seats) > 1:
            highest = max(self.hands[seat][0] for seat in seats)
            seats = [seat for seat in seats if self.hands[seat][0] == highest]
        if len(seats) > 1:
            most = max(sum(self.discards[seat]) for seat in seats)
            seats = [seat for seat in seats if sum(self.discards[seat]) == most]
        return seats

    # ---- decisions

    def legal(self) -> list[int]:
        if self.ask == ASK_CARD:
            return self.playable()
        if self.ask == ASK_TARGET:
            return self.targets(self.card)
        return [PRIEST, BARON, HANDMAID, PRINCE, KING, COUNTESS, PRINCESS]

    def playable(self) -> list[int]:
        first, second = self.hands[self.turn]
        if first == second:
            return [first]
        if (first == COUNTESS and second in (PRINCE, KING)) or (second == COUNTESS and first in (PRINCE, KING)):
            return [COUNTESS]
        return [first, second]

    def targets(self, card: int) -> list[int]:
        return [
            seat
            for seat in range(self.players)
            if self.within[seat] and not self.protected[seat] and (seat != self.turn or card == PRINCE)
        ]

    def apply(self, action: int) -> None:
        if self.ask == ASK_CARD:
            self.play(action)
        elif self.ask == ASK_TARGET:
            self.aim(action)
        else:
            self.guess(action)

    def play(self, card: int) -> None:
        turn = self.turn
        self.hands[turn].remove(card)
        self.discards[turn].append(card)
        self.card = card
        if card == HANDMAID:
            self.protected[turn] = True
        elif card == PRINCESS:
            self.put_out(turn)
        elif card != COUNTESS and self.targets(card):
            self.ask = ASK_TARGET
            return
        self.end_turn()

    def aim(self, target: int) -> None:
        card = self.card
        self.target = target
        if card == GUARD:
            self.ask = ASK_NAME
            return
        if card == BARON:
            self.compare(target)
        elif card == PRINCE:
            self.redraw(target)
        elif card == KING:
            hands, turn = self.hands, self.turn
            hands[turn], hands[target] = hands[target], hands[turn]
        # The priest shows a hand: nothing that random players would use.
        self.end_turn()

    def guess(self, name: int) -> None:
        if self.hands[self.target][0] == name:
            self.put_out(self.target)
        self.end_turn()

    # ---- effects

    def compare(self, target: int) -> None:
        mine, theirs = self.hands[self.turn][0], self.hands[target][0]
        if mine > theirs:
            self.put_out(target)
        elif mine < theirs:
            self.put_out(self.turn)

    def redraw(self, target: int) -> None:
        dropped = self.hands[target][0]
        if dropped == PRINCESS:
            self.put_out(target)
            return
        self.discards[target].append(self.hands[target].pop())
        self.hands[target].append(self.deck.pop() if self.deck else self.aside.pop())

    def put_out(self, seat: int) -> None:
        self.within[seat] = False
        self.discards[seat].extend(self.hands[seat])
        self.hands[seat] = []
