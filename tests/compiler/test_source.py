"""Reading YAML: places of keys and values, hostile files, typed accessors, places inside of texts."""

from __future__ import annotations

import os
import re
import resource
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st

from grimoire.compiler.diagnostics.codes import CODES
from grimoire.compiler.diagnostics.report import Diagnostics, render_text
from grimoire.compiler.source import tree as source
from grimoire.compiler.source.positions import effect_position, effect_span
from grimoire.compiler.source.shapes import as_flag, as_int, as_mapping, as_sequence, as_text, as_text_list, check_keys
from grimoire.compiler.source.tree import Mapping, Node, Scalar, Sequence, list_files, load_file, load_text
from tests.work import count_calls


def load(text: str) -> tuple[Node | None, list[str]]:
    diags = Diagnostics()
    node = load_text(text, diags, name="f.yaml")
    shown = diags.sorted()
    render_text(shown, {"f.yaml": text})
    return node, [item.code for item in shown]


def tree(text: str) -> Node:
    node, codes = load(text)
    assert node is not None and codes == []
    return node


def value(text: str) -> Scalar:
    """The value of the first key."""
    node = tree(text)
    assert isinstance(node, Mapping)
    found = node.entries[0][1]
    assert isinstance(found, Scalar)
    return found


def plain(node: Any) -> Any:
    if isinstance(node, Mapping):
        return {key.value: plain(item) for key, item in node.entries}
    if isinstance(node, Sequence):
        return [plain(item) for item in node.items]
    return node.value


@pytest.fixture(params=["CSafeLoader", "SafeLoader"])
def each_parser(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(source, "_Loader", getattr(yaml, request.param))
    return str(request.param)


# --- the tree ---------------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("each_parser")
def test_tree_and_places() -> None:
    text = "первый: слово\nlist:\n  - {a: 1, b: [x, 'y']}\n  - |\n    two\n    lines\nlast: >-\n  folded\n"
    root = tree(text)
    assert plain(root) == {
        "первый": "слово",
        "list": [{"a": "1", "b": ["x", "y"]}, "two\nlines\n"],
        "last": "folded",
    }
    lines = text.split("\n")
    styles = {}

    def walk(node: Node) -> None:
        if isinstance(node, Scalar):
            styles[node.value] = node.style
            if node.style == "plain":
                assert lines[node.line - 1][node.column - 1 : node.end_column - 1] == node.value
            if node.style == "single":
                assert lines[node.line - 1][node.column - 1 : node.end_column - 1] == f"'{node.value}'"
        elif isinstance(node, Mapping):
            for key, item in node:
                walk(key)
                walk(item)
        else:
            for item in node:
                walk(item)

    walk(root)
    assert styles["two\nlines\n"] == "literal" and styles["folded"] == "folded" and styles["y"] == "single"
    assert isinstance(root, Mapping)
    flow = root.get("list")
    assert isinstance(flow, Sequence)
    assert (flow.items[0].line, flow.items[0].column, flow.items[0].end_column) == (3, 5, 24)
    assert root.span.file == "f.yaml"


@pytest.mark.usefixtures("each_parser")
@pytest.mark.parametrize(
    "word", ["no", "on", "1e3", "012", "1_000", "12:30:45", "~", "null", "0x1F", ".inf", "2001-01-01", "=", "true"]
)
def test_scalars_stay_what_was_written(word: str) -> None:
    assert plain(tree(f"{word}: {word}\nx: [{word}]\n")) == {word: word, "x": [word]}


@pytest.mark.usefixtures("each_parser")
@pytest.mark.parametrize("ending", ["\r\n", "\n", "\r"])
def test_line_endings_make_no_difference(ending: str) -> None:
    text = ending.join(["a: 1", "b: |", "  x", "", "  y", "c: 'q", "  r'", "d: e"])
    root = tree(text)
    assert plain(root) == {"a": "1", "b": "x\n\ny\n", "c": "q r", "d": "e"}
    assert isinstance(root, Mapping)
    assert [key.line for key, _ in root] == [1, 2, 6, 8]
    literal = root.get("b")
    assert isinstance(literal, Scalar)
    assert effect_position(literal, 3, 1) == (5, 3)


def test_trees_are_immutable_and_comparable() -> None:
    root = tree("a: [1]\n")
    for target, name in ((root, "entries"), (value("a: 1\n"), "value")):
        with pytest.raises(AttributeError):
            setattr(target, name, ())
    assert isinstance(root, Mapping)
    assert len(root) == 1 and root.get("b") is None and root.key("a") is not None and hash(root.entries[0][0])


def test_collector_is_left_as_it_was() -> None:
    import gc

    assert gc.isenabled()
    load("a: [\n")
    assert gc.isenabled()
    gc.disable()
    try:
        load("a: 1\n")
        assert not gc.isenabled()
    finally:
        gc.enable()


# --- refusals ---------------------------------------------------------------------------------------------------------

TEXTS = {
    "alias": ("a: *b\n", ["G0116"]),
    "anchor": ("a: &b 1\n", ["G0116"]),
    "anchor of a list": ("a: &b [1]\n", ["G0116"]),
    "alias as key": ("*a : 1\nb: 2\n", ["G0116"]),
    "star": ("a: * b\n", ["G0116"]),
    "tag": ("a: !!str b\nc: !x [1]\n", ["G0117", "G0117"]),
    "python tag": ("a: !!python/object/apply:os.system ['true']\n", ["G0117"]),
    "directive": ("%YAML 1.1\n---\na: 1\n", ["G0117"]),
    "merge": ("a:\n  <<: {b: 1}\n  c: 2\n", ["G0118"]),
    "two documents": ("a: 1\n---\nb: 2\n", ["G0119"]),
    "duplicate": ("a: 1\nb: 2\na: 3\n'a': 4\n", ["G0115", "G0115"]),
    "list as key": ("? [a]\n: 1\n", ["G0120"]),
    "mapping as key": ("{a: 1}: 2\nb: 1\n", ["G0120"]),
    "empty key": ("? \n: 1\n", ["G0120"]),
    "long key": ("? |\n  a\n  b\n: 1\n", ["G0120"]),
    "tab": ("a:\n\tb: 1\n", ["G0111"]),
    "tab later": ("a:\n  b: 1\n\tc: 1\n", ["G0111"]),
    "tab in block text": ("a: |\n\tb\n", ["G0111"]),
    "empty": ("", ["G0109"]),
    "only comments": ("# a\n\n# b\n", ["G0109"]),
    "only a document start": ("---\n", ["G0109"]),
    "mark": ("\ufeffa: 1\n", ["G0107"]),
    "mark inside": ("a: 1\ufeff\n", ["G0108"]),
    "control": ("a: \x01\nb: \x1b\n", ["G0108", "G0108"]),
    "nul": ("a: " + "b" * 50 + "\x00\n", ["G0108"]),
    "separator": ("a: b\u2028c\n", ["G0108"]),
    "next line": ("a: b\x85c\n", ["G0108"]),
    "override": ("a: b\u202ec\n# \u2066\n", ["G0122", "G0122"]),
    "mark of direction": ("a: b\u200fc\u061c\n", ["G0122", "G0122"]),
    "without width": ("a: b\u200bc\u2060\U000e0041\n", ["G0122", "G0122", "G0122"]),
    "escaped override": ('a: "\\u202e\\u200e"\n', ["G0122", "G0122"]),
    "carriage return": ('a: "b\\rc"\n', ["G0108"]),
    "signs of typesetters": ("a: b\u00a0c\u00add\u2009e\u202ff\u200cg\u200dh\u2019\n", []),
    "escape": ('a: "x\\0y"\nb: "\\x1b\\e"\n', ["G0108", "G0108", "G0108"]),
    "open list": ("a: [1\nb: 2\n", ["G0110"]),
    "open quote": ("a: 'b\nc: d\n", ["G0110"]),
    "colon": ("a: b: c\n", ["G0110"]),
    "sign": ("a: @b\n", ["G0110"]),
    "indent": ("a:\n    b: 1\n  c: 2\n", ["G0110"]),
    "list and mapping": ("a:\n  - x\n  y: 1\n", ["G0110"]),
    "dash": ("a: - b\n", ["G0110"]),
    "bare line": ("a: 1\nb\nc: 2\n", ["G0110"]),
    "after quote": ('a: "b" c\n', ["G0110"]),
    "escape unknown": ('a: "\\q"\n', ["G0110"]),
    "block header": ("a: | b\n  c\n", ["G0110"]),
}


@pytest.mark.usefixtures("each_parser")
@pytest.mark.parametrize("name", TEXTS)
def test_refusals(name: str) -> None:
    text, wanted = TEXTS[name]
    _, codes = load(text)
    assert codes == wanted


@pytest.mark.usefixtures("each_parser")
@pytest.mark.parametrize("name", TEXTS)
def test_places_of_refusals_lie_in_the_file(name: str) -> None:
    diags = Diagnostics()
    load_text(TEXTS[name][0], diags)
    lines = TEXTS[name][0].removeprefix("\ufeff").split("\n")
    for item in diags.sorted():
        assert 1 <= item.span.line <= len(lines)
        assert 1 <= item.span.column <= len(lines[item.span.line - 1]) + 1
        assert (item.span.line, item.span.column) <= (item.span.end_line, item.span.end_column)
        assert not re.search(r"stream|token|scanning|<[a-z]|_", item.message), "the parser's own words"


def test_what_can_be_kept_is_kept() -> None:
    for text, wanted in [
        ("a: 1\nb: 2\na: 3\n", {"a": "1", "b": "2"}),
        ("a: &x 1\nb: *x\n", {"a": "1", "b": "*x"}),
        ("<<: {b: 1}\nc: 2\n", {"c": "2"}),
        ("? {a: {b: [1]}}\n: {x: [y]}\nc: 2\n", {"c": "2"}),
        ("a: 1\n---\nb: 2\n", {"a": "1"}),
        ("\ufeffa: 1\n", {"a": "1"}),
    ]:
        diags = Diagnostics()
        assert plain(load_text(text, diags)) == wanted
        assert diags
    assert load("a: 1\nb: [\n")[0] is None


def test_duplicate_key_names_the_first_place() -> None:
    diags = Diagnostics()
    load_text("a: 1\nb:\n  a: 2\n  a: 3\n", diags)
    (item,) = diags.sorted()
    assert (item.span.line, item.span.column) == (4, 3) and "'a'" in item.message
    assert (item.related[0].span.line, item.related[0].span.column) == (3, 3)


def test_quoted_merge_sign_is_a_key_like_any_other() -> None:
    assert plain(tree("'<<': 1\n")) == {"<<": "1"}
    assert load("'<<': 1\n\"<<\": 2\n")[1] == ["G0115"]


def test_column_after_a_byte_order_mark_counts_what_is_seen() -> None:
    diags = Diagnostics()
    node = load_text("\ufeffabc: 1\n", diags)
    assert isinstance(node, Mapping)
    assert (node.entries[0][0].column, node.entries[0][1].column) == (1, 6)


def test_control_characters_are_placed_by_line_and_column() -> None:
    diags = Diagnostics()
    load_text("ж: 1\r\nb: \x02x\x03\n", diags)
    assert [(item.span.line, item.span.column) for item in diags.sorted()] == [(2, 4), (2, 6)]


# --- hostile files ----------------------------------------------------------------------------------------------------


def limited(code: str, *, megabytes: int = 700, seconds: int = 60) -> str:
    """Run code in a process with hard limits of memory and of processor time; what it prints."""

    def limits() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (megabytes * 2**20, megabytes * 2**20))
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))

    start = (
        "from grimoire.compiler.diagnostics.report import Diagnostics\n"
        "from grimoire.compiler.source.tree import load_text, load_file\n"
        "def show(text):\n"
        "    diags = Diagnostics()\n"
        "    node = load_text(text, diags)\n"
        "    print(node is not None, sorted({item.code for item in diags.sorted()}), len(diags.sorted()))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", start + code],
        capture_output=True,
        text=True,
        preexec_fn=limits,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout.strip()


@pytest.mark.parametrize(
    ("code", "wanted"),
    [
        ("show('[' * 10_000)", "False ['G0112'] 1"),
        ("show('a: ' + '[' * 4_000_000)", "False ['G0112'] 1"),
        ("show('{a: ' * 1_000_000)", "False ['G0112'] 1"),
        ("show('- ' * 4_000_000)", "False ['G0112'] 1"),
        ("show('? ' * 4_000_000)", "False ['G0112'] 1"),
        ("show(''.join(' ' * n + 'a:\\n' for n in range(3000)))", "False ['G0112'] 1"),
        ("show('a: ' + 'b' * 2_000_000)", "False ['G0113'] 1"),
        ("show('a: \"' + 'b' * 8_000_000)", "False ['G0110'] 1"),
        ("show('[' + 'a,' * 4_000_000)", "False ['G0114'] 1"),
        ("show('a: 1\\n' * 900_000)", "False ['G0115', 'G0199'] 201"),
        ("show('- *a\\n' * 500_000)", "True ['G0116', 'G0199'] 201"),
        ("show('a: \"' + '\\\\0' * 500_000 + '\"')", "True ['G0108'] 100"),
        ("show('\\x01' * 8_000_000)", "False ['G0108'] 100"),
        ("show('a' * 8_000_000 + ': 1')", "False ['G0113'] 1"),
        ("show('#' * 8_000_000)", "False ['G0109'] 1"),
        ("show('\\n' * 8_000_000)", "False ['G0109'] 1"),
        ("show('%' * 8_000_000)", "False ['G0117'] 1"),
        ("show('!' * 8_000_000)", "False ['G0109', 'G0117'] 2"),
        ("show('&' + 'a' * 8_000_000)", "False ['G0109', 'G0116'] 2"),
    ],
)
def test_hostile_texts_end_in_bounded_time_and_memory(code: str, wanted: str) -> None:
    assert limited(code) == wanted


def test_alias_bomb() -> None:
    bomb = "a: &a [x, x]\n" + "".join(
        f"{chr(98 + n)}: &{chr(98 + n)} [{', '.join(['*' + chr(97 + n)] * 10)}]\n" for n in range(15)
    )
    node, codes = load(bomb)
    assert node is not None and set(codes) == {"G0116"}


def test_a_file_of_fifty_megabytes_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "big.yaml"
    with path.open("wb") as stream:
        stream.write(b"a: ")
        stream.truncate(50 * 2**20)
    code = f"from pathlib import Path\ndiags = Diagnostics()\nprint(load_file(Path({str(path)!r}), diags))\n"
    code += "print([item.code for item in diags.sorted()])"
    assert limited(code, megabytes=120) == "None\n['G0105']"


def test_a_file_may_be_as_large_as_the_cap(tmp_path: Path) -> None:
    path = tmp_path / "cap.yaml"
    filler = "# " + "x" * 77 + "\n"
    text = "a: 1\n" + filler * ((source.MAX_FILE_BYTES - 5) // len(filler))
    text += "#" * (source.MAX_FILE_BYTES - len(text))
    path.write_text(text)
    diags = Diagnostics()
    assert plain(load_file(path, diags)) == {"a": "1"} and not diags
    path.write_text(text + "#")
    assert load_file(path, diags) is None and [item.code for item in diags.sorted()] == ["G0105"]


@pytest.mark.parametrize("change", [b"a: 1\nb: 2\n", b"a:", b""])
def test_a_file_that_changes_while_it_is_read_is_refused(
    change: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "f.yaml"
    path.write_bytes(b"a: 1\n")
    real = os.read

    def read(handle: int, size: int) -> bytes:
        path.write_bytes(change)  # after its size was taken
        return real(handle, size)

    monkeypatch.setattr(os, "read", read)
    diags = Diagnostics()
    assert load_file(path, diags) is None
    (item,) = diags
    assert item.code == "G0103" and item.span.file.endswith("f.yaml") and item.hint is not None


def test_depth_up_to_the_cap_is_read() -> None:
    assert load("[" * 64 + "]" * 64)[1] == []
    assert load("[" * 65 + "]" * 65)[1] == ["G0112"]


@settings(max_examples=300, deadline=None)
@given(st.text(alphabet=st.sampled_from("ab:- \n\t#'\"[]{}&*!|>%@`,?<\\x0\r\x01\u2028ж日~.=+1"), max_size=60))
@example("{]")
def test_any_text_gives_a_tree_or_a_diagnostic(text: str) -> None:
    node, codes = load(text)
    assert node is not None or codes


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=60))
def test_any_bytes_give_a_tree_or_a_diagnostic(data: bytes) -> None:
    diags = Diagnostics()
    read = source.decode(data, "f.yaml", diags)
    node = None if read is None else source.parse_source(read, diags)
    assert node is not None or diags


# --- files ------------------------------------------------------------------------------------------------------------


def codes_of(path: Path) -> list[str]:
    diags = Diagnostics()
    load_file(path, diags)
    return [item.code for item in diags.sorted()]


@pytest.mark.parametrize(
    ("data", "wanted"),
    [
        (b"a: 1", []),
        (b"\xef\xbb\xbfa: 1\n", ["G0107"]),
        ("a: ж\n".encode("utf-16"), ["G0106"]),
        ("a: ж\n".encode("utf-16-le"), ["G0106"]),
        ("a: ж\n".encode("utf-32"), ["G0106"]),
        ("a: привіт\n".encode("cp1251"), ["G0106"]),
        (b"a: caf\xe9\n", ["G0106"]),
        (b"a: \xed\xa0\x80\n", ["G0106"]),
        (b"a: " + b"x" * 100 + b"\x00\n", ["G0108"]),
        (b"\x00" * 5000, ["G0106"]),
        (b"\x89PNG\r\n\x1a\n", ["G0106"]),
    ],
)
def test_encodings(tmp_path: Path, data: bytes, wanted: list[str]) -> None:
    path = tmp_path / "f.yaml"
    path.write_bytes(data)
    assert codes_of(path) == wanted


def test_place_of_a_wrong_byte(tmp_path: Path) -> None:
    path = tmp_path / "f.yaml"
    path.write_bytes("\ufeffж: 1\nдва: ".encode() + b"\xe9\n")
    diags = Diagnostics()
    load_file(path, diags, name="shown.yaml")
    (item,) = diags.sorted()
    assert (item.span.file, item.span.line, item.span.column) == ("shown.yaml", 2, 6) and "0xE9" in item.message


def test_what_is_not_a_readable_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "folder.yaml").mkdir()
    (tmp_path / "loop.yaml").symlink_to("loop.yaml")
    os.mkfifo(tmp_path / "pipe.yaml")
    (tmp_path / "file").write_text("a: 1")
    assert codes_of(tmp_path / "none.yaml") == ["G0101"]
    assert codes_of(tmp_path / "file" / "x.yaml") == ["G0101"]
    assert codes_of(tmp_path / "folder.yaml") == ["G0102"]
    assert codes_of(tmp_path / "pipe.yaml") == ["G0102"]
    assert codes_of(Path("/dev/zero")) == ["G0102"]
    assert codes_of(tmp_path / "loop.yaml") == ["G0104"]
    assert codes_of(tmp_path / "a\x00b.yaml") == ["G0103"]
    assert codes_of(tmp_path / ("x" * 5000)) == ["G0103"]

    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    # Permissions do not stop every user (root), so the refusal is played.
    monkeypatch.setattr(os, "open", refuse)
    diags = Diagnostics()
    load_file(tmp_path / "file", diags)
    (item,) = diags.sorted()
    assert item.code == "G0103" and "permission denied" in item.message


def test_list_files(tmp_path: Path) -> None:
    for name in ["b.yaml", "a/z.yaml", "a/b/c.yml", "a-b.yaml", "A.YAML", ".git/x.yaml", "a/.h/x.yaml", ".x.yaml"]:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("a: 1\n")
    (tmp_path / "notes.txt").write_text("x")
    (tmp_path / "empty").mkdir()
    diags = Diagnostics()
    assert list_files(tmp_path, diags) == ["A.YAML", "a-b.yaml", "a/b/c.yml", "a/z.yaml", "b.yaml"]
    assert not diags


def test_links_in_a_package(tmp_path: Path) -> None:
    root = tmp_path / "sample"
    (root / "sub").mkdir(parents=True)
    (root / "real.yaml").write_text("a: 1\n")
    (tmp_path / "secret.yaml").write_text("a: 1\n")
    (tmp_path / "sample-two").mkdir()
    (tmp_path / "sample-two" / "x.yaml").write_text("a: 1\n")
    links = {
        "inside.yaml": "real.yaml",
        "outside.yaml": "../secret.yaml",
        "prefix.yaml": "../sample-two/x.yaml",
        "loop.yaml": "loop.yaml",
        "nothing.yaml": "none.yaml",
        "folder": "sub",
        "sub/up": "..",
        "notes": "/etc/hostname",
    }
    for name, target in links.items():
        (root / name).symlink_to(target)
    diags = Diagnostics()
    assert list_files(root, diags) == ["inside.yaml", "real.yaml"]
    assert [(item.code, Path(item.span.file).name) for item in diags.sorted()] == [
        ("G0104", name) for name in ["folder", "loop.yaml", "nothing.yaml", "outside.yaml", "prefix.yaml", "up"]
    ]


def test_file_names_that_are_not_text(tmp_path: Path) -> None:
    name = os.fsencode(tmp_path) + b"/caf\xe9.yaml"
    try:
        with open(name, "wb") as stream:
            stream.write(b"a: 1\n")
    except OSError:
        pytest.skip("the file system takes only text as names")
    diags = Diagnostics()
    assert list_files(tmp_path, diags) == []
    (item,) = diags.sorted()
    assert item.code == "G0121"
    (item.span.file + item.message).encode("utf-8")


def test_list_files_of_nothing(tmp_path: Path) -> None:
    diags = Diagnostics()
    assert list_files(tmp_path / "none", diags) == []
    assert [item.code for item in diags.sorted()] == ["G0101"]


# --- typed accessors --------------------------------------------------------------------------------------------------


def ask(accessor: Any, text: str, **more: Any) -> tuple[Any, list[tuple[str, str | None]]]:
    root = tree(f"k: {text}\n")
    assert isinstance(root, Mapping)
    diags = Diagnostics()
    got = accessor(root.entries[0][1], diags, "the value", **more)
    return got, [(item.code, item.hint) for item in diags.sorted()]


@pytest.mark.parametrize(("text", "wanted"), [("0", 0), ("-12", -12), ("+3", 3), ("9007199254740991", 2**53 - 1)])
def test_whole_numbers(text: str, wanted: int) -> None:
    assert ask(as_int, text) == (wanted, [])


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("1e3", "plain digits"),
        ("012", "write 12 without the leading zero"),
        ("1_000", "write 1000"),
        ("'1 000'", "write 1000"),
        ("12:30:45", "plain digits"),
        ("0x1F", "plain digits"),
        ("0o17", "plain digits"),
        ("1.0", "plain digits"),
        ("'7'", "write 7 without quotes"),
        ("seven", None),
        ("٣", None),
        ("- 3", None),
    ],
)
def test_what_is_not_a_whole_number(text: str, hint: str | None) -> None:
    if text == "- 3":
        text = "'- 3'"
    got, found = ask(as_int, text)
    assert got is None and [code for code, _ in found] == ["G0302"]
    assert hint is None or hint in str(found[0][1])


def test_bounds_of_numbers() -> None:
    assert ask(as_int, "5", low=1, high=5) == (5, [])
    for text, more in [("6", {"low": 1, "high": 5}), ("0", {"low": 1}), ("9" * 20, {}), ("9" * 9000, {})]:
        got, found = ask(as_int, text, **more)
        assert got is None and [code for code, _ in found] == ["G0307"]


def test_flags() -> None:
    assert ask(as_flag, "true") == (True, [])
    assert ask(as_flag, "false") == (False, [])
    for text, hint in [
        ("yes", "write true"),
        ("on", "write true"),
        ("True", "write true"),
        ("no", "write false"),
        ("off", "write false"),
        ("'false'", "write false without quotes"),
        ("1", None),
    ]:
        assert ask(as_flag, text) == (None, [("G0303", hint)])


@pytest.mark.parametrize("accessor", [as_text, as_int, as_flag, as_mapping, as_sequence])
@pytest.mark.parametrize("text", ["", "~", "null"])
def test_missing_values(accessor: Any, text: str) -> None:
    got, found = ask(accessor, text)
    assert got is None and [code for code, _ in found] == ["G0304"]


def test_texts() -> None:
    for text, wanted in [("no", "no"), ("''", ""), ("'~'", "~"), ("1_0", "1_0"), ("|\n  a\n  b", "a\nb\n")]:
        assert ask(as_text, text) == (wanted, [])
    for text in ["[a]", "{a: 1}"]:
        assert ask(as_text, text)[1][0][0] == "G0301" and "quotes" in str(ask(as_text, text)[1][0][1])


def test_shapes() -> None:
    assert plain(ask(as_mapping, "{a: 1}")[0]) == {"a": "1"}
    assert plain(ask(as_sequence, "[a]")[0]) == ["a"]
    assert ask(as_mapping, "[a]")[1][0][0] == "G0301"
    assert ask(as_sequence, "a") == (None, [("G0301", "write [a]")])
    got, found = ask(as_text_list, "[a, [b], c, ~]")
    assert [item.value for item in got] == ["a", "c"] and sorted(code for code, _ in found) == ["G0301", "G0304"]


def test_keys() -> None:
    root = tree("alpha: 1\nbetta: 2\nzzz: 3\n")
    assert isinstance(root, Mapping)
    diags = Diagnostics()
    check_keys(root, ["alpha", "beta", "gamma"], diags, "the thing", required=["alpha", "gamma"])
    found = [(item.code, item.span.line, item.message) for item in diags.sorted()]
    assert found == [
        ("G0306", 1, "the thing needs the key 'gamma'"),
        ("G0305", 2, "the thing has no key 'betta' (did you mean 'beta'?)"),
        ("G0305", 3, "the thing has no key 'zzz'"),
    ]


# --- a place inside a text -> its place in the file -------------------------------------------------------------------


def marks(scalar: Scalar) -> None:
    """Every visible character of the text must be found in the file where `effect_position` says, in order."""
    lines = scalar.source.lines
    previous = (0, 0)
    for number, text in enumerate(scalar.value.split("\n"), start=1):
        for column, char in enumerate(text, start=1):
            place = effect_position(scalar, number, column)
            assert place > previous, (scalar, number, column)
            previous = place
            raw = lines[place[0] - 1][place[1] - 1 : place[1]]
            if raw == "\\" and scalar.style == "double":
                continue
            if char == " ":
                assert raw in ("", " ", "\t"), (scalar, number, column, place)
            else:
                assert raw == char, (scalar, number, column, place)


CASES = {
    "plain": "k: one two",
    "plain not ascii": "ключ: два слова 日本",
    "plain in flow": "k: 1\nx: {b: one two, c: [three four]}",
    "plain lines": "k: one\n  two\n   three  \n\n\n  four",
    "plain lines of a list": "- one\n  two\n-   three\n    four\n",
    "plain lines in flow": "k: [one\n   two,\n  three   four\n five]",
    "single": "k: 'one two'",
    "single with quotes": "k: 'it''s ''so'' '",
    "single lines": "k: 'one\n  two''s\n\n  three\n\n\n    four '",
    "single starts with a line end": "k: '\n  one\n  two\n  '",
    "double": 'k: "one two"',
    "double escapes": 'k: "a\\tb\\u0436c\\x41d\\U0001F600e\\"f\\\\g\\nh\\ i\\/j"',
    "double lines": 'k: "one\n  two\n\n  three\\n\n  four"',
    "double joined": 'k: "one\\\n   two \\\n   three\\\n  \\  four"',
    "double blank before the end": 'k: "one\\t\n  two\\ \n  three"',
    "literal": "k: |\n  one\n  two\n",
    "literal not ascii": "ключ: |\n  один два\n  日本 e\u0301x\n",
    "literal deeper": "k:\n    x: |\n          one\n            two\n          three\n",
    "literal with blank lines": "k: |\n  one\n\n\n  two\n    \n  three\n",
    "literal that starts blank": "k: |\n\n  one\n two: 3\n".replace(" two: 3\n", ""),
    "literal indicator": "k: |2-\n    one\n\n   two\n  three\n",
    "literal indicator first": "k: |-1\n   one\n  two\n three\n",
    "literal keep": "k: |+\n  one\n\n\nb: 2\n",
    "literal strip": "k: |-\n  one\n  two\n\n",
    "literal comment": "k: | # why\n  one\n  # not a comment\n",
    "literal without line end": "k: |\n  one\n  two",
    "literal trailing blanks": "k: |\n  one  \n  two\t\n",
    "literal in a list": "- |\n one\n two\n- b\n",
    "literal windows": "k: |\r\n  one\r\n  two\r\n",
    "folded": "k: >\n  one\n  two\n\n  three\n",
    "folded deeper": "k: >\n  one\n    two\n    three\n  four\n  five\n\n\n  six\n",
    "folded indicator": "k: >2-\n    one\n  two\n  three\n",
    "folded keep": "k: >+\n  one\n  two\n\n\n",
    "folded starts blank": "k: >\n\n\n  one\n  two\n",
    "folded tabs": "k: >\n  one\n  \ttwo\n  three\n",
    "literal of blanks": "k: |1\n    \n  \n  one\n two\n",
    "folded of blanks": "k: >1\n    \n\n  one\n two\n three\n",
    "literal of nothing but blanks": "k: |1\n    \n   \nb: 1\n",
    "literal of nothing": "k: |\n\n\nb: 1\n",
    "key": "one two: 1",
}


@pytest.mark.usefixtures("each_parser")
@pytest.mark.parametrize("name", CASES)
def test_every_character_is_found_again(name: str) -> None:
    def walk(node: Node) -> None:
        if isinstance(node, Scalar):
            marks(node)
        elif isinstance(node, Mapping):
            for key, item in node:
                walk(key)
                walk(item)
        else:
            for item in node:
                walk(item)

    walk(tree(CASES[name]))


@pytest.mark.parametrize(
    ("text", "inside", "wanted"),
    [
        ("k: |\n  one\n\n  two\n", (3, 2), (4, 4)),
        ("k: |\n  one\n\n  two\n", (2, 1), (3, 1)),
        ("k: |\n  one\n  \n  two\n", (2, 1), (3, 3)),
        ("k: |\n  one\n  two\n", (3, 1), (3, 6)),
        ("k: |\n  one\n  two\n", (9, 9), (3, 6)),
        ("k: |\n  one\n  two\n", (1, 99), (2, 6)),
        ("k: |\n  one\n  two\n", (0, 0), (2, 3)),
        ("k: one", (1, 4), (1, 7)),
        ("k: one", (1, 40), (1, 7)),
        ("k: 'it''s on'", (1, 4), (1, 9)),
        ("k: 'it''s on'", (1, 3), (1, 7)),
        ("k: 'it''s on'", (1, 99), (1, 13)),
        ('k: "a\\u0436b"', (1, 3), (1, 12)),
        ('k: "a\\u0436"', (1, 3), (1, 12)),
        ('k: "a\\nb"', (2, 1), (1, 8)),
        ("k: ''", (1, 1), (1, 5)),
        ('k: ""', (1, 1), (1, 5)),
        ("k: >-\n  one\n  two\n", (1, 5), (3, 3)),
        ("k: >-\n  one\n  two\n", (1, 4), (2, 6)),
        ("k: >-\n  one\n  two\n", (1, 99), (3, 6)),
        ("k: one\n  two", (1, 5), (2, 3)),
        ("k: one\n\n  two", (2, 1), (3, 3)),
    ],
)
def test_single_places(text: str, inside: tuple[int, int], wanted: tuple[int, int]) -> None:
    assert effect_position(value(text), *inside) == wanted


def test_spans_end_after_their_last_character() -> None:
    scalar = value("k: >-\n  one\n  two three\n")
    span = effect_span(scalar, 1, 1, 1, 4)
    assert (span.line, span.column, span.end_line, span.end_column) == (2, 3, 2, 6)
    span = effect_span(scalar, 1, 2, 1, 8)
    assert (span.line, span.column, span.end_line, span.end_column) == (2, 4, 3, 6)
    span = effect_span(scalar, 1, 9, 1, 9)
    assert (span.line, span.column, span.end_line, span.end_column) == (3, 7, 3, 7)
    literal = value("k: |\n  one\n  two\n")
    span = effect_span(literal, 1, 2, 2, 3)
    assert (span.line, span.column, span.end_line, span.end_column) == (2, 4, 3, 5)


def test_a_text_after_a_refused_anchor_has_a_place() -> None:
    diags = Diagnostics()
    root = load_text("k: &a one two\n", diags)
    assert isinstance(root, Mapping)
    scalar = root.entries[0][1]
    assert isinstance(scalar, Scalar)
    assert effect_position(scalar, 1, 5)[0] == 1


def test_many_places_in_one_long_text_stay_cheap() -> None:
    text = "k: >-\n" + "".join(f"  word{number} and some more\n" for number in range(20_000))
    scalar = value(text)
    places = range(1, len(scalar.value), 7)
    _, calls = count_calls(lambda: [effect_position(scalar, 1, column) for column in places])
    assert calls < 60 * len(places), "a walk through the text for each place would take thousands of calls for each"


def test_places_in_hostile_layouts_stay_cheap() -> None:
    wide = " " * 40_000
    for text in [f"k: |1\n{wide}x\n{wide}y\n", f"k: >1\n{wide}x\n", "k: |+\n  x\n" + "\n" * 90_000]:
        scalar = value(text)
        last = len(scalar.value.split("\n")[0])
        place, calls = count_calls(lambda: effect_position(scalar, 1, last))  # noqa: B023
        assert place == (2, len(text.split("\n")[1]))
        assert calls < 30 * len(text) + 1_000
        effect_position(scalar, 10**9, 1)


WORDS = st.text(alphabet=st.sampled_from("abc ж日'\"\\#:-\t.e\u0301\n"), min_size=1, max_size=60)


@settings(max_examples=400, deadline=None)
@given(WORDS, st.sampled_from([None, "'", '"', "|", ">"]), st.integers(10, 40), st.booleans(), st.integers(0, 3))
def test_written_texts_are_found_again(text: str, style: str | None, width: int, names: bool, depth: int) -> None:
    data: Any = {"k": text, "z": "end"}
    for _ in range(depth):
        data = {"key": data} if names else [data]
    dumped = yaml.dump(data, default_style=style, width=width, allow_unicode=names, indent=2 + depth)
    dumped = re.sub(r"!!\w+ ", "", dumped)
    node: Any = tree(dumped)
    while depth:
        node = node.entries[0][1] if names else node.items[0]
        depth -= 1
    scalar = node.get("k")
    assert isinstance(scalar, Scalar)
    marks(scalar)


# --- the examples of the registry, and speed --------------------------------------------------------------------------

NOT_A_TEXT = {"G0101", "G0102", "G0103", "G0104", "G0105", "G0106", "G0113", "G0114", "G0121", "G0199"}


@pytest.mark.parametrize("code", [code for code in CODES if code.startswith("G01") and code not in NOT_A_TEXT])
def test_the_example_of_a_code_gets_that_code(code: str) -> None:
    diags = Diagnostics()
    load_text(CODES[code].example, diags)
    assert code in [item.code for item in diags.sorted()]
    assert {item.severity for item in diags.sorted() if item.code == code} == {CODES[code].severity}


@pytest.mark.parametrize(("code", "accessor"), [("G0302", as_int), ("G0303", as_flag), ("G0307", as_int)])
def test_the_example_of_an_accessor_gets_its_code(code: str, accessor: Any) -> None:
    diags = Diagnostics()
    accessor(value(CODES[code].example), diags, "the value")
    assert [item.code for item in diags.sorted()] == [code]


def test_reading_costs_some_calls_for_each_node() -> None:
    block = (
        "entry-{n}:\n  kind: thing\n  cost: {n}\n  marks: [one, two]\n  part:\n    test: {{ to: 5, of: [a, b, c] }}\n"
        "    pass: do this and that\n    fail: |\n      first line\n      second line\n  after: something\n"
    )
    calls = []
    for entries in (1000, 2000):
        text = "".join(block.format(n=number) for number in range(entries))
        calls.append(count_calls(lambda: load_text(text, Diagnostics()))[1])  # noqa: B023
    assert calls[1] < 2.1 * calls[0], "work grows with the text"
    assert calls[1] < 2000 * 26 * 12, "26 nodes an entry: composing alone takes some calls for each"
