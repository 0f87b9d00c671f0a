"""A second sower of slips, written without a look at the checks: what somebody who translates in a hurry does to a
text.

It knows nothing of the glossary's links to the source, and does not ask whether the source names what it changes. Cases
are changed with the dictionary where it is installed, and by exchanging endings elsewhere. Seeds below 100 are for work
on the checks; figures that are told anywhere come from the seeds of `HELD_OUT`.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from grimoire.compiler.localisation.translation.forms import Forms, is_installed
from grimoire.compiler.localisation.translation.glossary import read_words
from grimoire.compiler.localisation.translation.run import Text, is_free
from grimoire.compiler.localisation.translation.strings import Edition

HELD_OUT = (401, 402)
SEVEN = ("number", "term", "modal", "case", "alphabet", "symbol", "sentence")  # what the goal is set for
WORD = re.compile(r"[А-Яа-яЁёІіЇїЄєҐґ]+(?:['’][А-Яа-яЁёІіЇїЄєҐґ]+)*")
TWINS = dict(zip("асеіорхуАВСЕНІКМОРТХ", "aceiopxyABCEHIKMOPTX", strict=True))
WRONG_LETTERS = {
    "uk": {"и": "ы", "є": "э", "е": "э", "і": "ы", "І": "l"},
    "ru": {"и": "і", "ы": "і", "э": "є", "е": "є", "й": "ї"},
}
NUMBERS = {  # forms of the same kind beside each other
    "uk": [
        "один два три чотири п'ять шість сім вісім дев'ять десять",
        "одна дві три чотири",
        "одну дві три чотири п'ять шість сім вісім",
        "одного двох трьох чотирьох п'яти шести семи восьми",
        "однієї двох трьох чотирьох п'яти шести",
        "двом трьом чотирьом п'ятьом",
        "двома трьома чотирма п'ятьма",
        "двоє троє четверо п'ятеро",
        "двічі тричі",
        "перший другий третій четвертий",
        "перша друга третя",
        "другого третього четвертого",
        "першу другу третю",
    ],
    "ru": [
        "один два три четыре пять шесть семь восемь девять десять",
        "одна две три четыре",
        "одну две три четыре пять шесть семь восемь",
        "одного двух трёх четырёх пяти шести семи восьми",
        "одной двух трёх четырёх пяти шести",
        "двум трём четырём пяти",
        "двумя тремя четырьмя пятью",
        "двое трое четверо пятеро",
        "дважды трижды",
        "первый второй третий четвёртый",
        "первая вторая третья",
        "второго третьего четвёртого",
        "первую вторую третью",
    ],
}
MODALS = {
    "uk": {
        "може": "мусить повинен має",
        "можуть": "мусять повинні мають",
        "можете": "мусите повинні маєте",
        "можна": "треба слід потрібно",
        "мусить": "може",
        "мусять": "можуть",
        "мусите": "можете",
        "повинен": "може",
        "повинна": "може",
        "повинні": "можуть",
        "треба": "можна",
        "слід": "можна",
        "потрібно": "можна",
    },
    "ru": {
        "может": "должен обязан",
        "могут": "должны обязаны",
        "можете": "должны обязаны",
        "можно": "нужно следует надо",
        "должен": "может",
        "должна": "может",
        "должны": "могут",
        "обязан": "может",
        "обязаны": "могут",
        "нужно": "можно",
        "надо": "можно",
        "следует": "можно",
    },
}
HAVE_TO = {"uk": {"має": "може", "мають": "можуть", "маєте": "можете"}, "ru": {}}
WISH = {
    "uk": r",? ?(?:якщо (?:хоче|хочете|бажає|бажаєте|забажає)|за бажанням|за бажання)\b,?",
    "ru": r",? ?(?:если (?:хочет|хотите|желает|желаете|захочет)|по желанию|при желании)\b,?",
}
SENSE = {
    "uk": [
        ("усі|один всі|один усіх|одного всіх|одного усім|одному кожен|один кожна|одна кожного|одного кожному|одному"),
        "перед|після після|перед",
        "більше|менше більший|менший більша|менша найбільше|найменше найбільший|найменший "
        "щонайменше|щонайбільше більшого|меншого",
        "верхню|нижню верхня|нижня верхній|нижній верх|низ зверху|знизу горі|низу верхні|нижні",
        "перший|останній першого|останнього перша|остання першу|останню першим|останнім",
        "не|",
        "або|і чи|і",
        "лише|також тільки|також",
        "без|з",
        "виграє|програє виграють|програють перемагає|програє перемагають|програють",
        "горілиць|долілиць відкрито|закрито",
        "додайте|відніміть отримує|втрачає отримайте|втратьте бере|скидає візьміть|скиньте беруть|скидають",
    ],
    "ru": [
        "все|один всех|одного всем|одному каждый|один каждая|одна каждого|одного каждому|одному",
        "перед|после после|перед",
        "больше|меньше больший|меньший большая|меньшая наибольший|наименьший большего|меньшего",
        "верхнюю|нижнюю верхняя|нижняя верхний|нижний верх|низ сверху|снизу верхние|нижние",
        "первый|последний первого|последнего первая|последняя первую|последнюю первым|последним",
        "не|",
        "или|и",
        "только|также лишь|также",
        "без|с",
        "выигрывает|проигрывает выигрывают|проигрывают побеждает|проигрывает побеждают|проигрывают",
        "открыто|закрыто лицом|рубашкой",
        "добавьте|вычтите получает|теряет получите|потеряйте берёт|сбрасывает возьмите|сбросьте берут|сбрасывают",
    ],
}
PRONOUNS = {"Apro", "NPRO", "Fixd", "Anph"}
ENDINGS = {
    "uk": "а у ою і и ів ам ами ах ом ем ею я ю ями ях ові ого ому им их ими ий ої ій ення",
    "ru": "а у ой е ы и ов ам ами ах ом ем ей я ю ями ях ого ому ым их ыми ый ую ая",
}


class Slip(NamedTuple):
    kind: str
    id: str
    before: str
    after: str


Make = Callable[[str], Iterator[str]]


class Sower:
    """All slips of a kind that can be made in a text."""

    def __init__(self, edition: Edition, language: str, chance: random.Random, dictionary: bool = True) -> None:
        self.language, self.chance = language, chance
        self.forms: Any = Forms(language) if dictionary and is_installed(language) else None
        reader = read_words(edition, language)
        rows = (
            [
                term
                for term in reader.terms.values()
                if not any(" " in form for row in term.forms.values() for form in row)
            ]
            if reader
            else []
        )
        self.terms = [
            {(number, at): form.lower() for number, row in term.forms.items() for at, form in enumerate(row)}
            for term in rows
        ]
        self.by_form: dict[str, list[tuple[dict[Any, str], Any]]] = {}
        for table in self.terms:
            for state, form in table.items():
                self.by_form.setdefault(form, []).append((table, state))
        self.kinds: dict[str, list[Make]] = {
            "number": [self.digit, self.number_word],
            "term": [self.term],
            "modal": [self.modal, self.modal, self.wish, self.order],
            "case": [self.other_form, self.no_form] if self.forms else [self.other_ending],
            "alphabet": [self.twin, self.twin, self.foreign],
            "symbol": [self.place, self.bracketed, self.quote],
            "sentence": [self.sentence, self.clause],
            "doubled": [self.doubled],
            "sense": [self.flip(row) for row in SENSE[language]],
        }

    # ---------------------------------------------------------------- helpers

    @staticmethod
    def words(text: str) -> list[re.Match[str]]:
        closed = [match.span() for match in re.finditer(r"\{[^{}]*\}", text)]
        return [match for match in WORD.finditer(text) if not any(a <= match.start() < b for a, b in closed)]

    @staticmethod
    def put(text: str, match: re.Match[str], new: str) -> str:
        if match[0][:1].isupper():
            new = new[:1].upper() + new[1:]
        return text[: match.start()] + new + text[match.end() :]

    # ---------------------------------------------------------------- numbers, terms

    def digit(self, text: str) -> Iterator[str]:
        for match in re.finditer(r"(?<![\w{])\d+(?![\w}|])", text):
            other = self.chance.choice(
                [n for n in range(max(0, int(match[0]) - 3), int(match[0]) + 4) if n != int(match[0])]
            )
            yield self.put(text, match, str(other))

    def number_word(self, text: str) -> Iterator[str]:
        for match in self.words(text):
            rows = [row.split() for row in NUMBERS[self.language] if match[0].lower() in row.split()]
            if rows:
                yield self.put(text, match, self.chance.choice([word for word in rows[0] if word != match[0].lower()]))

    def term(self, text: str) -> Iterator[str]:
        for match in self.words(text):
            found = self.by_form.get(match[0].lower())
            if found:
                table, state = found[0]
                others = sorted({other[state] for other in self.terms if state in other} - set(table.values()))
                if others:
                    yield self.put(text, match, self.chance.choice(others))

    # ---------------------------------------------------------------- may and must

    def modal(self, text: str) -> Iterator[str]:
        words = self.words(text)
        for at, match in enumerate(words):
            new = MODALS[self.language].get(match[0].lower(), "").split()
            have = HAVE_TO[self.language].get(match[0].lower())
            if have and at + 1 < len(words) and re.search(r"ти(?:ся)?\Z", words[at + 1][0]):
                new = [have]
            if new:
                yield self.put(text, match, self.chance.choice(new))

    def wish(self, text: str) -> Iterator[str]:
        for match in re.finditer(WISH[self.language], text):
            yield text[: match.start()] + text[match.end() :]

    def order(self, text: str) -> Iterator[str]:
        """You may draw: draw."""
        if self.forms is None:
            return
        pattern = r"\b(?:[Вв]и )?([Мм]ожете|[Мм]ожна|[Мм]ожно) ([а-яіїєґё']+)"
        for match in re.finditer(pattern, text):
            for parse in self.forms.morph.parse(match[2]):
                marks = {"impr", "plur", "2per"} if self.language == "uk" else {"impr", "plur", "excl"}
                form = parse.inflect(marks) if parse.tag.POS in ("INFN", "VERB") else None
                if form is not None and form.word != match[2]:
                    new = form.word[:1].upper() + form.word[1:] if match[0][0].isupper() else form.word
                    yield text[: match.start()] + new + text[match.end() :]
                    break

    # ---------------------------------------------------------------- endings

    def other_form(self, text: str) -> Iterator[str]:
        for match, parses in self.declined(text):
            own = {(str(parse.tag.case), str(parse.tag.number), str(parse.tag.gender)) for parse in parses}
            word = match[0].lower()
            forms = sorted(
                {
                    form.word
                    for form in parses[0].lexeme
                    if form.tag.POS in ("NOUN", "ADJF")
                    and not form.tag.grammemes & {"Arch", "V-oy", "Erro", "arch"}
                    and (str(form.tag.case), str(form.tag.number), str(form.tag.gender)) not in own
                    and str(form.tag.case) in ("nomn", "gent", "datv", "accs", "ablt", "loct")
                }
                - {word}
            )
            if forms:
                yield self.put(text, match, self.chance.choice(forms))

    def no_form(self, text: str) -> Iterator[str]:
        for match, parses in self.declined(text):
            forms = {form.word for form in parses[0].lexeme}
            base = min(forms, key=len)
            while base and not all(form.startswith(base) for form in forms):
                base = base[:-1]
            if len(base) < 3:
                continue
            made = [base + tail for tail in ENDINGS[self.language].split()]
            made = [word for word in made if not self.forms.morph.word_is_known(word)]
            if made:
                yield self.put(text, match, self.chance.choice(made))

    def declined(self, text: str) -> Iterator[tuple[re.Match[str], list[Any]]]:
        for match in self.words(text):
            word = match[0].lower().replace("’", "'")
            if len(word) >= 4 and self.forms.morph.word_is_known(word):
                parses = self.forms.morph.parse(word)
                all_marks = set().union(*(parse.tag.grammemes for parse in parses))
                if all(parse.tag.POS in ("NOUN", "ADJF") for parse in parses) and not all_marks & PRONOUNS:
                    yield match, parses

    def other_ending(self, text: str) -> Iterator[str]:
        tails = ENDINGS[self.language].split()
        for match in self.words(text):
            word = match[0].lower()
            own = max((tail for tail in tails if word.endswith(tail)), key=len, default="")
            if own and len(word) - len(own) >= 4:
                yield self.put(text, match, word.removesuffix(own) + self.chance.choice([t for t in tails if t != own]))

    # ---------------------------------------------------------------- letters and signs

    def twin(self, text: str) -> Iterator[str]:
        for match in self.words(text):
            places = [at for at, sign in enumerate(match[0]) if sign in TWINS]
            if places:
                at = match.start() + self.chance.choice(places)
                yield text[:at] + TWINS[text[at]] + text[at + 1 :]

    def foreign(self, text: str) -> Iterator[str]:
        table = WRONG_LETTERS[self.language]
        for match in self.words(text):
            places = [at for at, sign in enumerate(match[0]) if sign in table]
            if places:
                at = match.start() + self.chance.choice(places)
                yield text[:at] + table[text[at]] + text[at + 1 :]

    def drop(self, pattern: str, text: str) -> Iterator[str]:
        for match in re.finditer(pattern, text):
            yield re.sub(r"  +", " ", text[: match.start()] + text[match.end() :]).strip()

    def place(self, text: str) -> Iterator[str]:
        yield from self.drop(r"\{[^{}]*\}", text)

    def bracketed(self, text: str) -> Iterator[str]:
        yield from self.drop(r"\[[^\[\]]+\]|</?\w+>|[+×→−]", text)

    def quote(self, text: str) -> Iterator[str]:
        yield from self.drop(r"[«»„“()]", text)

    # ---------------------------------------------------------------- what is lost, said twice, turned round

    def sentence(self, text: str) -> Iterator[str]:
        parts = re.split(r"(?<=[.!?])\s+", text)
        for at in range(len(parts)) if len(parts) > 1 else ():
            yield " ".join(parts[:at] + parts[at + 1 :])

    def clause(self, text: str) -> Iterator[str]:
        for match in re.finditer(r", [^,.;:!?()«»{}]+(?=[,.;:!?]|\Z)", text):
            if len(match[0].split()) >= 3:
                yield text[: match.start()] + text[match.end() :]

    def doubled(self, text: str) -> Iterator[str]:
        for match in self.words(text):
            yield text[: match.end()] + " " + match[0].lower() + text[match.end() :]

    def flip(self, row: str) -> Make:
        table = dict(pair.split("|") for pair in row.split())
        table |= {
            new: old for old, new in table.items() if new and new not in table and new not in ("і", "и", "з", "с")
        }

        def make(text: str) -> Iterator[str]:
            for match in self.words(text):
                new = table.get(match[0].lower())
                if new is not None:
                    made = self.put(text, match, new)
                    yield made if new else re.sub(r"  +", " ", made).strip()

        return make


def sow(
    edition: Edition,
    language: str,
    texts: Sequence[Text],
    count: int,
    seed: int,
    kinds: Sequence[str] = (),
    *,
    dictionary: bool = True,
) -> list[Slip]:
    """So many slips, all kinds in turn, each in a string of its own. Flavour is left out: its sense is not checked."""
    texts = [text for text in texts if not is_free(text)]
    chance = random.Random(seed)
    sower = Sower(edition, language, chance, dictionary)
    used: set[str] = set()
    slips: list[Slip] = []
    idle = 0
    while len(slips) < count and idle < 50:
        idle += 1
        for kind, ways in sower.kinds.items():
            if kinds and kind not in kinds:
                continue
            for make in chance.sample(ways, len(ways)):
                slip = _one(kind, make, texts, used, chance)
                if slip is not None:
                    slips.append(slip)
                    used.add(slip.id)
                    idle = 0
                    break
    return slips[:count]


def _one(kind: str, make: Make, texts: Sequence[Text], used: set[str], chance: random.Random) -> Slip | None:
    for text in chance.sample(texts, min(len(texts), 400)):
        if text.id not in used:
            made = [after for after in make(text.target) if after != text.target and after]
            if made:
                return Slip(kind, text.id, text.target, chance.choice(made))
    return None
