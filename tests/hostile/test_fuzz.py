"""A short run of the fuzzer; `make soak` runs it for longer."""

from __future__ import annotations

import random

from .fuzz import change, fuzz, vocabulary


def test_changed_content_gets_diagnostics() -> None:
    found = fuzz(300, 20_240, thorough=False)
    assert not found, "\n".join(map(str, found))


def test_a_change_is_found_again() -> None:
    words = vocabulary(["verbs:\n  draw: rest\n"])
    text = "verbs:\n  draw:\n    body: rest\n" * 5
    made = [change(text, random.Random(f"7/{i}"), words) for i in range(50)]
    assert made == [change(text, random.Random(f"7/{i}"), words) for i in range(50)]
    assert len(set(made)) > 40
