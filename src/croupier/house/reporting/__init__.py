"""What the streams add up to: the books of the house, and reports by day, month and year."""
