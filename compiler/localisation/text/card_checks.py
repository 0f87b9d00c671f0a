"""What `grimoire check` says of the texts of cards: words that are missing, and texts written by hand that say something else than the effects.

In: the model of a package, its texts and words. Out: diagnostics G0910 and G0912 to G0916.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from grimoire.compiler.declare.model import PackageModel
from grimoire.compiler.diagnostics.report import Diagnostics
from grimoire.compiler.localisation.text.cards import CardText, span_of
from grimoire.compiler.localisation.text.lexicon import LANGUAGES, load_grammar
from grimoire.compiler.localisation.text.overrides import check_overrides
from grimoire.compiler.localisation.text.patterns import Lexicon
from grimoire.compiler.localisation.text.texts import Language
from grimoire.compiler.source.manifest import Manifest

# What a word of each sort is called, and how it is given.
_SORTS: Final = {
    "term": ("the noun", "terms: {{{name}: {{forms: ..}}}}"),
    "verb": ("the verb", "verbs: {{{name}: ..}}"),
    "form": ("the form", "add it to the row of the verb in verbs"),
    "adjective": ("the adjective", "adjectives: {{{name}: ..}}"),
    "line": ("the printed line", "printed: {{KIND: {{by: FIELD, VALUE: ..}}}}"),
    "preposition": ("the preposition", "phrases: {{{name}: ..}} in the row of its verb"),
    "frame": ("the construct", "the tables of the language have no pattern for it"),
}


def check_words(
    model: PackageModel,
    manifest: Manifest,
    texts: Mapping[str, Language],
    lexicon_of: Callable[[str, Diagnostics], Lexicon | None],
    diags: Diagnostics,
) -> None:
    """What the texts of the cards cannot be generated for, in each language that has words at all, and texts written by hand that say
    something else than the effects."""
    for language in (id_ for id_ in manifest.languages if id_ in LANGUAGES):
        lexicon = lexicon_of(language, diags)
        if lexicon is None:
            continue
        says = CardText(model, load_grammar(language), lexicon)
        told: set[tuple[str, str]] = set()
        for card in (card for card in says.cards() if card.package == manifest.id):
            for paragraph in says.paragraphs(card):
                for sort, name in sorted(paragraph.missing - told):
                    told.add((sort, name))
                    what, hint = _SORTS[sort]
                    message = f"{what} {name} has no words in '{language}': the text of {card.id} cannot be made"
                    diags.add("G0910", span_of(card, paragraph), message, hint.format(name=name))
        own = texts.get(language)
        if own is not None and own.texts["cards"]:
            check_overrides(says, own.texts["cards"], diags)
