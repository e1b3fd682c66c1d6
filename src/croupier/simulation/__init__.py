"""Simulation: strategies as data, played under the rules of a book, millions of sessions at a time."""
