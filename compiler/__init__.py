"""Grimoire compiler: package files -> artefact."""

from grimoire.compiler.diagnostics import Diagnostic, Related, Span
from grimoire.compiler.package import CompileFailed, build, check, compile_package

__all__ = ["CompileFailed", "Diagnostic", "Related", "Span", "build", "check", "compile_package"]
