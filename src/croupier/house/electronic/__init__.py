"""Dice without a table: drawn so that anyone can verify them from the public record."""
