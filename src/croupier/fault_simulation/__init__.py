"""Fault simulation: house, store and people in one process, in virtual time, with faults injected from one seed."""
