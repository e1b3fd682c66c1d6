"""Benchmarks: ratios against a reference run alongside; `python -m bench` fails when a bound is missed."""
