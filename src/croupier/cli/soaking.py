"""`croupier soak`: storm after storm over a house in virtual time, until one of them finds something."""

from __future__ import annotations

import argparse
import sys
from itertools import count
from time import perf_counter

import msgspec

from croupier.rules.shelf import Shelf
from croupier.storm.storm import Storm, Weathered

MOST_HOURS = 10_000.0


def add_soak(command: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    command.add_argument("--seed", type=int, default=1, help="the seed of the first storm (1)")
    command.add_argument(
        "--storms", type=int, default=1, help="how many, each with the next seed; 0 is without end (1)"
    )
    command.add_argument("--hours", type=float, default=1.0, help="how long each lasts at every one of ten tables (1)")
    command.add_argument("--json", action="store_true", help="print a line of JSON for each storm")


def soak(shelf: Shelf, given: argparse.Namespace) -> int:
    """Run the storms: 0 if nothing was found, 1 if something was."""
    if given.storms < 0 or not 0 < given.hours <= MOST_HOURS:
        print(f"croupier: storms are 0 or more, and hours more than 0 and at most {MOST_HOURS:,.0f}", file=sys.stderr)
        return 2
    seeds = count(given.seed) if given.storms == 0 else range(given.seed, given.seed + given.storms)
    for seed in seeds:
        start = perf_counter()
        done = Storm(seed, shelf=shelf).run(given.hours)
        print(msgspec.json.encode(done).decode() if given.json else _told(done, perf_counter() - start), flush=True)
        if done.findings:
            again = f"croupier soak --seed {seed} --hours {given.hours:g}"
            print(f"croupier: storm {seed} found something; {again} shows it again", file=sys.stderr)
            return 1
    return 0


def _told(done: Weathered, seconds: float) -> str:
    faults = sum(number for name, number in done.faults.items() if not name.startswith("crash "))
    lines = [
        f"storm {done.seed}: {done.table_hours:g} table-hours in {seconds:.1f} s, {done.orders:,} orders"
        f" ({done.answered:,} answered), {done.throws:,} throws, {done.events:,} events, {faults:,} faults",
        "  " + ", ".join(f"{number:,} × {name.replace('_', ' ')}" for name, number in done.faults.items()),
    ]
    found = [f"  FOUND: {finding}" for finding in done.findings]
    return "\n".join(
        [*lines, *(found or ["  nothing lost, nothing doubled, every cent and every throw accounted for"])]
    )
