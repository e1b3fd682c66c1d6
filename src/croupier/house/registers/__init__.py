"""Registers and returns for the supervisors of a house, month by month, from its events alone."""
