"""Strategy files: found and read part by part, with every mistake reported by line."""
