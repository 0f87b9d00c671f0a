"""fmt: canonical effect texts in their files, and not one byte more."""

from __future__ import annotations

from pathlib import Path

import pytest

from .conftest import Run


def test_content_is_canonical(run: Run) -> None:
    done = run("fmt", "--check", "content")
    assert done.out == ""
    assert done.code == 0


# style -> (as it was written, as it should be); the text of the wait verb
STYLES: dict[str, tuple[str, str]] = {
    "plain": (
        "    body: your coins  is now your coins +  1   # why\n",
        "    body: your coins is now your coins + 1   # why\n",
    ),
    "single": ("    body: 'your coins  is now 1'\n", "    body: 'your coins is now 1'\n"),
    "double": ('    body: "your coins  is now 1" # x\n', '    body: "your coins is now 1" # x\n'),
    "literal": (
        "    body: |  # below\n       your coins  is now 1\n\n       your coins is  now 2\n\n\n",
        "    body: |  # below\n       your coins is now 1\n       your coins is now 2\n\n\n",
    ),
    "strip": ("    body: |-\n      your coins  is now 1\n", "    body: |-\n      your coins is now 1\n"),
}
PLAIN = "    body: your coins is now your coins + 1\n"


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("ends", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_only_the_text_changes(run: Run, sample: Path, style: str, ends: str, mark: str) -> None:
    file = sample / "rules.yaml"
    whole = "# first\n" + file.read_text() + "\n# last, without a line end"
    before, after = (mark + whole.replace(PLAIN, part).replace("\n", ends) for part in STYLES[style])
    assert before != after
    file.write_bytes(before.encode())
    check = run("fmt", "--check", str(sample))
    assert check.code == 1 and "+++ " in check.out and file.read_bytes() == before.encode()
    assert run("fmt", str(sample)).code == 0
    assert file.read_bytes() == after.encode()
    assert run("fmt", "--check", str(sample)).code == 0


def test_flow_mappings(run: Run, sample: Path) -> None:
    file = sample / "rules.yaml"
    text = file.read_text().replace(
        "  wait:\n    done: waited\n" + PLAIN, "  wait: {done: waited, body: your  coins is now 1}  # in one line\n"
    )
    file.write_text(text)
    assert run("fmt", str(sample)).code == 0
    assert file.read_text() == text.replace("your  coins", "your coins")


def test_a_folded_text_keeps_its_meaning(run: Run, sample: Path) -> None:
    file = sample / "rules.yaml"
    file.write_text(file.read_text().replace(PLAIN, "    body: >\n      your coins\n      is now  1\n"))
    assert run("fmt", str(sample)).code == 0
    assert "    body: >\n      your coins is now 1\n" in file.read_text()


def test_a_text_that_cannot_be_read_is_left_alone(run: Run, sample: Path) -> None:
    file = sample / "rules.yaml"
    file.write_text(file.read_text().replace(PLAIN, "    body: your coins is is\n"))
    before = file.read_bytes()
    done = run("fmt", str(sample))
    assert done.code == 1 and "G04" in done.err and file.read_bytes() == before


def test_only_the_files_that_are_named(run: Run, sample: Path) -> None:
    more = sample / "more.yaml"
    more.write_text("verbs:\n  rest:\n    done: rested\n    body: your  coins is now 1\n")
    rules = sample / "rules.yaml"
    rules.write_text(rules.read_text().replace(PLAIN, "    body: your  coins is now 1\n"))
    before = rules.read_bytes()
    assert run("fmt", str(more)).code == 0
    assert "your coins" in more.read_text() and rules.read_bytes() == before


def test_unknown_paths(run: Run) -> None:
    done = run("fmt", "--check", "no-such-package")
    assert done.code == 1 and "no-such-package" in done.err
