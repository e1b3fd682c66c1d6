"""`croupier soak`: storm after storm over a house in virtual time, until one of them finds something.

With `--dishonest` the house itself is the storm: its owner tries every cheat, and honest players try to convict it.
"""

from __future__ import annotations

import argparse
import logging
import sys
import textwrap
from collections.abc import Iterable
from itertools import count
from time import perf_counter

import msgspec

from croupier.rules.shelf import Shelf
from croupier.storm.dishonest.cheats import all_tried
from croupier.storm.dishonest.verdict import Verdict
from croupier.storm.storm import Storm, Weathered

MOST_HOURS = 10_000.0
WIDTH = 120


def add_soak(command: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    command.add_argument("--seed", type=int, default=1, help="the seed of the first storm (1)")
    command.add_argument(
        "--storms", type=int, default=1, help="how many, each with the next seed; 0 is without end (1)"
    )
    command.add_argument("--hours", type=float, default=1.0, help="how long each lasts at every one of ten tables (1)")
    command.add_argument(
        "--dishonest",
        action="store_true",
        help="in place of storms: a dishonest house tries every cheat on honest players, from each seed",
    )
    command.add_argument("--json", action="store_true", help="print a line of JSON for each storm or cheat")


def soak(shelf: Shelf, given: argparse.Namespace) -> int:
    """Run the storms: 0 if nothing was found, 1 if something was."""
    if given.storms < 0 or not 0 < given.hours <= MOST_HOURS:
        print(f"croupier: storms are 0 or more, and hours more than 0 and at most {MOST_HOURS:,.0f}", file=sys.stderr)
        return 2
    seeds = count(given.seed) if given.storms == 0 else range(given.seed, given.seed + given.storms)
    if given.dishonest:
        return _be_dishonest(shelf, seeds, as_json=given.json)
    for seed in seeds:
        start = perf_counter()
        done = Storm(seed, shelf=shelf).run(given.hours)
        print(msgspec.json.encode(done).decode() if given.json else _told(done, perf_counter() - start), flush=True)
        if done.findings:
            again = f"croupier soak --seed {seed} --hours {given.hours:g}"
            print(f"croupier: storm {seed} found something; {again} shows it again", file=sys.stderr)
            return 1
    return 0


def _be_dishonest(shelf: Shelf, seeds: Iterable[int], *, as_json: bool) -> int:
    """Try every cheat from each seed: 0 if each came to nothing, was convicted or is admitted, 1 if not."""
    logging.getLogger("croupier.client").addHandler(logging.NullHandler())  # what clients doubt is in the verdict
    for seed in seeds:
        for verdict in all_tried(seed, shelf):
            print(_plain(verdict) if as_json else _judged(verdict), flush=True)
            if verdict.ending == "unnoticed":
                again = f"croupier soak --dishonest --seed {seed}"
                print(f"croupier: nobody noticed: {verdict.cheat}; {again} shows it again", file=sys.stderr)
                return 1
    return 0


def _plain(verdict: Verdict) -> str:
    more = {"ending": verdict.ending, "by": verdict.by}
    return msgspec.json.encode(msgspec.to_builtins(verdict) | more).decode()


def _judged(verdict: Verdict) -> str:
    by = f" by {', '.join(verdict.by)}" if verdict.by else ""
    lines = [f"{verdict.cheat} (seed {verdict.seed}, {verdict.book}): {verdict.ending.upper()}{by}"]
    said = [f"The house {verdict.how}.", *(one.sentence for one in verdict.evidence[:1])]
    if verdict.admitted is not None:
        said.append(f"What cannot be detected: {verdict.admitted}")
    for sentence in said:
        lines += textwrap.wrap(sentence, WIDTH, initial_indent="  ", subsequent_indent="    ")
    return "\n".join(lines)


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
