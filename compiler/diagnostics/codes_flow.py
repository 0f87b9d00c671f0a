"""Codes of the check stage: what is missing from the whole, never read, never ends, never finds a target."""

from __future__ import annotations

from grimoire.compiler.diagnostics.codes import _register

_register(
    "G0703",
    "no-target",
    "Nothing of this kind exists",
    explanation="The text chooses or changes something of a kind of which the package has neither a card nor a space. "
    "The clause can never do anything.",
    example="kinds:\n  ghost: {is: figure}\nzones:\n  attic: {holds: ghost}\n"
    "verbs:\n  haunt: {body: move a ghost to the attic}\nabilities:\n"
    "  night: {window: at the start of the turn, do: haunt}\n",
    repair="Declare a piece or a space of that kind, or name another kind.",
    severity="warning",
)
_register(
    "G0704",
    "declared-never-used",
    "Something is declared and nothing reads it",
    explanation="A verb, zone, counter, state, adjective or option is declared, and no text of the package ever names "
    "it. It is left over, or a text misspells it.",
    example="counters:\n  dust: number\n",
    repair="Use it, or take it out.",
    severity="warning",
)
_register(
    "G0707",
    "endless",
    "This never ends",
    explanation="A loop without a stop, or abilities that trigger one another without condition, limit or choice: "
    "once started, nothing can end it.",
    example="abilities:\n  echo: {window: after a token is gained, do: gain 1 token}\n",
    repair="Add a condition, a limit, a choice, or say stop.",
)
_register(
    "G0708",
    "no-players",
    "The package does not say for how many players it is",
    explanation="A game needs to know how many players may play it. An expansion takes the number from the package "
    "it needs.",
    example="package: solo-game\nversion: 1.0.0\nlanguage: 2\nlanguages: [en]\n",
    repair="Add players: 2 or players: 2-4 to package.yaml.",
)
_register(
    "G0709",
    "field-too-late",
    "A field is added to cards that do not have it",
    explanation="A package adds a printed field to a kind of which a needed package already has cards. Those cards do "
    "not say what stands in it.",
    example="kinds:\n  trinket:\n    fields: {sign: number}\n",
    repair="Make the field optional, or give the older cards a value under replaces.",
)
_register(
    "G0730",
    "absent-number",
    "A number is read that may be nothing",
    explanation="A field, a state or a counter that is optional may hold nothing. Nothing is no number: a sum or a "
    "comparison with it would mean something that nobody wrote. A text asks first whether it is there.",
    example="kinds:\n  trinket:\n    is: card\n    fields: {price: optional number}\nverbs:\n"
    "  haggle:\n    signature: haggle over <trinket>\n    body: gain (the price of it - 1) coins\n",
    repair="Write if the price of it is not nothing, .., ask for it in a filter or under only, or declare what it is "
    "where nothing is printed: number, 0 if blank.",
)
_register(
    "G0712",
    "same-twice",
    "Two ways to go on are the same",
    explanation="Two options of a choice say the same, or the same happens whether or not a condition holds. A player "
    "would be asked for nothing, or a condition is read that means nothing: one of the two was meant otherwise.",
    example="verbs:\n  dither: {body: either rest or rest}\nabilities:\n"
    "  night: {window: at the start of the turn, do: dither}\n",
    repair="Leave one of them out, or correct it.",
)
_register(
    "G0720",
    "never-there",
    "No such piece is ever in that place",
    explanation="A text speaks of pieces in a zone or a space to which nothing ever brings one of that kind: none "
    "starts there, and no text of the package or of those that it needs moves one there. Or an ability works `in` a "
    "zone in which its card never lies. A package that needs this one may bring one there, so it is a warning.",
    example="zones:\n  attic: {holds: token, seen: everyone}\nabilities:\n  dusk:\n"
    "    window: at the end of the turn\n    do: if there is a token in the attic, rest\n",
    repair="Name another place or another kind, or let something come there.",
    severity="warning",
)
_register(
    "G0721",
    "never-happens",
    "The event that is waited for never happens",
    explanation="An ability waits for a verb or a procedure that no text carries out, or for one that is never done to "
    "pieces of that kind, so it never answers. A package that needs this one may carry it out, so it is a warning.",
    example="verbs:\n  doze: {done: dozed, body: rest}\nabilities:\n  morning: {window: after you doze, do: rest}\n",
    repair="Name an event that happens, or carry it out somewhere.",
    severity="warning",
)
_register(
    "G0722",
    "never-in-play",
    "A card never comes into play",
    explanation="Only what lies in a zone or a space can be found and moved. A card that starts nowhere is in no game.",
    example="cards:\n  lost-card: {kind: trinket}\n",
    repair="Say where it starts: in: ZONE. From a supply the set-up can bring it anywhere.",
    severity="warning",
)
_register(
    "G0723",
    "same-each-round",
    "Nothing in a loop changes what its end reads",
    explanation="A loop ends when a condition holds, and nothing in its rounds changes what the condition reads: there "
    "is one round, or none, or there is no end.",
    example="counters:\n  level: number 0 to 9\n  height: number 0 to 9\nverbs:\n  dig:\n    body: |\n      repeat:\n"
    "        the level is now level + 1\n        if the height >= 3, stop\n",
    repair="Ask for what the rounds change, or change what is asked for.",
    severity="warning",
)
_register(
    "G0724",
    "much-work",
    "Loops in loops may take more steps than a decision has",
    explanation="The sizes of what a text goes through, as far as they stand in the files, multiply to more steps than "
    "one decision has, or to more effects than can be in force: a game in which so much is there breaks off.",
    example="verbs:\n  sift:\n    body: |\n      repeat 5000 times:\n        repeat 5000 times:\n"
    "          gain 1 token\n",
    repair="Go through fewer things, or through one list after the other.",
    severity="warning",
)
_register(
    "G0725",
    "choice-of-one",
    "There is only one thing to choose",
    explanation="A choice asks somebody, and there is one thing of that kind in the package: everybody knows the "
    "answer.",
    example="things:\n  sole-idol: {kind: idol}\nkinds:\n  idol: {is: thing}\nverbs:\n  greet:\n    body: |\n"
    "      choose an idol as one\n      if the one is the sole-idol, rest\n",
    repair="Name it, or choose among more.",
    severity="warning",
)
