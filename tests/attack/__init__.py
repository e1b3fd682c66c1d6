"""Attacks on a running house, over loopback only."""
