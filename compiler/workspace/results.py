"""How the scenarios of a package fare.

In: scenarios ready to be played. Out: whether each passes, remembered with all that it hangs on: a scenario is played
again only when the content or the scenario itself says something else. A line more somewhere, or another translation,
changes nothing. What a failure looks like is found out anew: it speaks of places.
"""

from __future__ import annotations

from grimoire.compiler.scenario.play import Miss, Stage, with_idle
from grimoire.compiler.source.tree import Mapping, Node, Scalar
from grimoire.compiler.workspace.content import frame_word
from grimoire.compiler.workspace.declarations import card_rows, card_word
from grimoire.compiler.workspace.engine import Database, fresh_query, kept_query, query
from grimoire.compiler.workspace.places import Placer
from grimoire.compiler.workspace.plain import fingerprint_of
from grimoire.compiler.workspace.scenarios import laid, option_words, players, read_scenario, scenarios_artefact
from grimoire.compiler.workspace.sources import Package
from grimoire.runtime import Package as Game
from grimoire.runtime import load_artefact
from grimoire.runtime.plain_data import Json


@fresh_query
def played_package(db: Database, package: Package) -> Game | None:
    """The package that scenarios are played on; None when it has errors."""
    found = scenarios_artefact(db, package)
    return None if found is None else Game(None, with_idle(load_artefact(found).artefact))


@fresh_query
def stage(db: Database, package: Package) -> Stage:
    """The package ready for scenarios."""
    found = played_package(db, package)
    assert found is not None
    return Stage(found)


@query
def content_word(db: Database, package: Package) -> str:
    """A word for all that play hangs on: what the content says, wherever it stands, and how options are called."""
    cards = [card_word(db, (package, row[0])) for row in card_rows(db, package)]
    return fingerprint_of(frame_word(db, package), players(db, package), sorted(option_words(db, package)), *cards)


def node_words(node: Node) -> list[object]:
    """What a node says, with its places inside its entry."""
    if isinstance(node, Scalar):
        return [(node.value, node.style, node.source.path, *node[2:6])]
    if isinstance(node, Mapping):
        return [node.line, *(word for row in node.entries for part in row for word in node_words(part))]
    return [node.line, *(word for item in node.items for word in node_words(item))]


@query
def result_word(db: Database, key: tuple[Package, str]) -> str:
    """A word for all that the result of a scenario hangs on."""
    one = laid(db, key)
    return fingerprint_of(content_word(db, key[0]), *node_words(one.name), *node_words(one.node))


def read_flag(value: Json) -> bool:
    if not isinstance(value, bool):
        raise ValueError("no flag")
    return value


@kept_query(result_word, bool, read_flag)
def has_passed(db: Database, key: tuple[Package, str]) -> bool:
    """Whether a scenario without mistakes passes. The package has no errors."""
    result_word(db, key)
    with db.apart():
        return stage(db, key[0]).play(read_scenario(db, key).scenario, quiet=True) is None


@fresh_query
def miss(db: Database, key: tuple[Package, str]) -> Miss | None:
    """Why a scenario failed, at the places of files."""
    return stage(db, key[0]).play(Placer(db).place(read_scenario(db, key).scenario))
