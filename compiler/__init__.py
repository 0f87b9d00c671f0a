"""Grimoire compiler: package files -> artefact."""
