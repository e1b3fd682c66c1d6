"""Runs every benchmark, prints its ratio and its bound, and exits with 1 when a bound is missed."""

from __future__ import annotations

import sys

from bench.analysis import rows_ratio, session_ratio
from bench.memory import memory_ratio
from bench.pipe import pipe_ratio
from bench.settlement import settlement_ratio
from bench.startup import startup_ratio

BENCHMARKS = (
    ("one throw with 100,000 standing wagers, against a bare loop over the same tables", settlement_ratio, 3.0),
    ("three bets and a roll through the pipe, against parsing and printing the same JSON", pipe_ratio, 10.0),
    ("first reply of croupier table, against a bare start of Python", startup_ratio, 10.0),
    ("all rows of all five books from a cold start, against a fixed work with fractions", rows_ratio, 8.0),
    ("200 rolls of Win Line with double Behind from a cold start, against the same work", session_ratio, 8.0),
    ("memory of a simulation with a hundred times as many sessions, against the shorter one", memory_ratio, 1.1),
)


def main() -> int:
    """All benchmarks in one run."""
    missed = 0
    for name, measure, bound in BENCHMARKS:
        ratio, detail = measure()
        verdict = "ok" if ratio <= bound else "MISSED"
        missed += ratio > bound
        print(f"{name}:\n    {ratio:.2f} times (at most {bound:g}) {verdict}; {detail}", flush=True)
    missed += simulation()
    return 1 if missed else 0


def simulation() -> int:
    """The simulator against crapssim: how many bounds are missed, or 1 without crapssim."""
    # Only now: all that the simulator loads would slow down what is measured before.
    from bench.simulation import NoCrapssim, races

    missed = 0
    try:
        for name, ratio, bound, detail in races():
            verdict = "ok" if ratio >= bound else "MISSED"
            missed += ratio < bound
            print(f"{name}:\n    {ratio:,.0f} times (at least {bound:,.0f}) {verdict}; {detail}", flush=True)
    except NoCrapssim as error:
        print(f"the simulator against crapssim:\n    MISSED; {error}", flush=True)
        return 1
    return missed


if __name__ == "__main__":
    sys.exit(main())
