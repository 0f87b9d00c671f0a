"""The scenarios of a package, each read and resolved for itself.

In: files of scenarios, cut into entries; the vocabulary; the words that options are called by. Out: what is wrong with
each scenario, and the scenarios with their texts lowered, ready to be played.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from grimoire.compiler.diagnostics.report import Diagnostic, Diagnostics
from grimoire.compiler.lower.output import LoweredUnit
from grimoire.compiler.lower.scenario_texts import ScenarioTexts
from grimoire.compiler.scenario.model import Scenario
from grimoire.compiler.scenario.positions import names_of_keys
from grimoire.compiler.scenario.read import Laid, ScenarioReader, gather, load_trees
from grimoire.compiler.workspace.artefacts import compile_problems, has_errors, link_content, with_texts
from grimoire.compiler.workspace.asks import words_of_options
from grimoire.compiler.workspace.content import content_asks, content_facts, frame_facts, frame_word, vocabulary
from grimoire.compiler.workspace.declarations import manifest
from grimoire.compiler.workspace.engine import Database, fresh_query, kept_query, query
from grimoire.compiler.workspace.plain import fingerprint_of, read_problems, read_texts, write_problems, write_texts
from grimoire.compiler.workspace.sources import EntryReader, Package, files_word
from grimoire.runtime.plain_data import Json

FOLDER = "scenarios/"


class ScenarioSet(NamedTuple):
    """The scenarios of a package by name, each with what its position gives it, and what is wrong with the files."""

    scenarios: dict[str, Laid]
    problems: Diagnostics


@fresh_query
def scenario_set(db: Database, package: Package) -> ScenarioSet:
    diags, reader = Diagnostics(), EntryReader(db)
    trees = load_trees(Path(package.root), diags, reader)
    below = [tree for folder in package.needs for tree in load_trees(Path(folder), Diagnostics(), reader)]
    return ScenarioSet({laid.name.value: laid for laid in gather(trees, below, diags)}, diags)


@fresh_query
def scenario_files_problems(db: Database, package: Package) -> tuple[Diagnostic, ...]:
    """What is wrong with the files of scenarios, and is of no single scenario."""
    facts = content_facts(db, package)
    if facts is not None and not facts.has_errors:
        return tuple(scenario_set(db, package).problems.sorted())
    diags = Diagnostics()  # which scenarios there are is not looked at: what they speak of is wrong
    if facts is not None:
        load_trees(Path(package.root), diags, EntryReader(db))
    return tuple(diags.sorted())


def scenario_names(db: Database, package: Package) -> tuple[str, ...]:
    """The scenarios that can be read: none when the content has errors."""
    facts = content_facts(db, package)
    return () if facts is None or facts.has_errors else tuple(scenario_set(db, package).scenarios)


@query
def laid(db: Database, key: tuple[Package, str]) -> Laid:
    return scenario_set(db, key[0]).scenarios[key[1]]


@query
def players(db: Database, package: Package) -> tuple[int, int]:
    found = [manifest(db, folder).manifest for folder in (package.root, *reversed(package.needs))]
    return next((one.players for one in found if one is not None and one.players), (1, 1))


class Start(NamedTuple):
    """The text that a scenario starts with: the name of its procedure, what is wrong with it, and the words that its
    options are called by."""

    proc: str | None
    problems: tuple[Diagnostic, ...]
    keys: frozenset[str]


@query
def start(db: Database, key: tuple[Package, str]) -> Start:
    words, one = vocabulary(db, key[0]), laid(db, key)
    assert words is not None
    if not one.has_start:
        return Start(None, (), frozenset())
    lowered = words.look_at_texts()
    proc, problems = ScenarioReader(lowered, players(db, key[0])).start(one.name, one.node)
    return Start(proc, tuple(problems), frozenset().union(*map(words.words_of, lowered.units)))


def files_and_frame(db: Database, package: Package) -> str:
    """A word for the files of scenarios and for what they are read against."""
    files = [files_word(db, (folder, FOLDER)) for folder in (*package.needs, package.root)]
    return fingerprint_of(frame_word(db, package), players(db, package), *files)


@kept_query(files_and_frame, write_texts, read_texts)
def start_words(db: Database, package: Package) -> frozenset[str]:
    """The words that options of the texts are called by that scenarios start with."""
    starts = [start(db, (package, name)).keys for name in scenario_set(db, package).scenarios]
    return frozenset().union(*starts)


@query
def option_words(db: Database, package: Package) -> frozenset[str]:
    """All words that an option can be called by."""
    known = frame_facts(db, package)
    assert known is not None
    names = frozenset(names_of_keys(known.names, known.zones, players(db, package)[1]))
    return names.union(words_of_options(content_asks(db, package)), start_words(db, package))


@query
def scenario_problems(db: Database, key: tuple[Package, str]) -> tuple[Diagnostic, ...]:
    """What is wrong with one scenario."""
    package = key[0]
    words, one, begun = vocabulary(db, package), laid(db, key), start(db, key)
    assert words is not None
    reader = ScenarioReader(words.look_at_texts(), players(db, package), lambda: option_words(db, package))
    reader.resolved = words.resolved
    return reader.scenario(one.name, one.node, begun.proc, list(begun.problems)).problems


class ReadScenario(NamedTuple):
    """A scenario, at places of entries, and its texts: that which it starts with, and the others."""

    scenario: Scenario
    starts: tuple[LoweredUnit, ...]
    units: tuple[LoweredUnit, ...]


@fresh_query
def read_scenario(db: Database, key: tuple[Package, str]) -> ReadScenario:
    """A scenario ready to be played."""
    package, (words, one) = key[0], (vocabulary(db, key[0]), laid(db, key))
    assert words is not None
    starts, rest = (ScenarioTexts(words.vocabulary, words.model) for _ in range(2))
    proc, problems = ScenarioReader(starts, players(db, package)).start(one.name, one.node)
    reader = ScenarioReader(rest, players(db, package), lambda: option_words(db, package))
    found = reader.scenario(one.name, one.node, proc, problems)
    return ReadScenario(found, tuple(starts.units), tuple(rest.units))


@fresh_query
def scenarios_artefact(db: Database, package: Package) -> dict[str, Json] | None:
    """The artefact of a package with the texts of its scenarios; None when the package has errors."""
    if has_errors(compile_problems(db, package)):
        return None
    found = [read_scenario(db, (package, name)) for name in scenario_names(db, package)]
    extra = [unit for one in found for unit in one.starts] + [unit for one in found for unit in one.units]
    return with_texts(db, package, link_content(db, package, extra))


def mistakes(db: Database, key: tuple[Package, str]) -> tuple[Diagnostic, ...]:
    """What is wrong with one scenario; where it is known that no scenario has errors, none is looked at."""
    found = all_scenario_problems(db, key[0])
    return scenario_problems(db, key) if has_errors(found) else ()


def scenarios_word(db: Database, package: Package) -> str:
    return fingerprint_of(files_and_frame(db, package), sorted(option_words(db, package)))


@kept_query(scenarios_word, write_problems, read_problems)
def all_scenario_problems(db: Database, package: Package) -> tuple[Diagnostic, ...]:
    found = scenario_set(db, package)
    diags = Diagnostics([item for item in found.problems.sorted() if item.severity == "error"])
    for name in found.scenarios:
        diags.extend(scenario_problems(db, (package, name)))
    return tuple(diags.sorted())
