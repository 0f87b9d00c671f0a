"""The options of a package, as a game is set up with them."""

from __future__ import annotations

from collections.abc import Mapping

from grimoire.runtime.artefact.arguments import show_value
from grimoire.runtime.artefact.loading import Package
from grimoire.runtime.core.tables import Option
from grimoire.runtime.errors import SetupError


def option_values(package: Package, players: int, options: Mapping[str, object]) -> dict[str, int]:
    """The options as ints (flag 0/1, choice index), defaults filled in."""
    low, high = package.min_players, package.max_players
    if not isinstance(players, int) or isinstance(players, bool) or not low <= players <= high:
        counts = str(low) if low == high else f"{low} to {high}"
        raise SetupError(f"{package.id} is for {counts} players, not {show_value(players)}")
    rows = {row.id: row for row in package.artefact.options}
    given = {name: value for name, value in options.items() if name != "players"}
    if options.get("players", players) != players:
        raise SetupError(
            f"the option players says {show_value(options['players'])}, but the game has {players} players"
        )
    for name in given:
        if name not in rows:
            there = ", ".join(_describe(row) for row in rows.values()) or "none"
            raise SetupError(f"unknown option {show_value(name)}; the options of {package.id}: {there}")
    return {name: _value(row, given.get(name, row.default)) for name, row in rows.items()}


def _describe(row: Option) -> str:
    return f"{row.id} (yes or no)" if row.sort == "flag" else f"{row.id} ({', '.join(map(str, row.values))})"


def _value(row: Option, value: object) -> int:
    if row.sort == "flag":
        if value is None or value in (True, False, 0, 1):
            return int(bool(value))
        words = {"yes": 1, "true": 1, "on": 1, "no": 0, "false": 0, "off": 0}
        if isinstance(value, str) and value.lower() in words:
            return words[value.lower()]
    else:
        if value is None:
            return 0
        if value in row.values and not isinstance(value, bool):
            return row.values.index(value)
        names = [str(x) for x in row.values]
        text = value if isinstance(value, str) else show_value(value)
        if text in names:
            return names.index(text)
    raise SetupError(f"{show_value(value)} is no value of the option {_describe(row)}")
