"""Grimoire runtime: artefact -> played game."""
