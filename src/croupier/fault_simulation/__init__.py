"""A house in a storm: house, store and people in one process, in virtual time, with faults, all from one seed."""
