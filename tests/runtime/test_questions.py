"""Questions build what they need aside: the program stays as it was."""

from __future__ import annotations

from rtkit import Art, end, entry, menu, n

from grimoire.runtime import new_game


def test_ten_times_why_not_adds_nothing_to_the_program() -> None:
    """The condition tries a menu, which may wait: to look at it again takes a unit of code."""
    art = Art("asked", (1, 1))
    tried = menu(n(0), "which", entry("one"))
    main = art.proc("main", slots=4)
    art.body(main, menu(n(0), "act", entry("go", guard=["and", ["can", tried], n(0)]), entry("wait")), end())
    art.doc["main"] = main
    game = new_game(art.load(), 1)
    program = game.program
    kept = [program.units, program.menus, program.windows, program.notes, program.routines, program.tables.places]
    before = [len(one) for one in kept]
    question = program.question(game.state.unit)
    asked = program.artefact.procs[program.artefact.main].body.body[0].entries[0].guard
    question.expr(asked)
    assert len(question.units) == len(program.units) + 1
    for _ in range(10):
        assert [why.code for why in game.why_not("go")] == ["target"]
    assert [len(one) for one in kept] == before
