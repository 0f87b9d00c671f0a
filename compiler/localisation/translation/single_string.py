"""The checks of one translation against its source that need no glossary.

In: the text of the source, the translation, and what is known about the two languages. Out: findings: (check, severity,
message). Each check holds back where a good translation may differ: a number may become a word, a sentence may be
joined with another.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from grimoire.compiler.localisation.text.language import TOKEN, Knowledge
from grimoire.compiler.localisation.translation.findings import ERROR, WARNING
from grimoire.compiler.localisation.tuning import (
    LENGTH_SHORT,
    LENGTH_SHORTER,
)
from grimoire.runtime.wording.counts import plural_forms
from grimoire.runtime.wording.placeholders import places_of


class Found(NamedTuple):
    check: str
    severity: str
    message: str


class Pair(NamedTuple):
    """A string in two languages."""

    source: str
    target: str
    from_: Knowledge
    to: Knowledge


_PLACE: Final = re.compile(r"\{[^{}]*\}")
_TAG: Final = re.compile(r"</?[A-Za-z][^<>]*>|\[[^\[\]]*\]|%(?:\(\w+\)|\d+\$)?[sdif](?!\w)|\$\{\w+\}|:[a-z]\w+:(?!\w)")
_MARKED: Final = re.compile(r"[{<\[%]|:[a-z]")
_SIGN: Final = re.compile(r"[^\w\s.,;:!?()«»„“”\"'’—–…`´-]")
_CROSS: Final = re.compile(r"(?<![\w'])[XХ](?![\w'])")
_LATIN: Final = re.compile(r"[A-Za-z\u00c0-\u024f]")
_CYRILLIC: Final = re.compile(r"[\u0400-\u052f]")
_ROMAN: Final = re.compile(r"[IVXLCDM]+\Z")
_LOOKALIKES: Final = frozenset("aceiopxyABCEHIKMOPTX")
_DOUBLED: Final = re.compile(r"(?<![\w'’-])([^\W\d_][\w'’]*)\s+\1(?![\w'’-])", re.IGNORECASE)
_SIGNS: Final = re.compile(
    r"[,;:]\s*[,;:.]|(?<!\.)\.\.(?!\.)|\.{4,}|\s[,;:.!?](?![.\w])|[(«„]\s|\s[)»“](?=\W|\Z)|  +|\.,"
)
_END: Final = re.compile(r"[.!?…:]+(?=[»“”\"')\]]*\Z)")
_SENTENCE: Final = re.compile(r"[.!?…]+[»“”\"')\]]*(?=\s|\Z)|[;:](?=\s)|\s—\s|\s–\s")
_STOP: Final = re.compile(r"[.!?…]+[»“”\"')\]]*(?=\s+[«„“\"(]?[^\W\d_a-zа-яіїєґё]|\Z)")


def check_pair(pair: Pair) -> Iterator[Found]:
    """All findings of one string."""
    for check in CHECKS:
        yield from check(pair)


def strip_places(text: str) -> str:
    """A text without placeholders and tags."""
    return _TAG.sub(" ", _PLACE.sub(" ", text)) if _MARKED.search(text) else text


def is_fuller(source: str, target: str) -> bool:
    """Whether a translation is so much longer than its source that it says more, as labels of choices do."""
    return len(target) > 1.5 * len(source) + 10


# --- numbers, may and must --------------------------------------------------------------------------------------------


def check_numbers(pair: Pair) -> Iterator[Found]:
    """A figure of one text must be in the other, as figure or word; a word for a number must not become another
    number."""
    count, count_to = pair.from_.figures(strip_places(pair.source)), pair.to.figures(strip_places(pair.target))
    if not any((*count, *count_to)):
        return
    digits, words, loose = (set(row) for row in count)
    digits_to, words_to, loose_to = (set(row) for row in count_to)
    here, there = digits | words | loose, digits_to | words_to | loose_to
    lost = {number for number in digits if number not in there}
    new = {number for number in digits_to if number not in here}
    if pair.from_.numbers and pair.to.numbers:
        lost_words = {number for number in words if number not in there}
        new_words = {number for number in words_to if number not in here}
        # a loose one (second, both, single) counts if it has become another number, or another number it
        loose_lost, loose_new = loose - there, loose_to - here
        if lost or new or (lost_words and new_words) or (new_words and loose_lost) or (lost_words and loose_new):
            lost, new = lost | lost_words, new | new_words
    else:  # words for numbers are not known: only what is in digits on both sides can be compared
        lost = {number for number in digits - digits_to if digits_to}
        new = digits_to - digits if digits else set()
    if 1 in lost and len(lost) == 1 and not new:  # one card, a card
        return
    if not lost and not digits | words and is_fuller(pair.source, pair.target):
        return  # a label that says more than its source
    if not lost and not new and pair.from_.numbers and pair.to.numbers:
        # every number is there, but not as often: one of them has become another one
        sure, sure_to = count[0] + count[1], count_to[0] + count_to[1]
        lost = set(sure - sure_to - (count_to[2] - count[2])) - {0}
        new = set(sure_to - sure - (count[2] - count_to[2])) - {0}
        if not lost or not new:
            return
    if lost or new:
        parts = [f"{_join_numbers(lost)} of the source is missing"] if lost else []
        parts += [f"{_join_numbers(new)} is not in the source"] if new else []
        yield Found("numbers", WARNING, ", ".join(parts))


def _join_numbers(found: set[int]) -> str:
    return ", ".join(map(str, sorted(found)))


def check_modals(pair: Pair) -> Iterator[Found]:
    """What one may do must not become what one must do, and the other way round."""
    may, must = pair.from_.may.search(pair.source), pair.from_.must.search(pair.source)
    may_to, must_to = pair.to.may.search(pair.target), pair.to.must.search(pair.to.senses.without("must", pair.target))
    if may and not must and must_to and not pair.from_.soft_must.search(pair.source):
        yield Found("modals", WARNING, f"the source says '{may[0]}', the translation '{must_to[0]}'")
    elif (
        (free := pair.to.need_not.search(pair.target))
        and (forbidden := pair.from_.forbids.search(pair.source))
        and not pair.from_.soft_must.search(pair.source)
        and not may_to
    ):
        yield Found("modals", WARNING, f"the source says '{forbidden[0]}', the translation '{free[0]}'")
    elif must and not may and may_to and not must_to and not pair.to.soft_must.search(pair.target):
        if not re.search(r"\bmust not\b|\bno(?:body| one)\b", pair.source):
            yield Found("modals", WARNING, f"the source says '{must[0]}', the translation '{may_to[0]}'")


# --- placeholders, tags, symbols --------------------------------------------------------------------------------------


def check_placeholders(pair: Pair) -> Iterator[Found]:
    if not any(sign in text for text in (pair.source, pair.target) for sign in "{}"):
        return
    places, given = places_of(pair.source)
    places_to, bad = places_of(pair.target)
    # files of other programs have placeholders of their own kind: what the source has is right
    for sign in dict.fromkeys(bad):
        if bad.count(sign) > given.count(sign):
            yield Found("placeholders", ERROR, f"{sign} is no placeholder")
    for sign in dict.fromkeys(given):
        if given.count(sign) > bad.count(sign):
            yield Found("placeholders", ERROR, f"{sign} is missing")
    there, there_to = {place.name for place in places}, {place.name for place in places_to}
    lost, new = sorted(there - there_to), sorted(there_to - there)
    if lost and new:
        yield Found("placeholders", ERROR, f"{{{lost[0]}}} has become {{{new[0]}}}")
    else:
        for name in lost:
            yield Found("placeholders", ERROR, f"{{{name}}} is missing")
        for name in new:
            yield Found("placeholders", ERROR, f"{{{name}}} is not in the source")
    plain = Counter(place.name for place in places if not place.forms)
    plain_to = Counter(place.name for place in places_to if not place.forms)
    for name in sorted(there & there_to):
        if plain_to[name] > max(plain[name], 1):
            yield Found(
                "placeholders", WARNING, f"{{{name}}} stands {plain_to[name]} times, in the source {plain[name]}"
            )
        elif plain[name] and not plain_to[name]:
            yield Found("placeholders", ERROR, f"{{{name}}} itself is missing: there are only its forms")
    count = plural_forms(pair.to.language)
    for place in places_to:
        if place.forms and count is None:
            text = f"{{{place.name}|..}}: how the language counts is not known, so all forms are shown"
            yield Found("placeholders", WARNING, text)
        elif place.forms and len(place.forms) != count:
            yield Found(
                "placeholders", ERROR, f"{{{place.name}|..}} has {len(place.forms)} forms, and the language {count}"
            )


def check_symbols(pair: Pair) -> Iterator[Found]:
    """Signs that are no letters, and marks like [icon] or <b>: as many as in the source."""
    if pair.source.isascii() and not set(pair.source) & set("+=<>[]|~^$/%") and pair.target.replace(" ", "").isalpha():
        return
    there, there_to = _count_symbols(pair.source), _count_symbols(pair.target)
    if there != there_to:
        for sign, count in (there - there_to).items():
            yield Found(
                "symbols",
                ERROR if len(sign) > 1 else WARNING,
                f"{sign} is missing" + (f" ({count})" if count > 1 else ""),
            )
        for sign in there_to - there:
            yield Found("symbols", ERROR if len(sign) > 1 else WARNING, f"{sign} is not in the source")
    for name in sorted(_open_tags(pair.target) - _open_tags(pair.source)):
        yield Found("symbols", ERROR, f"<{name}> and </{name}> do not match")


def _open_tags(text: str) -> set[str]:
    """Tags that are opened and not closed, or the other way round."""
    if "<" not in text:
        return set()
    opened, closed = (
        Counter(re.findall(r"<([A-Za-z]\w*)[^<>]*(?<!/)>", text)),
        Counter(re.findall(r"</([A-Za-z]\w*)", text)),
    )
    return {name for name in {*opened, *closed} if opened[name] != closed[name]}


def _count_symbols(text: str) -> Counter[str]:
    rest = _PLACE.sub("", text)
    found = Counter(_TAG.findall(rest))
    for sign in _SIGN.findall(_TAG.sub("", rest)):
        if unicodedata.category(sign)[0] == "S":
            found["X" if sign in "×✕" else sign] += 1
    if "X" in rest or "Х" in rest:
        found["X"] += len(_CROSS.findall(rest))
    return +found


# --- letters ----------------------------------------------------------------------------------------------------------


def check_letters(pair: Pair) -> Iterator[Found]:
    """Two alphabets in a word, letters of another language, words that were left as they were."""
    if pair.to.script != "cyrillic":
        return
    text = strip_places(pair.target)
    if not _LATIN.search(text) and pair.to.odd.search(text) is None:
        return
    words = TOKEN.findall(text)
    left: list[str] = []
    given = set(TOKEN.findall(strip_places(pair.source)))
    single = {word for word in words if len(word) == 1 and word.isascii() and word.isalpha()}
    letters_meant = single <= given and (len(single) > 1 or all(word.isupper() for word in single))  # columns a to g
    for word in words:
        if word.isdigit():
            continue
        if not _LATIN.search(word):
            odd = [letter for letter in word if letter in pair.to.foreign]
            if odd:
                yield Found("letters", ERROR, f"'{word}' has a letter that the language does not have: {odd[0]}")
        elif _CYRILLIC.search(word):
            yield Found(
                "letters", ERROR, f"'{word}' mixes Latin and Cyrillic letters: {', '.join(_LATIN.findall(word)[:5])}"
            )
        elif len(word) == 1 and letters_meant:
            continue
        elif set(word) <= _LOOKALIKES and not (_ROMAN.match(word) and word in given):
            yield Found("letters", ERROR, f"'{word}' is written with Latin letters that look like Cyrillic ones")
        elif not _ROMAN.match(word):
            left.append(word)
    if pair.from_.script == "latin" and not _CYRILLIC.search(text) and _LATIN.search(text):
        if not all(_ROMAN.match(word) or len(word) == 1 for word in words if not word.isdigit()):
            yield Found("untranslated", WARNING, "the text is not translated")
    elif left:
        yield Found("untranslated", WARNING, f"left in Latin letters: {', '.join(left[:5])}")


def check_same(pair: Pair) -> Iterator[Found]:
    """A longer text that is the same in both languages; names may be."""
    if (
        pair.source == pair.target
        and pair.to.script != "cyrillic"
        and len(TOKEN.findall(strip_places(pair.source))) > 3
    ):
        yield Found("untranslated", WARNING, "the text is the same as in the source")


def check_signs(pair: Pair) -> Iterator[Found]:
    """Characters that nobody sees or that are not for texts."""
    text = pair.target
    if text.isprintable() and "\u00ad" not in text:
        odd: set[str] = set()
    else:
        odd = {sign for sign in text if unicodedata.category(sign) in ("Cc", "Cf", "Co", "Cn", "Cs", "Zl", "Zp")}
        odd -= set(pair.source) & {"\n", "\t"}
    if "\ufffd" in text:
        odd.add("\ufffd")
    for sign in sorted(odd):
        name = unicodedata.name(sign, "private-use or control character").lower()
        yield Found("characters", ERROR, f"U+{ord(sign):04X} ({name}) does not belong into a text")


# --- typography -------------------------------------------------------------------------------------------------------


def check_quotes(pair: Pair) -> Iterator[Found]:
    text = pair.target
    if pair.to.script == "cyrillic":
        if '"' in text or "”" in text or ("“" in text and "„" not in text):
            yield Found("quotes", WARNING, "the quotes of the language are «», and „“ inside of them")
        if "'" in text and re.search(r"(?<!\w)'\w|(?<!\w)'(?=\s)", text):
            yield Found("quotes", WARNING, "' is no quote in this language: «»")
    for pair_ in ("()", "[]", *pair.to.quotes):
        if pair_[0] not in text and pair_[1] not in text:
            continue
        opened = 0
        for sign in text:
            opened += (sign == pair_[0]) - (sign == pair_[1])
            if opened < 0:
                break
        if opened and pair_ != "‘’":
            yield Found("brackets", WARNING, f"{pair_[0]} and {pair_[1]} do not match")


def check_doubled_words(pair: Pair) -> Iterator[Found]:
    found = _DOUBLED.search(strip_places(pair.target))
    if found is not None and not _DOUBLED.search(strip_places(pair.source)):
        yield Found("doubled", WARNING, f"'{found[1]}' stands twice")
    sign = _SIGNS.search(pair.target.strip("\n"))
    if sign is not None and not _SIGNS.search(pair.source.strip("\n")):
        yield Found("punctuation", WARNING, f"'{sign[0]}' is odd: doubled or with a space in the wrong place")
    if pair.target != pair.target.strip() and pair.source == pair.source.strip():
        yield Found("punctuation", WARNING, "there is a space at the beginning or the end")


def check_apostrophes(pair: Pair) -> Iterator[Found]:
    right = pair.to.apostrophe
    if right:
        for found in re.finditer(r"[^\W\d_]+(['’ʼ`‘´])[^\W\d_]+", pair.target):
            if found[1] != right:
                yield Found("apostrophe", WARNING, f"'{found[0]}': the apostrophe of the package is {right}")
                return


def check_ending(pair: Pair) -> Iterator[Found]:
    """The sign at the end, and whole sentences that are gone."""
    end, end_to = _END.search(pair.source), _END.search(pair.target)
    if end is not None and end_to is None and end[0] != ":":
        yield Found("punctuation", WARNING, f"the source ends with '{end[0]}', the translation with no such sign")
    elif end is None and end_to is not None and end_to[0] in (".", ":"):
        yield Found("punctuation", WARNING, f"the source does not end with '{end_to[0]}'")
    elif end is not None and end_to is not None and ("?" in end[0]) != ("?" in end_to[0]):
        yield Found("punctuation", WARNING, f"the source ends with '{end[0]}', the translation with '{end_to[0]}'")


def check_sentences(pair: Pair) -> Iterator[Found]:
    """A sentence of the source that the translation has not: fewer stops, and a text that is too short for the
    whole."""
    whole = len(_STOP.findall(pair.source))
    if whole < 2 or not pair.from_.script or not pair.to.script:
        return
    there = len(_STOP.findall(pair.target))
    joints = len(_SENTENCE.findall(pair.target)) - len(_SENTENCE.findall(pair.source))
    ratio = len(pair.target) / max(len(pair.source), 1)
    if there < whole and (ratio < LENGTH_SHORT or (joints < 0 and ratio < LENGTH_SHORTER)):
        yield Found(
            "sentences", WARNING, f"the source has {whole} sentences, the translation {there} and is much shorter"
        )


CHECKS: Final[tuple[Callable[[Pair], Iterator[Found]], ...]] = (
    check_numbers,
    check_modals,
    check_placeholders,
    check_symbols,
    check_letters,
    check_same,
    check_signs,
    check_quotes,
    check_doubled_words,
    check_apostrophes,
    check_ending,
    check_sentences,
)


def check_length(pair: Pair, most: int) -> Iterator[Found]:
    """An option: a translation that is longer than the space for it, in per cent of the source."""
    allowed = max(len(pair.source) * most // 100, 12)
    if len(pair.target) > allowed:
        yield Found("length", WARNING, f"{len(pair.target)} characters, and at most {allowed} are allowed")
