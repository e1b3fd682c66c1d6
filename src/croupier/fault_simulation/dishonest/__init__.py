"""A dishonest house among honest players: what it tries, and what becomes of it."""
