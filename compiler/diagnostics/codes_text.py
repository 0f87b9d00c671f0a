"""Codes of the text stage: strings that are missing, unknown or damaged in the language files of a package."""

from __future__ import annotations

from grimoire.compiler.diagnostics.codes import _register

_register(
    "G0901",
    "text-missing",
    "A text is missing in one of the languages",
    explanation="All languages of the manifest are of equal rank: each of them has a name for every card, thing, zone, "
    "counter and kind, a prompt for every decision, a sentence for every verb and the text of every clause. A card "
    "that has flavour in one language needs it in all. No other language takes the place of a missing text: the player "
    "would see the bare id in angle brackets. A package that has no text folder at all is taken for a draft and is not "
    "reported.",
    example="# text/en.yaml of a package with a card called lamp\nnames:\n  oil: Oil\n",
    repair="Add the key to the section that the message names, in the file of that language; or take the language "
    "out of the manifest.",
    severity="warning",
)
_register(
    "G0902",
    "text-unknown",
    "A text belongs to nothing",
    explanation="The key of a text is the id of something that the package declares. Nothing has this id, or it does "
    "not belong in this section, so that the text could never be shown. A file for a language that the manifest does "
    "not list is reported as well.",
    example="# text/en.yaml of a package with a card called lamp\nnames:\n  lanp: Lamp\n",
    repair="Correct the spelling, move the text to the section that the message names, or remove it.",
    severity="warning",
)
_register(
    "G0903",
    "text-placeholder",
    "A placeholder in a text is wrong",
    explanation="In sentences of the log {you} stands for the player who acts and {1}, {2} for what the verb is done "
    "with; choices have {1}, {2} alone. {1.number} is the number of a player, {1|card|cards} picks the form that goes "
    "with a count: two forms in English, three in Ukrainian and Russian. Anything else in braces, a number that the "
    "verb does not have, a wrong count of forms, or a placeholder that only some of the languages have is reported.",
    example="log:\n  draw: '{me} takes {7} {1|card} from the deck'\n",
    repair="Write the placeholders that the verb has, the same ones in every language.",
    severity="warning",
)
_register(
    "G0904",
    "text-alphabet",
    "A word mixes alphabets",
    explanation="A word has letters of two alphabets that look alike, such as a Latin c in a Cyrillic word, or a "
    "letter that its language does not have. It looks right on paper, but cannot be searched, sorted or read aloud.",
    example="names:\n  oil: Oлія   # the first letter is Latin\n",
    repair="Type the whole word on the keyboard of its language.",
    severity="warning",
)
_register(
    "G0905",
    "rulebook-not-worded",
    "No clause of the ledger has a text",
    explanation="The ledger lists the clauses of the rulebook, and no language has the wording of any of them. The "
    "game can be checked, proved and played, but no rulebook can be made from it. As soon as one clause has a text in "
    "one language, every clause needs one in each of them.",
    example="# rules.yaml with a clause, text/en.yaml without clauses\nrules:\n  turn:\n    clauses:\n      1: rule\n",
    repair="Write the texts of the clauses when the rulebook is to be worded.",
    severity="note",
)
_register(
    "G0906",
    "text-twice",
    "A text or a word is given twice",
    explanation="All files of a language are one table: a text, a term, a verb or another word has one entry in it, in "
    "whatever file. Nobody could tell which of the two is shown. A package that needs another one may give its texts "
    "anew: that is another table, and the one that stands above it counts.",
    example="# text/en/cards.yaml and text/en/more.yaml, each with\nnames:\n  lamp: Lamp\n",
    repair="Remove one of the two; the related place shows the first.",
)
_register(
    "G0910",
    "no-words",
    "A card's text cannot be generated in a language",
    explanation="The rules text of a card is made from its effect. As soon as a language of the package has terms, "
    "everything that the cards speak of needs words in it: a noun in terms, a verb in verbs, an adjective in "
    "adjectives. The message names the first card that needs the word.",
    example="# text/en.yaml of a package with a card that says: dim the lamp\nterms:\n  lamp: lamp / lamps\n",
    repair="Give the word in the section that the hint names, in every language.",
    severity="warning",
)
_register(
    "G0911",
    "wrong-forms",
    "The forms of a word do not fit its language",
    explanation="A noun has a form for every case of the language, in the singular and, behind a slash, in the plural: "
    "six cases in Ukrainian and Russian (nominative, genitive, dative, accusative, instrumental, locative), one form "
    "in English. A word that never changes has one form. The gender is m, f or n.",
    example="# text/uk.yaml\nterms:\n  lamp: {forms: лампа лампи / лампи ламп, gender: f}\n",
    repair="Write all forms, set off by spaces; inside a form an underscore stands for a space.",
    severity="warning",
)
_register(
    "G0912",
    "override-number",
    "A text written by hand has other numbers than the effect",
    explanation="A card may have a text written by hand, in the section cards. It is compared with the text that is "
    "made from the effect, in the same language: a number that the effect has not, one that is missing, or a number of "
    "something else is reported. Words for numbers count as numbers; 1 may be left out.",
    example="# text/en.yaml of a package with a card that says: draw 2 lamps\ncards:\n  lantern: Draw 3 lamps.\n",
    repair="Correct the text or the effect. `grimoire text` shows what the effect says.",
    severity="warning",
)
_register(
    "G0913",
    "override-term",
    "A text written by hand speaks of something else than the effect",
    explanation="The text in the section cards has a term of the words files that the effect does not speak of "
    "(another zone, another player who decides), or leaves out one that such texts of the package always have.",
    example="# text/en.yaml of a package with a card that says: each opponent must draw 2 lamps\ncards:\n  lantern: "
    "The first player draws 2 lamps.\n",
    repair="Use the terms of the effect, or correct the effect.",
    severity="warning",
)
_register(
    "G0914",
    "override-choice",
    "A text written by hand says may where the effect says must, or the reverse",
    explanation="What a player may do must be said as a choice in the text of the section cards, and what happens "
    "in any case must not.",
    example="# text/en.yaml of a package with a card that says: draw 2 lamps\ncards:\n  lantern: You may draw 2 "
    "lamps.\n",
    repair="Say may where the effect says may, and nowhere else.",
    severity="warning",
)
_register(
    "G0915",
    "override-order",
    "A text written by hand says the steps in another order than the effect",
    explanation="Steps happen in the order of the effect. Two parts of the text in the section cards, each with terms "
    "or numbers of its own, stand the other way round in the effect.",
    example="# text/en.yaml of a package with a card that says: draw 2 lamps, then burn 1 oil\ncards:\n  lantern: "
    "Burn 1 oil. Draw 2 lamps.\n",
    repair="Put the parts into the order of the effect.",
    severity="warning",
)
_register(
    "G0916",
    "override-symbol",
    "A text written by hand has other symbols than the effect",
    explanation="Symbols in the texts of cards (a star, a die, a name in square brackets) stand for what the effect "
    "says, and are the same in the text of the section cards and in the one that is made from the effect.",
    example="# text/en.yaml of a package whose term for lamp is [lamp]\ncards:\n  lantern: Draw 2 lamps.\n",
    repair="Write the symbol, or take it out of the terms.",
    severity="warning",
)
_register(
    "G0917",
    "wrong-line",
    "A pattern for printed values speaks of what is not there",
    explanation="The section printed has a pattern for the cards of a kind, in which the printed fields of the kind "
    "are slots; with by it has one for each value of a field. A kind or a field that does not exist would be passed "
    "over in silence.",
    example="# text/en.yaml of a package whose kind lamp has the field light\nprinted:\n  lamp: 'gives {lihgt} "
    "light'\n",
    repair="Name a kind of the package and fields that its cards have.",
    severity="warning",
)
_register(
    "G0920",
    "no-such-record",
    "A row of the localisers' files belongs to nothing",
    explanation="The folder l10n has what localisers leave beside the texts: in <language>.yaml the hash of the source "
    "that each translation was made from, in silenced.yaml the findings that are none, with the reason, in names.yaml "
    "names that no dictionary has, in space.yaml what fits on a card of each kind. A row for a text that the package "
    "has not, a record that is no hash, a silence without a reason, a name that no text has, a kind that there is not "
    "or a file of another name would do nothing.",
    example="# l10n/uk.yaml of a package without a text for the name of a lamp\nen:\n  names.lamp: 0123456789abcdef\n",
    repair="`grimoire l10n accept` removes records of what is gone and writes those of the texts as they are; a "
    "silence is edited by hand.",
    severity="warning",
)
_register(
    "G0921",
    "too-long-for-the-card",
    "A name or text does not fit on its card",
    explanation="The file l10n/space.yaml says how many characters of a name and of a text fit on a card of each kind. "
    "The name and the text as they are printed are measured in every language: the text written by hand in the section "
    "cards, or the one that is made from the effect. A symbol counts as one sign, a tag as none.",
    example="# l10n/space.yaml of a package whose cards of the kind lamp have longer names\nlamp: {name: 3}\n",
    repair="Shorten the text, or raise the limit if the card has the room.",
    severity="warning",
)
