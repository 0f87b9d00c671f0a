"""What a translator should know about each string: notes for the entries of a PO file.

In: an edition and its model. Out: for the id of a string some lines of text: what a card is, what is printed on it, its
effect and the wording generated from it; the number of a clause in the books, and what carries it out; when a question
is asked and a sentence told, and what its placeholders stand for. Names of things are those of the source language.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from grimoire.compiler.declare.model import Ability, Definition, Param, Printed, Text
from grimoire.compiler.declare.sections import BASE_KINDS
from grimoire.compiler.diagnostics.report import Diagnostics
from grimoire.compiler.files import read_file
from grimoire.compiler.localisation.edition.book import load_tables, make_book
from grimoire.compiler.localisation.text.cards import CardText
from grimoire.compiler.localisation.text.lexicon import plain
from grimoire.compiler.localisation.text.plurals import plural_examples
from grimoire.compiler.localisation.text.sentences import Sayer
from grimoire.compiler.localisation.text.texts import list_questions, read_texts
from grimoire.compiler.localisation.translation.strings import Edition, split_id
from grimoire.compiler.localisation.tuning import (
    NOTES_MOST,
)
from grimoire.compiler.proof.mutate import find_carriers
from grimoire.compiler.proof.places import read_places
from grimoire.compiler.source.tree import Mapping, Scalar
from grimoire.compiler.source.tree import Sequence as Items
from grimoire.compiler.syntax.nodes import Line
from grimoire.runtime.core.statements import Choose, Menu
from grimoire.runtime.plain_data import Json

_MARKS: Final = re.compile(r"§\S+\s*")
_KEY: Final = re.compile(r"\s*(?:- )?[\w .*-]+:\s*(?=\S)")
_PLAYER: Final = "player"
_SORTS: Final = {
    "seat": "player",
    "fixture": "thing",
    "piece": "piece",
    "zone": "zone",
    "number": "number",
    "flag": "flag",
}
_TOOL: Final = {
    "order": "what comes first, of several things that happen at once",
    "react": "whether to use an ability now",
    "who-first": "who acts first",
    "done": "to choose no more",
    "decline": "to let it be",
    "pass": "to do nothing",
    "in-turn": "each in turn",
}
_SEEN: Final = {
    "all": "everyone sees it",
    "owner": "its owner sees it",
    "none": "nobody sees it",
    "top": "its top is seen",
}


class Notes:
    """The notes of one language."""

    def __init__(self, edition: Edition, language: str, source: str) -> None:
        self.edition, self.model, self.artefact = edition, edition.model, edition.program
        self.language, self.source = language, source
        self.says: dict[str, CardText] = {}
        for id_ in dict.fromkeys((source, language)):
            says = edition.make_card_text(id_)
            if says is not None:
                self.says[id_] = says
        self.numbers = {id_: self.collect_book_numbers(id_) for id_ in edition.languages}
        self.asked: dict[str, list[tuple[str, Menu | Choose]]] = defaultdict(list)  # label -> who asks, and how
        self.entries: dict[str, list[tuple[str, Menu | Choose, int]]] = defaultdict(list)  # and how much is chosen
        self.files: dict[str, list[str]] = {}
        for proc in self.artefact.procs:
            for row in list_questions(proc.body) if proc.body is not None else ():
                self.asked[row.label].append((proc.label, row))
                if isinstance(row, Choose):
                    self.entries[row.label].append((proc.label, row, 1))
                    continue
                for entry in row.entries:
                    self.entries[entry.id].append((proc.label, row, len(entry.domains)))
        self.done: dict[str, list[str]] = defaultdict(list)  # clause -> what carries it out
        self.carry()
        self.abilities = {row.label for row in self.artefact.abilities}
        self.places = read_places(self.artefact)

    def make_comment(self, id_: str) -> str:
        section, key = split_id(id_)
        lines: Iterable[str] = getattr(self, f"note_{section}")(key)
        return "\n".join(" ".join(line.split()) for line in lines)

    # --- names and words ----------------------------------------------------------------------------------------------

    def name(self, id_: str) -> str:
        """An id with its name in the source language."""
        texts = self.edition.open_language(self.source)
        said = texts.text(f"names.{id_}")
        return f"{id_} «{said}»" if said else id_

    def note_title(self, key: str) -> Iterator[str]:
        yield "the name of the game"

    def note_names(self, key: str) -> Iterator[str]:
        model = self.model
        if "*" in key:
            yield from self.note_pattern(key, [*model.definitions, *model.things, *model.zones])
        elif key in model.definitions:
            yield from self.describe_card(model.definitions[key])
        elif key in model.things:
            thing = model.things[key]
            yield f"thing: {key}, of the kind {self.name(thing.kind)}"
            yield from self.note_values(thing.values)
        elif key in model.kinds:
            kind = model.kinds[key]
            there = [id_ for id_, row in model.definitions.items() if row.kind == key]
            there += [id_ for id_, thing in model.things.items() if thing.kind == key]
            is_base = kind.parent is None or kind.parent in BASE_KINDS
            parent = "" if is_base else f", which is a kind of {self.name(str(kind.parent))}"
            yield f"kind: {key}{parent}, of which there are {len(there)}" + _list_some(map(self.name, there))
        elif key in model.zones:
            zone = model.zones[key]
            owner = "of each player" if zone.each else "of the game"
            yield f"zone: {key} {owner}, holds {self.name(zone.holds)}; {_SEEN.get(zone.seen, zone.seen)}"
        elif key in model.counters:
            yield f"counter: {key}"
        elif key in model.options:
            yield f"option of the game: {key}"
        else:
            option, _, value = key.partition(".")
            yield f"value of the option {self.name(option)}: {value}" if option in model.options else f"name: {key}"

    def note_headings(self, key: str) -> Iterator[str]:
        found = False
        for row in self.artefact.columns:
            kind, _, name = row.id.rpartition(".")
            if key in (row.id, name):
                what = "state that is shown" if row.printed is None else "value that is printed"
                yield f"heading of a {what}: {name} of {self.name(kind)} ({_SORTS.get(row.sort, row.sort)})"
                found = True
        if key in self.model.zones or key in self.model.counters:
            yield f"heading of a {'zone' if key in self.model.zones else 'counter'} on the screen: {self.name(key)}"
        elif not found:
            yield f"heading: {key}"

    # --- cards --------------------------------------------------------------------------------------------------------

    def note_cards(self, key: str) -> Iterator[str]:
        yield "the text of the card, to be read in play"
        yield from self.note_card(key)

    def note_card(self, key: str) -> Iterator[str]:
        if "*" in key:
            yield from self.note_pattern(key, [*self.model.definitions])
        elif key in self.model.definitions:
            yield from self.describe_card(self.model.definitions[key])

    def note_flavour(self, key: str) -> Iterator[str]:
        yield "what the card tells beside its rules: to be told anew, not word by word"
        yield from self.note_card(key)

    def note_pattern(self, key: str, ids: list[str]) -> Iterator[str]:
        """What a pattern stands for, and one of it."""
        pattern = re.compile(re.escape(key).replace(r"\*", ".+") + r"\Z")
        there = [id_ for id_ in ids if pattern.match(id_)]
        yield f"for all of {len(there)}, with * for what differs" + _list_some(there)
        if there and there[0] in self.model.definitions:
            yield from self.describe_card(self.model.definitions[there[0]])

    def describe_card(self, card: Definition, part: str = "") -> Iterator[str]:
        """A card in words, or one part of it."""
        copies = f", {card.copies} copies" if card.copies > 1 else ""
        yield f"{card.kind} {self.name(card.id)}{copies}"
        yield from self.note_values(card.values)
        texts: dict[str, Text | Ability] = {**card.programs, **card.abilities}
        part = part if part in texts else ""  # what a card has from its kind is understood by the whole card
        there = {slot: text for slot, text in texts.items() if part in ("", slot)}
        if not there and not part and not any(True for _ in self.note_wording(card, part)):
            yield "no effect: nothing but its name and what is printed"
        for slot, text in there.items():
            yield f"effect {slot}: {_print_effect(text)}"
        yield from self.note_wording(card, part)

    def note_wording(self, card: Definition, part: str = "") -> Iterator[str]:
        for language, says in self.says.items():
            for paragraph in says.paragraphs(card):
                if part in ("", paragraph.part):
                    if paragraph.missing:
                        words = ", ".join(sorted(name for _, name in paragraph.missing))
                        yield f"wording {language}: not yet: words are missing for {words}"
                    else:
                        yield f"wording {language}: {paragraph.text}"

    def note_values(self, rows: dict[str, Printed]) -> Iterator[str]:
        values = {name: _format_value(_make_plain(value)) for name, value in rows.items()}
        if values:
            yield "printed: " + "; ".join(f"{name}: {value}" for name, value in values.items())

    # --- clauses ------------------------------------------------------------------------------------------------------

    def collect_book_numbers(self, language: str) -> dict[str, str]:
        """The numbers of rules and clauses in the book of a language: as printed, or as they would be."""
        model = self.model
        found = {id_: row.numbers[language] for id_, row in model.rules.items() if language in row.numbers}
        found |= {id_: row.numbers[language] for id_, row in model.clauses.items() if language in row.numbers}
        texts: dict[str, str] = {}
        for folder in (*self.edition.needs, self.edition.root):
            read = read_texts(folder, Diagnostics(), self.edition.reader, language).get(language)
            texts |= {key: text.value for key, text in read.texts["clauses"].items()} if read is not None else {}
        texts = {id_: texts.get(id_, "") for id_ in (*model.rules, *model.clauses)}
        tables = load_tables().get(language)
        is_printed = all(language in rule.numbers for rule in model.rules.values())
        if is_printed or tables is None or not all(texts[id_] for id_ in model.rules):
            return found
        book, _ = make_book(model, {"clauses": texts}, self.edition.id, tables)
        for entry in book.all():
            found[entry.id] = entry.number
            found |= {line.id: line.number for line in entry.lines}
        return found

    def carry(self) -> None:
        """Which statements and rows of tables carry out which clauses."""
        for text in self.model.texts:
            if text.node is None:
                continue
            for line in _iterate_lines(text.node):
                for clause in _find_cited(line):
                    self.done[clause] += [
                        row for row in self.note_statement(text, line) if row not in self.done[clause]
                    ]
            for clause in text.clauses:
                row = f"done by {text.owner}: {_print_effect(text)}"
                if row not in self.done[clause]:
                    self.done[clause].append(row)
        for carrier in find_carriers(self.artefact):
            if carrier.path[0] != "procs":
                self.done[carrier.clause].append(f"done by {carrier.name}")

    def note_statement(self, text: Text, line: Line) -> Iterator[str]:
        """A statement as it stands in the file, and its wording where there are words for all of it."""
        yield f"done by {text.owner}: {_print_source(text, line)}"
        for language, says in self.says.items():
            sayer = Sayer(says.grammar, says.lexicon, _PLAYER)
            said = says.paragraph("", sayer.text((line,)), sayer, text)
            if not said.missing:
                yield f"wording {language}: {said.text}"

    def note_clauses(self, key: str) -> Iterator[str]:
        model = self.model
        where = [(id_, rows[key]) for id_, rows in self.numbers.items() if key in rows]
        where.sort(key=lambda row: row[0] != self.language)
        number = ", ".join(f"{number} in {id_}" for id_, number in where)
        clause = model.clauses.get(key)
        if clause is None:
            count = sum(id_.rpartition(".")[0] == key for id_ in model.clauses)
            yield (
                f"title of the rule {key}, {count} clauses; number "
                f"{number or 'by the alphabet, once all titles are there'}"
            )
            return
        rule = key.rpartition(".")[0]
        title = self.edition.open_language(self.source).text(f"clauses.{rule}")
        yield f"clause of the rule {rule}{f' «{title}»' if title else ''}; number {number or key}; {clause.kind}"
        if clause.reason:
            yield f"not played: {clause.reason}"
        done = self.done.get(key, [])
        yield from done[: NOTES_MOST * 3]
        if not done and not clause.reason:
            yield "it says what something is: no statement of its own carries it out"

    # --- play ---------------------------------------------------------------------------------------------------------

    def describe_actor(self, label: str) -> str:
        """Who asks or does: the label of a procedure, for people."""
        name = label.removeprefix("ability:")
        head, _, part = name.partition(".")
        if head in self.model.definitions:
            return f"{self.model.definitions[head].kind} {self.name(head)}" + (f" ({part})" if part else "")
        return name

    def split_bearer(self, key: str) -> tuple[str, str]:
        """What a text is worded for, and the key itself: `card.part.ask` is the ask of a part of a card."""
        head, _, own = key.rpartition(".")
        return (head, own) if head and key not in self.asked and key not in self.entries else ("", key)

    def note_prompts(self, key: str) -> Iterator[str]:
        bearer, label = self.split_bearer(key)
        if label in _TOOL:
            yield f"question, asked by the tool: {_TOOL[label]}" + (
                f"; here: {self.describe_actor(bearer)}" if bearer else ""
            )
        rows = [row for row in self.asked.get(label, []) if not bearer or _is_in(row[0], bearer)]
        rows = rows or self.asked.get(label, [])
        for who, row in rows[:NOTES_MOST]:
            yield f"question, asked by {self.describe_actor(who)}: {self.place(row)}"
        if len(rows) > NOTES_MOST:
            yield f"and in {len(rows) - NOTES_MOST} other places"
        if bearer:
            yield f"only where it comes from {self.describe_actor(bearer)}"
            yield from self.note_ability(bearer)
        answers = dict.fromkeys(entry.id for _, row in rows if isinstance(row, Menu) for entry in row.entries)
        there = [text for id_ in answers if (text := self.edition.open_language(self.source).text(f"choices.{id_}"))]
        if there:
            yield "answers: " + "; ".join(there)

    def note_ability(self, name: str) -> Iterator[str]:
        """The card, ability or verb of a name."""
        head, _, part = name.partition(".")
        model = self.model
        if head in model.definitions:
            yield from self.describe_card(model.definitions[head], part)
        elif head in model.kinds and part in model.kinds[head].abilities:
            kind = model.kinds[head]
            card = Definition(head, head, 1, None, {}, {}, kind.abilities, kind.span, kind.package)
            yield from self.describe_card(card, part)
        elif name in model.abilities:
            row = model.abilities[name]
            yield f"ability {name}"
            yield f"effect {name}: {_print_effect(row)}"
            yield from self.note_wording(Definition(name, _PLAYER, 1, None, {}, {}, {name: row}, row.span, model.id))

    def note_choices(self, key: str) -> Iterator[str]:
        bearer, label = self.split_bearer(key) if key not in self.abilities else ("", key)
        if label in _TOOL:
            yield f"answer: {_TOOL[label]}"
        if key in self.abilities:
            yield "answer: to use this ability"
            yield from self.note_ability(key)
        rows = [row for row in self.entries.get(label, []) if not bearer or _is_in(row[0], bearer)]
        rows = rows or self.entries.get(label, [])
        for who, row, _ in rows[:NOTES_MOST]:
            prompt = self.edition.open_language(self.source).text(f"prompts.{row.label}")
            yield f"answer to «{prompt or row.label}», asked by {self.describe_actor(who)}: {self.place(row)}"
        if bearer:
            yield f"only where it comes from {self.describe_actor(bearer)}"
            yield from self.note_ability(bearer)
        count = max((count for _, _, count in rows), default=0)
        verb = self.model.verbs.get(label)
        params = [_describe_param(param) for param in verb.params] if verb is not None else []
        for at in range(count):
            what = params[at] if len(params) == count else "what it is done with"
            yield f"{{{at + 1}}}: {what}"

    def note_log(self, key: str) -> Iterator[str]:
        verb, upcoming = self.model.verbs.get(key), False
        head, _, tail = key.rpartition(".")
        if verb is None:
            upcoming = tail == "upcoming"
            verb = self.model.verbs.get(head if upcoming else tail)
        if verb is None:
            yield f"told when {key} has happened"
            return
        said = verb.signature or verb.id
        yield f"told before it happens: {said}" if upcoming else f"told when it has happened: {said}"
        if head and not upcoming:
            yield f"only inside {self.describe_actor(head)}"
        if verb.body is not None:
            yield f"what happens: {_print_effect(verb.body)}"
        yield "{you}: the player who does it"
        for at, param in enumerate(verb.params, 1):
            more = self.describe_count(at) if param.type.sort == "number" else ""
            yield f"{{{at}}}: {_describe_param(param)}{more}"
        if verb.told and verb.result is not None:
            more = self.describe_count("result") if verb.result.sort == "number" else ""
            yield f"{{result}}: what came of it ({verb.result}){more}"

    def describe_count(self, at: int | str) -> str:
        """How the forms of a noun are written beside a number."""
        forms = " / ".join(
            ", ".join(map(str, row)) + (", .." if len(row) > 1 else "") for row in plural_examples(self.language)
        )
        if not forms:
            return f"; {{{at}|..|..}} has forms of the noun: how this language counts is not known"
        return f"; {{{at}|..|..}} has a form of the noun for each of: {forms}"

    def note_reasons(self, key: str) -> Iterator[str]:
        if key in self.abilities:
            yield "told to a player who asks why this ability cannot be used"
            yield from self.note_ability(key)
        elif key in self.model.verbs:
            yield f"told to a player who asks why it cannot be done: {self.model.verbs[key].signature or key}"
        else:
            yield f"condition, told to a player who asks why something cannot be done: {key}"
            where = [place for place in self.places if place.text == key]
            for place in where[:NOTES_MOST]:
                yield f"at {Path(place.file).name}:{place.line}: {self.read_source_line(place.file, place.line)}"

    # --- places in the files ------------------------------------------------------------------------------------------

    def place(self, row: Menu | Choose) -> str:
        if row.at is None:
            return row.label
        place = self.places[row.at]
        return self.read_source_line(place.file, place.line)

    def read_source_line(self, name: str, number: int) -> str:
        """A line of a file, without the marks of clauses and the key before it."""
        if name not in self.files:
            folders = {folder.name: folder for folder in (*self.edition.needs, self.edition.root)}
            head, _, rest = name.partition("/")
            path = folders[head] / rest if head in folders else Path(name)
            self.files[name] = read_file(path).decode().splitlines() if path.is_file() else []
        lines = self.files[name]
        text = lines[number - 1] if 0 < number <= len(lines) else ""
        return _MARKS.sub("", _KEY.sub("", text, count=1)).strip(" |'\"")


def _print_effect(text: Text | Ability) -> str:
    """An effect in one line: of an ability its window, condition and limit as well."""
    if isinstance(text, Ability):
        parts = [("when", text.window), *(("when", row) for row in text.other_windows), ("only", text.only)]
        parts += [("limit", text.limit), ("do", text.do), ("always", text.always)]
        return "; ".join(f"{name}: {_print_effect(row)}" for name, row in parts if row is not None)
    return " / ".join(_MARKS.sub("", line).strip() for line in text.text.splitlines() if line.strip())


def _describe_param(param: Param) -> str:
    name, sort = param.noun or param.name, str(param.type)
    return name if name == sort else f"{name} ({sort})"


def _is_in(label: str, bearer: str) -> bool:
    name = label.removeprefix("ability:")
    return name == bearer or name.startswith(f"{bearer}.")


def _list_some(names: Iterable[str]) -> str:
    rows = list(names)
    return ": " + ", ".join(rows[:NOTES_MOST]) + (", .." if len(rows) > NOTES_MOST else "") if rows else ""


def _find_cited(line: Line) -> list[str]:
    return str(line.clause).lstrip("§").split(",") if line.clause is not None else []


def _iterate_lines(node: object) -> Iterator[Line]:
    """All statements at and below a node."""
    if isinstance(node, Line):
        yield node
    if isinstance(node, tuple):
        for part in node:
            yield from _iterate_lines(part)


def _print_source(text: Text, line: Line) -> str:
    """A statement as it stands in its text, without the marks."""
    rows = text.text.splitlines()
    at = (line.clause.line or 1) - 1 if line.clause is not None else 0
    return _MARKS.sub("", rows[at] if at < len(rows) else "").strip()


def _make_plain(value: Printed) -> Json:
    made: Json = plain(value) if isinstance(value, Scalar | Mapping | Items) else value
    return made


def _format_value(value: Json) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key} {_format_value(row)}" for key, row in value.items())
    return ", ".join(map(_format_value, value)) if isinstance(value, list | tuple) else str(value)
