"""The words of the command, in the languages that it speaks; those of a game stand in its package, those of the engine
in the runtime.

In: a language and a key; grammar/tool/<language>.yaml and the runtime's own words. Out: a text with named places to
fill. A test holds the tables of all languages to the same keys and the same places.
"""

from __future__ import annotations

from typing import Final

from grimoire.compiler.diagnostics.report import Diagnostics
from grimoire.compiler.localisation.languages import SOURCE
from grimoire.compiler.source.tree import Mapping, Scalar, parse_bytes
from grimoire.grammar import read
from grimoire.runtime.wording.own_words import OWN_WORDS, languages

FALLBACK: Final = SOURCE  # what the command says in a language that it does not speak, with a note that it does so


class Tables(dict[str, dict[str, str]]):
    """The words by language, read when they are first asked for."""

    def __missing__(self, language: str) -> dict[str, str]:
        diags = Diagnostics()
        tree = parse_bytes(read(f"tool/{language}.yaml").encode(), f"{language}.yaml", diags)
        assert isinstance(tree, Mapping) and not len(diags), [item.message for item in diags]
        own = {key.value: text.value for key, text in tree.entries if isinstance(text, Scalar)}
        self[language] = {**OWN_WORDS[language], **own}
        return self[language]


TOOL_TEXT: Final = Tables()


def tool_text(language: str, key: str, /, **places: object) -> str:
    """A text of the command, its places filled. A language that the tool does not speak gets English: see `speaks`."""
    return TOOL_TEXT[language if speaks(language) else FALLBACK][key].format(**places)


def speaks(language: str) -> bool:
    """Whether the tool has words of its own in a language; who asks for another is told so."""
    return language in languages()
