"""Sections of a package's files to its model: what there is, before any effect is looked into."""
