"""The charter of docs/: one file for each line, and for what follows from several of them."""
