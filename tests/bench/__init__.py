"""Benchmarks: engine playouts against hand-written games, checking at scale, cards that are not in play."""
