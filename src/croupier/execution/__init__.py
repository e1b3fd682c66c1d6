"""Runs simulations: on all cores or on a cluster, with a clock, progress and files."""
