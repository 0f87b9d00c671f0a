"""Find what can never be: pieces in places to which nothing brings them, events that nothing makes happen, cards that
never come into play.

In: what all units tell, and where cards start. Out: the premises that nothing makes true, and diagnostics. What is
found impossible is impossible in the package as it stands with those that it needs: every move and every verb of every
text counts, whether or not the text is ever carried out, for all pieces of the kind that it names.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from grimoire.compiler.declare.model import PackageModel, Verb
from grimoire.compiler.diagnostics.report import Diagnostics, Span
from grimoire.compiler.lower.told import ANYWHERE, ARGUMENT, SPACE, Premise, Told


class Reach:
    """Which kinds of pieces can be where, and which can be the arguments of verbs."""

    def __init__(self, model: PackageModel, told: Told) -> None:
        self.model = model
        self.told = told
        self.present = sorted({definition.kind for definition in model.definitions.values()})
        self._below: dict[str, frozenset[str]] = {}
        self.given = self.follow_arguments()
        self.places = self.follow_moves()

    def below(self, kind: str) -> frozenset[str]:
        """The kinds of cards that a kind stands for."""
        found = self._below.get(kind)
        if found is None:
            wanted = kind or None
            found = frozenset(one for one in self.present if self.model.is_a(one, wanted))
            self._below[kind] = found
        return found

    def follow_arguments(self) -> dict[str, set[str]]:
        """What each argument of a verb can be: kinds of cards, or places; and what it is handed on to."""
        found: dict[str, set[str]] = {}
        for argument, what in self.told.given:
            known = found.setdefault(argument, set())
            if what.startswith((ARGUMENT, SPACE)) or what == ANYWHERE or what in self.model.zones:
                known.add(what)
            else:
                known |= self.below(what)
        changed = True
        while changed:
            changed = False
            for known in found.values():
                more = {one for other in known if other.startswith(ARGUMENT) for one in found.get(other, ())}
                if not more <= known:
                    known |= more
                    changed = True
        return found

    def follow_moves(self) -> dict[str, set[str]]:
        """The places of each kind of cards."""
        found: dict[str, set[str]] = {kind: set() for kind in self.present}
        for definition in self.model.definitions.values():
            thing = self.model.things.get(str(definition.zone))
            if definition.zone is not None:
                found[definition.kind].add(definition.zone if thing is None else f"{SPACE}{thing.kind}")
        for what, where in self.told.moves:
            kinds = self.given.get(what, set()) if what.startswith(ARGUMENT) else self.below(what)
            places = self.given.get(where, set()) if where.startswith(ARGUMENT) else {where}
            for kind in kinds & found.keys():
                found[kind] |= {place for place in places if self.may_hold(place, kind)}
        return found

    def may_hold(self, place: str, kind: str) -> bool:
        zone = self.model.zones.get(place)
        return zone is None or self.model.is_a(kind, zone.holds)

    def can_lie(self, kind: str, place: str) -> bool:
        for known in self.places[kind]:
            if known == place or (known == ANYWHERE and self.may_hold(place, kind)):
                return True
            if known.startswith(SPACE) and place.startswith(SPACE):
                if self.model.fits(known.removeprefix(SPACE) or None, place.removeprefix(SPACE) or None):
                    return True
        return False

    def is_possible(self, premise: Premise) -> bool:
        if premise.sort == "happens":
            return premise.where in self.told.carried_out
        kinds = self.below(premise.what)
        if not kinds:
            return True  # that there are none is told as such
        if premise.sort == "done":
            verb = premise.where.removeprefix(ARGUMENT).rpartition(".")[0]
            return verb not in self.told.carried_out or not kinds.isdisjoint(self.given.get(premise.where, set()))
        return any(self.can_lie(kind, premise.where) for kind in kinds)


def find_impossible(model: PackageModel, told: Told) -> frozenset[Premise]:
    """The premises that nothing makes true."""
    if "game" not in model.verbs:
        return frozenset()  # a part of a game: what happens in it others say
    reach = Reach(model, told)
    return frozenset(premise for premise in told.premises if not reach.is_possible(premise))


def report_premises(
    model: PackageModel,
    premises: Iterable[tuple[Premise, Span]],
    impossible: Mapping[Premise, None] | frozenset[Premise],
    diags: Diagnostics,
) -> None:
    """Tell of what can never be where it is said."""
    for premise, span in sorted(premises):
        if premise not in impossible:
            continue
        where = f"in a {premise.where.removeprefix(SPACE)}" if SPACE in premise.where else f"in the {premise.where}"
        if premise.sort in ("lies", "works"):
            message = f"no {premise.what or 'piece'} is ever {where}: none starts there and nothing moves one there"
            if premise.sort == "works":
                message = f"this never works: {message}"
            diags.add("G0720", span, message, "name another place or kind, or move one there somewhere")
        elif premise.sort == "happens":
            verb = model.verbs[premise.where]
            message = f"nothing ever carries out {verb.id}, so this never answers"
            diags.add("G0721", span, message, f"{say_how(verb)} somewhere, or name another event")
        else:
            verb = model.verbs[premise.where.removeprefix(ARGUMENT).rpartition(".")[0]]
            message = f"{verb.id} is never done to a {premise.what}, so this never answers"
            diags.add("G0721", span, message, "name what it is done to, or another event")


def say_how(verb: Verb) -> str:
    return f"take a {verb.id}" if verb.procedure else f"use {verb.id}"


def report_stranded(model: PackageModel, package: str, diags: Diagnostics) -> None:
    """Cards that never come into play: only what lies somewhere can be moved, and they start nowhere."""
    if "game" not in model.verbs:
        return
    for definition in model.definitions.values():
        kinds = [model.kinds[kind] for kind in model.ancestors(definition.kind)]
        named = any(kind.names is not None or kind.lends is not None for kind in kinds)
        if definition.zone is not None or definition.package != package or named:
            continue
        there = [zone.id for zone in model.zones.values() if not zone.each and model.is_a(definition.kind, zone.holds)]
        hint = f"say where it starts: in: {' or '.join(there)}" if there else "declare a zone for it, and say in: .."
        message = f"{definition.id} never comes into play: it starts nowhere, and nothing can bring it"
        diags.add("G0722", definition.span, message, hint)
