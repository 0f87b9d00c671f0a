"""Coverage of cards in steered play: which branches, options and abilities happen in games.

In: a compiled package, how many games may be played, and reasons for what is known never to happen. Out: a `Coverage`.
What trace knows as conditions, limits, costs and printed numbers does not happen by itself and is left to trace.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fnmatch import fnmatch

from grimoire.compiler.declare.model import PackageModel
from grimoire.compiler.proof.bench import DECLINED, NO, YES, number_statements
from grimoire.compiler.proof.changes import Disable, Empty, Fail, Force, Hold, Remove, WithholdOption
from grimoire.compiler.proof.parts import Finder, Part
from grimoire.runtime import GrimoireError, Package
from grimoire.runtime.bots.steer import Steering
from grimoire.runtime.build.program import program_for
from grimoire.runtime.core.tables import Artefact
from grimoire.runtime.core.walk import Path
from grimoire.runtime.plain_data import Json

Table = tuple[int, dict[str, object]]  # players and options
NOTES = 10


@dataclass(slots=True)
class Seen:
    """A part, the counters that show that it happens, and how often they did."""

    id: str
    card: str
    place: str
    signs: list[int]
    lone: bool  # of a kind or of the rules: that another part of it happens does not say that this one is near
    times: int = 0
    reason: str | None = None  # why it never happens

    def to_json(self) -> dict[str, Json]:
        return {"id": self.id, "card": self.card, "place": self.place, "times": self.times, "reason": self.reason}


@dataclass(slots=True)
class Coverage:
    """What some games showed. `idle` are reasons that no part needs."""

    package: str
    games: int = 0
    decisions: int = 0
    parts: list[Seen] = field(default_factory=list)
    curve: list[int] = field(default_factory=list)  # how many parts had happened after each game
    errors: list[str] = field(default_factory=list)
    idle: list[str] = field(default_factory=list)

    @property
    def never(self) -> list[Seen]:
        """What did not happen, and nobody says why."""
        return [part for part in self.parts if not part.times and part.reason is None]

    @property
    def summary(self) -> dict[str, int]:
        happened = sum(1 for part in self.parts if part.times)
        never = len(self.never)
        return {
            "parts": len(self.parts),
            "happened": happened,
            "explained": len(self.parts) - happened - never,
            "never": never,
        }

    @property
    def failed(self) -> bool:
        return bool(self.never or self.errors or self.idle)

    def to_json(self) -> dict[str, Json]:
        return {
            "package": self.package, "games": self.games, "decisions": self.decisions, "summary": self.summary,
            "parts": [part.to_json() for part in self.parts], "curve": self.curve, "errors": len(self.errors),
            "error_notes": self.errors[:NOTES], "idle": self.idle,
        }  # fmt: skip

    def render(self) -> str:
        """The report for people: what went wrong, what never happened, then the counts."""
        lines = [f"a game failed: {text}" for text in self.errors[:NOTES]]
        lines += [f"{part.place}: {part.id}: never happened" for part in self.never]
        lines += [
            f"{name}: explained as what never happens, but it does, or there is no such part" for name in self.idle
        ]
        s = self.summary
        lines.append(
            f"{self.package}: {s['parts']} parts of cards, {s['happened']} happened, {s['explained']} "
            f"explained, {s['never']} never "
            f"happened; {self.games:,} games, {self.decisions:,} decisions"
        )
        return "\n".join(lines) + "\n"


# ---------------------------------------------------------------- what can happen


def find_happenings(artefact: Artefact, model: PackageModel, packages: list[str]) -> Iterator[Seen]:
    """The parts of the cards of these packages that can happen."""
    number = number_statements(artefact)
    below: dict[int, list[int]] = {}  # procedure -> all counters in it
    for path, at in number.items():
        if path[0] == "procs":
            below.setdefault(int(path[1]), []).append(at)
    for package in packages:
        for owner in Finder(artefact, model, package).list_owners():
            for part in owner.parts:
                signs = find_counters(part, number, below)
                if signs:
                    yield Seen(part.id, owner.id, part.place, sorted(signs), owner.kind in ("kind", "ability"))


def find_counters(part: Part, number: dict[Path, int], below: dict[int, list[int]]) -> set[int]:
    """The counters of which any shows that a part happens."""
    found: set[int] = set()
    for edit in part.mutant.edits:
        path = edit.path
        where: Path | None = None
        match edit.change:
            case Empty():
                found.update(below.get(int(path[1]), ()))
            case Remove() | Disable() | WithholdOption():
                where = path
            case Fail():
                where = (*path[:-1], YES)
            case Hold() if part.id.endswith(".no"):
                where = (*path[:-1], NO)
            case Force():
                where = (*path, DECLINED)
        if where is not None and where in number:
            found.add(number[where])
    return found


def list_tables(package: Package) -> list[Table]:
    """Every number of players; then the same with each other value of each option."""
    sizes = range(package.min_players, package.max_players + 1)
    found: list[Table] = [(players, {}) for players in sizes]
    for row in package.artefact.options:
        values = (True, False) if row.sort == "flag" else row.values
        default = bool(row.default) if row.sort == "flag" else row.default
        found += [(players, {row.id: value}) for value in values if value != default for players in sizes]
    return found


# ---------------------------------------------------------------- the games


def cover(
    package: Package,
    model: PackageModel,
    games: int,
    seed: int = 0,
    tables: list[Table] | None = None,
    *,
    all_cards: bool = False,
    only: str | None = None,
    explained: dict[str, str] | None = None,
    progress: Callable[[int], None] | None = None,
) -> Coverage:
    """Play steered games, at each table in turn, until all that is not explained has happened or there have been so
    many.

    The cards are those of the package itself; `all_cards`: also of those that it needs. `only` is a name of a card or
    part, or a pattern.
    """
    linked = [row.id for row in package.artefact.linked] if all_cards else []
    packages = list(dict.fromkeys([*linked, package.id]))
    parts = [part for part in find_happenings(package.artefact, model, packages) if matches_pattern(part, only)]
    found = Coverage(package.id, parts=parts)
    reasons = explained or {}
    for part in parts:
        part.reason = next((why for name, why in reasons.items() if matches_pattern(part, name)), None)
    wanted = [part for part in parts if part.reason is None]
    at = tables or list_tables(package)
    counters = len(program_for(package, *at[0], track=True).tracked)
    near: dict[str, set[int]] = {}
    for part in parts:
        near.setdefault(part.card, set()).update(() if part.lone else part.signs)
    steering = Steering([part.signs for part in wanted], [sorted(near[part.card]) for part in wanted], counters)
    while found.games < games and steering.open:
        players, options = at[found.games % len(at)]
        this = seed + found.games
        program = program_for(package, players, options, track=True)
        found.games += 1
        try:
            found.decisions += steering.play(program, this)[0]
        except GrimoireError as error:
            found.errors.append(f"{players} players, {options}, seed {this}: {error}")
        found.curve.append(sum(1 for part in parts if any(steering.fired[sign] for sign in part.signs)))
        if progress is not None:
            progress(found.games)
    for part in parts:
        part.times = max(steering.fired[sign] for sign in part.signs)
        if part.times:
            part.reason = None
    used = [name for name in reasons if any(matches_pattern(part, name) and not part.times for part in parts)]
    found.idle = [name for name in reasons if name not in used] if only is None else []
    return found


def matches_pattern(part: Seen, name: str | None) -> bool:
    """Whether a name or a pattern means a part, or its card."""
    return name is None or fnmatch(part.id, name) or fnmatch(part.card, name)


__all__ = ["Coverage", "Seen", "cover", "find_happenings", "list_tables"]
