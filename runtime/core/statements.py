"""The statements of the core."""

from __future__ import annotations

from typing import Literal

from grimoire.runtime.core.records import (
    AbilityRow,
    ColumnRow,
    Expression,
    ModifierRow,
    Outer,
    Procedure,
    ProcedureOrNone,
    Selector,
    Sort,
    Statement,
    Variable,
    Written,
    form,
    row,
)


@row
class Domain:
    """A value that an option of a menu goes over."""

    slot: Written
    sort: Sort
    in_: Selector


@row
class Entry:
    """An entry of a menu: offered if its guard holds, once for all combinations of its domains."""

    id: str
    guard: Expression | None
    domains: tuple[Domain, ...]
    body: Statement | None


@form("seq")
class Sequence(Statement):
    """in order"""

    body: tuple[Statement, ...]


@form("let")
class Let(Statement):
    """writes a slot"""

    slot: Written
    value: Expression


@form("setvar")
class SetVariable(Statement):
    """writes a variable, within its bounds"""

    var: Variable
    value: Expression


@form("setcol")
class SetColumn(Statement):
    """writes a column of an object, within its bounds"""

    col: ColumnRow
    of: Expression
    value: Expression


@form("setting")
class SetSetting(Statement):
    """writes a slot of the nearest running frame of a procedure"""

    proc: Procedure
    slot: Outer
    value: Expression


@form("move")
class Move(Statement):
    """moves one piece; of or to -1 nothing happens, and a cost is not paid; `seen` says who knows it afterwards:
    `zone` adds those that see into the zone (where the top is seen: at rest)"""

    piece: Expression
    to: Expression
    where: Literal["top", "bottom"] | None = None
    seen: Literal["zone", "none", "all", "keep"] | None = None


@form("shuffle")
class Shuffle(Statement):
    """random order; knowledge falls back to those that see into the zone"""

    zone: Expression


@form("random")
class ChooseAtRandom(Statement):
    """one element at random; of nothing: -1"""

    slot: Written
    from_: Selector


@form("look")
class Look(Statement):
    """those seats now know those pieces"""

    who: Expression
    what: Expression


@form("if")
class If(Statement):
    """one or the other"""

    cond: Expression
    then: Statement
    else_: Statement | None = None


@form("foreach")
class ForEach(Statement):
    """over the list as it was at the start; `stop` leaves it"""

    slot: Written
    in_: Selector
    body: Statement


@form("repeat")
class Repeat(Statement):
    """so many times, looked at once; without a number until `stop`, `leave` or the end of the game"""

    body: Statement
    times: Expression | None = None


@form("stop")
class Stop(Statement):
    """leaves the innermost loop"""


@form("again")
class Again(Statement):
    """goes on with the next round of the innermost loop"""


@form("return")
class Return(Statement):
    """leaves the procedure with a result"""

    value: Expression | None = None


@form("leave")
class Leave(Statement):
    """unwinds to the nearest running frame of a procedure, which returns with the value"""

    proc: Procedure
    value: Expression | None = None


@form("menu")
class Menu(Statement):
    """one decision among entries; a seat without options is asked all the same where `might` holds"""

    seat: Expression
    label: str
    entries: tuple[Entry, ...]
    otherwise: Statement | None = None
    might: Expression | None = None


@form("choose")
class Choose(Statement):
    """one element after the other into the mask of a slot; `done` is offered from `low` on, and it ends by itself
    at `high` or when nothing is left; the finished set must meet the constraint, and only steps that can still
    reach it are offered; `might`: how many elements there could be by what everybody can see: with more than are
    chosen, `done` is asked for though nothing is left"""

    seat: Expression
    label: str
    slot: Written
    sort: Sort
    in_: Selector
    low: Expression
    high: Expression
    constraint: Expression | None = None
    might: Expression | None = None


@form("do")
class Propose(Statement):
    """proposes an event; `ok`: 1 if it happened; `result`: what it returned"""

    verb: Procedure
    you: Expression
    args: tuple[Expression, ...]
    ok: Written | None = None
    result: Written | None = None


@form("call")
class Call(Statement):
    """runs a procedure without windows"""

    proc: Procedure
    you: Expression
    args: tuple[Expression, ...]
    result: Written | None = None


@form("program")
class RunProgram(Statement):
    """runs a definition's program of that name, with the piece in slot 1; nothing if it has none"""

    piece: Expression
    name: str
    you: Expression
    result: Written | None = None


@form("pay")
class Pay(Statement):
    """if the cost can be paid in full, it is paid and `then` follows; otherwise `else`"""

    cost: Statement
    then: Statement
    else_: Statement | None = None


@form("cancel")
class Cancel(Statement):
    """in a `before` or `instead` ability: the event does not happen"""


@form("setarg")
class SetArgument(Statement):
    """changes what the event heard is done with"""

    arg: int
    value: Expression


@form("setresult")
class SetResult(Statement):
    """changes what the event heard gives"""

    value: Expression


@form("grant")
class Grant(Statement):
    """floating effects owned by `you`, gone when the running frame of `until` ends"""

    abilities: tuple[AbilityRow, ...]
    modifiers: tuple[ModifierRow, ...]
    until: ProcedureOrNone
    captures: tuple[Expression, ...]


@form("poll")
class Poll(Statement):
    """every seat of the mask answers the menu, with that seat in the slot; unseen by the others until all have"""

    seats: Expression
    slot: Written
    menu: Menu


@form("end")
class EndGame(Statement):
    """the game is over"""

    outcome: str
    winners: Expression
