"""The command `edition`: the rules reference of a package in one language, as a website and as a PDF.

In: the parsed command line. Out: an exit code, and a folder with pages, a site, and the book for print.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from grimoire.compiler.api.build import Compiled, compile_path
from grimoire.compiler.cache import blake2b
from grimoire.compiler.command.common import FINDINGS, FINE
from grimoire.compiler.declare.model import PackageModel
from grimoire.compiler.files import (
    TEMPORARY,
    fill_folder,
    read_file,
    remove_file,
    replace_files,
    scratch_folder,
    write_file,
)
from grimoire.compiler.localisation.edition.book import BookTexts, find_missing_texts, load_tables, make_book
from grimoire.compiler.localisation.edition.book_content import Volume
from grimoire.compiler.localisation.edition.cards import Gallery
from grimoire.compiler.localisation.edition.links import find_links
from grimoire.compiler.localisation.edition.print import SOURCE_MARKER, can_print, make_pdf, make_print
from grimoire.compiler.localisation.edition.site import MARKER, make_site
from grimoire.compiler.localisation.edition.typography import typeset_volume
from grimoire.compiler.localisation.text.cards import CardText
from grimoire.compiler.localisation.text.lexicon import load_grammar
from grimoire.compiler.resolve import package_folder
from grimoire.compiler.telling import Finding, WrongUse, list_names, make_printable, say
from grimoire.runtime.core.reading import read_artefact
from grimoire.runtime.wording.words import Words

if TYPE_CHECKING:
    import argparse

SITE_EXTRA = "pip install 'grimoire-compiler[site]'"
CONFIG = "pages/mkdocs.yml"  # its marker says that the folder is that of a book
LIST = "pages/files.txt"  # what was written, with a digest of each file
PRINT_EXTRA = "pip install 'grimoire-compiler[print]'"


def edition_command(args: argparse.Namespace) -> int:
    made = compile_path(package_folder(args.package))
    language = args.lang or made.manifest.languages[0]
    if language not in made.manifest.languages:
        there = list_names(made.manifest.languages)
        raise WrongUse(f"{made.manifest.id} has no texts in '{make_printable(language)}': its languages are {there}")
    if language not in load_tables():
        raise WrongUse(f"books can be made in {list_names([*load_tables()])}, not in '{language}'")
    folder = Path(args.output or f"build/{made.manifest.id}-{language}")
    if args.output is None and not os.path.realpath(folder).startswith(os.path.join(os.path.realpath("."), "")):
        raise WrongUse(f"{folder.as_posix()} leads out of this folder, through a link: -o names the folder to write to")
    check_folder(folder, f"{made.manifest.id}-{language}")
    volume = make_volume(made, language)
    return FINE if write_book(volume, folder) else FINDINGS


def make_volume(made: Compiled, language: str) -> Volume:
    """All that is in the book; what is odd about it is said."""
    model, tables = made.model, load_tables()[language]
    artefact = read_artefact(made.artefact)
    words = Words(made.artefact, language)
    texts = words.text
    if not model.clauses:
        raise Finding(f"{model.id} has no rules to print: the clauses of its rulebook stand under rules")
    missing = find_missing_texts(model, texts)
    if missing:
        some = list_names(missing, 8)
        raise Finding(
            f"{len(missing)} of {len(model.rules) + len(model.clauses)} titles and clauses of {model.id} have "
            "no text in "
            f"'{language}': {some}; they stand under clauses in text/{language}.yaml"
        )
    spoken = {id_: Words(made.artefact, id_).text for id_ in artefact.text}
    for note in find_lacking_heads(spoken, language, model):
        say(f"note: {note}")
    book, remarks = make_book(model, texts, words.title, tables)
    for note in remarks.notes:
        say(f"note: {note}")
    if remarks.wrong:
        raise Finding("\n".join(remarks.wrong))
    lexicon = made.workspace.lexicon(made.package, language)
    grammar = load_grammar(language)
    says = CardText(model, grammar, lexicon) if lexicon is not None else None
    if says is None and any(definition.programs or definition.abilities for definition in model.definitions.values()):
        say(f"note: {model.id} has no words in '{language}': the cards are shown without their texts")
    gallery = Gallery(model, artefact, tables, words, says)
    groups = gallery.groups()
    if gallery.missing:
        names = list_names(sorted(f"{sort} {name}" for sort, name in gallery.missing))
        raise Finding(f"the texts of cards lack words in '{language}': {names}; grimoire check says where")
    if gallery.unheaded:
        say(f"note: printed values without a heading in '{language}' are left out: {list_names([*gallery.unheaded])}")
    links = find_links(book, model, artefact, texts.get("names", {}), lexicon, grammar, groups)
    return Volume(book, links, tuple(groups), str(made.manifest.version))


def find_lacking_heads(texts: Mapping[str, BookTexts], language: str, model: PackageModel) -> list[str]:
    """The headings of clauses that another language has."""
    there = texts.get(language, {}).get("headings", {})
    lacking = {
        id_: True
        for rows in texts.values()
        for id_ in rows.get("headings", {})
        if id_ in model.clauses and id_ not in there
    }
    if not lacking:
        return []
    return [f"no heading in '{language}' above clauses that have one in another language: {list_names([*lacking], 8)}"]


def check_folder(folder: Path, name: str) -> None:
    """Nothing is overwritten that this command has not written."""
    for part in (folder, folder / "pages", folder / "site"):
        if part.exists() and not part.is_dir():
            raise WrongUse(f"{part.as_posix()} is a file: -o names the folder that the book is written to")
    ours = is_ours(folder / "pages" / "mkdocs.yml", MARKER)
    for part in (folder / "pages", folder / "site"):
        if not ours and part.is_dir() and any(not TEMPORARY.match(file.name) for file in part.iterdir()):
            raise WrongUse(f"{part.as_posix()} has files that are not of a book: -o names another folder")
    source = folder / f"{name}.typ"
    for file in (source, source.with_suffix(".pdf")):
        if file.exists() and not is_ours(source, SOURCE_MARKER):
            raise WrongUse(f"{file.as_posix()} is not of this command: -o names another folder")


def is_ours(file: Path, marker: str) -> bool:
    return file.is_file() and read_file(file).startswith(marker.encode())


# --- the folder -------------------------------------------------------------------------------------------------------


def list_written_files(folder: Path) -> list[tuple[str, str]]:
    """The files that books before this one have put into the folder: name and digest."""
    try:
        lines = read_file(folder / LIST).decode().splitlines()
    except (OSError, ValueError):
        return []
    return [(name, digest) for digest, _, name in (line.partition("  ") for line in lines)]


def list_bytes(rows: Iterable[tuple[str, str]]) -> bytes:
    return "".join(f"{digest}  {name}\n" for name, digest in sorted(set(rows))).encode()


def digest_of(data: bytes) -> str:
    return blake2b(data, digest_size=16).hexdigest()


def put_part(folder: Path, files: Mapping[str, bytes]) -> None:
    """Put the files of a part of the book in place, all or none, and take away what an earlier book had there beyond
    them.

    Only what was written here, and is still as it was written, is taken away: what somebody has put beside it, or
    changed, stays.
    """
    part = next(iter(files)).partition("/")[0] + "/"
    before, now = list_written_files(folder), [(name, digest_of(data)) for name, data in files.items()]
    if not (folder / CONFIG).exists():  # first: who is killed in between must find the folder marked as that of a book
        write_file(folder / CONFIG, files[CONFIG], inside=folder)
    # The list goes before the files: none that was written is missing on it at any moment.
    made = {folder / LIST: list_bytes([*before, *now])} | {folder / name: data for name, data in files.items()}
    replace_files(made, inside=folder)
    root = os.path.realpath(folder)
    for name, digest in before:
        file = folder / name
        plain = os.path.realpath(file) == os.path.join(root, *name.split("/"))  # no link and no .. on the way
        if name.startswith(part) and name not in files and plain and is_written(file, digest):
            remove_file(file)
    write_file(
        folder / LIST, list_bytes([*(row for row in before if not row[0].startswith(part)), *now]), inside=folder
    )


def is_written(file: Path, digest: str) -> bool:
    """Whether a file is still what was written."""
    try:
        return digest_of(read_file(file)) == digest
    except OSError:
        return False


def write_book(volume: Volume, folder: Path) -> bool:
    """Write the sources, then what can be made of them with what is installed; whether that is all."""
    volume = typeset_volume(volume)
    book = volume.book
    files = {f"pages/{name}": text.encode() for name, text in make_site(volume).items()}
    put_part(folder, files)
    cards = sum(len(group.cards) for group in volume.groups)
    counts = {"entries": len(book.entries), "appendices": len(book.appendices), "clauses": len(book.lines())}
    counts |= {"cards": cards, "subjects": len(volume.links.subjects)}
    print(f"{(folder / 'pages').as_posix()}: " + ", ".join(f"{what} {count}" for what, count in counts.items()))
    whole = True
    if find_spec("mkdocs") is None:
        whole = False
        say(f"no site: MkDocs is not installed ({SITE_EXTRA}); the pages are there all the same")
    else:
        put_part(folder, build_site(files, folder))
        print(f"{(folder / 'site').as_posix()}: the site, open index.html")
    source = folder / f"{book.package}-{book.tables.language}.typ"
    write_file(source, make_print(volume).encode(), inside=folder)
    print(f"{source.as_posix()}: the source for print")
    if not can_print():
        whole = False
        say(f"no PDF: Typst is not installed ({PRINT_EXTRA}); the source is there all the same")
    else:
        target = source.with_suffix(".pdf")
        with scratch_folder() as scratch:
            make_pdf(source, scratch / target.name)
            write_file(target, read_file(scratch / target.name), inside=folder)
        print(f"{target.as_posix()}: the book for print")
    return whole


def build_site(files: Mapping[str, bytes], folder: Path) -> dict[str, bytes]:
    """What MkDocs makes of the pages, and of them alone: what else lies in the folder may be anybody's, and templates
    are programs."""
    with scratch_folder() as scratch:
        fill_folder(scratch, files)
        # -P: no module is taken from the current folder. Not --quiet: what is not said is not counted by --strict
        # either
        command = [sys.executable, "-P", "-m", "mkdocs", "build", "--strict", "--config-file", str(scratch / CONFIG)]
        done = subprocess.run(command, capture_output=True, encoding="utf-8", errors="replace", cwd=scratch)
        if done.returncode != 0:
            said = done.stderr.strip().replace(str(scratch), folder.as_posix())
            raise Finding(f"{(folder / CONFIG).as_posix()}: MkDocs cannot build the site\n{said}")
        made = sorted(file for file in (scratch / "site").rglob("*") if file.is_file())
        return {file.relative_to(scratch).as_posix(): read_file(file) for file in made}
