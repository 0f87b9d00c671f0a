"""Names that no dictionary has: a list by language in the package, and the names of its own cards and characters.

In: l10n/names.yaml (language -> words) and the texts. Out: `Names`: whether a word is a form of one of them; for
`check` diagnostics (G0920) for names that no text has.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Final

from grimoire.compiler.diagnostics.report import Diagnostics
from grimoire.compiler.localisation.text.language import TOKEN
from grimoire.compiler.localisation.tuning import (
    NAMES_LETTERS,
)
from grimoire.compiler.source.manifest import Manifest
from grimoire.compiler.source.reader import DISK, SourceReader
from grimoire.compiler.source.shapes import as_mapping, as_text_set, check_keys
from grimoire.compiler.source.tree import Scalar, quote

FILE: Final = "l10n/names.yaml"
_ENDING: Final = re.compile(r"(?<=\w\w)[аеиоуіїєюяьйыэё]\Z")


def cut_ending(word: str) -> str:
    """A name without the ending of its nominative."""
    return _ENDING.sub("", word.lower().replace("’", "'"))


def read_names(
    root: Path, diags: Diagnostics, languages: Iterable[str] | None = None, reader: SourceReader = DISK
) -> dict[str, list[Scalar]]:
    """By language the names of the list; wrong rows are told and left out."""
    path = root / FILE
    if not reader.has_file(path):
        return {}
    tree = reader.load_file(path, diags, name=path.as_posix())
    mapping = as_mapping(tree, diags, "a list of names") if tree is not None else None
    found: dict[str, list[Scalar]] = {}
    if mapping is not None:
        if languages is not None:
            mapping = check_keys(mapping, tuple(languages), diags, "a list of names")
        for language, node in mapping.entries:
            found[language.value] = as_text_set(node, diags, "the names of a language") or []
    return found


class Names:
    """The names of one language."""

    def __init__(self, given: Iterable[str], own: Iterable[str] = ()) -> None:
        self.given = {cut_ending(word) for name in given for word in TOKEN.findall(name)}
        # words with a capital in the names of things; a name alone does not say that it is right itself
        self.words = [word for name in own for word in set(TOKEN.findall(name)) if word[:1].isupper()]
        self.own = Counter(map(cut_ending, self.words))

    def without(self, is_known: Callable[[str], bool]) -> Names:
        """The same without the words that every dictionary has: a wrong form of them is no name."""
        names = Names((), ())
        names.given = self.given
        names.own = Counter(cut_ending(word) for word in self.words if not is_known(word.lower().replace("’", "'")))
        return names

    def has(self, word: str, *, is_named: bool = False) -> bool:
        """Whether a word is a form of a name; `is_named`: it stands in the name of something, which does not count
        itself."""
        stems = stems_of(word)
        return any(stem in self.given or self.own[stem] > is_named for stem in stems)


def stems_of(word: str) -> list[str]:
    """What a name may be without its ending, of which the word is a form."""
    word = word.lower().replace("’", "'")
    return [word[:size] for size in range(len(word), max(len(word) - NAMES_LETTERS, 2) - 1, -1)]


def check_names(
    root: Path,
    manifest: Manifest,
    texts: Mapping[str, Iterable[str]],
    diags: Diagnostics,
    reader: SourceReader = DISK,
) -> None:
    """For `check`: the shape of the list, and names that nothing uses."""
    for language, rows in read_names(root, diags, manifest.languages, reader).items():
        if language not in manifest.languages:
            continue
        words = set[str]().union(*map(TOKEN.findall, texts.get(language, ())))
        stems = {stem for word in words for stem in stems_of(word)}
        for row in rows:
            if stems.isdisjoint(Names([row.value]).given):
                message = f"no text in '{language}' has the name {quote(row.value)}"
                diags.add("G0920", row.span, message, "remove it from the list")
