"""Promotional prizes: the rules of the books, and draws that anyone can repeat."""
