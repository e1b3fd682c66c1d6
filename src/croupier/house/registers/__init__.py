"""Registers and returns: what those who supervise a house want to read, month by month, from its events alone."""
