"""`croupier simulate`: what may be typed. What it leads to is loaded when it is asked for, since that takes a while."""

from __future__ import annotations

import argparse
from collections.abc import Callable

from croupier.rules.shelf import Shelf

SESSIONS, ROLLS, SEED = 10_000, 144, 1  # unless somebody says otherwise

EXAMPLES = """What stands in brackets holds unless you say otherwise.

examples:
  croupier simulate craps-nsw-2024 --strategy iron-cross --bankroll 200
  croupier simulate craps-nsw-2024 --strategy pass-line --strategy field-flat
  croupier simulate two-up-nsw-2016 --strategy heads-flat --spins 4 --trace
"""


def add_simulate(command: argparse.ArgumentParser) -> None:
    """What may be typed after `croupier simulate`."""
    command.formatter_class = argparse.RawDescriptionHelpFormatter
    command.epilog = EXAMPLES
    add = command.add_argument
    add("book", metavar="BOOK", help="the rule book, such as craps-nsw-2024; `croupier books` lists them")
    add(
        "--strategy", metavar="NAME|FILE", action="append", required=True,
        help="an included strategy, which `croupier strategies` lists, or a file of your own; several, each with "
        "--strategy before it, are played on the same dice",
    )  # fmt: skip
    _add_sessions(command.add_argument_group("how much is played").add_argument)
    _add_table(command.add_argument_group("the player and the table").add_argument)
    _add_shown(command.add_argument_group("what is shown and written").add_argument)


def _add_sessions(add: Callable[..., object]) -> None:
    add(
        "--sessions", metavar="N",
        help=f"how many sessions are played ({SESSIONS:,}); 1000000, 1_000_000 and 1e6 are the same",
    )  # fmt: skip
    add("--rolls", "--spins", metavar="M", help=f"how many rolls or spins a session has at most ({ROLLS})")
    add("--seed", metavar="S", help=f"which dice are thrown ({SEED}): the same seed throws the same dice")
    add(
        "--dice", metavar="FILE",
        help="play on throws that fell elsewhere: a record that `croupier fairness` reads; - is standard input",
    )  # fmt: skip
    add("--jobs", metavar="N", help="how many cores of this machine work (all)")
    add(
        "--dask", metavar="ADDRESS",
        help="play on the Dask cluster at this address; it needs the extra croupier[cluster]",
    )  # fmt: skip


def _add_table(add: Callable[..., object]) -> None:
    add(
        "--bankroll", metavar="AMOUNT",
        help="the chips to begin with (those that the strategy names; where it names none, chips never run out)",
    )  # fmt: skip
    add("--unit", metavar="AMOUNT", help="how much a unit of the strategy is (as the strategy says)")
    add("--min", metavar="AMOUNT", help="the least stake that the table takes (any)")
    add("--max", metavar="AMOUNT", help="the largest stake that the table takes (any)")
    add("--chip", metavar="AMOUNT", default="1.00", help="the smallest chip (1.00): wins are rounded up to it")
    add(
        "--units", choices=("any", "exact"), default="any",
        help="exact: the table takes only stakes whose wins need no rounding (any)",
    )  # fmt: skip
    add(
        "--pay-table", metavar="T",
        help='an approved pay table (the book says which): two, or odds by name, "hardway.4=6 field=3"',
    )  # fmt: skip
    add("--pace", metavar="N", help="how many rolls or spins there are in an hour (100)")


def _add_shown(add: Callable[..., object]) -> None:
    add("--trace", action="store_true", help="show one session roll by roll, as the table tells it, and nothing else")
    add("--session", metavar="K", help="which session --trace shows (0, the first)")
    add("--csv", metavar="FILE", help="write a row for each session, as CSV")
    add("--parquet", metavar="FILE", help="the same as Parquet; it needs the extra croupier[tables]")
    add("--report", metavar="FILE", help="write a page with all figures and plots, as HTML")
    add("--json", action="store_true", help="print all figures as JSON, for other programs")


def simulate(shelf: Shelf, given: argparse.Namespace) -> int:
    """Play what is asked for and show what came of it, or one session of it; the exit status. Raises Impossible."""
    if given.trace:
        from croupier.cli.simulation.tracing import trace

        return trace(shelf, given)
    from croupier.cli.simulation.running import run_simulation

    return run_simulation(shelf, given)
