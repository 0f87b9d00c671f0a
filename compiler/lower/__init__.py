"""Syntax nodes to the core: names and types are resolved, statements lowered, the tables of the artefact filled."""
