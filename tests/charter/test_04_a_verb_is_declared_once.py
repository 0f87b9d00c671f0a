"""Charter 4: a verb is declared once: its signature, its meaning, and its wording in each language."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
import yaml

from grimoire.compiler import check
from tests.charter.kit import CONTENT, NAMES, package, tiny


def declared_verbs(root: Path) -> list[str]:
    """The verbs that the files of a package declare, each as often as it is declared."""
    found: list[str] = []
    for path in sorted(root.rglob("*.yaml")):
        if not {"text", "scenarios"} & set(path.relative_to(root).parts) and path.name != "package.yaml":
            found += list((yaml.safe_load(path.read_text(encoding="utf-8")) or {}).get("verbs") or {})
    return found


@pytest.mark.parametrize("name", NAMES)
def test_every_verb_has_a_meaning_and_a_wording_in_every_language(name: str) -> None:
    document = package(name).document
    verbs = declared_verbs(CONTENT / name)
    assert sorted(verbs) == sorted(set(verbs))
    procs = {row["id"]: row for row in document["procs"]}
    assert set(verbs) <= set(procs) and all(procs[verb]["verb"] and procs[verb]["body"] for verb in verbs)
    assert len(document["languages"]) >= 3
    for language in document["languages"]:
        log = document["text"][language]["log"]
        assert set(verbs) <= set(log), language
        assert any(log[verb] for verb in verbs), language


@pytest.mark.parametrize("name", NAMES)
def test_a_missing_wording_is_a_diagnostic(tmp_path: Path, name: str) -> None:
    root = tmp_path / name
    shutil.copytree(CONTENT / name, root)
    verbs = declared_verbs(root)
    path = root / "text" / "uk.yaml"
    lines = path.read_text(encoding="utf-8").split("\n")
    log = lines.index("log:")
    at = next(at for at in range(log + 1, len(lines)) if lines[at].strip().split(":")[0] == verbs[0])
    lines[at] = "  no-such-verb: ''"
    path.write_text("\n".join(lines), encoding="utf-8")
    found = [item for item in check([root]) if item.code == "G0901"]
    assert len(found) == 1 and verbs[0] in found[0].message and found[0].span.file.endswith("uk.yaml")


SIGNATURES = {
    "in one file": {
        "play.yaml": "verbs:\n  rise: {done: risen, body: the tide is now 1}\n  rise: {done: up, body: the tide is "
        "now 2}\n"
    },
    "in two files": {
        "a.yaml": "verbs:\n  rise: {done: risen, body: the tide is now 1}\n",
        "b.yaml": "verbs:\n  rise: {done: up, body: the tide is now 2}\n",
    },
    "as a procedure too": {
        "a.yaml": "verbs:\n  rise: {done: risen, body: the tide is now 1}\n",
        "b.yaml": "procedures:\n  rise: the tide is now 2\n",
    },
    "with one participle": {
        "a.yaml": "verbs:\n  rise: {done: moved-up, body: the tide is now 1}\n",
        "b.yaml": "verbs:\n  grow: {done: moved-up, body: the tide is now 2}\n",
    },
}


@pytest.mark.parametrize("case", SIGNATURES)
def test_a_verb_declared_twice_is_a_diagnostic(tmp_path: Path, case: str) -> None:
    game = (
        "counters: {tide: number}\noutcomes: [finish]\nprocedures:\n  game: |\n    rise\n    end the game with finish\n"
    )
    root = tiny(tmp_path, "counters: {x: number}\n")
    (root / "play.yaml").unlink()
    (root / "game.yaml").write_text(game, encoding="utf-8")
    for name, text in SIGNATURES[case].items():
        (root / name).write_text(text, encoding="utf-8")
    errors = [item for item in check([root]) if item.severity == "error"]
    assert any(
        ("rise" in item.message or "moved-up" in item.message) and item.span.file.endswith((*SIGNATURES[case],))
        for item in errors
    ), errors
