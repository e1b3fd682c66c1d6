"""Scenarios about promotional prizes: their lines, and how they are played."""
