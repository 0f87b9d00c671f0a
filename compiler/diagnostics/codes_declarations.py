"""Codes of the stages that read what a package declares: packages, the shape of declarations, the ledger of rules."""

from __future__ import annotations

from grimoire.compiler.diagnostics.codes import register_content

# --- G02xx packages ---------------------------------------------------------------------------------------------------

register_content(
    "G0218",
    "nothing-to-replace",
    "A card replaces one that does not exist",
    """Under replaces stand cards that change a card of this package or of one that it needs: an erratum, or an
    expansion that rewrites a card. There is no card of this name, so nothing would be changed.""",
    repair="Correct the spelling to that of the card meant, or declare the card under cards if it is new.",
    example="""
replaces:
  lanp:
    worth: 2
""",
)

register_content(
    "G0219",
    "no-game",
    "The package does not say how the game is played",
    """Play starts with the procedure called game: it sets up, lets the players take their turns and ends. No file
    of the package, nor of those it needs, declares it.""",
    repair="Add procedures: with an entry game that says what happens from the first moment to the last.",
    example="""
# file: actions.yaml
rules:
  turn:
    clauses:
      1: rule
verbs:
  draw:
    signature: draw <number> cards
    body: repeat (amount) times, move the top good of the deck to your hand
  discard:
    signature: discard <good>
    done: discarded
    body: move the good to the heap
  gain:
    signature: gain <number> coins
    body: your coins is now your coins + amount
procedures:
  turn: draw 1 card
""",
)


# --- G03xx shape of declarations --------------------------------------------------------------------------------------

register_content(
    "G0308",
    "bad-name",
    "A name is not written as names are",
    """Cards, kinds, zones, verbs and all other things that a package declares are named in one way, so that
    effects can speak of them: lower-case letters, digits and single hyphens, a letter first. What players read
    on the card is not this name but its wording in each language.""",
    repair="Write the name in lower case with hyphens between the words: deep-water, room-3.",
    example="""
counters:
  Deep_Water: number
""",
)

register_content(
    "G0309",
    "reserved-name",
    "A name is a word of the language",
    """Words such as you, it, nobody, game and number have a meaning of their own in every effect. A zone or a card
    of that name could never be spoken of.""",
    repair="Take another name, or add a word to it: nobody-zone, game-box.",
    example="""
zones:
  nobody: {holds: good}
""",
)

register_content(
    "G0310",
    "bad-declaration",
    "A declaration names a type, kind or word that there is not",
    """A declaration refers to a kind, to a type (number, flag, zone, a kind, set of KIND, optional KIND) or to one
    of a few fixed words (who sees a zone, the size of a grid), and what stands there is none of these. Kinds
    may stand in any order, but none is below itself.""",
    repair="Correct the spelling, or declare the kind above the place where it is used.",
    example="""
kinds:
  boat:
    is: figrue
""",
)

register_content(
    "G0311",
    "slots-clash",
    "Two slots of an ability exclude each other",
    """An ability either holds all the time (always) or answers an event (window and do, perhaps with a limit). It
    cannot be both at once.""",
    repair="Make two abilities of it, one with always and one with window and do.",
    example="""
abilities:
  fog:
    window: after you rest
    do: gain 1 coin
    always: you cannot rest
""",
)

register_content(
    "G0312",
    "bad-signature",
    "A verb's signature cannot be read",
    """A signature shows how the verb is written on a card: the verb itself, types in angle brackets, a noun behind
    a number, prepositions between the parts, and brackets round what may be left out. Each part needs a place
    of its own, so two of them cannot stand behind the same preposition or have the same name.""",
    repair="""Write it like one of these: mark <cell>; draw <number> cards; give <card> to <player> [for <number>]; duel
    <rival: player>.""",
    example="""
verbs:
  lend:
    signature: lend {good}
    body: rest
""",
)

register_content(
    "G0313",
    "board-too-large",
    "A board is empty or too large",
    "A grid has 1 to 26 columns, named a to z, and at most 4096 cells in all.",
    repair="Make the grid smaller, or list its spaces one by one under spaces.",
    example="""
boards:
  sea: {grid: 27 x 3, kind: square}
""",
)

register_content(
    "G0314",
    "unknown-setting",
    "`when` names an option, or a value of one, that there is not",
    """Spaces, boards, zones, things and cards may be there only with some values of the options of a game:
    `when: {scenario: [first-night, last-night]}`. The option stands under options, and has these values. To name all
    of them says nothing.""",
    repair="Correct the spelling, or declare the option, or the value, under options.",
    example="""
options:
  scenario: {values: [calm, storm], default: calm}
zones:
  wreckage: {holds: good, when: {scenario: strom}}
""",
)

register_content(
    "G0315",
    "never-together",
    "Two things that belong together are never there with one setting of the options",
    """A way joins two spaces that no setting of the options brings together, a card starts in a zone that is never
    there with it, or a space lies on a board or in a region that is never there when the space is. Nothing of that
    could ever be seen in a game.""",
    repair="Give them settings in common under `when`, or take one of them out.",
    example="""
options:
  scenario: {values: [calm, storm], default: calm}
boards:
  lagoons:
    kind: room
    spaces:
      lagoon: {when: {scenario: calm}}
      breakers: {when: {scenario: storm}, adjacent to: [lagoon]}
""",
)

register_content(
    "G0316",
    "not-connected",
    "A board that says that it is connected is not",
    """With `connected: true` every space of a board is reached from every other one, along ways in their direction,
    with each setting of the options. Here one is not.""",
    repair="Join the spaces (adjacent to, joins), or leave connected out.",
    example="""
boards:
  lagoons:
    kind: room
    connected: true
    spaces:
      lagoon: {}
      breakers: {}
""",
)

register_content(
    "G0317",
    "not-together",
    "A card has a part of what comes together",
    """A kind can say under together which of its fields and slots come together: a card has all of them or none. Here a
    card has one of them without the other.""",
    repair="Write the others as well, or leave this one out.",
    example="""
kinds:
  charm:
    is: card
    fields: {threshold: optional number}
    slots: {blessing: effect}
    together: [threshold, blessing]
cards:
  rabbit-foot: {kind: charm, threshold: 3}
""",
)

register_content(
    "G0320",
    "no-copies",
    "A card has no copies",
    """copies says how many of a card are in the game. A card of which there is none, or less than none, is not in
    the game at all, and nothing could ever find it.""",
    repair="Write 1 or more, leave copies out for a single card, or take the card out.",
    example="""
cards:
  oar: {kind: good, worth: 1, copies: 0}
""",
)


# --- G08xx rules ledger -----------------------------------------------------------------------------------------------

register_content(
    "G0801",
    "unknown-clause",
    "A clause is not in the ledger",
    """A clause key names a numbered statement of the rulebook, so that every rule can be traced to what carries it
    out. The ledger under rules has no such statement.""",
    repair="Correct the key, or add the clause to its rule.",
    example="""
verbs:
  loot:
    clause: trun.1
    body: rest
""",
)

register_content(
    "G0802",
    "clause-kind",
    "A clause is of no known kind",
    """Each clause of the rulebook is a rule, which some content carries out; a definition, which only explains
    words; or manners, which is about the physical table.""",
    repair="Write rule, definition or manners.",
    example="""
rules:
  night:
    clauses:
      1: rul
""",
)

register_content(
    "G0803",
    "manners-reason",
    "A clause without the reason that it needs",
    """A clause that no program can carry out must say why, so that no rule is dropped by calling it manners. And one
    that is called unverified says what it is known from.""",
    repair="Add a reason: 1: {kind: manners, reason: how cards are held}.",
    example="""
rules:
  night:
    clauses:
      1: manners
""",
)

register_content(
    "G0804",
    "unknown-entry",
    "A rule refers to one that is not there",
    """A book has its entries in the order of the alphabet. Where a printed one has not, after names the rule that
    stands before this one in that language. And see names the entries that a book has as related to this one.""",
    repair="Name another rule of the ledger: after: {ru: night}, see: [night].",
    example="""
rules:
  night:
    after: {en: dya}
    clauses:
      1: definition
""",
)
