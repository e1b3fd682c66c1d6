"""Exact analysis from a cold start, against a fixed amount of fraction arithmetic, to be comparable across machines."""

from __future__ import annotations

import json
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

from bench.timing import by_turns

SESSION = ("craps-nsw-2024", "win_line 10.00", "behind_win_line 20.00", "--rolls", "200")
TERMS = 2200


def rows_ratio() -> tuple[float, str]:
    """Time all rows of all five books."""
    count = len(json.loads(_croupier("analyse", "--json")))
    ours, fixed = by_turns(lambda: _croupier("analyse", "--json"), fixed_fractions, 5)
    return ours / fixed, f"{count} rows in {ours:.2f} s; the fixed work takes {fixed:.2f} s"


def session_ratio() -> tuple[float, str]:
    """Time the distribution of Win Line with double Behind after 200 rolls."""
    ours, fixed = by_turns(lambda: _croupier("session", *SESSION, "--json"), fixed_fractions, 5)
    return ours / fixed, f"{ours:.2f} s; the fixed work takes {fixed:.2f} s"


def fixed_fractions() -> Fraction:
    """Sum fractions with growing denominators: about a quarter second of the work that exact analysis consists of."""
    total = Fraction(0)
    for n in range(1, TERMS):
        total += Fraction(n, n * n + 1)
        if n % 40 == 0:
            total = Fraction(total.numerator % 1009, 1013)
    for n in range(1, TERMS * 20):
        total = (total * Fraction(n, n + 7) + Fraction(1, n)) % 1
        total = Fraction(total.numerator % 99991, 99989)
    return total


def _croupier(*words: str) -> bytes:
    command = [str(Path(sys.executable).with_name("croupier")), *words]
    return subprocess.run(command, check=True, capture_output=True).stdout
