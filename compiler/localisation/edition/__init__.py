"""The rules reference of one edition as a book: its order, references, site and print."""
