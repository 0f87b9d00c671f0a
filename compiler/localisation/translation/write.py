"""Write translations into the text files of a package: nothing but the scalars that change is touched.

In: texts by id. Out: changed files; comments, order, quotes and all other keys stay as they are. A text that stands is
replaced in its span; one that is missing goes to the file that has its rule or section, or to the twin of the file of
the source language. Every file is read again before it is written: if anything else would have changed, nothing is
written at all.
"""

from __future__ import annotations

import codecs
import json
import re
import textwrap
from collections.abc import Mapping as Rows
from pathlib import Path
from typing import Final, NamedTuple

from grimoire.compiler.diagnostics.report import Diagnostics
from grimoire.compiler.files import read_file, replace_files
from grimoire.compiler.localisation.text.lexicon import plain
from grimoire.compiler.localisation.text.texts import FOLDER, SECTIONS
from grimoire.compiler.localisation.translation.records import make_string_id, record_path
from grimoire.compiler.localisation.translation.strings import Edition, split_id
from grimoire.compiler.localisation.tuning import (
    YAML_WIDTH,
)
from grimoire.compiler.source.tree import MAX_FILE_BYTES, Mapping, Node, Scalar, list_files, load_file, parse_bytes
from grimoire.compiler.telling import Finding

_PLAIN: Final = re.compile(r"[^\W_][^\n\t]*\Z|\d[^\n\t]*\Z")
_UNSAFE: Final = re.compile(r": |:\Z| #|\s\Z|\A(?:null|Null|NULL)\Z|[\x00-\x1f\x7f\x85\u2028\u2029\ufeff]")
_LINE_END: Final = re.compile(r"\r\n|\r|\n")

Additions = dict[str, dict[str, str]]  # section -> key -> text; a clause has the key rule and number


class File:
    """One file of texts while it is edited."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.edits: list[tuple[int, int, str]] = []  # from, to, new text; applied from the end
        self.tail: list[str] = []
        if path.exists():
            data = read_file(path, MAX_FILE_BYTES)
            self.bom = data.startswith(b"\xef\xbb\xbf")
            self.text = data.decode("utf-8-sig")
            diags = Diagnostics()
            tree = load_file(path, diags)
            if tree is not None and not isinstance(tree, Mapping):
                raise Finding(f"{path.as_posix()} is no file of texts")
            self.tree = tree
        else:
            self.bom, self.text, self.tree = False, "", None
        found = _LINE_END.search(self.text)
        self.newline = found[0] if found else "\n"
        self.starts = [0, *(match.end() for match in _LINE_END.finditer(self.text))]

    def offset(self, line: int, column: int) -> int:
        return len(self.text) if line > len(self.starts) else self.starts[line - 1] + column - 1

    def region(self, node: Node) -> tuple[int, int]:
        """Where a node stands, without the empty lines behind it."""
        start, end = self.offset(node.line, node.column), self.offset(node.end_line, node.end_column)
        return start, start + len(self.text[start:end].rstrip())

    def is_flow(self, node: Mapping) -> bool:
        return self.text.startswith("{", self.offset(node.line, node.column))

    def end_of(self, node: Node) -> int:
        """The end of the line on which the last text of a node ends."""
        while isinstance(node, Mapping) and node.entries and not self.is_flow(node):
            node = node.entries[-1][1]
        end = self.region(node)[1]
        found = _LINE_END.search(self.text, end)
        return found.start() if found else len(self.text)

    def replace(self, node: Scalar, text: str) -> None:
        start, end = self.region(node)
        line_start = self.starts[node.line - 1]
        flow = _is_in_flow(self.text[line_start:start])
        indent = len(self.text[line_start:start]) - len(self.text[line_start:start].lstrip())
        said = render(text, indent, node.column - 1, style=node.style, flow=flow)
        self.edits.append((start, end, said.replace("\n", self.newline)))

    def insert(self, into: Mapping, rows: Rows[str, str | Rows[str, str]]) -> None:
        """Add keys at the end of a mapping."""
        if self.is_flow(into):
            at = self.region(into)[1] - 1
            lead = ", " if into.entries else ""
            body = ", ".join(_write_flow_row(key, row) for key, row in rows.items())
            self.edits.append((at, at, lead + body))
            return
        indent = into.entries[0][0].column - 1
        at = self.end_of(into)
        body = "".join("\n" + line for line in _write_block(rows, indent))
        self.edits.append((at, at, body.replace("\n", self.newline)))

    def append(self, section: str, rows: Rows[str, str | Rows[str, str]]) -> None:
        """Add a section at the end of the file."""
        self.tail.append(f"{section}:\n" + "\n".join(_write_block(rows, 2)) + "\n")

    def done(self) -> str:
        text = self.text
        for _, (start, end, new) in sorted(enumerate(self.edits), key=lambda item: (item[1][0], item[0]), reverse=True):
            text = text[:start] + new + text[end:]
        for part in self.tail:
            text = (text.rstrip() + self.newline * 2 if text.strip() else "") + part.replace("\n", self.newline)
        return text


def _is_in_flow(before: str) -> bool:
    """Whether a value stands inside braces, from what stands before it on its line."""
    bare = re.sub(r"'[^']*'|\"[^\"]*\"", "", before)
    return bare.count("{") > bare.count("}")


def render(text: str, indent: int, column: int, *, style: str = "plain", flow: bool = False) -> str:
    """A text as a YAML scalar, in the style it had as far as that can be."""
    if "\n" in text or any(ord(sign) < 32 or ord(sign) in (0x7F, 0x85, 0x2028, 0x2029, 0xFEFF) for sign in text):
        return json.dumps(text, ensure_ascii=True)
    if not flow and len(text) + column > YAML_WIDTH and text == " ".join(text.split(" ")) and "  " not in text.strip():
        lines = textwrap.wrap(text, YAML_WIDTH - indent - 2, break_long_words=False, break_on_hyphens=False)
        if " ".join(lines) == text:
            return ">-\n" + "\n".join(" " * (indent + 2) + line for line in lines)
    safe = _PLAIN.match(text) and not _UNSAFE.search(text) and text not in ("null", "~")
    if safe and style not in ("single", "double") and not (flow and re.search(r"[,\[\]{}]", text)):
        return text
    return "'" + text.replace("'", "''") + "'"


def _write_key(key: str) -> str:
    return (
        key
        if re.fullmatch(r"[\w*.-]*\w[\w*.-]*", key) and not key.startswith(("*", "-")) and key not in ("no", "yes")
        else f"'{key}'"
    )


def _write_flow_row(key: str, row: str | Rows[str, str]) -> str:
    if isinstance(row, str):
        return f"{_write_key(key)}: {render(row, 0, 0, flow=True)}"
    return f"{_write_key(key)}: {{{', '.join(_write_flow_row(name, text) for name, text in row.items())}}}"


def _write_block(rows: Rows[str, str | Rows[str, str]], indent: int) -> list[str]:
    lines: list[str] = []
    for key, row in rows.items():
        head = " " * indent + _write_key(key) + ":"
        if isinstance(row, str):
            lines.append(f"{head} {render(row, indent, len(head) + 1)}")
        else:
            lines += [head, *_write_block(row, indent + 2)]
    return lines


class Change(NamedTuple):
    """What became of a list of texts."""

    files: list[Path]
    replaced: list[str]
    added: list[str]


def write_texts(
    edition: Edition, language: str, source: str, texts: Rows[str, str], record: bytes | None = None
) -> Change:
    """Put texts into the files of a language, and then its record. Raises Finding, with nothing written, if that cannot
    be done cleanly."""
    strings = edition.open_language(language).texts
    files: dict[Path, File] = {}
    replaced: list[str] = []
    additions: dict[Path, Additions] = {}
    there = _find_places(edition.root, language)
    for id_, text in texts.items():
        node = strings.get(id_)
        if node is None:
            section, key = split_id(id_)
            additions.setdefault(_find_home(edition, language, source, id_, there), {}).setdefault(section, {})[key] = (
                text
            )
        elif node.value != text:
            path = Path(node.source.path)
            if path not in files:
                files[path] = File(path)
            files[path].replace(node, text)
            replaced.append(id_)
    for path, sections in additions.items():
        file = files.get(path) or File(path)
        files[path] = file
        for section, rows in sections.items():
            _add(edition, file, section, rows)
    done = {path: file.done() for path, file in files.items()}
    for path, new in done.items():
        _verify(path, files[path], new, language, texts)
    made = {path: (codecs.BOM_UTF8 if files[path].bom else b"") + new.encode() for path, new in done.items()}
    if record is not None:
        made[record_path(edition.root, language)] = record  # last: it must not speak of texts that are not there yet
    replace_files(made, inside=edition.root)
    added = [
        make_string_id(section, key)
        for sections in additions.values()
        for section, rows in sections.items()
        for key in rows
    ]
    return Change(sorted(done), replaced, added)


def _find_places(root: Path, language: str) -> dict[str, Path]:
    """Where a language has its sections and the rules of its ledger: section, or clauses.rule -> file."""
    found: dict[str, Path] = {}
    for name in list_files(root):
        id_ = name.removeprefix(FOLDER).partition("/")[0].removesuffix(".yaml").removesuffix(".yml")
        if name.startswith(FOLDER) and id_ == language:
            tree = load_file(root / name, Diagnostics())
            for key, node in tree.entries if isinstance(tree, Mapping) else ():
                found.setdefault(key.value, root / name)
                if key.value == "clauses" and isinstance(node, Mapping):
                    for rule, _ in node.entries:
                        found.setdefault(f"clauses.{rule.value}", root / name)
    return found


def _find_home(edition: Edition, language: str, source: str, id_: str, there: dict[str, Path]) -> Path:
    """The file that a missing text goes to."""
    section, key = split_id(id_)
    if section == "clauses" and f"clauses.{_split_clause(edition, key)[0]}" in there:
        return there[f"clauses.{_split_clause(edition, key)[0]}"]
    folder = edition.root / "text"
    node = edition.open_language(source).texts.get(id_)
    has_folder, has_file = (folder / language).is_dir(), (folder / f"{language}.yaml").is_file()
    if node is not None and (has_folder or not has_file):
        parts = Path(node.source.path).relative_to(edition.root / "text").parts
        if len(parts) > 1:
            return folder.joinpath(language, *parts[1:])
    if section in there:
        return there[section]
    return folder / language / "play.yaml" if has_folder else folder / f"{language}.yaml"


def _split_clause(edition: Edition, key: str) -> tuple[str, str]:
    """The rule and the number of a clause; the number of a rule itself is `title`."""
    if key in edition.model.clauses:
        rule, _, number = key.rpartition(".")
        return rule, number
    return key, "title"


def _add(edition: Edition, file: File, section: str, rows: dict[str, str]) -> None:
    node = file.tree.get(section) if file.tree is not None else None
    if section == "title":
        file.edits.append((0, 0, f"title: {render(rows[''], 0, 7)}{file.newline}"))
        return
    nested: dict[str, str | dict[str, str]] = dict(rows)
    if section == "clauses":
        flat = isinstance(node, Mapping) and any(key.value in edition.model.clauses for key, _ in node.entries)
        nested = {}
        for key, text in rows.items():
            rule, number = _split_clause(edition, key)
            old = node.get(rule) if isinstance(node, Mapping) else None
            if isinstance(old, Mapping):
                file.insert(old, {number: text})
            elif flat:
                nested[key] = text
            else:
                nested.setdefault(rule, {})[number] = text  # type: ignore[index]
    if not nested:
        return
    if node is None:
        file.append(section, nested)
    elif isinstance(node, Mapping):
        file.insert(node, nested)
    else:
        raise Finding(
            f"{file.path.as_posix()}:{node.line}: the section {section} is empty or no mapping: write a first "
            "row by hand"
        )


def _verify(path: Path, file: File, new: str, language: str, texts: Rows[str, str]) -> None:
    """Read the new file: the texts must be there, and everything else must be as it was."""
    diags = Diagnostics()
    tree = parse_bytes(new.encode(), path.as_posix(), diags)
    before = _flatten(plain(file.tree)) if file.tree is not None else {}
    after = _flatten(plain(tree)) if isinstance(tree, Mapping) else {}
    wrong = [
        key
        for key in {**before, **after}
        if after.get(key) != texts.get(_make_id(key), before.get(key)) and after.get(key) != before.get(key)
    ]
    if diags.has_errors or wrong or not isinstance(tree, Mapping):
        what = f": {', '.join('.'.join(key) for key in wrong[:3])}" if wrong else ""
        raise Finding(
            f"{path.as_posix()} cannot be edited without changing more than asked for{what}; nothing was written"
        )


def _flatten(node: object, path: tuple[str, ...] = ()) -> dict[tuple[str, ...], str]:
    if isinstance(node, dict):
        return {key: text for name, part in node.items() for key, text in _flatten(part, (*path, name)).items()}
    return {path: str(node)}


def _make_id(path: tuple[str, ...]) -> str:
    if path[0] == "clauses" and len(path) == 3:
        return f"clauses.{path[1]}" if path[2] == "title" else f"clauses.{path[1]}.{path[2]}"
    return ".".join(path) if path[0] in SECTIONS else ""
