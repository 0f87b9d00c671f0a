"""Manifests: what stands in package.yaml, finding packages, versions and the order of packages."""

from __future__ import annotations

import itertools
import re
from pathlib import Path

import pytest

from grimoire.compiler.diagnostics.codes import CODES
from grimoire.compiler.diagnostics.report import Diagnostics
from grimoire.compiler.source.manifest import (
    Manifest,
    Version,
    find_packages,
    load_manifest,
    load_packages,
    parse_range,
    parse_version,
    resolve_dependencies,
    tool_version,
)

GOOD = "package: sample\nversion: 1.2.3\nlanguage: 2\nlanguages: [en]\n"


def package(root: Path, text: str = GOOD, folder: str = "sample") -> Path:
    (root / folder).mkdir(parents=True, exist_ok=True)
    (root / folder / "package.yaml").write_text(text, encoding="utf-8")
    return root / folder


def read(root: Path, text: str) -> tuple[Manifest | None, Diagnostics]:
    diags = Diagnostics()
    return load_manifest(package(root, text), diags, tool=Version(0, 1, 0)), diags


def codes(diags: Diagnostics) -> list[str]:
    return [item.code for item in diags.sorted()]


# --- one manifest -----------------------------------------------------------------------------------------------------


def test_everything_is_read_with_its_place(tmp_path: Path) -> None:
    text = (
        "package: sample\nversion: 1.10.0\nlanguage: 2\ntitle: A sample\nneeds:\n  basis: '>=1.2, <2'\n  other: 0.3.1\n"
        "extends: [basis]\nlanguages:\n  - en\n  - uk\n  - no\nplayers: 3 to 6\ngrimoire: '>=0.1'\nlicence: MIT\n"
    )
    found, diags = read(tmp_path, text)
    assert found is not None and diags.sorted() == []
    assert (found.id, found.version, found.title, found.licence) == ("sample", Version(1, 10, 0), "A sample", "MIT")
    assert found.languages == ("en", "uk", "no")
    assert found.players == (3, 6) and found.extends == ("basis",)
    assert [(need.package, str(need.range), need.span.line) for need in found.needs] == [
        ("basis", ">=1.2, <2", 6),
        ("other", "0.3.1", 7),
    ]
    assert found.grimoire is not None and found.broken == frozenset()
    places = {key: (span.line, span.column) for key, span in found.spans.items()}
    assert places == {
        "package": (1, 10),
        "version": (2, 10),
        "language": (3, 11),
        "title": (4, 8),
        "needs": (6, 3),
        "extends": (8, 10),
        "languages": (10, 3),
        "players": (13, 10),
        "grimoire": (14, 11),
        "licence": (15, 10),
    }


def test_a_package_that_names_no_version_of_the_language_is_of_the_first(tmp_path: Path) -> None:
    found, diags = read(tmp_path, GOOD.replace("language: 2\n", ""))
    (item,) = diags.sorted()
    assert found is not None and found.language == 1
    assert (item.code, item.severity) == ("G0220", "note") and "fmt --upgrade" in str(item.hint)
    found, diags = read(tmp_path, GOOD.replace("language: 2", "language: 1"))
    (item,) = diags.sorted()
    assert found is not None and found.language == 1 and (item.code, item.span.line) == ("G0220", 3)
    found, diags = read(tmp_path, GOOD)
    assert found is not None and found.language == 2 and diags.sorted() == []


@pytest.mark.parametrize(
    ("said", "words"),
    [("3", "up to version 2, not 3"), ("en", "languages: [en]"), ("two", "write language: 2"), ("0", "language: 2")],
)
def test_a_version_of_the_language_that_the_tool_does_not_know(tmp_path: Path, said: str, words: str) -> None:
    _, diags = read(tmp_path, GOOD.replace("language: 2", f"language: {said}"))
    (item,) = diags.sorted()
    assert (item.code, item.span.line, item.severity) == ("G0221", 3, "error")
    assert words in f"{item.message}; {item.hint}"


def test_optional_keys_may_be_left_out(tmp_path: Path) -> None:
    found, diags = read(tmp_path, GOOD)
    assert found is not None and not diags
    assert (found.title, found.needs, found.extends, found.players, found.grimoire) == (None, (), (), None, None)


@pytest.mark.parametrize(
    ("line", "wanted"),
    [("2", (2, 2)), ("2-4", (2, 4)), ("3 to 6", (3, 6)), ("2–4", (2, 4)), ("2 - 4", (2, 4)), ("'5'", (5, 5))],
)
def test_players(tmp_path: Path, line: str, wanted: tuple[int, int]) -> None:
    found, diags = read(tmp_path, f"{GOOD}players: {line}\n")
    assert found is not None and found.players == wanted and not diags


@pytest.mark.parametrize("line", ["many", "4-2", "0", "2-", "1e1", "2-4-6", "1-101", "-3", "99999999", "2 4"])
def test_bad_players(tmp_path: Path, line: str) -> None:
    found, diags = read(tmp_path, f"{GOOD}players: {line}\n")
    assert codes(diags) == ["G0210"]
    assert found is not None and found.players is None and found.broken == {"players"}


def test_all_mistakes_are_reported_at_once(tmp_path: Path) -> None:
    text = "package: Sample One\nversion: '1.0'\nlangauges: [en]\nplayers: 4-2\nneeds: {Basis: x}\nextends: foo\n"
    found, diags = read(tmp_path, text)
    assert found is not None
    assert sorted(codes(diags)) == ["G0204", "G0204", "G0206", "G0210", "G0301", "G0305"]
    assert found.broken == {"package", "version", "players", "needs", "extends"}
    assert found.id == "sample" and found.version == Version(0, 0, 0)


def test_messages_name_the_thing_and_the_repair(tmp_path: Path) -> None:
    _, diags = read(tmp_path, "package: SampleOne\nversion: v2\nlangauges: [en]\n")
    said = {item.code: (item.message, item.hint) for item in diags.sorted()}
    assert said["G0204"] == ("'SampleOne' is not a package id", "write sample-one")
    assert said["G0206"] == ("'v2' is not a version", "write 2.0.0")
    assert "did you mean 'languages'?" in said["G0305"][0]


@pytest.mark.parametrize("line", ["[]", "en", "{en: 1}", "[english]", "[en, [uk]]", "[EN]", "", "[en,]\nx: 1"])
def test_bad_languages(tmp_path: Path, line: str) -> None:
    _, diags = read(tmp_path, f"package: sample\nversion: 1.0.0\nlanguage: 2\nlanguages: {line}\n")
    assert diags.has_errors


@pytest.mark.parametrize("text", ["", "# nothing\n", "- a\n", "text\n", "a: [\n", "\x00", "package: &a b\n"])
def test_what_is_no_manifest_gives_diagnostics_only(tmp_path: Path, text: str) -> None:
    _, diags = read(tmp_path, text)
    assert diags.has_errors


def test_folder_of_another_name_is_a_warning(tmp_path: Path) -> None:
    diags = Diagnostics()
    found = load_manifest(package(tmp_path, GOOD, "elsewhere"), diags)
    assert found is not None and found.id == "sample"
    assert codes(diags) == ["G0205"] and not diags.has_errors


def test_missing_manifest(tmp_path: Path) -> None:
    diags = Diagnostics()
    assert load_manifest(tmp_path, diags) is None
    (tmp_path / "package.yml").write_text(GOOD)
    assert load_manifest(tmp_path, diags) is None
    assert codes(diags) == ["G0201", "G0201"]
    assert "rename package.yml" in str([item.hint for item in diags.sorted()])


def test_extends_must_stand_under_needs(tmp_path: Path) -> None:
    found, diags = read(tmp_path, GOOD + "needs: {basis: '>=1'}\nextends: [bassis, basis]\n")
    (item,) = diags.sorted()
    assert item.code == "G0211" and "did you mean 'basis'" in item.message and item.span.line == 6
    assert found is not None and found.extends == ("basis",)


def test_the_tool_has_a_version() -> None:
    assert tool_version() > Version(0, 0, 0)


# --- versions ---------------------------------------------------------------------------------------------------------


def test_versions() -> None:
    assert parse_version("1.10.0") == Version(1, 10, 0) and str(Version(1, 10, 0)) == "1.10.0"
    assert Version(1, 9, 9) < Version(1, 10, 0)
    for text in ["", "1", "1.2", "1.2.3.4", "01.2.3", "1.2.3-beta", "v1.2.3", "1.2.x", " 1.2.3", "1.2.3\n", "9" * 5000]:
        assert parse_version(text) is None, text
    assert parse_version("١.٢.٣") is None


@pytest.mark.parametrize(
    ("text", "inside", "outside"),
    [
        (">=1.2, <2", ["1.2.0", "1.99.99"], ["1.1.99", "2.0.0"]),
        (">1.2", ["1.2.1"], ["1.2.0"]),
        ("<=1.2.3", ["1.2.3", "0.0.0"], ["1.2.4"]),
        ("1.2.3", ["1.2.3"], ["1.2.4", "1.2.2"]),
        ("= 1.2.3", ["1.2.3"], ["1.2.4"]),
        ("==1.2.3", ["1.2.3"], ["1.2.4"]),
        (">=1, !=1.5.0", ["1.4.9", "1.5.1"], ["1.5.0"]),
        ("*", ["0.0.0", "9.9.9"], []),
        ("  >= 1  ,<2 ", ["1.0.0"], ["2.0.0"]),
    ],
)
def test_ranges(text: str, inside: list[str], outside: list[str]) -> None:
    found = parse_range(text)
    assert found is not None and not found.is_empty
    for version in inside + outside:
        parsed = parse_version(version)
        assert parsed is not None and found.allows(parsed) == (version in inside)


@pytest.mark.parametrize("text", ["", "1.2", "=1", "^1.2", "~1", ">=", ">=1,", ">=1 <2", "latest", ">=1.2.3.4", "!=1"])
def test_bad_ranges(text: str) -> None:
    assert parse_range(text) is None


@pytest.mark.parametrize("text", [">=2, <1", "<0.0.0", ">1.0.0, <1.0.1", "1.0.0, !=1.0.0", "1.0.0, 2.0.0"])
def test_empty_ranges(text: str) -> None:
    found = parse_range(text)
    assert found is not None and found.is_empty


def test_a_range_is_empty_exactly_when_no_small_version_is_in_it() -> None:
    versions = [Version(*parts) for parts in itertools.product(range(3), repeat=3)]
    signs = [">=", ">", "<=", "<", "=", "!="]
    for one, two in itertools.product(itertools.product(signs, versions[::4]), repeat=2):
        found = parse_range(f"{one[0]}{one[1]}, {two[0]}{two[1]}")
        assert found is not None
        # Every bound lies inside the small cube, so a version that fits lies in it or one step beyond.
        near = [Version(*parts) for parts in itertools.product(range(5), repeat=3)]
        assert found.is_empty == (not any(found.allows(version) for version in near)), found.text


# --- finding packages -------------------------------------------------------------------------------------------------


def find(cwd: Path, *paths: str | Path) -> tuple[list[str], Diagnostics]:
    diags = Diagnostics()
    found = find_packages(paths, diags, cwd=cwd)
    return [path.resolve().relative_to(cwd.resolve()).as_posix() for path in found], diags


def test_ways_to_name_a_package(tmp_path: Path) -> None:
    one = package(tmp_path / "content", folder="one")
    package(tmp_path / "content", folder="two")
    (one / "parts" / "deep").mkdir(parents=True)
    (one / "parts" / "deep" / "x.yaml").write_text("a: 1\n")
    both = ["content/one", "content/two"]
    for paths, wanted in [
        (["content/one"], ["content/one"]),
        (["content"], both),
        (["one"], ["content/one"]),
        (["content/one/package.yaml"], ["content/one"]),
        (["content/one/parts/deep/x.yaml"], ["content/one"]),
        (["content/one/parts"], ["content/one"]),
        ([one / "parts" / "deep"], ["content/one"]),
        (["two", "content"], ["content/two", "content/one"]),
        (["one", "content/one", "content/one/"], ["content/one"]),
        ([], []),
    ]:
        found, diags = find(tmp_path, *paths)
        assert found == wanted and not diags, paths


def test_the_current_folder_may_be_inside_a_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one = package(tmp_path / "content", folder="one")
    (one / "parts").mkdir()
    (one / "parts" / "x.yaml").write_text("a: 1\n")
    monkeypatch.chdir(one / "parts")
    diags = Diagnostics()
    for name in (".", "x.yaml", ".."):
        assert [path.resolve() for path in find_packages([name], diags)] == [one.resolve()], name
    monkeypatch.chdir(tmp_path)
    assert find_packages(["one"], diags) == [Path("content/one")]
    assert not diags


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("smaple", "G0202"),
        ("content/none", "G0202"),
        ("loose.yaml", "G0202"),
        ("empty", "G0201"),
        ("", "G0201"),
        ("a\x00b", "G0202"),
        ("x" * 5000, "G0202"),
    ],
)
def test_what_is_not_found_is_named(tmp_path: Path, path: str, code: str) -> None:
    package(tmp_path / "content")
    (tmp_path / "empty").mkdir()
    (tmp_path / "loose.yaml").write_text("a: 1\n")
    found, diags = find(tmp_path, path)
    assert found == [] and codes(diags) == [code]


def test_a_misspelt_id_gets_a_suggestion(tmp_path: Path) -> None:
    package(tmp_path / "content")
    _, diags = find(tmp_path, "smaple")
    assert "did you mean 'sample'?" in diags.sorted()[0].message


def test_a_folder_beside_packages_without_manifest_is_not_ignored_in_silence(tmp_path: Path) -> None:
    package(tmp_path / "content")
    (tmp_path / "content" / "stray").mkdir()
    (tmp_path / "content" / "pictures").mkdir()
    (tmp_path / "content" / "stray" / "x.yaml").write_text("a: 1\n")
    found, diags = find(tmp_path, "content")
    assert found == ["content/sample"] and codes(diags) == ["G0203"] and not diags.has_errors


def test_needed_packages_are_found_beside(tmp_path: Path) -> None:
    top = package(tmp_path, "package: top\nversion: 1.0.0\nlanguage: 2\nlanguages: [en]\nneeds: {mid: '*'}\n", "top")
    package(
        tmp_path, "package: mid\nversion: 1.0.0\nlanguage: 2\nlanguages: [en]\nneeds: {low: '*', top: '*'}\n", "mid"
    )
    package(tmp_path, "package: low\nversion: 1.0.0\nlanguage: 2\nlanguages: [en]\n", "low")
    package(tmp_path, "package: unused\nversion: nonsense\nlanguages: [en]\n", "unused")
    diags = Diagnostics()
    assert [item.id for item in load_packages([top], diags)] == ["top", "mid", "low"]
    assert not diags


def test_needed_packages_are_found_in_content(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    top = package(
        tmp_path / "drafts", "package: top\nversion: 1.0.0\nlanguage: 2\nlanguages: [en]\nneeds: {low: '*'}\n", "top"
    )
    package(tmp_path / "content", "package: low\nversion: 1.0.0\nlanguage: 2\nlanguages: [en]\n", "low")
    monkeypatch.chdir(tmp_path)
    diags = Diagnostics()
    assert [item.id for item in load_packages([top], diags)] == ["top", "low"]
    package(tmp_path / "drafts", "package: low\nversion: 2.0.0\nlanguage: 2\nlanguages: [en]\n", "low")
    assert [str(item.version) for item in load_packages([top], diags)] == ["1.0.0", "2.0.0"], "beside goes first"
    assert not diags


# --- the order of packages --------------------------------------------------------------------------------------------


def resolve(root: Path, graph: dict[str, list[str]], **versions: str) -> tuple[list[str], Diagnostics]:
    """`graph`: id -> needs, each "id" or "id range"."""
    diags = Diagnostics()
    manifests = []
    for id, needs in graph.items():
        lines = [f"package: {id}", f"version: {versions.get(id, '1.0.0')}", "language: 2", "languages: [en]"]
        if needs:
            lines.append("needs:")
            lines += [f"  {need.split(' ')[0]}: '{need.partition(' ')[2] or '*'}'" for need in needs]
        found = load_manifest(package(root, "\n".join(lines) + "\n", id), diags)
        assert found is not None
        manifests.append(found)
    orders = [
        [item.id for item in resolve_dependencies(order, Diagnostics())] for order in (manifests, manifests[::-1])
    ]
    assert orders[0] == orders[1], "the order depends on the order of the input"
    return [item.id for item in resolve_dependencies(manifests, diags)], diags


def test_needed_packages_come_first_then_by_id(tmp_path: Path) -> None:
    order, diags = resolve(tmp_path, {"a": ["d", "c"], "b": [], "c": ["d"], "d": []})
    assert order == ["d", "c", "a", "b"] and not diags


def test_missing_package_blocks_only_those_that_need_it(tmp_path: Path) -> None:
    order, diags = resolve(tmp_path, {"a": ["basik"], "b": ["a"], "basic": []})
    assert order == ["basic"]
    (item,) = diags.sorted()
    assert item.code == "G0213" and "did you mean 'basic'?" in item.message and item.span.line == 6


def test_wrong_version_names_both_places(tmp_path: Path) -> None:
    order, diags = resolve(tmp_path, {"a": ["b >=2, <3"], "b": []}, b="1.4.0")
    assert order == ["b"]
    (item,) = diags.sorted()
    assert item.code == "G0214" and "1.4.0" in item.message and ">=2, <3" in item.message
    assert item.related[0].span.file.endswith("b/package.yaml") and item.related[0].span.line == 2


def test_broken_version_is_not_reported_twice(tmp_path: Path) -> None:
    order, diags = resolve(tmp_path, {"a": ["b >=2"], "b": []}, b="two")
    assert codes(diags) == ["G0206"] and order == ["b", "a"]


def test_circles_are_named_once_each(tmp_path: Path) -> None:
    graph = {"a": ["b"], "b": ["c"], "c": ["a"], "x": ["y"], "y": ["x"], "needs-a": ["a"], "free": []}
    order, diags = resolve(tmp_path, graph)
    assert order == ["free"]
    assert [item.message.partition(": ")[2] for item in diags.sorted()] == ["a -> b -> c -> a", "x -> y -> x"]
    assert [len(item.related) for item in diags.sorted()] == [2, 1]


def test_every_package_of_a_knot_is_left_out(tmp_path: Path) -> None:
    graph = {"a": ["b", "c"], "b": ["a"], "c": ["d"], "d": ["b"], "e": []}
    order, diags = resolve(tmp_path, graph)
    assert order == ["e"] and set(codes(diags)) == {"G0215"}


def test_a_package_that_needs_itself(tmp_path: Path) -> None:
    _, diags = resolve(tmp_path, {"a": ["a"]})
    assert codes(diags) == ["G0215"] and "a -> a" in diags.sorted()[0].message


def test_long_chains_and_long_circles(tmp_path: Path) -> None:
    base, _ = read(tmp_path, GOOD)
    assert base is not None
    from grimoire.compiler.records import replace
    from grimoire.compiler.source.manifest import Need, VersionRange

    def chain(size: int, closed: bool) -> list[Manifest]:
        def need(number: int) -> tuple[Need, ...]:
            if number >= size:
                return (Need("p0", VersionRange("*"), base.span("package")),) if closed else ()
            return (Need(f"p{number}", VersionRange("*"), base.span("package")),)

        return [replace(base, id=f"p{number}", file=f"p{number}", needs=need(number + 1)) for number in range(size)]

    diags = Diagnostics()
    assert [item.id for item in resolve_dependencies(chain(5000, False), diags)] == [
        f"p{number}" for number in range(4999, -1, -1)
    ]
    assert not diags
    assert resolve_dependencies(chain(5000, True), diags) == []
    assert codes(diags) == ["G0215"] and len(diags.sorted()[0].message) < 200


def test_two_packages_of_one_id(tmp_path: Path) -> None:
    diags = Diagnostics()
    loaded = load_packages([package(tmp_path / "b"), package(tmp_path / "a")], diags)
    order = resolve_dependencies(loaded, diags)
    (item,) = diags.sorted()
    assert item.code == "G0212" and item.related[0].span.file == order[0].file
    assert order[0].root == tmp_path / "a" / "sample"


# --- the examples of the registry -------------------------------------------------------------------------------------

MANIFEST_EXAMPLES = [
    code for code, entry in CODES.items() if code < "G0400" and re.match("(package|version|languages):", entry.example)
]


def test_there_are_examples_to_run() -> None:
    assert len(MANIFEST_EXAMPLES) >= 14


@pytest.mark.parametrize("code", MANIFEST_EXAMPLES)
def test_the_example_of_a_code_gets_that_code(tmp_path: Path, code: str) -> None:
    diags = Diagnostics()
    loaded = load_packages([package(tmp_path, CODES[code].example)], diags)
    resolve_dependencies(loaded, diags)
    assert code in codes(diags)
    assert all(item.severity == CODES[code].severity for item in diags.sorted() if item.code == code)
