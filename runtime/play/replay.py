"""Replay: a record of decisions -> the game they lead to."""

from __future__ import annotations

from grimoire.runtime.artefact import arguments
from grimoire.runtime.artefact.documents import read_json, sign, verify
from grimoire.runtime.artefact.loading import Package
from grimoire.runtime.errors import IllegalChoice, ReplayMismatch, SaveError, SetupError
from grimoire.runtime.play.game import Game, new_game
from grimoire.runtime.play.outcome import Outcome
from grimoire.runtime.play.save import FORMAT, check_whole
from grimoire.runtime.play.save_check import decision_line
from grimoire.runtime.play.shapes import Saved


def record_of(game: Game, key: bytes | None = None) -> Saved:
    """What ``replay`` needs to play a game again, signed if there is a key."""
    if not isinstance(game, Game):
        raise SetupError(f"record_of takes a game, not {arguments.show_value(game)}")
    record: Saved = {
        "content": game.package.hash,
        "seed": game.seed,
        "players": game.players,
        "options": dict(game.options),
        "script": game.script,
        "edited": game.edited,
        "decisions": list(game.decisions_made),
        "length": len(game.decisions_made),
        "outcome": outcome_row(game.outcome),
        "digest": game.digest(),
    }
    return record if key is None else dict(sign(record, key))


def outcome_row(outcome: Outcome | None) -> list[object] | None:
    """How a game ended, as a record says it."""
    return None if outcome is None else [outcome.id, [f"p{seat + 1}" for seat in outcome.winners]]


def replay(package: Package, record: Saved | bytes, log: bool = True, key: bytes | None = None) -> Game:
    """Play a record (or a save) again; what it says of its length, its end and its digest must be met."""
    arguments.package(package)
    if isinstance(record, bytes | bytearray):
        given: object = read_json(bytes(record), "the record", ReplayMismatch)
    else:
        given = record
    record = dict(arguments.table(given, "a record is a dictionary, as record_of gives it", ReplayMismatch))
    _check_whole(record, key)
    if record.get("edited"):
        raise ReplayMismatch("the position was edited, so its decisions cannot be replayed")
    try:
        options, script = record.get("options") or {}, record.get("script")
        game = new_game(package, record["players"], record["seed"], options, log=log, script=script)
        lines = arguments.check_list(record["decisions"], "decisions", ReplayMismatch)
    except KeyError as error:
        raise ReplayMismatch(f"the record is incomplete: it has no {error}") from None
    _check_length(record.get("length"), len(lines))
    for at, line in enumerate(lines):
        try:
            seat, choice = decision_line(line, f"decision {at + 1}")
            game.choose(choice, seat)
        except (IllegalChoice, SaveError) as error:
            raise ReplayMismatch(f"decision {at + 1} of {len(lines)} ({arguments.show_value(line)}): {error}") from None
    if record.get("content", package.hash) == package.hash:
        _check_end(game, record)
    return game


def _check_whole(record: Saved, key: bytes | None) -> None:
    """The signature, if there is a key; of a save also its checksum."""
    if record.get("format") == FORMAT and "check" in record:
        check_whole(record, key)
    elif key is not None:
        try:
            verify(record, key, "the record")
        except (TypeError, ValueError, RecursionError) as error:
            raise ReplayMismatch(f"the record is not plain JSON: {error}") from None


def _check_length(stated: object, there: int) -> None:
    if stated is None:
        return
    arguments.check_whole_number(stated, "the length of a record", 0, ReplayMismatch)
    if stated != there:
        what = "was cut short" if isinstance(stated, int) and there < stated else "has more than it says"
        raise ReplayMismatch(f"the record {what}: there are {there} of {arguments.show_value(stated)} decisions")


def _check_end(game: Game, record: Saved) -> None:
    """The end that the record tells, for the same content."""
    if "outcome" in record and record["outcome"] != outcome_row(game.outcome):
        if game.outcome is None:
            raise ReplayMismatch(
                f"the record was cut short: it says that the game ended ({arguments.show_value(record['outcome'])}), "
                f"but after its {len(game.decisions_made)} decisions the game goes on"
            )
        raise ReplayMismatch(
            f"the game ends with {outcome_row(game.outcome)}, the record says {arguments.show_value(record['outcome'])}"
        )
    digest = record.get("digest")
    if digest is not None and game.digest() != digest:
        raise ReplayMismatch(
            f"the game ends with digest {game.digest()}, the record says {arguments.show_value(digest)}"
        )
