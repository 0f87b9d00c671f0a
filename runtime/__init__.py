"""Grimoire runtime: artefact -> played game."""

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
