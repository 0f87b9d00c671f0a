"""Named positions of scenario files: what many scenarios are given, written once.

In: the trees of the scenario files. Out: for a scenario that says `position: NAME`, the same mapping as if everything
of that position stood in it; what the scenario says itself comes after it and wins.
"""

from __future__ import annotations

from collections.abc import Iterable

from grimoire.compiler.diagnostics.report import Diagnostics, Related, did_you_mean
from grimoire.compiler.source.shapes import as_mapping, as_text, check_keys
from grimoire.compiler.source.tree import Mapping, Node, Scalar

POSITION = ("position", "players", "seed", "options", "given")
DEPTH = 8  # positions that build on each other


class Positions:
    """The named positions of a package."""

    def __init__(
        self, trees: Iterable[tuple[str, Mapping]], diags: Diagnostics, below: Iterable[tuple[str, Mapping]] = ()
    ) -> None:
        """`below` are the files of packages that this one needs: their positions can be used, and be said anew."""
        self.found: dict[str, tuple[Scalar, Mapping]] = {}
        self.used: set[str] = set()
        for file in below:
            self.found.update(Positions([file], Diagnostics()).found)
        self.borrowed = set(self.found)
        for _, tree in trees:
            body = tree.get("positions")
            mapping = as_mapping(body, diags, "positions") if body is not None else None
            for name, node in mapping.entries if mapping is not None else ():
                position = as_mapping(node, diags, name.value)
                if position is None:
                    continue
                position = check_keys(position, POSITION, diags, "a position")
                if name.value in self.found and name.value not in self.borrowed:
                    related = (Related(self.found[name.value][0].span, "the other one"),)
                    message = f"there is another position called {name.value}"
                    diags.add("G0819", name.span, message, "rename one of the two", related)
                    continue
                self.found[name.value] = (name, position)
                self.borrowed.discard(name.value)

    def lay(self, node: Node, diags: Diagnostics, depth: int = 0) -> Node:
        """A scenario with what it is given by its position; mistakes in the name of it are told."""
        if not isinstance(node, Mapping):
            return node
        wanted = node.get("position")
        if wanted is None:
            return node
        name = as_text(wanted, diags, "position")
        if name is None:
            return without(node, "position")
        known = self.found.get(name)
        if known is None:
            guess = did_you_mean(name, self.found)
            hint = f"did you mean {guess}?" if guess else "positions stand under positions: in a scenario file"
            diags.add("G0811", wanted.span, f'unknown position "{name}"', hint)
            return without(node, "position")
        if depth >= DEPTH:
            diags.add("G0811", wanted.span, f"{name} builds on itself, or on too many others", "take one of them out")
            return without(node, "position")
        self.used.add(name)
        below = self.lay(known[1], diags, depth + 1)
        assert isinstance(below, Mapping)
        return join(below, without(node, "position"))

    def report_unused(self, diags: Diagnostics) -> None:
        for name, (key, _) in self.found.items():
            if name not in self.used and name not in self.borrowed:
                diags.add("G0704", key.span, f"no scenario starts from the position {name}", "use it, or take it out")


def without(mapping: Mapping, key: str) -> Mapping:
    return like(mapping, tuple(entry for entry in mapping.entries if entry[0].value != key))


def join(below: Mapping, above: Mapping) -> Mapping:
    """Both together; where both say something, the upper one wins."""
    entries = {key.value: (key, node) for key, node in below.entries}
    for key, node in above.entries:
        old = entries.get(key.value)
        if old is not None and isinstance(old[1], Mapping) and isinstance(node, Mapping):
            node = join(old[1], node)
        entries[key.value] = (key, node)
    return like(above, tuple(entries.values()))


def like(mapping: Mapping, entries: tuple[tuple[Scalar, Node], ...]) -> Mapping:
    return Mapping(entries, mapping.line, mapping.column, mapping.end_line, mapping.end_column, mapping.source)
