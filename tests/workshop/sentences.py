"""Random texts of the effect language: derivations of the grammar, filled with the words of a package."""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import Any

from lark import Lark
from lark.lexer import PatternStr

from grimoire.compiler.declare.model import PackageModel
from grimoire.compiler.syntax.parse import build_parser

# What the lexer makes of a word by its surroundings is written like this.
WRITTEN = {
    "TO": "to", "_TO_DO": "to", "TO_NUM": "to", "AND": "and", "_AND": "and", "AND_NP": "and", "AND_REL": "and", "TIE_THEN": "then", "AND_OF": "and", "AND_ARG": "and", "WITH_ARG": "with", "OR": "or", "OR_NP": "or",
    "THIS": "this", "THIS_DET": "this", "ON_PREP": "on", "PART_OF": "of", "_LPAR_AGAIN": "(", "_COMMA": ",", "_COLON": ":", "_SEMI": ";", "_LPAR": "(", "_RPAR": ")", "_LSQB": "[",
    "_RSQB": "]", "_NL": "\n", "_INDENT": "\x0e", "_DEDENT": "\x0f", "APOS": "'s", "CLAUSE": "§play.1",
}  # fmt: skip
NOUNS = frozenset(("noun", "noun_n", "counted", "owned", "measure_noun", "bare_noun", "g_each", "bare_item"))


class Sentences:
    """A source of random texts."""

    def __init__(self, model: PackageModel, seed: int, lark: Lark | None = None) -> None:
        self.random = random.Random(seed)
        made = lark or build_parser()
        self.rules: dict[str, list[Any]] = {}
        for rule in made.rules:
            self.rules.setdefault(rule.origin.name, []).append(rule)
        self.words: dict[str, list[str]] = {}
        for terminal in made.terminals:
            pattern = terminal.pattern
            if isinstance(pattern, PatternStr):
                self.words[terminal.name] = [pattern.value]
            elif pattern.value.startswith("(?:"):
                self.words[terminal.name] = [w.replace("\\", "") for w in pattern.value[3:-1].split("|")]
        kinds = model.kinds.values()
        verbs = [v for v in model.verbs.values() if not v.procedure]
        self.verbs = [v.id for v in verbs] + [
            "choose",
            "move",
            "shuffle",
            "swap",
            "look",
            "reveal",
            "take",
            "resolve",
            "end",
            "stop",
            "conclude",
            "prevent",
            "add",
            "remove",
        ]
        self.participles = [v.done for v in verbs if v.done]
        fields = [f for k in kinds for f in (*k.fields, *k.derived)]
        slots = [slot for k in kinds for slot in k.slots]
        procedures = [v.id for v in model.verbs.values() if v.procedure]
        self.fields = fields
        self.adjectives = [a for k in kinds for a in k.adjectives] + [
            "marked",
            "red",
            "top",
            "first",
            "random",
            "other",
            "damaged",
            "pier",
        ]
        self.nouns = [
            *(k.id for k in kinds), *(k.plural for k in kinds), *model.zones, *model.things, *model.definitions, *model.counters, *fields, *slots,
            *procedures, "opponent", "opponents", "number", "gift", "p1", "game", "result", "owner", "zone",
        ]  # fmt: skip
        self.nouns += [
            n for n in ("good", "goods", "player", "room", "boat", "hand", "deck", "coins") for _ in range(12)
        ]
        self.least = self._least()

    def _least(self) -> dict[str, int]:
        """The depth of the shallowest derivation of each symbol."""
        least: dict[str, int] = {}
        changed = True
        while changed:
            changed = False
            for name, rules in self.rules.items():
                for rule in rules:
                    depths = [least.get(part.name, -1) if not part.is_term else 0 for part in rule.expansion]
                    if -1 not in depths:
                        depth = 1 + max(depths, default=0)
                        if depth < least.get(name, 1_000):
                            least[name] = depth
                            changed = True
        return least

    def text(self, start: str, depth: int = 14) -> str:
        out: list[str] = []
        self._derive(start, start, depth, out)
        return _laid_out(out)

    def _derive(self, name: str, context: str, depth: int, out: list[str]) -> None:
        rules = self.rules[name]
        if depth <= self.least[name]:
            rules = [r for r in rules if self._depth(r) <= self.least[name]]
        rule = self.random.choice(rules)
        inner = rule.alias or (context if name.startswith("__") else name)
        first = True
        for part in rule.expansion:
            if part.is_term:
                out.append(self._word(part.name, inner, first))
                first = False
            else:
                self._derive(part.name, inner, depth - 1, out)

    def _depth(self, rule: Any) -> int:
        return 1 + max((0 if part.is_term else self.least[part.name] for part in rule.expansion), default=0)

    def _word(self, terminal: str, context: str, first: bool) -> str:
        pick = self.random.choice
        if terminal == "NAME":
            if context == "vp" and first:
                return pick(self.verbs)
            if context in ("cannot_be", "would_be", "is_done"):
                return pick(self.participles)
            if context in ("whose", "superlative", "total", "extreme", "different", "tie", "gets"):
                return pick(self.fields)
            if context == "bind" or (context == "bare" and self.random.random() < 0.3):
                return pick(["gift", "spot", "lot"])
            if context in ("p_words", "assign_not"):
                return pick(self.adjectives)
            if context in NOUNS and self.random.random() < 0.15:
                return pick(self.adjectives)
            return pick(self.nouns)
        if terminal in ("NUMBER", "NUMBER_AGAIN"):
            return str(self.random.randrange(4))
        if terminal == "RANGE":
            return pick(["1-2", "3-6", "6-1"])
        return WRITTEN.get(terminal) or pick(self.words[terminal])


def _laid_out(parts: Iterable[str]) -> str:
    lines: list[str] = []
    line: list[str] = []
    indent = 0
    for part in parts:
        if part == "\x0e":
            indent += 2
        elif part == "\x0f":
            indent -= 2
        elif part == "\n":
            lines.append(" " * indent + _spaced(line))
            line = []
        else:
            line.append(part)
    if line:
        lines.append(" " * indent + _spaced(line))
    return "\n".join(lines)


def _spaced(words: list[str]) -> str:
    text = " ".join(words)
    for mark in (",", ":", ";", ")", "]", "'s"):
        text = text.replace(f" {mark}", mark)
    return text.replace("( ", "(").replace("[ ", "[")


# Sentences that mostly make sense: for what is accepted and played. A word in <> is replaced by one of its lines; {} is
# an indented block.
SENSE: dict[str, list[str]] = {
    "text": ["<line>", "<line>\n<line>", "<line>\n<line>\n<line>"],
    "line": [
        "<act>", "<act>", "<act>, then <act>", "<act> and <act>", "may <act>", "may <act> to <act>", "may <act> and <act> to <act>", "<act> to <act>",
        "<seats> must <act>", "<seats> may <act>", "<seats> may <act> to <act>", "<seats> must <act> and <act>", "if <cond>, <act>",
        "if <cond>:{}\notherwise if <cond>, <act>\notherwise:{}", "either <act> or <act>", "either:{}\nor:{}", "may:{}", "<seats> must:{}", "<seats> may:{}",
        "first able:{}", "repeat <n> times, <act>", "repeat up to 3 times:{}", "for each <goods1> as ware:{}", "for each room as berth-of, <act>",
        "<act>\nif you do, <act>", "may <act>\nif you do not, <act>", "any player may <act>\nif they do, <act>", "roll\non 1-3, <act>\notherwise, <act>",
        "spin\non star or skull, <act>", "take a voyage with <n>\non won, <act>", "choose <pick> as lot\nmove the lot to <zone>",
        "choose any number of goods in your hand as lot\nrequire total worth of the lot <= <n>\nbundle the lot", "in turn from <seat>, each player must <act>",
        "at the same time, secretly, each player must:\n  choose a number from 0 to 2 as vote\n  their bid is now vote", "next time you rest, <act>",
        "until the end of the turn:\n  you cannot rest\n  each good gets +1 worth", "after <event>, <act>", "when <would>, <act> instead",
        "when <would>:\n  prevent it\n  <act>", "may choose <pick> as lot to move the lot to <zone>", "<flag>",
        "until the <edge> of <whose> turn:\n  you cannot rest\n  each good gets +1 worth\n  after <event>, <act>", "as soon as <cond>:{}", "as soon as <cond>, <act>",
        "at the <edge> of <whose> turn, <act>", "until the <edge> of <whose> turn:\n  as soon as <cond>, <act>\n  you get +1 fame",
    ],
    "edge": ["start", "end"],
    "whose": ["your", "your next", "the p2's next", "an opponent's", "the"],
    "act": [
        "gain <n> coins", "pay <n> coins", "gain (<amount>) coins", "lose <n> fuel", "draw <n> goods", "discard <goods>", "stamp <goods>", "wreck <rooms>",
        "mend <rooms>", "give <good> to <seat>", "give <good> to <seat> for <n>", "sail <boat> to <room>", "launch <boat>", "bundle <goods>", "scrap", "rest",
        "greet <seats>", "move <goods> to <zone>", "look at <goods>", "reveal <goods>", "shuffle the deck", "swap your hand with the hand of <seat>",
        "discard <goods> if able", "resolve the effect of the rope", "draw up to <n> goods", "take a turn", "move <boat> to <room>", "add <seats> to your friends",
    ],
    "flag": [
        "the tide is now <n>", "the leader is now <seat>", "<goods> is now marked", "<rooms> is now not damaged", "your coins is now <n>",
        "the coins of each player is now <n>", "the smoke of <one-room> is now <n>",
    ],
    "n": ["1", "2", "3", "(<amount>)"],
    "amount": [
        "your coins", "number of goods in your hand", "tide + 1", "total worth of goods in your hand", "highest berth of rooms", "2 * tide - 3", "your riches",
        "different colour of goods in the display", "3 if <cond>, otherwise 1", "the lower of your coins and <n>", "the higher of tide and (<amount>)",
    ],
    "goods": [
        "<good>", "each good in <place>", "2 goods in <place>", "up to 2 goods in <place>", "1 to 2 goods in <place>", "any number of goods in <place>",
        "all but 1 of the goods in <place>", "each marked good", "the top 2 goods of the deck", "each good in <place> whose worth >= <n>",
        "2 random goods in <place>", "each good in <place> with the highest worth breaking ties by lowest charge",
    ],
    "goods1": ["good in <place>", "marked good", "red good in <place>", "good whose worth = <n> in <place>"],
    "good": ["a good in <place>", "the lamp", "the top good of the deck", "a cheap good in <place>", "another good in <place>", "a random good in <place>"],
    "pick": ["a good in <place>", "2 goods in <place>", "up to 2 goods in <place>", "a random good in <place>"],
    "place": ["your hand", "the deck", "the display", "the heap", "the hand of <seat>"],
    "zone": ["your hand", "the deck", "the display", "the heap", "the shelf of <seat>", "your vault"],
    "seat": ["you", "the p2", "the player left of you", "the player with the highest coins"],
    "seats": ["each player", "each opponent", "the p2", "an opponent", "another player", "each rich player", "each player other than the p2"],
    "room": ["the quay", "a room", "a sound room", "the room nearest to the mole", "a room adjacent to the market", "a room other than the tower"],
    "one-room": ["the quay", "the tower"],
    "rooms": ["<room>", "each pier", "each room within 1 space of the mole", "each room where (there is a boat in it)", "2 rooms", "the quay and the tower"],
    "boat": ["the hulk", "a boat", "each boat", "a boat in a room", "a boat whose owner = you", "the boat with the highest size"],
    "cond": [
        "tide = 2", "you are rich", "there is a good in your hand", "there are 2 or more goods in <place>", "you have 2 or more goods", "the p2 has no goods",
        "the hulk is in <one-room>", "the leader is nobody", "each room is sound", "tide > 1 and you are not tired", "tide > 3 or not you are tired",
        "number of goods in <place> > tide", "a room is damaged", "the season is calm", "(<cond> or <cond>) and <cond>",
    ],
    "event": ["a good is discarded", "you rest", "a room is wrecked by an opponent", "a cheap good is given to you", "you gain 2 or more coins"],
    "would": ["a good would be discarded", "you would pay any coins", "the quay or the tower would be wrecked", "a player would rest"],
}  # fmt: skip


class Sense:
    """Random sentences that mostly make sense."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def text(self, depth: int = 5) -> str:
        return self._fill("<text>", depth)

    def _fill(self, source: str, depth: int) -> str:
        out = ""
        while source:
            if source.startswith("{}"):
                block = self._fill("<act>" if depth <= 0 else "<line>", depth - 1)
                out += "".join("\n  " + line for line in block.split("\n"))
                source = source[2:]
            elif source.startswith("<") and ">" in source and source[1:].split(">")[0] in SENSE:
                name, _, source = source[1:].partition(">")
                out += self._fill(self.random.choice(SENSE[name] if depth > 0 else SENSE[name][:3]), depth - 1)
            else:
                out += source[0]
                source = source[1:]
        return out
