"""Everything in the languages of readers: generated texts, translation, audit of printed books, editions."""
