"""Grimoire runtime: artefact -> played game."""

from grimoire.runtime.artefact import Package, artefact_schema, content_hash, load_artefact
from grimoire.runtime.decision import Decision, Option
from grimoire.runtime.errors import (
    ArtefactError,
    BudgetExceeded,
    ContentMismatch,
    EditError,
    EngineError,
    GrimoireError,
    IllegalChoice,
    ReplayMismatch,
    SaveError,
    SetupError,
    SignatureMismatch,
    StaleChoice,
    UndoBarrier,
)
from grimoire.runtime.game import Game, Outcome, new_game
from grimoire.runtime.redeal import redeal
from grimoire.runtime.replay import record_of, replay
from grimoire.runtime.save import load_game
from grimoire.runtime.simulate import Report, simulate
from grimoire.runtime.source import Source
from grimoire.runtime.whynot import Reason

__all__ = [
    "ArtefactError",
    "BudgetExceeded",
    "ContentMismatch",
    "Decision",
    "EditError",
    "EngineError",
    "Game",
    "GrimoireError",
    "IllegalChoice",
    "Option",
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
    "load_artefact",
    "load_game",
    "new_game",
    "record_of",
    "redeal",
    "replay",
    "simulate",
]
