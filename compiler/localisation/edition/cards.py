"""The cards of a book: name, kind, printed values and the rules text that is generated from their effects.

In: the model, tables, names and words of a package in one language. Out: a list of `Group`, one for each kind that has
cards, and what has no words.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from grimoire.compiler.declare.model import Definition, PackageModel
from grimoire.compiler.localisation.edition.book import Tables
from grimoire.compiler.localisation.languages import SOURCE
from grimoire.compiler.localisation.text.cards import CardText, Paragraph
from grimoire.compiler.localisation.text.inflect import NUMBERS
from grimoire.runtime.core.tables import Artefact, Column
from grimoire.runtime.wording.words import Words

CARD: Final = "card"  # the kind above all cards
_LEAD: Final = re.compile(
    r"[^:.,(]+(?:[:.]|(?=,| \())"
)  # `Pass (12+): ..`: what a text is for, without what goes with it


class Card(NamedTuple):
    """A card, token, figure or sheet as it is shown."""

    id: str
    name: str
    copies: int
    values: tuple[tuple[str, str], ...]  # what is printed on it, with its heading
    texts: tuple[str, ...]
    leads: tuple[int, ...]  # how much of each text is the heading that it begins with: `Action:`
    clauses: tuple[str, ...]  # that it says to carry out
    flavour: str = ""


class Group(NamedTuple):
    """All cards of one kind."""

    kind: str
    name: str
    card: bool  # and not a figure, a token, a sheet
    texts: tuple[str, ...]  # of all its cards
    leads: tuple[int, ...]
    clauses: tuple[str, ...]  # that all of its cards say to carry out; the cards do not repeat them
    cards: tuple[Card, ...]

    def copies(self) -> int:
        return sum(card.copies for card in self.cards)


class Gallery:
    """Shows the cards of a package in one language; `says` is nothing where the package has no words for texts."""

    def __init__(
        self, model: PackageModel, artefact: Artefact, tables: Tables, words: Words, says: CardText | None
    ) -> None:
        self.model = model
        self.artefact = artefact
        self.tables = tables
        self.words = words
        self.says = says
        self.missing: set[tuple[str, str]] = set()
        self.unheaded: dict[str, None] = {}  # printed values that the language has no heading for
        self.fixtures = [row.id for row in artefact.fixtures]
        self.numbers = {row.id: number for number, row in enumerate(artefact.definitions)}

    def groups(self) -> list[Group]:
        """The kinds by name, and their cards by name."""
        by_kind: dict[str, list[Definition]] = {}
        for definition in self.model.definitions.values():
            by_kind.setdefault(definition.kind, []).append(definition)
        found = [self.group(kind, cards) for kind, cards in by_kind.items()]
        return sorted(found, key=lambda group: (self.tables.key(group.name), group.kind))

    def group(self, kind: str, definitions: list[Definition]) -> Group:
        row = self.model.kinds[kind]
        common = Definition(kind, kind, 1, None, {}, {}, row.abilities, row.span, row.package)
        cards = sorted(map(self.card, definitions), key=lambda card: (self.tables.key(card.name), card.id))
        name = self.name_kind(kind, sum(card.copies for card in cards) > 1)
        texts, leads = self.texts(common)
        shared = (
            [id_ for id_ in cards[0].clauses if all(id_ in card.clauses for card in cards)] if len(cards) > 1 else []
        )
        rest = (card._replace(clauses=tuple(id_ for id_ in card.clauses if id_ not in shared)) for card in cards)
        name = name[:1].upper() + name[1:]
        return Group(kind, name, self.is_card(kind), texts, leads, tuple(shared), tuple(rest))

    def name_kind(self, kind: str, many: bool) -> str:
        """What a kind is called: many of it in the plural, where the term of that name has one."""
        name = self.words.name(kind)
        if many and self.says is not None and kind in self.says.lexicon.terms:
            term, grammar = self.says.lexicon.terms[kind], self.says.grammar
            case, (one, other) = grammar.cases[0], NUMBERS
            if other in term.forms and one in term.forms and grammar.noun(term, case, one).lower() == name.lower():
                return grammar.noun(term, case, other)
        return name

    def card(self, definition: Definition) -> Card:
        name = self.words.name(definition.id)
        said = self.says is not None and self.says.row(definition) is not None  # the texts begin with what is printed
        values = () if said else self.values(definition)
        texts, leads = self.texts(definition)
        programs = [text.clauses for text in definition.programs.values()]
        abilities = [ability.clauses for ability in definition.abilities.values()]
        clauses = {id_ for ids in (definition.clauses, *programs, *abilities) for id_ in ids}
        known = tuple(id_ for id_ in self.model.clauses if id_ in clauses)
        flavour = self.words.flavour(definition.id) or ""
        return Card(definition.id, name[:1].upper() + name[1:], definition.copies, values, texts, leads, known, flavour)

    def texts(self, definition: Definition) -> tuple[tuple[str, ...], tuple[int, ...]]:
        """What it says, and how much of each text is a heading."""
        if self.says is None:
            return (), ()
        parts = list(self.says.paragraphs(definition))
        self.missing.update(word for part in parts for word in part.missing)
        parts = [part for part in parts if part.text]
        return tuple(part.text for part in parts), tuple(self.lead(definition, part) for part in parts)

    def lead(self, definition: Definition, part: Paragraph) -> int:
        """A text in a slot with words of its own, or one that is used in the place of something, begins with what it is
        for."""
        assert self.says is not None
        ability = definition.abilities.get(part.part)
        pattern = self.says.lexicon.slots.get(part.part.partition(".")[0], "")
        before = pattern.partition("{body}")[0].rstrip()
        if not (before.endswith((":", ".")) if ability is None else ability.use):
            return 0
        found = _LEAD.match(part.text)
        return found.end() if found is not None else 0

    def is_card(self, kind: str) -> bool:
        return CARD in self.model.ancestors(kind) and self.model.kinds[kind].lends is None

    def values(self, definition: Definition) -> tuple[tuple[str, str], ...]:
        """What the card gives its fields. The effect language is English: there the id of a field does where it has no
        heading."""
        rows: list[tuple[str, str]] = []
        above = self.model.ancestors(definition.kind)
        for column in self.artefact.columns:
            kind, _, field = column.id.rpartition(".")
            if column.of != "piece" or not column.printed or kind not in above or field not in definition.values:
                continue
            value = self.value(column, column.printed[self.numbers[definition.id]])
            heading = self.words.heading(column.id)
            if heading.startswith("<"):
                heading = field.replace("-", " ") if self.tables.language == SOURCE else ""
            if value == self.words.name(definition.id):
                continue  # what makes its name a value that can be named
            if value is not None and heading:
                rows.append((heading[:1].upper() + heading[1:], value))
            elif not heading:
                self.unheaded.setdefault(column.id)
        return tuple(rows)

    def value(self, column: Column, value: int) -> str | None:
        """A value of the tables in words, or nothing."""
        sort = column.sort
        if sort == "number":
            return str(value)
        if sort == "flag":
            return self.words.own_text("yes") if value else None
        if sort != "fixture":
            return None
        if column.set:
            ids = [id_ for at, id_ in enumerate(self.fixtures) if (value >> at) & 1]
        else:
            ids = [self.fixtures[value]] if value >= 0 else []
        return ", ".join(self.words.name(id_) for id_ in ids) or None
