"""Wording: what a game shows, said in one language from the artefact's own texts; needs nothing but the artefact.

`words` (names, prompts, options, lines of the log, reasons), `decisions` and `views` (what a seat is asked and sees, in
words), `placeholders` (what a text leaves open), `counts` (which form goes with a number), `own_words` (the engine's
own words, one file a language in `languages/`).
"""
