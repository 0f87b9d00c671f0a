"""The commands of `grimoire`, a module for each family, and the terminal that plays."""
