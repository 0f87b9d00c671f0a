"""fmt --upgrade: packages of an older version of the language, rewritten where that is certain."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from grimoire.compiler.workspace.sources import package_of
from grimoire.compiler.workspace.workspace import Workspace

from .conftest import Run

SAYS = "language: 2"


def make_old(sample: Path) -> Path:
    """The sample as it was before packages named a version."""
    manifest = sample / "package.yaml"
    manifest.write_text(manifest.read_text().replace(SAYS + "\n", ""))
    return manifest


def find_limits(sample: Path) -> list[dict[str, Any]]:
    artefact: Any = Workspace().artefact(package_of(sample, []))
    return [row["limit"] for row in artefact["abilities"]]


def test_an_old_package_is_read_with_a_note(run: Run, sample: Path) -> None:
    make_old(sample)
    done = run("check", str(sample))
    assert done.code == 0 and "note[G0220]" in done.out


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_the_version_is_written_and_nothing_else(run: Run, sample: Path, ends: str, mark: str) -> None:
    manifest = make_old(sample)
    old = mark + ("# mine\n" + manifest.read_text() + "# last").replace("\n", ends)
    manifest.write_bytes(old.encode())
    shown = run("fmt", "--upgrade", "--check", str(sample))
    assert shown.code == 1 and "+language: 2" in shown.out and manifest.read_bytes() == old.encode()
    rules = (sample / "rules.yaml").read_bytes()
    assert run("fmt", "--upgrade", str(sample)).code == 0
    line = f"version: 1.0.0{ends}"
    assert manifest.read_bytes() == old.replace(line, f"{line}{SAYS}{ends}").encode()
    assert (sample / "rules.yaml").read_bytes() == rules
    assert "note" not in run("check", str(sample)).out
    again = run("fmt", "--upgrade", str(sample))
    assert again.code == 0 and "already" in again.err + again.out


def test_a_version_that_is_named_is_replaced(run: Run, sample: Path) -> None:
    manifest = sample / "package.yaml"
    manifest.write_text(manifest.read_text().replace(SAYS, "language: 1  # for now"))
    assert run("fmt", "--upgrade", str(sample)).code == 0
    assert "language: 2  # for now\n" in manifest.read_text()


def test_a_manifest_in_one_line_is_left_to_a_person(run: Run, sample: Path) -> None:
    manifest = sample / "package.yaml"
    manifest.write_text("{package: sample, version: 1.0.0, languages: [en, uk], players: 1-2}\n")
    before = manifest.read_bytes()
    done = run("fmt", "--upgrade", str(sample))
    assert done.code == 1 and "language: 2" in done.err + done.out and manifest.read_bytes() == before


@pytest.mark.parametrize("written", ["{}", "'{}'", "{}  # so often", ">-\n      {}"])
def test_the_limit_of_a_rule_stays_shared(run: Run, sample: Path, written: str) -> None:
    """A card counts its own uses in every version."""
    make_old(sample)
    more = sample / "more.yaml"
    text = "abilities:\n  glee:\n    window: after you wait\n    limit: LIMIT\n    do: your coins is now 0\n"
    more.write_text(text.replace("LIMIT", written.format("once per visit")))
    meant = find_limits(sample)
    done = run("fmt", "--upgrade", str(sample))
    assert done.code == 0, done.err + done.out
    assert more.read_text() == text.replace("LIMIT", written.format("once per visit for all players"))
    assert find_limits(sample) == meant
    more.write_text(text.replace("LIMIT", "once per visit"))
    assert find_limits(sample) == [{**meant[0], "each": True}]


def test_what_may_come_into_play_in_a_window_is_left_to_a_person(run: Run, sample: Path) -> None:
    """The star may be moved by another answer to the same event; the sun answers an event that nothing else answers."""
    make_old(sample)
    (sample / "more.yaml").write_text(
        """\
cards:
  star:
    kind: stone
    in: heap
    abilities:
      glow: {window: after you wait, in: satchel, do: your coins is now 0}
  sun:
    kind: stone
    in: heap
    abilities:
      shine: {window: after you pick any stones, in: satchel, do: your coins is now 0}
abilities:
  fetch: {window: after you wait, do: pick 1 stone}
"""
    )
    artefact: Any = Workspace().artefact(package_of(sample, []))
    assert [row["late"] for row in artefact["abilities"]] == [True] * 3
    done = run("fmt", "--upgrade", str(sample))
    assert done.code == 1 and "1 place to decide" in done.out + done.err, done.out + done.err
    assert "star.glow waits for the next one" in done.out + done.err
    artefact = Workspace().artefact(package_of(sample, []))
    assert not [row for row in artefact["abilities"] if "late" in row]


def test_a_number_that_may_be_nothing_is_left_to_a_person(run: Run, sample: Path) -> None:
    make_old(sample)
    (sample / "more.yaml").write_text(
        """\
kinds:
  gem: {is: card, fields: {price: optional number}}
cards:
  ruby: {kind: gem, price: 3, in: window}
  glass: {kind: gem, in: window}
zones:
  window: {holds: gem, seen: everyone}
abilities:
  fetch: {window: after you wait, do: pick (total price of gems in the window) stones}
"""
    )
    assert "G0730" not in run("check", str(sample)).out
    done = run("fmt", "--upgrade", str(sample))
    assert done.code == 1 and "1 place to decide" in done.out + done.err and "G0730" in done.out + done.err


def test_a_package_with_errors_is_left_alone(run: Run, sample: Path) -> None:
    manifest = make_old(sample)
    rules = sample / "rules.yaml"
    rules.write_text(rules.read_text().replace("is now your", "is is your"))
    before = manifest.read_bytes()
    done = run("fmt", "--upgrade", str(sample))
    assert done.code == 1 and "G04" in done.err and manifest.read_bytes() == before


@pytest.mark.parametrize(
    ("said", "places"), [("may pick 3 stones", 1), ("may wait", 0), ("may pick 2 stones to wait", 0)]
)
def test_what_was_offered_only_in_full_is_left_to_a_person(run: Run, sample: Path, said: str, places: int) -> None:
    make_old(sample)
    rules = sample / "rules.yaml"
    rules.write_text(rules.read_text().replace("either pick 1 stone or wait", said))
    done = run("fmt", "--upgrade", str(sample))
    assert done.code == (1 if places else 0), done.out + done.err
    assert (done.out + done.err).count("as far as it can be") == places
