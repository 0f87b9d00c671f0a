"""Read simple generated sentences back to what they mean, with the tables that they were said with: a proof that the
tables can be read.

In: the words of a package and the tables of a language, and a sentence of the form `do this to that [there]`. Out:
every meaning that the tables have for it. Nothing is generated here: patterns are taken apart, and forms are looked up.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from grimoire.compiler.localisation.text.cards import CardText
from grimoire.compiler.localisation.text.inflect import Features, Verb
from grimoire.compiler.localisation.text.sentences import Sayer
from grimoire.compiler.syntax import nodes as s

Thing = tuple[str, ...]  # ("2", "card"), ("each", "room"), ("", "room")
_PART = re.compile(r"\{([\w-]+)(?::(\w+)[\w.]*)?\}|([^{}]+)")
_SAME = {"an": "a", "у": "в", "й": "і", "із": "з", "зі": "з", "во": "в", "со": "с"}
_FIRST = re.compile(r"^у(?=[бвгґджзйклмнпрстфхцчшщ])")
_DETERMINERS = ("the", "a", "each", "your", "this")


class Meaning(NamedTuple):
    """A verb, its object, and the phrases behind it."""

    verb: str
    object: Thing | None
    phrases: tuple[tuple[str, Thing], ...]


def canon(text: str) -> tuple[str, ...]:
    """The words of a text, without what only makes it easier to say."""
    words = [_FIRST.sub("в", _SAME.get(word, word)) for word in re.findall(r"[\w'’«»„“\"-]+", text.lower())]
    return tuple(word for at, word in enumerate(words) if words[at + 1 : at + 2] != ["the"] or word not in ("a", "the"))


class Back:
    """Reads the sentences of a package in one language."""

    def __init__(self, says: CardText) -> None:
        self.grammar, self.lexicon = says.grammar, says.lexicon
        own = {*says.model.verbs, *self.grammar.tables["verbs"]}
        self.verbs = [name for name in self.lexicon.verbs if name in own]
        self.articles = says.grammar.language == "en"
        tables = self.grammar.tables
        self.nouns: dict[str, dict[tuple[str, ...], set[Thing]]] = {
            case: defaultdict(set) for case in self.grammar.cases
        }
        for name, term in self.lexicon.terms.items():
            for case in self.grammar.cases:
                features = term.features("sg")
                noun = self.grammar.noun(term, case, features.number)
                for sort in (*_DETERMINERS, "a_in"):
                    word = self.determiner(sort, case, features)
                    if word is not None:
                        self.nouns[case][canon(f"{word} {noun}")].add((self.plain(sort), name))
        self.numbers: dict[tuple[str, int], dict[tuple[str, ...], set[str]]] = {}
        self.places = {str(tables.get("at", "")), *(term.at for term in self.lexicon.terms.values() if term.at)}

    def plain(self, sort: str) -> str:
        """Languages without articles do not tell `the` from `a`."""
        return sort if self.articles or sort not in ("the", "a", "a_in") else ""

    def determiner(self, sort: str, case: str, features: Features) -> str | None:
        table = self.grammar.tables["determiners"]
        key = "this_det" if sort == "this" else "own" if sort == "your" and "own" in table and case != "nom" else sort
        row = table.get(key)
        if row is None:
            return None
        return self.grammar.find_agreeing(row, case, features) if isinstance(row, Mapping) else str(row)

    def things(self, words: tuple[str, ...], case: str) -> set[Thing]:
        """What a noun phrase can be."""
        case = case if case in self.nouns else self.grammar.cases[0]
        found = set(self.nouns[case].get(words, ()))
        if words and words[0].isdigit():
            number = int(words[0])
            found |= {(words[0], name) for name in self.counted(case, number).get(words[1:], ())}
        return found

    def counted(self, case: str, number: int) -> dict[tuple[str, ...], set[str]]:
        if (case, number) not in self.numbers:
            rows: dict[tuple[str, ...], set[str]] = defaultdict(set)
            for name, term in self.lexicon.terms.items():
                said = self.grammar.portion if term.mass else self.grammar.inflect_counted
                rows[canon(said(term, number, case)[0])].add(name)
            self.numbers[case, number] = rows
        return self.numbers[case, number]

    # ------------------------------------------------------------ patterns

    def match(
        self, pattern: str, words: tuple[str, ...], fixed: Mapping[str, str]
    ) -> Iterator[tuple[dict[str, Any], tuple[str, ...]]]:
        """Every way in which the words begin with what the pattern says: what its slots hold, and the words behind
        it."""
        parts = [(found[1], found[2] or self.grammar.cases[0], found[3]) for found in _PART.finditer(pattern)]
        yield from self.parts(parts, words, fixed)

    def parts(
        self, parts: Sequence[tuple[str, str, str]], words: tuple[str, ...], fixed: Mapping[str, str]
    ) -> Iterator[tuple[dict[str, Any], tuple[str, ...]]]:
        if not parts:
            yield {}, words
            return
        (slot, case, literal), *rest = parts
        if literal is not None or slot in fixed:
            said = canon(literal if literal is not None else fixed[slot])
            if words[: len(said)] == said:
                yield from self.parts(rest, words[len(said) :], fixed)
            return
        for size in range(1, len(words) + 1):
            found = self.places_of(words[:size]) if slot in ("at", "from") else self.things(words[:size], case)
            if found:
                for more, behind in self.parts(rest, words[size:], fixed):
                    yield {slot: found, **more}, behind

    def places_of(self, words: tuple[str, ...]) -> set[Thing]:
        table = self.grammar.tables.get("from-at", {})
        return {(at,) for at in self.places if words in (canon(at), canon(str(table.get(at, at))))}

    def read(self, sentence: str) -> set[Meaning]:
        """Everything that a sentence can mean."""
        words = canon(sentence)
        found: set[Meaning] = set()
        for name in self.verbs:
            verb = self.lexicon.verbs[name]
            form = verb.forms.get("imp")
            if form is None or words[: len(canon(form))] != canon(form) or "[" in verb.pattern or "?" in verb.pattern:
                continue
            pattern = verb.pattern.replace("{amount} {noun}", "{object}")
            for slots, rest in self.match(pattern, words, {"v": form}):
                if slots.keys() <= {"object"}:
                    for phrases in self.tails(rest, verb):
                        found |= {Meaning(name, item, phrases) for item in slots.get("object", {None})}
        return found

    def tails(self, words: tuple[str, ...], verb: Verb) -> Iterator[tuple[tuple[str, Thing], ...]]:
        """The phrases that stand behind a verb and its object."""
        if not words:
            yield ()
            return
        table = {**self.grammar.tables["prepositions"], **verb.phrases}
        for prep, pattern in table.items():
            if not isinstance(pattern, str) or "[" in pattern or "#" in pattern or "{np" not in pattern:
                continue
            for slots, rest in self.match(pattern, words, {}):
                for phrases in self.tails(rest, verb):
                    yield from (((prep, thing), *phrases) for thing in slots["np"])


# --- what an effect means, in the same form ---------------------------------------------------------------------------


def meaning(node: s.Statement, back: Back, sayer: Sayer) -> Meaning | None:
    """What a simple step means; none if it is not simple."""
    if not isinstance(node, s.Act) or node.subject is not None or node.modal is not None:
        return None
    action = node.action
    if action.bind is not None or action.able or action.instead or str(action.verb) == "take":
        return None
    thing = None if action.object is None else thing_of(action.object, back, sayer)
    phrases = [(phrase.prep.type.lower(), thing_of(phrase.item, back, sayer)) for phrase in action.phrases]
    if (action.object is not None and thing is None) or any(item is None for _, item in phrases):
        return None
    return Meaning(str(action.verb), thing, tuple((prep, item) for prep, item in phrases if item is not None))


def thing_of(item: object, back: Back, sayer: Sayer) -> Thing | None:
    if isinstance(item, s.Operand):
        return thing_of(item.items[0], back, sayer) if len(item.items) == 1 else None
    if isinstance(item, s.Pronoun) and item.word.type == "THIS":
        own = f"this {sayer.this}"
        return ("this", own if own in back.lexicon.terms else sayer.this)
    if not isinstance(item, s.Noun | s.Counted) or item.relative is not None:
        return None
    words = (*item.words, *item.rest) if isinstance(item, s.Noun) else item.words
    name, number = sayer.noun_of(words)
    if name not in back.lexicon.terms or len(words) != name.count(" ") + 1:
        return None
    if isinstance(item, s.Counted):
        low = item.count.low
        return (str(low.value), name) if item.count.kind == "exactly" and isinstance(low, s.Number) else None
    sort = item.det.type.lower() if item.det is not None else ""
    if item.amount is not None or sort not in _DETERMINERS or number != "sg":
        return None
    return (back.plain(sort), name)
