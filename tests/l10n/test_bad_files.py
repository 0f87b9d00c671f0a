"""Bad PO files: a finding with its place, exit code 1, nothing changed; and work that is stopped halfway."""

from __future__ import annotations

import json
import os
import random
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import polib
import pytest

from grimoire.compiler import check
from grimoire.compiler.cli import main
from grimoire.compiler.files import TEMPORARY

ROOT = Path(__file__).parents[2]
UK = Path("content/love-letter/text/uk.yaml")
Told = tuple[int, str, str]


@pytest.fixture
def po(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The PO file of a package, with one translation changed."""
    monkeypatch.chdir(tmp_path)
    for game in ("love-letter", "leduc"):
        shutil.copytree(ROOT / "content" / game, tmp_path / "content" / game)
    assert main(["l10n", "export", "love-letter", "--lang", "uk", "-o", "uk.po"]) == 0
    path = Path("uk.po")
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace('msgstr "Барон"', 'msgstr "Пан барон"'), encoding="utf-8")
    return path


def run(capsys: pytest.CaptureFixture[str], *line: str) -> Told:
    capsys.readouterr()
    code = main(["l10n", *line])
    told = capsys.readouterr()
    return code, told.out, told.err


def tree() -> dict[str, bytes]:
    return {path.as_posix(): path.read_bytes() for path in sorted(Path("content").rglob("*")) if path.is_file()}


def replaced(old: str, new: str) -> Callable[[bytes], bytes]:
    def change(data: bytes) -> bytes:
        assert old.encode() in data
        return data.replace(old.encode(), new.encode(), 1)

    return change


PRIEST = 'msgstr "Священник"'
PLURAL = 'msgid_plural "Priests"\nmsgstr[0] "Священник"\nmsgstr[1] "Священники"'


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda data: data.decode().encode("cp1251", "replace"), r"uk\.po:\d+:1: error\[encoding\]: file: the byte 0x"),
        (lambda data: data.decode().encode("utf-16"), r"uk\.po:1:1: error\[encoding\]: file: the file is UTF-16"),
        (lambda data: data[: data.index("Пан барон".encode()) + 1], r"uk\.po:\d+:1: error\[encoding\]"),
        (lambda data: data[: data.index(b"msgstr", 4000)], r"uk\.po:\d+:1: error\[syntax\]: file: the file ends behind msgid"),
        (lambda data: b"", r"uk\.po:1:1: error\[syntax\]: file: there is no entry"),
        (lambda data: b"title: a\n", r"uk\.po:1:1: error\[syntax\]: file: this is neither"),
        (replaced("charset=UTF-8", "charset=KOI8-U"), r"error\[encoding\]: file: the header says KOI8-U"),
        (replaced(PRIEST, 'msgstr "Священник'), r"uk\.po:\d+:1: error\[syntax\]: file: a text is not closed"),
        (replaced(PRIEST, 'msgstr "Свящ"енник"'), r"uk\.po:\d+:1: error\[syntax\]"),
        (replaced(PRIEST, r'msgstr "Свящ\qенник"'), r"uk\.po:\d+:1: error\[syntax\]"),
        (replaced(PRIEST, 'msgstr "Свящ\u2028енник"'), r"error\[syntax\]: file: the sign U\+2028"),
        (replaced(PRIEST, 'msgstr "Свящ\x00енник"'), r"error\[syntax\]: file: the sign U\+0000"),
        (replaced(PRIEST, ""), r"uk\.po:\d+:1: error\[syntax\]: file: a comment cannot stand behind msgid"),
        (replaced(PRIEST, PLURAL), r"uk\.po:\d+:1: error\[placeholders\]: names\.priest: msgid_plural is not used"),
        (replaced(PRIEST, f'msgstr "{"довге " * 4000}"'), r"uk\.po:\d+:1: error\[length\]: names\.priest: it has more"),
        (replaced(PRIEST, 'msgstr "<b>Священник"'), r"error\[symbols\]: names\.priest"),
        (replaced(PRIEST, r'msgstr "Свящ\nенник"'), r"error\[characters\]: names\.priest"),
        (replaced("{you} отримує", "{you:dat} отримує"), r"error\[placeholders\]: log\.gain: \{you:dat\} is no placeholder"),
        (replaced("|жетон|жетони|жетонів}", "|жетон|жетони}"), r"error\[placeholders\]: log\.gain: \{1\|\.\.\} has 2 forms"),
        (replaced('msgctxt "names.priest"\n', ""), r"uk\.po:\d+:1: error\[id\]: file: the entry has no msgctxt"),
        (replaced('"names.priest"', '"names.guard"'), r"error\[id\]: names\.guard: the id stands in line \d+"),
        (replaced('"names.priest"', '"verbs.priest"'), r"error\[id\]: verbs\.priest: love-letter has no such string"),
        (replaced("X-Source-Language: en", "X-Source-Language: ru"), r"error\[language\]: file"),
    ],
)  # fmt: skip
def test_nothing_is_imported(
    po: Path, capsys: pytest.CaptureFixture[str], change: Callable[[bytes], bytes], said: str
) -> None:
    before = tree()
    po.write_bytes(change(po.read_bytes()))
    code, out, err = run(capsys, "import", "love-letter", "uk.po", "--lang", "uk")
    assert code == 1 and re.search(said, err), err
    assert "0 added, 0 changed" in out and tree() == before
    code, out, _ = run(capsys, "check", "uk.po", "--lang", "uk", "--json")
    findings = json.loads(out)["findings"]
    assert code == 1 and {"id", "lang", "check", "severity", "message", "span"} == set(findings[0])
    assert findings[0]["span"]["file"] == "uk.po" and findings[0]["span"]["line"] >= 1


@pytest.mark.parametrize("change", [lambda data: b"\xef\xbb\xbf" + data, lambda data: data.replace(b"\n", b"\r\n")])
def test_marks_of_other_systems_do_no_harm(
    po: Path, capsys: pytest.CaptureFixture[str], change: Callable[[bytes], bytes]
) -> None:
    before = UK.read_text(encoding="utf-8")
    po.write_bytes(change(po.read_bytes()))
    assert run(capsys, "import", "love-letter", "uk.po", "--lang", "uk")[0] == 0
    assert UK.read_text(encoding="utf-8") == before.replace("baron: Барон", "baron: Пан барон")


def test_spaces_are_no_translation(po: Path, capsys: pytest.CaptureFixture[str]) -> None:
    po.write_bytes(replaced(PRIEST, 'msgstr "  "')(po.read_bytes()))
    code, out, err = run(capsys, "import", "love-letter", "uk.po", "--lang", "uk")
    assert code == 1 and "names.priest: there is nothing but spaces" in err and "1 without a translation" in out
    assert "priest: Священник" in UK.read_text(encoding="utf-8")


def test_a_file_of_another_package_says_so_once(po: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for line in (("leduc", "--lang", "uk"), ("love-letter", "--lang", "ru")):
        code, _, err = run(capsys, "import", line[0], "uk.po", *line[1:])
        assert code == 1 and err.endswith("1 finding\n"), err


def test_wrong_use(po: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("other.po").write_text("nothing\n", encoding="utf-8")
    for line in (
        "import love-letter content --lang uk",
        "import love-letter no.po --lang uk",
        "import love-letter uk.po --lang pl",
        "import love-letter uk.po --lang uk --string names.preist",
        "export love-letter --lang uk -o nowhere/uk.po",
        "export love-letter --lang uk -o content",
        "export love-letter --lang uk -o other.po",  # what is no PO file is not overwritten
        "export love-letter --lang ru -o uk.po",
        "glossary love-letter -o nowhere/terms.csv",
        "check uk.po no.po --lang uk",
        "check love-letter --lang pl",
    ):
        code, _, err = run(capsys, *line.split())
        assert code == 2 and err.startswith("grimoire: "), line


def test_a_string_that_is_given_twice_is_not_taken(po: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = tree()
    po.write_bytes(replaced('"names.priest"', '"names.baron"')(po.read_bytes()))
    _, out, _ = run(capsys, "import", "love-letter", "uk.po", "--lang", "uk", "--string", "names.baron")
    assert "2 given twice" in out and tree() == before


# --- an export onto a file --------------------------------------------------------------------------------------------


def test_an_export_onto_a_file_keeps_its_work(po: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Translations that were not imported stay; what they were made from is told; what is gone is obsolete."""
    run(capsys, "accept", "love-letter", "--lang", "uk")
    source = Path("content/love-letter/text/en.yaml")
    text = source.read_text(encoding="utf-8")
    source.write_text(text.replace("guard: Guard", "guard: Watchman").replace("baron: Baron", "baron: Lord"), "utf-8")
    po.write_bytes(replaced('msgctxt "names.prince"', 'msgctxt "names.knave"')(po.read_bytes()))
    _, _, err = run(capsys, "export", "love-letter", "--lang", "uk", "-o", "uk.po")
    assert "1 kept from the file" in err and "names.baron" in err and "1 kept as obsolete" in err
    made = {entry.msgctxt: entry for entry in polib.pofile("uk.po")}
    baron, guard = made["names.baron"], made["names.guard"]
    assert (baron.msgid, baron.msgstr, baron.previous_msgid, baron.fuzzy) == ("Lord", "Пан барон", "Baron", True)
    assert (guard.msgid, guard.msgstr, guard.previous_msgid, guard.fuzzy) == ("Watchman", "Вартовий", "Guard", True)
    assert made["names.knave"].obsolete and made["names.knave"].msgstr == "Принц"
    once = po.read_bytes()
    run(capsys, "export", "love-letter", "--lang", "uk", "-o", "uk.po")
    assert po.read_bytes() == once  # nothing is lost by doing it again
    baron.flags.remove("fuzzy")
    po.write_bytes(replaced('#, fuzzy\n#| msgid "Baron"\n', "")(once))
    code, out, err = run(capsys, "import", "love-letter", "uk.po", "--lang", "uk")
    assert code == 0 and "1 changed, 1 fuzzy" in out, err


def test_a_string_that_gets_another_id_keeps_its_translation(po: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """From the package alone, by the record of its source; and from an earlier file."""
    run(capsys, "accept", "love-letter", "--lang", "uk")
    for path in [Path("content/love-letter/cards.yaml"), *Path("content/love-letter/text").rglob("*.yaml")]:
        if path != UK:
            path.write_text(re.sub(r"\bguard\b", "watchman", path.read_text(encoding="utf-8")), "utf-8")
    shutil.rmtree("content/love-letter/scenarios")
    for file in ("new.po", "uk.po"):
        _, _, err = run(capsys, "export", "love-letter", "--lang", "uk", "-o", file)
        assert "1 fuzzy, with the translation of a string that had the same source: names.watchman" in err
        made = {entry.msgctxt: entry for entry in polib.pofile(file)}
        entry = made["names.watchman"]
        assert (entry.msgstr, entry.fuzzy, entry.previous_msgctxt) == ("Вартовий", True, "names.guard")
    assert made["names.guard"].obsolete and "names.guard" not in {row.msgctxt for row in polib.pofile("new.po")}
    _, _, err = run(capsys, "stats", "love-letter")
    assert "love-letter has texts in 'uk' for what is no longer there: names.guard" in err
    assert run(capsys, "import", "love-letter", "uk.po", "--lang", "uk")[0] == 0
    assert "guard: Вартовий" in UK.read_text(encoding="utf-8")  # fuzzy: nothing is imported, nothing lost


def test_a_file_of_an_earlier_version_is_brought_up_to_date(po: Path, capsys: pytest.CaptureFixture[str]) -> None:
    manifest = Path("content/love-letter/package.yaml")
    manifest.write_text(manifest.read_text(encoding="utf-8").replace("version: 1.0.0", "version: 1.1.0"), "utf-8")
    code, _, err = run(capsys, "import", "love-letter", "uk.po", "--lang", "uk")
    assert code == 1 and "error[version]" in err and "brings it up to date" in err
    run(capsys, "export", "love-letter", "--lang", "uk", "-o", "uk.po")
    code, out, _ = run(capsys, "import", "love-letter", "uk.po", "--lang", "uk")
    assert (code, "1 changed" in out) == (0, True)


def test_what_stands_in_the_package_goes_before_what_nobody_touched(
    po: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = UK.read_text(encoding="utf-8")
    UK.write_text(text.replace("priest: Священник", "priest: Панотець"), "utf-8")
    run(capsys, "export", "love-letter", "--lang", "uk", "-o", "uk.po")
    made = {entry.msgctxt: entry.msgstr for entry in polib.pofile("uk.po")}
    assert (made["names.priest"], made["names.baron"]) == ("Панотець", "Пан барон")


def is_temporary(name: str) -> bool:
    return TEMPORARY.match(Path(name).name) is not None


# --- stopped halfway --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("error", [KeyboardInterrupt, OSError])
def test_an_import_that_is_stopped_leaves_everything_as_it_was(
    po: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, error: type[BaseException]
) -> None:
    run(capsys, "accept", "love-letter", "--lang", "uk")
    before, real = tree(), os.replace
    done: list[str] = []

    def stop(here: str, there: str) -> None:
        done.append(str(there))
        if len(done) == 2:
            raise error
        real(here, there)

    source = Path("content/love-letter/text/en.yaml")  # so that there is a record to write as well
    text = source.read_text(encoding="utf-8")
    source.write_text(text.replace("baron: Baron", "baron: Lord"), "utf-8")
    run(capsys, "export", "love-letter", "--lang", "uk", "-o", "uk.po")
    po.write_bytes(re.sub(rb'#, fuzzy\n#\| msgid "Baron"\n', b"", po.read_bytes()))
    monkeypatch.setattr(os, "replace", stop)
    assert run(capsys, "import", "love-letter", "uk.po", "--lang", "uk")[0] != 0
    assert len(done) == 3 and {**before, source.as_posix(): b""} == {**tree(), source.as_posix(): b""}


def test_an_import_that_is_killed_has_whole_files_and_can_be_done_again(
    po: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    run(capsys, "accept", "love-letter", "--lang", "uk")
    before, real = tree(), os.replace
    run(capsys, "import", "love-letter", "uk.po", "--lang", "uk")
    after = tree()
    for stop_at in range(2):
        for name, data in before.items():
            Path(name).write_bytes(data)
        pid = os.fork()
        if not pid:
            count = [0]

            def die(here: str, there: str, count: list[int] = count, stop_at: int = stop_at) -> None:
                if count[0] == stop_at:
                    os._exit(9)
                count[0] += 1
                real(here, there)

            monkeypatch.setattr(os, "replace", die)
            main(["l10n", "import", "love-letter", "uk.po", "--lang", "uk"])
            os._exit(0)
        os.waitpid(pid, 0)
        for name, data in tree().items():
            assert is_temporary(name) or data in (before.get(name), after.get(name)), name
        run(capsys, "import", "love-letter", "uk.po", "--lang", "uk")
        assert {name: data for name, data in tree().items() if not is_temporary(name)} == after


# --- random corruptions -----------------------------------------------------------------------------------------------

SIGNS = [
    b'"',
    b"\\",
    b"\n",
    b"\xff",
    b"{",
    b"}",
    b"#~ ",
    b"#| ",
    b'msgid ""\n',
    b"msgstr[0] ",
    b"<b>",
    b"#, fuzzy\n",
    b"\\n",
]


def corrupted(data: bytes, chance: random.Random) -> bytes:
    made = bytearray(data)
    at = chance.randrange(len(made))
    lines = data.split(b"\n")
    way = chance.randrange(6)
    if way == 0:
        made[at] = chance.randrange(256)
    elif way == 1:
        del made[at : at + chance.choice([1, 10, 200])]
    elif way == 2:
        made[at:at] = chance.choice(SIGNS)
    elif way == 3:
        del made[at:]
    elif way == 4:
        del lines[chance.randrange(len(lines))]
        made = bytearray(b"\n".join(lines))
    else:
        texts = list(re.finditer(rb'^msgstr "(.+)"$', data, re.MULTILINE))
        place = chance.choice(texts).start(1)
        made[place:place] = chance.choice(SIGNS)
    return bytes(made)


def test_random_corruptions(po: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Never a traceback; a package is not changed by a file with errors, and never gets worse."""
    chance, good, before = random.Random(5), po.read_bytes(), tree()
    found = check(["content/love-letter"])
    changed = 0
    for _ in range(25):
        po.write_bytes(corrupted(good, chance))
        code, _, err = run(capsys, "import", "love-letter", "uk.po", "--lang", "uk")
        assert code in (0, 1), err
        if tree() != before:
            assert "error[" not in err
            assert [str(item) for item in check(["content/love-letter"])] == [str(item) for item in found]
            changed += 1
            for name, data in before.items():
                Path(name).write_bytes(data)
    assert changed  # the changed translation is imported where the file is sound
