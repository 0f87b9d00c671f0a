"""From the typed core to a program: the objects that the kernel runs, for one number of players and set of options."""
