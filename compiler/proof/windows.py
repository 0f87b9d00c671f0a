"""Find what the windows of abilities say: who does it and to what, on which side of the event it is answered, and what
lasts only while something is so.

In: the rows that one ability has in the tables. Out: `Heard` values, each with the mutant that breaks it in all of
them: a test of a window or of a `while` is not asked for, or what is done before the event is done after it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from grimoire.compiler.declare.model import Ability as DeclaredAbility
from grimoire.compiler.declare.model import Text
from grimoire.compiler.lower.footprints import conjuncts
from grimoire.compiler.proof import changes as ch
from grimoire.compiler.proof.mutate import Edit, Mutant, shorten_text
from grimoire.compiler.proof.places import SourcePlace
from grimoire.runtime.core import expressions as ex
from grimoire.runtime.core import statements as st
from grimoire.runtime.core.analysis import NOTHING, strip
from grimoire.runtime.core.records import Expression
from grimoire.runtime.core.tables import Ability, Artefact, Modifier
from grimoire.runtime.core.walk import Path, find_at, walk

# What can be done on one side of an event alone.
ONE_SIDED = (ex.EventResult, st.Cancel, st.SetArgument, st.SetResult)
ACTOR = ex.Comparison("==", ex.EventArgument(0), ex.Slot(0))  # `you` in the window of a card

ALWAYS_SO = (ex.Comparison("!=", ex.EventArgument(0), NOTHING),)  # somebody does it


@dataclass(frozen=True, slots=True)
class Heard:
    """One thing that a window or a `while` says. `sort` is the word that parts of cards are named by."""

    sort: str
    place: int | None
    mutant: Mutant


class Windows:
    """What the windows of the abilities of an artefact say."""

    def __init__(
        self, artefact: Artefact, places: Sequence[SourcePlace], is_within: Callable[[int, Text], bool]
    ) -> None:
        self.artefact = artefact
        self.places = places
        self.is_within = is_within

    def list_heard(self, ability: DeclaredAbility, rows: Sequence[Path]) -> list[Heard]:
        """What one ability says, in the order of its rows; its own `only:` and limit are no part of it."""
        windows = [text for text in (ability.window, *ability.other_windows) if text is not None]
        lasting = [] if ability.always is None else [ability.always]
        found: dict[tuple[str, int | None], list[Path]] = {}
        for row in rows:
            for path, test in self.list_tests(row):
                place = test.place if isinstance(test, ex.Placed) else ch.find_first_place(test)
                if test == ACTOR and windows:
                    found.setdefault(("actor", self.find_row(row).at), []).append(path)
                elif place is not None and any(self.is_within(place, text) for text in windows):
                    found.setdefault(("heard", place), []).append(path)
                elif place is not None and any(self.is_within(place, text) for text in lasting):
                    found.setdefault(("while", place), []).append(path)
        heard = [self.make_test(sort, place, paths) for (sort, place), paths in found.items()]
        return [*heard, *self.list_moves(ability, rows)]

    def find_row(self, path: Path) -> Ability | Modifier:
        row = find_at(self.artefact, path)
        assert isinstance(row, Ability | Modifier)
        return row

    def list_tests(self, row: Path) -> Iterator[tuple[Path, Expression]]:
        """What an ability asks of an event, or of the table, each with its place in the artefact."""
        cond = self.find_row(row).cond
        for number, test in enumerate(conjuncts(cond)):
            path: Path = (*row, "cond", "conditions", number) if isinstance(cond, ex.And) else (*row, "cond")
            if strip(test) in ALWAYS_SO:
                continue
            yield ((*path, "value"), test) if isinstance(test, ex.Placed) else (path, test)

    def make_test(self, sort: str, place: int | None, paths: list[Path]) -> Heard:
        assert place is not None
        text = shorten_text(self.places[place].text)
        name = "whoever does it" if sort == "actor" else f"also without '{text}'"
        return Heard("heard" if sort == "actor" else sort, place, Mutant(name, tuple(Edit(p, ch.HOLD) for p in paths)))

    def list_moves(self, ability: DeclaredAbility, rows: Sequence[Path]) -> Iterator[Heard]:
        """The windows on one side of an event, moved to the other one."""
        if ability.use is not None or ability.window is None or ability.window.window.kind == "soon":
            return
        sides: dict[tuple[str, int | None], list[Path]] = {}
        for path in rows:
            row = self.find_row(path)
            if isinstance(row, Ability) and row.phase in ch.OTHER_SIDE and not self.is_one_sided(row):
                sides.setdefault((row.phase, row.at), []).append(path)
        for (phase, place), paths in sides.items():
            name = f"{ch.OTHER_SIDE[phase]} the event, not {phase} it"
            yield Heard("moved", place, Mutant(name, tuple(Edit(path, ch.MOVE_ACROSS) for path in paths)))

    def is_one_sided(self, row: Ability) -> bool:
        body = self.artefact.procs[row.proc].body if row.proc >= 0 else None
        return any(isinstance(part, ONE_SIDED) for form in (row.cond, body) if form is not None for part in walk(form))


__all__ = ["Heard", "Windows"]
