"""Changes of one file: its lines, its words, its YAML and its bytes. Each takes the bytes and gives other ones.

What stands here knows nothing of packages: `change_effects` knows the trees of effect texts, `change_files` what lies
in several files.
"""

from __future__ import annotations

import codecs
import random
import re
from collections.abc import Callable

from grimoire.compiler.syntax.parse import grammar_text

Change = Callable[[bytes, random.Random, list[str]], bytes]

_YAML = ["kinds:", "cards:", "verbs:", "procedures:", "abilities:", "zones:", "counters:", "boards:", "values:", "is:",
         "fields:", "states:", "slots:", "body:", "signature:", "window:", "always:", "do:", "only:", "limit:", "true", "no",
         "on", "1e3", "~", "|", ">", "- ", ": ", "{", "}", "[", "]", "&a ", "*a", "!!str ", "<<: ", "---", "#", "'", '"',
         "\t", "\ufeff", "\u202e", "\x00", "é", "999999999999", "-1", "0", "number", "flag", "player", "card", "set of ",
         "optional ", "<number>", "<card>", "to", "and", "or", "of"]  # fmt: skip
MANY_DIGITS = "9" * 5000


def vocabulary(texts: list[str]) -> list[str]:
    """The words of the grammar, of YAML and of the content itself."""
    keywords = sorted(set(re.findall(r'"([^"\n]+)"', grammar_text())))
    words = sorted({word for text in texts for word in re.findall(r"[a-z][a-z0-9-]*", text)})
    return [*keywords, *keywords, *_YAML, *words]


def change_words(data: bytes, rng: random.Random, words: list[str]) -> bytes:
    """A line or a word is deleted, doubled, swapped, put in, taken for another one."""
    text = data.decode("utf-8", "surrogateescape")
    return rng.choice(_WORDS)(text, rng, words).encode("utf-8", "surrogatepass")


def _lines(
    edit: Callable[[list[str], random.Random, list[str]], None],
) -> Callable[[str, random.Random, list[str]], str]:
    def made(text: str, rng: random.Random, words: list[str]) -> str:
        lines = text.split("\n")
        edit(lines, rng, words)
        return "\n".join(lines)

    return made


def _delete(lines: list[str], rng: random.Random, _: list[str]) -> None:
    del lines[rng.randrange(len(lines))]


def _double(lines: list[str], rng: random.Random, _: list[str]) -> None:
    at = rng.randrange(len(lines))
    lines.insert(rng.randrange(len(lines) + 1), lines[at])


def _swap(lines: list[str], rng: random.Random, _: list[str]) -> None:
    one, two = rng.randrange(len(lines)), rng.randrange(len(lines))
    lines[one], lines[two] = lines[two], lines[one]


def _indent(lines: list[str], rng: random.Random, _: list[str]) -> None:
    at = rng.randrange(len(lines))
    width = rng.choice((1, 2, 4))
    lines[at] = " " * width + lines[at] if rng.random() < 0.5 else lines[at].removeprefix(" " * width)


def _word(lines: list[str], rng: random.Random, words: list[str]) -> None:
    """Another word in the place of a word, before it or instead of nothing."""
    at = rng.randrange(len(lines))
    found = list(re.finditer(r"[A-Za-z0-9§.-]+|[^\sA-Za-z0-9]", lines[at]))
    if not found:
        lines[at] += rng.choice(words)
        return
    hit = rng.choice(found)
    new = rng.choice(("", rng.choice(words), rng.choice(words), rng.choice(words) + " " + hit[0], f"{hit[0]} {hit[0]}"))
    lines[at] = lines[at][: hit.start()] + new + lines[at][hit.end() :]


def _number(lines: list[str], rng: random.Random, _: list[str]) -> None:
    """Another number in the place of one."""
    found = [(at, hit) for at, line in enumerate(lines) for hit in re.finditer(r"(?<![\w-])\d+\b", line)]
    if not found:
        return
    at, hit = rng.choice(found)
    new = rng.choice(
        ("0", "-1", "2", "100", "4096", "65537", str(2**63), "1_000", "0x7f", "1e9", ".5", "-0", MANY_DIGITS)
    )
    lines[at] = lines[at][: hit.start()] + new + lines[at][hit.end() :]


def _flip(text: str, rng: random.Random, _: list[str]) -> str:
    if not text:
        return "x"
    at = rng.randrange(len(text))
    return text[:at] + chr(rng.choice((ord(text[at]) ^ 1, rng.randrange(32, 127), 0x430))) + text[at + 1 :]


def _insert(text: str, rng: random.Random, words: list[str]) -> str:
    at = rng.randrange(len(text) + 1)
    return text[:at] + " ".join(rng.choice(words) for _ in range(rng.randint(1, 3))) + text[at:]


def _repeat(text: str, rng: random.Random, _: list[str]) -> str:
    at = rng.randrange(len(text) + 1)
    part = text[at : at + rng.randint(1, 12)]
    return text[:at] + part * rng.choice((2, 3, 50)) + text[at:]


_WORDS = [_lines(_delete), _lines(_double), _lines(_swap), _lines(_indent), _flip, _insert, _repeat,
          *[_lines(_number)] * 2, *[_lines(_word)] * 6]  # fmt: skip


# --- YAML -------------------------------------------------------------------------------------------------------------

_BOMB = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{b}: &{b} [{', '.join(['*' + a] * 9)}]\n" for a, b in zip("abcdefgh", "bcdefghi", strict=True)
)
_VALUES = [
    *("&x y", "*x", "!!python/object/apply:os.getcwd []", "!!binary aGk=", "!x y", "~", "null", "[]", "{}", "''", "[[]]"),
    *("{a: {b: {c: d}}}", "? a", "- - - a", "|", ">-", "|9\n  x", '"\\ud800"', '"\\x00"', '"\\U00110000"', "\u2028", "\u202ex"),
    *("<script>alert(1)</script>", "{{a}}", "#show: x", "a" * 70_000, "a " * 30_000, MANY_DIGITS, ".inf", ".nan", "2026-01-01"),
    *("[" * 60 + "]" * 60, "[" * 5000, "{a: " * 200 + "}" * 200, "[" + "x, " * 20_000 + "x]", "1:1:1", "0o17", "yes"),
]  # fmt: skip
_HEADS = ["%YAML 1.2\n---\n", "%TAG ! tag:x,2000:\n---\n", "---\n", "--- !!map\n", "...\n", "\ufeff", "\n" * 3000, "# " + "x" * 70_000 + "\n", _BOMB]  # fmt: skip
_TAILS = ["\n---\n{}\n", "\n...\n", "<<: {}\n", "<<: *a\n", "? [a, b]\n: c\n", "? {a: b}\n: c\n", "'': {}\n", "~: {}\n", "x" * 70_000 + ": {}\n", "\t\n", "-", _BOMB, "a" * 2_000_000]  # fmt: skip


def change_yaml(data: bytes, rng: random.Random, _: list[str]) -> bytes:
    """A value becomes something else that YAML knows, or something stands before or behind all the rest."""
    text = data.decode("utf-8", "surrogateescape")
    where = rng.randrange(6)
    if where == 0:
        text = rng.choice(_HEADS) + text
    elif where == 1:
        text += rng.choice(_TAILS)
    else:
        found = list(re.finditer(r"(?m)(?<=: )[^\n{\[|>]+$|(?<=[:,] )[\w.-]+(?=[,}\]])", text))
        if found:
            hit = rng.choice(found)
            text = text[: hit.start()] + rng.choice(_VALUES) + text[hit.end() :]
    return text.encode("utf-8", "surrogatepass")


# --- bytes ------------------------------------------------------------------------------------------------------------

_BYTES = [b"\x00", b"\xff", b"\xc3", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xc0\xaf", b"\xe2\x80\xa8", b"\x85", b"\xc2\x85", b"\x1b[31m",
          b"\r", b"\r\n", b"\t", b"\x07", codecs.BOM_UTF8, codecs.BOM_UTF16_LE, b"\xe2\x80\xae", b"\xef\xbf\xbe", b"\x7f"]  # fmt: skip


def change_bytes(data: bytes, rng: random.Random, _: list[str]) -> bytes:
    """Bytes are flipped, cut off, put in; line ends and the encoding are changed."""
    at = rng.randrange(len(data) + 1)
    match rng.randrange(9):
        case 0:
            return data[:at] + bytes([data[at] ^ 1 << rng.randrange(8)]) + data[at + 1 :] if at < len(data) else data
        case 1:
            return data[:at]
        case 2:
            return data[at:]
        case 3:
            return data[:at] + data[at + rng.randint(1, 100) :]
        case 4:
            return data.replace(b"\n", rng.choice((b"\r\n", b"\r", b"\n\r", b"\xe2\x80\xa8")))
        case 5:
            return rng.choice((codecs.BOM_UTF8 + data, data.decode("utf-8", "replace").encode("utf-16")))
        case 6:
            return data.replace(b"\n", b" ", rng.randint(1, 40))
        case _:
            return data[:at] + rng.choice(_BYTES) * rng.choice((1, 1, 1, 3, 1000)) + data[at:]
