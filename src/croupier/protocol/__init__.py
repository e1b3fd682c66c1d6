"""What a program says to a table and hears from it: lines that become commands, replies in plain values."""
