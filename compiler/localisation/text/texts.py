"""Read and check the texts of a package in its languages: the text stage.

In: the files text/<language>.yaml (or text/<language>/*.yaml) of a package and of those it needs, and the tables of the
artefact. Out: the `text` of the artefact, by language and section, and diagnostics G09xx. What must have a text follows
from the tables alone. How texts are shown is the business of `wording`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from grimoire.compiler.declare.sections import BASE_KINDS
from grimoire.compiler.diagnostics import codes_text as _codes  # noqa: F401
from grimoire.compiler.diagnostics.report import Diagnostics, Related, Span, did_you_mean
from grimoire.compiler.localisation.languages import find_language
from grimoire.compiler.records import field, record
from grimoire.compiler.source.manifest import Manifest
from grimoire.compiler.source.reader import DISK, SourceReader
from grimoire.compiler.source.shapes import as_mapping, check_keys, wrong_shape
from grimoire.compiler.source.tree import Mapping, Node, Scalar
from grimoire.runtime.core import statements as st
from grimoire.runtime.core.analysis import statements_in
from grimoire.runtime.core.records import Statement
from grimoire.runtime.core.tables import Artefact
from grimoire.runtime.plain_data import Json
from grimoire.runtime.wording.coordinates import is_coordinate
from grimoire.runtime.wording.counts import plural_forms
from grimoire.runtime.wording.placeholders import places_of

SECTIONS: Final = ("title", "names", "prompts", "choices", "log", "clauses", "headings", "cards", "flavour", "reasons")
WORDS: Final = ("terms", "verbs", "adjectives", "slots", "printed", "glossary")  # read by `lexicon`
NOT_REQUIRED: Final = ("cards", "flavour", "reasons")
PATTERNS: Final = ("names", "cards", "flavour")  # `lane-*` stands for several ids there
QUALIFIED: Final = ("prompts", "choices", "log")  # `<card, ability or event>.<key>`: worded for what comes from it
FOLDER: Final = "text/"
_TOOL_CHOICES: Final = ("done", "decline", "pass", "in-turn")
_TOOL_PROMPTS: Final = ("order", "react", "who-first")
_BASE_COUNTERS: Final = ("current-player", "first-player")
_WORD: Final = re.compile(r"[^\W\d_]+")
_LATIN: Final = re.compile(r"[A-Za-z\u00c0-\u024f]")
_CYRILLIC: Final = re.compile(r"[\u0400-\u052f]")
# a letter of either script with one of the other behind it in the same word
_MIXED: Final = re.compile(
    r"[A-Za-z\u00c0-\u024f][^\W\d_]*[\u0400-\u052f]|[\u0400-\u052f][^\W\d_]*[A-Za-z\u00c0-\u024f]"
)


@record()
class Wanted:
    """The keys of one section: those that must be there, those that may, and how many things each one speaks of."""

    must: dict[str, int] = field(default_factory=dict)
    may: dict[str, int] = field(default_factory=dict)
    results: frozenset[str] = frozenset()  # events whose result is told
    from_: frozenset[str] = frozenset()  # what a key may be worded for: `<one of these>.<key>`

    def plain(self, key: str) -> str:
        """The key without what it is worded for."""
        source, _, own = key.rpartition(".")
        known = key in self.must or key in self.may
        return own if not known and source in self.from_ and (own in self.must or own in self.may) else key

    def list_known(self) -> list[str]:
        return [*self.must, *self.may]


@record()
class Language:
    """The texts of one language as they stand in the files: section -> key -> text."""

    id: str
    file: str
    texts: dict[str, dict[str, Scalar]] = field(default_factory=lambda: {section: {} for section in SECTIONS})
    places: dict[str, Span] = field(default_factory=dict)
    words: dict[str, Span] = field(default_factory=dict)  # where each word stands, by section and name
    rules: dict[str, Scalar] = field(default_factory=dict)  # the headings of the texts of clauses
    found: bool = False


def text_rows(
    root: Path, own: dict[str, Language], below: Sequence[dict[str, Language]], manifest: Manifest
) -> dict[str, Json]:
    """The texts of a package as the artefact has them, by language and section."""
    languages = merge_languages(root, own, below, manifest)
    return {language.id: _plain(language) for language in languages if language.found}


def merge_languages(
    root: Path, own: dict[str, Language], below: Sequence[dict[str, Language]], manifest: Manifest
) -> list[Language]:
    """The languages that the manifest lists, with the texts of all folders."""
    return [_merge(id_, root, [*below, own]) for id_ in manifest.languages]


def check_texts(
    root: Path,
    own: dict[str, Language],
    below: Sequence[dict[str, Language]],
    manifest: Manifest,
    keys: Callable[[], dict[str, Wanted]],
    diags: Diagnostics,
) -> None:
    """Check the texts against the keys that the package wants, unless something was wrong before."""
    languages = merge_languages(root, own, below, manifest)
    if own and not diags.has_errors:  # what is declared wrongly would seem to be unknown here
        wanted = keys()
        if wanted["clauses"].must and not any(language.texts["clauses"] for language in languages):
            # nobody has begun to word the rulebook: that is said once, and the game can be played without it
            message = f"the {len(wanted['clauses'].must)} clauses of the ledger have no text in any language"
            diags.add(
                "G0905", Span.point(languages[0].file), message, "clauses: {turn.1: ..} in the texts of a language"
            )
            wanted["clauses"].must = {}
        wanted["flavour"] = _flavour_of_some(own.values(), wanted["flavour"])
        for language in languages:
            _check_language(language, own.get(language.id), wanted, diags)
        _check_same_places(languages, own, wanted, diags)
        for id_, extra in own.items():
            if id_ not in manifest.languages:
                there = ", ".join(manifest.languages)
                message = f"the manifest does not list the language '{id_}': {there}"
                diags.add("G0902", Span.point(extra.file), message, "add it to languages, or remove the file")


def _plain(language: Language) -> dict[str, Json]:
    texts: dict[str, Json] = {}
    for section, rows in language.texts.items():
        if rows or section not in NOT_REQUIRED:
            texts[section] = {key: scalar.value for key, scalar in rows.items()}
    title = language.texts["title"].get("")
    texts["title"] = "" if title is None else title.value
    return texts


# --- reading ----------------------------------------------------------------------------------------------------------


def language_of(name: str) -> str | None:
    """The language that a file of a package has texts of."""
    if not name.startswith(FOLDER):
        return None
    return name[len(FOLDER) :].partition("/")[0].removesuffix(".yaml").removesuffix(".yml")


def read_texts(
    root: Path, diags: Diagnostics, reader: SourceReader = DISK, only: str | None = None
) -> dict[str, Language]:
    """The texts of one package folder alone, by language; of one language if it is named."""
    found: dict[str, Language] = {}
    for name in reader.list_files(root):
        id_ = language_of(name)
        if id_ is None or (only is not None and id_ != only):
            continue
        file = (root / name).as_posix()
        language = found.setdefault(id_, Language(id_, file, found=True))
        tree = reader.load_file(root / name, diags, name=file)
        mapping = as_mapping(tree, diags, "a file of texts") if tree is not None else None
        if mapping is not None:
            mapping = check_keys(mapping, (*SECTIONS, *WORDS), diags, "a file of texts")
            _read_file(language, mapping, diags)
    return found


def _read_file(language: Language, mapping: Mapping, diags: Diagnostics) -> None:
    for key, node in mapping.entries:
        section = key.value
        if section in WORDS:
            _note_words(language, section, node, diags)
        if section not in SECTIONS:
            continue
        language.places.setdefault(section, key.span)
        if section == "title":
            _put(language, section, "", node, diags)
            continue
        rows = as_mapping(node, diags, section)
        for name, body in rows.entries if rows is not None else ():
            if section == "clauses" and isinstance(body, Mapping):
                language.rules.setdefault(name.value, name)
                for number, text in body.entries:
                    id_ = name.value if number.value == "title" else f"{name.value}.{number.value}"
                    _put(language, section, id_, text, diags)
            else:
                _put(language, section, name.value, body, diags)


def _put(language: Language, section: str, key: str, node: Node, diags: Diagnostics) -> None:
    what = f"{section}.{key}" if key else section
    if not isinstance(node, Scalar):
        wrong_shape(node, diags, what, "a text", "write it behind the key")
        return
    if node.is_missing or (not node.value.strip() and section not in ("log", "headings")):
        diags.add("G0304", node.span, f"{what} has no text", "write it, or take the key out", severity="warning")
        return
    first = language.texts[section].setdefault(key, node)
    if first is not node:
        _report_twice(what, node.span, first.span, diags)


def _note_words(language: Language, section: str, node: Node, diags: Diagnostics) -> None:
    """What they say is read by `lexicon`; here only that no name has words twice."""
    for name, _ in node.entries if isinstance(node, Mapping) else ():
        what, span = f"{section}.{name.value}", name.span
        first = language.words.setdefault(what, span)
        if first is not span:
            _report_twice(what, span, first, diags)


def _report_twice(what: str, span: Span, first: Span, diags: Diagnostics) -> None:
    related = (Related(first, "the first stands here"),)
    diags.add("G0906", span, f"{what} is given twice", "remove one of the two", related)


def _merge(id_: str, root: Path, folders: Sequence[dict[str, Language]]) -> Language:
    """One language of all folders; the later folder has the last word."""
    merged = Language(id_, (root / FOLDER / f"{id_}.yaml").as_posix())
    own = folders[-1].get(id_)
    for folder in folders:
        part = folder.get(id_)
        if part is None:
            continue
        merged.found = True
        if part is own:
            merged.file = part.file
            merged.places = part.places
            merged.rules = part.rules
        for section in SECTIONS:
            merged.texts[section].update(part.texts[section])
    return merged


# --- what must have a text --------------------------------------------------------------------------------------------


class Question(NamedTuple):
    """Something that is asked: its label, and the entries of a menu, each with how many things it speaks of. None:
    elements are chosen one by one."""

    label: str
    entries: tuple[tuple[str, int], ...] | None


class WordedVerb(NamedTuple):
    """An event that the log tells. A scope, which has no text unless it is given one, goes on while others happen."""

    id: str
    params: int
    scope: bool


@record()
class Worded:
    """What of a package is put into words."""

    package: str
    fixtures: Sequence[str]
    counters: Sequence[str]
    kinds: Sequence[str]
    definitions: Sequence[str]
    zones: Sequence[str]
    options: Sequence[tuple[str, Sequence[object]]]  # with their values
    columns: Sequence[tuple[str, bool]]  # with whether they are printed
    verbs: Sequence[WordedVerb]
    told: Iterable[str]  # verbs whose result is told
    questions: Sequence[Question]
    abilities: Sequence[tuple[str, bool]]  # their labels, with whether they can be chosen
    sources: Sequence[str]  # what stands in the files at the places of the artefact
    clauses: Sequence[tuple[str, str]]  # with the package that declares them


def list_worded(artefact: Artefact) -> Worded:
    """What an artefact has that is put into words."""
    asked = [row for proc in artefact.procs if proc.body is not None for row in list_questions(proc.body)]
    sources = [place[5] for place in artefact.places if len(place) > 5]
    return Worded(
        artefact.package.id,
        [row.id for row in artefact.fixtures],
        [row.id for row in artefact.vars],
        [row.id for row in artefact.kinds],
        [row.id for row in artefact.definitions],
        [row.id for row in artefact.zones],
        [(row.id, row.values) for row in artefact.options],
        [(row.id, row.printed is not None) for row in artefact.columns],
        [WordedVerb(row.id, row.params, row.scope) for row in artefact.procs if row.verb],
        [row.id for row in artefact.procs if row.tells is not None],
        [describe_question(row) for row in asked],
        [(row.label, row.phase != "cannot") for row in artefact.abilities],
        [source for source in sources if isinstance(source, str)],
        [(id_, row.package or artefact.package.id) for id_, row in artefact.clauses.items()],
    )


def describe_question(row: st.Menu | st.Choose) -> Question:
    if isinstance(row, st.Choose):
        return Question(row.label, None)
    return Question(row.label, tuple((entry.id, len(entry.domains)) for entry in row.entries))


def list_questions(body: Statement) -> Iterator[st.Menu | st.Choose]:
    """The menus and choices of a program; those that are only tried ask nothing new."""
    waiting = [body]
    while waiting:
        statement = waiting.pop()
        if isinstance(statement, st.Menu | st.Choose):
            yield statement
        waiting += [statement.menu] if isinstance(statement, st.Poll) else statements_in(statement)


def list_wanted_keys(worded: Worded) -> dict[str, Wanted]:
    """The keys of every section, from what is put into words."""
    wanted = {section: Wanted() for section in SECTIONS}
    wanted["title"].must[""] = 0
    names, headings, log, reasons = (wanted[section] for section in ("names", "headings", "log", "reasons"))
    for id_ in worded.fixtures:
        (names.may if is_coordinate(id_) else names.must)[id_] = 0
    counters = [id_ for id_ in worded.counters if id_ not in _BASE_COUNTERS]
    kinds = [id_ for id_ in worded.kinds if id_ not in BASE_KINDS]
    options = [id_ for id_, _ in worded.options]
    for id_ in (*worded.definitions, *worded.zones, *counters, *kinds, *options):
        names.must[id_] = 0
    for id_, values in worded.options:
        for value in values:
            names.must[f"{id_}.{value}"] = 0
    for id_ in (*worded.zones, *counters):
        headings.may[id_] = 0
    for id_, printed in worded.columns:
        (headings.may if printed else headings.must)[id_.rpartition(".")[2]] = 0
        headings.may[id_] = 0
    for verb in worded.verbs:
        (log.may if verb.scope else log.must)[verb.id] = verb.params
        log.may[f"{verb.id}.upcoming"] = verb.params
    log.results = frozenset(worded.told)
    _want_decisions(worded, wanted)
    for id_ in worded.definitions:
        wanted["cards"].may[id_] = 0
        wanted["flavour"].may[id_] = 0
    labels, verbs = [label for label, _ in worded.abilities], [verb.id for verb in worded.verbs]
    for source in (*worded.sources, *labels, *verbs):  # of a verb: why nothing can be done with it
        reasons.may[source] = 0
    for section in QUALIFIED:
        wanted[section].from_ = frozenset([*worded.definitions, *labels, *verbs])
    for clause, package in worded.clauses:
        # an expansion words its own clauses; those of its game it may word anew
        keys = wanted["clauses"].must if package == worded.package else wanted["clauses"].may
        keys[clause] = 0
        keys[clause.rpartition(".")[0]] = 0
        headings.may[clause] = 0  # what stands above it in a book
    return wanted


def _flavour_of_some(languages: Iterable[Language], wanted: Wanted) -> Wanted:
    """A card that has flavour in some language must have it in all."""
    keys = {key for language in languages for key in language.texts["flavour"]}
    patterns = _patterns(keys)
    there = {card for card in wanted.may if card in keys or any(pattern.match(card) for pattern in patterns)}
    return Wanted({card: 0 for card in wanted.may if card in there}, wanted.may)


def _want_decisions(worded: Worded, wanted: dict[str, Wanted]) -> None:
    prompts, choices = wanted["prompts"], wanted["choices"]
    for name in _TOOL_PROMPTS:
        prompts.may[name] = 0
    for name in _TOOL_CHOICES:
        choices.may[name] = 0
    for question in worded.questions:
        prompts.must[question.label] = 0
        if question.entries is None:
            choices.may[question.label] = 1
            continue
        own = [entry for entry in question.entries if entry[0] not in _TOOL_CHOICES]
        for id_, count in own:
            (choices.must if not count or len(own) > 1 else choices.may)[id_] = count
    for label, chosen in worded.abilities:
        if chosen:
            choices.must[label] = 0


# --- checks -----------------------------------------------------------------------------------------------------------


def _check_language(language: Language, own: Language | None, wanted: dict[str, Wanted], diags: Diagnostics) -> None:
    if own is None:
        message = f"there are no texts in '{language.id}', which the manifest lists"
        diags.add("G0901", Span.point(language.file), message, f"add the file text/{language.id}.yaml")
        return
    for section in SECTIONS:
        meant = _find_meant(language, section, wanted)
        told = _check_headings(language, wanted[section], meant, diags) if section == "clauses" else ()
        _check_missing(language, section, wanted[section], {*meant.values()}, diags)
        for key, scalar in own.texts[section].items():
            if key not in told:
                _check_known(language, section, key, scalar, wanted, meant.get(key), diags)
            if key not in meant:
                _check_places(language, section, key, scalar, wanted[section], diags)
            _check_letters(language.id, scalar, diags)


def _find_meant(language: Language, section: str, wanted: dict[str, Wanted]) -> dict[str, str]:
    """Keys that nothing has, each with the key that is missing and was meant."""
    there, known = language.texts[section], wanted[section]
    strange = [key for key in there if not _is_known(section, key, known)]
    missing = [key for key in known.must if key not in there] if strange else []
    found: dict[str, str] = {}
    for key in strange:
        if any(key in wanted[name].must for name in SECTIONS if name != section):
            continue
        rule, _, number = key.rpartition(".")
        is_title = section == "clauses" and rule in missing and did_you_mean(number, ("title",)) is not None
        guess = rule if is_title else did_you_mean(key, missing)
        if guess is not None:
            found[key] = guess
            missing.remove(guess)
    return found


def _check_headings(language: Language, wanted: Wanted, meant: dict[str, str], diags: Diagnostics) -> set[str]:
    """A rule whose heading is misspelt is told there, and not at each of its clauses: these are returned."""
    there, told = language.texts["clauses"], set[str]()
    rules = {key.partition(".")[0] for key in wanted.must}
    for rule, name in language.rules.items():
        keys = [key for key in there if key.partition(".")[0] == rule]
        guess = did_you_mean(rule, rules - {key.partition(".")[0] for key in there}) if rule not in rules else None
        if guess is None or not keys:
            continue
        message = f"clauses.{rule} is the text of nothing that the package has"
        diags.add("G0902", name.span, message, f"did you mean {guess}?")
        for key in keys:
            meant[key] = guess + key[len(rule) :]
            told.add(key)
    return told


def _check_missing(language: Language, section: str, wanted: Wanted, meant: set[str], diags: Diagnostics) -> None:
    there = {*language.texts[section], *meant}
    patterns = _patterns(there) if section in PATTERNS else []
    full = {key.rpartition(".")[2] for key in there} if section == "headings" else set()
    for key in wanted.must:
        if key in there or key in full or any(pattern.match(key) for pattern in patterns):
            continue
        place = language.places.get(section, Span.point(language.file))
        what = f"{section}.{key}" if key else section
        diags.add(
            "G0901", place, f"no text for {what} in '{language.id}'", f"{section}: {{{key}: ..}}" if key else None
        )


def _patterns(rows: Iterable[str]) -> list[re.Pattern[str]]:
    """`lane-*` stands for all ids that begin with `lane-`."""
    return [re.compile(re.escape(key).replace(r"\*", ".+") + r"\Z") for key in rows if "*" in key]


def _is_known(section: str, key: str, known: Wanted) -> bool:
    if known.plain(key) in known.must or known.plain(key) in known.may:
        return True
    if section in PATTERNS and "*" in key:
        pattern = _patterns([key])[0]
        return any(pattern.match(name) for name in known.list_known())
    return False


def _check_known(
    language: Language,
    section: str,
    key: str,
    scalar: Scalar,
    wanted: dict[str, Wanted],
    meant: str | None,
    diags: Diagnostics,
) -> None:
    known = wanted[section]
    if _is_known(section, key, known):
        return
    other = next((name for name in SECTIONS if name != section and key in wanted[name].must), None)
    guess = meant or did_you_mean(key, known.list_known())
    if section == "clauses" and meant is not None and key == f"{meant}.{key.rpartition('.')[2]}":
        guess = "title"  # the heading of a rule, which is no clause
    hint = f"it belongs in {other}" if other else f"did you mean {guess}?" if guess else None
    diags.add("G0902", scalar.span, f"{section}.{key} is the text of nothing that the package has", hint)


def _check_places(
    language: Language, section: str, key: str, scalar: Scalar, wanted: Wanted, diags: Diagnostics
) -> None:
    text = scalar.value
    if "{" not in text and "}" not in text:
        return
    plain = wanted.plain(key)
    count = wanted.must.get(plain, wanted.may.get(plain, 0))
    allowed = [str(at + 1) for at in range(count)] + (["you"] if section == "log" else [])
    allowed += ["result"] if key in wanted.results else []
    good, bad = places_of(text)
    what = f"{section}.{key}" if key else section
    there = ", ".join(f"{{{name}}}" for name in allowed) or "none"
    for sign in bad:
        diags.add("G0903", scalar.span, f"{sign} in {what} is no placeholder", f"placeholders here: {there}")
    for place in good:
        if place.name not in allowed:
            diags.add("G0903", scalar.span, f"{what} has no {{{place.name}}}", f"placeholders here: {there}")
        elif place.forms and (there_are := plural_forms(language.id)) is None:
            message = f"{{{place.name}|..}} in {what}: how '{language.id}' counts is not known"
            diags.add("G0903", scalar.span, message, "all forms would be shown; say it without a count")
        elif place.forms and len(place.forms) != there_are:
            message = f"{{{place.name}|..}} in {what} has {len(place.forms)} forms"
            diags.add("G0903", scalar.span, message, f"'{language.id}' has {there_are}")


def _check_same_places(
    languages: Sequence[Language], own: dict[str, Language], wanted: dict[str, Wanted], diags: Diagnostics
) -> None:
    """A placeholder that one language has, the others have as well."""
    for section in ("choices", "log"):
        counts = {**wanted[section].may, **wanted[section].must}
        used: dict[str, dict[str, set[str]]] = {}
        for language in languages:
            for key, scalar in language.texts[section].items():
                if scalar.value:
                    names = {place.name for place in places_of(scalar.value)[0]}
                    good = {"you", "result", *(str(at + 1) for at in range(counts.get(wanted[section].plain(key), 0)))}
                    used.setdefault(key, {})[language.id] = names & good
        for key, by_language in used.items():
            everywhere = set().union(*by_language.values())
            for id_, names in by_language.items():
                missing = sorted(everywhere - names)
                if missing and id_ in own and key in own[id_].texts[section]:
                    said = ", ".join(f"{{{name}}}" for name in missing)
                    message = f"{section}.{key} lacks {said}, which other languages have"
                    diags.add("G0903", own[id_].texts[section][key].span, message)


def _has_odd_letters(language: str, text: str) -> bool:
    """Whether words may mix scripts or have letters of another language."""
    if text.isascii():
        return False
    if any(letter in text for letter in find_language(language).foreign):
        return True
    return bool(_LATIN.search(text) and _CYRILLIC.search(text) and _MIXED.search(text))


def _check_letters(language: str, scalar: Scalar, diags: Diagnostics) -> None:
    if not _has_odd_letters(language, scalar.value):
        return
    known = find_language(language)
    for found in _WORD.finditer(scalar.value):
        word = found[0]
        if word.isascii():
            continue
        if _LATIN.search(word) and _CYRILLIC.search(word):
            odd = _LATIN.findall(word)
            message = f"'{word}' mixes Latin and Cyrillic letters"
            diags.add("G0904", scalar.span, message, f"Latin: {', '.join(odd[:5])}")
        elif any(letter in known.foreign for letter in word):
            odd = [letter for letter in word if letter in known.foreign]
            diags.add("G0904", scalar.span, f"'{word}' has a letter that {known.name} does not have: {odd[0]}")
