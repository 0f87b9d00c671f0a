"""What fuzzers are let loose on: the YAML reader, the effect parser, the artefact loader. A target takes bytes and
returns, or a fuzzer has found something.

`tests/hostile/corpus/<target>/` keeps inputs from which fuzzers start: pieces of content, and what they found. The
suite runs every one of them; `python -m tests.hostile.fuzz_targets TARGET FILE ..` runs some by hand, `--seeds` writes
the pieces of content again.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from grimoire.compiler.diagnostics.report import Diagnostics, Span
from grimoire.compiler.source.tree import Mapping, Node, Scalar, parse_bytes
from grimoire.compiler.syntax.parse import STARTS, ParseProblem, parse
from grimoire.compiler.syntax.printer import print_node
from grimoire.runtime import ArtefactError, content_hash, load_artefact
from grimoire.runtime.artefact.loading import FORMAT, VERSION

CORPUS = Path(__file__).with_name("corpus")


def yaml_reader(data: bytes) -> None:
    """A tree or a diagnostic that says why there is none; every place lies in the file; keys are unique."""
    diags = Diagnostics()
    tree = parse_bytes(data, "fuzzed.yaml", diags)
    assert tree is not None or len(diags), "neither a tree nor a diagnostic"
    lines = data.decode("utf-8", "replace").removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for item in diags:
        assert item.message and item.code
        in_file(item.span, lines)
    for node in walk(tree) if tree is not None else ():
        in_file(node.span, lines)
        if isinstance(node, Mapping):
            keys = [key.value for key, _ in node.entries]
            assert len(keys) == len({*keys}), "a key stands twice"


def walk(node: Node) -> Iterator[Node]:
    waiting = [node]
    while waiting:
        found = waiting.pop()
        yield found
        if isinstance(found, Mapping):
            for key, value in found.entries:
                waiting += [key, value]
        elif not isinstance(found, Scalar):
            waiting += found.items


def in_file(span: Span, lines: list[str]) -> None:
    """A place may end behind the last line, as a block that goes on to the end of the file does."""
    assert 1 <= span.line <= len(lines), f"line {span.line} of {len(lines)}"
    assert span.line <= span.end_line <= len(lines) + 1, f"ends in line {span.end_line} of {len(lines)}"
    assert 1 <= span.column <= len(lines[span.line - 1]) + 2, f"column {span.column} of line {span.line}"
    assert span.end_line > span.line or span.end_column >= span.column, "ends before it begins"


def effect_parser(data: bytes) -> None:
    """A tree or a problem with its place; the printed tree reads as the same tree. The first byte says what sort of
    text it is."""
    start = STARTS[data[0] % len(STARTS)] if data else STARTS[0]
    text = data[1:].decode("utf-8", "replace")
    try:
        node = parse(text, start)
    except ParseProblem as problem:
        lines = text.split("\n")
        assert problem.message and problem.code
        assert 1 <= problem.line <= len(lines) + 1 and problem.column >= 1 and problem.width >= 1, (
            "a place outside of the text"
        )
        return
    printed = print_node(node)
    assert parse(printed, start) == node, f"reads as another tree: {printed!r}"
    assert print_node(parse(printed, start)) == printed


def artefact_loader(data: bytes) -> None:
    """A package or an ArtefactError; the same document with the hash that belongs to it, too."""
    document = taken(data)
    try:
        document = json.loads(data) if document is None else document
    except (ValueError, RecursionError):
        return
    if isinstance(document, dict):
        document |= {"format": FORMAT, "version": VERSION}
        try:
            document["hash"] = content_hash(document)
        except (ValueError, RecursionError):
            return
        taken(document)


def taken(source: bytes | dict[str, Any]) -> dict[str, Any] | None:
    try:
        return load_artefact(source).document
    except ArtefactError as error:
        assert str(error)
        return None


TARGETS: dict[str, Callable[[bytes], None]] = {
    "yaml_reader": yaml_reader,
    "effect_parser": effect_parser,
    "artefact_loader": artefact_loader,
}


# --- the corpus -------------------------------------------------------------------------------------------------------


def corpus(target: str) -> list[bytes]:
    return [path.read_bytes() for path in sorted((CORPUS / target).glob("*"))]


def keep(target: str, data: bytes) -> Path:
    """Put an input into the corpus, named after what it holds."""
    path = CORPUS / target / hashlib.blake2b(data, digest_size=8).hexdigest()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


def write_seeds() -> None:
    """Pieces of the content: files with the different sections, a text for every sort of node, the smallest
    artefact."""
    from grimoire.compiler.api.build import build
    from grimoire.compiler.resolve import resolve_paths
    from tests.hostile.change_effects import sort_of
    from tests.hostile.change_effects import walk as parts_of
    from tests.packages import CONTENT, compile_folder

    seen: set[str] = set()
    for path in sorted(CONTENT.glob("*/**/*.yaml"), key=lambda path: path.stat().st_size):
        data = path.read_bytes()[:1500]
        new = {line.split(b":")[0].strip().decode() for line in data.split(b"\n") if b":" in line} - seen
        if len(new) > 15:
            keep("yaml_reader", data)
            seen |= new
    known: set[tuple[str, str]] = set()
    for name in ("love-letter", "abyss", "unfathomable"):
        model = compile_folder(*resolve_paths([CONTENT / name], Diagnostics())[0]).model
        for text in sorted(model.texts if model is not None else (), key=lambda text: (len(text.text), text.text)):
            sorts = {(text.start, sort_of(part)) for _, part in parts_of(text.node)}
            if len(text.text) < 300 and sorts - known:
                known |= sorts
                keep("effect_parser", bytes([STARTS.index(text.start)]) + text.text.encode())
    artefact = build(Path(__file__).parents[1] / "diagnostics" / "base")
    small = artefact | {"places": [["f", *row[1:3]] for row in artefact["places"]], "text": {}, "clauses": {}}
    keep("artefact_loader", json.dumps(small, separators=(",", ":")).encode())


def main() -> int:
    if sys.argv[1:] == ["--seeds"]:
        write_seeds()
        return 0
    target = TARGETS[sys.argv[1]]
    for name in sys.argv[2:]:
        target(Path(name).read_bytes())
    return 0


if __name__ == "__main__":
    sys.exit(main())
