"""Charter 8: only legal, executable options are offered, and the engine can say why something else is not."""

from __future__ import annotations

import pytest

from grimoire.runtime import Game, IllegalChoice, Reason, new_game
from grimoire.runtime.errors import GrimoireError
from tests.charter import probes
from tests.charter.kit import TABLES, package

GAMES = {"tic-tac-toe": 40, "connect-four": 25, "leduc": 80, "love-letter": 8}


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_every_option_leads_on_and_every_other_key_is_refused_with_a_reason(name: str, players: int) -> None:
    found = probes.legal(name, players, range(GAMES.get(name, 10)))
    assert found.looks > 20 * found.games
    assert not found.wrong, f"{len(found.wrong)} of {found.looks}:\n" + "\n".join(found.wrong[:10])


def test_a_reason_names_the_rule_and_its_place() -> None:
    game = new_game(package("love-letter"), 2, 0)
    game.edit().set_zone("hand", ["countess", "king"], 0)
    game.edit().settle()
    assert game.decision is not None
    assert game.decision.keys == ("play:countess@hand.p1",)
    reasons = game.why_not("play:king@hand.p1")
    assert reasons and any("cards.yaml:" in reason.place for reason in reasons)


def test_a_planted_dead_end_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    real = Game._take

    def stuck(self: Game, decision: object, i: int) -> None:
        if len(self.decisions_made) == 3:
            raise GrimoireError("stuck")
        real(self, decision, i)  # type: ignore[arg-type]

    monkeypatch.setattr(Game, "_take", stuck)
    assert any(
        "was offered and failed with GrimoireError: stuck" in text for text in probes.legal("tic-tac-toe", 2, [0]).wrong
    )


def test_a_planted_silence_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Game, "why_not", lambda self, key, seat=None: [])
    assert any("no reason against" in text for text in probes.legal("tic-tac-toe", 2, [0]).wrong)
    monkeypatch.setattr(Game, "why_not", lambda self, key, seat=None: [Reason("", "")])
    assert any("no reason against" in text for text in probes.legal("tic-tac-toe", 2, [0]).wrong)


def test_a_planted_acceptance_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    real = Game.choose

    def lenient(self: Game, key: str, seat: int | None = None) -> None:
        try:
            real(self, key, seat)
        except IllegalChoice:
            assert self.decision is not None or key == "anything"

    monkeypatch.setattr(Game, "choose", lenient)
    assert any("is not refused" in text for text in probes.legal("tic-tac-toe", 2, [0]).wrong)


def test_a_refusal_that_changes_the_game_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    real = Game.choose

    def careless(self: Game, key: str, seat: int | None = None) -> None:
        try:
            real(self, key, seat)
        except IllegalChoice:
            self.state.mem[-1] ^= 4
            raise

    monkeypatch.setattr(Game, "choose", careless)
    assert any("changed the game" in text for text in probes.legal("leduc", 2, range(3)).wrong)
