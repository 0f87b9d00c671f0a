"""Audit a printed edition: where its clauses contradict what the clauses of the package do, or leave it out.

In: a package, a language, the plain text of a book. Out: findings, the worst first.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from grimoire.compiler.localisation.audit.align import Aligned, Aligner, OurClause
from grimoire.compiler.localisation.audit.compare import Comparer
from grimoire.compiler.localisation.audit.printed import Part, Print, PrintedClause, find_topics, fold_title, read_print
from grimoire.compiler.localisation.audit.scan import read_text
from grimoire.compiler.localisation.audit.spelling import Speller
from grimoire.compiler.localisation.audit.statement_facts import Vocabulary, load_languages
from grimoire.compiler.localisation.audit.statements import CHANGES, GAP, IMPRECISE, SEVERITIES, WORDING, Habits, Remark
from grimoire.compiler.localisation.audit.suppressions import suppress_findings
from grimoire.compiler.localisation.audit.topics import Topics
from grimoire.compiler.localisation.audit.two_editions import Beside
from grimoire.compiler.localisation.edition.book import Book, Entry, load_tables, make_book
from grimoire.compiler.localisation.text.language import TOKEN
from grimoire.compiler.localisation.translation.strings import Edition
from grimoire.compiler.localisation.tuning import (
    ALIGN_UNLIKE,
    AUDIT_FEW,
    AUDIT_MANY,
    AUDIT_QUOTE,
    AUDIT_STRANGE,
    AUDIT_SURE,
)
from grimoire.compiler.proof.mutate import find_carriers
from grimoire.compiler.telling import Finding, WrongUse, list_names, make_printable, visible

_SECTION: Final = "clauses."
_SEE: Final = re.compile(r"«\s*(\d{1,3})\.\s+([^»]+)»")


class Laid(NamedTuple):
    """A printed book beside the package."""

    language: str
    book: Book
    printed: Print
    aligned: Aligned


class Audit:
    """The audit of one package."""

    def __init__(self, edition: Edition) -> None:
        self.edition = edition
        known = [id_ for id_ in edition.languages if id_ in load_languages() and collect_clause_texts(edition, id_)]
        self.words: dict[str, Vocabulary] = {id_: Vocabulary(edition, id_) for id_ in known}
        self.see = {id_: rule.see for id_, rule in edition.model.rules.items() if rule.see is not None}
        self.program: dict[str, list[str]] = defaultdict(list)
        for carrier in find_carriers(edition.program):
            self.program[carrier.clause].append(carrier.name)

    def lay(self, language: str, path: Path, name: str) -> Laid:
        """Read a book and lay it beside the package. Raises WrongUse, Finding."""
        self.edition.open_language(language)
        if language not in load_languages():
            raise WrongUse(
                f"books can be audited in {list_names([*load_languages()])}, not in '{make_printable(language)}'"
            )
        model = self.edition.model
        if not model.clauses:
            raise Finding(f"{self.edition.id} has no clauses: they stand under rules")
        texts = collect_clause_texts(self.edition, language)
        missing = [id_ for id_ in (*model.rules, *model.clauses) if not texts.get(id_)]
        if missing:
            count = len(model.rules) + len(model.clauses)
            raise Finding(
                f"{len(missing)} of {count} titles and clauses of {self.edition.id} have no text in '{language}': "
                f"{list_names(missing, 8)}; they stand under clauses in text/{language}.yaml"
            )
        tables = load_tables()[language]
        book, _ = make_book(model, {"clauses": texts}, self.edition.id, tables)
        table = self.words[language].table
        titles = [entry.title for entry in book.all()]
        text = read_text(path, name)
        other = self.detect_language(text, language)
        if other != language:
            raise Finding(
                f"{make_printable(name)} is in '{other}', not in '{language}': say --lang {other}, or give another file"
            )
        printed = read_print(text, name, tables, table.example, table.see, titles)
        if not any(clause.number for entry in printed.all() for clause in entry.clauses):
            raise Finding(
                f"{make_printable(name)} has no numbered clause: "
                "entries are headed '12 TITLE', clauses begin with '12.3'"
            )
        laid = Laid(language, book, printed, Aligner(book, printed, self.words[language]).align())
        alike, count = count_known_clauses(laid)
        if count >= AUDIT_FEW and alike < AUDIT_STRANGE * count:
            raise Finding(
                f"{make_printable(name)} is not a book of {self.edition.id}: of its {count} statements {alike} are "
                "like one of the "
                "package"
            )
        return laid

    def detect_language(self, text: str, language: str) -> str:
        """The language of the package that a text is in: the given one, unless another one has far more of its
        words."""
        words = {word.lower() for word in TOKEN.findall(text) if len(word) > AUDIT_FEW}
        shares: dict[str, float] = {}
        for id_ in self.words:
            own = {
                word.lower()
                for row in self.edition.open_language(id_).texts.values()
                for word in TOKEN.findall(row.value)
            }
            shares[id_] = len(words & own) / max(len(words), 1)
        best = max(shares, key=lambda id_: shares[id_])
        return best if shares[best] > AUDIT_SURE * shares[language] and len(words) > AUDIT_MANY else language

    def run(self, laid: Laid, beside: Laid | None = None) -> list[Remark]:
        """All findings, the worst first."""
        book = Habits(self.edition, laid.language, laid.aligned, laid.printed, self.words, self.program)
        comparer = Comparer(book)
        found = [*Structure(laid, self.words[laid.language], self.see).list_remarks()]
        for pair in laid.aligned.pairs:
            found += comparer.compare(pair)
        if beside is not None:
            found += Beside(book, laid, beside, list(found)).list_remarks()
        found += self.compare_wording(laid)
        unique = {(row.id, row.number, row.severity, row.message): row for row in reversed(found)}
        return sorted(unique.values(), key=lambda row: (SEVERITIES.index(row.severity), -row.weight, row.span.line))

    def compare_wording(self, laid: Laid) -> Iterator[Remark]:
        rows = [*iterate_printed_texts(laid)]
        speller = Speller(self.edition, self.words[laid.language], [text for _, _, text, _, _ in rows])
        for id_, number, text, ours, part in rows:
            for message in speller.check(text, ours):
                yield Remark(id_, number, laid.language, WORDING, message, laid.printed.span(part), text, ours, 0.5)


def collect_clause_texts(edition: Edition, language: str) -> dict[str, str]:
    rows = edition.open_language(language).texts
    return {id_.removeprefix(_SECTION): row.value for id_, row in rows.items() if id_.startswith(_SECTION)}


def iterate_printed_texts(laid: Laid) -> Iterator[tuple[str, str, str, str, Part]]:
    """Every printed text with the statement that it belongs to: id, number, text, our text, place."""
    by_part = {id(pair.part): pair for pair in laid.aligned.pairs}
    for entry, found in laid.aligned.entries:
        title = Part(found.title, found.line, 1, found.line, max(len(laid.printed.lines[found.line - 1]), 1) + 1, 0)
        yield entry.id, found.number, found.title, entry.title, title
        for clause in found.clauses:
            number = f"{found.number}.{clause.number}" if clause.number else found.number
            id_ = f"{entry.id}.{clause.number}"
            for part in (*clause.parts, *clause.examples):
                pair = by_part.get(id(part))
                yield (pair.line.id if pair else id_), number, part.text, (pair.line.text if pair else ""), part
        for part in found.topics:
            yield entry.id, found.number, part.text, "", part


def count_known_clauses(laid: Laid) -> tuple[int, int]:
    """How many of the printed statements are like one of ours, and how many there are."""
    titles = {fold_title(entry.title) for entry in laid.book.all()}
    parts = sum(len(clause.parts) for entry in laid.printed.all() for clause in entry.clauses)
    alike = sum(pair.likeness > ALIGN_UNLIKE for pair in laid.aligned.pairs)
    named = sum(fold_title(entry.title) in titles for entry in laid.printed.all() if entry.title)
    return alike + named, parts + len(laid.printed.all())


class Structure:
    """What a book has too much, too little, or in another place."""

    def __init__(self, laid: Laid, words: Vocabulary, see: Mapping[str, Sequence[str]]) -> None:
        self.laid, self.words, self.see = laid, words, see
        self.printed, self.aligned = laid.printed, laid.aligned

    def make_remark(
        self,
        id_: str,
        number: str,
        severity: str,
        message: str,
        line: int,
        weight: float,
        quote: str = "",
        rule: str = "",
    ) -> Remark:
        return Remark(id_, number, self.laid.language, severity, message, self.printed.at(line), quote, rule, weight)

    def list_remarks(self) -> Iterator[Remark]:
        yield from self.compare_entries()
        yield from self.compare_clauses()
        yield from self.compare_statements()
        yield from self.check_references()
        yield from self.compare_topics()

    def compare_entries(self) -> Iterator[Remark]:
        last = self.printed.all()[-1].line
        missing = self.aligned.no_entry
        if len(missing) > len(self.aligned.entries):  # a part of a book
            some = ", ".join(entry.number for entry in missing[:8])
            message = f"{len(missing)} of {len(self.laid.book.all())} entries are missing: {some} .."
            yield self.make_remark("", missing[0].number, GAP, message, last, 0.1)
            missing = []
        for entry in missing:
            message = f"the entry {entry.number} «{entry.title}» is missing"
            yield self.make_remark(entry.id, entry.number, GAP, message, last, 5.0, rule=_join_entry(entry))
        for found in self.aligned.new_entry:
            message = f"the entry {found.number} «{found.title}» is not of the package, or stands twice"
            yield self.make_remark("", found.number, GAP, message, found.line, 4.0)
        for entry, found in self.aligned.entries:
            if found.number != entry.number:
                message = (
                    f"the entry «{found.title}» is number {found.number} in print and {entry.number} in the package"
                )
                yield self.make_remark(entry.id, found.number, IMPRECISE, message, found.line, 2.0)
            if fold_title(found.title) != fold_title(entry.title) and found.title:
                message = f"the title is «{found.title}»; the package has «{entry.title}»"
                yield self.make_remark(entry.id, found.number, WORDING, message, found.line, 1.0)
            for number, line in found.strays:
                message = f"a clause {number} stands in the entry {found.number}"
                yield self.make_remark(entry.id, number, IMPRECISE, message, line, 2.0)

    def compare_clauses(self) -> Iterator[Remark]:
        shifted: dict[str, int] = {}
        for _, found, ours in self.aligned.no_clause:
            number = f"{found.number}.{ours.number}" if ours.number else found.number
            line = next((clause.line for clause in reversed(found.clauses) if clause.number < ours.number), found.line)
            message = f"the clause {number} is missing"
            yield self.make_remark(ours.lines[0].id, number, GAP, message, line, 5.0, rule=_join_lines(ours))
        for entry, clause, number in self.aligned.new_clause:
            message = f"the clause {number} is not of the package"
            yield self.make_remark(entry.id, number, GAP, message, clause.line, 4.5, quote=_join_printed(clause))
        for entry, ours, clause, number in self.aligned.renumbered:
            shift = clause.number - ours.number
            if shifted.get(entry.id) == shift:
                continue
            shifted[entry.id] = shift
            message = f"what stands as {number} is clause {entry.number}.{ours.number} of the package"
            yield self.make_remark(
                ours.lines[0].id, number, IMPRECISE, message, clause.line, 3.0, _join_printed(clause), _join_lines(ours)
            )
        for found, clause, number in self.aligned.twice:
            message = f"the number {number} stands twice"
            id_ = next((entry.id for entry, other in self.aligned.entries if other is found), "")
            yield self.make_remark(
                f"{id_}.{clause.number}", number, IMPRECISE, message, clause.line, 2.5, _join_printed(clause)
            )

    def compare_statements(self) -> Iterator[Remark]:
        for row, line in self.aligned.no_line:
            if row.entry.appendix:
                continue
            message = f"a statement of {row.number} is missing"
            yield self.make_remark(line.id, row.number, GAP, message, row.printed.line, 4.0, rule=line.text)
        for row, part in self.aligned.new_part:
            if row.entry.appendix:
                continue
            message = f"{row.number} says what the package has not"
            yield self.make_remark(row.ours.lines[0].id, row.number, GAP, message, part.line, 3.5, quote=part.text)

    def make_loose_key(self, title: str) -> tuple[str, ...]:
        """A title by the stems of its words: singular and plural are one."""
        return tuple(self.words.stem(word) for word in title.split())

    def check_references(self) -> Iterator[Remark]:
        titles = {fold_title(found.title): found for found in self.printed.all()}
        titles |= {fold_title(entry.title): found for entry, found in self.aligned.entries}
        headings = {
            fold_title(clause.title) for found in self.printed.all() for clause in found.clauses if clause.title
        }
        stems = {self.make_loose_key(title) for title in {*titles, *headings}}
        for entry, found in self.aligned.entries:
            for title, part in find_topics(found.topics):
                if fold_title(title) not in titles and self.make_loose_key(fold_title(title)) not in stems:
                    message = f"there is no entry «{title}»"
                    yield self.make_remark(entry.id, found.number, WORDING, message, part.line, 0.8, quote=part.text)
            for clause in found.clauses:
                number = f"{found.number}.{clause.number}" if clause.number else found.number
                for part in clause.parts:
                    for seen in _SEE.finditer(part.text):
                        there = next((other for other in self.printed.entries if other.number == seen[1]), None)
                        if there is None or self.make_loose_key(fold_title(there.title)) != self.make_loose_key(
                            fold_title(seen[2])
                        ):
                            message = f"refers to {seen[1]} «{seen[2]}», which is another entry or none"
                            yield self.make_remark(
                                f"{entry.id}.{clause.number}", number, IMPRECISE, message, part.line, 1.0
                            )
        yield from self.check_index()

    def check_index(self) -> Iterator[Remark]:
        numbers = {(found.number, clause.number) for found in self.printed.all() for clause in found.clauses}
        for row in self.printed.references:
            if (row.entry, row.clause) not in numbers and row.clause:
                message = f"the index leads to {row.entry}.{row.clause}, which is not there: {row.label}"
                yield self.make_remark("", f"{row.entry}.{row.clause}", WORDING, message, row.line, 0.7)

    def compare_topics(self) -> Iterator[Remark]:
        """The lists of related topics; one that the scan has cut short lacks nothing."""
        topics = Topics(self.aligned.entries, self.make_loose_key, self.laid.book.all())
        titles = {entry.id: entry.title for entry in self.laid.book.all()}
        for entry, found in self.aligned.entries if topics.used else ():
            see = self.see.get(entry.id)
            if see is None:
                continue
            lists = topics.compare(found, see, titles)
            if len(lists.lacks) == len(see) and not found.topics:
                lists = lists._replace(whole=True)
            parts = []
            if lists.lacks and lists.whole:
                parts.append(f"do not have {', '.join(f'«{titles[id_]}»' for id_ in lists.lacks)}")
            if lists.more:
                parts.append(f"have {', '.join(f'«{name}»' for name in lists.more)}, which the package has not")
            if parts:
                line = found.topics[0].line if found.topics else found.line
                message = f"the related topics {'; they '.join(parts)}"
                quote = " ".join(part.text for part in found.topics)
                rule = ", ".join(titles[id_] for id_ in see)
                yield self.make_remark(entry.id, found.number, WORDING, message, line, 0.9, quote, rule)


def _join_lines(clause: OurClause) -> str:
    return " ".join(line.text for line in clause.lines)


def _join_printed(clause: PrintedClause) -> str:
    return " ".join([clause.title, *(part.text for part in clause.parts)]).strip()


def _join_entry(entry: Entry) -> str:
    return " ".join(line.text for line in entry.lines)


def audit(
    edition: Edition, language: str, path: str, beside: tuple[str, str] | None = None, silenced: str | None = None
) -> tuple[list[Remark], Laid]:
    """The findings of one printed edition; `beside`: the file and the language of another one; `silenced`: a file of
    silences."""
    made = Audit(edition)
    laid = made.lay(language, Path(path), path)
    other = made.lay(beside[1], Path(beside[0]), beside[0]) if beside is not None else None
    found = made.run(laid, other)
    return (suppress_findings(found, silenced, language) if silenced is not None else found), laid


# --- for people -------------------------------------------------------------------------------------------------------

ABOUT: Final[Mapping[str, str]] = {
    CHANGES: "the game would be played differently",
    GAP: "something is left out, or only there",
    IMPRECISE: "looser or narrower than the rule",
    WORDING: "terms, spelling, letters",
}


def format_findings(found: Sequence[Remark]) -> str:
    """The findings by severity: number, what is wrong, what is printed, what the rule is."""
    lines: list[str] = []
    for severity in SEVERITIES:
        rows = [row for row in found if row.severity == severity]
        if not rows:
            continue
        lines += (
            ["", f"{severity} ({len(rows)}): {ABOUT[severity]}"]
            if lines
            else [f"{severity} ({len(rows)}): {ABOUT[severity]}"]
        )
        for row in rows:
            name = f" [{row.id}]" if row.id else ""
            place = f"line {row.span.line}" if row.number else f"{row.span.file}:{row.span.line}"
            lines.append(f"  {row.number}{name} {place}: {row.message}".replace("   [", "  ["))
            if row.quote and severity != WORDING:
                lines.append(f"    print: {shorten_text(row.quote)}")
            if row.rule and severity != WORDING:
                lines.append(f"    rule:  {shorten_text(row.rule)}")
    count = f"{len(found)} finding{'' if len(found) == 1 else 's'}"
    return visible("\n".join([*lines, "", count])) if found else ""


def shorten_text(text: str) -> str:
    return text if len(text) <= AUDIT_QUOTE else text[: AUDIT_QUOTE - 2].rstrip() + " .."
