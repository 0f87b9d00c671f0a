"""Our own texts as a printed edition in plain text, and slips of printers and translators sown into it with a fixed
seed."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from grimoire.compiler.localisation.audit.run import collect_clause_texts
from grimoire.compiler.localisation.edition.book import Book, load_tables, make_book
from grimoire.compiler.localisation.translation.strings import Edition

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

SEE: dict[str, Mapping[str, Sequence[str]]] = {}  # related topics, by package
WIDTH = 78
SIGNS = ("☛", "- ☛", "❖", "✿")

# What is exchanged for what: whole words, by language. Each pair is of one class, in the same form.
SWAPS: dict[str, dict[str, list[tuple[str, str]]]] = {
    "uk": {
        "track": [("подорожі", "ритуалу"), ("Подорожі", "Ритуалу")],
        "space": [
            ("палубній", "водній"),
            ("водній", "палубній"),
            ("внутрішній", "палубній"),
            ("палубну", "внутрішню"),
            ("водну", "палубну"),
            ("палубних", "внутрішніх"),
            ("внутрішніх", "водних"),
            ("лазареті", "карцері"),
            ("лазарет", "карцер"),
            ("лазарету", "карцеру"),
        ],
        "title": [("капітан", "хранитель гримуара"), ("капітана", "хранителя гримуара")],
        "actor": [
            ("людина", "культист"),
            ("людину", "пасажира"),
            ("пасажир", "персонаж"),
            ("глибоководний", "пасажир"),
            ("глибоководних", "монархів"),
            ("монстр", "пасажир"),
            ("Мати Гідра", "Батько Дагон"),
        ],
        "term": [
            ("міту", "курсу"),
            ("заклинань", "предметів"),
            ("лояльності", "посади"),
            ("активації", "треку"),
            ("підтримки", "завади"),
            ("успіх", "провал"),
            ("Гібрид", "Людина"),
            ("курсу", "заклинань"),
        ],
        "opposite": [
            ("горілиць", "долілиць"),
            ("долілиць", "горілиць"),
            ("верхню", "нижню"),
            ("найбільшим", "найменшим"),
            ("ліворуч", "праворуч"),
            ("не може", "може"),
            ("не можуть", "можуть"),
            ("не можна", "можна"),
            ("щонайменше", "щонайбільше"),
        ],
        "extent": [("одного", "усіх"), ("одну", "всі"), ("усіх", "одного"), ("кожного", "одного"), ("кожен", "один")],
    },
    "ru": {
        "track": [("путешествия", "ритуала"), ("ритуала", "путешествия")],
        "space": [
            ("наружной", "водной"),
            ("водной", "наружной"),
            ("внутренней", "наружной"),
            ("наружную", "внутреннюю"),
            ("водную", "наружную"),
            ("наружных", "внутренних"),
            ("внутренних", "водных"),
            ("лазарете", "карцере"),
            ("лазарет", "карцер"),
            ("лазарета", "карцера"),
        ],
        "title": [("капитан", "хранитель фолианта"), ("капитана", "хранителя фолианта")],
        "actor": [
            ("пассажир", "персонаж"),
            ("глубоководный", "пассажир"),
            ("глубоководных", "монархов"),
            ("монстр", "пассажир"),
            ("Матерь Гидра", "Отец Дагон"),
        ],
        "term": [
            ("мифа", "роли"),
            ("заклинаний", "вещей"),
            ("роли", "звания"),
            ("активации", "трека"),
            ("положительных", "отрицательных"),
            ("успех", "провал"),
            ("гибрида", "человека"),
        ],
        "opposite": [
            ("вверх", "вниз"),
            ("вниз", "вверх"),
            ("верхнюю", "нижнюю"),
            ("наибольшим", "наименьшим"),
            ("слева", "справа"),
            ("не может", "может"),
            ("не могут", "могут"),
            ("нельзя", "можно"),
        ],
        "extent": [("одного", "всех"), ("одну", "все"), ("всех", "одного"), ("каждого", "одного"), ("каждый", "один")],
    },
    "en": {
        "track": [("travel", "ritual"), ("ritual", "travel")],
        "space": [
            ("deck", "interior"),
            ("interior", "deck"),
            ("water", "deck"),
            ("Sick Bay", "Brig"),
            ("Brig", "Sick Bay"),
        ],
        "title": [("captain", "keeper of the tome"), ("keeper of the tome", "captain")],
        "actor": [
            ("human", "cultist"),
            ("passenger", "character"),
            ("Deep One", "passenger"),
            ("Mother Hydra", "Father Dagon"),
            ("Father Dagon", "Mother Hydra"),
        ],
        "term": [("mythos", "waypoint"), ("spell", "item"), ("loyalty", "title"), ("supporting", "hindering")],
        "opposite": [
            ("face up", "face down"),
            ("face down", "face up"),
            ("highest", "lowest"),
            ("left", "right"),
            ("cannot", "can"),
            ("at least", "at most"),
        ],
        "extent": [("all", "one"), ("each", "one"), ("every", "one"), ("one", "all")],
    },
}
ENGLISH_MODALS = {"may": "must", "must": "may"}
STRUCTURE = ("drop clause", "drop bullet", "extra clause", "swap clauses")
KINDS = ("number", "track", "space", "title", "actor", "term", "opposite", "extent", "modal", "letters", *STRUCTURE)


class Statement(NamedTuple):
    """A line of the book to be."""

    id: str
    entry: int
    clause: int
    bullet: bool
    text: str


class Sown(NamedTuple):
    kind: str
    number: str  # the printed clause
    before: str
    after: str


def make(edition: Edition, language: str) -> Book:
    SEE[edition.id] = {id_: rule.see for id_, rule in edition.model.rules.items() if rule.see is not None}
    return make_book(
        edition.model, {"clauses": collect_clause_texts(edition, language)}, edition.id, load_tables()[language]
    )[0]


def statements(book: Book) -> list[Statement]:
    found: list[Statement] = []
    for at, entry in enumerate(book.all()):
        for line in entry.lines:
            key = re.match(r"\d+", line.id.rpartition(".")[2])
            assert key is not None
            found.append(Statement(line.id, at, int(key[0]), line.bullet, line.text))
    return found


def number_of(book: Book, row: Statement) -> str:
    number = book.all()[row.entry].number
    return f"{number}.{row.clause}" if row.clause else number


def render(book: Book, rows: Sequence[Statement], chance: random.Random) -> str:
    """A book as a scan gives it: headings, numbers, bullets of any sign, lines broken anywhere, pages that end in the
    middle."""
    words = book.tables.words
    lines: list[str] = [book.title.upper(), ""]
    entry = -1
    for row in rows:
        if row.entry != entry:
            if entry >= 0:
                lines += _topics(book, entry, chance)
            entry = row.entry
            head = book.all()[entry]
            mark = chance.choice(("", "## ", "### "))
            if head.appendix:
                lines += ["", f"{mark}{words['appendix'].upper()} {head.number}. {head.title.upper()}", ""]
            else:
                lines += ["", f"{mark}{head.number} {head.title.upper()}", ""]
        head = book.all()[entry]
        if row.bullet:
            text = f"{chance.choice(SIGNS)} {row.text}"
        elif row.clause == 0:
            text = row.text
        elif head.appendix:
            text = f"{row.clause}. {row.text}"
        else:
            text = f"{chance.choice(('', '', '- '))}{head.number}.{row.clause} {row.text}"
        lines += [*_wrapped(text, chance), ""]
        if chance.random() < 0.03:
            lines += ["", "", ""]
    return "\n".join(lines) + "\n"


def _topics(book: Book, entry: int, chance: random.Random) -> list[str]:
    titles = {row.id: row.title for row in book.all()}
    named = sorted(titles[id_] for id_ in SEE[book.package].get(book.all()[entry].id, ()))
    name = chance.choice((str, str.lower))
    return [f"**{book.tables.words['see'].upper()}.** {', '.join(map(name, named))}.", ""] if named else []


def _wrapped(text: str, chance: random.Random) -> list[str]:
    """Lines of a column; now and then a long word is broken."""
    lines, line = [], ""
    for word in text.split(" "):
        if line and len(line) + len(word) + 1 > WIDTH:
            if len(word) > 9 and word.isalpha() and word.islower() and chance.random() < 0.3:
                lines.append(f"{line} {word[:4]}-")
                line = word[4:]
                continue
            lines.append(line)
            line = word
            continue
        line = f"{line} {word}" if line else word
    # a line that begins like a heading, a clause or a bullet would be one
    return [*lines, line] if all(re.match(r"[^\W\d_]", row) for row in [*lines[1:], line]) else [text]


# --- slips ------------------------------------------------------------------------------------------------------------


def swap(text: str, pairs: Iterable[tuple[str, str]], chance: random.Random) -> str | None:
    """A text with one word exchanged, where its other words do not say the new one already."""
    fits = [
        (old, new)
        for old, new in pairs
        if len(re.findall(rf"(?<![\w'-]){re.escape(old)}(?![\w'-])", text)) == 1 and new[:5].lower() not in text.lower()
    ]
    if not fits:
        return None
    old, new = chance.choice(fits)
    return re.sub(rf"(?<![\w'-]){re.escape(old)}(?![\w'-])", new, text)


def number(text: str, chance: random.Random) -> str | None:
    found = [match for match in re.finditer(r"(?<![\w.,–-])\d+(?![\w–-])", text) if int(match[0]) > 1]
    if not found:
        return None
    match = chance.choice(found)
    other = next(value for value in (int(match[0]) + 1, int(match[0]) + 2, int(match[0]) + 3) if str(value) not in text)
    return text[: match.start()] + str(other) + text[match.end() :]


def latin(text: str, chance: random.Random) -> str | None:
    places = [match.start() for match in re.finditer(r"(?<=\w)[аеіорсух](?=\w)", text)]
    if not places:
        return None
    at = chance.choice(places)
    return text[:at] + LATIN[text[at]] + text[at + 1 :]


def changers(language: str) -> dict[str, Callable[[str, random.Random], str | None]]:
    modals = [*MODALS.get(language, ENGLISH_MODALS).items()]
    made: dict[str, Callable[[str, random.Random], str | None]] = {
        kind: lambda text, chance, pairs=tuple(pairs): swap(text, pairs, chance)  # type: ignore[misc]
        for kind, pairs in SWAPS[language].items()
    }
    made["modal"] = lambda text, chance: swap(text, modals, chance)
    made["number"] = number
    if language != "en":
        made["letters"] = latin
    return made


def sow(book: Book, language: str, seed: int, each: int) -> tuple[str, list[Sown]]:
    """A book with `each` slips of every kind, no two in one clause; and what was sown."""
    chance = random.Random(seed)
    rows = statements(book)
    made: list[Sown] = []
    used: set[tuple[int, int]] = set()
    plain = changers(language)

    def is_free(row: Statement) -> bool:
        near = {(row.entry, row.clause + by) for by in (-1, 0, 1)}
        return not near & used and book.all()[row.entry].id != "secrecy"

    for kind in KINDS:
        left = each
        order = list(range(len(rows)))
        chance.shuffle(order)
        for at in order:
            if not left or at >= len(rows):
                break
            row = rows[at]
            if not is_free(row):
                continue
            if kind in plain:
                after = plain[kind](row.text, chance)
                if after is None:
                    continue
                rows[at] = row._replace(text=after)
                made.append(Sown(kind, number_of(book, row), row.text, after))
            elif kind == "drop bullet" and row.bullet:
                del rows[at]
                made.append(Sown(kind, number_of(book, row), row.text, ""))
            elif kind == "drop clause" and not row.bullet and row.clause and not book.all()[row.entry].appendix:
                rows = [other for other in rows if (other.entry, other.clause) != (row.entry, row.clause)]
                made.append(Sown(kind, number_of(book, row), row.text, ""))
            elif kind == "extra clause" and not row.bullet and row.clause and not book.all()[row.entry].appendix:
                last = max(index for index, other in enumerate(rows) if other.entry == row.entry)
                away = chance.choice([other for other in rows if other.entry != row.entry and len(other.text) > 40])
                new = Statement("", row.entry, rows[last].clause + 1, False, away.text)
                if (row.entry, rows[last].clause) in used:
                    continue
                used.add((row.entry, rows[last].clause))
                rows.insert(last + 1, new)
                made.append(Sown(kind, number_of(book, new), "", away.text))
            elif kind == "swap clauses" and not row.bullet and row.clause:
                others = [
                    index
                    for index, other in enumerate(rows)
                    if (other.entry, other.bullet) == (row.entry, False)
                    and other.clause > row.clause
                    and is_free(other)
                ]
                if not others:
                    continue
                there = rows[others[0]]
                rows[at], rows[others[0]] = row._replace(text=there.text), there._replace(text=row.text)
                used.add((there.entry, there.clause))
                made.append(Sown(kind, number_of(book, row), row.text, there.text))
            else:
                continue
            used.add((row.entry, row.clause))
            left -= 1
    return render(book, rows, chance), made
