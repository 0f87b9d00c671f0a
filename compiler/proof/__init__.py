"""What proves a package: programs broken one thing at a time, and parts of cards counted in games."""
