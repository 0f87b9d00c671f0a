"""Make the page of the language from the grammar, the tables of the resolver and docs/reference/constructs.yaml.

In: nothing. Out: `render()`, the text of docs/reference/language.md. Run as a module to write the page anew: `python -m
grimoire.compiler.reference.language > docs/reference/language.md`. A test compares the two, and plays every example of
the page.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeAlias

import yaml
from lark import Lark

from grimoire.compiler.declare.base import BASE_KINDS
from grimoire.compiler.declare.signature import PREPOSITIONS
from grimoire.compiler.lower.engine_verbs import BUILT_IN
from grimoire.compiler.syntax.parse import build_parser, grammar_text

Entry: TypeAlias = dict[str, Any]  # of constructs.yaml
CONSTRUCTS = Path(__file__).resolve().parents[2] / "docs" / "reference" / "constructs.yaml"
_DECIDED = {
    "TO",
    "_TO_DO",
    "TO_NUM",
    "AND",
    "_AND",
    "AND_NP",
    "AND_OF",
    "AND_ARG",
    "WITH_ARG",
    "OR",
    "OR_NP",
    "THIS",
    "THIS_DET",
    "ON_PREP",
    "PART_OF",
}
_INTRO = """\
# The language

The words of the rulebook are the keywords. This page shows every construct of effect text: an example, what it means,
and what is refused. All examples are run by the tests, on a small made-up game with goods (cards), boats (figures),
rooms on a board, stocks, coins and fame. Where a construct needs more than a line of text, the example is a file of
declarations.

In the examples `p1` and `p2` name players, which only tests can do. The page is made from the grammar, the tables of
the compiler and `constructs.yaml`.
"""
_PREPS = {
    "IN": "a piece in a zone or a space",
    "FROM": "as `in`; a number `from 1 to 6`",
    "ON_PREP": "as `in`",
    "AT": "as `in`",
    "INTO": "as `in`",
    "ONTO": "as `in`",
    "OF": "possession: a field, a zone, a part, what is owned or held",
    "TO": "the end of `from .. to`",
    "WITH": "a field of at least so much, or not empty",
    "WITHOUT": "a field that is empty",
    "BY": "who owns it; in a window, who acts",
    "WITHIN": "`within N spaces of`: by the shortest way",
    "THROUGH": "as `of`, for lines through a space",
    "UNDER": "for `move`: below what lies there",
}
_NOUN_ONLY = {
    "adjacent to": "a space next to a space or a piece; a figure in such a space",
    "other than": "leaves some out; belongs to the head of the phrase",
    "left of": "the next player in turn order",
    "right of": "the player before in turn order",
    "on top of": "for `move`: above what lies there",
    "at the bottom of": "for `move`: below what lies there",
}


def load() -> list[Entry]:
    """The sections of constructs.yaml."""
    data = yaml.safe_load(CONSTRUCTS.read_text(encoding="utf-8"))
    sections: list[Entry] = data["sections"]
    return sections


def names_of(lark: Lark) -> tuple[set[str], set[str]]:
    """The rules (by alias, else by name) and the terminals of the grammar that a construct must cover."""
    rules = {str(rule.alias or rule.origin.name) for rule in lark.rules}
    terminals = {str(terminal.name) for terminal in lark.terminals} | (_DECIDED - {"_AND", "THIS_DET", "ON_PREP"})
    return {name for name in rules if not name.startswith("_")}, terminals


def list_uncovered() -> list[str]:
    """What no construct covers, and what a construct covers that the grammar does not have."""
    rules, terminals = names_of(build_parser())
    covered = {str(name) for section in load() for entry in section["constructs"] for name in entry.get("covers", [])}
    missing = sorted((rules | terminals) - covered)
    return missing + sorted(f"unknown: {name}" for name in covered - rules - terminals)


def render() -> str:
    """The text of the page."""
    parts = [_INTRO]
    sections = load()
    for section in sections:
        parts.append(f"## {section['title']}\n")
        if section.get("says"):
            parts.append(_flow(section["says"]) + "\n")
        parts.extend(_construct(entry) for entry in section["constructs"])
    parts.extend([_engine_verbs(), _prepositions(), _kinds(), _words(sections), _grammar()])
    return "\n".join(part.rstrip() + "\n" for part in parts)


def _flow(text: str) -> str:
    return " ".join(text.split())


def _construct(entry: Entry) -> str:
    language = "yaml" if "file" in entry else "text"
    example = str(entry.get("file") or entry["example"]).rstrip()
    heading = f'<a id="{entry["id"]}"></a>\n\n### {entry["title"]}\n'
    out = [heading, f"```{language}\n{example}\n```\n", _flow(entry["says"]) + "\n"]
    more: list[str] = []
    for check in entry.get("checks", []):
        text = str(check.get("run", "")).rstrip()
        if text and text not in more and text != example:
            more.append(text)
    if more:
        title = "Played with it:" if "file" in entry else "Also:"
        blocks = "\n\n".join(more)
        out.append(f"{title}\n\n```text\n{blocks}\n```\n")
    refused = entry.get("refused", [])
    if refused:
        rows = []
        for item in refused:
            shown = str(item["text"]).replace("\n", " / ")
            rows.append(f"| `{shown}` | [{item['code']}](errors.md) |")
        out.append("\n".join(["| refused | |", "| --- | --- |", *rows]) + "\n")
    return "\n".join(out)


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = ["| " + " | ".join(head) + " |", "|" + " --- |" * len(head)]
    lines += ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def _engine_verbs() -> str:
    rows = [(f"`{verb}`", f"`{written}`", says) for verb, (_, written, says) in BUILT_IN.items()]
    return (
        "## The engine's own verbs\n\nEvery other verb is declared by a package, with a signature and a text. "
        "A package may declare a verb of "
        "the same name; then that one is meant.\n\n" + _table(("verb", "written", "what it does"), rows)
    )


def _prepositions() -> str:
    rows = [(f"`{word}`", _PREPS.get(token, "no meaning of its own")) for word, token in PREPOSITIONS.items()]
    rows += [(f"`{word}`", says) for word, says in _NOUN_ONLY.items()]
    return (
        "## Prepositions\n\nA preposition that a verb's signature names belongs to the verb. Behind a noun it "
        "means:\n\n" + _table(("word", "behind a noun"), rows)
    )


def _kinds() -> str:
    rows = []
    sorts = {"seat": "a player", "piece": "moves between zones and spaces", "fixture": "has a name and never moves"}
    for name, (sort, parent) in BASE_KINDS.items():
        rows.append((f"`{name}`", f"`{parent}`" if parent else "", sorts[sort]))
    return "## Kinds that every package has\n\n" + _table(("kind", "is a", ""), rows)


def _words(sections: list[Entry]) -> str:
    where: dict[str, list[str]] = {}
    for section in sections:
        for entry in section["constructs"]:
            for name in entry.get("covers", []):
                where.setdefault(str(name), []).append(f"[{entry['title'].lower()}](#{entry['id']})")
    rows: list[tuple[str, ...]] = []
    for match in re.finditer(r'^([A-Z][A-Z_]*): ("[^\n]*")$', grammar_text(), re.MULTILINE):
        words = re.findall(r'"([^"]+)"', match[2])
        if words and words[0][0].isalpha():
            rows.append((", ".join(f"`{word}`" for word in words), ", ".join(where.get(match[1], []))))
    return (
        "## All words of the language\n\nThese words and phrases cannot be names. `and`, `or`, `to`, `of`, "
        "`on` and `this` are told apart by what "
        "stands around them.\n\n" + _table(("word", "see"), sorted(rows))
    )


def _grammar() -> str:
    text = grammar_text()
    rules = text[
        text.index("effect: ") : text.index("// ---------------------------------------------------------------- words")
    ]
    return "## The grammar\n\nLALR(1), in the notation of Lark.\n\n```text\n" + rules.rstrip() + "\n```\n"


if __name__ == "__main__":
    print(render(), end="")
