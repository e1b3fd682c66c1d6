"""Attacks on a house at work, over loopback alone."""
