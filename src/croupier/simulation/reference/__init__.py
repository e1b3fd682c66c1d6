"""The reference player: a strategy played at a real table."""
