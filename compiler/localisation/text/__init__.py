"""Texts in languages: what play shows, and the rules text of cards that is generated from effects."""
