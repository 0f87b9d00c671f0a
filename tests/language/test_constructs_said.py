"""Every construct of the language is worded in every language, and no two of them are said alike unless they mean the
same.

The families below have a sentence for every alternative of the grammar: a test counts what they and the examples of the
reference reach.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from grimoire.compiler.diagnostics.report import Diagnostics
from grimoire.compiler.localisation.languages import WORDED
from grimoire.compiler.localisation.text.inflect import MOODS, Grammar, Term, Verb
from grimoire.compiler.localisation.text.lexicon import Reader, load_grammar
from grimoire.compiler.localisation.text.patterns import Lexicon, Slot
from grimoire.compiler.localisation.text.sentences import Sayer
from grimoire.compiler.syntax import nodes as syntax
from grimoire.compiler.syntax.parse import ParseProblem, parse
from tests.language.test_wording import Everything, said, texts_of_the_reference

DETERMINERS = ("the", "a", "each", "all", "any", "another", "no", "both", "your", "its", "their", "this")
PREPOSITIONS = [
    "in",
    "into",
    "on",
    "onto",
    "to",
    "from",
    "of",
    "with",
    "at",
    "by",
    "for",
    "over",
    "under",
    "through",
    "toward",
    "along",
    "within",
    "adjacent to",
    "other than",
    "left of",
    "right of",
    "beside",
    "behind",
    "without",
    "against",
    "about",
    "around",
    "on top of",
    "at the bottom of",
]
COUNTS = (
    *("2 cards", "(the worth) cards", "1 to 2 cards", "2 or more cards", "up to 2 cards", "up to (the worth) cards"),
    *("any number of cards", "2 of the cards", "1 to 2 of the cards", "2 or more of the cards", "up to 2 of the cards"),
    *("(the worth) of the cards", "up to (the worth) of the cards", "any number of the cards", "each of the cards"),
    *("any of the cards", "all but 2 of the cards", "all but (the worth) of the cards", "all cards", "the top 2 cards"),
    *("the top (the worth) cards", "the leader's card", "[ace, king]", "the ace and the king", "the ace or the king"),
    *("the card face down", "the card face up", "3 cards", "the card", "another card", "the random card"),
)
RELATIVES = (
    *(f"whose worth {sign} 2" for sign in ("=", "!=", "<", "<=", ">", ">=")),
    *(
        "whose worth = lore",
        "whose worth = -2",
        "whose worth = (2 + 3)",
        "whose worth = the price",
        "whose owner = you",
    ),
    *("who is torn", "who is not torn", "that is in the deck", "that is not in the deck"),
    *("where (there is a page in it)", "where (there is no page in it)", "where (there is a page in its deck)"),
    *("where (there is no page in its deck)", "where (your coins = 2)", "where (it has a page)"),
    *("with the highest worth", "with the lowest worth", "with the most pages", "with the fewest pages"),
    *("with the highest pages", "with the lowest pages", "with the highest pages breaking ties by highest rank"),
    *("with the most pages breaking ties by lowest rank", "with the lowest worth breaking ties by highest rank"),
    *("with the highest worth breaking ties by highest rank", "with the lowest worth breaking ties by lowest rank"),
    *("with the most pages breaking ties by highest rank", "with the fewest pages breaking ties by highest rank"),
    *("nearest to the deck", "nearest to you", "nearest to the deck breaking ties by lowest rank"),
    *("first to the left of you", "first to the right of the leader"),
    *("whose worth > 2 and whose rank < 3", "who is torn and where (there is a page in it)"),
    *(f"with the lowest rank of those {more}" for more in ("with the highest worth", "with the lowest worth")),
    *(f"nearest to the deck of those {more}" for more in ("with the most pages", "with the fewest pages")),
    *("with the lowest rank of those nearest to you", "with the lowest rank of those whose worth > 2"),
    "nearest to you of those with the lowest rank breaking ties by highest worth, then nearest to the deck",
    "with the lowest rank breaking ties by highest worth, then first to the left of you",
    "with the lowest rank breaking ties by nearest to the deck, then highest worth, then lowest worth",
    "with the lowest rank breaking ties by first to the left of you",
    "with the lowest rank breaking ties by first to the right of you, then first to the right of the leader",
)
EVENTS = (
    *("the card would be moved", "the player would draw the card", "the card is moved", "you draw the card"),
    *("the card is moved by the player", "the card or the page is moved", "the card or the page would be moved"),
    *("the card would be moved to the deck", "the card is moved to the deck"),
)
GATES = (
    *(
        "if your coins = 2",
        "otherwise",
        "otherwise if your coins = 2",
        "on 2",
        "on 2-3",
        "on 2 or more",
        "on 2 or less",
    ),
    *(
        "on good",
        "on good or bad",
        "on 2 or 5",
        "for each card as x",
        "for each of the cards as x",
        "while your coins = 2",
    ),
    *(
        "until the end of the turn",
        "until the start of the turn",
        "before you draw the card",
        "in turn from the player",
    ),
    *("at the same time", "secretly", "repeat", "repeat 2 times", "repeat (the worth) times", "repeat up to 2 times"),
    "repeat up to (the worth) times",
    "repeat until your coins = 2",
    "repeat that many times",
)
BLOCKS = (
    "may",
    "must",
    "the player may",
    "the player must",
    "draw the card to",
    "either",
    "or",
    "instead",
    "first able",
)
CLAUSES = (
    *(
        "rest",
        "may rest",
        "the player may rest",
        "the player must rest",
        "the player cannot rest",
        "a player cannot rest",
    ),
    *("the card cannot be moved", "a card cannot be moved", "the card cannot be moved to the deck"),
    *("the card cannot be moved by the player", "your coins is now 2", "your coins is now your coins + 2"),
    *("your coins is now your coins - 2", "your coins is now the worth", "your coins is now the worth + 2"),
    *("until the end of the turn, the card is now torn", "until the end of the turn, the card is now not torn"),
    *("the card is now torn", "the card is now not torn", "the card gets +2 worth", "the card gets -2 worth"),
    *("the card gets +(the coins) worth", "the card gets +2", "either rest or sleep", "require your coins = 2"),
    *("rest and sleep", "sleep and rest", "rest, then sleep", "rest; sleep", "rest\nsleep", "rest to sleep"),
    *("may rest to sleep", "rest if able", "rest instead", "draw the card if able", "draw the card instead"),
    *("draw the card as x\nmove the x to the deck", "draw the card\nmove the card to the deck"),
    *("either:\n  rest\nor:\n  sleep", "may:\n  either:\n    rest\n  or:\n    sleep"),
    *("the player may:\n  either:\n    rest\n  or:\n    sleep", "first able:\n  rest\n  sleep", "rest\nrest"),
    *("rest\nrest\nrest", "may rest and sleep", "may rest\nmay sleep", "the player must rest and sleep"),
    *("the player must rest\nsleep", "the player may rest and sleep", "move each card to the deck"),
    *("for each of the cards as x, move the x to the deck", "for each card as x:\n  may move the x to the deck"),
    *(
        "for each card as x, move the x to the deck of the x",
        "move the card with +2",
        "move the card with -2",
        "take a turn",
        "move the card with power 2",
        "move the card with power 2 and aid the good",
    ),
    *("draw the card twice", "draw the card 3 times", "draw the card 5 times", "draw the card (the worth) times"),
    *("draw the card until your coins = 2", "may draw the card until your coins = 2", "rest twice if able"),
    *("draw 2 cards, then draw that many pages", "draw 2 cards, then draw the page that many times"),
    *("draw 2 cards, then repeat that many times, rest", "draw 2 cards\nmove that many of the cards to the deck"),
    *("move each card to the deck in any order", "+1 action", "+2 actions", "-1 action", "+1 action and +2 coins"),
    *("the player may draw the card until your coins = 2", "the player must draw the card 5 times"),
)
DEEPER = (
    "if your coins = 2",
    "otherwise",
    "on 2",
    "on good",
    "for each card as x",
    "until the end of the turn",
    "repeat 2 times",
)
NESTED = (
    *(f"may:\n  work\n  {gate}:\n    rest\n    sleep\n    eat" for gate in DEEPER),
    *(f"may:\n  work\n  {gate}:\n    rest\n    sleep\n  eat" for gate in DEEPER),
    *(f"may:\n  work\n  {gate}, rest\n  sleep\n  eat" for gate in DEEPER),
    *(f"may:\n  work\n  {gate}:\n    rest\n    if your coins = 3, sleep\n  eat" for gate in DEEPER),
    *(
        "either:\n  rest\n  sleep\nor:\n  eat",
        "either:\n  rest\nor:\n  sleep\n  eat",
        "either:\n  rest\nor:\n  sleep\neat",
    ),
)
CONDITIONS = (
    *(f"your coins {sign} 2" for sign in ("=", "!=", "<", "<=", ">", ">=")),
    *(
        "the card is torn",
        "the card is not torn",
        "the card is a page",
        "the card is not a page",
        "the card is in the deck",
    ),
    *("the card is not in the deck", "the player has a card", "the player has no card", "the player has 2 cards"),
    *("there is a card", "there is no card", "there is a card in the deck", "there is no card in the deck", "you do"),
    *("you do not", "they do", "they do not", "not (you do)", "not your coins = 2", "(your coins = 2)"),
    *("your coins = 2 and your gems = 2", "your coins = 2 or your gems = 2", "there is 2 cards in the deck"),
    *("your coins = 2 and (your gems = 2 or your pages = 2)", "your coins = 2 and your gems = 2 or your pages = 2"),
    *("(your coins = 2 or your gems = 2) and your pages = 2", "not (your coins = 2 and your gems = 2)"),
    *(
        "not (your coins = 2) and your gems = 2",
        "there is 2 or more cards in the deck",
        "there is another card in the deck",
    ),
)
AMOUNTS = (
    *("2", "-2", "worth", "the worth of the card", "number of cards", "number of cards in the deck"),
    *("total worth of cards", "highest worth of cards", "lowest worth of cards", "different worth of cards"),
    *("2 + 3", "2 - 3", "2 * 3", "2 / 3", "2 + 3 * 4", "(2 + 3) * 4", "2 - (3 - 4)", "2 - 3 - 4", "2 / (3 / 4)"),
    *("2 / 3 / 4", "the lower of 2 and 3", "the higher of 2 and 3", "2 if your coins = 2, otherwise 3"),
    *("2 + (3 if your coins = 2, otherwise 4)", "(2 + 3) if your coins = 2, otherwise 4"),
    *("the lower of (2 + 3) and 4", "2 + (the lower of 3 and 4)", "(the lower of 2 and 3) + 4"),
    *("the lower of 2 and (3 + 4)", "2 if your coins = 2, otherwise (3 + 4)", "(2 if your coins = 2, otherwise 3) + 4"),
)
FAMILIES: dict[str, tuple[str, tuple[str, ...]]] = {
    "determiners": (
        "effect",
        (
            *(f"reveal {word} card{'s' if word in ('all', 'both') else ''}" for word in DETERMINERS),
            *(f"reveal {word}" for word in ("you", "it", "they", "this")),
        ),
    ),
    "prepositions behind a noun": ("selector", tuple(f"the card {word} the deck" for word in PREPOSITIONS)),
    "prepositions behind a verb": ("effect", tuple(f"move the card {word} the deck" for word in PREPOSITIONS)),
    "counts": ("effect", tuple(f"reveal {text}" for text in COUNTS)),
    "relatives": ("selector", tuple(f"a card {text}" for text in RELATIVES)),
    "windows": (
        "trigger",
        (
            *(f"{word} {event}" for word in ("before", "after", "when", "next time") for event in EVENTS),
            *("at the start of the turn", "at the end of the turn", "at any time", "as soon as your coins = 2"),
        ),
    ),
    "gates": (
        "effect",
        (
            *(f"{gate}, rest" for gate in GATES),
            *(f"{gate}:\n  rest\n  sleep" for gate in (*GATES, *BLOCKS)),
            *("may rest", "the player may rest", "the player must rest", "draw the card to rest"),
        ),
    ),
    "clauses": ("effect", CLAUSES),
    "steps in steps": ("effect", NESTED),
    "conditions": ("condition", CONDITIONS),
    "amounts": ("amount", AMOUNTS),
    "shared-limits": (
        "limit",
        ("once per turn for all players", "twice per game for all players", "3 times per turn for all players"),
    ),
    "limits": ("limit", ("once per turn", "twice per turn", "3 times per turn", "once per game")),
}
# What two sentences have in common where a language says them alike: they mean the same, or only one of them can be
# meant.
ALIKE = {
    ("the", "a"): "no articles: `the` of what was named before is said with a pronoun",
    ("its", "their"): "whose it is follows from what was spoken of, as in the effect",
    ("it", "they"): "one word for a player and a thing of that gender",
    ("into", "to"): "the same move",
    ("in", "at"): "the same place",
    ("onto", "by"): "`by` takes a number, `onto` a place",
    ("in", "from"): "what is in the deck is moved out of it",
    ("under", "at the bottom of"): "the same place",
    ("[ace, king]", "the ace and the king"): "both of them",
    ("would be", "is"): "before it is done",
}


# Frames that only say better what another says: without them that one is taken.
PLAINER = (
    *(
        "-block",
        "-any",
        "-alive",
        "-of",
        "-chosen",
        "grows",
        "shrinks",
        "twice",
        "thrice",
        "grouped-or",
        "on-name",
        "join-list",
    ),
)


def words(language: str) -> Lexicon:
    """A word for everything, every form of it different."""
    cases = load_grammar(language).cases
    reader = Reader(language, Diagnostics())

    def term(name: str) -> Term:
        return Term({number: tuple(f"{name}{number}{case}" for case in cases) for number in ("sg", "pl")})

    verbs = Everything(lambda name: Verb({mood: f"{name}.{mood}" for mood in MOODS}), reader.verbs)
    adjectives = Everything(lambda name: name, {})
    return Lexicon(Everything(term, reader.terms), verbs, adjectives, {"cards": "card", "pages": "page"})


def sentences() -> Iterator[tuple[str, str, Any]]:
    for start, texts in FAMILIES.values():
        for text in texts:
            yield start, text, parse(text, start)
    for text in texts_of_the_reference():
        for start in ("effect", "trigger", "condition", "amount", "selector", "limit"):
            try:
                yield start, text, parse(text, start)
                break
            except ParseProblem:
                continue


def nodes(node: Any) -> Iterator[Any]:
    if isinstance(node, tuple):
        yield node
        for part in node:
            yield from nodes(part)
    elif node is not None:
        yield node


def test_the_sentences_reach_every_node_and_word_of_the_grammar() -> None:
    seen = [part for _, _, node in sentences() for part in nodes(node)]
    classes = {
        item
        for item in vars(syntax).values()
        if isinstance(item, type) and issubclass(item, tuple) and item.__module__ == syntax.__name__
    }
    assert classes - {type(part) for part in seen} == set()
    assert {part.kind for part in seen if isinstance(part, syntax.Gate)} == {
        "if",
        "otherwise",
        "otherwise_if",
        "on",
        "each",
        "while",
        "until",
        "window",
        "in_turn",
        "at_once",
        "secretly",
        "repeat",
        "modal",
        "either",
        "or",
        "instead",
        "first_able",
        "pay",
    }
    assert {part.kind for part in seen if isinstance(part, syntax.Count)} == {
        "exactly",
        "between",
        "or_more",
        "up_to",
        "any",
        "all_but",
        "each",
    }
    assert {part.form for part in seen if isinstance(part, syntax.Outcome)} == {
        "name",
        "number",
        "range",
        "at_least",
        "at_most",
    }
    assert {(part.kind, part.event.form) for part in seen if isinstance(part, syntax.Window) and part.event} == {
        (kind, form)
        for kind in ("before", "after", "when", "next")
        for form in ("would_be", "would", "is_done", "you_do")
    }
    joints = {"AND_REL", "OF_THOSE"}
    prepositions = {part.prep.type for part in seen if isinstance(part, syntax.Phrase) and part.name is None} - joints
    assert len(prepositions) == len(PREPOSITIONS)


@pytest.mark.parametrize("language", WORDED)
def test_every_construct_has_wording(language: str) -> None:
    for start, text, node in sentences():
        sayer = Sayer(load_grammar(language), words(language), "card")
        spoken = said(sayer, start, node)
        assert sayer.missing == set(), text
        assert spoken and "<" not in spoken, (text, spoken)


def alike(first: str, second: str) -> bool:
    return any(
        first == second.replace(one, other) or second == first.replace(one, other)
        for pair in ALIKE
        if "would be" not in pair or first.startswith("before")
        for one, other in (pair, pair[::-1])
    )


def collisions(family: str, grammar: Grammar) -> Iterator[tuple[str, str, str]]:
    """Sentences of a family that are said alike and do not mean the same."""
    start, texts = FAMILIES[family]
    lexicon = words(grammar.language)
    known: dict[str, str] = {}
    for text in texts:
        spoken = said(Sayer(grammar, lexicon, "card"), start, parse(text, start))
        other = known.setdefault(spoken, text)
        if other != text and not alike(other, text):
            yield other, text, spoken


@pytest.mark.parametrize("language", WORDED)
@pytest.mark.parametrize("family", FAMILIES)
def test_no_two_constructs_are_said_alike(family: str, language: str) -> None:
    assert list(collisions(family, load_grammar(language))) == []


# Frames that a slip of the pen could make one: the family in which that must be noticed.
TWINS = {
    ("until-start", "until-end"): "gates",
    ("otherwise-if", "if"): "gates",
    ("repeat-up-to", "repeat-times"): "gates",
    ("when-would-be", "when-is-done"): "windows",
    ("after-would-be", "after-is-done"): "windows",
    ("next-is-done", "when-is-done"): "windows",
    ("at-start", "at-end"): "windows",
    ("with-highest", "with-most"): "relatives",
    ("with-lowest", "with-highest"): "relatives",
    ("whose-below", "whose-at-most"): "relatives",
    ("who-is-not", "who-is"): "relatives",
    ("up-to", "or-more"): "counts",
    ("part-up-to", "part-exactly"): "counts",
    ("is-below", "is-at-most"): "conditions",
    ("is-not", "is"): "conditions",
    ("you-did-not", "you-did"): "conditions",
    ("join-conditions-or", "join-conditions-and"): "conditions",
    ("sum-plus", "sum-minus"): "amounts",
    ("amount-highest", "amount-lowest"): "amounts",
    ("twice", "thrice"): "clauses",
    ("gets-more", "gets-less"): "clauses",
    ("grows", "shrinks"): "clauses",
    ("no-longer", "becomes"): "clauses",
    ("lasts-not", "lasts"): "clauses",
    ("next", "then"): "clauses",
    ("limit-once", "limit-twice"): "limits",
}


@pytest.mark.parametrize("language", WORDED)
@pytest.mark.parametrize("twins", TWINS, ids="-".join)
def test_two_frames_that_become_one_are_noticed(twins: tuple[str, str], language: str) -> None:
    tables = load_grammar(language).tables
    frames = {**tables["frames"], twins[0]: tables["frames"][twins[1]]}
    assert list(collisions(TWINS[twins], Grammar({**tables, "frames": frames})))


class Watched(Sayer):
    """A sayer that notes which frames it needs."""

    asked: set[str]

    def frame(self, name: str, /, **slots: Slot) -> str:
        self.asked.add(name)
        return super().frame(name, **slots)


@pytest.mark.parametrize("language", WORDED)
def test_a_frame_without_a_wording_is_found(language: str) -> None:
    """Take the frames out one by one: it is reported, or there is a plainer frame that says the same, never nothing."""
    tables, lexicon = load_grammar(language).tables, words(language)
    needed: dict[str, list[tuple[str, Any]]] = {}
    for start, _, node in sentences():
        sayer = Watched(load_grammar(language), lexicon, "card")
        sayer.asked = set()
        said(sayer, start, node)
        for name in sayer.asked:
            needed.setdefault(name, []).append((start, node))
    assert len(needed) > 150
    unnoticed = set()
    for name, rows in needed.items():
        frames = {key: pattern for key, pattern in tables["frames"].items() if key != name}
        for start, node in rows[:3]:
            sayer = Sayer(Grammar({**tables, "frames": frames}), lexicon, "card")
            said(sayer, start, node)
            if ("frame", name) not in sayer.missing:
                unnoticed.add(name)
    assert {name for name in unnoticed if not name.endswith(PLAINER) and "." not in name} == set()


@pytest.mark.parametrize("language", WORDED)
def test_a_table_without_wordings_is_found(language: str) -> None:
    """Without a whole section, whatever a sentence needs of it is reported."""
    tables = load_grammar(language).tables
    for section in ("frames", "determiners", "pronouns", "prepositions"):
        bare = Grammar({**tables, section: {}})
        found: set[tuple[str, str]] = set()
        for start, _, node in sentences():
            sayer = Sayer(bare, words(language), "card")
            said(sayer, start, node)
            found |= sayer.missing
        named = {name for sort, name in found if sort == ("preposition" if section == "prepositions" else "frame")}
        assert len(named) >= len(tables[section]) * 0.5, (section, sorted(named))
