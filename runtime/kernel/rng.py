"""Random numbers: counted blake2b streams, so that the whole state of a stream is one int."""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING, Final, TypeVar

if TYPE_CHECKING:
    from mypy_extensions import i64

T = TypeVar("T")  # what is moved and not looked at: compiled, a number is not unpacked

_SALT: Final = (1 << 128) - 1
_HASH: Final = blake2b  # compiled code finds a constant sooner than a global name
_FIRST: Final = bytes(8)  # the number of the block that most games do with
_PLAIN: Final = 1 << 60  # seeds below it need no arithmetic with numbers of many digits


def stream_key(name: str) -> bytes:
    """The key of all streams of a package: its id, not its hash, so that a later version can replay old decisions."""
    return blake2b(name.encode("utf-8"), digest_size=32).digest()


def salt(seed: int) -> bytes:
    """A seed as the end of a stream: modulo 2**128."""
    return (seed if 0 <= seed < _PLAIN else seed & _SALT).to_bytes(16, "little")


def stream(key: bytes, seed: int) -> bytes:
    """A stream: its key and the seed."""
    return key + salt(seed)


def mixing(of: bytes) -> bytes:
    """The stream beside one that zones without an order are mixed from: so nothing else that is random depends on
    how often that happens."""
    return of + b"mix"


def block(of: bytes, number: int) -> bytes:
    """Sixteen 32-bit words, least byte first: block ``number`` of a stream. Most games need a few words of a block, so
    it stays bytes."""
    return _HASH(of + (_FIRST if number == 0 else number.to_bytes(8, "little"))).digest()


def word(words: bytes, at: i64) -> i64:
    """Word ``at`` of a block."""
    first = at << 2
    return words[first] | words[first + 1] << 8 | words[first + 2] << 16 | words[first + 3] << 24


class Words:
    """The 32-bit words of a stream, by number; the block that was read last is kept."""

    __slots__ = ("block", "number", "of")

    def __init__(self, of: bytes, source: Words | None) -> None:
        self.of = of
        self.block: bytes = b"" if source is None else source.block
        self.number: i64 = -1 if source is None else source.number

    def restart(self, of: bytes) -> None:
        """Read another stream."""
        self.of = of
        self.number = -1

    def below(self, at: int, n: int) -> int:
        """A number 0 .. n-1, from word ``at``."""
        number: i64 = at >> 4
        if number != self.number:
            self.block = block(self.of, number)
            self.number = number
        return (word(self.block, at & 15) * n) >> 32

    def shuffle(self, items: list[T], first: int) -> None:
        """Put the items into random order, in place, with one word less than there are items, from word ``first``."""
        number: i64 = first >> 4
        words = self.block if number == self.number else block(self.of, number)
        at: i64 = first & 15
        for i in range(len(items) - 1, 0, -1):
            if at == 16:
                number += 1
                words = block(self.of, number)
                at = 0
            j = (word(words, at) * (i + 1)) >> 32
            at += 1
            item = items[i]
            items[i] = items[j]
            items[j] = item
        self.block = words
        self.number = number


class Dice:
    """A stream outside the state of a game, for bots and for tools."""

    __slots__ = ("_at", "_number", "_stream", "_words")

    def __init__(self, seed: int, name: str = "dice") -> None:
        self._stream = stream(stream_key(name), seed)
        self._number = 0
        self._at = 16
        self._words = b""

    def below(self, n: int) -> int:
        """A number 0 .. n-1."""
        at = self._at
        if at == 16:
            self._words = block(self._stream, self._number)
            self._number += 1
            at = 0
        self._at = at + 1
        return (word(self._words, at) * n) >> 32

    def shuffle(self, items: list[int]) -> None:
        """Put the items into random order, in place."""
        for i in range(len(items) - 1, 0, -1):
            j = self.below(i + 1)
            items[i], items[j] = items[j], items[i]
