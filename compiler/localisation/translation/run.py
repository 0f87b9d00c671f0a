"""Check translations: packages and PO files, string by string, with the glossary of the package and what is silenced.

In: paths. Out: findings. A finding can be silenced for one string and one check with a reason, in l10n/silenced.yaml of
the package; a silence that silences nothing is itself a finding.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

import polib

from grimoire.compiler.diagnostics.report import CompileFailed, Diagnostics, Span
from grimoire.compiler.localisation.languages import INFLECTED, WORDED
from grimoire.compiler.localisation.text.language import TOKEN, knowledge
from grimoire.compiler.localisation.text.lexicon import Reader
from grimoire.compiler.localisation.translation.agreement import Cases
from grimoire.compiler.localisation.translation.card_room import Space, is_too_long, read_space
from grimoire.compiler.localisation.translation.completeness import Completeness
from grimoire.compiler.localisation.translation.cross_language import CrossLanguage, Endings, Guesses
from grimoire.compiler.localisation.translation.dictionary import Dictionary
from grimoire.compiler.localisation.translation.findings import CHECKS, WARNING, Slip
from grimoire.compiler.localisation.translation.forms import Forms, is_installed
from grimoire.compiler.localisation.translation.glossary import Lemmas, read_words
from grimoire.compiler.localisation.translation.names import Names, read_names
from grimoire.compiler.localisation.translation.paradigms import Paradigms, load_common_words
from grimoire.compiler.localisation.translation.po import PoFile, check_file
from grimoire.compiler.localisation.translation.records import FOLDER, SILENCED
from grimoire.compiler.localisation.translation.single_string import Found, Pair, check_length, check_pair
from grimoire.compiler.localisation.translation.stats import KINDS
from grimoire.compiler.localisation.translation.strings import FLAVOUR, Edition, Standing, split_id
from grimoire.compiler.localisation.translation.terms import Terms
from grimoire.compiler.localisation.translation.word_alignment import Sense, Turned, make_stemmer
from grimoire.compiler.source.tree import Mapping as Rows
from grimoire.compiler.source.tree import Scalar

_SMALL: Final = frozenset(["the", "of", "a", "an", "to", "in", "on", "for", "and", "or", "with"])
# Checks of strings that are not translated word by word: how they are written, not what they say.
_OF_FREE: Final = frozenset(CHECKS) - {
    "numbers",
    "modals",
    "sense",
    "sentences",
    "terms",
    "cases",
    "forms",
    "consistency",
}


Limits = int | Mapping[str, int] | None  # how long a translation may be, in per cent of its source: for all, or by kind


class Text(NamedTuple):
    """A string to check."""

    id: str
    source: str
    target: str
    span: Span
    standing: Standing = "new"  # accepted: what the checks guess is not told; changed since: they look closer


class Checker:
    """The checks of one language, with what can be learnt from an edition."""

    def __init__(self, language: str, source: str, texts: Sequence[Text], edition: Edition | None) -> None:
        texts = [text for text in texts if not is_free(text)]
        self.source, self.target = knowledge(source), knowledge(language)
        self.terms: Terms | None = None
        self.cases: Cases | None = None
        self.dictionary: Dictionary | None = None
        self.paradigms: Paradigms | None = None
        self.space = find_space(edition)
        reader = read_words(edition, language) if edition is not None else None
        other = read_words(edition, source) if edition is not None else None
        pairs = [(text.source, text.target) for text in texts]
        more = generate_pairs(edition, source, language) if edition is not None else []
        seen = Counter(match.lower() for _, target in pairs for match in set(TOKEN.findall(target)))
        links: dict[str, list[str]] = {}
        lemmas = Lemmas(reader) if reader is not None else None
        if lemmas is not None and other is not None:
            links = collect_english_words(lemmas, other)
            self.terms = Terms(lemmas, links, pairs)
        own = Lemmas(reader or Reader(language, Diagnostics())) if language in WORDED else None
        if own is not None and is_installed(language):
            names = collect_names(edition, language, texts)
            self.dictionary = Dictionary(Forms(language), {*own.readings, *self.target.words()}, seen, names)
            self.dictionary.enrich(own, seen)
        elif own is not None and language in INFLECTED:
            more_words = {match.lower() for _, target in more for match in TOKEN.findall(target)}
            self.paradigms = Paradigms(language, own, {*seen, *more_words, *own.readings})
            modals = self.target.may, self.target.must  # verbs, whatever a slip beside them looks like
            self.paradigms.enrich([word for word in seen if not any(row.fullmatch(word) for row in modals)])
        if own is not None and own.readings and len(own.grammar.cases) > 1:
            generated_texts = generate_texts(edition, language).values() if edition is not None else ()
            targets = [target for _, target in pairs]
            alone = self.dictionary is None
            self.cases = Cases(own, self.target, targets, generated_texts, paradigms=self.paradigms, alone=alone)
        nouns: set[str] = set()
        lemma: Callable[[str], str | None] = lambda word: None  # noqa: E731
        if lemmas is not None:
            lemma = lemmas.lemma
        elif (known := self.dictionary or self.paradigms) is not None:  # a file without a package
            lemma = known.find_lemma
            nouns = {name for word in seen if known.is_noun(word) and (name := lemma(word))}
            for word, rows in load_common_words(source, language).items():
                for name in filter(None, map(lemma, rows)):
                    links.setdefault(name, []).append(word)
        stems = make_stemmer(self.source, lambda word: None), make_stemmer(self.target, lemma)
        sense = Sense([*pairs, *more], *stems, links, nouns)
        turned, whole = (
            Turned([*pairs, *more], self.source, self.target),
            Completeness([*pairs, *more], sense, self.target),
        )
        self.guesses = Guesses(turned, sense, whole)
        self.third: list[CrossLanguage] = []
        if edition is not None and lemmas is not None:
            for other_language in edition.languages:
                if other_language not in (source, language):
                    self.learn_third(edition, other_language, texts, lemmas)

    def learn_third(self, edition: Edition, language: str, texts: Sequence[Text], lemmas: Lemmas) -> None:
        """What a third language says of the same strings, if it has words."""
        reader = read_words(edition, language)
        if reader is None:
            return
        known, own = knowledge(language), self.target
        there = {id_: scalar.value for id_, scalar in edition.open_language(language).texts.items()}
        pairs = [(there[text.id], text.target) for text in texts if there.get(text.id)]
        pairs += generate_pairs(edition, language, own.language)
        stems = make_stemmer(known, Lemmas(reader).lemma), make_stemmer(own, lemmas.lemma)
        sense = Sense(pairs, *stems, collect_english_words(lemmas, reader))
        turned, whole = Turned(pairs, known, own, self.source), Completeness(pairs, sense, own)
        endings = Endings(pairs, sense, {name: row.values() for name, row in lemmas.forms.items()})
        languages = self.source, known, own
        self.third.append(CrossLanguage(there, languages, self.guesses, Guesses(turned, sense, whole), endings))

    def guess(self, text: Text, close: bool) -> Iterator[Found]:
        """What is learnt about words, senses and lengths, and what other translations say about it."""
        beside = [(third, other) for third in self.third if (other := third.texts.get(text.id))]
        for third, other in beside:
            yield from third.check(other, text.source, text.target, close)
        if not beside:
            for check in self.guesses:
                yield from check.check(text.source, text.target, close)

    def check_room(self, text: Text) -> Iterator[Found]:
        """Whether a text fits on its card; where no limit is declared, whether it is much longer than its source."""
        if self.space is not None and self.space.find_limit(text.id) is not None:
            found = self.space.check(text.id, text.target, text.span)
            if found is not None:
                yield Found("length", WARNING, found.describe())
        elif split_id(text.id)[0] in ("names", "cards") and text.standing != "accepted":
            if is_too_long(text.source, text.target):
                yield Found("length", WARNING, f"{len(text.target)} characters for {len(text.source)} of the source")

    def check(self, text: Text, most: Limits = None) -> Iterator[Found]:
        pair = Pair(text.source, text.target, self.source, self.target)
        yield from check_pair(pair)
        limit = most.get(KINDS.get(split_id(text.id)[0], "")) if isinstance(most, Mapping) else most
        if limit is not None:
            yield from check_length(pair, limit)
        else:
            yield from self.check_room(text)
        if text.standing == "accepted":
            return
        close = text.standing == "changed"
        yield from self.guess(text, close)
        if self.terms is not None:
            yield from self.terms.check(text.source, text.target, close)
        if self.cases is not None:
            others = [(third.endings, other) for third in self.third if (other := third.texts.get(text.id))]
            known = [endings.find_confirmed(other, text.target) for endings, other in others if close]

            def odd() -> dict[str, float]:
                rows = [endings.find_suspects(other, text.target) for endings, other in others]
                return {word: surprise for row in rows for word, surprise in row.items()}

            yield from self.cases.check(text.target, close, frozenset().union(*known), odd)
            if is_name(text):
                yield from self.cases.check_name(text.source, text.target)
        if self.dictionary is not None:
            yield from self.dictionary.check(text.target, is_named=is_name(text))


@lru_cache(maxsize=6)
def find_space(edition: Edition | None) -> Space | None:
    """What fits on the cards of a package, if it says so."""
    limits = read_space(edition.root, Diagnostics(), edition.reader)[0] if edition is not None else {}
    return Space(limits, edition.model, edition.id) if edition is not None and limits else None


def find_long_texts(edition: Edition, language: str) -> list[Slip]:
    """Texts of cards that are made from the effects and do not fit."""
    space = find_space(edition)
    says = edition.make_card_text(language) if space is not None else None
    if space is None or says is None:
        return []
    cards = edition.model.definitions
    found = space.check_generated(lambda name: says.describe(cards[name]), edition.open_language(language).texts)
    return [Slip(row.id, language, "length", WARNING, row.describe(), row.span) for row in found]


def collect_names(edition: Edition | None, language: str, texts: Sequence[Text]) -> Names:
    """The names that a package lists, and those of its own things."""
    roots = [*edition.needs, edition.root] if edition is not None else []
    given = [row.value for root in roots for row in read_names(root, Diagnostics()).get(language, ())]
    return Names(given, [text.target for text in texts if split_id(text.id)[0] == "names"])


def collect_english_words(lemmas: Lemmas, source: Reader) -> dict[str, list[str]]:
    """By term the words that the source language has for it."""
    return {
        name: [
            word.lower().strip("(),.")
            for key in lemma.keys
            if key in source.terms
            for row in source.terms[key].forms.values()
            for form in row
            for word in form.split()
            if word.lower() not in _SMALL
        ]
        for name, lemma in lemmas.lemmas.items()
    }


def is_name(text: Text) -> bool:
    """Whether a string names something: it stands alone, and in the nominative."""
    section, _, key = text.id.partition(".")
    if section not in KINDS:  # a file of another program: a few words with a capital and no stop
        return text.source[:1].isupper() and text.source.count(" ") < 3 and text.source[-1:].isalpha()
    return section in ("names", "headings") or (section == "clauses" and "." not in key)


def is_free(text: Text) -> bool:
    """Whether a string may be told otherwise in each language: then nothing is learnt from it, and its sense is not
    compared."""
    return split_id(text.id)[0] == FLAVOUR


@lru_cache(maxsize=6)
def generate_texts(edition: Edition, language: str) -> dict[str, str]:
    """The texts of the cards, made from their effects: more of the language as the package speaks it."""
    says = edition.make_card_text(language)
    if says is None:
        return {}
    return {
        f"cards.{card.id}.{part.part}.{at}": part.text
        for card in says.cards()
        for at, part in enumerate(says.paragraphs(card))
        if not part.missing
    }


def generate_pairs(edition: Edition, source: str, language: str) -> list[tuple[str, str]]:
    here, there = generate_texts(edition, source), generate_texts(edition, language)
    return [(text, there[id_]) for id_, text in here.items() if id_ in there]


def check_consistency(texts: Sequence[Text]) -> dict[str, Found]:
    """One name in the source, two in the translation."""
    groups: dict[tuple[str, str], dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for text in texts:
        if split_id(text.id)[0] in ("names", "headings"):
            groups[split_id(text.id)[0], text.source][text.target.casefold()].append(text.id)
    found: dict[str, Found] = {}
    for (_, source), targets in groups.items():
        if len(targets) > 1:
            first, *others = sorted(targets.items(), key=lambda item: -len(item[1]))
            for target, ids in others:
                message = f"'{source}' is '{first[0]}' in {first[1][0]} and '{target}' here"
                found.update({id_: Found("consistency", WARNING, message) for id_ in ids})
    return found


def check_texts(
    language: str,
    source: str,
    texts: Sequence[Text],
    edition: Edition | None,
    most: Limits = None,
    beside: Sequence[Text] = (),
) -> list[Slip]:
    """All findings of the strings of one language; `beside` are strings that are not checked, only learnt from."""
    checker = Checker(language, source, [*texts, *beside], edition)
    twice = check_consistency(texts)
    found: list[Slip] = []
    for text in texts:
        free = is_free(text)
        rows = dict.fromkeys(row for row in checker.check(text, most) if not free or row.check in _OF_FREE)
        if text.id in twice:
            rows[twice[text.id]] = None
        found += [Slip(text.id, language, row.check, row.severity, row.message, text.span) for row in rows]
    return found


# --- silences ---------------------------------------------------------------------------------------------------------


def silence(edition: Edition, language: str, slips: Sequence[Slip]) -> list[Slip]:
    """Findings without those that the package silences, and what is wrong with the silences."""
    path = edition.root / FOLDER / SILENCED
    if not edition.reader.has_file(path):
        return list(slips)
    diags = Diagnostics()
    tree = edition.reader.load_file(path, diags, name=path.as_posix())
    if diags.has_errors:
        raise CompileFailed(diags.sorted())
    own = tree.get(language) if isinstance(tree, Rows) else None
    gone: set[tuple[str, str]] = set()
    wrong: list[Slip] = []
    there = {(slip.id, slip.check) for slip in slips}
    for id_, checks in own.entries if isinstance(own, Rows) else ():
        for check, reason in checks.entries if isinstance(checks, Rows) else ():
            problem = None
            if check.value not in CHECKS:
                problem = f"there is no check '{check.value}': {', '.join(CHECKS)}"
            elif not isinstance(reason, Scalar) or reason.is_missing or not reason.value.strip():
                problem = "a silence needs a reason"
            elif (id_.value, check.value) not in there:
                problem = f"nothing is silenced: {check.value} finds nothing here"
            else:
                gone.add((id_.value, check.value))
            if problem is not None:
                wrong.append(Slip(id_.value, language, "silenced", WARNING, problem, check.span))
        if not isinstance(checks, Rows):
            wrong.append(Slip(id_.value, language, "silenced", WARNING, "write the check and the reason", id_.span))
    return [slip for slip in slips if (slip.id, slip.check) not in gone] + wrong


# --- packages and files -----------------------------------------------------------------------------------------------


def collect_texts(edition: Edition, language: str, source: str, *, everything: bool = False) -> list[Text]:
    """The translations of a language; with `everything`, those that were accepted are checked as if they were new."""
    other = edition.open_language(source).texts

    def standing(id_: str, text: str) -> Standing:
        return "new" if everything else edition.find_standing(id_, language, source, text)

    return [
        Text(id_, other[id_].value, scalar.value, scalar.span, standing(id_, scalar.value))
        for id_, scalar in edition.open_language(language).texts.items()
        if scalar.value and id_ in other and other[id_].value
    ]


def check_edition(
    edition: Edition, language: str, source: str, most: Limits = None, *, everything: bool = False
) -> list[Slip]:
    texts = collect_texts(edition, language, source, everything=everything)
    slips = check_texts(language, source, texts, edition, most)
    return silence(edition, language, [*slips, *find_long_texts(edition, language)])


def check_po(
    po: PoFile, edition: Edition | None, language: str, source: str, most: Limits = None, *, everything: bool = False
) -> list[Slip]:
    """The findings of a PO file: whether it belongs here, and its translations."""
    slips = check_file(po, edition, language, source) if edition is not None else []
    entries = [entry for entry in po.entries if entry.msgstr and entry.msgid]
    known = edition is not None and language in edition.languages and not everything

    def standing(entry: polib.POEntry) -> Standing:
        id_ = entry.msgctxt or ""
        if edition is None or not known or edition.open_language(source).text(id_) != entry.msgid:
            return "new"
        return edition.find_standing(id_, language, source, entry.msgstr)

    texts = [Text(entry.msgctxt or "", entry.msgid, entry.msgstr, po.span(entry), standing(entry)) for entry in entries]
    here = {text.id for text in texts}
    # what stands in the package is learnt from, also where the file has another text for it
    beside = [
        text
        for text in (collect_texts(edition, language, source) if edition is not None else ())
        if text.id not in here or text.standing == "accepted"
    ]
    found = check_texts(language, source, texts, edition, most, beside)
    if edition is not None:
        # what the package silences is about its own strings; what it silences in vain is told when the package is
        # checked
        found = [slip for slip in silence(edition, language, found) if slip.check != "silenced"]
    return slips + found
