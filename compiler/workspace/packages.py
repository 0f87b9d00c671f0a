"""Questions about a whole package: what its content compiles to, its texts and words, its scenarios, and all that is wrong with it.

In: a `Package`, the folder of a package with those it needs. Out: answers that the later ones stand on; none of them reads or compiles anything twice.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from grimoire.compiler.diagnostics.report import Diagnostic, Diagnostics
from grimoire.compiler.localisation.text.card_checks import check_words
from grimoire.compiler.localisation.text.cards import CardText
from grimoire.compiler.localisation.text.lexicon import LANGUAGES, load_grammar, read_lexicon
from grimoire.compiler.localisation.text.patterns import Lexicon
from grimoire.compiler.localisation.text.texts import SECTIONS, Language, Wanted, check_texts, read_texts, wanted_keys
from grimoire.compiler.localisation.translation.card_room import check_space
from grimoire.compiler.localisation.translation.records import check_records, texts_by_id
from grimoire.compiler.package import Compilation, clause_rows, compile_content
from grimoire.compiler.scenario.run import check_scenarios
from grimoire.compiler.workspace.engine import Database, fresh_query
from grimoire.compiler.workspace.sources import WorkspaceReader, content, listing

TEXTS = "text/"
SCENARIOS = "scenarios/"
LOCALISERS = "l10n/"  # what stands of the work of localisers: no content
_WORDS = (b"terms:", b"verbs:", b"adjectives:", b"slots:", b"printed:", b"glossary:")


class Package(NamedTuple):
    """The folder of a package, and those of the packages that it needs, in the order to declare them."""

    root: str
    needs: tuple[str, ...] = ()


def package_of(root: Path, needs: list[Path]) -> Package:
    return Package(str(root), tuple(str(folder) for folder in needs))


class Compile(NamedTuple):
    """What a compile of the content made; None where there is no manifest to begin with."""

    made: Compilation | None
    diags: Diagnostics


class Texts(NamedTuple):
    """The texts of one folder by language, and what is wrong with the files."""

    languages: dict[str, Language]
    problems: Diagnostics


class Words(NamedTuple):
    """The words of a language; None if nobody has begun to word it."""

    lexicon: Lexicon | None
    problems: Diagnostics


def has_errors(report: list[Diagnostic]) -> bool:
    return any(item.severity == "error" for item in report)


def has_words(data: bytes) -> bool:
    """Whether a file of texts has words to generate texts with, or for the glossary."""
    return any(data.startswith(word) or b"\n" + word in data for word in _WORDS)


@fresh_query
def compiled(db: Database, package: Package) -> Compile:
    """The content of a package, lowered. Scenarios lower their texts against it; whoever wants an artefact links one of their own."""
    diags = Diagnostics()
    made = compile_content(Path(package.root), [Path(f) for f in package.needs], diags, WorkspaceReader(db))
    return Compile(made, diags)


@fresh_query
def texts(db: Database, root: str) -> Texts:
    diags = Diagnostics()
    return Texts(read_texts(Path(root), diags, WorkspaceReader(db)), diags)


@fresh_query
def words(db: Database, key: tuple[Package, str]) -> Words:
    """The words of a package in a language, those of what it needs included."""
    package, language = key
    made = compiled(db, package).made
    diags = Diagnostics()
    if made is None or language not in LANGUAGES:
        return Words(None, diags)
    folders = [Path(folder) for folder in (*package.needs, package.root)]
    return Words(read_lexicon(folders, made.model, language, diags, WorkspaceReader(db)), diags)


def speaker(db: Database, package: Package, language: str) -> CardText | None:
    """Who says the cards of a package in a language, if it has words."""
    made, lexicon = compiled(db, package).made, words(db, (package, language)).lexicon
    return CardText(made.model, load_grammar(language), lexicon) if made is not None and lexicon is not None else None


def wanted(made: Compilation) -> dict[str, Wanted]:
    """The keys that texts must have, from the tables as they are before they are closed."""
    model, lowering = made.model, made.lowering
    rows: dict[str, Any] = {
        "package": {"id": made.manifest.id},
        "fixtures": [{"id": id_} for id_ in model.things],
        "vars": [{"id": id_} for id_ in model.counters],
        "kinds": [{"id": id_} for id_ in model.kinds],
        "definitions": [{"id": id_} for id_ in model.definitions],
        "zones": [{"id": id_} for id_ in model.zones],
        "options": [{"id": option.id, "values": option.values} for option in model.options.values()],
        "columns": lowering.columns,
        "procs": lowering.tables.procs,
        "abilities": lowering.tables.abilities,
        "places": lowering.tables.places,
        "clauses": clause_rows(model),
    }
    return wanted_keys(rows)


# ------------------------------------------------------------ what is wrong


def text_problems(db: Database, package: Package, made: Compilation, before: Diagnostics) -> Diagnostics:
    """What is wrong with the texts, `before` included."""
    diags = Diagnostics(before)
    own = texts(db, package.root)
    diags.extend(own.problems)
    below = [texts(db, folder).languages for folder in package.needs]
    check_texts(Path(package.root), own.languages, below, made.manifest, lambda: wanted(made), diags)
    return diags


def word_problems(db: Database, package: Package, made: Compilation) -> list[Diagnostic]:
    """What the texts of the cards cannot be generated for, and texts written by hand that say something else."""
    diags = Diagnostics()

    def lexicon_of(language: str, told: Diagnostics) -> Lexicon | None:
        found = words(db, (package, language))
        told.extend(found.problems)
        return found.lexicon

    check_words(made.model, made.manifest, texts(db, package.root).languages, lexicon_of, diags)
    return diags.sorted()


def localiser_problems(db: Database, package: Package, made: Compilation) -> list[Diagnostic]:
    """What localisers left that belongs to nothing, and texts that do not fit on their cards."""
    diags = Diagnostics()
    reader, root = WorkspaceReader(db), Path(package.root)
    rows = texts_by_id(texts(db, package.root).languages)
    check_records(root, made.manifest, rows, diags, reader)
    check_space(root, made.manifest, made.model, rows, lambda language: speaker(db, package, language), diags, reader)
    return diags.sorted()


@fresh_query
def problems(db: Database, package: Package) -> list[Diagnostic]:
    """All that is wrong with a package. A stage is silent when there were errors before it."""
    made, diags = compiled(db, package)
    names = listing(db, package.root).names
    own_texts = [name for name in names if name.startswith(TEXTS)]
    if made is not None and own_texts:
        diags = text_problems(db, package, made, diags)
    report = diags.sorted()
    if made is None:
        return report
    worded = any(has_words(content(db, str(Path(package.root) / name)).data or b"") for name in own_texts)
    if worded and not has_errors(report):
        report += word_problems(db, package, made)
    if any(name.startswith(LOCALISERS) for name in names) and not has_errors(report):
        report += localiser_problems(db, package, made)
    if any(name.startswith(SCENARIOS) for name in names) and not has_errors(report):
        report += check_scenarios(made, WorkspaceReader(db))
    return report


__all__ = ["SECTIONS", "Package", "compiled", "has_words", "package_of", "problems", "speaker", "texts", "words"]
