"""Lowering a unit at a time: it depends on vocabulary and unit alone, and linking does not depend on the order."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from grimoire.compiler.api.build import build
from grimoire.compiler.declare.folders import declare_folder
from grimoire.compiler.declare.model import PackageModel
from grimoire.compiler.declare.numbering import number_declarations
from grimoire.compiler.declare.sections import base_model
from grimoire.compiler.diagnostics.report import Diagnostics
from grimoire.compiler.lower.link import link_units
from grimoire.compiler.lower.output import LoweredUnit, PlaceKey
from grimoire.compiler.lower.units import card_unit, lower_unit, make_vocabulary, plain_units
from grimoire.compiler.source.manifest import load_manifest
from grimoire.compiler.syntax.parse import parse_texts
from tests.packages import CONTENT
from tests.workspace.whole import lower_package

PACKAGES = ("abyss", "leduc", "love-letter")


def model_of(root: Path) -> PackageModel:
    """The declared, parsed and numbered model of a package that needs no other."""
    manifest = load_manifest(root, Diagnostics())
    assert manifest is not None
    model = base_model(manifest.id, str(manifest.version))
    model.languages = {manifest.id: manifest.language}
    declare_folder(root, model, manifest.id, Diagnostics())
    parse_texts(model.texts, Diagnostics())
    number_declarations(model)
    return model


def shuffled_units(model: PackageModel, seed: int) -> list[LoweredUnit]:
    """All units, lowered in a random order, each against a vocabulary of its own, in the order of linking."""
    plain = list(plain_units(model))
    units = [*plain, *(card_unit(model, card, ()) for card in model.definitions.values())]
    order = list(range(len(units)))
    random.Random(seed).shuffle(order)
    made = {}
    vocabulary = make_vocabulary(model)
    for number, at in enumerate(order):
        if number % 40 == 0:
            vocabulary = make_vocabulary(model)
        made[at] = lower_unit(vocabulary, units[at])
    return [made[at] for at in range(len(units))]


@pytest.mark.parametrize("name", PACKAGES)
def test_the_order_of_lowering_changes_nothing(name: str) -> None:
    root = CONTENT / name
    artefact = build(root)
    model = model_of(root)
    vocabulary = make_vocabulary(model)

    def shorten(key: PlaceKey) -> PlaceKey:
        return f"{name}/{Path(key[0]).relative_to(root).as_posix()}", *key[1:]

    tables = link_units(vocabulary, model, shuffled_units(model, 1), shorten)
    assert tables == {key: artefact[key] for key in tables}


@pytest.mark.parametrize("name", PACKAGES)
def test_nothing_is_written_into_the_model_and_nothing_is_used_up(name: str) -> None:
    root = CONTENT / name
    model = model_of(root)
    before = repr(model)
    vocabulary = make_vocabulary(model)
    key = vocabulary.key
    units = lower_package(vocabulary, model)
    kept = repr(units)
    first = link_units(vocabulary, model, units)
    assert link_units(vocabulary, model, units) == first
    assert (repr(model), repr(units), make_vocabulary(model).key) == (before, kept, key)


def test_an_edited_text_leaves_the_vocabulary_and_all_other_units_as_they_were(tmp_path: Path) -> None:
    root = tmp_path / "love-letter"
    root.mkdir()
    for path in sorted((CONTENT / "love-letter").rglob("*.yaml")):
        target = root / path.relative_to(CONTENT / "love-letter")
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(path.read_bytes())
    model = model_of(root)
    old = make_vocabulary(model)
    card = next(d for d in model.definitions.values() if d.programs)
    slot = next(iter(card.programs))
    changed = model_of(root)
    new_text = changed.definitions[card.id].programs[slot]
    new_text.text += "\nshuffle the deck"
    parse_texts([new_text], Diagnostics())
    new = make_vocabulary(changed)
    assert new == old
    pairs = zip(lower_package(old, model), lower_package(new, changed), strict=True)
    assert {a.name for a, b in pairs if (a.log, a.diagnostics) != (b.log, b.diagnostics)} == {f"card:{card.id}"}
    mixed = [lower_unit(old, card_unit(changed, d, ())) for d in changed.definitions.values()]
    assert mixed == [lower_unit(new, card_unit(changed, d, ())) for d in changed.definitions.values()]


def test_what_other_texts_depend_on_changes_the_vocabulary() -> None:
    root = CONTENT / "love-letter"
    keys = {make_vocabulary(model_of(root)).key}
    for change in ("copies", "kind", "adjective", "verb", "signal"):
        model = model_of(root)
        card = next(iter(model.definitions.values()))
        if change == "copies":
            card.copies += 1
        elif change == "kind":
            next(iter(model.kinds.values())).plural += "x"
        elif change == "adjective":
            text = next(t for k in model.kinds.values() for t in (*k.adjectives.values(), *k.derived.values()))
            text.text += " "
        elif change == "verb":
            next(v for v in model.verbs.values() if v.params).params.pop()
        else:
            text = next(t for t in model.texts if t.start == "effect")
            text.text = "until the end of the turn: you cannot draw 2 cards"
            parse_texts([text], Diagnostics())
            assert text.ok, text.text
        keys.add(make_vocabulary(model).key)
    assert len(keys) == 6
