"""A strategy encoded as numbers, and the compiled code that plays it millions of times."""
