"""Units: what of a card is looked at for itself, each with a key of what it says, so that nothing is looked at twice.

In: the definitions of the model. Out: a `Finding`: what was reported, and the keys of the units that were clean.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from grimoire.compiler.cache import blake2b
from grimoire.compiler.checking.processes import Helper, cores, stop
from grimoire.compiler.declare.model import Ability, Definition, Text
from grimoire.compiler.diagnostics.report import MAX_IN_ALL, Diagnostic, Diagnostics, from_plain, to_plain
from grimoire.compiler.records import field, record, replace
from grimoire.compiler.source.tree import Mapping, Node, Scalar, Sequence, SourceFile

# The later stages are imported where they are used: often nothing has to be parsed.
if TYPE_CHECKING:
    from grimoire.compiler.checking.flow import Flow
    from grimoire.compiler.lower.vocabulary import Vocabulary

PARALLEL_FROM = 120  # units; below that a second process costs more than it brings
KEY = 12  # bytes of the key of a unit
NOWHERE = SourceFile("\0", "", ())


@record()
class Unit:
    """One text, one ability or one printed value of a card: what is looked at for itself.

    A text without a card is one that no card has any more: it is replaced, or its card was refused. It is parsed all the same.
    """

    definition: Definition | None
    name: str
    key: bytes
    text: Text | None = None
    ability: Ability | None = None
    value: Node | None = None

    def texts(self) -> list[Text]:
        if self.text is not None:
            return [self.text]
        a = self.ability
        if a is None:
            return []
        return [text for text in (a.window, *a.other_windows, a.only, a.limit, a.do, a.always) if text is not None]

    @property
    def at_home(self) -> bool:
        """Whether it stands where its card stands: what replaces something stands elsewhere."""
        if self.definition is None:
            return True
        home = self.definition.span.file
        if self.value is not None:
            return self.value.source.path == home
        return all(text.file == home for text in self.texts())


@record()
class Finding:
    """What a look at some units gave."""

    diagnostics: list[Diagnostic] = field(default_factory=list)
    clean: list[bytes] = field(default_factory=list)


def units_of(definition: Definition) -> list[Unit]:
    """All that is looked at of a card, each with a key of what it says."""
    out: list[Unit] = []
    kind = definition.kind
    for name, node in definition.values.items():
        if isinstance(node, Scalar):
            out.append(Unit(definition, name, unit_key(f"v\0{kind}\0{name}\0{node.style}\0{node.value}"), value=node))
        elif isinstance(node, Mapping | Sequence):
            out.append(Unit(definition, name, unit_key(f"v\0{kind}\0{name}\0{shape_of(node)!r}"), value=node))
    for name, text in definition.programs.items():
        out.append(Unit(definition, name, unit_key(f"p\0{kind}\0{name}\0{text.text}"), text))
    for name, a in definition.abilities.items():
        # every text with its place among the others: the same words may be a condition or an effect
        parts = (a.window, a.only, a.limit, a.do, a.always, *a.other_windows)
        said = [None if text is None else (text.start, text.text) for text in parts]
        key = unit_key(f"a\0{kind}\0{tuple(definition.programs)!r}\0{a.zones!r}\0{said!r}")
        out.append(Unit(definition, name, key, ability=a))
    return out


def unit_key(text: str) -> bytes:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=KEY).digest()


def shape_of(node: Any) -> Any:
    """What a node says, without its place: a pair for a scalar, a list, or a dict with the pairs of a mapping."""
    if isinstance(node, Scalar):
        return node.style, node.value
    if isinstance(node, Mapping):
        return {"": [(shape_of(key), shape_of(value)) for key, value in node.entries]}
    return [shape_of(item) for item in node.items]


def rebuilt(shape: Any) -> Node:
    """A node that says the same, nowhere."""
    if isinstance(shape, tuple):
        style, value = shape
        return Scalar(value, style, 1, 1, 1, 1, NOWHERE)
    if isinstance(shape, dict):
        entries: Any = tuple((rebuilt(key), rebuilt(value)) for key, value in shape[""])
        return Mapping(entries, 1, 1, 1, 1, NOWHERE)
    return Sequence(tuple(rebuilt(item) for item in shape), 1, 1, 1, 1, NOWHERE)


def check_value(vocabulary: Vocabulary, owner: Any, name: str, node: Any, diags: Diagnostics) -> None:
    """A printed value, against every kind that declares it."""
    from grimoire.compiler.lower.values import read_value

    for kind in vocabulary.model.ancestors(owner.kind):
        declared = vocabulary.model.kinds[kind].fields.get(name)
        if declared is not None and not declared.state:
            read_value(vocabulary.model, node, declared.type, f"{owner.id}.{name}", diags)


def check_unit(unit: Unit, vocabulary: Vocabulary, diags: Diagnostics) -> None:
    if unit.definition is None:
        return
    if unit.value is not None:
        check_value(vocabulary, unit.definition, unit.name, unit.value, diags)
        return
    from grimoire.compiler.lower.units import CardUnit, bearers, lower_unit

    programs = {} if unit.text is None else {unit.name: unit.text}
    part = replace(unit.definition, values={}, programs=programs, abilities={})
    bearer = bearers(vocabulary.model, part.kind)
    abilities = () if unit.ability is None else ((None, unit.ability),)
    kind = vocabulary.model.kinds[bearer] if bearer else None
    diags.extend(lower_unit(vocabulary, CardUnit(part, abilities, bearer is not None, kind)).diagnostics)


def distinct(units: list[Unit], clean: set[bytes]) -> tuple[list[Unit], list[Unit]]:
    """Units that are not known to be clean: the first that says something, and those that say the same."""
    waiting: list[Unit] = []
    twins: list[Unit] = []
    first: set[bytes] = set()
    for unit in units:
        if unit.key not in clean:
            (twins if unit.key in first else waiting).append(unit)
            first.add(unit.key)
    return waiting, twins


def look(units: list[Unit], clean: set[bytes], vocabulary: Vocabulary, flow: Flow) -> Finding:
    """Look at all units that are not known to be clean; on several cores when there are many."""
    waiting, twins = distinct(units, clean)
    count = cores()
    if len(waiting) < PARALLEL_FROM or count < 2:
        return look_here(waiting, twins, vocabulary, flow)
    size = -(-len(waiting) // count)
    first, *parts = [waiting[start : start + size] for start in range(0, len(waiting), size)]

    def work(part: Any, receive: Callable[[], Any], send: Callable[[Any], None]) -> None:
        found = look_here(part, [], vocabulary, flow)
        send((to_plain(found.diagnostics), found.clean))

    helpers = [Helper(work, part) for part in parts]
    try:
        out = look_here(first, [], vocabulary, flow)
        for helper, part in zip(helpers, parts, strict=True):
            answer = helper.receive()
            if answer is None:
                join(out, look_here(part, [], vocabulary, flow))
            else:
                join(out, Finding(from_plain(answer[0]), answer[1]))
    finally:
        stop(helpers)
    known = set(out.clean)
    join(out, look_here([unit for unit in twins if unit.key not in known], [], vocabulary, flow))
    return out


def join(out: Finding, more: Finding) -> None:
    out.diagnostics += more.diagnostics
    out.clean += more.clean


def look_here(units: list[Unit], twins: list[Unit], vocabulary: Vocabulary, flow: Flow) -> Finding:
    """Look at units one by one; at their twins only where something was found."""
    from grimoire.compiler.syntax.parse import parse_texts

    out = Finding()
    clean: set[bytes] = set()
    for unit in (*units, *twins):
        if unit.key in clean:
            continue
        diags = flow.diags = Diagnostics()
        texts = unit.texts()
        parse_texts(texts, diags)
        check_unit(unit, vocabulary, diags)
        for text in texts:
            flow.text(text)
            text.node = None
        if len(diags):
            out.diagnostics.extend(diags)
            if len(out.diagnostics) > MAX_IN_ALL:
                break  # too many to be shown: the full compile tells which
        else:
            clean.add(unit.key)
    out.clean = list(clean)
    return out
