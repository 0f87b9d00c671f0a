"""The command `cover`: which parts of the cards never happen in games.

In: the parsed command line. Out: an exit code; a report as text or JSON.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from grimoire.compiler.api.build import compile_path
from grimoire.compiler.command.common import FINDINGS, FINE, options_of, print_json, progress_bar
from grimoire.compiler.diagnostics.report import CompileFailed, Diagnostics
from grimoire.compiler.proof.coverage import Table, cover, list_tables
from grimoire.compiler.resolve import package_folder
from grimoire.compiler.source.tree import Mapping, Scalar, load_file
from grimoire.compiler.telling import WrongUse, make_printable
from grimoire.runtime import Package, load_artefact


def cover_command(args: argparse.Namespace) -> int:
    made = compile_path(package_folder(args.package))
    package = load_artefact(made.artefact)
    reasons = explanations(args.explained) if args.explained else {}
    tables = choose_tables(package, args)
    with progress_bar(package.id, args.games) as tell:
        found = cover(
            package,
            made.model,
            args.games,
            args.seed,
            tables,
            all_cards=args.all,
            only=args.name,
            explained=reasons,
            progress=tell,
        )
    if args.name is not None and not found.parts:
        raise WrongUse(f"{package.id} has no card or part '{make_printable(args.name)}' that can happen")
    if args.json:
        print_json(found.to_json())
    else:
        sys.stdout.write(found.render())
    return FINDINGS if found.failed else FINE


def choose_tables(package: Package, args: argparse.Namespace) -> list[Table]:
    """The tables to play at: all, or those with so many players, or with these options."""
    options = options_of(package, args.option)
    tables = list_tables(package)
    if args.option:
        tables = [(players, options) for players in dict.fromkeys(players for players, _ in tables)]
    if args.players is None:
        return tables
    found = [table for table in tables if table[0] == args.players]
    if not found:
        raise WrongUse(
            f"{package.id} is for {package.min_players} to {package.max_players} players, not {args.players}"
        )
    return found


def explanations(name: str) -> dict[str, str]:
    """A file that says of parts why they never happen: `part: reason`."""
    path = Path(name)
    if not path.is_file():
        raise WrongUse(f"there is no file '{make_printable(name)}'")
    diags = Diagnostics()
    node = load_file(path, diags)
    if diags.has_errors:
        raise CompileFailed(diags.sorted())
    if not isinstance(node, Mapping) or not all(isinstance(value, Scalar) and value.value for _, value in node):
        raise WrongUse(
            f"'{make_printable(name)}' should say for each part why it never happens: "
            "'lighthouse.effect.line-2: reason'"
        )
    return {key.value: value.value for key, value in node if isinstance(value, Scalar)}
