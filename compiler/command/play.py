"""The commands that play: play, simulate, replay.

In: the parsed command line. Out: an exit code; games on the terminal, reports as text or JSON, replay files.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Final

from grimoire.compiler.command.common import (
    FINDINGS,
    FINE,
    open_package,
    options_of,
    players_of,
    print_json,
    progress_bar,
    refuse_unseen,
)
from grimoire.compiler.files import write_file
from grimoire.compiler.localisation.languages import SOURCE
from grimoire.compiler.localisation.text.tool_words import speaks
from grimoire.compiler.resolve import package_folder
from grimoire.compiler.telling import Finding, WrongUse, guess, list_names, make_printable, read_given, say
from grimoire.runtime import (
    Game,
    GrimoireError,
    Package,
    ReplayMismatch,
    SaveError,
    SetupError,
    load_game,
    new_game,
    record_of,
    replay,
    simulate,
)
from grimoire.runtime.artefact.documents import read_json
from grimoire.runtime.bots.bot import BOTS, SIDES
from grimoire.runtime.play.shapes import Saved

if TYPE_CHECKING:
    from grimoire.runtime.wording.words import Texts

REPLAY_FORMAT: Final = "grimoire-replay"
REPLAY_VERSION: Final = 1
END: Final = ("length", "outcome", "digest")  # what a replay file says of its end; earlier ones do not have it


def bot_name(name: str) -> str:
    if name not in BOTS and not name.startswith(SIDES):
        raise WrongUse(f"there is no bot '{make_printable(name)}'{guess(name, BOTS)}; there are {', '.join(BOTS)}")
    return name


def language_of(package: Package, wanted: str | None) -> str:
    """The language to play in: one that the package has."""
    there = list(package.artefact.languages)
    if wanted is None:
        return SOURCE if SOURCE in there or not there else str(there[0])
    if wanted not in there:
        raise WrongUse(f"{package.id} has no texts in '{make_printable(wanted)}'; its languages: {list_names(there)}")
    return wanted


def _warn_of_gaps(package: Package, language: str) -> None:
    if not package.artefact.text.get(language):
        say(f"note: {package.id} has no texts in '{language}' yet: ids are shown in angle brackets")
    if not speaks(language):
        say(f"note: grimoire has no words of its own in '{language}': they are shown in English")


# --- play -------------------------------------------------------------------------------------------------------------


def play_command(args: argparse.Namespace) -> int:
    if args.package is None and args.bots is not None and args.bots not in BOTS and not args.bots.startswith(SIDES):
        args.package, args.bots = args.bots, "random"  # "play --bots my-game": the name went to the option
    if args.package is None:
        raise WrongUse("play wants a package: grimoire play PACKAGE")
    bot = bot_name(args.bots or "random")
    package = open_package(args.package)
    language = language_of(package, args.lang)
    record = _writable(args.record) if args.record else None
    game = _load_saved_game(args, package) if args.load else _fresh_game(args, package)
    seats = _seats(args, game.players)
    _warn_of_gaps(package, language)

    from grimoire.compiler.command.terminal import Terminal

    terminal = Terminal(game, seats, bot, language, texts=_texts(args.package, language))
    ended = terminal.run()
    if record is not None:
        write_file(record, (json.dumps(replay_record(game), ensure_ascii=False, indent=1) + "\n").encode())
        terminal.tell("recorded", file=record)
    return ended


def _texts(given: str, language: str) -> Texts | None:
    """What the cards of a package do, for those that the language has no wording of; a built artefact has no more than
    it says."""
    from grimoire.compiler.api.build import find_package
    from grimoire.compiler.api.card_texts import LazyTexts

    if Path(given).suffix == ".json":
        return None
    return LazyTexts(find_package(package_folder(given)), language)


def _fresh_game(args: argparse.Namespace, package: Package) -> Game:
    players = players_of(package, args.players, fall_back=True)
    return new_game(package, players, args.seed, options_of(package, args.option))


def _load_saved_game(args: argparse.Namespace, package: Package) -> Game:
    for name in ("players", "option"):
        if getattr(args, name):
            raise WrongUse(f"--{name} does not go with --load: the saved game has its own")
    return load_game(package, _read_json(args.load, "a saved game"))


def _seats(args: argparse.Namespace, players: int) -> tuple[int, ...]:
    """The seats played by people, from 0."""
    if args.seat:
        for seat in args.seat:
            if seat > players:
                raise WrongUse(f"there is no seat {seat}: the game has {players} players")
        return tuple(sorted({seat - 1 for seat in args.seat}))
    if args.bots is not None or not sys.stdin.isatty():
        return ()
    return (0,)


def _writable(name: str) -> Path:
    path = Path(name)
    if path.is_dir() or not path.parent.is_dir():
        raise WrongUse(
            f"'{make_printable(name)}' cannot be written: --record wants the name of a file in a folder that is there"
        )
    return path


def replay_record(game: Game) -> Saved:
    """A replay file."""
    record = record_of(game)
    return {
        "format": REPLAY_FORMAT,
        "version": REPLAY_VERSION,
        "package": {"id": game.package.id, "version": game.package.version, "hash": game.package.hash},
        **{name: record[name] for name in ("players", "seed", "options", "decisions", *END)},
    }


# --- simulate ---------------------------------------------------------------------------------------------------------


def simulate_command(args: argparse.Namespace) -> int:
    bot = bot_name(args.bot)
    package = open_package(args.package)
    players = players_of(package, args.players)
    options = options_of(package, args.option)
    result: Saved = {"games": 0, "decisions": 0, "seconds": 0.0, "outcomes": {}, "errors": 0, "digest": ""}
    result |= {"error_notes": [], "winners": {}}
    start = perf_counter()
    try:
        with progress_bar(package.id, args.games) as tell:
            report = simulate(package, args.games, players, args.seed, bot, args.jobs, options, tell)
        for key in ("games", "decisions", "outcomes", "errors", "digest", "error_notes", "winners"):
            result[key] = getattr(report, key)
    except SetupError:
        raise
    except GrimoireError as error:
        result["games"] = result["errors"] = args.games
        result["error_notes"] = [f"all games: {error}"]
        say(f"grimoire: no game could be played: {error}")
    result["seconds"] = round(perf_counter() - start, 3)
    if args.json:
        print_json(result)
    else:
        _print_result(package, result)
    return FINDINGS if result["errors"] else FINE


def _print_result(package: Package, result: Saved) -> None:
    games = result["games"]
    print(f"{package.id}: {games:,} games, {result['decisions']:,} decisions in {result['seconds']} s")
    for outcome, count in result["outcomes"].items():
        won = ", ".join(f"{who} {times:,}" for who, times in result["winners"].get(outcome, {}).items())
        print(f"  {outcome}: {count:,} ({count / max(games, 1):.1%})" + (f"; won by {won}" if won else ""))
    print(f"errors: {result['errors']:,}")
    for note in result["error_notes"]:
        print(f"  {make_printable(note, 300)}")
    print(f"digest: {result['digest']}")


# --- replay -----------------------------------------------------------------------------------------------------------


def replay_command(args: argparse.Namespace) -> int:
    record = read_replay(args.file)
    package = open_package(args.package or record["package"]["id"])
    saved = record["package"]["hash"]
    if package.hash != saved:
        say(f"note: the replay was made with content {saved}, this package is {package.hash}")
    language = language_of(package, args.lang)
    decisions = record["decisions"]
    if args.to is not None:
        if args.to > len(decisions):
            raise WrongUse(f"the replay has {len(decisions)} decisions: --to {args.to} is beyond its end")
        record = {name: part for name, part in record.items() if name not in END}
        decisions = decisions[: args.to]
    if args.seat is not None and args.seat > record["players"]:
        raise WrongUse(f"there is no seat {args.seat}: the game has {record['players']} players")
    try:
        game = replay(package, {**record, "content": saved, "decisions": decisions})
    except ReplayMismatch as error:
        raise Finding(f"the replay does not fit: {error}") from None

    from grimoire.compiler.command.terminal import Terminal

    _warn_of_gaps(package, language)
    seat = None if args.seat is None else args.seat - 1
    Terminal(game, (), "random", language).show_all(seat)
    return FINE


def read_replay(name: str) -> Saved:
    """A replay file, its shape checked."""
    record = _read_json(name, "a replay")
    if record.get("format") != REPLAY_FORMAT:
        raise Finding(f"{make_printable(name)} is not a replay: its format should be '{REPLAY_FORMAT}'")
    if record.get("version") != REPLAY_VERSION:
        found = make_printable(str(record.get("version")))
        raise Finding(
            f"{make_printable(name)} is a replay of version {found}; this tool reads version {REPLAY_VERSION}"
        )
    head = record.get("package")
    checks = {
        "package": isinstance(head, dict) and all(isinstance(head.get(key), str) for key in ("id", "version", "hash")),
        "players": _is_count(record.get("players")),
        "seed": isinstance(record.get("seed"), int) and not isinstance(record.get("seed"), bool),
        "options": isinstance(record.get("options"), dict),
        "decisions": isinstance(record.get("decisions"), list) and all(isinstance(d, str) for d in record["decisions"]),
    }
    for key, good in checks.items():
        if not good:
            raise Finding(f"{make_printable(name)} is damaged: '{key}' is missing or wrong")
    return record


def _read_json(name: str, what: str) -> Saved:
    data = read_given(name, what)
    try:
        read = read_json(data, f"the {what}", SaveError)
    except SaveError as error:
        raise Finding(f"{make_printable(name)} cannot be read: {make_printable(str(error), 200)}") from None
    refuse_unseen(read, name)
    return read if isinstance(read, dict) else {}


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 < value <= 64
