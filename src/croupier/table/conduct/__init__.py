"""The conduct of the game: who may do what, what must hold for it, and what the table remembers of it.

The book says all that in its `conduct` files. Here is what puts it into effect, and the few questions and effects that
are more than a fact remembered: who is next in turn, what moves money, what a correction does.
"""
