"""Strategy files: found, read part by part, every mistake told with its line."""
