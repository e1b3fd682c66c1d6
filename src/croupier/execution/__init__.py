"""Runs simulations: on all cores or on a cluster, with timing, progress and output files."""
