"""Read a printed rules reference from plain text: entries, numbered clauses, their bullets, related topics, index.

In: the text of a book as it comes from a scan: headings with or without marks, bullets of many signs, words broken at
the end of a line, captions of pictures between the paragraphs, icons lost. Out: a `Print`; nothing is judged here, only
taken apart.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from grimoire.compiler.diagnostics.report import Span
from grimoire.compiler.localisation.audit.scan import NOTHING, clean_lines
from grimoire.compiler.localisation.edition.book import Tables, is_roman
from grimoire.compiler.localisation.tuning import (
    PRINTED_MANY,
    PRINTED_SHORT,
)

_MARKS: Final = re.compile(r"\s*(?:#{1,6}\s+)?")
_CLAUSE: Final = re.compile(r"(\d{1,3})\.(\d{1,3})\.?(?:\s+|\Z)")
_HEADING: Final = re.compile(r"(\d{1,3})[.:]?\s+(?=\D)")
_SIGN: Final = re.compile(r"(?:[-–—•·*▪◦‣o]|[^\w\s«»„“”\"'’()\[\]{}<>.,:;!?…*#№+=/\\|&%-])[\ufe0f]?\s+")
_SECOND: Final = frozenset("-–—•·▪◦‣")  # signs of bullets below bullets, where a book has others too
_BOLD: Final = re.compile(r"\*\*|__")
_DOTS: Final = re.compile(r"\.{4,}|…{2,}|\t")
_ICON: Final = re.compile(r"\s*\(\s*[^\w\s()«»„“.,;:!?-](?:[^\w()«»„“.,;:!?-])*\)")
_REFERENCE: Final = re.compile(r"\A(.*\w\S*),\s*(\d{1,3})\.(\d{1,3})(?:-\d{1,3})?\Z")
_STOP: Final = re.compile(r"[.!?…:;][»“”\"')\]*_]*\Z")
_LOOKALIKE: Final = str.maketrans("ІХСМ", "IXCM")
_WORD: Final = re.compile(r"[^\W\d_]+")


class Part(NamedTuple):
    """A statement of a clause: the clause itself, or one of its bullets."""

    text: str
    line: int
    column: int
    end_line: int
    end_column: int
    level: int  # 0 the clause, 1 a bullet, 2 a bullet below it


class PrintedClause(NamedTuple):
    """A numbered clause; number 0 is what an entry says before the first."""

    number: int
    title: str
    parts: tuple[Part, ...]
    examples: tuple[Part, ...]
    line: int


class PrintedEntry(NamedTuple):
    """An entry or an appendix with what belongs to it."""

    number: str
    title: str
    line: int
    clauses: tuple[PrintedClause, ...]
    topics: tuple[Part, ...]
    strays: tuple[tuple[str, int], ...]  # clauses with the number of another entry: the number and the line


class Reference(NamedTuple):
    """A line of the index that leads to a clause."""

    label: str
    entry: str
    clause: int
    line: int
    text: str


class Print(NamedTuple):
    file: str
    entries: tuple[PrintedEntry, ...]
    appendices: tuple[PrintedEntry, ...]
    references: tuple[Reference, ...]
    lines: tuple[str, ...]

    def span(self, part: Part) -> Span:
        return Span(self.file, part.line, part.column, part.end_line, part.end_column)

    def at(self, line: int) -> Span:
        return Span(self.file, line, 1, line, max(len(self.lines[line - 1]), 1) + 1)

    def all(self) -> tuple[PrintedEntry, ...]:
        return (*self.entries, *self.appendices)


class Words(NamedTuple):
    """What a reader must know of the language of a book."""

    appendix: str
    see: tuple[str, ...]
    example: tuple[str, ...]
    titles: frozenset[str] = frozenset()  # of the entries that may be there, folded


class _Piece:
    """A statement that is being read."""

    def __init__(self, text: str, line: int, column: int, end: int, level: int) -> None:
        self.texts = [text]
        self.line, self.column, self.level = line, column, level
        self.end_line, self.end_column = line, end

    def add(self, text: str, line: int, end: int) -> None:
        last = self.texts[-1]
        if re.search(r"[^\W\d_]-\Z", last) and text[:1].islower():
            self.texts[-1] = last[:-1] + text
        else:
            self.texts.append(text)
        self.end_line, self.end_column = line, end

    @property
    def text(self) -> str:
        return " ".join(part for part in self.texts if part)

    def part(self) -> Part:
        return Part(clean(self.text), self.line, self.column, self.end_line, self.end_column, self.level)


class _Clause:
    def __init__(self, number: int, title: str, line: int) -> None:
        self.number, self.title, self.line = number, title, line
        self.pieces: list[_Piece] = []
        self.examples: list[_Piece] = []

    def finish(self) -> PrintedClause:
        parts = [piece.part() for piece in self.pieces]
        return PrintedClause(
            self.number,
            clean(self.title),
            tuple(part for part in parts if part.text),
            tuple(piece.part() for piece in self.examples),
            self.line,
        )


class _Entry:
    def __init__(self, number: str, title: str, line: int, appendix: bool) -> None:
        self.number, self.title, self.line, self.appendix = number, title, line, appendix
        self.clauses = [_Clause(0, "", line)]
        self.topics: list[_Piece] = []
        self.strays: list[tuple[str, int]] = []

    def finish(self) -> PrintedEntry:
        clauses = [clause.finish() for clause in self.clauses]
        return PrintedEntry(
            self.number,
            clean(self.title),
            self.line,
            tuple(clause for clause in clauses if clause.parts or clause.number),
            tuple(piece.part() for piece in self.topics),
            tuple(self.strays),
        )


def clean(text: str) -> str:
    """A text without marks of bold type, brackets around lost icons, and doubled spaces."""
    text = _ICON.sub("", _BOLD.sub("", text)).strip()
    if text.startswith("*") and text.endswith("*") and len(text) > 2:
        text = text[1:-1]
    return re.sub(r"\s+", " ", text).strip()


def is_capital(text: str) -> bool:
    """Whether a text is set in capitals, as headings are; a few small letters are slips of the scan."""
    letters = [letter for letter in text if letter.isalpha()]
    return len(letters) > 1 and sum(letter.isupper() for letter in letters) >= 0.8 * len(letters)


def fold_title(text: str) -> str:
    """A text for comparing titles: no signs, no difference of capitals, apostrophes and quotes."""
    return " ".join(_WORD.findall(re.sub(r"['’ʼ`]", "", text.lower().replace("ё", "е"))))


class Reader:
    """Goes through the lines of a book once."""

    def __init__(self, lines: Sequence[str], words: Words) -> None:
        self.lines = lines
        self.words = words
        self.see = tuple(fold_title(word) for word in words.see)
        self.entries: list[_Entry] = []
        self.references: list[Reference] = []
        self.entry: _Entry | None = None
        self.open: _Piece | None = None  # what the next line may go on with
        self.gap = False  # whether an empty line stands before
        self.appendix_open = False  # a heading with the number of an appendix waits for its title
        self.topics_open = False
        self.index = self.find_index_start()
        self.headed = self.with_headings()

    def find_index_start(self) -> int:
        """The line where the index begins: the last heading before many references in a row."""
        run: list[int] = []
        for at, line in enumerate(self.lines):
            if not line.strip():
                continue
            if _REFERENCE.match(line.strip(" *#-")):
                run.append(at)
                if len(run) >= PRINTED_MANY:
                    return self.find_heading_before(run[0])
            elif len(run) and at - run[-1] > 4:
                run = []
        return len(self.lines)

    def find_heading_before(self, at: int) -> int:
        for line in range(at, max(at - 12, -1), -1):
            text = _MARKS.sub("", self.lines[line], count=1).strip()
            if is_capital(text) and len(text) > 3:
                return line
        return at

    def read(self) -> None:
        for at, line in enumerate(self.lines[: self.index], 1):
            if line == NOTHING:
                continue
            if not line.strip():
                self.gap = True
                continue
            if _DOTS.search(line.strip()):
                self.read_table_row(at, line)
                continue
            self.read_line(at, line)
            self.gap = False
        for at in range(self.index, len(self.lines)):
            found = _REFERENCE.match(self.lines[at].strip(" *#-"))
            if found is not None:
                text = self.lines[at].strip()
                self.references.append(Reference(found[1], found[2], int(found[3]), at + 1, text))

    def read_table_row(self, at: int, line: str) -> None:
        """A row of a table belongs to the clause; a row of dots to the list of contents."""
        cells = [cell.strip() for cell in line.strip().split("	")]
        if self.entry is not None and len(cells) > 2 and self.entry.clauses[-1].pieces:
            self.entry.clauses[-1].pieces[-1].add(" ".join(cells), at, len(line.rstrip()) + 1)
        self.open = None

    def read_line(self, at: int, line: str) -> None:
        column = len(line) - len(line.lstrip()) + 1
        marked = line.lstrip().startswith("#")
        text = _MARKS.sub("", line, count=1)
        level = 0
        sign = _SIGN.match(text)
        while sign is not None and not is_number(text[: sign.end()]):
            level = 2 if sign[0].strip()[:1] in _SECOND else 1
            text = text[sign.end() :]
            sign = _SIGN.match(text)
        bare = _BOLD.sub("", text).strip()
        end = len(line.rstrip()) + 1
        if not bare:
            return
        if self.read_appendix(at, bare, level):
            return
        if self.entry is None:
            if not self.read_numbered(at, bare, text, column, end):
                self.read_heading(at, bare)
            return
        if self.read_related(at, text, column, end):
            return
        if self.read_numbered(at, bare, text, column, end) or (level == 0 and self.read_heading(at, bare)):
            return
        if level == 0 and self.read_counted(at, bare, column, end):
            return
        shows = fold_title(bare).startswith(self.words.example) or (level == 0 and bare.startswith("*"))
        if level == 0 and not shows and self.goes_on(bare):
            assert self.open is not None
            self.open.add(text.strip(), at, end)
            return
        self.topics_open = False
        clause = self.entry.clauses[-1]
        if shows:
            self.open = _Piece(text.strip(), at, column, end, 0)
            clause.examples.append(self.open)
            return
        if level == 0 and (marked or is_capital(bare) or self.is_caption(bare, at)):
            self.open = None
            if is_capital(bare) and self.entry.appendix and not clause.pieces and not clause.title:
                clause.title = bare
            return
        if level == 0 and clause.pieces and not self.entry.appendix:
            clause.pieces[-1].add(text.strip(), at, end)
            self.open = clause.pieces[-1]
            return
        self.open = _Piece(text.strip(), at, column, end, level)
        clause.pieces.append(self.open)

    def is_caption(self, text: str, at: int) -> bool:
        """A line of a few words without a stop, by itself: what stands below a picture."""
        following = next((line.strip() for line in self.lines[at:] if line.strip()), "")
        return len(text.split()) <= 8 and not _STOP.search(text) and self.gap and not following[:1].islower()

    def goes_on(self, text: str) -> bool:
        """Whether a line goes on with what stands before it."""
        if self.open is None:
            return False
        last = self.open.text.rstrip("*_ ")
        if re.search(r"[^\W\d_]-\Z", last) and text[:1].islower():
            return True
        if text[:1].islower() and not _STOP.search(last):
            return True
        return not self.gap and not is_capital(text)

    def read_appendix(self, at: int, text: str, level: int) -> bool:
        if self.appendix_open and level == 0 and self.entry is not None and not self.entry.title:
            self.entry.title, self.appendix_open = text, False
            return True
        word, _, rest = text.partition(" ")
        if word.casefold() != self.words.appendix.casefold():
            return False
        found = re.match(r"([IVXІХ]+)\s*[.:]?\s*(.*)\Z", rest)
        number = found[1].translate(_LOOKALIKE) if found is not None else ""
        if found is None or not is_roman(number):
            return False
        self.start(_Entry(number, found[2], at, True))
        self.appendix_open = not found[2]
        return True

    def start(self, entry: _Entry) -> None:
        self.entries.append(entry)
        self.entry, self.open, self.topics_open = entry, None, False

    def read_heading(self, at: int, text: str) -> bool:
        """`12 TITLE`; inside of an appendix `12. TITLE` is one of its clauses."""
        found = _HEADING.match(text)
        if found is None or not self.is_title(text[found.end() :]):
            return False
        title = text[found.end() :].strip()
        if self.entry is not None and self.entry.appendix:
            self.entry.clauses.append(_Clause(int(found[1]), title, at))
            self.open = None
            return True
        if self.entry is not None and int(found[1]) == 0:
            return False
        self.start(_Entry(str(int(found[1])), title, at, False))
        return True

    def is_title(self, text: str) -> bool:
        return is_capital(text) or fold_title(text) in self.words.titles

    def with_headings(self) -> set[str]:
        """The numbers of entries that have a heading."""
        found: set[str] = set()
        for line in self.lines[: self.index]:
            text = _BOLD.sub("", _MARKS.sub("", line, count=1)).strip()
            heading = _HEADING.match(text)
            if heading is not None and self.is_title(text[heading.end() :]):
                found.add(str(int(heading[1])))
        return found

    def read_numbered(self, at: int, bare: str, text: str, column: int, end: int) -> bool:
        """`12.3 text`, or `12.3 HEADING` whose text follows."""
        found = _CLAUSE.match(bare)
        if found is None:
            return False
        number = str(int(found[1]))
        if self.entry is None or number != self.entry.number:
            if number not in self.headed:  # an entry without a heading
                self.start(_Entry(number, "", at, False))
                self.headed.add(number)
            elif self.entry is None:
                return False
            else:
                self.entry.strays.append((f"{number}.{int(found[2])}", at))
        assert self.entry is not None
        rest = bare[found.end() :]
        heading = is_capital(rest) and not re.search(r"[.:]\s", rest)
        clause = _Clause(int(found[2]), rest if heading else "", at)
        self.entry.clauses.append(clause)
        self.topics_open = False
        self.open = None
        if not heading and rest:
            self.open = _Piece(_BOLD.sub("", text).strip()[found.end() :], at, column, end, 0)
            clause.pieces.append(self.open)
        return True

    def read_counted(self, at: int, text: str, column: int, end: int) -> bool:
        """Inside of an appendix, `3. text`: its third clause."""
        assert self.entry is not None
        found = re.match(r"(\d{1,2})\.\s+(?=\S)", text)
        if found is None or not self.entry.appendix or int(found[1]) != self.entry.clauses[-1].number + 1:
            return False
        self.entry.clauses.append(_Clause(int(found[1]), "", at))
        self.open = _Piece(text[found.end() :], at, column, end, 0)
        self.entry.clauses[-1].pieces.append(self.open)
        return True

    def read_related(self, at: int, text: str, column: int, end: int) -> bool:
        """The line of related topics, and what goes on with it."""
        assert self.entry is not None
        bare = fold_title(text)
        label = next((label for label in self.see if label and bare.startswith(label)), None)
        if label is not None:
            words = _BOLD.sub("", text)
            ends = [found.end() for found in re.finditer(r"[^\W\d_]+(?:['’ʼ`][^\W\d_]+)*", words)]
            rest = words[ends[len(label.split()) - 1] :].lstrip(" .:*_")
            self.open = _Piece(rest.strip(), at, column, end, 0)
            self.entry.topics.append(self.open)
            self.topics_open = True
            return True
        if self.topics_open and self.open is not None and not _CLAUSE.match(text) and not _HEADING.match(text):
            last = self.open.text
            if not _STOP.search(last):
                self.open.add(_BOLD.sub("", text).strip(), at, end)
                return True
        return False


def is_number(text: str) -> bool:
    return bool(re.match(r"\s*\d", text))


def find_topics(parts: Sequence[Part]) -> Iterator[tuple[str, Part]]:
    """The titles in lines of related topics."""
    for part in parts:
        for title in re.split(r"[,;]", part.text):
            title = title.strip(" .")
            if title:
                yield title, part


def read_print(
    text: str, file: str, tables: Tables, example: Sequence[str], see: Sequence[str], titles: Iterable[str] = ()
) -> Print:
    """Take a book apart; `titles` are those of entries that may be there, for headings that are not in capitals."""
    lines = text.split("\n")
    lines = [line.rstrip("\r").replace("\ufeff", "").replace("\u00ad", "").replace("\u00a0", " ") for line in lines]
    known = frozenset(fold_title(title) for title in titles)
    plain = [line for line in lines if line.strip() and len(line) < PRINTED_SHORT]
    lines = clean_lines(lines, known, {line.strip().casefold(): fold_title(line) for line in plain})
    words = Words(
        tables.words.get("appendix", ""),
        (tables.words.get("see", ""), *see),
        tuple(fold_title(word) for word in example),
        known,
    )
    reader = Reader(lines, words)
    reader.read()
    made = [entry.finish() for entry in reader.entries]
    return Print(
        file,
        tuple(entry for entry, raw in zip(made, reader.entries, strict=True) if not raw.appendix),
        tuple(entry for entry, raw in zip(made, reader.entries, strict=True) if raw.appendix),
        tuple(reader.references),
        tuple(lines),
    )
