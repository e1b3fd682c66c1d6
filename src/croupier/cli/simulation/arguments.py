"""`croupier simulate`: what may be typed. What it leads to is loaded when it is asked for, since that takes a while."""

from __future__ import annotations

import argparse

from croupier.rules.shelf import Shelf

SESSIONS, ROLLS, SEED = 10_000, 144, 1  # unless somebody says otherwise


def add_simulate(command: argparse.ArgumentParser) -> None:
    """What may be typed after `croupier simulate`."""
    add = command.add_argument
    add("book", metavar="BOOK")
    add(
        "--strategy", metavar="NAME|FILE", action="append", required=True,
        help="an included strategy or a file of your own; several are played on the same dice",
    )  # fmt: skip
    add("--sessions", metavar="N", help=f"how many sessions ({SESSIONS:,}): 1000000, 1_000_000 or 1e6")
    add("--rolls", "--spins", metavar="M", help=f"rolls or spins of a session, at most ({ROLLS})")
    add("--seed", metavar="S", help=f"the same seed throws the same dice ({SEED})")
    add("--bankroll", metavar="AMOUNT", help="the chips to begin with; without them, chips never run out")
    add("--unit", metavar="AMOUNT", help="what a unit of the strategy is")
    add("--min", metavar="AMOUNT", help="the sign's minimum (none)")
    add("--max", metavar="AMOUNT", help="the sign's maximum (none)")
    add("--chip", metavar="AMOUNT", default="1.00", help="smallest chip (1.00): wins are rounded up")
    add("--units", choices=("any", "exact"), default="any", help="exact: only stakes that pay exactly (any)")
    add("--pay-table", metavar="T", help='one approved pay table: two, or "hardway.4=6 field=3"')
    add("--pace", metavar="N", help="rolls or spins an hour (100)")
    add("--jobs", metavar="N", help="how many cores are used (all)")
    add("--dask", metavar="ADDRESS", help="play on a Dask cluster (needs the extra croupier[cluster])")
    add("--dice", metavar="FILE", help="play on the throws of a record; - is standard input")
    add("--trace", action="store_true", help="show one session, roll by roll, as the table tells it")
    add("--session", metavar="K", help="with --trace: which session of the seed (0)")
    add("--csv", metavar="FILE", help="write a row for each session, as CSV")
    add("--parquet", metavar="FILE", help="the same as Parquet (needs the extra croupier[tables])")
    add("--report", metavar="FILE", help="write a page with all figures and plots, as HTML")
    add("--json", action="store_true", help="print JSON")


def simulate(shelf: Shelf, given: argparse.Namespace) -> int:
    """Play what is asked for and show what came of it, or one session of it; the exit status. Raises Impossible."""
    if given.trace:
        from croupier.cli.simulation.tracing import trace

        return trace(shelf, given)
    from croupier.cli.simulation.running import run_simulation

    return run_simulation(shelf, given)
