"""Properties that hold whatever people do at a table."""
