"""Grimoire compiler: package files -> artefact.

The names below are the promise of this package. They are loaded when first used, so that a quick check stays quick.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from grimoire.compiler.api.build import build, compile_package
    from grimoire.compiler.api.check import check
    from grimoire.compiler.diagnostics.report import CompileFailed, Diagnostic, Related, Span

__all__ = ["CompileFailed", "Diagnostic", "Related", "Span", "build", "check", "compile_package"]

_HOMES = {
    "CompileFailed": "diagnostics.report",
    "Diagnostic": "diagnostics.report",
    "Related": "diagnostics.report",
    "Span": "diagnostics.report",
    "build": "api.build",
    "check": "api.check",
    "compile_package": "api.build",
}


def __getattr__(name: str) -> object:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"grimoire.compiler has no {name}")
    value = getattr(import_module(f"grimoire.compiler.{home}"), name)
    globals()[name] = value
    return value
