"""Grimoire runtime: artefact -> played game.

The names below are the promise of this package. They are loaded when first used: whoever only reads the typed core, as
the compiler does, need not load what plays.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from grimoire.runtime.artefact.loading import Package, artefact_schema, content_hash, load_artefact
    from grimoire.runtime.bots.simulate import Report, simulate
    from grimoire.runtime.errors import (
        ArtefactError,
        BudgetExceeded,
        ContentMismatch,
        EditError,
        EngineError,
        EngineFault,
        GrimoireError,
        IllegalChoice,
        ReplayMismatch,
        SaveError,
        SetupError,
        SignatureMismatch,
        StaleChoice,
        UndoBarrier,
    )
    from grimoire.runtime.kernel import kernel_form
    from grimoire.runtime.play.decision import Decision
    from grimoire.runtime.play.game import Game, new_game
    from grimoire.runtime.play.load import load_game
    from grimoire.runtime.play.options import Option, OptionKind
    from grimoire.runtime.play.outcome import Outcome
    from grimoire.runtime.play.replay import record_of, replay
    from grimoire.runtime.play.source import Source
    from grimoire.runtime.play.whynot import Reason
    from grimoire.runtime.testing.redeal import redeal

__all__ = [
    "ArtefactError",
    "BudgetExceeded",
    "ContentMismatch",
    "Decision",
    "EditError",
    "EngineError",
    "EngineFault",
    "Game",
    "GrimoireError",
    "IllegalChoice",
    "Option",
    "OptionKind",
    "Outcome",
    "Package",
    "Reason",
    "ReplayMismatch",
    "Report",
    "SaveError",
    "SetupError",
    "SignatureMismatch",
    "Source",
    "StaleChoice",
    "UndoBarrier",
    "artefact_schema",
    "content_hash",
    "kernel_form",
    "load_artefact",
    "load_game",
    "new_game",
    "record_of",
    "redeal",
    "replay",
    "simulate",
]

_HOMES = {
    "artefact_schema": "artefact.loading",
    "ArtefactError": "errors",
    "BudgetExceeded": "errors",
    "content_hash": "artefact.loading",
    "ContentMismatch": "errors",
    "Decision": "play.decision",
    "EditError": "errors",
    "EngineError": "errors",
    "EngineFault": "errors",
    "Game": "play.game",
    "GrimoireError": "errors",
    "IllegalChoice": "errors",
    "kernel_form": "kernel",
    "load_artefact": "artefact.loading",
    "load_game": "play.load",
    "new_game": "play.game",
    "Option": "play.options",
    "OptionKind": "play.options",
    "Outcome": "play.outcome",
    "Package": "artefact.loading",
    "Reason": "play.whynot",
    "record_of": "play.replay",
    "redeal": "testing.redeal",
    "replay": "play.replay",
    "ReplayMismatch": "errors",
    "Report": "bots.simulate",
    "SaveError": "errors",
    "SetupError": "errors",
    "SignatureMismatch": "errors",
    "simulate": "bots.simulate",
    "Source": "play.source",
    "StaleChoice": "errors",
    "UndoBarrier": "errors",
}


def __getattr__(name: str) -> object:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"grimoire.runtime has no {name}")
    value = getattr(import_module(f"grimoire.runtime.{home}"), name)
    globals()[name] = value
    return value
