"""Make the error index of the docs from the registry of codes: one section a code.

In: nothing. Out: `render()`, the text of docs/reference/errors.md. Run as a module to write the page anew:
`python -m grimoire.compiler.reference.errors > docs/reference/errors.md`. A test compares the two.
"""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

from grimoire.compiler.diagnostics.codes import CODES, Code

_GROUPS = {
    "G01": "Files and YAML",
    "G02": "Manifest and packages",
    "G03": "Shape: keys, values, declarations",
    "G04": "Effect syntax",
    "G05": "Names",
    "G06": "Types",
    "G07": "Flow",
    "G08": "Rules ledger and scenarios",
    "G09": "Text and locale",
}
_LONGEST_LINE = 110
_INTRO = """\
# Errors

Every diagnostic has a code that never changes its meaning. This page says for each code what it means, shows an example
that gets it, and how to repair it. An example is a whole file, a line of the shell or a picture of the folder. The page
is made from the registry of codes; `grimoire check` prints the code in brackets.

Where an example has words of a game in it (goods, rooms, a deck, verbs such as draw and discard), it is one more file
of a small package that declares them.
"""


def register_all() -> None:
    """Load every table of codes: codes.py and all modules beside it that are called codes_*."""
    for path in sorted((Path(__file__).parents[1] / "diagnostics").glob("codes_*.py")):
        import_module(f"grimoire.compiler.diagnostics.{path.stem}")


def render() -> str:
    """The text of the page."""
    register_all()
    parts = [_INTRO]
    group = ""
    for code in sorted(CODES):
        if code[:3] != group:
            group = code[:3]
            parts.append(f"## {group}xx {_GROUPS.get(group, 'More')}\n")
        parts.append(_section(CODES[code]))
    return "\n".join(parts)


def _section(entry: Code) -> str:
    kind = "" if entry.severity == "error" else f" ({entry.severity})"
    example = _visible(entry.example.rstrip("\n"))
    language = "yaml" if re.match(r"(?:# file: .*\n)?[a-z]+:(?: |\n)", entry.example) else "text"
    fence = "````" if "```" in example else "```"
    return (
        f"### {entry.code} {entry.name}{kind}\n\n"
        f"**{entry.title}.** {_prose(entry.explanation)}\n\n"
        f"{fence}{language}\n{example}\n{fence}\n\n"
        f"Repair: {_prose(entry.repair)}\n"
    )


def _prose(text: str) -> str:
    """Text of the registry inside Markdown: signs that Markdown would read are escaped."""
    return re.sub(r"([<>*_`\[\]|\\&])", r"\\\1", text)


def _visible(example: str) -> str:
    """An example as it can be shown: invisible signs by their names, long lines cut."""
    shown = "".join(char if char == "\n" or char.isprintable() else f"\\u{ord(char):04x}" for char in example)
    lines = [line if len(line) <= _LONGEST_LINE else f"{line[: _LONGEST_LINE - 4]} ..." for line in shown.split("\n")]
    return "\n".join(lines)


if __name__ == "__main__":
    print(render(), end="")
