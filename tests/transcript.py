"""What a runtime makes of artefacts, as plain text: two of them, wherever installed, must write the same.

Run as a script by the Python under test, it needs the runtime and the standard library, nothing of tests/ or compiler/:
`python transcript.py DECISIONS ARTEFACT...` prints one line of JSON for each step of each game. A sort of thing that
every runtime must do alike gets a function in `STEPS`.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from typing import Any

from grimoire.runtime import Game, Package, load_artefact, load_game, new_game, record_of, replay, simulate
from grimoire.runtime.wording.decisions import word_options, word_question
from grimoire.runtime.wording.views import word_view
from grimoire.runtime.wording.words import words_of

SEED = 11


def what_is_saved(game: Game) -> Any:
    """Digest and save; the save is loaded again, and goes on as the same game."""
    saved = game.save()
    again = load_game(game.package, json.loads(json.dumps(saved)))
    assert again.digest() == game.digest()
    return [game.digest(), saved]


def what_is_logged(game: Game) -> Any:
    """The whole log, and the end of each seat's."""
    return [game.log(None, choices=True)[-20:], *(game.log(seat)[-10:] for seat in range(game.players))]


def what_is_seen(game: Game) -> Any:
    """Every seat's view and the options of every seat that is asked."""
    asked = [[decision.seat, decision.label, decision.keys] for decision in game.decisions()]
    return [asked, *(game.view(seat) for seat in range(game.players))]


def what_is_said(game: Game) -> Any:
    """In every language of the artefact: what is asked, with its options, a view and the end of the log."""
    said = {}
    for language in game.package.document["languages"]:
        words = words_of(game.package, language)
        asked = [
            [word_question(decision, words), [option.text for option in word_options(decision, words)]]
            for decision in game.decisions()
        ]
        said[language] = [asked, word_view(game.view(0), words), [line.text for line in words.story(game.log(0)[-10:])]]
    return said


STEPS: dict[str, Callable[[Game], Any]] = {
    "save": what_is_saved,
    "log": what_is_logged,
    "view": what_is_seen,
    "words": what_is_said,
}


def played(package: Package, players: int, decisions: int, every: int) -> Iterator[dict[str, Any]]:
    """The rows of one game: every so many decisions, and at its end, what each of the steps gives."""
    game = new_game(package, players, SEED)
    number = 0
    while True:
        over = game.decision is None or number == decisions
        if over or number % every == 0:
            for name, step in STEPS.items():
                yield {"package": package.id, "players": players, "at": number, name: step(game)}
        if over or game.decision is None:
            break
        game.choose_index((number * 7 + players) % len(game.decision.options))
        number += 1
    assert replay(package, record_of(game)).digest() == game.digest()
    end = game.outcome
    yield {"package": package.id, "players": players, "made": game.decisions_made, "end": end and [end.id, end.winners]}


def transcript(package: Package, decisions: int, every: int = 10) -> Iterator[str]:
    """A line for each step of a game with the fewest and one with the most players, and for some games in bulk."""
    for players in sorted({package.min_players, package.max_players}):
        for row in played(package, players, decisions, every):
            yield json.dumps(row, sort_keys=True)
        report = simulate(package, 2, players, SEED)
        yield json.dumps({"package": package.id, "players": players, "bulk": report.digest, "n": report.decisions})


def main(arguments: list[str]) -> None:
    for path in arguments[1:]:
        for line in transcript(load_artefact(path), int(arguments[0])):
            print(line)


if __name__ == "__main__":
    main(sys.argv[1:])
