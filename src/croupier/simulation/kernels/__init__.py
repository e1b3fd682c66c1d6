"""A strategy as numbers, and the compiled code that plays it by the million."""
