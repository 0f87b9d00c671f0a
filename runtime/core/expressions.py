"""The expressions of the core. Every value is a whole number; -1 is nothing; a set is a mask over one sort."""

from __future__ import annotations

from typing import Literal

from grimoire.runtime.core.records import (
    Bound,
    ColumnRow,
    DefinitionRow,
    Expression,
    FunctionRow,
    Kind,
    OptionId,
    Outer,
    Place,
    Procedure,
    Read,
    RelationRow,
    Selector,
    Sort,
    Statement,
    Variable,
    ZoneRow,
    form,
)


@form("int")
class Number(Expression):
    """a constant"""

    value: int


@form("slot")
class Slot(Expression):
    """what a slot of the running window holds"""

    slot: Read


@form("var")
class ReadVariable(Expression):
    """what a variable holds"""

    variable: Variable


@form("col")
class ReadColumn(Expression):
    """what a column holds for an object; of -1: -1"""

    column: ColumnRow
    of: Expression


@form("attr")
class ReadModified(Expression):
    """a column with the continuous modifiers applied: set-to, then add, then the column's bounds"""

    column: ColumnRow
    of: Expression


@form("fn")
class CallFunction(Expression):
    """the value of a pure function"""

    function: FunctionRow
    you: Expression
    arguments: tuple[Expression, ...]


@form("+", "-", "*", "//", "min", "max")
class Arithmetic(Expression):
    """arithmetic; `//` rounds down, by zero it is 0"""

    op: Literal["+", "-", "*", "//", "min", "max"]
    left: Expression
    right: Expression


@form("==", "!=", "<", "<=", ">", ">=")
class Comparison(Expression):
    """a flag"""

    op: Literal["==", "!=", "<", "<=", ">", ">="]
    left: Expression
    right: Expression


@form("and")
class And(Expression):
    """whether all hold; looked at from the left, up to the first that does not"""

    conditions: tuple[Expression, ...]


@form("or")
class Or(Expression):
    """whether one holds; looked at from the left, up to the first that does"""

    conditions: tuple[Expression, ...]


@form("not")
class Not(Expression):
    """whether it does not hold"""

    condition: Expression


@form("if")
class Conditional(Expression):
    """the second part if the first holds, else the third"""

    condition: Expression
    then: Expression
    otherwise: Expression


@form("at")
class Placed(Expression):
    """the expression, with its place in the source: kept for why-not, dropped on the hot path"""

    place: Place
    value: Expression


@form("set")
class SetOf(Expression):
    """the set of what is selected"""

    selector: Selector


@form("one")
class FirstOf(Expression):
    """the first that is selected, or -1"""

    selector: Selector


@form("count")
class CountOf(Expression):
    """how many are selected"""

    selector: Selector


@form("any")
class AnyOf(Expression):
    """whether any is selected"""

    selector: Selector


@form("all")
class AllOf(Expression):
    """whether the condition holds for all that are selected; for nothing: 1"""

    selector: Selector
    element: Bound
    condition: Expression


@form("sum", "maxof", "minof", "distinct")
class Aggregate(Expression):
    """the sum, largest, smallest or number of different values over what is selected; over nothing: 0"""

    op: Literal["sum", "maxof", "minof", "distinct"]
    selector: Selector
    element: Bound
    value: Expression


@form("bit")
class SetWith(Expression):
    """the set with one member; of -1: the empty set"""

    member: Expression


@form("has")
class Contains(Expression):
    """whether a set has a member"""

    members: Expression
    member: Expression


@form("union", "inter", "minus")
class SetArithmetic(Expression):
    """what is in either set, in both, or in the first alone"""

    op: Literal["union", "inter", "minus"]
    left: Expression
    right: Expression


@form("size")
class SizeOfSet(Expression):
    """how many members a set has"""

    members: Expression


@form("first")
class FirstOfSet(Expression):
    """the lowest member of a set, or -1; not for pieces, whose numbers are nobody's to see"""

    members: Expression


@form("zone")
class Zone(Expression):
    """a zone"""

    zone: ZoneRow


@form("zfam")
class ZoneOfSeat(Expression):
    """a seat's zone of a family"""

    zone: ZoneRow
    seat: Expression


@form("zfix")
class ZoneOfFixture(Expression):
    """the zone of a fixture that holds pieces"""

    fixture: Expression


@form("where")
class ZoneOfPiece(Expression):
    """the zone in which a piece lies, or -1"""

    piece: Expression


@form("fixof")
class FixtureOfZone(Expression):
    """the fixture whose zone it is, or -1"""

    zone: Expression


@form("holder")
class HolderOfZone(Expression):
    """the seat whose zone it is, or -1"""

    zone: Expression


@form("height")
class HeightOfZone(Expression):
    """how many pieces lie in a zone"""

    zone: Expression


@form("top")
class TopOfZone(Expression):
    """the top piece of a zone, or -1"""

    zone: Expression


@form("iskind")
class IsKind(Expression):
    """whether an object is of a kind, or of one below it"""

    sort: Sort
    kind: Kind
    of: Expression


@form("isdef")
class IsDefinition(Expression):
    """whether a piece is a copy of a definition"""

    definition: DefinitionRow
    piece: Expression


@form("defof")
class DefinitionOf(Expression):
    """the definition of a piece"""

    piece: Expression


@form("knows")
class Knows(Expression):
    """whether the seat knows which piece this is"""

    seat: Expression
    piece: Expression


@form("fits")
class FitsZone(Expression):
    """whether a piece may lie in a zone: it is of the kind that the zone names, if it names one"""

    zone: Expression
    piece: Expression


@form("next")
class NextSeat(Expression):
    """the seat so many steps on in turn order"""

    seat: Expression
    steps: Expression


@form("seatcount")
class SeatCount(Expression):
    """how many seats there are"""


@form("dist")
class Distance(Expression):
    """steps of a relation between two fixtures, or 9999"""

    relation: RelationRow
    start: Expression
    end: Expression


@form("setting")
class ReadSetting(Expression):
    """a slot of the nearest running frame of a procedure, or -1"""

    procedure: Procedure
    slot: Outer


@form("running")
class IsRunning(Expression):
    """whether a frame of a procedure is running"""

    procedure: Procedure


@form("arg")
class EventArgument(Expression):
    """in an ability: a slot of the event that it hears; 0 is who acts"""

    slot: int


@form("result")
class EventResult(Expression):
    """in an ability: the result of the event that it hears"""


@form("this")
class ThisPiece(Expression):
    """in an ability or a definition's program: the piece that bears it (slot 1), else -1"""


@form("allowed")
class IsAllowed(Expression):
    """whether no `cannot` ability forbids that event"""

    verb: Procedure
    you: Expression
    arguments: tuple[Expression, ...]


@form("can")
class CanCarryOut(Expression):
    """whether the statement, run now, could be carried out in full"""

    statement: Statement


@form("option")
class OptionValue(Expression):
    """the value of an option of the game: flag 0 or 1, choice: its number"""

    option: OptionId
