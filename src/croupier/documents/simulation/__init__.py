"""The report of a simulation: a page for a browser."""
