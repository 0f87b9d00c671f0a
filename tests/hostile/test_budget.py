"""Content that grows while it is compiled or played: refused with a diagnostic, or stopped by the budget with the place
in the file."""

from __future__ import annotations

from pathlib import Path

import pytest

from grimoire.compiler import check, compile_package
from grimoire.runtime import BudgetExceeded, new_game, simulate
from tests.packages import lower_budget

from .kit import body, codes, package, with_file

OARS = "cards:\n" + "".join(f"  oar-{i}: {{kind: good, worth: 1, in: deck}}\n" for i in range(16))
LOW = 500_000  # units: a fortieth of the budget, so that the tests are quick


def numbers(depth: int) -> str:
    inner = "(number of goods)"
    for _ in range(depth):
        inner = f"(number of goods where ({inner} > 0))"
    return body(f"the price is now {inner}")


def loops(depth: int) -> str:
    lines = [" " * i + f"for each good as g{i}:" for i in range(depth)]
    total = " + ".join(f"the worth of the g{i}" for i in range(depth))
    return body("\n".join([*lines, " " * depth + f"the price is now {total}"]))


def totals(depth: int) -> str:
    values = "".join(f"      v{i}: total v{i - 1} of goods\n" for i in range(1, depth + 1))
    return (
        body(f"the price is now total v{depth} of goods")
        + f"kinds:\n  good:\n    values:\n      v0: its worth\n{values}"
    )


def verbs(depth: int) -> str:
    text = body(f"step-{depth}") + "  step-0:\n    body: the price is now price + 1\n"
    return text + "".join(
        f"  step-{i}:\n    body: |\n      step-{i - 1}\n      step-{i - 1}\n" for i in range(1, depth + 1)
    )


UNTOLD = ("a verb that says the next one twice",)  # it takes long with the budget of the test, not with that of play
FLOATING = body("repeat 9000 times, until the end of the game, you cannot rest")

HEAVY = {
    "numbers of goods where there are numbers of goods": (numbers(7), "at base/example.yaml:4:"),
    "for each in for each": (loops(6), "loot"),
    "values that are totals of values": (totals(7), "loot"),
    "a verb that says the next one twice": (verbs(18), "at base/example.yaml:"),
    "the same, sixty deep": (verbs(60).replace("      step-", "      if price <= 20, step-"), "at base/example.yaml:"),
    "floating effects": (FLOATING, "loot"),
}


def with_loot(folder: Path, text: str) -> Path:
    """The small package with sixteen cards more, whose game begins with what the text says of the verb loot."""
    root = package(folder)
    (root / "example.yaml").write_text(text)
    (root / "oars.yaml").write_text(OARS)
    actions = root / "actions.yaml"
    actions.write_text(actions.read_text().replace("    shuffle the deck\n", "    shuffle the deck\n    loot\n"))
    return root


@pytest.mark.parametrize("name", HEAVY)
def test_heavy_content_is_stopped_and_named(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text, told = HEAVY[name]
    root = with_loot(tmp_path, text)
    assert codes(root) == (set() if name in UNTOLD else {"G0724"})
    lower_budget(monkeypatch, LOW)
    compiled = compile_package(root)
    with pytest.raises(BudgetExceeded, match=r"game \(base/actions.yaml:") as caught:
        new_game(compiled)
    assert told in str(caught.value) and caught.value.place.startswith("base/")
    with pytest.raises(BudgetExceeded, match=r"game \(base/actions.yaml:") as caught:
        simulate(compiled, 1)
    assert told in str(caught.value)


def test_steps_that_no_decision_has_are_told_where_they_begin(tmp_path: Path) -> None:
    found = [item for item in check([with_loot(tmp_path, verbs(60))]) if item.code != "G0704"]
    assert [(item.code, item.message.split(" takes ")[0]) for item in found] == [("G0707", "step-22")]
    assert not [item for item in check([with_loot(tmp_path / "less", verbs(20))]) if item.code != "G0704"]


GROWING = {
    "values, each twice in the next": "values:\n      v0: its worth\n"
    + "".join(f"      v{i}: its v{i - 1} + its v{i - 1}\n" for i in range(1, 60)),
    "totals, each twice in the next": "values:\n      v0: its worth\n"
    + "".join(f"      v{i}: total v{i - 1} of goods + total v{i - 1} of goods\n" for i in range(1, 60)),
    "adjectives, each twice in the next": "adjectives:\n      b0: it is dear\n"
    + "".join(f"      b{i}: it is b{i - 1} or it is b{i - 1}\n" for i in range(1, 60)),
    "long values, each twice in the next": "values:\n      v0: " + " + ".join(["its worth"] * 80) + "\n"
    + "".join(f"      v{i}: its v{i - 1} + its v{i - 1}\n" for i in range(1, 9)),
}  # fmt: skip


@pytest.mark.parametrize("name", GROWING)
def test_definitions_that_double_are_refused(name: str, tmp_path: Path) -> None:
    assert codes(with_file(tmp_path, f"kinds:\n  good:\n    {GROWING[name]}")) == {"G0405"}
