"""The felt as data for a terminal or a browser to draw: areas, what they pay, lamps, results."""
