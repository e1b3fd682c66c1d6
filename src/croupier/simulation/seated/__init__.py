"""A strategy carried out at a real table: what it means."""
