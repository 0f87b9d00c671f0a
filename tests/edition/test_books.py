"""`grimoire edition` makes a site and a PDF, and says clearly when it cannot."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import zlib
from collections.abc import Sequence
from pathlib import Path

import pytest

from grimoire.compiler.cli import main
from grimoire.compiler.command import edition as command_edition
from grimoire.compiler.localisation.edition.print import make_pdf, make_print
from grimoire.compiler.localisation.text.cards import CardText
from grimoire.compiler.localisation.text.lexicon import load_grammar, read_lexicon
from grimoire.compiler.telling import Finding

from .conftest import LARGE, ROOT, compiled, volume


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = main(["edition", *words])
    done = capsys.readouterr()
    return code, done.out, done.err


@pytest.fixture
def unbuilt(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the sources are written: what is looked at is not how they are built."""
    monkeypatch.setattr(command_edition, "build_site", lambda files, folder: {"site/index.html": b"built"})
    monkeypatch.setattr(command_edition, "make_pdf", lambda source, target: target.write_bytes(b"set"))


def test_a_large_book_is_a_site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Built strictly: a link or an anchor that leads nowhere is an error."""
    monkeypatch.setattr(command_edition, "can_print", lambda: False)
    command_edition.write_book(volume("uk"), tmp_path)
    site = tmp_path / "site"
    page = (site / "entries" / "attack.html").read_text(encoding="utf-8")
    assert 'id="c9e"' in page
    assert '<html lang="uk">' in page
    assert "Пов\u2019язані теми" in page
    assert "Шестизарядний револьвер" in (site / "cards" / "item.html").read_text(encoding="utf-8")
    assert len(list((site / "entries").glob("*.html"))) == 54 + 6
    shown = [file for file in site.rglob("*") if file.suffix in (".html", ".css", ".js")]
    assert not [file.name for file in shown if re.search(r"https?:|@import|//cdn", file.read_text(encoding="utf-8"))]
    assert '<meta name="viewport" content="width=device-width' in page


def test_a_link_that_leads_nowhere_is_an_error(orchard: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "orchard", "-o", "book")[0] == 0
    pages = {path.as_posix(): path.read_bytes() for path in Path("book/pages").rglob("*") if path.is_file()}
    files = {name.removeprefix("book/"): data for name, data in pages.items()}
    assert "site/index.html" in command_edition.build_site(files, Path("book"))
    for wrong in (b"(entries/zest.md#c77)", b"(entries/zset.md)"):
        page = files["pages/docs/index.md"].replace(b"(entries/zest.md)", wrong)
        with pytest.raises(Finding, match="MkDocs cannot build"):
            command_edition.build_site({**files, "pages/docs/index.md": page}, Path("book"))


def test_a_large_book_is_a_pdf_in_cyrillic(tmp_path: Path) -> None:
    source, target = tmp_path / "book.typ", tmp_path / "book.pdf"
    source.write_text(make_print(volume("ru")), encoding="utf-8")
    make_pdf(source, target)
    data = target.read_bytes()
    assert data.startswith(b"%PDF-")
    parts = [unpacked(part) for part in re.findall(rb"stream\r?\n(.*?)\r?\nendstream", data, re.DOTALL)]
    maps = b"".join(part for part in parts if b"begincmap" in part)
    assert maps.count(b"<044B>") >= 1, "no letter ы"


def unpacked(data: bytes) -> bytes:
    try:
        return zlib.decompress(data)
    except zlib.error:
        return b""


def test_a_small_book(orchard: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "orchard")
    assert (code, err) == (0, "")
    assert out.splitlines() == [
        "build/orchard-en/pages: entries 3, appendices 1, clauses 8, cards 1, subjects 7",
        "build/orchard-en/site: the site, open index.html",
        "build/orchard-en/orchard-en.typ: the source for print",
        "build/orchard-en/orchard-en.pdf: the book for print",
    ]
    page = Path("build/orchard-en/site/entries/zest.html").read_text()
    assert "A\u00a0*fruit* has [zest] \\ \u201cskin\u201d #3." in re.sub(r"<[^>]+>", "", page)
    assert "Yellow &amp; &lt;green&gt;." in page
    heads = [
        re.findall(r"<h1[^>]*>(.*?)</h1>", file.read_text())[0]
        for file in sorted(Path("build/orchard-en/site/entries").glob("*.html"))
    ]
    assert heads == ["1. End of the game", "Appendix\u00a0I. Layout", "2. Sales", "3. Zest"]
    card = Path("build/orchard-en/pages/docs/cards/fruit.md").read_text()
    assert '## Apple <span class="copies">×9</span> {: #apple }' in card
    assert "\nWeight: 3\n" in card  # and no worth, which the card does not have
    assert "You may sell the top fruit of the basket." in card
    assert "In all: 9\n" in card


def test_entries_that_share_a_mark_are_related(
    orchard: Path, unbuilt: None, capsys: pytest.CaptureFixture[str]
) -> None:
    """`§sale.1,end.0`; neither speaks of the other."""
    assert run(capsys, "orchard", "-o", "book")[0] == 0
    assert "**See also:** [Sales\u00a0(2)](sale.md)" in Path("book/pages/docs/entries/end.md").read_text()
    assert "**See also:** [End of the game\u00a0(1)](end.md)" in Path("book/pages/docs/entries/sale.md").read_text()


def test_a_book_of_an_extension_has_all(orchard: Path, unbuilt: None, capsys: pytest.CaptureFixture[str]) -> None:
    more = orchard.parent / "pears"
    (more / "text").mkdir(parents=True)
    manifest = "package: pears\nversion: 1.0.0\nlanguage: 2\nlanguages: [en]\nplayers: 2\nneeds: {orchard: '>=1'}\n"
    (more / "package.yaml").write_text(manifest)
    card = "cards: {pear: {kind: fruit, in: basket, weight: 4, effect: sell the top fruit of the basket}}\n"
    (more / "more.yaml").write_text(card + "rules: {pears: {clauses: {1: definition}}}\n")
    texts = "title: Pears\nnames: {pear: Pear}\nclauses: {pears: {title: Pears, 1: A pear is a fruit for a sale.}}\n"
    (more / "text" / "en.yaml").write_text(texts)
    code, out, _ = run(capsys, "pears", "-o", "book")
    assert code == 0
    assert out.startswith("book/pages: entries 4, appendices 1, clauses 9, cards 2,")
    page = Path("book/pages/docs/entries/pears.md").read_text()
    assert "**[2.1](#c1)** A\u00a0pear is a\u00a0fruit for a\u00a0[sale](../entries/sale.md)." in page
    assert "## Pear" in Path("book/pages/docs/cards/fruit.md").read_text()


def test_pages_that_are_gone_are_gone(orchard: Path, unbuilt: None, capsys: pytest.CaptureFixture[str]) -> None:
    pages = Path("book/pages/docs/entries")
    game, texts = orchard / "game.yaml", orchard / "text" / "en.yaml"
    whole = game.read_text(), texts.read_text()
    for rule in ("first", "second"):
        game.write_text(whole[0].replace("rules:\n", f"rules:\n  {rule}: {{clauses: {{1: definition}}}}\n"))
        texts.write_text(whole[1].replace("clauses:\n", f"clauses:\n  {rule}: {{title: {rule}, 1: A pip.}}\n"))
        assert run(capsys, "orchard", "-o", "book")[0] == 0
    assert (pages / "second.md").exists() and not (pages / "first.md").exists()
    (pages / "second.md").write_text("what somebody has made of it")
    (pages / "mine.md").write_text("mine")
    game.write_text(whole[0])
    texts.write_text(whole[1])
    for _ in range(2):
        assert run(capsys, "orchard", "-o", "book")[0] == 0
        left = ["end.md", "layout.md", "mine.md", "sale.md", "second.md", "zest.md"]
        assert sorted(file.name for file in pages.iterdir()) == left


@pytest.mark.skipif(os.name != "posix", reason="needs links")
@pytest.mark.parametrize(
    "link", ["pages/docs", "pages/docs/entries", "pages/docs/entries/zest.md", "site", "orchard-en.pdf"]
)
def test_no_link_leads_a_book_elsewhere(
    link: str, orchard: Path, unbuilt: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A repository may bring a folder along that looks like that of a book."""
    assert run(capsys, "orchard", "-o", "book")[0] == 0
    away, there = tmp_path / "away", Path("book") / link
    if there.is_dir():
        shutil.copytree(there, away)
        shutil.rmtree(there)
    else:
        away.write_bytes(there.read_bytes())
        there.unlink()
    there.symlink_to(away)
    listed = Path("book/pages/files.txt")
    old = "pages/docs/entries/old.md", "pages/../../away", "pages/docs/old.md"
    for file in (away / "entries" / "old.md", away / "old.md"):
        if file.parent.is_dir():
            file.write_bytes(b"old")
    listed.write_text(listed.read_text() + "".join(f"{command_edition.digest_of(b'old')}  {name}\n" for name in old))
    texts = orchard / "text" / "en.yaml"
    texts.write_text(texts.read_text().replace("thrown away", "kept"))

    def files() -> dict[str, bytes]:
        return {path.name: path.read_bytes() for path in (away, *away.rglob("*")) if path.is_file()}

    before = files()
    code, _, err = run(capsys, "orchard", "-o", "book")
    assert code == 1 and "a link leads out of its folder" in err
    assert files() == before


def test_unasked_a_book_stays_in_this_folder(orchard: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "away").mkdir()
    here = tmp_path / "here"
    here.mkdir()
    shutil.move(tmp_path / "content", here / "content")
    os.chdir(here)
    Path("build").symlink_to(tmp_path / "away")
    code, _, err = run(capsys, "orchard")
    assert code == 2 and "leads out of this folder" in err
    assert main(["build", "orchard"]) == 1 and "build/orchard.json" in capsys.readouterr().err
    assert not list((tmp_path / "away").iterdir())


def test_clauses_have_headings(orchard: Path, unbuilt: None, capsys: pytest.CaptureFixture[str]) -> None:
    """Above the clause, and in the index with its number in bold; a heading that is an entry is no second subject."""
    texts = orchard / "text" / "en.yaml"
    texts.write_text(
        texts.read_text().replace(
            "weight: Weight}", "weight: Weight, zest.2: Peeling, layout.1: Baskets, sale.1: Zest}"
        )
    )
    code, _, err = run(capsys, "orchard", "-o", "book")
    assert (code, err) == (0, "")
    page = Path("book/pages/docs/entries/zest.md").read_text()
    assert page.index("b](#c1b)") < page.index("## Peeling {: #h2 }") < page.index("**[3.2](#c2)**")
    index = Path("book/pages/docs/subjects.md").read_text().splitlines()
    assert "- Peeling, **[3.2](entries/zest.md#c2)**" in index
    assert "- Basket, **[I.1](entries/layout.md#c1)**" in index  # a zone of that name
    assert [row for row in index if row.startswith("- Zest,")] == ["- Zest, **[3](entries/zest.md)**"]
    source = Path("book/orchard-en.typ").read_text()
    assert '#heading(level: 3, "Peeling")\n#clause("3.2"' in source


def test_headings_that_another_language_has(orchard: Path, unbuilt: None, capsys: pytest.CaptureFixture[str]) -> None:
    manifest, texts = orchard / "package.yaml", orchard / "text" / "en.yaml"
    manifest.write_text(manifest.read_text().replace("[en]", "[en, uk]"))
    (orchard / "text" / "uk.yaml").write_text(texts.read_text())
    texts.write_text(texts.read_text().replace("weight: Weight}", "weight: Weight, zest.2: Peeling}"))
    err = run(capsys, "orchard", "--lang", "uk", "-o", "book")[2]
    assert "note: no heading in 'uk' above clauses that have one in another language: zest.2\n" in err


def test_cards_are_shown_with_their_texts() -> None:
    made = compiled()
    assert made.model is not None
    for language in ("uk", "ru", "en"):
        lexicon = read_lexicon([LARGE], made.model, language, made.diags)
        assert lexicon is not None
        says = CardText(made.model, load_grammar(language), lexicon)
        cards = {card.id: card for group in volume(language).groups for card in group.cards}
        assert set(cards) == set(made.model.definitions)
        for definition in made.model.definitions.values():
            texts = tuple(part.text for part in says.paragraphs(definition) if part.text)
            assert cards[definition.id].texts == texts
    cards = {card.id: card for group in volume("uk").groups for card in group.cards}
    assert cards["combat-training-2"].values == (("Уміння", "Сила"), ("Значення", "2"))
    assert cards["combat-training-2"].copies == 5


# --- what goes wrong --------------------------------------------------------------------------------------------------


def without(monkeypatch: pytest.MonkeyPatch, names: Sequence[str]) -> None:
    """As if modules were not installed."""
    real = command_edition.find_spec

    def find(name: str) -> object:
        return None if name in names else real(name)

    monkeypatch.setattr(command_edition, "find_spec", find)
    monkeypatch.setattr("importlib.util.find_spec", find)


def test_without_typst(orchard: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    without(monkeypatch, ["typst", "mkdocs"])
    code, _, err = run(capsys, "orchard", "-o", "book")
    assert code == 1
    assert (
        "no PDF: Typst is not installed (pip install 'grimoire-compiler[print]'); the source is there all the same"
        in err
    )
    assert (
        "no site: MkDocs is not installed (pip install 'grimoire-compiler[site]'); the pages are there all the same"
        in err
    )
    assert Path("book/orchard-en.typ").is_file() and not Path("book/orchard-en.pdf").exists()
    assert Path("book/pages/mkdocs.yml").is_file() and not Path("book/site").exists()


def test_a_language_that_is_not_there(orchard: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "orchard", "--lang", "ru")
    assert (code, out) == (2, "")
    assert err == "grimoire: orchard has no texts in 'ru': its languages are en\n"


def test_a_language_without_an_alphabet(orchard: Path, capsys: pytest.CaptureFixture[str]) -> None:
    manifest = orchard / "package.yaml"
    manifest.write_text(manifest.read_text().replace("[en]", "[en, de]"))
    shutil.copy(orchard / "text" / "en.yaml", orchard / "text" / "de.yaml")
    code, _, err = run(capsys, "orchard", "--lang", "de")
    assert (code, err) == (2, "grimoire: books can be made in en, uk, ru, not in 'de'\n")


@pytest.mark.parametrize("name", ["book", "book/pages", "book/site"])
def test_a_folder_that_is_a_file(name: str, orchard: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path(name).parent.mkdir(exist_ok=True)
    Path(name).write_text("")
    code, _, err = run(capsys, "orchard", "-o", "book")
    assert (code, err) == (2, f"grimoire: {name} is a file: -o names the folder that the book is written to\n")


@pytest.mark.parametrize("name", ["pages", "site"])
def test_a_folder_of_somebody_else(name: str, orchard: Path, capsys: pytest.CaptureFixture[str]) -> None:
    mine = Path("book") / name / "mine.md"
    mine.parent.mkdir(parents=True)
    mine.write_text("mine")
    code, _, err = run(capsys, "orchard", "-o", "book")
    assert (code, err) == (2, f"grimoire: book/{name} has files that are not of a book: -o names another folder\n")
    assert mine.read_text() == "mine"


@pytest.mark.parametrize("name", ["orchard-en.typ", "orchard-en.pdf"])
def test_a_file_of_somebody_else(name: str, orchard: Path, capsys: pytest.CaptureFixture[str]) -> None:
    mine = Path("book") / name
    mine.parent.mkdir()
    mine.write_text("mine")
    code, _, err = run(capsys, "orchard", "-o", "book")
    assert (code, err) == (2, f"grimoire: book/{name} is not of this command: -o names another folder\n")
    assert mine.read_text() == "mine" and len(list(Path("book").iterdir())) == 1


def test_what_stands_beside_a_book_stays(orchard: Path, unbuilt: None, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "orchard", "-o", "book")[0] == 0
    mine = [Path("book/notes.txt"), Path("book/pages/notes.txt"), Path("book/pages/docs/more.md")]
    for file in mine:
        file.write_text("mine")
    assert run(capsys, "orchard", "-o", "book")[0] == 0
    assert [file.read_text() for file in mine] == ["mine"] * 3


def test_a_folder_that_cannot_be_written(orchard: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("file").write_text("mine")
    code, out, err = run(capsys, "orchard", "-o", "file/inside/book")
    assert (code, out) == (1, "")
    assert err.startswith("grimoire: file/inside/book/") and ": Not a directory; nothing was written" in err
    assert Path("file").read_text() == "mine"


def test_a_book_that_cannot_be_built(
    orchard: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever MkDocs or Typst say, it is told and not thrown."""
    real = command_edition.make_print
    monkeypatch.setattr(command_edition, "make_print", lambda volume: f"{real(volume)}\n#nonsense()")
    code, _, err = run(capsys, "orchard", "-o", "book")
    assert code == 1
    assert err.startswith("grimoire: book/orchard-en.typ: typst cannot set it: unknown variable: nonsense")
    monkeypatch.setattr(
        command_edition, "make_site", lambda volume: {"mkdocs.yml": f"{command_edition.MARKER}\nnav: 5\n"}
    )
    code, _, err = run(capsys, "orchard", "-o", "book")
    assert code == 1
    assert err.startswith("grimoire: book/pages/mkdocs.yml: MkDocs cannot build the site")


def test_the_same_book_twice(tmp_path: Path) -> None:
    """The same bytes, whatever the order of sets and wherever it is written."""
    made = []
    for seed in ("1", "2"):
        folder = tmp_path / seed
        command = [sys.executable, "-m", "grimoire.compiler.cli", "edition", "abyss", "--lang", "uk", "-o", str(folder)]
        env = {**os.environ, "PYTHONHASHSEED": seed}
        subprocess.run(command, cwd=ROOT, env=env, check=True, capture_output=True)
        files = sorted(file for file in folder.rglob("*") if file.is_file())
        made.append({file.relative_to(folder).as_posix(): file.read_bytes() for file in files})
    assert made[0] == made[1]
    assert {"abyss-uk.pdf", "abyss-uk.typ", "site/index.html", "pages/mkdocs.yml"} <= set(made[0])


def test_clauses_without_a_text(orchard: Path, capsys: pytest.CaptureFixture[str]) -> None:
    texts = orchard / "text" / "en.yaml"
    texts.write_text(re.sub(r"^  (sale|end): .*\n", "", texts.read_text(), flags=re.MULTILINE))
    code, out, err = run(capsys, "orchard")
    assert (code, out) == (1, "")
    assert err == (
        "grimoire: 4 of 12 titles and clauses of orchard have no text in 'en': sale, end, sale.1, end.0; "
        "they stand under clauses in text/en.yaml\n"
    )
    assert not Path("build").exists()


def test_a_game_without_rules(orchard: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game, texts = orchard / "game.yaml", orchard / "text" / "en.yaml"
    game.write_text(
        re.sub(r"^rules:\n(  .*\n)*", "", game.read_text(), flags=re.MULTILINE).replace("§sale.1,end.0 ", "")
    )
    texts.write_text(re.sub(r"^clauses:\n(  .*\n)*", "", texts.read_text(), flags=re.MULTILINE))
    code, _, err = run(capsys, "orchard")
    assert code == 1
    assert err.endswith("orchard has no rules to print: the clauses of its rulebook stand under rules\n")


def test_words_that_are_missing(orchard: Path, unbuilt: None, capsys: pytest.CaptureFixture[str]) -> None:
    texts = orchard / "text" / "en.yaml"
    whole = texts.read_text()
    texts.write_text(whole.replace(", basket: basket, heap: heap}\n", "}\n"))
    code, _, err = run(capsys, "orchard")
    assert (code, err) == (
        1,
        "grimoire: the texts of cards lack words in 'en': term basket; grimoire check says where\n",
    )
    texts.write_text(re.sub(r"^(terms|verbs): .*\n", "", whole, flags=re.MULTILINE))
    code, _, err = run(capsys, "orchard")
    assert (code, err) == (0, "note: orchard has no words in 'en': the cards are shown without their texts\n")


def test_printed_numbers_that_are_wrong(orchard: Path, unbuilt: None, capsys: pytest.CaptureFixture[str]) -> None:
    game = orchard / "game.yaml"
    text = game.read_text().replace("uk: I}", "en: I}")
    for name, number in (("zest", 3), ("sale", 1), ("end", 2)):
        text = text.replace(f"  {name}: {{clauses", f"  {name}: {{numbers: {{en: {number}}}, clauses")
    game.write_text(text)
    code, out, err = run(capsys, "orchard")
    assert (code, out) == (1, "")
    assert "end («End of the game») is number 1 by the alphabet and 2 in the content" in err
    game.write_text(text.replace("  end: {", "  end: {after: {en: sale}, "))
    code, out, err = run(capsys, "orchard")
    assert code == 0
    assert err == "note: end («End of the game») stands out of the alphabet: behind sale, as the content says\n"


def test_help_has_an_example(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "--help")
    assert code == 0
    assert "example: grimoire edition my-game --lang uk -o build/my-game-uk" in out
