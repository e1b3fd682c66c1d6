"""Documents and pictures made from the exact figures."""
