"""Benchmarks: ratios against something run beside; `python -m bench` fails when a bound is missed."""
