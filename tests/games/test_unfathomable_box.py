"""What lies in the box of Unfathomable: every card by its id and its number of copies, as lists show them."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from grimoire.compiler.cli import main
from tests.packages import CONTENT, open_package

ROOT = CONTENT / "unfathomable"
TOTALS = {
    "mythos": 70,
    "damage": 9,
    "item": 20,
    "spell": 20,
    "trait": 2,
    "skill": 126,
    "waypoint": 20,
    "feat": 10,
    "loyalty": 13,
    "title": 2,
    "character": 10,
    "passenger": 9,
}
# One copy unless a number stands behind it.
BOX = {
    "mythos": """
        accusation adrift-fishing-boat barricade-the-hatches bucket-brigade class-struggle coal-bunker-fire collision-course
        coordinated-assault criminal-activity damaged-evaporator deep-one-feint deep-one-swarm dinghy-launch disturbing-dreams
        e-o-t-failure fear-of-the-unknown firemen-strike flooding-compartment food-rationing food-stores-raid horrific-visions
        hull-leak hypnotic-melody identity-crisis improvised-fuel-source incoming-sos infection infiltrator jail-break
        just-desserts kitty-litter looming-breakdown lure-of-yha-nthlei missing-jewelry missing-munitions missing-parents
        mysterious-lifeboat on-the-offensive open-the-gate passenger-overboard passenger-riot poisoned-food power-to-the-people
        rally-the-crew rat-infestation ritual-coordination ritual-support sacrifice-deep-one sewage-backup shipboard-fire
        stolen-ritual-components strange-vision the-anarcho-individualist the-captains-banquet the-fathers-favor the-mothers-wrath
        too-many-bodies transformation volunteer-army hold-the-line history-repeats the-peacemaker do-no-harm signs-of-life
        the-game-is-afoot memory-of-the-deep miscalculation family-ties gift-of-the-mother ticket-please
    """,
    "damage": """
        influence-breach lore-breach observation-breach strength-breach will-breach open-breach fuel-leak flooded-food-stores
        fleeing-passengers
    """,
    "item": """
        speaking-trumpet six-shooter travel-pharmacy tool-kit repeating-rifle elder-sign-amulet almanac book-of-dagon lucky-ring
        starbuck pocket-pistol fine-clothes mystical-text binoculars medicine-ball treasured-memento jam-tin-grenade kitchen-knife
        plimsolls shotgun
    """,
    "spell": """
        alchemical-transmutation astral-travel call-down-the-storm call-friends cloud-memory conjuration dark-pact feed-the-mind
        flesh-ward foresee greater-banishment*2 heal lure-monster plague-of-locusts raise-the-dead revelation-of-script
        summon-fire summon-the-beast-within voice-of-ra
    """,
    "trait": """
        weapon upgrade
    """,
    "skill": """
        coordinated-effort-1*7 coordinated-effort-2*5 nothing-to-hide-3*4 nothing-to-hide-4*3 inspiring-speech-5*2 shrivelling-1*7
        shrivelling-2*5 lesser-banishment-3*4 lesser-banishment-4*3 forced-learning-5*2 watch-and-learn-1*7 watch-and-learn-2*5
        keen-insight-3*4 keen-insight-4*3 preparation-5*2 combat-training-1*7 combat-training-2*5 rampage-3*4 rampage-4*3
        shrug-it-off-5*2 persistence-1*7 persistence-2*5 determination-3*4 determination-4*3 true-grit-5*2 reinforcements-1*7
        call-to-action-2*5 siren-song-3*4 ransack-4*3 perform-rites-5*2
    """,
    "waypoint": """
        abandoned-depot deserted-island hurricane iceberg reef shipwreck-survivors wrecked-ship deep-one-city fog-bank maelstrom
        rainstorm rogue-wave rolling-seas sea-smoke seaweed-patch smooth-sailing calm-waters deep-one-ambush rough-water
        stormy-seas
    """,
    "feat": """
        unconventional-leader self-sacrifice medical-intervention full-steam-ahead arrest-order quick-cast perfect-number
        deep-one-ancestry uncanny-fortune well-equipped
    """,
    "loyalty": """
        human-loyalty*10 hybrid-loyalty*2 cultist-loyalty
    """,
    "title": """
        captain-card keeper-card
    """,
    "character": """
        keilani-tatupu arjun-singh svetlana-gedroits jeanne-lafarge jamie-snell william-bowleg beatrice-sharpe ismael-marsh
        edmund-mallory samira-dualeh
    """,
    "passenger": """
        unhurt-passenger*2 lone-passenger*5 couple beloved-passenger
    """,
}
VALUES = {1: 7, 2: 5, 3: 4, 4: 3, 5: 2}
WEAPONS = {"six-shooter", "repeating-rifle", "pocket-pistol", "kitchen-knife", "shotgun"}
UPGRADES = {"fine-clothes", "mystical-text", "binoculars", "medicine-ball", "treasured-memento"}


def box(kind: str) -> dict[str, int]:
    """The table above: the ids of a kind with their copies."""
    pairs = (word.partition("*") for word in BOX[kind].split())
    return {name: int(copies or 1) for name, _, copies in pairs}


@pytest.fixture(scope="module")
def artefact() -> dict[str, Any]:
    return open_package("unfathomable").document


_built: list[Path] = []


@pytest.fixture
def built(artefact: dict[str, Any], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The artefact as a file: to list what is in it takes no compile."""
    if not _built:
        _built.append(tmp_path_factory.mktemp("built") / "unfathomable.json")
        _built[0].write_text(json.dumps(artefact), encoding="utf-8")
    return _built[0]


def listed(capsys: pytest.CaptureFixture[str], package: Path, *more: str) -> dict[str, Any]:
    assert main(["list", str(package), "--json", *more]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def test_every_card_and_its_copies(capsys: pytest.CaptureFixture[str]) -> None:
    rows = listed(capsys, ROOT)["cards"]
    by_kind: dict[str, dict[str, int]] = {}
    for row in rows:
        by_kind.setdefault(row["kind"], {})[row["id"]] = row["count"]
    assert {kind: sum(cards.values()) for kind, cards in by_kind.items() if kind in TOTALS} == TOTALS
    assert {kind: by_kind[kind] for kind in BOX} == {kind: box(kind) for kind in BOX}
    rest = {kind: sum(cards.values()) for kind, cards in by_kind.items() if kind not in TOTALS}
    assert rest == {"deep-one": 20, "monarch": 2, "pawn": 10}
    bases = {row["kind"]: row["base"] for row in rows}
    assert {kind for kind, base in bases.items() if base == "card"} == set(BOX) - {"character", "passenger"}
    assert (bases["character"], bases["passenger"], bases["pawn"]) == ("sheet", "token", "figure")


@pytest.mark.parametrize("kind", sorted(BOX))
def test_one_kind_by_its_heading_and_by_its_own_name(
    kind: str, built: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = listed(capsys, built, "--kind", kind)["cards"]
    assert {row["id"]: row["count"] for row in rows} == box(kind) and {row["kind"] for row in rows} == {kind}
    own = f"{kind}-card" if kind in ("mythos", "damage", "spell", "skill", "waypoint", "loyalty") else kind
    assert listed(capsys, built, "--kind", own)["cards"] == rows


def test_a_kind_that_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list", str(ROOT), "--kind", "mithos"]) == 2
    said = capsys.readouterr()
    assert "did you mean 'mythos'" in said.err and "its kinds: player" in said.err and not said.out


def printed(artefact: dict[str, Any], column: str, of: str) -> dict[str, int]:
    """The value of a printed field of every card of a kind."""
    row = next(row for row in artefact["columns"] if row["id"] == f"{of}.{column}")
    kind = next(i for i, row in enumerate(artefact["kinds"]) if row["id"] == of)
    return {d["id"]: row["printed"][i] for i, d in enumerate(artefact["definitions"]) if d["kind"] == kind}


def test_each_skill_deck_has_21_cards(artefact: dict[str, Any]) -> None:
    things = [row["id"] for row in artefact["fixtures"]]
    decks: dict[str, Counter[int]] = {}
    values, copies = printed(artefact, "value", "skill-card"), box("skill")
    for name, skill in printed(artefact, "skill", "skill-card").items():
        assert values[name] == int(name[-1])
        decks.setdefault(things[skill], Counter())[values[name]] += copies[name]
    assert decks == dict.fromkeys(["influence", "lore", "observation", "strength", "will", "treachery"], VALUES)


def test_other_decks(artefact: dict[str, Any]) -> None:
    assert Counter(printed(artefact, "distance", "waypoint-card").values()) == {2: 7, 3: 9, 4: 4}
    things = [row["id"] for row in artefact["fixtures"]]
    symbols = Counter(things[at] for at in printed(artefact, "symbol", "mythos-card").values())
    assert symbols == {"deep-ones-symbol": 34, "dagon-symbol": 18, "hydra-symbol": 18}
    headings = Counter(things[at] for at in printed(artefact, "heading", "mythos-card").values())
    assert headings == {"travel-symbol": 32, "ritual-symbol": 25, "choice-symbol": 13}
    worth = printed(artefact, "worth", "damage-card")
    assert Counter(worth.values()) == {3: 5, 5: 1, 0: 3}
    lost = {name: (souls, printed(artefact, "lost-sanity", "passenger")[name])
            for name, souls in printed(artefact, "lost-souls", "passenger").items()}  # fmt: skip
    assert lost == {"unhurt-passenger": (0, 0), "lone-passenger": (1, 0), "couple": (2, 0), "beloved-passenger": (1, 1)}


def test_traits_and_who_bears_them(artefact: dict[str, Any]) -> None:
    things = [row["id"] for row in artefact["fixtures"]]
    borne = printed(artefact, "traits", "item")
    for trait, bearers in (("weapon", WEAPONS), ("upgrade", UPGRADES)):
        assert {name for name, mask in borne.items() if mask >> things.index(trait) & 1} == bearers
    lent = {row["id"] for row in artefact["abilities"] if row["label"] == "upgrade.tried-on"}
    assert lent == {f"{name}.tried-on" for name in UPGRADES}
