"""Changes of what lies in several files: moved, copied, renamed, deleted, swapped, empty, huge."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

Files = dict[str, bytes]  # of a package, by name
MANIFEST = "package.yaml"
_WORD = re.compile(rb"[a-z][a-z0-9-]{2,}")


def folder_of(name: str) -> str:
    """What sort of file it is: a manifest, content, a text, a scenario, a record of localisers."""
    return name if name == MANIFEST else name.split("/")[0] if name.startswith(("text/", "scenarios/", "l10n/")) else ""


def pick(files: Files, rng: random.Random) -> str:
    """A file; each sort of file is as likely as the others, and content three times as likely."""
    sorts: dict[str, list[str]] = {}
    for name in sorted(files):
        sorts.setdefault(folder_of(name), []).append(name)
    names = [*sorted(sorts), *[""] * 2] if "" in sorts else sorted(sorts)
    return rng.choice(sorts[rng.choice(names)])


def blocks(data: bytes, indent: int) -> list[tuple[int, int, int]]:
    """What stands under each key with that indent: its first line, the line behind its last, the line of the section
    above it."""
    lines = data.split(b"\n")
    found: list[tuple[int, int, int]] = []
    section = 0
    for at, line in enumerate(lines):
        depth = len(line) - len(line.lstrip(b" "))
        if depth == 0 and line.strip() and not line.startswith(b"#"):
            section = at
        if depth != indent or not line.strip() or line.lstrip().startswith((b"#", b"-")):
            continue
        end = at + 1
        while end < len(lines) and (not lines[end].strip() or lines[end].startswith(b" " * (indent + 1))):
            end += 1
        found.append((at, end, section))
    return found


def move_block(files: Files, rng: random.Random) -> None:
    """A section, or one thing of a section, goes to another file, or stands in both."""
    one, two = pick(files, rng), pick(files, rng)
    indent = rng.choice((0, 2, 2))
    found = blocks(files[one], indent)
    if not found:
        return
    start, end, section = rng.choice(found)
    lines = files[one].split(b"\n")
    part, head = lines[start:end], lines[section] if indent else None
    if rng.random() < 0.5:
        del lines[start:end]
        files[one] = b"\n".join(lines)
    there = files[two].split(b"\n")
    if head is not None and head in there:
        at = there.index(head) + 1
        there[at:at] = part
    else:
        there += [*([] if head is None else [head]), *part]
    files[two] = b"\n".join(there)


def rename_id(files: Files, rng: random.Random) -> None:
    """A name is another one in one file only."""
    name = pick(files, rng)
    words = _WORD.findall(files[name])
    if not words:
        return
    old = rng.choice(words)
    other = _WORD.findall(files[pick(files, rng)]) or [b"x"]
    new = rng.choice(
        (old + b"-2", old[:-1], rng.choice(words), rng.choice(other), old.upper(), b"constructor", b"n" * 300)
    )
    files[name] = re.sub(rb"(?<![\w-])" + re.escape(old) + rb"(?![\w-])", new, files[name])


def delete_file(files: Files, rng: random.Random) -> None:
    if len(files) > 1:
        del files[pick(files, rng)]


def swap_files(files: Files, rng: random.Random) -> None:
    one, two = pick(files, rng), pick(files, rng)
    files[one], files[two] = files[two], files[one]


def copy_file(files: Files, rng: random.Random) -> None:
    """A file lies in another folder as well, or instead: content among the texts, a scenario among the content."""
    name = pick(files, rng)
    base = name.rsplit("/", 1)[-1]
    to = rng.choice(("", "rules/", "text/", "text/en/", "text/uk/", "text/xx/", "scenarios/", "l10n/", "deep/" * 9))
    new = to + rng.choice(
        (base, "copy-" + base, "uk.yaml", "en.yaml", "space.yaml", "glossary.yaml", "x.yml", "é.yaml")
    )
    data = files[name]
    if rng.random() < 0.4 and len(files) > 1:
        del files[name]
    files[new] = data


def empty_file(files: Files, rng: random.Random) -> None:
    files[pick(files, rng)] = rng.choice(
        (b"", b"\n", b"# nothing\n", b"---\n", b"{}\n", b"[]\n", b"~\n", b"x\n", b"\x00")
    )


def huge_file(files: Files, rng: random.Random) -> None:
    """A file is said many times over, or has more bytes than are read, or a section without end."""
    name = pick(files, rng)
    data = files[name]
    match rng.randrange(4):
        case 0:
            files[name] = data * rng.choice((2, 5))
        case 1:
            files[name] = data + b"#" * (9 * 2**20)
        case 2:
            files[name] = data + b"cards:\n" + b"".join(b"  extra-%d: {kind: card}\n" % i for i in range(300))
        case _:
            twice = b"  twice-%d:\n    body: |\n      twice-%d\n      twice-%d\n"
            files[name] = data + b"\nverbs:\n" + b"".join(twice % (i, i + 1, i + 1) for i in range(40))


CHANGES: list[Callable[[Files, random.Random], None]] = [
    *[move_block] * 5, *[rename_id] * 4, delete_file, swap_files, *[copy_file] * 2, empty_file, huge_file,
]  # fmt: skip
