"""The core between compiler and runtime: every form and table declared once, and what follows from that."""

# The modules of the forms are loaded here, so that whoever asks for the declared forms finds all of them.
from grimoire.runtime.core import expressions as expressions
from grimoire.runtime.core import selectors as selectors
from grimoire.runtime.core import statements as statements
