"""Check translations: packages and PO files, string by string, with the glossary of the package and what is silenced.

In: paths. Out: findings. A finding can be silenced for one string and one check with a reason, in l10n/silenced.yaml of the package; a
silence that silences nothing is itself a finding.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Final, NamedTuple

import polib

from grimoire.compiler.card_text import CardText
from grimoire.compiler.command_common import WrongUse, say, shown
from grimoire.compiler.diagnostics import CompileFailed, Diagnostics, Span
from grimoire.compiler.l10n_agreement import Cases
from grimoire.compiler.l10n_checks import Found, Pair, check_pair, length
from grimoire.compiler.l10n_dictionary import Dictionary
from grimoire.compiler.l10n_findings import CHECKS, ERROR, WARNING, Slip
from grimoire.compiler.l10n_forms import Forms, is_installed
from grimoire.compiler.l10n_glossary import Lemmas, read_words
from grimoire.compiler.l10n_language import TOKEN, knowledge
from grimoire.compiler.l10n_po import PACKAGE, SOURCE, PoFile, check_file, read_po
from grimoire.compiler.l10n_records import FOLDER, SILENCED
from grimoire.compiler.l10n_sense import Sense, Turned, stemmer
from grimoire.compiler.l10n_stats import KINDS
from grimoire.compiler.l10n_store import FLAVOUR, Edition, Standing, open_edition, split_id
from grimoire.compiler.l10n_terms import Terms
from grimoire.compiler.l10n_third import Endings, Guesses, Third
from grimoire.compiler.l10n_whole import Whole
from grimoire.compiler.lexicon import LANGUAGES, Reader, load_grammar, read_lexicon
from grimoire.compiler.manifest import find_packages
from grimoire.compiler.source import Mapping as Rows
from grimoire.compiler.source import Scalar, load_file

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
        reader = read_words(edition, language) if edition is not None else None
        other = read_words(edition, source) if edition is not None else None
        pairs = [(text.source, text.target) for text in texts]
        more = generated_pairs(edition, source, language) if edition is not None else []
        seen = Counter(match.lower() for _, target in pairs for match in set(TOKEN.findall(target)))
        links: dict[str, list[str]] = {}
        lemmas = Lemmas(reader) if reader is not None else None
        if lemmas is not None and other is not None:
            links = english_words(lemmas, other)
            self.terms = Terms(lemmas, links, pairs)
        own = Lemmas(reader or Reader(language, Diagnostics())) if language in LANGUAGES else None
        if own is not None and is_installed(language):
            self.dictionary = Dictionary(Forms(language), {*own.readings, *self.target.words()}, seen)
            self.dictionary.enrich(own, seen)
        if own is not None and own.readings and len(own.grammar.cases) > 1:
            generated_texts = generated(edition, language).values() if edition is not None else ()
            targets = [target for _, target in pairs]
            self.cases = Cases(own, self.target, targets, generated_texts, alone=self.dictionary is None)
        lemma = lemmas.lemma if lemmas is not None else lambda word: None
        stems = stemmer(self.source, lambda word: None), stemmer(self.target, lemma)
        sense = Sense([*pairs, *more], *stems, links)
        turned, whole = Turned([*pairs, *more], self.source, self.target), Whole([*pairs, *more], sense, self.target)
        self.guesses = Guesses(turned, sense, whole)
        self.third: list[Third] = []
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
        there = {id_: scalar.value for id_, scalar in edition.of(language).texts.items()}
        pairs = [(there[text.id], text.target) for text in texts if there.get(text.id)]
        pairs += generated_pairs(edition, language, own.language)
        stems = stemmer(known, Lemmas(reader).lemma), stemmer(own, lemmas.lemma)
        sense = Sense(pairs, *stems, english_words(lemmas, reader))
        turned, whole = Turned(pairs, known, own, self.source), Whole(pairs, sense, own)
        endings = Endings(pairs, sense, {name: row.values() for name, row in lemmas.forms.items()})
        languages = self.source, known, own
        self.third.append(Third(there, languages, self.guesses, Guesses(turned, sense, whole), endings))

    def guess(self, text: Text, close: bool) -> Iterator[Found]:
        """What is learnt about words, senses and lengths, and what other translations say about it."""
        beside = [(third, other) for third in self.third if (other := third.texts.get(text.id))]
        for third, other in beside:
            yield from third.check(other, text.source, text.target, close)
        if not beside:
            for check in self.guesses:
                yield from check.check(text.source, text.target, close)

    def check(self, text: Text, most: Limits = None) -> Iterator[Found]:
        pair = Pair(text.source, text.target, self.source, self.target)
        yield from check_pair(pair)
        limit = most.get(KINDS.get(split_id(text.id)[0], "")) if isinstance(most, Mapping) else most
        if limit is not None:
            yield from length(pair, limit)
        if text.standing == "accepted":
            return
        close = text.standing == "changed"
        yield from self.guess(text, close)
        if self.terms is not None:
            yield from self.terms.check(text.source, text.target, close)
        if self.cases is not None:
            known = [
                third.endings.borne_out(third.texts.get(text.id, ""), text.target) for third in self.third if close
            ]
            yield from self.cases.check(text.target, close, frozenset().union(*known))
            if is_name(text):
                yield from self.cases.check_name(text.source, text.target)
        if self.dictionary is not None:
            yield from self.dictionary.check(text.target)


def english_words(lemmas: Lemmas, source: Reader) -> dict[str, list[str]]:
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
    return section in ("names", "headings") or (section == "clauses" and "." not in key)


def is_free(text: Text) -> bool:
    """Whether a string may be told otherwise in each language: then nothing is learnt from it, and its sense is not compared."""
    return split_id(text.id)[0] == FLAVOUR


@lru_cache(maxsize=6)
def generated(edition: Edition, language: str) -> dict[str, str]:
    """The texts of the cards, made from their effects: more of the language as the package speaks it."""
    if language not in LANGUAGES:
        return {}
    lexicon = read_lexicon([*edition.needs, edition.root], edition.model, language, Diagnostics())
    if lexicon is None:
        return {}
    says = CardText(edition.model, load_grammar(language), lexicon)
    return {
        f"cards.{card.id}.{part.part}.{at}": part.text
        for card in says.cards()
        for at, part in enumerate(says.paragraphs(card))
        if not part.missing
    }


def generated_pairs(edition: Edition, source: str, language: str) -> list[tuple[str, str]]:
    here, there = generated(edition, source), generated(edition, language)
    return [(text, there[id_]) for id_, text in here.items() if id_ in there]


def consistency(texts: Sequence[Text]) -> dict[str, Found]:
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
    twice = consistency(texts)
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
    if not path.is_file():
        return list(slips)
    diags = Diagnostics()
    tree = load_file(path, diags, name=path.as_posix())
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


def texts_of(edition: Edition, language: str, source: str, *, everything: bool = False) -> list[Text]:
    """The translations of a language; with `everything`, those that were accepted are checked as if they were new."""
    other = edition.of(source).texts

    def standing(id_: str, text: str) -> Standing:
        return "new" if everything else edition.standing(id_, language, source, text)

    return [
        Text(id_, other[id_].value, scalar.value, scalar.span, standing(id_, scalar.value))
        for id_, scalar in edition.of(language).texts.items()
        if scalar.value and id_ in other and other[id_].value
    ]


def check_edition(
    edition: Edition, language: str, source: str, most: Limits = None, *, everything: bool = False
) -> list[Slip]:
    texts = texts_of(edition, language, source, everything=everything)
    slips = check_texts(language, source, texts, edition, most)
    return silence(edition, language, slips)


def check_po(
    po: PoFile, edition: Edition | None, language: str, source: str, most: Limits = None, *, everything: bool = False
) -> list[Slip]:
    """The findings of a PO file: whether it belongs here, and its translations."""
    slips = check_file(po, edition, language, source) if edition is not None else []
    entries = [entry for entry in po.entries if entry.msgstr and entry.msgid]
    known = edition is not None and language in edition.languages and not everything

    def standing(entry: polib.POEntry) -> Standing:
        id_ = entry.msgctxt or ""
        if edition is None or not known or edition.of(source).text(id_) != entry.msgid:
            return "new"
        return edition.standing(id_, language, source, entry.msgstr)

    texts = [Text(entry.msgctxt or "", entry.msgid, entry.msgstr, po.span(entry), standing(entry)) for entry in entries]
    here = {text.id for text in texts}
    # what stands in the package is learnt from, also where the file has another text for it
    beside = [
        text
        for text in (texts_of(edition, language, source) if edition is not None else ())
        if text.id not in here or text.standing == "accepted"
    ]
    found = check_texts(language, source, texts, edition, most, beside)
    if edition is not None:
        # what the package silences is about its own strings; what it silences in vain is told when the package is checked
        found = [slip for slip in silence(edition, language, found) if slip.check != "silenced"]
    return slips + found


def check_paths(
    paths: Sequence[str], language: str | None, given: str | None, most: Limits, *, everything: bool = False
) -> list[Slip]:
    """Everything that paths of packages and PO files mean."""
    found: list[Slip] = []
    for path in paths:
        if path.endswith(".po"):
            found += _check_po_path(Path(path), language, given, most, everything)
            continue
        roots = find_packages([path], diags := Diagnostics())
        if not roots:
            raise CompileFailed(diags.sorted()) if len(diags) else WrongUse(f"there is no package '{shown(path)}'")
        editions = [open_edition(str(root)) for root in roots]
        # of a folder, those that have the language
        for edition in [one for one in editions if language in (None, *one.languages)] or editions:
            source = edition.source(given)
            languages = [language] if language else [id_ for id_ in edition.languages if id_ != source]
            for id_ in languages:
                edition.of(id_)
                found += check_edition(edition, id_, source, most, everything=everything) if id_ != source else []
                absent = [text for text in edition.ids(id_, source) if edition.state(text, id_, source) == "missing"]
                if absent:
                    say(f"note: {edition.id} lacks {len(absent)} texts in '{id_}': grimoire l10n stats {edition.id}")
    return found


def _check_po_path(path: Path, language: str | None, given: str | None, most: Limits, everything: bool) -> list[Slip]:
    if not path.is_file():
        raise WrongUse(f"there is no file {shown(path.as_posix())}")
    po, broken = read_po(path, language or "")
    if broken:
        return broken
    wanted = language or po.header.get("Language", "")
    if not wanted:
        raise WrongUse(f"{shown(path.as_posix())} does not say its language: --lang L")
    edition: Edition | None = None
    name = po.header.get(PACKAGE)
    if name:
        roots = find_packages([name], Diagnostics())
        if len(roots) != 1:
            slip = Slip(
                "",
                wanted,
                "package",
                ERROR,
                f"there is no package '{shown(name)}' here: terms cannot be checked",
                po.span(),
            )
            return [slip, *check_po(po, None, wanted, given or po.header.get(SOURCE, "en"), most)]
        edition = open_edition(str(roots[0]))
        if wanted not in edition.languages:
            slip = Slip("", wanted, "language", ERROR, f"{edition.id} has no language '{shown(wanted)}'", po.span())
            return [slip, *check_po(po, None, wanted, given or po.header.get(SOURCE, "en"), most)]
    source = (
        edition.source(given or po.header.get(SOURCE)) if edition is not None else given or po.header.get(SOURCE, "en")
    )
    return check_po(po, edition, wanted, source, most, everything=everything)
