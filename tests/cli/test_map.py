"""A map in the terminal: spaces where their board draws them, by regions; what options leave out is nowhere."""

from __future__ import annotations

import io
from pathlib import Path

from rich.console import Console

from grimoire.compiler.api.build import compile_package
from grimoire.compiler.command.terminal_map import Cell, cell_width, wrap
from grimoire.compiler.command.terminal_view import Painter
from grimoire.runtime import Game, new_game
from grimoire.runtime.wording.words import Words

ISLES = Path(__file__).parent.parent / "compiler" / "maps" / "isles"


def shown(game: Game, width: int = 120, about: str | None = None) -> list[str]:
    painter = Painter(game.package.artefact, Words(game.package.document, "en"))
    console = Console(file=io.StringIO(), width=width)
    view = game.view(0)
    console.print(painter.paint(view, width) if about is None else painter.detail(view, about))
    assert isinstance(console.file, io.StringIO)
    return [line.rstrip() for line in console.file.getvalue().splitlines()]


def set_out(**options: str | bool) -> Game:
    game = new_game(compile_package(ISLES), options=options)
    game.edit().lay({"mole": ["skiff", "punt"]})
    return game


def test_spaces_stand_where_the_board_says() -> None:
    assert shown(set_out(voyage="storm"))[:5] == [
        "<north> · <south>",
        "<quay>                   <mole>                   <rock>",
        "                         <skiff>, <punt>",
        "",
        "<reef>                   <cave>",
    ]
    narrow = shown(set_out(voyage="storm"), width=40)
    assert narrow[1:4] == ["<quay>       <mole>       <rock>", "             <skiff>", "             <punt>"]
    assert not any(line.startswith("<mole>") for line in narrow)  # all of it stands on the map


def test_what_options_leave_out_is_not_drawn() -> None:
    text = "\n".join(shown(set_out(voyage="calm")))
    assert "<north>" in text and not any(name in text for name in ("south", "reef", "cave"))
    assert "rock" not in "\n".join(shown(set_out(voyage="calm", fog=True)))
    assert shown(set_out(voyage="calm"), about="reef") == ["None"]
    assert shown(set_out(voyage="calm"), about="mole")[-1].endswith("<quay>, <rock>, <bay>")
    assert shown(set_out(voyage="storm"), about="mole")[-1].endswith("<quay>, <rock>, <cave>")


def test_what_does_not_fit_is_listed() -> None:
    game = set_out(voyage="storm")
    assert any(line.startswith("<mole>   ") for line in shown(game, width=30))  # no room for a map
    assert wrap(("three herring gulls", "skiff", "punt"), 12) == (["three herri…", "skiff, punt"], False)
    assert wrap(("one", "two", "three", "four"), 5) == (["one", "two", "three"[:4] + "…"], False)
    assert wrap(("a", "b"), 12) == (["a, b"], True)
    assert cell_width({(x, 0): Cell("", (), "") for x in range(3)}, 37) == 0
