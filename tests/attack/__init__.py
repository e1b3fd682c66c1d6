"""Attacks on a house at work, over loopback alone. Each says in its docstring what it tries, and at its end what held."""
