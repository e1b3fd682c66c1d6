"""The web pages of a house."""
