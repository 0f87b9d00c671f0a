"""All that is wrong with a package, at the places of its files.

In: a `Package`. Out: its diagnostics, stage by stage; a stage is silent when there were errors before it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from pathlib import Path
from typing import Final

from grimoire.compiler.diagnostics.report import Diagnostic, Diagnostics
from grimoire.compiler.localisation.languages import WORDED
from grimoire.compiler.localisation.translation.card_room import check_space
from grimoire.compiler.localisation.translation.records import check_records, texts_by_id
from grimoire.compiler.workspace.artefacts import compile_problems, has_errors
from grimoire.compiler.workspace.content import frame_word, vocabulary
from grimoire.compiler.workspace.declarations import card_rows, cards_word, manifest
from grimoire.compiler.workspace.engine import Database, fresh_query, kept_query
from grimoire.compiler.workspace.languages import (
    folder_texts,
    has_words,
    languages,
    said,
    word_facts,
    word_problems,
    words_word,
)
from grimoire.compiler.workspace.misspelt import blame_declarations
from grimoire.compiler.workspace.places import anchor
from grimoire.compiler.workspace.plain import fingerprint_of, read_problems, write_problems
from grimoire.compiler.workspace.scenarios import all_scenario_problems
from grimoire.compiler.workspace.second_process import run_aside
from grimoire.compiler.workspace.sources import EntryReader, Package, content, files_word, listing
from grimoire.compiler.workspace.store import PackageStore

TEXTS: Final = "text/"
SCENARIOS: Final = "scenarios/"
LOCALISERS: Final = "l10n/"  # what stands of the work of localisers: no content
WORTH_DIVIDING: Final = 100_000  # bytes of texts: what is said with less is said before a second process is there


def record_word(db: Database, root: str) -> str:
    own = manifest(db, root).manifest
    assert own is not None
    return fingerprint_of(own.languages, files_word(db, (root, TEXTS)), files_word(db, (root, LOCALISERS)))


def shelf_of(db: Database, key: Hashable) -> str:
    """Where the parts of what is wrong with the work of localisers are kept."""
    return LOCALISERS


@kept_query(record_word, write_problems, read_problems, shelf=shelf_of)
def record_problems(db: Database, root: str) -> tuple[Diagnostic, ...]:
    """What localisers left that belongs to nothing."""
    own = manifest(db, root).manifest
    assert own is not None
    diags = Diagnostics()
    check_records(Path(root), own, texts_by_id(folder_texts(db, root)), diags, EntryReader(db))
    return tuple(diags.sorted())


def space_word(db: Database, package: Package) -> str:
    """A word for the work of localisers and all that could be too long for a card."""
    own = manifest(db, package.root).manifest
    assert own is not None
    cards = [row.name for row in card_rows(db, package) if row.package == own.id]
    there = [id_ for id_ in languages(db, package.root) if id_ in WORDED and word_facts(db, (package, id_)).are_there]
    made = [(id_, name, made_text(db, package, id_, name)) for id_ in there for name in cards]
    return fingerprint_of(record_word(db, package.root), frame_word(db, package), own.id, *made)


def made_text(db: Database, package: Package, language: str, name: str) -> str:
    """The text of a card that is made from its effects, as far as there are words."""
    return "\n".join(part.text for part in said(db, (package, language, name)) if not part.missing)


@kept_query(space_word, write_problems, read_problems, shelf=shelf_of)
def space_problems(db: Database, package: Package) -> tuple[Diagnostic, ...]:
    """What localisers left that belongs to nothing, and texts that do not fit on their cards."""
    own, words = manifest(db, package.root).manifest, vocabulary(db, package)
    assert own is not None and words is not None
    diags = Diagnostics(record_problems(db, package.root))
    rows = texts_by_id(folder_texts(db, package.root))

    def made(language: str, name: str) -> str:
        return made_text(db, package, language, name)

    check_space(Path(package.root), own, words.model, rows, made, diags, EntryReader(db))
    return tuple(diags.sorted())


def localiser_word(db: Database, package: Package) -> str:
    """A word for all that it hangs on, without a card said."""
    own = manifest(db, package.root).manifest
    assert own is not None
    said_with = [words_word(db, (package, id_)) for id_ in languages(db, package.root) if id_ in WORDED]
    words = (record_word(db, package.root), frame_word(db, package), cards_word(db, package))
    return fingerprint_of(own.id, *words, *said_with)


@kept_query(localiser_word, write_problems, read_problems, covers=shelf_of)
def localiser_problems(db: Database, package: Package) -> tuple[Diagnostic, ...]:
    """The same, known without a card said while no card and no word has changed."""
    return space_problems(db, package)


def every_word_problem(db: Database, package: Package) -> tuple[Diagnostic, ...]:
    """Of all languages that the manifest lists and that the tool can say cards in."""
    own = manifest(db, package.root).manifest
    assert own is not None
    found = [word_problems(db, (package, id_)) for id_ in own.languages if id_ in WORDED]
    return tuple(Diagnostics([item for items in found for item in items]).sorted())


def stages(db: Database, package: Package) -> list[Callable[[Database, Package], tuple[Diagnostic, ...]]]:
    """What is looked at behind the content of a package, in order."""
    names = listing(db, package.root).names
    texts = [str(Path(package.root) / name) for name in names if name.startswith(TEXTS)]
    found: list[Callable[[Database, Package], tuple[Diagnostic, ...]]] = []
    if any(has_words(content(db, path).data or b"") for path in texts):
        found.append(every_word_problem)
    if any(name.startswith(LOCALISERS) for name in names):
        found.append(localiser_problems)
    if any(name.startswith(SCENARIOS) for name in names):
        found.append(all_scenario_problems)
    return found


@fresh_query
def problems(db: Database, package: Package) -> list[Diagnostic]:
    """All that is wrong with a package, sorted stage by stage."""
    found = report(db, compile_problems(db, package))
    for stage in stages(db, package) if manifest(db, package.root).manifest is not None else ():
        if has_errors(found):
            break
        found += report(db, stage(db, package))
    return blame_declarations(db, package, found)


def divide_work(db: Database, package: Package, store: PackageStore) -> None:
    """Ask for all that the problems of a package need, on two cores: a copy of this process says the cards in all
    languages, and its answers come as those of an earlier run would."""
    texts = (str(Path(package.root) / name) for name in listing(db, package.root).names if name.startswith(TEXTS))
    if sum(len(content(db, path).data or b"") for path in texts) < WORTH_DIVIDING or vocabulary(db, package) is None:
        return
    every = stages(db, package)
    folder_texts(db, package.root)  # both need them

    def look_at_languages() -> None:
        for stage in every:
            if stage is not all_scenario_problems:
                stage(db, package)

    with run_aside(lambda: store.hand_over(look_at_languages)) as answers:
        if has_errors(compile_problems(db, package)):
            return
        if all_scenario_problems in every:
            all_scenario_problems(db, package)
        store.take_over(answers())


def report(db: Database, items: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Diagnostics at the places of files, as a stage shows them."""
    return Diagnostics([anchor(db, item) for item in items]).sorted()
