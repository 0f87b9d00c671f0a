"""All that is wrong with a package, at the places of its files.

In: a `Package`. Out: its diagnostics, stage by stage; a stage is silent when there were errors before it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final

from grimoire.compiler.diagnostics.report import Diagnostic, Diagnostics
from grimoire.compiler.localisation.text.lexicon import LANGUAGES
from grimoire.compiler.localisation.translation.card_room import check_space
from grimoire.compiler.localisation.translation.records import check_records, texts_by_id
from grimoire.compiler.workspace.content import content_facts, manifest, vocabulary
from grimoire.compiler.workspace.engine import Database, fresh_query
from grimoire.compiler.workspace.languages import (
    folder_texts,
    languages,
    said,
    text_files_problems,
    text_problems,
    word_problems,
)
from grimoire.compiler.workspace.scenarios import all_scenario_problems
from grimoire.compiler.workspace.sources import EntryReader, Package, anchor, content, listing

TEXTS: Final = "text/"
SCENARIOS: Final = "scenarios/"
LOCALISERS: Final = "l10n/"  # what stands of the work of localisers: no content
_WORDS: Final = (b"terms:", b"verbs:", b"adjectives:", b"slots:", b"printed:", b"glossary:")


def has_words(data: bytes) -> bool:
    """Whether a file of texts has words to generate texts with, or for the glossary."""
    return any(data.startswith(word) or b"\n" + word in data for word in _WORDS)


@fresh_query
def record_problems(db: Database, root: str) -> tuple[Diagnostic, ...]:
    """What localisers left that belongs to nothing."""
    own = manifest(db, root).manifest
    assert own is not None
    diags = Diagnostics()
    check_records(Path(root), own, texts_by_id(folder_texts(db, root)), diags, EntryReader(db))
    return tuple(diags.sorted())


@fresh_query
def localiser_problems(db: Database, package: Package) -> tuple[Diagnostic, ...]:
    """What localisers left that belongs to nothing, and texts that do not fit on their cards."""
    own, words = manifest(db, package.root).manifest, vocabulary(db, package)
    assert own is not None and words is not None
    diags = Diagnostics(record_problems(db, package.root))
    rows = texts_by_id(folder_texts(db, package.root))

    def made(language: str, name: str) -> str:
        return "\n".join(part.text for part in said(db, (package, language, name)) if not part.missing)

    check_space(Path(package.root), own, words.model, rows, made, diags, EntryReader(db))
    return tuple(diags.sorted())


def every_word_problem(db: Database, package: Package) -> tuple[Diagnostic, ...]:
    """Of all languages that the manifest lists and that the tool can say cards in."""
    own = manifest(db, package.root).manifest
    assert own is not None
    found = [word_problems(db, (package, id_)) for id_ in own.languages if id_ in LANGUAGES]
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
    facts = content_facts(db, package)
    if facts is None:
        return report(db, manifest(db, package.root).problems.sorted())
    first = [*facts.problems, *text_files_problems(db, package.root)]
    if languages(db, package.root) and not has_errors(first):
        first += text_problems(db, package)
    found = report(db, first)
    for stage in stages(db, package):
        if has_errors(found):
            break
        found += report(db, stage(db, package))
    return found


def has_errors(items: Iterable[Diagnostic]) -> bool:
    return any(item.severity == "error" for item in items)


def report(db: Database, items: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Diagnostics at the places of files, as a stage shows them."""
    return Diagnostics([anchor(db, item) for item in items]).sorted()
