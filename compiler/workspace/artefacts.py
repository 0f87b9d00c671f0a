"""What is made of a package without errors: its model, its texts, its artefact.

In: the units that diagnostics come from, lowered once. Out: the model with all texts parsed, and the artefact with the
texts of all languages, byte for byte the same whichever units were lowered anew.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final

from grimoire.compiler.declare.model import PackageModel, Text
from grimoire.compiler.diagnostics.report import Diagnostic
from grimoire.compiler.localisation.text.texts import text_rows
from grimoire.compiler.lower.link import clause_rows, link_units
from grimoire.compiler.lower.output import LoweredUnit, PlaceKey
from grimoire.compiler.records import copy_record, replace
from grimoire.compiler.source.manifest import Manifest
from grimoire.compiler.source.tree import ENTRY
from grimoire.compiler.workspace.content import (
    card_unit,
    content_facts,
    frame_texts,
    frame_units,
    numbered_card,
    vocabulary,
)
from grimoire.compiler.workspace.declarations import declared, manifest, manifests, texts_of
from grimoire.compiler.workspace.engine import Database, fresh_query
from grimoire.compiler.workspace.languages import folder_texts, languages, text_files_problems, text_problems
from grimoire.compiler.workspace.places import Placer
from grimoire.compiler.workspace.sources import Package, layout
from grimoire.runtime import content_hash
from grimoire.runtime.plain_data import Json

FORMAT: Final = "grimoire-artefact"
VERSION: Final = 1


@fresh_query
def compile_problems(db: Database, package: Package) -> tuple[Diagnostic, ...]:
    """What is wrong with the content of a package and with the texts that play shows, at places of entries: with an
    error among it there is no artefact."""
    facts = content_facts(db, package)
    if facts is None:
        return tuple(manifest(db, package.root).problems.sorted())
    found = [*facts.problems, *text_files_problems(db, package.root)]
    if languages(db, package.root) and not has_errors(found):
        found += text_problems(db, package)
    return tuple(found)


def has_errors(items: Iterable[Diagnostic]) -> bool:
    return any(item.severity == "error" for item in items)


@fresh_query
def model(db: Database, package: Package) -> PackageModel | None:
    """All that a package and those it needs declare, numbered, with all texts parsed, at places of entries. Nobody
    writes into it."""
    words, units = vocabulary(db, package), frame_units(db, package)
    if words is None or units is None:
        return None
    cards = {name: numbered_card(db, (package, name)) for name in words.model.definitions}
    own = [*frame_texts(words.model), *(text for card in cards.values() for text in texts_of(card))]
    return replace(words.model, definitions=cards, texts=sort_texts(db, package, own))


def sort_texts(db: Database, package: Package, parsed: Iterable[Text]) -> list[Text]:
    """Texts in the order of the files; those that no card has any more stand there unparsed."""
    found = declared(db, package)
    assert found is not None
    known = {text_key(text): text for text in parsed}
    return [known.get(text_key(text)) or copy_record(text) for text in found.model.texts]


def text_key(text: Text) -> tuple[str, str, int, int]:
    return text.owner, text.file, text.scalar.line, text.scalar.column


@fresh_query
def placed_model(db: Database, package: Package) -> PackageModel | None:
    """The model, at places of files."""
    return Placer(db).place(model(db, package))


@fresh_query
def package_texts(db: Database, package: Package) -> dict[str, Json]:
    """The texts of a package and of those it needs, by language and section."""
    own = manifest(db, package.root).manifest
    assert own is not None
    below = [folder_texts(db, folder) for folder in package.needs]
    return text_rows(Path(package.root), folder_texts(db, package.root), below, own)


def content_units(db: Database, package: Package) -> list[LoweredUnit]:
    """All units of a package, in the order of the artefact."""
    words, plain = vocabulary(db, package), frame_units(db, package)
    assert words is not None and plain is not None
    return [*plain.units, *(card_unit(db, (package, name)).units[0] for name in words.model.definitions)]


def locate_places(db: Database, package: Package) -> Callable[[PlaceKey], PlaceKey]:
    """Where in the files of which package a place of a unit is. An artefact does not tell where it was built."""
    roots = [
        (own.id, Path(root).as_posix())
        for root in (*package.needs, package.root)
        if (own := manifest(db, root).manifest)
    ]
    known: dict[str, tuple[str, int]] = {}

    def locate(key: PlaceKey) -> PlaceKey:
        found = known.get(key[0])
        if found is None:
            file = key[0].partition(ENTRY)[0]
            short = next(
                (id_ + file[len(root) :] for id_, root in reversed(roots) if file.startswith(root + "/")), file
            )
            found = known[key[0]] = short, layout(db, file).get(key[0], 0)
        name, base = found
        return name, key[1] + base, key[2], key[3] + base, key[4], key[5]

    return locate


def link_content(db: Database, package: Package, extra: Iterable[LoweredUnit] = ()) -> dict[str, Json] | None:
    """The artefact of a package without its texts, with more units if some are given; None when its content has
    errors."""
    found, facts = manifests(db, package), content_facts(db, package)
    if found is None or facts is None or facts.has_errors:
        return None
    own, all_of_it, words = found.own, model(db, package), vocabulary(db, package)
    assert all_of_it is not None and words is not None
    units = [*content_units(db, package), *extra]
    low, high = found.players or (1, 1)
    return {
        "format": FORMAT,
        "version": VERSION,
        "package": name_package(own) | ({} if own.title is None else {"title": own.title}),
        "linked": [name_package(other) for other in found.below],
        "languages": list(own.languages),
        "players": {"min": low, "max": high},
        **link_units(words.vocabulary, all_of_it, units, locate_places(db, package)),
        "clauses": clause_rows(all_of_it),
        "text": {},
    }


@fresh_query
def content_artefact(db: Database, package: Package) -> dict[str, Json] | None:
    """The artefact of a package without its texts; None when its content has errors."""
    made = link_content(db, package)
    return None if made is None else made | {"hash": content_hash(made)}


@fresh_query
def artefact(db: Database, package: Package) -> dict[str, Json] | None:
    """The artefact of a package; None when it has errors."""
    return None if has_errors(compile_problems(db, package)) else with_texts(db, package, content_artefact(db, package))


def with_texts(db: Database, package: Package, made: dict[str, Json] | None) -> dict[str, Json] | None:
    """An artefact with the texts of all languages."""
    if made is None:
        return None
    found = made | {"text": package_texts(db, package)}
    return found | {"hash": content_hash(found)}


def name_package(own: Manifest) -> dict[str, str]:
    return {"id": own.id, "version": str(own.version)}
