"""Reads the words of generated texts: tables of a language; terms, verbs and adjectives of a package.

In: grammar/wording/<language>.yaml; the sections terms, verbs and adjectives of the files text/<language>.yaml (or
text/<language>/..) of a package and of those it needs; its model, for plurals and participles. Out: `Grammar` and
`Lexicon`, and diagnostics G091x.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Final

import grimoire.grammar
from grimoire.compiler.declare.model import PackageModel
from grimoire.compiler.diagnostics import codes_text as _codes  # noqa: F401
from grimoire.compiler.diagnostics.report import Diagnostics, Span
from grimoire.compiler.localisation.text.inflect import GENDERS, MOODS, Grammar, Plain, Term, Verb, words
from grimoire.compiler.localisation.text.patterns import Lexicon, Printed, slots_of, wrong_slot
from grimoire.compiler.source.reader import DISK, SourceReader
from grimoire.compiler.source.shapes import as_flag, as_mapping, as_text, check_keys
from grimoire.compiler.source.tree import Mapping, Node, Scalar, parse_bytes
from grimoire.compiler.source.tree import Sequence as Items

SECTIONS: Final = ("terms", "verbs", "adjectives", "slots", "printed", "glossary")
FOLDER: Final = "text/"
_TERM_KEYS: Final = (
    "forms",
    "gender",
    "animate",
    "mass",
    "at",
    "with",
    "tail",
    "whose",
    "set",
    "get",
    "is",
    "usual",
    "into",
)
_VERB_KEYS: Final = ("forms", *MOODS, "pattern", "of", "phrases", "result", "usual", "alone")
_TABLES: Final = ("set", "get", "is", "phrases")  # keys with a table of texts; all others have a text
_EITHER: Final = ("tail", "whose")  # a text, or a table of them


@cache
def load_grammar(language: str) -> Grammar:
    """The tables of a language; they are part of the tool and right."""
    diags = Diagnostics()
    tree = parse_bytes(grimoire.grammar.read(f"wording/{language}.yaml").encode(), f"{language}.yaml", diags)
    assert tree is not None and not len(diags), [item.message for item in diags]
    return Grammar(plain(tree))


def load_words(language: str) -> frozenset[str]:
    """The words that the tool itself has in a language."""
    tables = load_grammar(language).tables
    return frozenset(word for table in ("terms", "verbs", "adjective-words") for word in tables.get(table, {}))


def plain(node: Node) -> Plain:
    """A tree of YAML as plain data: every scalar is a text."""
    if isinstance(node, Mapping):
        return {key.value: plain(value) for key, value in node.entries}
    if isinstance(node, Items):
        return [plain(item) for item in node.items]
    return node.value


class Reader:
    """Reads the words of a package in one language."""

    def __init__(self, language: str, diags: Diagnostics, reader: SourceReader = DISK) -> None:
        self.reader = reader
        self.grammar = load_grammar(language)
        self.diags = diags
        self.terms: dict[str, Term] = {}
        self.verbs: dict[str, Verb] = {}
        self.adjectives: dict[str, str] = {}
        self.slots: dict[str, str] = {}
        self.into: dict[str, Verb] = {}
        self.printed: dict[str, Printed] = {}
        self.printed_at: dict[str, Span] = {}
        self.glossary: dict[str, Term] = {}  # nouns of the rulebook that no effect needs
        self.phrases: dict[str, str] = {}  # and what does not change
        self.found = False
        tables = self.grammar.tables
        for name, row in tables.get("terms", {}).items():
            self.terms[name] = self.read_term(row)
        for name, row in tables.get("verbs", {}).items():
            self.verbs[name] = self.read_verb(row)
        self.adjectives |= tables.get("adjective-words", {})

    def read(self, folders: Iterable[Path]) -> None:
        for root in folders:
            for name in self.reader.list_files(root):
                id_ = name.removeprefix(FOLDER).partition("/")[0].removesuffix(".yaml").removesuffix(".yml")
                if name.startswith(FOLDER) and id_ == self.grammar.language:
                    tree = self.reader.load_file(root / name, self.diags, name=(root / name).as_posix())
                    if isinstance(tree, Mapping):
                        self.read_file(tree)

    def read_file(self, tree: Mapping) -> None:
        for key, node in tree.entries:
            if key.value not in SECTIONS:
                continue
            self.found = self.found or key.value != "glossary"
            rows = as_mapping(node, self.diags, key.value)
            for name, body in rows.entries if rows is not None else ():
                if key.value == "terms":
                    self.term(name, body)
                elif key.value == "glossary" and isinstance(body, Mapping):
                    self.term(name, body, "glossary")
                elif key.value == "glossary":
                    phrase = as_text(body, self.diags, f"glossary.{name.value}")
                    if phrase:
                        self.phrases[name.value] = phrase
                elif key.value == "verbs":
                    self.verb(name, body)
                elif key.value == "printed":
                    self.line(name, body)
                else:
                    word = self.pattern(body, f"{key.value}.{name.value}")
                    if word is not None:
                        (self.adjectives if key.value == "adjectives" else self.slots)[name.value] = word

    def term(self, name: Scalar, body: Node, section: str = "terms") -> None:
        row = self.row(name, body, section, _TERM_KEYS, "forms")
        if row is None:
            return
        term = self.read_term(row)
        sizes = {len(forms) for forms in term.forms.values()}
        if sizes - {1, len(self.grammar.cases)} or not sizes:
            cases = self.grammar.tables["cases"]
            hint = f"{cases} / the same in the plural; a word that does not change has one form"
            message = (
                f"{section}.{name.value} has {max(sizes, default=0)} forms, and '{self.grammar.language}' has "
                f"{len(self.grammar.cases)} cases"
            )
            self.diags.add("G0911", body.span, message, hint)
        elif term.gender not in GENDERS:
            self.diags.add("G0911", body.span, f'"{term.gender}" is no gender', "m, f or n")
        elif section == "glossary":
            self.glossary[name.value] = term
        else:
            self.terms[name.value] = term
            if isinstance(row, dict) and "into" in row:
                self.into[name.value] = self.read_verb(row["into"])

    def verb(self, name: Scalar, body: Node) -> None:
        row = self.row(name, body, "verbs", _VERB_KEYS, None)
        if row is not None:
            self.verbs[name.value] = self.read_verb(row)

    def line(self, name: Scalar, body: Node) -> None:
        """What the printed values of a kind say: a pattern, or `by: FIELD` and a pattern for each value of it."""
        rows: dict[str, str] = {}
        for key, node in body.entries if isinstance(body, Mapping) else ((name, body),):
            text = self.pattern(node, f"printed.{name.value}")
            if text is not None:
                rows[key.value if isinstance(body, Mapping) else ""] = text
        field = rows.pop("by", "")
        if isinstance(body, Mapping) and not field:
            message = f"printed.{name.value} does not say by which field its patterns are chosen"
            self.diags.add("G0917", body.span, message, "add by: FIELD, or give one pattern for all its cards")
        else:
            self.printed[name.value] = Printed(field, rows)
            self.printed_at[name.value] = name.span

    def check_printed(self, model: PackageModel) -> None:
        """Patterns for printed values speak of kinds and fields that there are."""
        for kind, (field, patterns) in self.printed.items():
            span, fields = (
                self.printed_at[kind],
                [name for id_ in model.ancestors(kind) for name in model.kinds[id_].fields],
            )
            asked = [*([field] if field else []), *(name for text in patterns.values() for name in slots_of(text))]
            if kind not in model.kinds:
                self.diags.add("G0917", span, f"printed.{kind}: there is no such kind", "the id of a kind of cards")
            for name in dict.fromkeys(asked):
                if kind in model.kinds and name not in fields:
                    message = f"printed.{kind} speaks of '{name}', and {kind} has no such field"
                    self.diags.add("G0917", span, message, f"its fields: {', '.join(fields) or 'none'}")

    def row(self, name: Scalar, body: Node, section: str, keys: Sequence[str], short: str | None) -> Plain:
        """A row as plain data, its keys checked; a text by itself is the short form."""
        what = f"{section}.{name.value}"
        if isinstance(body, Scalar):
            text = as_text(body, self.diags, what)
            return None if text is None else {short: text} if short else text
        mapping = as_mapping(body, self.diags, what)
        if mapping is None:
            return None
        mapping = check_keys(mapping, keys, self.diags, what)
        tables = (*_TABLES, "usual") if section == "verbs" else _TABLES
        for key, node in mapping.entries:
            name_of = f"{what}.{key.value}"
            if key.value in ("animate", "mass"):
                right = as_flag(node, self.diags, key.value) is not None
            elif key.value == "into" and not isinstance(node, Scalar):
                right = self.row(key, node, "verbs", _VERB_KEYS, None) is not None
            elif key.value in tables or (key.value in _EITHER and isinstance(node, Mapping)):
                table = as_mapping(node, self.diags, name_of)
                right = table is not None and None not in [self.pattern(text, name_of) for _, text in table.entries]
            else:
                right = key.value not in keys or self.pattern(node, name_of) is not None
            if not right:
                return None
        return plain(mapping)

    def pattern(self, node: Node, what: str) -> str | None:
        """A text whose slots, if it has any, ask for forms that there are; None if it is something else."""
        text = as_text(node, self.diags, what)
        wrong = None if text is None else wrong_slot(text, self.grammar.cases)
        if wrong is None:
            return text
        hint = f"a case ({' '.join(self.grammar.cases)}), with .sg or .pl; or 2 to 4 words set off by |"
        self.diags.add(
            "G0911", node.span, f"{what}: {wrong} asks for a form that '{self.grammar.language}' does not have", hint
        )
        return None

    @staticmethod
    def read_term(row: Plain) -> Term:
        """`forms: singular cases / plural cases`, and what goes with the noun."""
        if isinstance(row, str):
            row = {"forms": row}
        single, _, plural = str(row.get("forms", "")).partition("/")
        tail = row.get("tail", "")
        tails = (tail, tail) if isinstance(tail, str) else (tail.get("sg", ""), tail.get("pl", ""))
        forms = {"sg": words(single), "pl": words(plural)}
        return Term(
            {number: row for number, row in forms.items() if row},
            row.get("gender", "m"),
            row.get("animate") == "true",
            row.get("mass") == "true",
            row.get("at", ""),
            words(row.get("with", "")),
            tails,
            row.get("whose", "") if isinstance(row.get("whose", ""), str) else "",
            row["whose"].get("before", "") if isinstance(row.get("whose"), dict) else "",
            row.get("set", {}),
            row.get("get", {}),
            row.get("is", {}),
            row.get("usual", ""),
        )

    @staticmethod
    def read_verb(row: Plain) -> Verb:
        """Forms by mood; or `draw draws drawn`: the plain form, that of one who does it, that of what is done."""
        if isinstance(row, str):
            row = {"forms": row}
        short = words(row.get("forms", ""))
        forms = {mood: row[mood] for mood in MOODS if mood in row}
        if len(short) == 3:
            base, single, done = short
            forms = {
                "imp": base,
                "inf": base,
                "pl": base,
                "you": base,
                "sg": single,
                "past": done,
                "done": done,
            } | forms
        return Verb(
            forms,
            row.get("pattern", "{v} {object:acc}"),
            row.get("phrases", {}),
            row.get("result", ""),
            row.get("of", ""),
            row.get("usual", {}),
            row.get("alone", ""),
        )


def read_lexicon(
    folders: Iterable[Path], model: PackageModel, language: str, diags: Diagnostics, reader: SourceReader = DISK
) -> Lexicon | None:
    """The words of a package in a language; None if it has none: nobody has begun to word it."""
    words = Reader(language, diags, reader)
    words.read(folders)
    if not words.found:
        return None
    words.check_printed(model)
    plurals = {kind.plural: kind.id for kind in model.kinds.values()}
    plurals |= {plural: name for name in words.terms for plural in plurals_of(name) if plural not in words.terms}
    verbs = words.verbs | {
        verb.done: words.verbs[verb.id]
        for verb in model.verbs.values()
        if verb.done is not None and verb.id in words.verbs
    }
    results = {
        verb.id: verb.result.kind
        for verb in model.verbs.values()
        if verb.result is not None and verb.result.kind is not None
    }
    return Lexicon(words.terms, verbs, words.adjectives, plurals, results, words.slots, words.into, words.printed)


def plurals_of(name: str) -> Iterator[str]:
    """How the effect language writes the plural of a noun that is no kind: `draw 2 cards`."""
    yield f"{name}s"
    yield f"{name}es"
    if name.endswith("y"):
        yield f"{name[:-1]}ies"
