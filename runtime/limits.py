"""Every limit of the runtime, in one table: what one decision may cost, how large a program may grow, how deep things
may lie.

Work is counted in **units**: a unit is about one node of the rules looked at. How many units a form takes is worked out
when a program is built (``sizes``); while a game is played, calls, rounds of loops and lists are charged with what lies
inside them. Limits are chosen so that the heaviest decision of the packages in ``content/`` stays below a twentieth;
`docs/design/core.md` has the figures.
"""

from __future__ import annotations

from typing import Final

# -- one decision, or one question to a game

MAX_WORK: Final = 20_000_000  # units: a breach comes within about 2 seconds of one core
MAX_DEPTH: Final = 600  # frames that run inside each other
MAX_FLOATS: Final = 2_000  # floating effects in force at a time
MAX_TRIES: Final = 4_000  # decisions tried for one cost; what is not found by then counts as impossible
MAX_RANGE: Final = 100_000  # numbers in a range
MAX_BITS: Final = 200  # bits of a number
MAX_ELEMENT: Final = 100_000  # the largest element of a set: sets are masks
MAX_DECISIONS: Final = 20_000  # decisions of one game in bulk play

# -- a program and its artefact

MAX_SIZE: Final = 1_000_000  # units of one form or procedure with all that is written out in it
MAX_INLINE: Final = 2_000  # statements that writing one procedure into all its callers may add
MAX_HIDDEN: Final = 50_000  # slots that writing one procedure into all its callers may add
MAX_NESTING: Final = 120  # forms inside each other in an artefact
MAX_PIECES: Final = 100_000  # pieces, all copies counted
MAX_INSTANCES: Final = 50_000  # abilities and modifiers, each counted once for every piece that bears it
MAX_ABILITIES: Final = 20_000  # rows of abilities: which of them touch each other is a table
MAX_CELLS: Final = 20_000_000  # of a table of distances: spaces times (spaces + neighbours)

# -- what things cost, in units

SMALL: Final = 1_600  # a list that can never cost more is counted with what lies around it, not while the game runs
EXACT: Final = 20_000  # the same for a list whose length is known when the program is built
STEP: Final = 8  # a statement: it may write, and what is written stays on the trail
MOVE: Final = 16  # a piece that is moved, besides the statement: a decision that is taken back moves it again
EVENT: Final = 35  # a line of the log for an event, for each reader who may know less than others, and each argument
OPTION: Final = 100  # an option of a menu: it gets a key and a label
LISTENER: Final = 10  # an ability or a modifier looked at, besides its condition
GRANT: Final = 100  # a floating effect put in force
TRY: Final = 60  # a trial of a cost, besides what is copied for it
ROOMY: Final = 4_096  # slots, or elements of a list, that are copied for nothing
WORD: Final = 7  # a set takes a unit for so many doublings of elements: 128 to a unit
