"""Grimoire runtime: artefact -> played game."""

from grimoire.runtime.artefact import Package, artefact_schema, content_hash, load_artefact
from grimoire.runtime.decision import Decision, Option
from grimoire.runtime.errors import (
    ArtefactError,
    BudgetExceeded,
    ContentMismatch,
    EditError,
    GrimoireError,
    IllegalChoice,
    ReplayMismatch,
    SaveError,
    SetupError,
    UndoBarrier,
)
from grimoire.runtime.game import Game, Outcome, new_game
from grimoire.runtime.simulate import Report, simulate

__all__ = [
    "ArtefactError",
    "BudgetExceeded",
    "ContentMismatch",
    "Decision",
    "EditError",
    "Game",
    "GrimoireError",
    "IllegalChoice",
    "Option",
    "Outcome",
    "Package",
    "ReplayMismatch",
    "Report",
    "SaveError",
    "SetupError",
    "UndoBarrier",
    "artefact_schema",
    "content_hash",
    "load_artefact",
    "new_game",
    "simulate",
]
