"""Content that grows while it is compiled or played: refused with a diagnostic, or stopped by the budget with the place in the file."""

from __future__ import annotations

from pathlib import Path

import pytest

from grimoire.compiler import compile_package
from grimoire.runtime import BudgetExceeded, new_game, simulate

from .kit import body, codes, package

CARDS = "cards:\n" + "".join(f"  oar-{i}: {{kind: good, worth: 1, in: deck}}\n" for i in range(16))


def nested(depth: int) -> str:
    inner = "(number of goods)"
    for _ in range(depth):
        inner = f"(number of goods where ({inner} > 0))"
    return f"the price is now {inner}"


def loops(depth: int) -> str:
    lines = [" " * i + f"for each good as g{i}:" for i in range(depth)]
    return "\n".join(
        [*lines, " " * depth + "the price is now " + " + ".join(f"the worth of the g{i}" for i in range(depth))]
    )


HEAVY = {
    "numbers of goods where there are numbers of goods": body(nested(7)),
    "for each in for each": body(loops(6)),
    "values that are totals of values": body("the price is now total v7 of goods")
    + "kinds:\n  good:\n    values:\n      v0: its worth\n"
    + "".join(f"      v{i}: total v{i - 1} of goods\n" for i in range(1, 8)),
    "a verb that says the next one twice": body("step-18 and then step-18")
    + "  step-0:\n    body: the price is now price + 1\n"
    + "".join(f"  step-{i}:\n    body: |\n      step-{i - 1}\n      step-{i - 1}\n" for i in range(1, 19)),
    "the same, sixty deep": body("step-60 and then step-60")
    + "  step-0:\n    body: the price is now price + 1\n"
    + "".join(f"  step-{i}:\n    body: |\n      step-{i - 1}\n      step-{i - 1}\n" for i in range(1, 61)),
}


def with_loot(folder: Path, text: str) -> Path:
    """The small package with sixteen cards more, whose game begins with what the text says of the verb loot."""
    root = package(folder)
    (root / "example.yaml").write_text(text.replace("step-18 and then step-18", "step-18").replace(
        "step-60 and then step-60", "step-60"
    ))  # fmt: skip
    (root / "oars.yaml").write_text(CARDS)
    actions = root / "actions.yaml"
    actions.write_text(actions.read_text().replace("    shuffle the deck\n", "    shuffle the deck\n    loot\n"))
    return root


@pytest.mark.parametrize("name", HEAVY)
def test_x(name: str, tmp_path: Path) -> None:
    root = with_loot(tmp_path, HEAVY[name])
    found = codes(root)
    print(found)
    assert not found
    compiled = compile_package(root)
    with pytest.raises(BudgetExceeded) as caught:
        new_game(compiled)
    print(caught.value)
    with pytest.raises(BudgetExceeded) as caught:
        simulate(compiled, 1)
    print(caught.value)
