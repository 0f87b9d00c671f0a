"""Hostile YAML: bombs, depth, size, encodings, invisible signs. A diagnostic, soon, and within the memory."""

from __future__ import annotations

from pathlib import Path

import pytest

from grimoire.compiler.diagnostics.report import render_text

from .kit import bounded, codes, findings, with_file

CARD = "cards:\n  oar: {kind: good, worth: 1}\n"
LAUGHS = "a: &a [lol, lol, lol, lol, lol, lol, lol, lol, lol, lol]\n" + "".join(
    f"{chr(98 + i)}: &{chr(98 + i)} [{', '.join(['*' + chr(97 + i)] * 10)}]\n" for i in range(20)
)

TEXTS: dict[str, tuple[str | bytes, str]] = {
    "alias bomb": (LAUGHS, "G0116"),
    "alias of itself": ("cards: &cards\n  oar: *cards\n", "G0116"),
    "deep lists": ("cards: " + "[" * 10_000 + "]" * 10_000 + "\n", "G0112"),
    "deep mappings": ("cards: " + "{a: " * 10_000 + "1" + "}" * 10_000 + "\n", "G0112"),
    "deep lists that are never closed": ("cards: " + "[" * 100_000, "G0112"),
    "deep block lists": ("- " * 10_000 + "x\n", "G0112"),
    "deep block mappings": ("".join(f"{' ' * i}a:\n" for i in range(2_000)), "G0112"),
    "deep complex keys": ("? " * 10_000 + "x\n", "G0112"),
    "duplicate keys": (CARD + "  oar: {kind: good, worth: 2}\n", "G0115"),
    "tab": ("cards:\n\toar: {kind: good, worth: 1}\n", "G0111"),
    "byte order mark": ("\ufeff" + CARD, "G0107"),
    "byte order mark inside": ("cards:\n  \ufeffoar: {kind: good, worth: 1}\n", "G0108"),
    "utf-16": (CARD.encode("utf-16"), "G0106"),
    "utf-16 without a mark": (CARD.encode("utf-16-le"), "G0106"),
    "utf-32": (CARD.encode("utf-32"), "G0106"),
    "latin-1": ("cards:\n  oar: {kind: good, worth: 1} # é\n".encode("latin-1"), "G0106"),
    "cp1251": ("# картка\n".encode("cp1251") + CARD.encode(), "G0106"),
    "a surrogate": (b"zones:\n  a: \xed\xa0\x80\n", "G0106"),
    "overlong utf-8": (b"zones:\n  a: \xc0\xaf\n", "G0106"),
    "nul": (CARD + "\x00", "G0108"),
    "only nul": (b"\x00" * 1000, "G0106"),
    "escape": (CARD + "# \x1b[2J\n", "G0108"),
    "escaped escape": ('cards:\n  oar: {kind: "good\\e", worth: 1}\n', "G0108"),
    "line separator": ("cards:\u2028  oar: {}\n", "G0108"),
    "merge key": ("cards:\n  oar:\n    <<: {worth: 1}\n    kind: good\n", "G0118"),
    "python tag": ("cards: !!python/object/apply:os.system ['true']\n", "G0117"),
    "local tag": ("cards: !include /etc/passwd\n", "G0117"),
    "directive": ("%TAG ! tag:example.com,2000:\n---\n" + CARD, "G0117"),
    "two documents": (CARD + "---\n" + CARD, "G0119"),
    "no text at all": ("", "G0109"),
    "a text of two million letters": ("cards: '" + "a" * 2_000_000 + "'\n", "G0113"),
    "a quote that is never closed": (CARD + "  sail: {kind: 'good, worth: 1}\n", "G0110"),
    "an empty key": ("cards:\n  '': {kind: good, worth: 1}\n", "G0120"),
    "a key that is a list": ("cards:\n  ? [a]\n  : {kind: good, worth: 1}\n", "G0120"),
}


@pytest.mark.parametrize("name", TEXTS)
def test_text(name: str, tmp_path: Path) -> None:
    content, code = TEXTS[name]
    assert code in codes(with_file(tmp_path, content))


@pytest.mark.parametrize("name", [name for name in TEXTS if name not in ("byte order mark",)])
def test_text_in_the_manifest(name: str, tmp_path: Path) -> None:
    content, code = TEXTS[name]
    assert code in codes(with_file(tmp_path, content, "package.yaml"))


def test_fifty_megabytes(tmp_path: Path) -> None:
    root = with_file(tmp_path, b"cards: '" + b"a" * 50_000_000 + b"'\n")
    answer = bounded(root, 512 << 20)
    assert answer["codes"] == ["G0105"]


def test_a_bomb_within_the_memory(tmp_path: Path) -> None:
    answer = bounded(with_file(tmp_path, LAUGHS), 512 << 20)
    assert "G0116" in answer["codes"]


def test_a_million_values(tmp_path: Path) -> None:
    answer = bounded(with_file(tmp_path, "cards: [" + "1," * 1_100_000 + "]\n"))
    assert answer["codes"] == ["G0114"]


def test_a_hundred_thousand_unknown_keys(tmp_path: Path) -> None:
    root = with_file(tmp_path, CARD + "".join(f"zz{i}: 1\n" for i in range(100_000)))
    answer = bounded(root)
    assert answer["codes"] == ["G0199", "G0305"]
    assert answer["count"] == 201


# `no`, `on` and `1e3` are what they look like: text.


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("worth: 1e3", "G0302"),
        ("worth: 0x10", "G0302"),
        ("worth: 010", "G0302"),
        ("worth: 1_000", "G0302"),
        ("worth: 12:30", "G0302"),
        ("worth: .inf", "G0302"),
        ("worth: no", "G0302"),
        ("worth: ²", "G0302"),
        ("worth: ٣", "G0302"),
        ("worth: 99999999999999999999", "G0307"),
        ("worth: " + "9" * 100_000, "G0307"),
        ("worth: 1, copies: 1000000000000000000000000000000", "G0307"),
        ("worth: 1, copies: -1", "G0320"),
        ("worth: 1, copies: yes", "G0302"),
        ("worth: ~", "G0304"),
        ("worth: 1, colour: on", "G0501"),
        ("worth: 2001-01-01", "G0302"),
    ],
)
def test_number(line: str, code: str, tmp_path: Path) -> None:
    assert codes(
        with_file(tmp_path, f"cards:\n  oar:\n    kind: good\n    {line.replace(', ', chr(10) + '    ')}\n")
    ) == {code}


@pytest.mark.parametrize("word", ["no", "on", "off", "yes", "y", "n", "null", "~", "1e3", "0"])
def test_flag(word: str, tmp_path: Path) -> None:
    found = codes(with_file(tmp_path, f"kinds:\n  boat: {{is: figure, holds: {word}}}\n"))
    assert found == ({"G0304"} if word in ("null", "~") else {"G0303"})


@pytest.mark.parametrize("word", ["no", "on", "yes", "null", "1e3", "0"])
def test_a_name_is_a_name(word: str, tmp_path: Path) -> None:
    """A counter called `yes` is called yes; what is no name, or a word of the language, is said to be that."""
    found = codes(with_file(tmp_path, f"counters:\n  {word}: number\n"))
    assert found == ({"G0308"} if word[0].isdigit() else {"G0309"} if word in ("no", "on") else set())


# Signs that cannot be seen or look like others.

LOOKALIKES = {
    "cyrillic a in a verb": "verbs:\n  loot:\n    body: dr\u0430w 1 card\n",
    "cyrillic o in a name": "zones:\n  h\u043eld: {holds: good}\n",
    "greek in a kind": "kinds:\n  b\u03bfat: {is: figure}\n",
    "full-width letters": "verbs:\n  loot:\n    body: \uff44\uff52\uff41\uff57 1 card\n",
    "right-to-left override": "verbs:\n  loot:\n    body: discard the \u202erope\n",
    "right-to-left isolate": "zones:\n  ho\u2067ld: {holds: good}\n",
    "zero-width joiner": "zones:\n  ho\u200dld: {holds: good}\n",
    "zero-width space": "verbs:\n  loot:\n    body: rest\u200b\n",
    "no-break space": "verbs:\n  loot:\n    body: draw\u00a01 card\n",
    "soft hyphen": "zones:\n  ho\u00adld: {holds: good}\n",
    "combining marks": "zones:\n  hold" + "\u0301" * 500 + ": {holds: good}\n",
    "digits of another script": "verbs:\n  loot:\n    body: draw \u0663 cards\n",
}


@pytest.mark.parametrize("name", LOOKALIKES)
def test_lookalike(name: str, tmp_path: Path) -> None:
    root = with_file(tmp_path, LOOKALIKES[name])
    found = [item for item in findings(root) if item.severity == "error"]
    assert {item.code for item in found} <= {"G0122", "G0308", "G0402"}
    assert found
    # The report cannot steer the terminal nor turn the text round.
    shown = render_text(found, {str(root / "example.yaml"): LOOKALIKES[name]})
    assert all(char.isprintable() or char in "\n\u00a0\u200c\u200d" for char in shown)


def test_long_names(tmp_path: Path) -> None:
    long = "a" * 100_000
    assert codes(with_file(tmp_path, f"cards:\n  {long}: {{kind: good, worth: 1}}\n")) == {"G0110"}
    (tmp_path / "again").mkdir()
    root = with_file(tmp_path / "again", f"verbs:\n  loot:\n    body: discard the {'a' * 15_000}\n")
    assert codes(root) == {"G0501"}
