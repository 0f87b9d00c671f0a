"""The work of localisers: strings and records, exchange, glossary, checks of translations."""
