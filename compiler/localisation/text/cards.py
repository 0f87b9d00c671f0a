"""The rules text of cards, generated from their effects; `grimoire text` shows it and `grimoire check` wants it.

In: the model of a compiled package and the words of a language. Out: for each card its paragraphs, and what has no
words (G0910).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Final, NamedTuple

from grimoire.compiler.declare.model import Ability, Definition, PackageModel, Text
from grimoire.compiler.diagnostics.report import Diagnostics, Span
from grimoire.compiler.localisation.text.inflect import Features, Grammar
from grimoire.compiler.localisation.text.patterns import Lexicon, Printed, Slot, make_fixed, tidy
from grimoire.compiler.localisation.text.sentences import Sayer
from grimoire.compiler.source.manifest import load_manifest
from grimoire.compiler.source.tree import ENTRY, Scalar
from grimoire.compiler.source.tree import Sequence as Items
from grimoire.compiler.syntax.nodes import tokens
from grimoire.compiler.syntax.tokens import Token

PLAYER: Final = "player"  # whose abilities those of the game itself are

# What a word of each sort is called, and how it is given.
_SORTS: Final = {
    "term": ("the noun", "terms: {{{name}: {{forms: ..}}}}"),
    "verb": ("the verb", "verbs: {{{name}: ..}}"),
    "form": ("the form", "add it to the row of the verb in verbs"),
    "adjective": ("the adjective", "adjectives: {{{name}: ..}}"),
    "line": ("the printed line", "printed: {{KIND: {{by: FIELD, VALUE: ..}}}}"),
    "preposition": ("the preposition", "phrases: {{{name}: ..}} in the row of its verb"),
    "frame": ("the construct", "the tables of the language have no pattern for it"),
}

PRINTED: Final = "printed"  # the part of a card that says what is printed on it
# Values that are no slot of a pattern; a flag that is set is one without words.
_NOTHING: Final[tuple[list[str], ...]] = (["0"], ["true"], ["false"], [])
_WHOLE: Final = re.compile(r"-?\d+\Z")


class Paragraph(NamedTuple):
    """One slot or ability of a card in a language."""

    part: str  # id of the slot or ability
    text: str
    missing: frozenset[tuple[str, str]]
    source: Text | None  # nothing for what is printed
    shortened: bool = False  # whether several steps were said in one clause


class CardText:
    """Says cards of a package in one language."""

    def __init__(self, model: PackageModel, grammar: Grammar, lexicon: Lexicon, *, brief: bool = True) -> None:
        self.model = model
        self.brief = brief  # several steps may be said in one clause
        self.grammar = grammar
        self.lexicon = lexicon
        self.rules = euphony_rules(grammar)

    def cards(self) -> Iterator[Definition]:
        """The cards that have anything to say; then the kinds whose cards all have an ability; then the abilities of
        the game itself."""
        for definition in self.model.definitions.values():
            if self.has_text(definition):
                yield definition
        yield from self.rules_as_cards(self.model)

    def has_text(self, definition: Definition) -> bool:
        return bool(definition.programs or definition.abilities or self.row(definition) is not None)

    @staticmethod
    def rules_as_cards(model: PackageModel) -> Iterator[Definition]:
        for kind in model.kinds.values():
            if kind.abilities:
                yield Definition(kind.id, kind.id, 1, None, {}, {}, kind.abilities, kind.span, kind.package)
        for ability in model.abilities.values():
            package = package_of(ability.span.file.partition(ENTRY)[0]) or model.id
            yield Definition(ability.id, PLAYER, 1, None, {}, {}, {ability.id: ability}, ability.span, package)

    def find_meant(self, name: str) -> list[Definition]:
        """What a name asks for: a card or ability, the cards of a kind, or what can be done only at a thing of that
        name."""
        cards = list(self.cards())
        own = [card for card in cards if card.id == name or card.kind == name != PLAYER]
        return own or [card for card in cards if is_at(card, name)]

    def paragraphs(self, definition: Definition) -> Iterator[Paragraph]:
        row = self.row(definition)
        if row is not None:
            yield self.line(definition, row)
        for slot, text in definition.programs.items():
            yield self.program(definition, slot, text)
        for ability in definition.abilities.values():
            yield from self.ability(definition, ability)

    def step_by_step(self, definition: Definition, parts: Sequence[Paragraph]) -> Sequence[Paragraph]:
        """What `paragraphs` says, with every step in a clause of its own."""
        if not any(part.shortened for part in parts):
            return parts
        return list(CardText(self.model, self.grammar, self.lexicon, brief=False).paragraphs(definition))

    def describe(self, definition: Definition) -> str:
        """All that can be said of a card, a paragraph a line."""
        return "\n".join(part.text for part in self.paragraphs(definition) if not part.missing)

    def program(self, definition: Definition, slot: str, text: Text) -> Paragraph:
        sayer = self.sayer(definition)
        said = sayer.text(text.block.statements)
        pattern = self.lexicon.slots.get(slot.partition(".")[0])
        if pattern is not None:
            body = Slot(lambda asked: lower_first_letter(said) if asked == "low" else said)
            return self.paragraph(
                slot, sayer.fill(pattern, {"body": body} | self.list_printed(definition, sayer)), sayer, text
            )
        return self.paragraph(slot, said, sayer, text)

    def row(self, definition: Definition) -> Printed | None:
        """What says the printed values of a card: the words of its kind, or of a kind above it."""
        if definition.id not in self.model.definitions:
            return None  # a kind
        above = self.model.ancestors(definition.kind)
        return next((self.lexicon.printed[kind] for kind in above if kind in self.lexicon.printed), None)

    def line(self, definition: Definition, row: Printed) -> Paragraph:
        """The printed values of a card in a sentence."""
        sayer = self.sayer(definition)
        node = definition.values.get(row.field)
        value = node.value if isinstance(node, Scalar) else ""
        pattern = row.patterns.get(value)
        if pattern is None:
            sayer.missing.add(("line", f"{definition.kind}.{value}" if value else definition.kind))
        said = sayer.fill(pattern or f"<{definition.kind}.{value}>", self.list_printed(definition, sayer))
        return self.paragraph(PRINTED, sayer.sentence(said), sayer, None)

    def list_printed(self, definition: Definition, sayer: Sayer) -> dict[str, Slot]:
        """The printed values of a card, for the patterns of its slots."""

        def slot(words: list[str]) -> Slot:
            def say(asked: str) -> str:
                return sayer.join("list", [sayer.noun((Token("NAME", word),)).say(asked) for word in words])

            if len(words) == 1 and _WHOLE.match(words[0]):
                return number(int(words[0]))
            return make_fixed(" ".join(words)) if all(word.isdigit() for word in words) else Slot(say)

        rows = {name: node.items if isinstance(node, Items) else (node,) for name, node in definition.values.items()}
        found = {name: [item.value for item in items if isinstance(item, Scalar)] for name, items in rows.items()}
        flags = {name: make_fixed("") for name, words in found.items() if words == ["true"]}
        return flags | {name: slot(words) for name, words in found.items() if words not in _NOTHING}

    def ability(self, definition: Definition, ability: Ability) -> Iterator[Paragraph]:
        """`limit, only: window, do`; every window of a list has the same text, said once."""
        source = ability.do or ability.always
        if source is None:
            return
        sayer = self.sayer(definition)
        windows = [text for text in (ability.window, *ability.other_windows) if text is not None]
        frame = "ability-action" if ability.use else "ability-window" if windows else "ability-always"
        head = sayer.join("or", [sayer.say_window(text.window).rstrip(",") for text in windows]) if windows else ""
        condition = sayer.say_condition(ability.only.condition) if ability.only else ""
        only = sayer.frame("ability-only", condition=make_fixed(condition)) if condition else ""
        body = sayer.text(source.block.statements, lasting=ability.do is None)
        slots = {
            "window": make_fixed(head),
            "only": make_fixed(only),
            "limit": make_fixed(sayer.say_limit(ability.limit.limit)) if ability.limit else make_fixed(""),
            "body": make_fixed(lower_first_letter(body) if windows or only else body),
        }
        yield self.paragraph(ability.id, sayer.sentence(sayer.frame(frame, **slots)), sayer, source)

    def sayer(self, definition: Definition) -> Sayer:
        kind = self.model.kinds[definition.kind]  # what lends its abilities speaks of the card that bears them
        return Sayer(self.grammar, self.lexicon, kind.lends or kind.id, brief=self.brief)

    def paragraph(self, part: str, text: str, sayer: Sayer, source: Text | None) -> Paragraph:
        said = tidy(euphony(text, self.rules))
        return Paragraph(part, said, frozenset(sayer.missing), source, sayer.shortened)


def is_at(card: Definition, place: str) -> bool:
    """Whether all abilities of a card ask for a thing: `only: you are in the kitchen`."""
    return bool(card.abilities) and all(
        ability.only is not None and any(str(token) == place for token in tokens(ability.only.node))
        for ability in card.abilities.values()
    )


@cache
def package_of(file: str) -> str | None:
    """The id of the package that a file belongs to."""
    for folder in Path(file).parents:
        if (folder / "package.yaml").is_file():
            manifest = load_manifest(folder, Diagnostics())
            return manifest.id if manifest is not None else None
    return None


class Rule(NamedTuple):
    """What sounds wrong, and what is said for it."""

    pattern: re.Pattern[str]
    better: str
    needed: str  # stands in every text that the pattern is found in


def euphony_rules(grammar: Grammar) -> list[Rule]:
    return [make_rule(find, better) for find, better in grammar.tables.get("euphony", ())]


@lru_cache(1024)
def make_rule(find: str, better: str) -> Rule:
    return Rule(re.compile(find, re.IGNORECASE), better, find_needed_text(find))


_SET: Final = re.compile(r"\[\^?\]?[^\]]*\]")
_GROUP: Final = re.compile(r"\((?!\?(?!:))(?:\?:)?([^()|]*)\)(?![?*{])|\([^()]*\)[?*]?")
_LOOSE: Final = re.compile(r".(?:[?*]|\{[^}]*\})[?+]?|[+.^$]")


def find_needed_text(find: str) -> str:
    """The longest text that stands wherever a pattern is found, in folded letters; to look for it is quicker."""
    plain = _SET.sub("\0", re.sub(r"\\.", "\0", find))
    while "(" in plain:
        plain = _GROUP.sub(lambda group: "\0" if group[1] is None else group[1], plain)
    pieces = _LOOSE.sub("\0", plain).split("\0")
    return "" if "|" in plain else max(reversed(pieces), key=len).casefold()


def euphony(text: str, rules: Iterable[Rule]) -> str:
    """The last pass: what sounds wrong between two words."""
    folded = text.casefold()
    for pattern, better, needed in rules:
        if needed in folded:
            other = pattern.sub(better, text)
            if other is not text:
                text, folded = other, other.casefold()
    return text


def number(value: int) -> Slot:
    features = Features("n", "sg" if abs(value) == 1 else "pl", figure=abs(value))
    return make_fixed(str(value).replace("-", "−"), features)


def lower_first_letter(text: str) -> str:
    return text[:1].lower() + text[1:]


def span_of(card: Definition, paragraph: Paragraph) -> Span:
    return card.span if paragraph.source is None else paragraph.source.scalar.span


def report_missing(sort: str, name: str, language: str, card: str, span: Span, diags: Diagnostics) -> None:
    """A word that the text of a card needs and nobody gave."""
    what, hint = _SORTS[sort]
    message = f"{what} {name} has no words in '{language}': the text of {card} cannot be made"
    diags.add("G0910", span, message, hint.format(name=name))
