"""Scenarios about promotional prizes: the lines they are written in, and how they are played."""
