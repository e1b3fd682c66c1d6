"""The contract: every line, reply and event that crosses a border of the house, as typed values."""
