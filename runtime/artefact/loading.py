"""Loading: artefact bytes -> a checked ``Package``; canonical JSON and content hash."""

from __future__ import annotations

from dataclasses import replace
from hashlib import blake2b
from pathlib import Path
from typing import Final

from grimoire.runtime.artefact.documents import canonical, read_json
from grimoire.runtime.artefact.memory import collector_paused
from grimoire.runtime.core.consistency import check_consistency
from grimoire.runtime.core.reading import read_artefact
from grimoire.runtime.core.schema import artefact_schema as artefact_schema
from grimoire.runtime.core.tables import Artefact
from grimoire.runtime.core.writing import write_row
from grimoire.runtime.errors import ArtefactError
from grimoire.runtime.plain_data import Document, Json

FORMAT: Final = "grimoire-artefact"
VERSION: Final = 1


def content_hash(document: Document) -> str:
    """The blake2b-256 of the canonical JSON of everything but the hash itself."""
    rest = {key: value for key, value in document.items() if key != "hash"}
    return blake2b(canonical(rest), digest_size=32).hexdigest()


class Package:
    """A loaded artefact. Programs are built from it for each number of players and set of options."""

    def __init__(self, document: Document | None, artefact: Artefact) -> None:
        """Without a document: one that was rewritten. It is written when somebody asks for it."""
        self._document = document
        self.artefact = artefact
        self.hash = artefact.hash
        self.id = artefact.package.id
        self.version = artefact.package.version
        self.min_players = artefact.players.min
        self.max_players = artefact.players.max
        self.places = [f"{file}:{line}:{column}" for file, line, column, *_ in artefact.places]
        # what was built of it, by what it was built for: kept here, so that it goes when the package goes
        self.built: dict[tuple[int, tuple[int, ...], bool, bool], object] = {}
        self.shared: dict[str, object] = {}  # what all of that shares

    @property
    def document(self) -> Document:
        """The artefact as it is written, for those who write or show it."""
        if self._document is None:
            self._document = write_row(self.artefact)
        return self._document

    def starting_with(self, main: int) -> Package:
        """The same package with another procedure as its game. It is played here alone: its hash stays the old one."""
        found = Package(None, replace(self.artefact, main=main))
        found.shared = self.shared
        return found

    def place(self, index: int | None) -> str:
        """A place in the source as ``file:line:column``; empty if there is none."""
        return "" if index is None or not 0 <= index < len(self.places) else self.places[index]

    def place_text(self, index: int | None) -> str:
        """The source text at a place; empty if there is none."""
        places = self.artefact.places
        if index is None or not 0 <= index < len(places) or len(places[index]) < 6:
            return ""
        return str(places[index][5])

    def __repr__(self) -> str:
        return f"<Package {self.id} {self.version} {self.hash[:12]}>"


def load_artefact(source: str | Path | bytes | Document) -> Package:
    """Load an artefact from a path, its bytes or the parsed document; checks format, version, shape and hash."""
    with collector_paused():
        return _load(_parse(source))


def _load(document: Json) -> Package:
    if not isinstance(document, dict):
        raise ArtefactError("an artefact is a JSON object")
    stated = document.get("hash")
    try:
        present = content_hash(document)  # first of all: what can be written can be shown in a message, too
    except (TypeError, ValueError, RecursionError) as error:
        raise ArtefactError(f"the artefact is not plain JSON: {error}") from None
    if document.get("format") != FORMAT:
        raise ArtefactError(f"not an artefact: format is {document.get('format')!r}, expected {FORMAT!r}")
    if document.get("version") != VERSION:
        raise ArtefactError(f"artefact version {document.get('version')!r} is not known; this runtime plays {VERSION}")
    if not isinstance(stated, str):
        raise ArtefactError("the artefact has no hash")
    if stated != present:
        raise ArtefactError(
            f"the artefact was changed after it was written: it says {stated}, its content is {present}"
        )
    try:
        artefact = read_artefact(document)
    except RecursionError:
        raise ArtefactError("the artefact is nested too deeply") from None
    check_consistency(artefact)
    return Package(document, artefact)


def _parse(source: str | Path | bytes | Document) -> Json:
    if isinstance(source, dict):
        return source
    if isinstance(source, bytes | bytearray):
        data = bytes(source)
    else:
        if not isinstance(source, str | Path):
            raise ArtefactError(
                f"an artefact is loaded from a path, its bytes or the parsed document, not {repr(source)[:60]}"
            )
        try:
            data = Path(source).read_bytes()
        except (OSError, ValueError) as error:
            raise ArtefactError(f"cannot read the artefact {source}: {error}") from None
    return read_json(data, "the artefact", ArtefactError)
