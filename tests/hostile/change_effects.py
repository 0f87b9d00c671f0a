"""Changes of effect texts by their trees: what comes out is mostly a text that can be parsed, of the right sort or of a
wrong one.

A tree is printed by the printer of the package itself. A tree that no text has (a noun where a statement stands) is
printed as far as that goes, and else as its words.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from grimoire.compiler.api.formatting import _rewritten as rewritten
from grimoire.compiler.declare.model import Text
from grimoire.compiler.source.tree import Scalar
from grimoire.compiler.syntax import nodes as s
from grimoire.compiler.syntax.printer import print_node, print_part
from grimoire.compiler.syntax.tokens import Token

Path_ = tuple[int, ...]  # which part of which part ..
AMOUNTS = (s.Number, s.Bare, s.Read, s.NumberOf, s.Total, s.Binary, s.Paren, s.Extreme, s.Depends)
CONDITIONS = (s.Compare, s.Is, s.Has, s.There, s.Did, s.Not, s.Grouped, s.And, s.Or)
STATEMENTS = (s.Act, s.Cannot, s.CannotBe, s.Assign, s.Gets, s.Either, s.Require, s.Together, s.Then, s.Pay, s.Gated)
NUMBERS = ("0", "1", "2", "7", "99", "4096", "1000000", str(2**64), "9" * 5000)


class Trees:
    """The effect texts of a package by file, and everything that stands in them, by sort."""

    def __init__(self, texts: list[Text]) -> None:
        self.by_file: dict[str, list[Text]] = {}
        self.parts: dict[str, list[Any]] = {}  # by class of the node, or sort of the token
        for text in texts:
            if text.ok and text.node is not None:
                self.by_file.setdefault(Path(text.file).as_posix(), []).append(text)
                for _, part in walk(text.node):
                    self.parts.setdefault(sort_of(part), []).append(part)
        self.sorts = sorted(self.parts)
        self.gates = [part for part in self.parts.get("Gate", []) if part.kind not in ("either", "or", "on")]

    def like(self, part: Any, rng: random.Random) -> Any:
        """Something of the same sort."""
        return rng.choice(self.parts.get(sort_of(part)) or [part])

    def unlike(self, rng: random.Random) -> Any:
        """Something of any sort."""
        return rng.choice(self.parts[rng.choice(self.sorts)])


def sort_of(part: Any) -> str:
    return str(part.type) if isinstance(part, Token) else type(part).__name__


def walk(node: Any, path: Path_ = ()) -> Iterator[tuple[Path_, Any]]:
    """Every node and every token of a tree with the way to it."""
    if isinstance(node, tuple | Token):
        if isinstance(node, Token) or hasattr(node, "_fields"):
            yield path, node
        if isinstance(node, tuple):
            for at, part in enumerate(node):
                yield from walk(part, (*path, at))


def put(node: Any, path: Path_, new: Any) -> Any:
    """The tree with something else in one place."""
    if not path:
        return new
    at = path[0]
    parts = [*node[:at], put(node[at], path[1:], new), *node[at + 1 :]]
    return type(node)._make(parts) if hasattr(node, "_make") else tuple(parts)


def printed(node: Any) -> str:
    """The text of a tree, also of one that no text has."""
    for way in (print_node, print_part):
        try:
            text = way(node)
            if isinstance(text, str):
                return text
        except Exception:  # the printer may refuse what no parser gives
            continue
    try:
        return " ".join(str(token) for token in s.tokens(node))
    except RecursionError:  # deeper than any text
        return "(" * 400


def nested(node: Any, depth: int, trees: Trees, rng: random.Random) -> Any:
    """A node inside others of a sort that can stand in its place, as deep as that."""
    name = Token("NAME", "it")
    for _ in range(depth):
        if isinstance(node, AMOUNTS):
            node = rng.choice(
                (s.Paren(node), s.Binary(Token("PLUS", "+"), s.Number(Token("NUMBER", "1")), s.Paren(node)))
            )
        elif isinstance(node, CONDITIONS):
            node = rng.choice((s.Not(s.Grouped(node)), s.And(s.Grouped(node), s.Did(Token("DID", "you do"), False))))
        elif isinstance(node, STATEMENTS) and trees.gates:
            node = rng.choice(
                (s.Gated(rng.choice(trees.gates), node), s.Then(node, "then", node) if depth < 9 else node)
            )
        elif isinstance(node, s.Full):
            inner = s.Compare(
                s.NumberOf(Token("NUMBER_OF", "number of"), node), Token("COMPARE", ">"), s.Number(Token("NUMBER", "0"))
            )
            noun = s.Noun(
                Token("EACH", "each"), (trees.like(name, rng),), None, (), s.Where(Token("WHERE", "where"), inner)
            )
            node = s.Full(noun, ())
        else:
            return node
    return node


def change_tree(tree: Any, trees: Trees, rng: random.Random) -> Any:
    """One change somewhere in a tree."""
    places = list(walk(tree))
    path, part = rng.choice(places)
    match rng.randrange(9):
        case 0 | 1:
            return put(tree, path, trees.like(part, rng))
        case 2:
            return put(tree, path, trees.unlike(rng))
        case 3 | 4:  # a word: a noun, a verb, a number, a name that was bound
            words = [(path, part) for path, part in places if isinstance(part, Token)]
            if not words:
                return tree
            path, word = rng.choice(words)
            new = rng.choice(NUMBERS) if word.type == "NUMBER" and rng.random() < 0.5 else str(trees.like(word, rng))
            return put(tree, path, Token(word.type, new))
        case 5:  # something is left out
            if not path:
                return tree
            owner = at_path(tree, path[:-1])
            if hasattr(owner, "_fields"):
                return put(tree, path, None)
            return put(tree, path[:-1], (*owner[: path[-1]], *owner[path[-1] + 1 :]))
        case 6:  # something is said twice, or often
            rows = [(path, part) for path, part in places if path and not hasattr(at_path(tree, path[:-1]), "_fields")]
            if not rows:
                return tree
            path, part = rng.choice(rows)
            owner, at = at_path(tree, path[:-1]), path[-1]
            return put(tree, path[:-1], (*owner[:at], *[part] * rng.choice((2, 2, 3, 60)), *owner[at + 1 :]))
        case 7:  # a part of the tree inside another part of it
            return put(tree, path, rng.choice(places)[1])
        case _:
            sorts = (*AMOUNTS, *CONDITIONS, *STATEMENTS, s.Full)
            rows = [(path, part) for path, part in places if isinstance(part, sorts)]
            path, part = rng.choice(rows or places)
            return put(tree, path, nested(part, rng.choice((1, 2, 3, 8, 40, 180)), trees, rng))


def at_path(node: Any, path: Path_) -> Any:
    for at in path:
        node = node[at]
    return node


def change_effect(data: bytes, texts: list[Text], trees: Trees, rng: random.Random) -> bytes:
    """One effect text of a file, changed once or twice. The places of the texts must be those of these bytes."""
    text = rng.choice(texts)
    tree = text.node
    for _ in range(rng.choice((1, 1, 2))):
        tree = change_tree(tree, trees, rng)
    new = printed(tree) if rng.random() < 0.97 else printed(trees.unlike(rng))
    scalar: Scalar = text.scalar
    if "\n" in new and scalar.style in ("plain", "single", "folded"):
        new = " ".join(new.split("\n"))
    return rewritten(data.decode("utf-8"), [(scalar, new)]).encode("utf-8", "surrogatepass")
