"""Declare cards, tokens, figures and sheets, and the abilities that they or the rules have."""

from __future__ import annotations

import re
from functools import partial

from grimoire.compiler.declare.base import ABILITY_KEYS, MAX_COPIES, Reader
from grimoire.compiler.declare.model import (
    Ability,
    Definition,
    Field,
    Printed,
    Text,
)
from grimoire.compiler.declare.presence import is_never, join, read_when, say
from grimoire.compiler.diagnostics.report import Related, did_you_mean
from grimoire.compiler.source.shapes import (
    as_int,
    as_mapping,
    as_text,
    as_text_list,
    check_keys,
    find_key,
    wrong_shape,
)
from grimoire.compiler.source.tree import Mapping, Node, Scalar, Sequence

_NO_COPIES = re.compile(r"(-[0-9]+|0+)\Z")


def list_with_or(names: list[str]) -> str:
    """Some names, with `or` before the last."""
    few = names[:6]
    return few[0] if len(few) == 1 else f"{', '.join(few[:-1])} or {few[-1]}"


class Pieces(Reader):
    """Pieces and abilities."""

    def piece(self, section: str, name: Scalar, mapping: Mapping, replaces: bool) -> None:
        kind_node = mapping.get(find_key(mapping, "kind"))
        old = self.model.definitions.get(name.value)
        if replaces and name.value in self.replaced:
            message = f"what replaces {name.value} stands twice"
            self.twice(name, message, self.replaced[name.value], "put both together")
            return
        if replaces:
            self.replaced[name.value] = name.span
        if replaces and old is None:
            guess = did_you_mean(name.value, self.model.definitions)
            self.diags.add(
                "G0218",
                name.span,
                f'there is no "{name.value}" to replace' + (f": did you mean {guess}?" if guess else ""),
            )
            return
        kind_name = (
            as_text(kind_node, self.diags, "kind")
            if kind_node is not None
            else (old.kind if replaces and old else section[:-1])
        )
        if kind_name is None or not self.piece_kind(kind_name, kind_node or name):
            return
        if replaces and old is not None and kind_name != old.kind:
            message = f"{name.value} is a {old.kind}: what replaces it keeps its kind"
            self.diags.add("G0310", (kind_node or name).span, message, "leave kind out")
            return
        slots: dict[str, str] = {}
        fields: dict[str, Field] = {}
        for ancestor in self.model.ancestors(kind_name):
            slots.update(self.model.kinds[ancestor].slots)
            fields.update({k: v for k, v in self.model.kinds[ancestor].fields.items() if not v.state})
        own = ("kind", "copies", "in", "abilities", "clause", "when")
        mapping = check_keys(
            mapping,
            (*own, *slots, *fields),
            self.diags,
            f"a {kind_name}",
            required=[
                f
                for f, v in fields.items()
                if not (v.type.optional or v.start is not None or replaces) and f not in self.auto_fields(kind_name)
            ],
        )
        copies_node = mapping.get("copies")
        copies = self.copies(copies_node) if copies_node is not None else 1
        zone_node = mapping.get("in")
        zone = as_text(zone_node, self.diags, "in") if zone_node is not None else None
        if zone is not None and zone_node is not None:
            found = self.model.zones.get(zone)
            space = self.model.things.get(zone)
            if found is None and space is not None:
                if not self.model.kinds[space.kind].holds:
                    message = f"{name.value} starts on {zone}, and a {space.kind} holds no pieces"
                    self.diags.add("G0524", zone_node.span, message, f"say holds: true of the kind {space.kind}")
                    zone = None
            elif found is None:
                self.no_zone(zone, zone_node, kind_name)
                zone = None
            elif found.holds in self.model.kinds and not self.model.is_a(kind_name, found.holds):
                there = self.zones_for(kind_name)
                message = f"the zone {zone} is for pieces of the kind {found.holds}, and {name.value} is a {kind_name}"
                hint = f"write {list_with_or(there)}" if there else f"declare a zone that holds: {kind_name}"
                if kind_node is None and not replaces:
                    hint = f"add 'kind: {found.holds}'"
                self.diags.add("G0524", zone_node.span, message, hint, (Related(found.span, "the zone"),))
                zone = None
            elif found.each:
                self.diags.add(
                    "G0506",
                    zone_node.span,
                    f"every player has a {zone}: pieces start in one zone",
                    "start them in a supply and move them in the set-up",
                )
                zone = None
        clauses = self.clauses(mapping)
        when = read_when(self.model, mapping, self.diags)
        home = self.model.zones.get(str(zone)) or self.model.things.get(str(zone))
        if home is not None and zone_node is not None and is_never(join(when, home.when)):
            message = f"{name.value} is there with {say(when)}, its place {zone} with {say(home.when)}: never together"
            self.diags.add("G0315", zone_node.span, message, "change one of them", (Related(home.span, "the place"),))
        values: dict[str, Printed] = {key.value: node for key, node in mapping.entries if key.value in fields}
        programs: dict[str, Text] = {}
        for key, node in mapping.entries:
            if key.value in slots:
                programs.update(self.texts(node, slots[key.value], name.value, key.value, clauses))
        abilities: dict[str, Ability] = {}
        node_ = mapping.get("abilities")
        entries = as_mapping(node_, self.diags, "abilities") if node_ is not None else None
        for word, body in entries.entries if entries is not None else ():
            ability = self.ability(word, body)
            if ability is not None:
                abilities[word.value] = ability
        if not replaces:
            self.check_complete(mapping, kind_name, name)
        if replaces and old is not None:
            old.values.update(values)
            given = {key.value for key, _ in mapping.entries if key.value in slots}
            old.programs = {k: v for k, v in old.programs.items() if k.partition(".")[0] not in given} | programs
            old.abilities.update(abilities)
            old.copies = copies if copies_node is not None and copies is not None else old.copies
            old.zone = zone if zone_node is not None else old.zone
            old.when = when if mapping.get("when") is not None else old.when
            return
        first = self.model.definitions.get(name.value)
        if first is not None:
            hint = "take another name for one of them"
            if first.package != self.package:
                hint = f"take another name; to change the {name.value} of {first.package}, put this under replaces"
            related = (Related(first.span, "the first stands here"),)
            self.diags.add("G0523", name.span, f'two cards are called "{name.value}"', hint, related)
            return
        if not self.free(self.model.definitions, name, "card"):
            return
        self.model.definitions[name.value] = Definition(
            name.value, kind_name, copies or 1, zone, values, programs, abilities, name.span, self.package, clauses
        )
        self.model.definitions[name.value].when = when

    def check_complete(self, mapping: Mapping, kind: str, name: Scalar) -> None:
        """What comes together by its kind, a card has all of or none."""
        written = {key.value: key for key, _ in mapping.entries}
        for ancestor in self.model.ancestors(kind):
            for words in self.model.kinds[ancestor].together:
                missing = [word.value for word in words if word.value not in written]
                there = [written[word.value] for word in words if word.value in written]
                if missing and there:
                    message = (
                        f"{name.value} has {' and '.join([key.value for key in there])} without {' and '.join(missing)}"
                    )
                    hint = f"write {' and '.join(missing)}, or leave {' and '.join([key.value for key in there])} out"
                    self.diags.add(
                        "G0317", there[0].span, message, hint, (Related(words[0].span, "they come together"),)
                    )

    def texts(self, node: Node, wanted: str, name: str, slot: str, clauses: tuple[str, ...]) -> dict[str, Text]:
        """The text of a slot, or the texts of one that holds a list: these are called `slot.1`, `slot.2` .."""
        if wanted == "effect":
            if isinstance(node, Sequence):
                hint = f"lines of one text stand below the key after |; a slot declared as {slot}: effects takes a list"
                wrong_shape(node, self.diags, f"{name}.{slot}", "one text", hint)
                return {}
            made = self.text(node, "effect", f"{name}.{slot}", clauses)
            return {} if made is None else {slot: made}
        if not isinstance(node, Sequence):
            wrong_shape(node, self.diags, f"{name}.{slot}", "a list of texts", "write each behind a - below the key")
            return {}
        found = [self.text(item, "effect", f"{name}.{slot}.{i}", clauses) for i, item in enumerate(node.items, 1)]
        return {f"{slot}.{i}": text for i, text in enumerate(found, 1) if text is not None}

    def copies(self, node: Node) -> int | None:
        """How many of a card there are: one or more."""
        if isinstance(node, Scalar) and node.style == "plain" and _NO_COPIES.match(node.value):
            message = f"a card has at least 1 copy, not {node.value[:20]}"
            self.diags.add("G0320", node.span, message, "leave the card out, or leave copies out for a single one")
            return None
        return as_int(node, self.diags, "copies", low=1, high=MAX_COPIES)

    def check_zone(self, zone: Scalar) -> None:
        if zone.value not in self.model.zones:
            self.no_zone(zone.value, zone)

    def zones_for(self, kind: str) -> list[str]:
        """The common zones in which a piece of a kind can start."""
        kinds = self.model.kinds
        return [
            zone.id
            for zone in self.model.zones.values()
            if not zone.each and zone.holds in kinds and self.model.is_a(kind, zone.holds)
        ]

    def no_zone(self, name: str, node: Node, kind: str | None = None) -> None:
        """A zone is not there; with a kind, one in which a piece of that kind can start."""
        guess = did_you_mean(name, self.model.zones)
        said = f'unknown zone "{name}"' + (f": did you mean {guess}?" if guess else "")
        there = ", ".join(((self.zones_for(kind) if kind else None) or list(self.model.zones))[:12])
        hint = f"write {guess}" if guess else f"one of {there}" if there else "zones are declared under zones"
        self.diags.add("G0520", node.span, said, hint)

    def auto_fields(self, kind: str) -> set[str]:
        return {str(self.model.kinds[k].names) for k in self.model.ancestors(kind) if self.model.kinds[k].names}

    def windows(self, node: Sequence, name: str, clauses: tuple[str, ...]) -> list[Text | None]:
        """A list of windows: the ability answers any of them."""
        return [self.text(item, "trigger", f"{name}.window", clauses) for item in node.items] or [None]

    def ability(self, name: Scalar, body: Node) -> Ability | None:
        mapping = as_mapping(body, self.diags, f"the ability {name.value}")
        if mapping is None:
            return None
        mapping = check_keys(mapping, (*ABILITY_KEYS, *self.uses), self.diags, "an ability")
        made = Ability(name.value, name.span, clauses=self.clauses(mapping))
        where = mapping.get("in")
        if where is not None:
            zones = [where] if isinstance(where, Scalar) else as_text_list(where, self.diags, "in") or []
            made.zones = tuple(zone.value for zone in zones)
            for zone in zones:
                self.later.append(partial(self.check_zone, zone))
        for key, start in (
            ("window", "trigger"),
            ("only", "condition"),
            ("limit", "limit"),
            ("do", "effect"),
            ("always", "effect"),
        ):
            node = mapping.get(key)
            if key == "window" and isinstance(node, Sequence):
                made.window, *others = self.windows(node, name.value, made.clauses)
                made.other_windows = tuple(text for text in others if text is not None)
            elif node is not None:
                setattr(
                    made,
                    key,
                    self.text(
                        node, start, name.value if key in ("do", "always") else f"{name.value}.{key}", made.clauses
                    ),
                )
        for key, verb in self.uses.items():
            node = mapping.get(key)
            if node is None:
                continue
            if made.window is not None or made.do is not None or made.use is not None or made.always is not None:
                message = f"the ability {name.value} has {key} and something else that it does"
                self.diags.add("G0311", name.span, message, "make two abilities of it")
                return None
            made.use, made.do = verb, self.text(node, "effect", name.value, made.clauses)
        is_whole = all(key.value in (*ABILITY_KEYS, *self.uses) for key, _ in mapping.entries)  # else that is told
        if is_whole and made.always is None and (made.window is None or made.do is None) and made.use is None:
            keys = "".join(f", or {key}: .." for key in self.uses)
            self.diags.add(
                "G0306",
                name.span,
                f"the ability {name.value} needs a window and what it does",
                f"window: .. and do: .., or always: ..{keys}",
            )
        if made.always is not None and (made.window is not None or made.do is not None):
            self.diags.add(
                "G0311", name.span, f"the ability {name.value} has both always and a window", "make two abilities of it"
            )
        if made.limit is not None and made.always is not None:
            self.diags.add("G0311", name.span, "a limit goes with a window, not with always")
        return made
