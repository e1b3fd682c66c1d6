"""A dishonest house among honest players: the ways it tries to cheat, and whether it is caught."""
