"""Dice without a table: drawn so that anybody can check them from the public record."""
