"""Remember answers with what they were computed from, and compute an answer again only when that has changed.

In: inputs that are set from outside, and queries: functions of the database and one key. Out: their answers. While a
query runs, whatever it asks is written down. A later question first looks whether anything of that has changed since;
if nothing has, the old answer stands without being computed. An answer that is computed again and comes out equal
counts as unchanged, so that those who asked for it are not computed again.

One thread, no clock, no order but that of the questions. A question that needs its own answer is a mistake of ours and
raises `Cycle`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from operator import eq
from typing import Any, Final, Generic, NoReturn, Protocol, TypeAlias, TypeVar

from grimoire.runtime.plain_data import Json

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")

MAX_ANSWERS: Final = 400_000  # beyond that, what was not asked for since the last look round is dropped


class Cycle(Exception):
    """A question needs its own answer."""


class Keep(Generic[K, V]):
    """How the answers to a question are kept between two runs: what they hang on, in a word, and how they are written
    as plain data.

    `decode` raises ValueError for what `encode` did not write. `shelf`: the answers that are kept together with this
    one; none: those of the whole package. `covers`: a shelf of answers that are not asked for when this one is known,
    and stay.
    """

    __slots__ = ("covers", "decode", "encode", "fingerprint", "shelf")

    def __init__(
        self,
        fingerprint: Callable[[Database, K], str],
        encode: Callable[[V], Json],
        decode: Callable[[Json], V],
        shelf: Callable[[Database, K], str] | None = None,
        covers: Callable[[Database, K], str] | None = None,
    ) -> None:
        self.fingerprint = fingerprint
        self.encode = encode
        self.decode = decode
        self.shelf = shelf
        self.covers = covers


class Store(Protocol):
    """Where answers are kept between two runs."""

    def get(self, name: str, fingerprint: str, shelf: str = "") -> Json: ...

    def put(self, name: str, fingerprint: str, value: Json, shelf: str = "") -> None: ...

    def retain(self, shelf: str) -> None: ...


class _Answer:
    """A remembered answer: since when it is what it is, when it was last found to hold, and what was asked for it."""

    __slots__ = ("asked", "changed", "held", "value")

    def __init__(self, value: _Value, revision: int, asked: tuple[_Question, ...]) -> None:
        self.value = value
        self.changed = revision
        self.held = revision
        self.asked = asked


# Questions of all types stand in one table; `ask` gives each its own again.
_Value: TypeAlias = Any
_Question: TypeAlias = tuple["Query[_Value, _Value]", Hashable]


class Query(Generic[K, V]):
    """A question that can be asked with a key.

    `same` says when two answers count as equal; `join` makes an answer of the old and the new one when they do not:
    the new one, with what is equal taken from the old one, so that it is the same object.
    """

    __slots__ = ("compute", "is_input", "join", "keep", "name", "same")

    def __init__(
        self,
        name: str,
        compute: Callable[[Database, K], V],
        same: Callable[[V, V], bool] = eq,
        join: Callable[[V, V], V] | None = None,
        *,
        keep: Keep[K, V] | None = None,
        is_input: bool = False,
    ) -> None:
        self.name = name
        self.keep = keep
        self.compute = compute
        self.same = same
        self.join = join
        self.is_input = is_input

    def __call__(self, db: Database, key: K) -> V:
        value: V = db.ask(self, key)
        return value

    def __repr__(self) -> str:
        return self.name


def query(compute: Callable[[Database, K], V]) -> Query[K, V]:
    """Make a question of a function; equal answers are equal values."""
    return Query(compute.__name__, compute)


def kept_query(
    fingerprint: Callable[[Database, K], str],
    encode: Callable[[V], Json],
    decode: Callable[[Json], V],
    shelf: Callable[[Database, K], str] | None = None,
    covers: Callable[[Database, K], str] | None = None,
) -> Callable[[Callable[[Database, K], V]], Query[K, V]]:
    """Make a question of a function whose answers are kept between two runs."""
    keep = Keep(fingerprint, encode, decode, shelf, covers)
    return lambda compute: Query(compute.__name__, compute, keep=keep)


def fresh_query(compute: Callable[[Database, K], V]) -> Query[K, V]:
    """Make a question of a function whose answers are too large to compare: each is new."""
    return Query(compute.__name__, compute, lambda one, other: one is other)


class Input(Query[K, V]):
    """What comes from outside. What was not set is looked up once, by `load`, and holds until it is set."""

    __slots__ = ()

    def __init__(self, name: str, load: Callable[[Database, K], V]) -> None:
        super().__init__(name, load, is_input=True)

    def set(self, db: Database, key: K, value: V) -> None:
        db.set_input(self, key, value)


_APART: Final = Query[None, None]("apart", lambda db, key: None)


class Database:
    """All answers of one workspace."""

    def __init__(self) -> None:
        self.revision = 1
        self.store: Store | None = None
        self.computed = 0  # how often a query was computed, for tests and measurements
        self._answers: dict[_Question, _Answer] = {}
        self._asking: list[tuple[_Question, dict[_Question, None]]] = []
        self._open: set[_Question] = set()  # the questions among them
        self._looked = 1  # the revision of the last look round

    def __len__(self) -> int:
        return len(self._answers)

    def ask(self, query: Query[K, V], key: K) -> V:
        question = (query, key)
        if self._asking:
            self._asking[-1][1][question] = None
        answer = self._answers.get(question)
        if answer is None or answer.held != self.revision:
            answer = self._refresh(question, answer)
        value: V = answer.value
        return value

    def set_input(self, query: Query[K, V], key: K, value: V) -> None:
        """Tell what an input is now. An equal value changes nothing."""
        assert query.is_input and not self._asking
        question = (query, key)
        answer = self._answers.get(question)
        if answer is not None and query.same(answer.value, value):
            return
        self.revision += 1
        self._answers[question] = _Answer(value, self.revision, ())

    def inputs(self, query: Query[K, V]) -> list[K]:
        """The keys of an input that somebody asked for, or that were set."""
        keys: list[_Value] = [key for asked, key in self._answers if asked is query]
        return keys

    def drop_unasked(self) -> None:
        """Drop what nobody has asked for since the call before the last: names that are gone, texts that were
        replaced."""
        before, self._looked = self._looked, self.revision
        if before != self.revision:
            kept = {q: a for q, a in self._answers.items() if a.held >= before or q[0].is_input}
            self._answers = kept

    @contextmanager
    def apart(self) -> Iterator[None]:
        """What is asked in here is not written down: for an answer that has asked for a word which says all that it
        hangs on."""
        self._asking.append(((_APART, None), {}))
        try:
            yield
        finally:
            self._asking.pop()

    # ------------------------------------------------------------ inside

    def _refresh(self, question: _Question, answer: _Answer | None) -> _Answer:
        """Bring an answer up to date."""
        query = question[0]
        if answer is not None:
            if query.is_input or not self._has_changed(answer):
                answer.held = self.revision
                return answer
        elif len(self._answers) > MAX_ANSWERS and not self._asking:
            self.drop_unasked()
        value, asked = self._compute(question)
        if answer is not None and query.same(answer.value, value):
            answer.held, answer.asked = self.revision, asked
            return answer
        if answer is not None and query.join is not None:
            value = query.join(answer.value, value)
        made = self._answers[question] = _Answer(value, self.revision, asked)
        return made

    def _has_changed(self, answer: _Answer) -> bool:
        """Whether something that was asked for has changed since the answer was last found to hold.

        In the order in which it was asked: what was asked later may have been asked because of what came before.
        """
        held, revision, answers = answer.held, self.revision, self._answers
        for question in answer.asked:
            below = answers.get(question)
            if below is None or below.held != revision:
                below = self._refresh(question, below)
            if below.changed > held:
                return True
        return False

    def _compute(self, question: _Question) -> tuple[_Value, tuple[_Question, ...]]:
        if question in self._open:
            self._report_cycle(question)
        asked: dict[_Question, None] = {}
        self._asking.append((question, asked))
        self._open.add(question)
        try:
            value = self._ask_kept(question)
        finally:
            self._asking.pop()
            self._open.discard(question)
        return value, tuple(asked)

    def _ask_kept(self, question: _Question) -> _Value:
        """The answer that an earlier run kept for the same fingerprint, or a new one."""
        query, key = question
        keep, store = query.keep, self.store
        if keep is None or store is None:
            self.computed += 1
            return query.compute(self, key)
        name, fingerprint = f"{query.name} {key!r}", keep.fingerprint(self, key)
        shelf = "" if keep.shelf is None else keep.shelf(self, key)
        data = store.get(name, fingerprint, shelf)
        if data is not None:
            try:
                value = keep.decode(data)
            except (ValueError, TypeError, KeyError, IndexError):
                pass  # another version wrote it
            else:
                if keep.covers is not None:
                    store.retain(keep.covers(self, key))
                return value
        self.computed += 1
        value = query.compute(self, key)
        store.put(name, fingerprint, keep.encode(value), shelf)
        return value

    def _report_cycle(self, question: _Question) -> NoReturn:
        names = [f"{query.name}({key!r})" for (query, key), _ in self._asking]
        raise Cycle(" -> ".join([*names, f"{question[0].name}({question[1]!r})"]))
