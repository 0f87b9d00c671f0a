"""Slips of a translator, sown into our own texts with a fixed seed: what `l10n check` has to find."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple

from grimoire.compiler.l10n_check import Text, check_texts
from grimoire.compiler.l10n_glossary import Lemmas, read_words
from grimoire.compiler.l10n_language import TOKEN, knowledge
from grimoire.compiler.l10n_store import Edition, Standing
from grimoire.compiler.l10n_terms import stem, stems

SMALL = {"the", "of", "a", "an", "to", "in", "on", "for", "and", "or", "with"}
LATIN = dict(zip("аеіорсухАВЕКМНОРСТХ", "aeiopcyxABEKMHOPCTX", strict=True))
MODALS = {
    "uk": {
        "може": "мусить",
        "можуть": "мусять",
        "можете": "мусите",
        "мусить": "може",
        "мусять": "можуть",
        "мусите": "можете",
    },
    "ru": {
        "может": "обязан",
        "могут": "обязаны",
        "можете": "обязаны",
        "должен": "может",
        "должны": "могут",
        "обязан": "может",
    },
}


def common(words: set[str]) -> str:
    """What all words begin with."""
    first, last = min(words), max(words)
    size = next((at for at, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), min(len(first), len(last)))
    return first[:size]


class Slip(NamedTuple):
    kind: str
    id: str
    before: str
    after: str


class Sower:
    """Makes slips of each kind in the texts of one language."""

    def __init__(self, edition: Edition, language: str, chance: random.Random) -> None:
        reader = read_words(edition, language)
        assert reader is not None
        self.lemmas = Lemmas(reader)
        self.language = knowledge(language)
        english = read_words(edition, "en")
        assert english is not None
        self.english = {
            name: {
                stem(word.lower())
                for key in lemma.keys
                if key in english.terms
                for row in english.terms[key].forms.values()
                for form in row
                for word in form.split()
            }
            - SMALL
            for name, lemma in self.lemmas.lemmas.items()
        }
        self.tables = [{form.lower() for form in table.values()} for table in self.lemmas.forms.values()]
        tails = Counter(form.removeprefix(common(row)) for row in self.tables for form in row)
        self.endings = {tail for tail, count in tails.items() if count > 5 and len(tail) < 4}
        self.chance = chance
        self.kinds: dict[str, Callable[[Text], str | None]] = {
            "number": self.number,
            "term": self.term,
            "modal": self.modal,
            "case": self.case,
            "alphabet": self.alphabet,
            "symbol": self.symbol,
            "sentence": self.sentence,
        }

    def put(self, text: str, match: re.Match[str], word: str) -> str:
        old = match[0]
        word = word[:1].upper() + word[1:] if old[:1].isupper() else word
        return text[: match.start()] + word + text[match.end() :]

    def words(self, text: str) -> list[re.Match[str]]:
        """Words outside of placeholders, in a random order."""
        places = [range(*match.span()) for match in re.finditer(r"\{[^{}]*\}", text)]
        found = [match for match in TOKEN.finditer(text) if not any(match.start() in place for place in places)]
        self.chance.shuffle(found)
        return found

    def number(self, text: Text) -> str | None:
        """Another number: a figure, or a word for one, that the source has too."""
        given = set().union(*knowledge("en").figures(text.source))
        for match in self.words(text.target):
            if match[0].isdigit() and int(match[0]) in given:
                return self.put(text.target, match, str(int(match[0]) + self.chance.choice((1, 2, 3))))
            value = self.language.numbers.get(match[0].lower())
            if value is not None and 2 <= value <= 9 and value in given:
                first = {number: word for word, number in reversed(self.language.numbers.items())}
                return self.put(text.target, match, first[value + 1])
        return None

    def term(self, text: Text) -> str | None:
        """Another term in the same case and number, where the source names the thing."""
        given = stems(text.source)
        for match in self.words(text.target):
            readings = sorted(self.lemmas.readings.get(match[0].lower(), ()))
            names = {reading.lemma for reading in readings}
            if not any(given & self.english[name] for name in names):
                continue
            one = readings[0]
            others = [
                name
                for name, table in self.lemmas.forms.items()
                if (one.number, one.case) in table
                and name not in names
                and self.english[name]
                and not given & self.english[name]
            ]
            if others:
                return self.put(text.target, match, self.lemmas.forms[self.chance.choice(others)][one.number, one.case])
        return None

    def modal(self, text: Text) -> str | None:
        for match in self.words(text.target):
            other = MODALS[self.language.language].get(match[0].lower())
            if other is not None and (self.modal_of(text.source, other)):
                return self.put(text.target, match, other)
        return None

    def modal_of(self, source: str, other: str) -> bool:
        """A slip changes what the source says: may in the source, must in the translation."""
        english = knowledge("en")
        becomes_must = self.language.must.search(other) is not None
        return (english.may if becomes_must else english.must).search(source) is not None

    def case(self, text: Text) -> str | None:
        """Another form of the same noun, or an ending that the noun does not have."""
        for match in self.words(text.target):
            readings = sorted(self.lemmas.readings.get(match[0].lower(), ()))
            if not readings:
                continue
            own = {form.lower() for form in self.lemmas.forms[readings[0].lemma].values()}
            forms = sorted(own - {match[0].lower()})
            if self.chance.random() < 0.5:
                base = common(own)
                forms = sorted({base + ending for ending in self.endings} - own) if len(base) > 3 else []
            if forms:
                return self.put(text.target, match, self.chance.choice(forms))
        return None

    def alphabet(self, text: Text) -> str | None:
        places = [at for at, sign in enumerate(text.target) if sign in LATIN]
        if not places:
            return None
        at = self.chance.choice(places)
        return text.target[:at] + LATIN[text.target[at]] + text.target[at + 1 :]

    def symbol(self, text: Text) -> str | None:
        """A placeholder, a bracket or a quote is lost."""
        found = list(re.finditer(r"\{[^{}|]*\}|[«»()+×„“]", text.target))
        if not found:
            return None
        match = self.chance.choice(found)
        return text.target[: match.start()] + text.target[match.end() :]

    def sentence(self, text: Text) -> str | None:
        parts = re.split(r"(?<=[.!?])\s+", text.target)
        if len(parts) < 2 or len(re.split(r"(?<=[.!?])\s+", text.source)) < 2:
            return None
        parts.pop(self.chance.randrange(len(parts)))
        return " ".join(parts)


def sow(edition: Edition, language: str, texts: Sequence[Text], count: int, seed: int) -> list[Slip]:
    """So many slips, all kinds in turn, each in a string of its own."""
    chance = random.Random(seed)
    sower = Sower(edition, language, chance)
    used: set[str] = set()
    slips: list[Slip] = []
    while len(slips) < count:
        for kind, make in sower.kinds.items():
            order = [text for text in texts if text.id not in used]
            chance.shuffle(order)
            for text in order:
                after = make(text)
                if after is not None and after != text.target and len(slips) < count:
                    used.add(text.id)
                    slips.append(Slip(kind, text.id, text.target, after))
                    break
    return slips


class Result(NamedTuple):
    found: dict[str, tuple[int, int]]  # kind -> found, sown
    missed: list[Slip]
    clean: int
    flagged: list[str]


def measure(
    edition: Edition, language: str, texts: Sequence[Text], count: int, seed: int, *, accepted: bool = False
) -> Result:
    """Sow, check the whole edition with the slips in it, and count: a slip counts as found if its string has a finding that
    it had not before; a clean string counts as flagged if it has any."""
    slips = {slip.id: slip for slip in sow(edition, language, texts, count, seed)}
    if accepted:  # all texts stood as somebody had accepted them before the slips were made
        texts = [text._replace(standing="accepted") for text in texts]
    before = {(row.id, row.check) for row in check_texts(language, "en", texts, edition)}
    standing: Standing = "changed" if accepted else "new"
    sown = [
        text._replace(target=slips[text.id].after, standing=standing) if text.id in slips else text for text in texts
    ]
    after = {(row.id, row.check) for row in check_texts(language, "en", sown, edition)}
    found: dict[str, tuple[int, int]] = {}
    missed: list[Slip] = []
    for slip in slips.values():
        hit = any(row not in before for row in after if row[0] == slip.id)
        done, whole = found.get(slip.kind, (0, 0))
        found[slip.kind] = (done + hit, whole + 1)
        if not hit:
            missed.append(slip)
    clean = [text.id for text in texts if text.id not in slips]
    flagged = {row[0] for row in after}
    return Result(found, missed, len(clean), [id_ for id_ in clean if id_ in flagged])
