"""Effect text to syntax nodes and back: lexer, parser, printer."""
