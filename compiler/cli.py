"""The command `grimoire`: reads the command line and hands over to the modules `command_*`.

In: arguments. Out: an exit code: 0 fine, 1 findings (diagnostics, failing scenarios, errors in games), 2 wrong use, 130
stopped by hand. What a user can get wrong ends with a message that says what was expected, never with a traceback.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any, Final, NoReturn

from grimoire.compiler.command_common import (
    FINDINGS,
    STOPPED,
    WRONG_USE,
    Finding,
    WrongUse,
    guess,
    is_not_found,
    report_text,
    say,
    shown,
)
from grimoire.compiler.diagnostics import CompileFailed
from grimoire.compiler.manifest import tool_version

PACKAGE_HELP: Final = "id of a package in content/, or the path of its folder"
MAX_GAMES: Final = 100_000_000
MAX_JOBS: Final = 256


class Parser(argparse.ArgumentParser):
    """Wrong use is said in one or two lines; an unknown word gets the nearest known one."""

    def error(self, message: str) -> NoReturn:
        raise WrongUse(f"{message}\nSee: {self.prog} --help")

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is not None and value not in action.choices:
            names = [str(choice) for choice in action.choices]
            what = "command" if action.dest == "command" else "value"
            text = f"unknown {what} '{shown(str(value))}'{guess(str(value), names)}; expected one of {', '.join(names)}"
            raise argparse.ArgumentError(None if action.dest == "command" else action, text)


class ShowVersion(argparse.Action):
    """Prints the version, which is looked up only when it is asked for."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        print(f"grimoire {tool_version()}")
        parser.exit()


def whole_number(low: int, high: int) -> Any:
    """An argument type: a whole number between two bounds."""

    def read(text: str) -> int:
        try:
            value = int(text) if len(text) <= 30 else None
        except ValueError:
            value = None
        if value is None or not low <= value <= high:
            raise argparse.ArgumentTypeError(f"expected a whole number from {low} to {high}, not '{shown(text)}'")
        return value

    return read


def build_parser() -> argparse.ArgumentParser:
    """The whole command line."""
    parser = Parser(
        prog="grimoire",
        description="A compiler and a runtime for games written as data.",
        epilog="example: grimoire check content",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action=ShowVersion, nargs=0, help="show program's version number and exit")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", parser_class=Parser)
    _content_commands(commands)
    _game_commands(commands)
    return parser


def _command(commands: Any, name: str, run: str, about: str, example: str) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser(
        name,
        help=about,
        description=about[0].upper() + about[1:] + ".",
        epilog=f"example: {example}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.set_defaults(run=run)
    return parser


def _content_commands(commands: Any) -> None:
    check = _command(
        commands, "check", "command_content:check_command", "report all problems of packages", "grimoire check content"
    )
    check.add_argument("paths", nargs="+", metavar="PATH", help="package, folder of packages, or a file inside one")
    check.add_argument("--json", action="store_true", help="the same as --format json")
    check.add_argument("--format", choices=("text", "json"), default="text", help="how to report")

    build = _command(
        commands,
        "build",
        "command_content:build_command",
        "compile a package into an artefact",
        "grimoire build content/my-game -o build/my-game.json",
    )
    build.add_argument("package", metavar="PACKAGE", help=PACKAGE_HELP)
    build.add_argument(
        "-o", "--output", metavar="FILE", help="where to write; build/<id>.json unless given, - is stdout"
    )

    fmt = _command(
        commands,
        "fmt",
        "command_content:fmt_command",
        "write the effect texts of packages in canonical form",
        "grimoire fmt --check content",
    )
    fmt.add_argument("paths", nargs="+", metavar="PATH", help="package, folder of packages, or a file inside one")
    fmt.add_argument("--check", action="store_true", help="change nothing; show what would change, exit 1 if anything")

    test = _command(
        commands,
        "test",
        "command_content:test_command",
        "run the scenarios of packages",
        "grimoire test my-game -k setup",
    )
    test.add_argument("packages", nargs="*", metavar="PACKAGE", help=PACKAGE_HELP + "; all of content/ unless given")
    test.add_argument("--json", action="store_true", help="a report for programs")
    test.add_argument("-k", dest="name", metavar="NAME", help="only scenarios with this in their name")

    trace = _command(
        commands,
        "trace",
        "command_content:trace_command",
        "show which scenarios prove each clause of the rules",
        "grimoire trace my-game --json",
    )
    trace.add_argument("package", metavar="PACKAGE", help=PACKAGE_HELP)
    trace.add_argument("--json", action="store_true", help="a report for programs")
    trace.add_argument(
        "-k", dest="name", metavar="NAME", help="only clauses and cards that this fits: attack.5a, 'attack.*'"
    )

    listing = _command(
        commands, "list", "command_content:list_command", "list what a package has", "grimoire list my-game --kind card"
    )
    listing.add_argument("package", metavar="PACKAGE", help=PACKAGE_HELP)
    listing.add_argument("--kind", metavar="KIND", help="only things of this kind")
    listing.add_argument("--json", action="store_true", help="a report for programs")

    explain = _command(
        commands, "explain", "command_content:explain_command", "explain a diagnostic code", "grimoire explain G0501"
    )
    explain.add_argument("code", metavar="CODE", help="such as G0501, or its name")


def _game_commands(commands: Any) -> None:
    play = _command(
        commands,
        "play",
        "command_play:play_command",
        "play a game in the terminal",
        "grimoire play my-game --players 3 --seat 1 --seed 7 --lang uk",
    )
    play.add_argument("package", nargs="?", metavar="PACKAGE", help=PACKAGE_HELP)
    _game_options(play)
    play.add_argument(
        "--seat", nargs="+", action="extend", type=whole_number(1, 64), metavar="K", help="seats you play"
    )
    play.add_argument("--bots", nargs="?", const="random", metavar="NAME", help="bot of the other seats, or of all")
    play.add_argument("--lang", metavar="L", help="language of the texts")
    play.add_argument("--load", metavar="FILE", help="go on with a game that the command save of play wrote")
    play.add_argument("--record", metavar="FILE", help="write a replay file at the end")

    simulate = _command(
        commands,
        "simulate",
        "command_play:simulate_command",
        "play many games with bots",
        "grimoire simulate my-game --games 1000 --players 2 --seed 1 --json",
    )
    simulate.add_argument("package", metavar="PACKAGE", help=PACKAGE_HELP)
    _game_options(simulate)
    simulate.add_argument("--games", type=whole_number(1, MAX_GAMES), required=True, metavar="N", help="how many")
    simulate.add_argument("--jobs", type=whole_number(1, MAX_JOBS), default=1, metavar="J", help="processes to use")
    simulate.add_argument("--bot", default="random", metavar="B", help="random, first or explore")
    simulate.add_argument("--json", action="store_true", help="a report for programs")

    replay = _command(
        commands,
        "replay",
        "command_play:replay_command",
        "check a replay file and show its game",
        "grimoire replay last-game.json --to 12 --seat 1",
    )
    replay.add_argument("file", metavar="FILE", help="what play --record wrote")
    replay.add_argument("--package", metavar="P", help="package to use instead of the one that the file names")
    replay.add_argument("--to", type=whole_number(0, 10**9), metavar="N", help="stop after this many decisions")
    replay.add_argument("--seat", type=whole_number(1, 64), metavar="K", help="show what this seat saw")
    replay.add_argument("--lang", metavar="L", help="language of the texts")


def _game_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--players", type=whole_number(1, 64), metavar="N", help="number of players")
    parser.add_argument("--seed", type=whole_number(0, 2**63 - 1), default=0, metavar="S", help="seed of all chance")
    parser.add_argument(
        "--option", nargs="+", action="extend", default=[], metavar="NAME=VALUE", help="options of the game"
    )


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns its exit code."""
    try:
        for stream in (sys.stdout, sys.stderr):
            if hasattr(stream, "reconfigure"):
                stream.reconfigure(errors="backslashreplace")
        return _run(sys.argv[1:] if argv is None else argv)
    except KeyboardInterrupt:
        say("\nstopped")
        return STOPPED
    except BrokenPipeError:
        # Whoever read our output has left: nothing more to say, not even when Python closes stdout.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FINDINGS


def _wrong_uses() -> tuple[type[Exception], ...]:
    return (WrongUse, *_of_runtime("SetupError"))


def _findings() -> tuple[type[Exception], ...]:
    return (Finding, *_of_runtime("GrimoireError"))


def _of_runtime(name: str) -> tuple[type[Exception], ...]:
    """An exception of the runtime, if that is loaded at all; looked up only once something went wrong."""
    runtime = sys.modules.get("grimoire.runtime")
    return () if runtime is None else (getattr(runtime, name),)


def _run(argv: Sequence[str]) -> int:
    try:
        parser = build_parser()
        args = parser.parse_args(argv)
        if args.command is None:
            parser.print_help(sys.stderr)
            return WRONG_USE
        module, function = args.run.split(":")
        # a command loads what it needs and no more: a check that finds its answer in the cache needs next to nothing
        code: int = getattr(import_module(f"grimoire.compiler.{module}"), function)(args)
        sys.stdout.flush()
        return code
    except SystemExit as done:  # --help and --version
        return done.code if isinstance(done.code, int) else WRONG_USE
    except _wrong_uses() as wrong:
        say(f"grimoire: {wrong}")
        return WRONG_USE
    except CompileFailed as failed:
        if is_not_found(failed):
            first = failed.diagnostics[0]
            say(f"grimoire: {first.message}" + (f"; {first.hint}" if first.hint else ""))
            return WRONG_USE
        report_text(failed.diagnostics, sys.stderr)
        return FINDINGS
    except _findings() as found:
        say(f"grimoire: {found}")
        return FINDINGS
    except OSError as error:
        if isinstance(error, BrokenPipeError):
            raise
        say(f"grimoire: {shown(str(error.filename or ''))}: {error.strerror or error}")
        return FINDINGS


if __name__ == "__main__":
    sys.exit(main())
