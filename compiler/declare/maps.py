"""Declare the maps of a package: spaces with neighbours, the regions that they lie in, where they are drawn, and which
of them the options of a game bring.

{connected: true, when: {scenario: first}, kind: berth,
 spaces: {quay: {adjacent to: [mole], leads to: [pit], in: north, at: [2, 1], number: 6, when: {fog: true}}, ..},
 joins: [[quay, market]], leads: [[quay, isle]]}

Spaces are declared board by board; ways and regions are looked at when all boards are known, since a map may join its
spaces to those of another one and of a package that it needs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from grimoire.compiler.declare.boards import fixture_kind, relate
from grimoire.compiler.declare.model import ALWAYS, PackageModel, Relation, Thing, When
from grimoire.compiler.declare.presence import is_never, is_there, join, read_when, say, settings_of
from grimoire.compiler.diagnostics.report import Diagnostics, Related, did_you_mean
from grimoire.compiler.records import field, record
from grimoire.compiler.source.shapes import as_flag, as_int, as_mapping, as_text_list, check_keys
from grimoire.compiler.source.tree import Mapping, Node, Scalar, Sequence

MAP_KEYS = ("spaces", "kind", "when", "connected", "joins", "leads")
SPACE_KEYS = ("kind", "adjacent to", "leads to", "in", "at", "when")
MAX_SPOT = 999  # steps of a drawing


class Way(NamedTuple):
    """From one space to another, as it is written; `back`: the other way as well."""

    start: Scalar
    end: Scalar
    back: bool
    when: When


@record()
class Map:
    """What a board says of ways and regions, until all boards are known."""

    name: Scalar
    when: When
    connected: Scalar | None = None
    spaces: list[str] = field(default_factory=list)
    ways: list[Way] = field(default_factory=list)
    regions: list[tuple[str, Scalar]] = field(default_factory=list)


def declare_map(
    model: PackageModel, name: Scalar, mapping: Mapping, free: Callable[[Scalar], bool], diags: Diagnostics
) -> Map:
    """The spaces of a board. `free` reports a name of a space that is no name or taken."""
    mapping = check_keys(mapping, MAP_KEYS, diags, "a board")
    made = Map(name, read_when(model, mapping, diags))
    default = mapping.get("kind")
    default_kind = fixture_kind(model, default, diags, "kind") if default is not None else None
    asked = mapping.get("connected")
    if asked is not None and as_flag(asked, diags, "connected") and isinstance(asked, Scalar):
        made.connected = asked
    for key, back in (("joins", True), ("leads", False)):
        node = mapping.get(key)
        for start, end in _read_pairs(node, key, diags) if node is not None else ():
            made.ways.append(Way(start, end, back, made.when))
    spaces_node = mapping.get("spaces")
    spaces = as_mapping(spaces_node, diags, "spaces") if spaces_node is not None else None
    for key_node, node in spaces.entries if spaces is not None else ():
        body = as_mapping(node, diags, key_node.value)
        if body is None or not free(key_node):
            continue
        kind_node = body.get("kind")
        kind = fixture_kind(model, kind_node, diags, "kind") if kind_node is not None else default_kind
        if kind is not None:
            _declare_space(model, made, key_node, kind, body, diags)
        elif kind_node is None:
            diags.add("G0306", key_node.span, f"the space {key_node.value} needs a kind", "kind: ..")
    return made


def _declare_space(model: PackageModel, made: Map, name: Scalar, kind: str, body: Mapping, diags: Diagnostics) -> None:
    values: dict[str, Node] = {}
    fields = [name for above in model.ancestors(kind) for name in model.kinds[above].fields]
    body = check_keys(body, (*SPACE_KEYS, *fields), diags, f"a {kind}")
    for key, value in body.entries:
        if key.value in ("adjacent to", "leads to"):
            back = key.value == "adjacent to"
            made.ways += [Way(name, end, back, ALWAYS) for end in as_text_list(value, diags, key.value) or []]
        elif key.value == "in":
            regions = [value] if isinstance(value, Scalar) else as_text_list(value, diags, "in") or []
            made.regions += [(name.value, region) for region in regions]
        elif key.value in fields:
            values[key.value] = value
    spot = body.get("at")
    when = join(made.when, read_when(model, body, diags))
    space = Thing(name.value, kind, {**values}, name.span, when=when)
    space.spot = _read_spot(spot, diags) if spot is not None else None
    model.things[name.value] = space
    made.spaces.append(name.value)


def _read_spot(node: Node, diags: Diagnostics) -> tuple[int, int] | None:
    if not isinstance(node, Sequence) or len(node.items) != 2:
        diags.add("G0303", node.span, "at has two numbers", "steps from the left and from the top: at: [3, 1]")
        return None
    x, y = (as_int(item, diags, "at", low=0, high=MAX_SPOT) for item in node.items)
    return None if x is None or y is None else (x, y)


def _read_pairs(node: Node, key: str, diags: Diagnostics) -> Iterator[tuple[Scalar, Scalar]]:
    for item in node.items if isinstance(node, Sequence) else [node]:
        pair = as_text_list(item, diags, key) if isinstance(item, Sequence) else None
        if pair is not None and len(pair) == 2:
            yield pair[0], pair[1]
        else:
            diags.add(
                "G0303", item.span, f"{key} is a list of pairs of spaces", f"{key}: [[quay, market], [quay, mole]]"
            )


# ------------------------------------------------------------ what needs all boards


def join_maps(model: PackageModel, maps: list[Map], diags: Diagnostics) -> None:
    """Regions, then ways, then what a board asks of its map."""
    for one in maps:
        for space, region in one.regions:
            _lay_into_region(model, space, region, diags)
    for one in maps:
        for name in one.spaces:
            if is_never(model.things[name].when):
                _tell_never(model.things[name], diags)
    for one in maps:
        _relate_ways(model, one, diags)
    for one in maps:
        if one.connected is not None:
            _check_connected(model, one, one.connected, diags)


def _lay_into_region(model: PackageModel, name: str, node: Scalar, diags: Diagnostics) -> None:
    region, space = model.things.get(node.value), model.things[name]
    if region is None:
        guess = did_you_mean(node.value, model.things)
        hint = f"did you mean {guess}?" if guess else "a region is a thing or a value: values: {region: [north, south]}"
        diags.add("G0501", node.span, f'unknown region "{node.value}"', hint)
        return
    space.when = join(space.when, region.when)
    above = "space" if model.is_a(space.kind, "space") else "thing"
    pairs, back = {region.id: [name]}, {name: [region.id]}
    relate(model, Relation(f"{above}-in-{region.kind}", region.kind, above, "OF", pairs, region=True))
    relate(model, Relation(f"{region.kind}-of-{above}", above, region.kind, "OF", back, region=True))


def _tell_never(space: Thing, diags: Diagnostics) -> None:
    message = f"{space.id} is never there: what it asks for, its board and its region do not go together"
    diags.add("G0315", space.span, message, "change one of them")


def _relate_ways(model: PackageModel, one: Map, diags: Diagnostics) -> None:
    pairs: dict[str, list[str]] = {}
    found: dict[tuple[str, str], list[When]] = {}
    for way in one.ways:
        start, end = (_find_space(model, node, diags) for node in (way.start, way.end))
        if start is None or end is None:
            continue
        both = join(start.when, end.when)
        if is_never(join(both, way.when)):
            if not is_never(start.when) and not is_never(end.when):
                _tell_apart(way, start, end, diags)
            continue
        when = ALWAYS if join(both, way.when) == both else way.when
        pairs.setdefault(start.id, []).append(end.id)
        found.setdefault((start.id, end.id), []).append(when)
        if way.back:
            found.setdefault((end.id, start.id), []).append(when)
            if start.id not in pairs.setdefault(end.id, []):
                pairs[end.id].append(start.id)
    if not pairs:
        return
    known = next((r.only for r in model.relations if r.id == "adjacent"), {})
    told = {(a, b) for r in model.relations if r.id == "adjacent" for a, ends in r.pairs.items() for b in ends}
    only = {
        pair: (*known.get(pair, ()), *whens)
        for pair, whens in found.items()
        if ALWAYS not in whens and not (pair in told and pair not in known)
    }
    for pair, whens in found.items():
        if ALWAYS in whens:
            known.pop(pair, None)
    unique = {k: list(dict.fromkeys(v)) for k, v in pairs.items()}
    relate(model, Relation("adjacent", "thing", "thing", "ADJACENT_TO", unique, only=only))


def _find_space(model: PackageModel, node: Scalar, diags: Diagnostics) -> Thing | None:
    found = model.things.get(node.value)
    if found is not None:
        return found
    spaces = [thing.id for thing in model.things.values() if model.is_a(thing.kind, "space")]
    guess = did_you_mean(node.value, spaces)
    diags.add("G0501", node.span, f'unknown space "{node.value}"' + (f": did you mean {guess}?" if guess else ""))
    return None


def _tell_apart(way: Way, start: Thing, end: Thing, diags: Diagnostics) -> None:
    asked = f", and this board asks for {say(way.when)}" if way.when else ""
    message = (
        f"{start.id} and {end.id} are never there together: {start.id} asks for {say(start.when)}, "
        f"{end.id} for {say(end.when)}{asked}"
    )
    hint = "take the way out, or let both be there with one setting"
    diags.add("G0315", way.end.span, message, hint, (Related(end.span, "declared here"),))


def _check_connected(model: PackageModel, one: Map, asked: Scalar, diags: Diagnostics) -> None:
    """Whether every space of a board is reached from every other one, with each setting of the options."""
    relation = next((r for r in model.relations if r.id == "adjacent"), None)
    ways = {} if relation is None else relation.pairs
    only = {} if relation is None else relation.only
    conditions = [thing.when for thing in model.things.values()] + [when for whens in only.values() for when in whens]
    settings = settings_of(model, conditions)
    if settings is None:
        message = f"whether {one.name.value} is connected cannot be found out: its map depends on too many settings"
        diags.add("G0316", asked.span, message, "leave connected out, or let less depend on options")
        return
    for setting in settings:
        there = [name for name in one.spaces if is_there(model.things[name].when, setting)]
        steps: dict[str, list[str]] = {}
        back: dict[str, list[str]] = {}
        for start, ends in ways.items():
            for end in ends:
                whens = only.get((start, end), (ALWAYS,))
                if all(is_there(model.things[name].when, setting) for name in (start, end)) and any(
                    is_there(when, setting) for when in whens
                ):
                    steps.setdefault(start, []).append(end)
                    back.setdefault(end, []).append(start)
        for along, said in ((steps, "cannot be reached from"), (back, "does not lead to")):
            lost = [name for name in there if name not in _reach(there[0], along)]
            if lost:
                told = f" with {say(tuple((k, (v,)) for k, v in setting.items()))}" if setting else ""
                message = f"{lost[0]} {said} {there[0]}{told}"
                diags.add("G0316", asked.span, message, "join them: adjacent to, or joins: [[.., ..]] of a board")
                return


def _reach(start: str, steps: dict[str, list[str]]) -> set[str]:
    seen, waiting = {start}, [start]
    while waiting:
        for name in steps.get(waiting.pop(), ()):
            if name not in seen:
                seen.add(name)
                waiting.append(name)
    return seen
