"""How much text fits on a card: limits that a package declares by kind of card, and which texts do not fit.

In: l10n/space.yaml (kind -> name, text: characters) and the texts of the cards as they are printed: those written by
hand, and of other cards those made from the effects. Out: diagnostics for `check` (G0921) and findings for `l10n check`
(length). Of a text without a limit only what is twice as long as its source is told.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple

from grimoire.compiler.declare.model import PackageModel
from grimoire.compiler.diagnostics.report import Diagnostics, Span
from grimoire.compiler.localisation.tuning import (
    ROOM_MORE,
    ROOM_MOST,
    ROOM_TWICE,
)
from grimoire.compiler.source.manifest import Manifest
from grimoire.compiler.source.reader import DISK, SourceReader
from grimoire.compiler.source.shapes import as_int, as_mapping, check_keys
from grimoire.compiler.source.tree import Scalar, quote

FILE: Final = "l10n/space.yaml"
PARTS: Final = ("name", "text")
SECTIONS: Final = {"names": "name", "cards": "text"}
_MARK: Final = re.compile(r"\{[^{}]*\}|</?[A-Za-z][^<>]*>|\[([^\[\]]*)\]")

Limits = dict[str, dict[str, int]]  # kind -> part -> characters


class Long(NamedTuple):
    """A text that does not fit."""

    id: str  # names.lamp, cards.lamp
    kind: str
    size: int
    limit: int
    span: Span
    is_made: bool  # from the effect

    def describe(self) -> str:
        what = "the name" if self.id.startswith("names.") else "the generated text" if self.is_made else "the text"
        return f"{what} has {self.size} characters, and {self.limit} fit on a card of the kind {self.kind}"


def measure_text(text: str) -> int:
    """How much room a text takes: a symbol is one sign, a tag none."""
    return len(_MARK.sub(lambda found: "" if found[0].startswith("<") else "x", text))


def read_space(root: Path, diags: Diagnostics, reader: SourceReader = DISK) -> tuple[Limits, dict[str, Span]]:
    """The limits, and where each kind stands; wrong rows are told and left out."""
    path = root / FILE
    if not reader.has_file(path):
        return {}, {}
    tree = reader.load_file(path, diags, name=path.as_posix())
    mapping = as_mapping(tree, diags, "the space on cards") if tree is not None else None
    limits: Limits = {}
    spans: dict[str, Span] = {}
    for kind, node in mapping.entries if mapping is not None else ():
        rows = as_mapping(node, diags, "the space on a card")
        if rows is None:
            continue
        rows = check_keys(rows, PARTS, diags, "the space on a card")
        spans[kind.value] = kind.span
        for part, number in rows.entries:
            if part.value in PARTS:
                value = as_int(number, diags, f"the characters of the {part.value}", low=1, high=ROOM_MOST)
                if value is not None:
                    limits.setdefault(kind.value, {})[part.value] = value
    return limits, spans


class Space:
    """The limits of a package, and the texts of its cards in a language."""

    def __init__(self, limits: Limits, model: PackageModel, package: str) -> None:
        self.limits = limits
        self.cards = {
            card.id: card for card in model.definitions.values() if card.package == package and card.kind in limits
        }

    def find_limit(self, id_: str) -> tuple[str, int] | None:
        """The kind of card that a string is printed on, and how much fits there."""
        section, _, key = id_.partition(".")
        part = SECTIONS.get(section)
        if part is None or not self.limits:
            return None
        card = self.cards.get(key)
        if card is None and "*" in key:
            pattern = re.compile(re.escape(key).replace(r"\*", ".+") + r"\Z")
            card = next((card for name, card in self.cards.items() if pattern.match(name)), None)
        limit = self.limits[card.kind].get(part) if card is not None else None
        return (card.kind, limit) if card is not None and limit is not None else None

    def check(self, id_: str, text: str, span: Span) -> Long | None:
        meant = self.find_limit(id_)
        if meant is None or measure_text(text) <= meant[1]:
            return None
        return Long(id_, meant[0], measure_text(text), meant[1], span, is_made=False)

    def check_written(self, texts: Mapping[str, Scalar]) -> Iterator[Long]:
        """Names and texts of the files that do not fit."""
        for id_, scalar in texts.items():
            found = self.check(id_, scalar.value, scalar.span)
            if found is not None:
                yield found

    def check_generated(self, made: Callable[[str], str], texts: Mapping[str, Scalar]) -> Iterator[Long]:
        """Texts made from the effects that do not fit; not of cards whose text is written by hand. `made` says a
        card."""
        patterns = [
            re.compile(re.escape(id_).replace(r"\*", ".+") + r"\Z")
            for id_ in texts
            if "*" in id_ and id_.startswith("cards.")
        ]
        for card in self.cards.values():
            limit = self.limits[card.kind].get("text")
            own = f"cards.{card.id}"
            if limit is None or own in texts or any(pattern.match(own) for pattern in patterns):
                continue
            text = made(card.id)
            if measure_text(text) > limit:
                yield Long(f"cards.{card.id}", card.kind, measure_text(text), limit, card.span, is_made=True)


def is_too_long(source: str, target: str) -> bool:
    """Where nothing is declared: much longer than the source."""
    return measure_text(target) > ROOM_TWICE * measure_text(source) + ROOM_MORE


def check_space(
    root: Path,
    manifest: Manifest,
    model: PackageModel,
    texts: Mapping[str, Mapping[str, Scalar]],
    made: Callable[[str, str], str],
    diags: Diagnostics,
    reader: SourceReader = DISK,
) -> None:
    """For `check`: limits of kinds that there are, and texts that do not fit. `made` says a card in a language."""
    limits, spans = read_space(root, diags, reader)
    if not spans or diags.has_errors:
        return
    for kind, span in spans.items():
        if kind not in model.kinds:
            diags.add("G0920", span, f"there is no kind {quote(kind)} of cards", "name a kind of the package")
    space = Space(limits, model, manifest.id)
    for language, rows in texts.items():
        found = list(space.check_written(rows))
        found += space.check_generated(lambda name, language=language: made(language, name), rows)  # type: ignore[misc]
        for row in found:
            message = f"{row.id.partition('.')[2]} in '{language}': {row.describe()}"
            part = SECTIONS[row.id.partition(".")[0]]
            diags.add("G0921", row.span, message, f"shorten it, or raise {part} of {row.kind} in {FILE}")
