"""The felt as it is told to whoever draws it: areas, what they pay, lamps, results. A terminal, a browser."""
