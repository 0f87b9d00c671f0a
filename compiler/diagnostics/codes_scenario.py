"""Codes of the scenario stage: positions that cannot be, keys that nothing offers, tests that cannot fail."""

from __future__ import annotations

from grimoire.compiler.diagnostics.codes import _register

_register(
    "G0811",
    "scenario-unknown-name",
    "A scenario names something that there is not",
    explanation="A scenario speaks about the places, cards, spaces, counters, states, outcomes and seats of its "
    "package, by the names that the package gives them. A name that means nothing there would make a test that tests "
    "nothing.",
    example="scenarios:\n  first-steps:\n    given:\n      zones: {haep: [moon]}\n    then: [there is no token in "
    "the heap]",
    repair="Write the name as the package declares it. A place that every player has is written with its player: "
    "'satchel of p1'.",
)
_register(
    "G0812",
    "scenario-copies",
    "A position needs more copies than there are",
    explanation="A position lists more copies of a card, token or figure than the game has.",
    example="scenarios:\n  too-many:\n    given:\n      zones: {heap: [moon, moon, moon]}   # there are two",
    repair="List another card, or give the card more copies in the package.",
)
_register(
    "G0813",
    "scenario-two-places",
    "A position has one thing in two places",
    explanation="There is one copy of this card, token or figure, and the position lists it twice.",
    example="scenarios:\n  twice:\n    given:\n      zones: {satchel of p1: [moon], satchel of p2: [moon]}",
    repair="Take it out of one of the two places.",
)
_register(
    "G0814",
    "scenario-value",
    "A value does not fit what it is given to",
    explanation="A counter or a state is given a value of another type, or one outside its bounds. The game could "
    "never get there.",
    example="scenarios:\n  over-full:\n    given:\n      counters: {tide: 12}   # the tide goes from 0 to 10",
    repair="Give a value of the declared type and within its bounds; for 'nothing there' write nobody or nothing.",
)
_register(
    "G0815",
    "scenario-no-check",
    "A scenario checks nothing",
    explanation="Without a check a scenario can hardly fail, and so it proves nothing.",
    example="scenarios:\n  idle:\n    when: [{p1: pass}]",
    repair="Say under then: what must hold at the end.",
)
_register(
    "G0816",
    "scenario-unknown-key",
    "No decision of the game ever has this option",
    explanation="The key of an option starts with the word of the decision and names what is chosen, such as "
    "'play:moon' or 'target:p2'. One of its parts is neither a word of a decision nor the name of anything in the "
    "package, so that it can never be offered.",
    example="scenarios:\n  typing-error:\n    when: [{p1: 'play:mooon'}]\n    then: [asked: p2]",
    repair="Correct the part that is named. A failing scenario prints the keys that were offered.",
)
_register(
    "G0817",
    "scenario-players",
    "The game cannot be played by so many",
    explanation="A scenario asks for a number of players that the manifest does not allow.",
    example="scenarios:\n  alone:\n    players: 1   # the manifest says 2-4",
    repair="Choose a number that the manifest allows, or leave players out: then the smallest one is taken.",
)
_register(
    "G0818",
    "scenario-proves",
    "A scenario proves something that there is not",
    explanation="Under proves: stand clauses of the rules ledger and cards. The ledger is only as good as these links.",
    example="scenarios:\n  first-steps:\n    proves: [stpes.1]",
    repair="Name a clause that stands under rules:, or a card of the package.",
)
_register(
    "G0819",
    "scenario-twice",
    "Two scenarios have the same name",
    explanation="The name of a scenario is how it is run and reported, so that it is unique in its package.",
    example="scenarios/a.yaml: first-steps, and scenarios/b.yaml: first-steps",
    repair="Rename one of the two.",
)
_register(
    "G0820",
    "scenario-step",
    "A step or a check cannot be read",
    explanation="A step is 'pN: key', or 'then:' with checks. A check is a condition in the effect language, or one "
    "of the checks with a key of their own.",
    example="scenarios:\n  odd:\n    when: [{p1: pass, p2: pass}]",
    repair="Write one step an entry: '- p1: pass', then '- p2: pass'.",
)
_register(
    "G0821",
    "scenario-impossible",
    "A scenario gives a position that the package rules out",
    explanation="Under invariants: a package says what holds in every position. What a scenario gives is held to that "
    "before anything is played, so that no scenario proves something about a table that nobody can ever see.",
    example="invariants: {dry-feet: there is no boat in a room}\nscenarios:\n  stranded:\n    given: {zones: {quay: "
    "[sloop]}}",
    repair="Change the position; or change the invariant, if the rules do allow it.",
)
_register(
    "G0822",
    "equivalent-stale",
    "What is called equivalent is noticed, or is not broken any more",
    explanation="Under equivalent: a scenario file names ways of breaking a clause or a part of a card that nothing "
    "can notice, each with the reason. When trace breaks the clause or the part in no such way, or a scenario does "
    "notice it, the line says something that is not so.",
    example="equivalent:\n  walk.3:\n    \"'second' before 'first'\": they touch nothing that both know",
    repair="Take the line out, or write the way as trace writes it.",
)
