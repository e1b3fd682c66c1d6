"""Run every benchmark, print its ratio and bound, and exit with 1 if a bound is missed."""

from __future__ import annotations

import sys
from collections.abc import Callable

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
LEAST_OF_INSERTS = 0.25  # of the rate of bare inserts, in one process: Python is the only implementation of the rules
LEAST_OF_BARE = 0.5  # of the rate of a bare endpoint


def main() -> int:
    """Run all benchmarks."""
    missed = at_most(*BENCHMARKS)
    missed += house()
    missed += served()
    missed += pages()
    missed += simulation()
    return 1 if missed else 0


def at_most(*benchmarks: tuple[str, Callable[[], tuple[float, str]], float]) -> int:
    """Run the benchmarks with an upper bound; return how many miss it."""
    missed = 0
    for name, measure, bound in benchmarks:
        ratio, detail = measure()
        verdict = "ok" if ratio <= bound else "MISSED"
        missed += ratio > bound
        print(f"{name}:\n    {ratio:.2f} times (at most {bound:g}) {verdict}; {detail}", flush=True)
    return missed


def house() -> int:
    """Run the benchmarks of the house and its store; return how many bounds are missed."""
    # Imported late: everything that the house loads would slow down the earlier measurements.
    from bench.commands import command_ratio, postgres_command_ratio
    from bench.house import throw_ratio
    from bench.idle_tables import idle_tables_ratio
    from bench.store import store_ratios
    from tests.postgres import NoPostgres

    for what, ratio, detail in store_ratios():
        print(f"{what}:\n    {ratio:.2f} of bare inserts; {detail}", flush=True)
    ratio, detail = command_ratio()
    missed = int(ratio < LEAST_OF_INSERTS)
    verdict = "MISSED" if missed else "ok"
    print("durable commands of 64 clients, against bare inserts of the same rows:")
    print(f"    {ratio:.2f} of bare inserts (at least {LEAST_OF_INSERTS:g}) {verdict}; {detail}", flush=True)
    try:
        ratio, detail = postgres_command_ratio()
        print(f"the same on PostgreSQL:\n    {ratio:.2f} of bare inserts; {detail}", flush=True)
    except NoPostgres as error:
        print(f"the same on PostgreSQL:\n    not measured; {error}", flush=True)
    return missed + at_most(
        ("one throw with 100,000 wagers decided, stored and heard, against the engine alone", throw_ratio, 5.0),
        ("10,000 idle tables, against 2 GiB", idle_tables_ratio, 1.0),
    )


def pages() -> int:
    """Run the benchmark of the felt in a browser; return how many bounds are missed."""
    from bench.felt import felt_ratio
    from tests.browser.chromium import NoBrowser

    try:
        return at_most(("an update of a felt with 1,200 chips, in scripts, against 4 ms", felt_ratio, 1.0))
    except NoBrowser as error:
        print(f"an update of a felt with 1,200 chips:\n    not measured; {error}", flush=True)
        return 0


def served() -> int:
    """Run the benchmarks over HTTP; return how many bounds are missed."""
    from bench.http import http_ratio
    from bench.live import live_ratio

    ratio, detail = http_ratio()
    missed = int(ratio < LEAST_OF_BARE)
    verdict = "MISSED" if missed else "ok"
    print("commands over HTTP, decided and stored, against a bare endpoint that validates the same body:")
    print(f"    {ratio:.2f} of the bare endpoint (at least {LEAST_OF_BARE:g}) {verdict}; {detail}", flush=True)
    return missed + at_most(
        ("p99 from commit to 1,000 listeners at a table, against a bare broadcast of the same size", live_ratio, 2.0)
    )


def simulation() -> int:
    """Race the simulator against crapssim; return how many bounds are missed, or 1 without crapssim."""
    # Imported late: everything that the simulator loads would slow down the earlier measurements.
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
