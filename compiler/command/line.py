"""The command line: every command with its arguments, its help and an example.

In: nothing. Out: a parser. What a user can get wrong becomes `WrongUse`.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Final, NoReturn, TypeAlias

from grimoire.compiler.localisation.languages import INFLECTED
from grimoire.compiler.source.manifest import tool_version
from grimoire.compiler.telling import WrongUse, guess, make_printable

PACKAGE_HELP: Final = "id of a package in content/, or the path of its folder"
LANGUAGE_HELP: Final = "language of the translation"
SOURCE_HELP: Final = "language it is translated from; the first of the manifest unless given"
MAX_GAMES: Final = 100_000_000
MAX_JOBS: Final = 256


Commands: TypeAlias = "argparse._SubParsersAction[Parser]"


class Parser(argparse.ArgumentParser):
    """Wrong use is said in one or two lines; an unknown word gets the nearest known one."""

    def error(self, message: str) -> NoReturn:
        raise WrongUse(f"{message}\nSee: {self.prog} --help")

    def _check_value(self, action: argparse.Action, value: object) -> None:
        if action.choices is not None and value not in action.choices:
            names = [str(choice) for choice in action.choices]
            what = "command" if action.dest == "command" else "value"
            text = f"unknown {what} '{make_printable(str(value))}'{guess(str(value), names)}"
            text += f"; expected one of {', '.join(names)}"
            raise argparse.ArgumentError(None if action.dest == "command" else action, text)


class ShowVersion(argparse.Action):
    """Prints the version, which is looked up only when it is asked for."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        from grimoire.runtime.kernel import kernel_form  # no other command line needs the kernel to be read

        print(f"grimoire {tool_version()} ({kernel_form()} kernel)")
        parser.exit()


def make_number_type(low: int, high: int) -> Callable[[str], int]:
    """An argument type: a whole number between two bounds."""

    def read(text: str) -> int:
        try:
            value = int(text) if len(text) <= 30 else None
        except ValueError:
            value = None
        if value is None or not low <= value <= high:
            raise argparse.ArgumentTypeError(
                f"expected a whole number from {low} to {high}, not '{make_printable(text)}'"
            )
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
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", parser_class=Parser, prog=parser.prog)
    _content_commands(commands)
    _l10n_commands(commands)
    _game_commands(commands)
    return parser


def _command(commands: Commands, name: str, run: str, about: str, example: str) -> argparse.ArgumentParser:
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


def _content_commands(commands: Commands) -> None:
    check = _command(
        commands, "check", "command.content:check_command", "report all problems of packages", "grimoire check content"
    )
    check.add_argument("paths", nargs="+", metavar="PATH", help="package, folder of packages, or a file inside one")
    check.add_argument("--json", action="store_true", help="the same as --format json")
    check.add_argument("--format", choices=("text", "json"), default="text", help="how to report")

    build = _command(
        commands,
        "build",
        "command.content:build_command",
        "compile a package into an artefact",
        "grimoire build content/my-game -o build/my-game.json",
    )
    build.add_argument("package", metavar="PACKAGE", help=PACKAGE_HELP)
    build.add_argument(
        "-o", "--output", metavar="FILE", help="where to write; build/<id>.json unless given, - is stdout"
    )

    schema = _command(
        commands,
        "schema",
        "command.content:schema_command",
        "write a JSON schema of a package's files, for editors",
        "grimoire schema my-game -o my-game.schema.json",
    )
    schema.add_argument("package", metavar="PACKAGE", help=PACKAGE_HELP)
    schema.add_argument("-o", "--output", metavar="FILE", help="where to write; stdout unless given")

    fmt = _command(
        commands,
        "fmt",
        "command.content:fmt_command",
        "write the effect texts of packages in canonical form",
        "grimoire fmt --check content",
    )
    fmt.add_argument("paths", nargs="+", metavar="PATH", help="package, folder of packages, or a file inside one")
    fmt.add_argument("--upgrade", action="store_true", help="rewrite packages to the newest version of the language")
    fmt.add_argument("--check", action="store_true", help="change nothing; show what would change, exit 1 if anything")

    test = _command(
        commands,
        "test",
        "command.content:test_command",
        "run the scenarios of packages",
        "grimoire test my-game -k setup",
    )
    test.add_argument("packages", nargs="*", metavar="PACKAGE", help=PACKAGE_HELP + "; all of content/ unless given")
    test.add_argument("--json", action="store_true", help="a report for programs")
    test.add_argument("-k", dest="name", metavar="NAME", help="only scenarios with this in their name")

    trace = _command(
        commands,
        "trace",
        "command.content:trace_command",
        "show which scenarios prove each clause of the rules",
        "grimoire trace my-game --json",
    )
    trace.add_argument("package", metavar="PACKAGE", help=PACKAGE_HELP)
    trace.add_argument("--json", action="store_true", help="a report for programs")
    trace.add_argument(
        "-k", dest="name", metavar="NAME", help="only clauses and cards that this fits: turn.5a, 'turn.*'"
    )

    listing = _command(
        commands, "list", "command.listing:list_command", "list what a package has", "grimoire list my-game --kind card"
    )
    listing.add_argument("package", metavar="PACKAGE", help=PACKAGE_HELP)
    only = listing.add_mutually_exclusive_group()
    only.add_argument("--kind", metavar="KIND", help="only things of this kind")
    only.add_argument("--unverified", action="store_true", help="only clauses that no certain source confirms, and why")
    listing.add_argument("--json", action="store_true", help="a report for programs")

    text = _command(
        commands,
        "text",
        "command.text:text_command",
        "say the rules text of cards, made from their effects",
        "grimoire text my-game lighthouse --lang uk",
    )
    text.add_argument("package", metavar="PACKAGE", help=PACKAGE_HELP)
    text.add_argument("cards", nargs="*", metavar="CARD", help="id of a card; all cards unless given")
    text.add_argument("--lang", metavar="L", help="language of the text; the first of the package unless given")
    text.add_argument("--json", action="store_true", help="a report for programs")

    edition = _command(
        commands,
        "edition",
        "command.edition:edition_command",
        "make a book of the rules and cards: a website and a PDF",
        "grimoire edition my-game --lang uk -o build/my-game-uk",
    )
    edition.add_argument("package", metavar="PACKAGE", help=PACKAGE_HELP)
    edition.add_argument("--lang", metavar="L", help="language of the book; the first of the package unless given")
    edition.add_argument("-o", "--output", metavar="DIR", help="folder to write to; build/<id>-<L> unless given")

    explain = _command(
        commands, "explain", "command.content:explain_command", "explain a diagnostic code", "grimoire explain G0501"
    )
    explain.add_argument("code", metavar="CODE", help="such as G0501, or its name")


def _l10n_commands(commands: Commands) -> None:
    """The tools of localisers: a family of commands of its own."""
    family = _command(
        commands,
        "l10n",
        "command.l10n:help_command",
        "translate packages: what is missing, exchange with translators, checks",
        "grimoire l10n stats my-game",
    )
    actions = family.add_subparsers(dest="action", metavar="ACTION", parser_class=Parser, prog=family.prog)

    def action(name: str, about: str, example: str) -> argparse.ArgumentParser:
        return _command(actions, name, f"command.l10n:{name}_command", about, f"grimoire l10n {name} {example}")

    stats = action("stats", "count what is translated, by package, language and kind", "my-game --json")
    stats.add_argument(
        "package", nargs="*", metavar="PACKAGE", help="packages or folders of packages; all of content/ unless given"
    )
    stats.add_argument("--source", metavar="L", help=SOURCE_HELP)
    stats.add_argument("--json", action="store_true", help="a report for programs")

    export = action("export", "write the strings of a language as a PO file", "my-game --lang uk -o my-game.uk.po")
    export.add_argument("package", metavar="PACKAGE", help=PACKAGE_HELP)
    export.add_argument("--lang", required=True, metavar="L", help=LANGUAGE_HELP)
    export.add_argument("--source", metavar="L", help=SOURCE_HELP)
    export.add_argument("-o", "--output", metavar="FILE", help="where to write; stdout unless given")

    read = action("import", "put the translations of a PO file into a package", "my-game my-game.uk.po --lang uk")
    read.add_argument("package", metavar="PACKAGE", help=PACKAGE_HELP)
    read.add_argument("file", metavar="FILE", help="a PO file that export wrote")
    read.add_argument("--lang", required=True, metavar="L", help=LANGUAGE_HELP)
    read.add_argument("--source", metavar="L", help=SOURCE_HELP)
    read.add_argument(
        "--string",
        nargs="+",
        action="extend",
        metavar="ID",
        help="only these strings, whatever else is wrong with the file",
    )

    accept = action("accept", "record that translations stand for the source as it is now", "my-game --lang uk")
    accept.add_argument("package", metavar="PACKAGE", help=PACKAGE_HELP)
    accept.add_argument("--lang", required=True, metavar="L", help=LANGUAGE_HELP)
    accept.add_argument("--source", metavar="L", help=SOURCE_HELP)
    accept.add_argument("--string", nargs="+", action="extend", metavar="ID", help="only these strings")

    check = action("check", "look for slips in translations", "my-game translated.po --lang uk --json")
    check.add_argument("paths", nargs="+", metavar="PATH", help="package, folder of packages, or a PO file")
    check.add_argument("--lang", metavar="L", help="language to check; all but the source unless given")
    check.add_argument("--source", metavar="L", help=SOURCE_HELP)
    check.add_argument(
        "--length",
        action="append",
        metavar="[KIND=]N",
        help="most characters, in per cent of the source; KIND is names, rules, cards, prompts or log",
    )
    check.add_argument("--all", action="store_true", help="tell guesses about accepted translations as well")
    check.add_argument("--json", action="store_true", help="a report for programs")

    audit = action("audit", "compare a printed edition with the clauses", "my-game --lang uk --text book.txt --json")
    audit.add_argument("package", metavar="PACKAGE", help=PACKAGE_HELP)
    audit.add_argument("--lang", required=True, metavar="L", help="language of the edition")
    audit.add_argument("--text", required=True, metavar="FILE", help="its plain text, with numbered clauses")
    audit.add_argument("--beside", metavar="FILE", help="another edition to compare it with")
    audit.add_argument("--beside-lang", metavar="L", help="the language of the other edition")
    audit.add_argument("--silenced", metavar="FILE", help="findings that are known, each with a reason")
    audit.add_argument("--json", action="store_true", help="a report for programs")

    glossary = action("glossary", "write the terms of a package with their forms", "my-game -o terms.csv")
    glossary.add_argument("package", metavar="PACKAGE", help=PACKAGE_HELP)
    glossary.add_argument("-o", "--output", required=True, metavar="FILE", help="where to write: a file .csv or .tbx")

    inflect = action("inflect", "propose the forms of nouns as rows of terms", "lamp --lang uk")
    inflect.add_argument(
        "words", nargs="+", metavar="WORD", help="a noun, perhaps with adjectives before it; id=word names the row"
    )
    inflect.add_argument("--lang", required=True, choices=INFLECTED, help="language of the words")


def _game_commands(commands: Commands) -> None:
    play = _command(
        commands,
        "play",
        "command.play:play_command",
        "play a game in the terminal",
        "grimoire play my-game --players 3 --seat 1 --seed 7 --lang uk",
    )
    play.add_argument("package", nargs="?", metavar="PACKAGE", help=PACKAGE_HELP)
    _game_options(play)
    play.add_argument(
        "--seat", nargs="+", action="extend", type=make_number_type(1, 64), metavar="K", help="seats you play"
    )
    bots = "bot of the other seats, or of all: random, first, explore or aims"
    play.add_argument("--bots", nargs="?", const="random", metavar="NAME", help=bots)
    play.add_argument("--lang", metavar="L", help="language of the texts")
    play.add_argument("--load", metavar="FILE", help="go on with a game that the command save of play wrote")
    play.add_argument("--record", metavar="FILE", help="write a replay file at the end")

    simulate = _command(
        commands,
        "simulate",
        "command.play:simulate_command",
        "play many games with bots",
        "grimoire simulate my-game --games 1000 --players 2 --seed 1 --json",
    )
    simulate.add_argument("package", metavar="PACKAGE", help=PACKAGE_HELP)
    _game_options(simulate)
    simulate.add_argument("--games", type=make_number_type(1, MAX_GAMES), required=True, metavar="N", help="how many")
    simulate.add_argument("--jobs", type=make_number_type(1, MAX_JOBS), default=1, metavar="J", help="processes to use")
    simulate.add_argument("--bot", default="random", metavar="B", help="random, first, explore or aims")
    simulate.add_argument("--json", action="store_true", help="a report for programs")

    cover = _command(
        commands,
        "cover",
        "command.cover:cover_command",
        "play games that look for parts of cards that have not happened yet",
        "grimoire cover my-game --games 100",
    )
    cover.add_argument("package", metavar="PACKAGE", help=PACKAGE_HELP)
    _game_options(cover)
    cover.add_argument(
        "--games",
        type=make_number_type(1, MAX_GAMES),
        default=100,
        metavar="N",
        help="how many at most; 100 unless given",
    )
    cover.add_argument("--all", action="store_true", help="cards of the packages that this one needs, too")
    cover.add_argument("-k", dest="name", metavar="NAME", help="only cards and parts that this fits")
    cover.add_argument("--explained", metavar="FILE", help="why some parts never happen")
    cover.add_argument("--json", action="store_true", help="a report for programs")

    replay = _command(
        commands,
        "replay",
        "command.play:replay_command",
        "check a replay file and show its game",
        "grimoire replay last-game.json --to 12 --seat 1",
    )
    replay.add_argument("file", metavar="FILE", help="what play --record wrote")
    replay.add_argument("--package", metavar="P", help="package to use instead of the one that the file names")
    replay.add_argument("--to", type=make_number_type(0, 10**9), metavar="N", help="stop after this many decisions")
    replay.add_argument("--seat", type=make_number_type(1, 64), metavar="K", help="show what this seat saw")
    replay.add_argument("--lang", metavar="L", help="language of the texts")


def _game_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--players", type=make_number_type(1, 64), metavar="N", help="number of players")
    parser.add_argument(
        "--seed", type=make_number_type(0, 2**63 - 1), default=0, metavar="S", help="seed of all chance"
    )
    parser.add_argument(
        "--option", nargs="+", action="extend", default=[], metavar="NAME=VALUE", help="options of the game"
    )
