"""What the streams add up to: the accounts of the house, and reports by day, month and year."""
