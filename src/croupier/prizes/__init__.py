"""Promotional prizes: what the books ask of them, and draws that anybody can repeat."""
