"""Everything in the languages of readers: texts and their generation, work of translators, audit of printed books,
editions."""
