"""Codes of the stages that read effects: their syntax, the names in them, the types of what they name, their flow."""

from __future__ import annotations

from grimoire.compiler.diagnostics.codes import register_content

# --- G04xx effect syntax ----------------------------------------------------------------------------------------------

register_content(
    "G0401",
    "effect-syntax",
    "An effect text cannot be read",
    """The words of an effect stand in the order of a plain English rule: who, may or must, the verb, what, and the
    phrases behind it. At the place shown the sentence cannot go on like this, or it ends before it is complete;
    the hint says what could stand there.""",
    repair="""Complete the clause or drop the extra words. A new clause starts a new line, or follows a comma with
    then.""",
    example="""
verbs:
  loot:
    body: draw 1 card your hand
""",
)

register_content(
    "G0402",
    "effect-character",
    "A character or an indentation has no meaning in effect text",
    """Effect text has lower-case words, digits, hyphens inside words, the signs + - * / = < > ( ) [ ] , : ; and
    the sign of a clause. Capital letters, quotes, full stops, tabs and an indentation that fits no line above
    are not read.""",
    repair="Write the word in lower case, leave out the sign, or line the text up with a line above.",
    example="""
verbs:
  loot:
    body: Draw 1 card
""",
)

register_content(
    "G0403",
    "effect-block",
    "A colon or an indented line stands where no block is",
    """Indented lines belong to the line above them, which ends with a colon and opens a block: if, otherwise, for
    each, may, either, repeat, a window, a cost. Here there are indented lines without such a line, or a colon
    behind something that opens no block.""",
    repair="End the line above with a colon, or take the indentation or the colon away.",
    example="""
verbs:
  loot:
    body: |
      rest
        draw 1 card
""",
)

register_content(
    "G0404",
    "third-person",
    "Somebody else acts without must or may",
    """A clause without a subject is done by you, the player who resolves the text. Somebody else acts only through
    must or may, because a rule always says whether it is an order or a choice.""",
    repair="Write must and the verb for an order, may and the verb for a choice: each player must draw 1 card.",
    example="""
abilities:
  fog:
    window: when a good would be discarded
    do: it moves to the heap
""",
)

register_content(
    "G0405",
    "effect-too-large",
    "An effect text is too long or nested too deep",
    """One effect text may have 20,000 characters and 40 parentheses inside each other. Nobody could read a longer
    one, and the bound keeps a broken file from holding up the compiler.""",
    repair="""Declare a verb or a procedure for a part of the text, or a value for a part of the sum, and use its
    name.""",
    example="""
verbs:
  loot:
    body: the price is now (((((((((((((((((((((((((((((((((((((((((1)))))))))))))))))))))))))))))))))))))))))
""",
)

register_content(
    "G0406",
    "no-determiner",
    "A noun stands without a determiner",
    """On a card "discard rope" could mean one rope, a certain rope or all of them. A noun therefore starts with
    the, a, each, all, any, your, a number or another word that says which ones are meant. Only names given with
    as, counters and values stand alone.""",
    repair="Write the, a, each, your or a number before the noun.",
    example="""
verbs:
  loot:
    body: discard rope
""",
)

register_content(
    "G0407",
    "nothing-before",
    "A word that continues a clause stands behind nothing",
    """Otherwise continues an if or an on, and or continues an either, in the lines directly above and at the same
    indentation. Nothing of that sort stands there.""",
    repair="Put the line directly below its if or either, at the same indentation, or leave the word out.",
    example="""
verbs:
  loot:
    body: |
      draw 1 card
      otherwise, rest
""",
)


# --- G05xx names ------------------------------------------------------------------------------------------------------

register_content(
    "G0501",
    "unknown-noun",
    "A noun, name or field is not declared",
    """Every noun of an effect is a kind, a card, a zone, a counter, a value or a field that a package declares, or
    a name given with as further up. This word is none of them here; a name given in one branch is not known in
    another.""",
    repair="Correct the spelling, declare the thing, or give the name with as before it is used.",
    example="""
verbs:
  loot:
    body: discard the lmap
""",
)

register_content(
    "G0502",
    "unknown-verb",
    "A verb is not declared",
    """The verbs of a game are declared by its package under verbs; a dozen, such as move, choose and shuffle,
    belong to the language. This word is neither. A participle or a noun in the place of a verb is reported in
    the same way.""",
    repair="Correct the spelling, or declare the verb with its signature and its body.",
    example="""
verbs:
  loot:
    body: daw 2 cards
""",
)

register_content(
    "G0503",
    "unknown-adjective",
    "An adjective cannot be said of this",
    """Adjectives belong to a kind: those it declares, its flags, the values of its fields (a red card) and words
    of place such as top. This one is not known for the kind of thing that it describes.""",
    repair="""Correct the spelling, declare the adjective for the kind, or say it with whose: a good whose worth >=
    3.""",
    example="""
verbs:
  loot:
    body: discard a deer good
""",
)

register_content(
    "G0504",
    "unknown-participle",
    "No verb has this participle",
    """A window hears an event by the participle of its verb: after a good is discarded. Each verb declares its
    participle under done, because no rule of spelling finds it for every verb.""",
    repair="Correct the spelling, or add done: to the verb.",
    example="""
abilities:
  fog:
    window: after a good is discraded
    do: rest
""",
)

register_content(
    "G0505",
    "name-twice",
    "A name is declared twice or means two things",
    """Nobody could tell the two apart. All files of a package, and of those that it needs, are one: kinds, things,
    zones, counters, cards, options and terms share one set of names; verbs and procedures share another; the fields,
    states, values, adjectives and slots of a kind a third; each other section has one of its own. The related place
    shows the first declaration.""",
    repair="Rename one of the two, or leave it out. To change a card, use replaces; to add to a kind, leave out its "
    "is.",
    example="""
counters:
  deck: number
""",
)

register_content(
    "G0506",
    "whose-zone",
    "Every player has such a zone: it does not say whose",
    """The zone is declared with each: player, so there are as many of them as players. The text, or the card that
    starts there, does not say which one is meant.""",
    repair="""Write your hand, their hand, or the hand of the one meant. Cards start in a common zone and are dealt
    by the set-up.""",
    example="""
verbs:
  loot:
    body: discard a good in the hand
""",
)

register_content(
    "G0507",
    "which-one",
    "A definite noun does not say which one",
    """The good is one certain good, but nothing above names one and there are several. What the verb is done to,
    what an event is about and what was named with as can be spoken of in this way.""",
    repair="Write a good for a choice, each good for all of them, or choose one with as and use that name.",
    example="""
verbs:
  loot:
    body: discard the good
""",
)

register_content(
    "G0509",
    "name-taken",
    "A name given with as is taken already",
    """A name given with as must be new: neither given before in the same text nor a word of the package. Otherwise
    a later line would mean something else than it says.""",
    repair="Take another name.",
    example="""
verbs:
  loot:
    body: choose a good in your hand as deck
""",
)

register_content(
    "G0510",
    "unknown-procedure",
    "A procedure is not declared",
    """Take a turn, stop the turn, until the end of the turn and once per turn name a procedure, which a package
    declares under procedures. There is none of this name.""",
    repair="Correct the spelling, or declare the procedure.",
    example="""
verbs:
  loot:
    body: take a trun
""",
)

register_content(
    "G0511",
    "unknown-outcome",
    "An outcome is not declared",
    """The ways in which a game can end are listed under outcomes, so that reports and scenarios can speak of them.
    This one is not in the list.""",
    repair="Correct the spelling, or add it to outcomes.",
    example="""
verbs:
  loot:
    body: end the game with victroy for you
""",
)

register_content(
    "G0520",
    "unknown-zone",
    "A card or an ability names a zone that does not exist",
    """Behind in: stands a zone of the package or of one that it needs: for a card the deck or supply in which it
    starts, for an ability where the card must lie. There is no zone of this name, so the card would start
    nowhere, or the ability would never work.""",
    repair="Correct the spelling to that of the zone meant, or declare the zone under zones.",
    example="""
cards:
  oar: {kind: good, worth: 1, in: dekc}
""",
)

register_content(
    "G0521",
    "unknown-space",
    "A card names a space that does not exist",
    """The field wants one of the spaces of a board, or of a kind of spaces. No board has this one, or it is of
    another kind than the field wants.""",
    repair="Correct the spelling to that of the space meant, or add the space to a board.",
    example="""
kinds:
  chart: {is: card, fields: {goal: room}, adjectives: {near: its goal is safe}}
cards:
  old-chart: {kind: chart, goal: hal}
verbs:
  loot:
    body: if the old-chart is near, rest
""",
)

register_content(
    "G0522",
    "unknown-card-name",
    "A card names another card that does not exist",
    """The type of the field is the names of a kind of cards: the field wants one of these cards. None of that kind is
    called so.""",
    repair="Correct the spelling to that of the card meant, or declare that card.",
    example="""
kinds:
  stamp: {is: card, names: mark, lends to: good}
  good: {fields: {marks: optional set of mark}}
cards:
  heavy: {kind: stamp}
  oar: {kind: good, worth: 1, marks: [haevy]}
""",
)

register_content(
    "G0523",
    "card-twice",
    "Two cards have one id",
    """The id of a card names it in effects, texts, scenarios and saved games, so no two cards have the same one, also
    not in different packages that are played together. The related place shows the first card.""",
    repair="Rename one of the two. To change a card of a package that yours needs, put it under replaces.",
    example="""
cards:
  lamp: {kind: good, worth: 2}
""",
)

register_content(
    "G0524",
    "wrong-zone",
    "A card starts in a zone for other pieces",
    """A zone says with holds: of which kind its pieces are. The card is of another kind: it would be drawn, counted and
    shown as something that it is not, or never be found.""",
    repair="Name the deck or supply for cards of this kind, or correct the kind of the card.",
    example="""
kinds:
  chart: {is: card}
cards:
  old-chart: {kind: chart, in: deck}
""",
)
register_content(
    "G0525",
    "misspelt-declaration",
    "A declaration is misspelt",
    """Nothing uses the name that is declared here, and a name that is one letter off is used in several places and
    declared nowhere: it is the declaration that is misspelt. The first places are shown; what follows from it is
    not told.""",
    repair="Write the name as it is used, or correct the uses.",
    example="""
counters:
  tidee: number
verbs:
  wade:
    body: |
      the tide is now 2
      if the tide > 1, rest
""",
)


# --- G06xx types ------------------------------------------------------------------------------------------------------

register_content(
    "G0601",
    "wrong-type",
    "A thing of another type is wanted",
    """Each verb says in its signature what it can be done to, and each amount, place and actor has a type as well.
    A space cannot be discarded, a card cannot act, a zone is no number.""",
    repair="Name a thing of the type that the message asks for, or use another verb.",
    example="""
verbs:
  loot:
    body: discard a room
""",
)

register_content(
    "G0602",
    "missing-part",
    "A clause lacks a part",
    """The verb needs something that the clause does not say: what it is done to, how many, to whom, or a name for
    what was chosen.""",
    repair="Add the part; the hint shows how the verb is written.",
    example="""
verbs:
  loot:
    body: give a good in your hand
""",
)

register_content(
    "G0603",
    "part-too-many",
    "A clause has a part that the verb does not take",
    """The verb has no object, or no phrase of this sort, in its signature, so the words would have no effect.""",
    repair="Leave the part out, or add it to the signature of the verb.",
    example="""
verbs:
  loot:
    body: rest the deck
""",
)

register_content(
    "G0604",
    "one-wanted",
    "One object is wanted, not several",
    """At this place exactly one thing must be meant, and the words describe several, or a choice that has not been
    made yet. A verb can go over several of one thing, not over several of two things at once.""",
    repair="Choose first and give the choice a name: choose a good as prize. Or go over them with for each.",
    example="""
verbs:
  loot:
    body: if the worth of a good = 2, rest
""",
)

register_content(
    "G0605",
    "cannot-compare",
    "Two things cannot be compared",
    """Numbers are compared with numbers, players with players, colours with colours; and only numbers are more or
    less than each other. The two sides here can never be equal.""",
    repair="Compare things of the same sort; number of .. and the fields of a thing give numbers.",
    example="""
verbs:
  loot:
    body: if your coins = the lookout, rest
""",
)

register_content(
    "G0606",
    "cannot-set",
    "This cannot be set",
    """Is now changes a counter, a state, a setting of a procedure or the result of a verb. What is printed on a
    card (its fields), what is computed (values) and where a piece lies cannot be set.""",
    repair="Declare the field under states if it changes in play; use move to change a place.",
    example="""
verbs:
  loot:
    body: the worth of the rope is now 5
""",
)

register_content(
    "G0607",
    "not-here",
    "A construct has no meaning at this place",
    """The words are known, but not here: prevent and instead need an event that is about to happen, it and they
    need something they can stand for, cannot and gets need a duration, stop needs a loop, require stands
    directly behind a choice of several.""",
    repair="Follow the hint: most often a window with would, a duration, or a choice is missing.",
    example="""
verbs:
  loot:
    body: prevent it
""",
)

register_content(
    "G0608",
    "phrase-fits-nothing",
    "A prepositional phrase fits neither verb nor noun",
    """A phrase such as from the deck belongs to the verb, when its signature has that preposition, or else to the
    noun on its left. It fits neither here: goods lie in zones, only spaces are adjacent to spaces.""",
    repair="Use the preposition of the signature, or say it of a noun that can stand in such a place.",
    example="""
verbs:
  loot:
    body: discard a good adjacent to the dock
""",
)

register_content(
    "G0609",
    "number-too-large",
    "A number is too large",
    """Numbers in effects go up to 999,999,999. Where a number says how many things are taken, how often something is
    done, or how many numbers there are to choose from, it goes up to 10,000: more cannot be played in one go. Larger
    ones are slips of the keyboard.""",
    repair="Write a smaller number.",
    example="""
verbs:
  loot:
    body: draw 12345678901 cards
""",
)

register_content(
    "G0610",
    "not-carried-out",
    "The engine cannot carry this out",
    """The text is well-formed, but the engine has no way to play it. It is refused rather than ignored: what is
    accepted is what is played.""",
    repair="Say it with the construct that the hint names.",
    example="""
abilities:
  fog:
    window: at any time
    do: rest
""",
)

register_content(
    "G0611",
    "no-order",
    "The top or bottom of a zone that has no order",
    """In a zone with order: any it means nothing what lies where. Where not everybody sees into it, whatever comes in
    mixes it, so that nobody learns from the order when a card was taken. It has neither top nor bottom. A zone that
    only its owner sees, a hand, is such a zone unless it says order: kept.""",
    repair="""Say which one is meant: a random one, one that somebody chooses, one by its name. If it counts what lies
    above what, declare the zone with order: kept.""",
    example="""
verbs:
  loot:
    body: discard the top good of your hand
""",
)

register_content(
    "G0612",
    "two-readings",
    "A relative clause that can be said of two nouns",
    """In a room adjacent to a boat nearest to the pier, the nearest one may be the boat or the room. Both can be meant,
    and people read it differently, so that it is refused. The hint writes out both readings: what is named first is a
    noun of its own, and behind of those stands what narrows before the clause does.""",
    repair="Write the reading that you mean.",
    example="""
verbs:
  loot:
    body: |
      choose a room adjacent to a room nearest to the hall as spot
      if the spot is the hall, rest
""",
)


# --- G07xx flow -------------------------------------------------------------------------------------------------------

register_content(
    "G0701",
    "never-used",
    "A name is given and never used",
    """A name given with as, or by for each, is there to be spoken of later. Nothing below uses it, so either the
    name or the line that should use it is a mistake.""",
    repair="Use the name, or leave it out.",
    example="""
verbs:
  loot:
    body: |
      choose a good in your hand as prize
      rest
""",
)

register_content(
    "G0702",
    "unreachable",
    "This can never be reached",
    """A line above already covers every case, or no number lies in the range. The text would be read by players
    and never be carried out.""",
    repair="Delete it, or give the line above a condition.",
    example="""
verbs:
  loot:
    body: |
      if price = 1, rest
      otherwise, draw 1 card
      otherwise, draw 2 cards
""",
)

register_content(
    "G0705",
    "too-much-kept",
    "An effect keeps too many values",
    "An effect that lasts remembers the names and values that it speaks of, at most 12 of them.",
    repair="Speak of fewer names in it: compute a sum first and keep it in a counter or a state.",
    example="""
procedures:
  storm:
    takes:
      {n1: number, n2: number, n3: number, n4: number, n5: number, n6: number, n7: number, n8: number, n9: number,
       n10: number, n11: number, n12: number, n13: number}
    body: |
      until the end of the turn:
        you get +(n1 + n2 + n3 + n4 + n5 + n6 + n7 + n8 + n9 + n10 + n11 + n12 + n13) coins
""",
)

register_content(
    "G0706",
    "defined-by-itself",
    "A definition leads back to itself",
    """An adjective or a value is defined by another one, and that one again by the first, perhaps over several
    steps. It could never be computed.""",
    repair="Break the circle: define one of them by fields and states alone.",
    example="""
kinds:
  good:
    adjectives:
      odd: it is even
      even: it is odd
""",
)

register_content(
    "G0710",
    "results-overlap",
    "Two lines answer one result",
    """Lines that start with on ask for the result of the verb above them. Two of them fit the same result, so that both
    would be carried out for it; most often one number too many stands in a range.""",
    repair="Make the ranges apart, or write otherwise for the rest.",
    severity="warning",
    example="""
verbs:
  loot:
    body: |
      roll
      on 1-3, rest
      on 3 or more, gain 1 coin
abilities:
  fog:
    window: after you draw any cards
    do: loot
""",
)

register_content(
    "G0711",
    "aim-never-changes",
    "An aim is the same in every position",
    """An aim tells a bot which of two positions is better. This amount reads nothing that changes in play: no
    choice is better or worse by it.""",
    repair="Name something that changes: your coins, the number of cards in a zone. Or take it out.",
    severity="warning",
    example="""
aims:
  riches: 3 * 2
""",
)
