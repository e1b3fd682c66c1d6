"""What is asked of the house, deed by deed: who may, and what comes of it."""
