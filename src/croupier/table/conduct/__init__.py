"""The conduct of the game: who may do what, what must hold for it, and which facts the table records.

The book states all that in its `conduct` files. This package applies it, and implements the checks and effects that
are more than setting a fact: who is next in turn, what moves money, what a correction does.
"""
