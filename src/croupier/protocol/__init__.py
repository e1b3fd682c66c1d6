"""The protocol of a table: lines that become commands, and replies in plain values."""
