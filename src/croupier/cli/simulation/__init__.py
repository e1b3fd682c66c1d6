"""`croupier simulate` and `croupier strategies`: what may be typed, and what is then seen."""
