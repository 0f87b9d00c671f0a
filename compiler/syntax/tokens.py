"""The token: a word or mark of an effect text that knows its sort and where it stands."""

from __future__ import annotations


class Token(str):
    """A text with a sort (a terminal of the grammar) and a place in the effect text; lines and columns count from 1.

    Two tokens are equal when sort and text are; a token equals a plain text that is the same.
    """

    __slots__ = ("column", "end_column", "end_line", "line", "type")

    type: str
    line: int | None
    column: int | None
    end_line: int | None
    end_column: int | None

    def __new__(
        cls,
        type: str,
        value: str = "",
        line: int | None = None,
        column: int | None = None,
        end_line: int | None = None,
        end_column: int | None = None,
    ) -> Token:
        made = super().__new__(cls, value)
        made.type = type
        made.line = line
        made.column = column
        made.end_line = end_line
        made.end_column = end_column
        return made

    @property
    def value(self) -> str:
        return str(self)

    def update(self, type: str | None = None, value: str | None = None) -> Token:
        """A token of another sort or text in the same place."""
        return Token.new_borrow_pos(self.type if type is None else type, str(self) if value is None else value, self)

    @classmethod
    def new_borrow_pos(cls, type: str, value: str, other: Token) -> Token:
        return cls(type, value, other.line, other.column, other.end_line, other.end_column)

    def __reduce__(self) -> tuple[object, ...]:
        return Token, (self.type, str(self), self.line, self.column, self.end_line, self.end_column)

    def __repr__(self) -> str:
        return f"Token({self.type!r}, {str(self)!r})"

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Token) and self.type != other.type:
            return False
        return str.__eq__(self, other)

    __hash__ = str.__hash__
