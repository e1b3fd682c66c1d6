"""Exact analysis of machines: every figure is a Fraction until it is printed."""
