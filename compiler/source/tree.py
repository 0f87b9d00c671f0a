"""Read YAML files into a light tree that keeps the line and the column of every key and value.

In: paths or bytes. Out: `Scalar`, `Mapping` and `Sequence` nodes, or None, and diagnostics (G01xx; the typed
accessors add G03xx). Every scalar stays the text that the author wrote: `as_int`, `as_flag` and `as_text` interpret
it where a type is wanted, so `no`, `012` or `12:30` never turn into something else on their own. Of YAML only the
plain part is taken: no anchors, aliases, tags, merge keys, several documents. Sizes and depth are capped. What the
keys mean is not known here.
"""

from __future__ import annotations

import errno
import gc
import os
import re
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple, NoReturn, TypeAlias

import yaml

from grimoire.compiler.diagnostics.report import Diagnostics, Related, Span
from grimoire.compiler.files import NotRead, read_file
from grimoire.compiler.records import field, record
from grimoire.compiler.source.source_file import SourceFile as SourceFile
from grimoire.compiler.source.yaml_errors import report_syntax

MAX_FILE_BYTES: Final = 8 * 1024 * 1024
MAX_SCALAR: Final = 1024 * 1024
MAX_DEPTH: Final = 64
MAX_NODES: Final = 1_000_000

Style = Literal["plain", "single", "double", "literal", "folded"]


# --- the tree ---------------------------------------------------------------------------------------------------------


class Scalar(NamedTuple):
    """A single text, as key or as value. A tuple, because a large package has half a million of them."""

    value: str
    style: Style
    line: int
    column: int
    end_line: int
    end_column: int
    source: SourceFile

    @property
    def span(self) -> Span:
        return Span(self.source.path, self.line, self.column, self.end_line, self.end_column)

    @property
    def is_missing(self) -> bool:
        """True when nothing, or YAML's null, stands where a value should be."""
        return self.style == "plain" and self.value in _NULLS


@record(frozen=True)
class Mapping:
    """Keys with values in the order of the file; keys are unique."""

    entries: tuple[tuple[Scalar, Node], ...]
    line: int
    column: int
    end_line: int
    end_column: int
    source: SourceFile = field(repr=False)

    @property
    def span(self) -> Span:
        return Span(self.source.path, self.line, self.column, self.end_line, self.end_column)

    def get(self, key: str) -> Node | None:
        """The value of a key, or None. Looks through the entries: meant for small mappings."""
        for name, node in self.entries:
            if name.value == key:
                return node
        return None

    def key(self, key: str) -> Scalar | None:
        """The key itself, with its place."""
        for name, _ in self.entries:
            if name.value == key:
                return name
        return None

    def __iter__(self) -> Iterator[tuple[Scalar, Node]]:
        return iter(self.entries)

    def __len__(self) -> int:
        return len(self.entries)


@record(frozen=True)
class Sequence:
    """A list of values."""

    items: tuple[Node, ...]
    line: int
    column: int
    end_line: int
    end_column: int
    source: SourceFile = field(repr=False)

    @property
    def span(self) -> Span:
        return Span(self.source.path, self.line, self.column, self.end_line, self.end_column)

    def __iter__(self) -> Iterator[Node]:
        return iter(self.items)

    def __len__(self) -> int:
        return len(self.items)


Node: TypeAlias = Scalar | Mapping | Sequence


def quote(text: str) -> str:
    short = text if len(text) <= 60 else text[:57] + "..."
    return "'" + short.replace("\n", "\\n") + "'"


# --- files ------------------------------------------------------------------------------------------------------------


def list_files(root: Path, diags: Diagnostics | None = None) -> list[str]:
    """Names of the YAML files under a package folder, relative to it, with '/', sorted; hidden ones are skipped.

    Symbolic links are followed only to files inside the package; any other gets a diagnostic, as does an unreadable
    folder.
    """
    report = Diagnostics() if diags is None else diags
    found: list[str] = []
    real_root = os.path.realpath(root)
    folders = [""]
    while folders:
        prefix = folders.pop()
        try:
            with os.scandir(os.path.join(root, prefix)) as scan:
                entries = list(scan)
        except OSError as error:
            _report_os_error(error, _name_of(root, prefix.rstrip("/")), report)
            continue
        for entry in entries:
            if entry.name.startswith("."):
                continue
            name = prefix + entry.name
            is_yaml = entry.name.lower().endswith((".yaml", ".yml"))
            if entry.is_symlink():
                if not is_yaml and not _leads_to_folder(entry):
                    continue
                problem = _link_problem(entry.path, real_root)
                if problem is not None:
                    span = Span.point(_name_of(root, name))
                    report.add("G0104", span, f"the link {quote(printable_name(entry.name))} {problem}")
                    continue
            if entry.is_dir(follow_symlinks=False):
                folders.append(name + "/")
            elif is_yaml:
                if printable_name(name) != name or not name.isprintable():
                    what = "is not UTF-8 text" if printable_name(name) != name else "has signs that cannot be seen"
                    message = f"the file name {quote(printable_name(entry.name))} {what}"
                    report.add("G0121", Span.point(_name_of(root, name)), message, "rename the file")
                    continue
                found.append(name)
    return sorted(found)


def _leads_to_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:
        return False


def _link_problem(path: str, real_root: str) -> str | None:
    try:
        mode = os.stat(path).st_mode
    except OSError as error:
        return "leads round in a circle" if error.errno == errno.ELOOP else "leads to nothing that can be read"
    if stat.S_ISDIR(mode):
        return "leads to a folder; links to folders are not followed"
    if not os.path.realpath(path).startswith(os.path.join(real_root, "")):
        return "leads out of the package"
    return None


def _name_of(root: Path, relative: str) -> str:
    return printable_name((root / relative).as_posix() if relative else root.as_posix())


def printable_name(name: str) -> str:
    """A file name as text: bytes that are not UTF-8 are shown as escapes."""
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def read_bytes(path: Path, diags: Diagnostics, *, name: str | None = None) -> bytes | None:
    """The bytes of a regular file within the size cap. `name` is what reports call it (its path unless given)."""
    name = printable_name(path.as_posix()) if name is None else name
    try:
        return read_file(path, MAX_FILE_BYTES)
    except OSError as error:
        _report_os_error(error, name, diags)
        return None


def _report_os_error(error: OSError, name: str, diags: Diagnostics) -> None:
    span = Span.point(name)
    why = error.why if isinstance(error, NotRead) else None
    if error.errno in (errno.ENOENT, errno.ENOTDIR):
        diags.add("G0101", span, f"there is no file {quote(name)}", "check the spelling, also of capital letters")
    elif error.errno == errno.ELOOP:
        diags.add("G0104", span, f"the link {quote(name)} leads round in a circle", "delete the link")
    elif why == "folder" or error.errno == errno.EISDIR:
        diags.add("G0102", span, f"{quote(name)} is a folder, but a YAML file is wanted")
    elif why == "special":
        diags.add("G0102", span, f"{quote(name)} is not a regular file, but a YAML file is wanted")
    elif why == "large":
        message = f"the file is too large: {error.strerror}"
        diags.add("G0105", span, message, "split it into several files")
    elif why == "changing":
        message = f"{quote(name)} cannot be read: somebody is writing to it at this moment"
        diags.add("G0103", span, message, "wait until nothing writes to it any more")
    else:
        reason = error.strerror or "the name cannot be used"
        diags.add("G0103", span, f"{quote(name)} cannot be read: {reason.lower()}", "check its permissions")


_WIDE_MARKS = (b"\xff\xfe", b"\xfe\xff", b"\x00\x00\xfe\xff")


def decode(data: bytes, name: str, diags: Diagnostics) -> SourceFile | None:
    """Bytes of a file -> its text. Everything but UTF-8 is refused."""
    head = data[:1000]
    if data.startswith(_WIDE_MARKS) or head.count(0) * 3 > len(head):
        message = "the file is saved as UTF-16 or UTF-32 (or is not text at all)"
        diags.add("G0106", Span.point(name), message, "save it as UTF-8")
        return None
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8").removeprefix("\ufeff")
        source = SourceFile.of_text(name, before)
        span = source.span(len(source.lines), len(source.lines[-1]) + 1)
        message = f"byte 0x{data[error.start]:02X} is not UTF-8 text: the file is saved in another encoding"
        diags.add("G0106", span, message, "open it with the encoding that it was written in and save it as UTF-8")
        return None
    if text.startswith("\ufeff"):
        text = text[1:]
        message = "the file starts with an invisible byte order mark"
        diags.add("G0107", Span.point(name), message, "save it as UTF-8 without a byte order mark (BOM)")
    return SourceFile.of_text(name, text)


def load_file(path: Path, diags: Diagnostics, *, name: str | None = None) -> Node | None:
    """Read and parse one file; None when there is no tree to go on with, and then `diags` says why."""
    name = printable_name(path.as_posix()) if name is None else name
    data = read_bytes(path, diags, name=name)
    return None if data is None else parse_bytes(data, name, diags)


def parse_bytes(data: bytes, name: str, diags: Diagnostics) -> Node | None:
    """`load_file` for bytes that were read already."""
    source = decode(data, name, diags)
    return None if source is None else parse_source(source, diags)


def load_text(text: str, diags: Diagnostics, *, name: str = "<text>") -> Node | None:
    """Parse a text as if it were the file `name`."""
    return parse_bytes(text.encode("utf-8", "surrogatepass"), name, diags)


# --- entries ---------------------------------------------------------------------------------------------------------

ENTRY: Final = "\0"  # in the path of a source: what follows names a section of the file, and an entry of it


class _Rest:
    """The lines of a file from one on, while it is not known where an entry ends."""

    __slots__ = ("first", "lines")

    def __init__(self, lines: tuple[str, ...], first: int) -> None:
        self.lines = lines
        self.first = first

    def __len__(self) -> int:
        return len(self.lines) - self.first

    def __getitem__(self, at: int | slice) -> str | tuple[str, ...]:
        if isinstance(at, slice):
            return self.lines[self.first :][at]
        return self.lines[at + self.first if at >= 0 else at]


class Entry(NamedTuple):
    """What a section, or an entry of one, says: two that are equal have equal trees."""

    path: str  # of its source
    column: int
    lines: tuple[str, ...]
    end: tuple[int, int]


class Cut:
    """Cuts a file into its entries while it is read: each has a source of its own, whose lines count from that of its
    key, so that nothing changes in it when it moves. `bases` says where each one stands; `entries` what it says."""

    def __init__(self) -> None:
        self.bases: dict[str, int] = {}
        self.entries: list[Entry] = []

    def open(self, above: SourceFile, line: int, name: str) -> tuple[SourceFile, int]:
        """The source of an entry of a file or section whose key stands in a line counted from 0, and what makes lines
        its own."""
        path = above.path + ENTRY + name.replace("/", "\1")
        if path in self.bases:  # the key stands here twice, and is refused
            path += f"\2{line}"
        self.bases[path] = line
        return SourceFile(path, "", _Rest(self.whole(above), line)), 1 - line  # type: ignore[arg-type]

    @staticmethod
    def whole(source: SourceFile) -> tuple[str, ...]:
        lines: object = source.lines
        return lines.lines if isinstance(lines, _Rest) else source.lines

    def close(self, file: SourceFile, root: Node) -> None:
        """All was read: give every entry its lines."""
        for key, node in root.entries if isinstance(root, Mapping) else ():
            if not isinstance(node, Mapping):
                self.settle(file, key, node.end_line, node.end_column)
                continue
            self.settle(file, key, node.line, node.column + 1, (node.end_line, node.end_column))
            for name, value in node.entries:
                self.settle(file, name, value.end_line, value.end_column)

    def settle(self, file: SourceFile, key: Scalar, last: int, column: int, end: tuple[int, int] | None = None) -> None:
        source = key.source
        first = self.bases[source.path]
        lines = file.lines[first : first + last]
        if lines and len(lines) == last and not lines[-1][: column - 1].strip():
            lines = lines[:-1]  # it ends before anything stands there
        object.__setattr__(source, "lines", lines)
        self.entries.append(Entry(source.path, key.column, lines, end or (last, column)))


def parse_entries(data: bytes, name: str, diags: Diagnostics) -> tuple[Node | None, Cut]:
    """`parse_bytes`, cut into entries."""
    source, cut = decode(data, name, diags), Cut()
    return (None if source is None else parse_source(source, diags, cut)), cut


def shift_span(span: Span, base: int) -> Span:
    """The place in the file of a place in an entry whose key stands in a line counted from 0."""
    file = span.file.partition(ENTRY)[0]
    return Span(file, span.line + base, span.column, span.end_line + base, span.end_column)


# --- YAML events -> tree ----------------------------------------------------------------------------------------------

_Children: TypeAlias = list[Any]  # of an open container: values, or keys with their values
_Yaml: TypeAlias = Any  # loaders, events and marks of PyYAML, which has no types
_Loader: _Yaml = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_STYLES: dict[str | None, Style] = {
    None: "plain",
    "": "plain",
    "'": "single",
    '"': "double",
    "|": "literal",
    ">": "folded",
}
_NULLS = frozenset(("", "~", "null", "Null", "NULL"))
# What YAML itself refuses, and what it would take as a line end or skip: nobody can see it in an editor.
_CONTROL = "\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff\ud800-\udfff"
# What turns the direction of the text round it, or stands between letters without being seen: a line that holds one of
# these reads otherwise than it is. A soft hyphen, spaces of all widths and the joiners that some scripts need are no
# such signs.
_HIDDEN = "\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufff9-\ufffb\U000e0000-\U000e007f"
_UNWANTED_IN_FILE: Final = re.compile(f"[{_CONTROL}{_HIDDEN}]")  # there a carriage return is a line end
UNWANTED: Final = re.compile(f"[\r{_CONTROL}{_HIDDEN}]")  # what no text may hold
_IS_HIDDEN: Final = re.compile(f"[{_HIDDEN}]")
_MAX_CONTROLS: Final = 100
_UNSEEN_BY_YAML = ("\x85", "\u2028", "\u2029", "\ufeff", "\x7f")


class _Stop(Exception):
    """Ends the reading of a file whose rest is not looked at."""


class _Skip:
    """Stands for a key that was refused: its value is read and dropped."""


_SKIP: Final = _Skip()


def parse_source(source: SourceFile, diags: Diagnostics, cut: Cut | None = None) -> Node | None:
    """Text of a file -> its tree. None when the file has no content or cannot be read to its end.

    With `cut` every entry of a section gets a source of its own.
    """
    text = source.text
    if any(char in text for char in _UNSEEN_BY_YAML) or (not text.isascii() and _IS_HIDDEN.search(text)):
        _report_controls(source, diags)
        return None
    # The loader makes no cycles, and the collector would walk the growing tree again and again: two thirds of the time.
    collecting = gc.isenabled()
    gc.disable()
    try:
        return _build(source, diags, cut)
    except yaml.reader.ReaderError:
        _report_controls(source, diags)
    except yaml.MarkedYAMLError as error:
        report_syntax(error, source, diags)
    except _Stop:
        pass
    finally:
        if collecting:
            gc.enable()
    return None


def _build(source: SourceFile, diags: Diagnostics, cut: Cut | None) -> Node | None:
    loader = _Loader(source.text)
    try:
        return _build_tree(loader.get_event, source, diags, cut)
    finally:
        loader.dispose()


def _build_tree(
    next_event: Callable[[], _Yaml], source: SourceFile, diags: Diagnostics, cut: Cut | None = None
) -> Node | None:
    """One pass over the events with a stack of open containers; the loop is flat because it is the hot path."""
    new_scalar, styles, scalar_event = tuple.__new__, _STYLES, yaml.ScalarEvent
    # State of the innermost open container: its children, for a mapping its keys so far and the key that waits for a
    # value.
    children: _Children = []
    keys: dict[str, Scalar] | None = None
    key: Scalar | _Skip | None = None
    stack: list[tuple[_Children, dict[str, Scalar] | None, Scalar | _Skip | None, _Yaml]] = []
    node: Node
    documents = count = 0
    file, base = source, 1  # of what is being read: its source, and what is added to lines that count from 0
    section = (source, base)
    while True:
        event = next_event()
        kind = event.__class__
        if kind is scalar_event:
            start, end, value = event.start_mark, event.end_mark, event.value
            line, column, end_line = start.line + base, start.column + 1, end.line + base
            style = styles[event.style]
            node = new_scalar(Scalar, (value, style, line, column, end_line, end.column + 1, source))
            if event.anchor is not None or event.tag is not None:
                _refuse_property(event, file, diags)
            if style == "double" and UNWANTED.search(value):
                _refuse_escape(node, diags)
            count += 1
            if len(value) > MAX_SCALAR or count > MAX_NODES:
                _refuse_size(node, count, diags)
            if not value and line > len(source.lines):  # what is missing behind `? key` in the last line
                node = _at_end(node)
            if keys is not None and key is None:
                if cut is not None and len(stack) < 3 and (len(stack) == 1 or stack[1][1] is not None):
                    if len(stack) == 1:
                        source, base = section = cut.open(file, start.line, value)
                    else:
                        source, base = cut.open(section[0], start.line, value)
                    node = Scalar(value, style, 1, column, end.line + base, end.column + 1, source)
                if value not in keys and value != "<<" and value != "" and "\n" not in value:
                    keys[value] = key = node
                else:
                    key = _refuse_key(node, keys, diags)
                continue
        elif kind is yaml.MappingStartEvent or kind is yaml.SequenceStartEvent:
            if event.anchor is not None or event.tag is not None:
                _refuse_property(event, file, diags)
            count += 1
            if len(stack) >= MAX_DEPTH or count > MAX_NODES:
                _refuse_nesting(event, file, count, diags)
            stack.append((children, keys, key, event.start_mark))
            children, key = [], None
            keys = {} if kind is yaml.MappingStartEvent else None
            continue
        elif kind is yaml.MappingEndEvent or kind is yaml.SequenceEndEvent:
            content = tuple(children)
            is_mapping = keys is not None
            children, keys, key, start = stack.pop()
            if cut is not None and len(stack) < 2:
                source, base = section if stack else (file, 1)
            end = event.end_mark
            place = (start.line + base, start.column + 1, end.line + base, end.column + 1, source)
            node = Mapping(content, *place) if is_mapping else Sequence(content, *place)
            if keys is not None and key is None:
                message = f"a {'mapping' if is_mapping else 'list'} cannot be a key"
                diags.add("G0120", first_line(node), message, "write a name before the colon, or quote the text")
                key = _SKIP
                continue
        elif kind is yaml.AliasEvent:
            _refuse_alias(event, file, diags)
            start, end = event.start_mark, event.end_mark
            text = "*" + event.anchor
            node = Scalar(text, "plain", start.line + base, start.column + 1, end.line + base, end.column + 1, source)
            if keys is not None and key is None:
                key = _SKIP
                continue
        elif kind is yaml.DocumentStartEvent:
            documents += 1
            if documents > 1:
                span = _mark_span(file, event.start_mark, event.end_mark)
                diags.add("G0119", span, "a second document starts here", "delete the line '---', or make two files")
                break
            if event.version or event.tags:
                span = _mark_span(file, event.start_mark, event.start_mark)
                diags.add("G0117", span, "YAML directives are not used", "delete the line that starts with '%'")
            continue
        elif event is None or kind is yaml.StreamEndEvent:
            break
        else:
            continue
        # A value is complete: put it into its container.
        if keys is None:
            children.append(node)
        elif key is _SKIP:
            key = None
        else:
            children.append((key, node))
            key = None
    if not children or (isinstance(children[0], Scalar) and children[0].value == "" and children[0].style == "plain"):
        diags.add("G0109", Span.point(file.path), "the file has no content", "write its content, or delete the file")
        return None
    root: Node = children[0]
    if cut is not None:
        cut.close(file, root)
    return root


def _at_end(node: Scalar) -> Scalar:
    """A value that YAML puts behind the last line, at its end."""
    line, column = len(node.source.lines), len(node.source.lines[-1]) + 1
    return node._replace(line=line, column=column, end_line=line, end_column=column)


def _mark_span(source: SourceFile, start: _Yaml, end: _Yaml) -> Span:
    if (start.line, start.column) == (end.line, end.column):
        return source.span(start.line + 1, start.column + 1)
    return source.span(start.line + 1, start.column + 1, end.line + 1, end.column + 1)


def first_line(node: Node) -> Span:
    span = node.span
    if span.end_line == span.line:
        return span
    return Span(span.file, span.line, span.column, span.line, len(node.source.lines[span.line - 1]) + 1)


def _refuse_property(event: _Yaml, source: SourceFile, diags: Diagnostics) -> None:
    span = _mark_span(source, event.start_mark, event.start_mark)
    hint = "delete it, or put the whole text in quotes if the sign belongs to it"
    if event.anchor is not None:
        diags.add("G0116", span, f"the anchor {quote('&' + event.anchor)} is not used here", hint)
    if event.tag is not None:
        tag = event.tag.replace("tag:yaml.org,2002:", "!!")
        diags.add("G0117", span, f"the tag {quote(tag)} is not used here", hint)


def _refuse_alias(event: _Yaml, source: SourceFile, diags: Diagnostics) -> None:
    span = _mark_span(source, event.start_mark, event.end_mark)
    hint = "write the value out, or put the text in quotes if the sign belongs to it"
    diags.add("G0116", span, f"the alias {quote('*' + event.anchor)} is not used here", hint)


def _refuse_escape(node: Scalar, diags: Diagnostics) -> None:
    from grimoire.compiler.source.positions import offset_position  # it stands on the tree made here

    for found, rest in _find_unwanted(UNWANTED, node.value):
        line, column = offset_position(node, found.start())
        code, what = _name_unwanted(found[0])
        message = f"the escape makes the {what} U+{ord(found[0]):04X}{rest}"
        diags.add(code, node.source.span(line, column), message, "delete it")


def _refuse_size(node: Scalar, count: int, diags: Diagnostics) -> None:
    start = node.source.span(node.line, node.column)
    if count > MAX_NODES:
        diags.add("G0114", start, f"the file has more than {MAX_NODES:,} values", "split it into several files")
        raise _Stop
    message = f"a text of {len(node.value):,} characters; at most {MAX_SCALAR:,} are allowed"
    diags.add("G0113", start, message, "is a quote not closed? Otherwise split the text")
    raise _Stop


def _refuse_nesting(event: _Yaml, source: SourceFile, count: int, diags: Diagnostics) -> NoReturn:
    span = _mark_span(source, event.start_mark, event.start_mark)
    if count > MAX_NODES:
        diags.add("G0114", span, f"the file has more than {MAX_NODES:,} values", "split it into several files")
    else:
        diags.add("G0112", span, f"more than {MAX_DEPTH} levels of nesting", "name the inner parts and refer to them")
    raise _Stop


def _refuse_key(key: Scalar, keys: dict[str, Scalar], diags: Diagnostics) -> Scalar | _Skip:
    """The key itself if it can be used after all, else the sign to skip its value."""
    if key.value == "<<" and key.style == "plain":
        diags.add("G0118", key.span, "the merge key '<<' is not used here", "write the keys out")
        return _SKIP
    if key.value == "":
        hint = "write a name before the colon, or put the text in quotes if the colon belongs to it"
        diags.add("G0120", key.source.span(key.line, key.column), "a key is empty", hint)
        return _SKIP
    if "\n" in key.value:
        diags.add("G0120", first_line(key), "a key has more than one line", "write a name before the colon")
        return _SKIP
    first = keys.setdefault(key.value, key)
    if first is key:
        return key
    related = [Related(first.span, "it stands here for the first time")]
    diags.add("G0115", key.span, f"the key {quote(key.value)} stands here twice", "delete or rename one", related)
    return _SKIP


# --- faults of the text -----------------------------------------------------------------------------------------------


def _name_unwanted(char: str) -> tuple[str, str]:
    """The code that a character is refused with, and what it is."""
    if _IS_HIDDEN.match(char):
        turns = "\u202a" <= char <= "\u202e" or "\u2066" <= char <= "\u2069" or char in "\u061c\u200e\u200f"
        return "G0122", "sign for the direction of text" if turns else "sign without width"
    return "G0108", "line separator" if char in "\x85\u2028\u2029" else "control character"


def _find_unwanted(pattern: re.Pattern[str], text: str) -> Iterator[tuple[re.Match[str], str]]:
    """Characters of a text that are refused; the last of too many carries a remark that counts the rest."""
    matches = pattern.finditer(text)
    for number, found in enumerate(matches, start=1):
        if number < _MAX_CONTROLS:
            yield found, ""
            continue
        rest = sum(1 for _ in matches)
        yield found, f"; {rest:,} more follow" if rest else ""


def _report_controls(source: SourceFile, diags: Diagnostics) -> None:
    line, line_start = 1, 0
    breaks = re.finditer(r"\r\n|\r|\n", source.text)
    upcoming = next(breaks, None)
    for found, rest in _find_unwanted(_UNWANTED_IN_FILE, source.text):
        while upcoming is not None and upcoming.start() < found.start():
            line, line_start = line + 1, upcoming.end()
            upcoming = next(breaks, None)
        span = source.span(line, found.start() - line_start + 1)
        code, what = _name_unwanted(found[0])
        diags.add(code, span, f"an invisible {what}, U+{ord(found[0]):04X}{rest}", "delete it")
