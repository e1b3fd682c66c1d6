"""The pages of a house, for people with a browser."""
