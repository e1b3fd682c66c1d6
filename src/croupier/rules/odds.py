"""Odds as the documents print them, ``"7.5 to 1"``, ``"6 to 5"``: always an exact fraction, winnings per unit."""

from __future__ import annotations

import re
from fractions import Fraction

_ODDS = re.compile(r"\s*([0-9]+(?:\.[0-9]+)?) to ([0-9]+(?:\.[0-9]+)?)\s*")


def parse_odds(text: str) -> Fraction:
    """Winnings per unit: the stake is returned as well (reading X-12). Raises ValueError with a sentence."""
    match = _ODDS.fullmatch(text)
    if match is None:
        raise ValueError(f'"{text}" are not odds: write them as "7.5 to 1"')
    win, stake = Fraction(match[1]), Fraction(match[2])
    if stake == 0:
        raise ValueError(f'"{text}" are not odds: nothing is staked')
    return win / stake
