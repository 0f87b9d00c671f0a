"""Redeal: another game that one seat cannot tell from this one, for tests of what a seat may know.

What is exchanged: the pieces that the seat does not know, among their places (`play/dealer.py`); what is covered where
nobody counts; the answers of others to an open poll; columns of the other seats that only their owners see.
docs/design/secrecy.md says which exchanges are made and why.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from grimoire.runtime.artefact import arguments
from grimoire.runtime.errors import SetupError
from grimoire.runtime.kernel import trial
from grimoire.runtime.kernel.rng import Dice
from grimoire.runtime.kernel.state import State
from grimoire.runtime.play.dealer import Dealer, Swap, answer_polls
from grimoire.runtime.play.game import Game


@dataclass(frozen=True)
class Redealt:
    """The other game, and how much was exchanged."""

    game: Game
    moved: int  # pieces that lie in the place of another
    pinned: int  # pieces that had to stay though the seat does not know them
    pending: bool  # pending work refers to others now: somebody has chosen otherwise before


def redeal(game: Game, seat: int, rng_seed: int = 0) -> Game:
    """A clone that differs from the game in what the seat cannot see, and in nothing else."""
    return deal_again(game, seat, rng_seed).game


def deal_again(game: Game, seat: int, rng_seed: int = 0, among: Collection[int] | None = None) -> Redealt:
    """The same, with how much was exchanged. `among`: no other pieces are, so that what differs shows later."""
    if not isinstance(game, Game):
        raise SetupError(f"redeal takes a game, not {arguments.show_value(game)}")
    arguments.seat(seat, game.players)
    arguments.check_whole_number(rng_seed, "a seed", 0)
    other = game.clone()
    g, dealer, dice = other.state, Dealer(other.program), Dice(rng_seed, "redeal")
    pinned = dealer.find_pinned(g)
    if among is None and dealer.uncounted:
        dealer.spread_covered(g, seat, pinned, lambda zones: zones[dice.below(len(zones))])
    unknown = dealer.unknown(g, seat)
    free = [piece for piece in unknown if piece not in pinned and (among is None or piece in among)]
    swap = _keep_places(dealer, g, dealer.deal(g, free, dice))
    pending = dealer.carry_out(g, swap)
    _exchange_columns(other, seat, dice)
    answer_polls(g, seat, dice, all_others=False)
    trial.refresh(g)
    return Redealt(other, len(swap), sum(piece in pinned for piece in unknown), pending)


def _keep_places(dealer: Dealer, g: State, swap: Swap) -> Swap:
    """In a zone that has no order, what stays in it stays where it lies: the other game differs by what it holds."""
    found = dict(swap)
    for zone, mixes in enumerate(g.tables.mixes):
        places: dict[str | int, list[int]] = {}  # by what everybody sees there
        for piece in g.zones[zone] if mixes else ():
            if piece in swap:
                places.setdefault(dealer.backs[piece] or dealer.kinds[piece], []).append(piece)
        for there in places.values():
            dealt = [swap[piece] for piece in there]
            for piece in there:
                del found[piece]
            left = [piece for piece in there if piece not in dealt]
            found.update(zip(left, [piece for piece in dealt if piece not in there], strict=True))
    return found


def _exchange_columns(game: Game, seat: int, dice: Dice) -> None:
    """What other seats alone see of themselves is dealt out among them. Pointers to pieces stay: they may belong to the
    seat.
    """
    p, g = game.program, game.state
    others = [x for x in range(p.seats) if x != seat]
    for row, base in p.stored_columns():
        if row.of == "seat" and row.seen == "owner" and row.sort != "piece":
            values = [g.mem[base + x] for x in others]
            dice.shuffle(values)
            for x, value in zip(others, values, strict=True):
                g.mem[base + x] = value
