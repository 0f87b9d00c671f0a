"""One compile that answers questions: who owns the sources, and what was worked out from them.

engine     answers with what they were computed from; computed again only when that changed
sources    files on the disk, or as an editor holds them unsaved
"""
