"""`croupier simulate` and `croupier strategies`: arguments and output."""
