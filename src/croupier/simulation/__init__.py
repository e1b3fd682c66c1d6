"""Simulation: strategies as data, played on the rules of a book by the million."""
