"""The `croupier` command: its arguments, and dispatch to the subcommands."""

from __future__ import annotations

import io
import os
import sys
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Sequence

    from croupier.rules.shelf import Shelf

DESCRIPTION = (
    "Runs, settles and proves casino dice and coin games exactly as their approved rules say. Play chips only."
)


MOST_SAID = 1500
INTERRUPTED = 130  # the exit status after Ctrl-C

# Each command: its module, its function and what it does. `add_` plus the command's name adds the arguments.
COMMANDS = {
    "books": ("books", "show_books", "List the rule books."),
    "rules": ("books", "show_rules", "Show a book clause by clause, or one clause with its readings."),
    "readings": ("books", "show_readings", "Show how doubtful clauses are read, the rival readings and their cost."),
    "trace": ("books", "show_trace", "Show every clause with its class, its code and the tests that prove it."),
    "table": ("main", "run_table", "Run one table over a pipe: JSON lines in, JSON lines out."),
    "play": ("main", "play", "Play in the terminal with electronic dice."),
    "scenario": ("books", "run_scenarios", "Run scenario files and show the first difference."),
    "conduct": ("books", "show_conduct", "Show who may do what at a table besides betting, and the clause."),
    "analyse": ("analyse", "analyse", "Compute every wager exactly: edge, variance, length, pay tables, readings."),
    "draw": ("documents", "draw", "Draw the state machine of a wager as an SVG picture with its probabilities."),
    "combine": ("combine", "combine", "Compute several wagers together: joint distribution and correlations."),
    "session": ("session", "session", "Compute a player's exact result after a number of rolls, and the risk of ruin."),
    "simulate": ("simulation.options", "simulate", "Play a strategy over many sessions by the rules of a book."),
    "strategies": ("simulation.strategies", "show_strategies", "List strategies, explain one, or check a file."),
    "hold": ("hold", "hold", "Compute the operator's expected hold, its interval and the largest loss on one throw."),
    "par": ("documents", "make_par", "Write the PAR sheet of a book as HTML and PDF."),
    "fairness": ("fairness", "show_fairness", "Test whether a record of throws is consistent with fair dice or coins."),
    "verify-dice": ("public_records", "show_verify_dice", "Verify a table's electronic dice from its public record."),
    "verify-draw": ("public_records", "show_verify_draw", "Verify a prize draw from its public record."),
    "checker": ("public_records", "write_checker", "Write the page that checks records in any browser."),
    "soak": ("house", "soak", "Run a house in virtual time with faults from a seed, and look for anything lost."),
    "serve": ("house", "serve", "Run a house: tables, people, an API over HTTP, everything stored."),
    "operator": ("house", "operator", "Make a person an operator of a house that is not running."),
    "verify": ("verify", "verify", "Verify a store or an exported file: every event, every seal, the books."),
    "export": ("stores", "export", "Write all events of a store to a file that anyone can verify."),
    "import": ("stores", "import_", "Verify an exported file and fill an empty store from it."),
    "backup": ("stores", "backup", "Copy a store into a file, even while a house is running on it."),
    "registers": ("documents", "registers", "Write the registers and returns of a period as CSV and PDF."),
    "settings": ("house", "settings", "List the settings of a house, as a file to start one with."),
    "compare": ("compare", "compare", "Compare a book with another, or with a changed copy, wager by wager."),
    "check": ("books", "check_own", "Read and compile your own rule book, and report what is wrong with it."),
}


def parser(wanted: str | None = None) -> argparse.ArgumentParser:
    """Build the parser. If one command is wanted, the modules of the others need not be imported."""
    import argparse

    class Parser(argparse.ArgumentParser):
        """Reports errors in one sentence."""

        def error(self, message: str) -> NoReturn:
            print(f"croupier: {message}; see {self.prog} --help", file=sys.stderr)
            raise SystemExit(2)

    main_parser = Parser(prog="croupier", description=DESCRIPTION)
    main_parser.add_argument("--version", action="store_true", help="print the version and stop")
    commands = main_parser.add_subparsers(dest="command", metavar="COMMAND")

    def command(name: str, text: str) -> argparse.ArgumentParser:
        made = commands.add_parser(name, help=text, description=text)
        made.add_argument(
            "--with",
            dest="own",
            metavar="PATH",
            action="append",
            default=[],
            help="your own rule book: a file or a folder",
        )
        return made

    for name, (_, _, text) in COMMANDS.items():
        made = command(name, text)
        if wanted in (None, name):
            _function(name, f"add_{name.replace('-', '_')}")(made)
    return main_parser


def _function(command: str, name: str) -> Callable[..., int]:
    """Import a function of the module behind a command."""
    from importlib import import_module

    found: Callable[..., int] = getattr(import_module(f"croupier.cli.{COMMANDS[command][0]}"), name)
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; return the exit status."""
    words = sys.argv[1:] if arguments is None else list(arguments)
    if os.environ.get("COLUMNS") == "0":
        del os.environ["COLUMNS"]  # a zero width carries no information
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115  # no reader; stays open
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # characters that the output cannot encode become question marks
    try:
        if words == ["table"]:  # another program waits for the first reply: skip the parser and heavy imports
            return run_table(_shelf([]))
        status = _run(parser(words[0] if words else None).parse_args(words))
        sys.stdout.flush()
        return status
    except KeyboardInterrupt:
        return INTERRUPTED
    except SystemExit as stop:
        return 0 if stop.code == 1 else int(stop.code or 0)  # Rich exits with 1 when the reader closes the pipe
    except BrokenPipeError:
        _stop_writing()
        return 0
    except OSError as error:
        _stop_writing()
        print(f"croupier: {error.strerror or error}", file=sys.stderr)
        return 2


def _stop_writing() -> None:
    """Discard the output, as no one reads it, so that the exit does not complain again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _run(given: argparse.Namespace) -> int:
    if given.version:
        from importlib.metadata import version

        print(f"croupier {version('croupier')}")
        return 0
    if given.command is None:
        parser().print_help()
        return 0
    from croupier.rules.errors import Impossible, RuleBookError

    try:
        return _function(given.command, COMMANDS[given.command][1])(_shelf(given.own), given)
    except Impossible as error:
        _say(f"{error} ({error.clause})" if error.clause else str(error))
        return 2
    except RuleBookError as error:
        _say(str(error))
        return 2


def _say(sentence: str) -> None:
    """Print one sentence for a person: printable characters only, and limited in length."""
    plain = "".join(mark if mark.isprintable() else "?" for mark in sentence)
    print(f"croupier: {plain if len(plain) <= MOST_SAID else plain[:MOST_SAID] + '…'}", file=sys.stderr)


def _shelf(own: list[str]) -> Shelf:
    from pathlib import Path

    from croupier.rules.shelf import Shelf

    return Shelf(tuple(Path(path) for path in own))


def add_table(_: argparse.ArgumentParser) -> None:
    """Add nothing: `croupier table` has no arguments besides the common ones."""


def run_table(shelf: Shelf, _: argparse.Namespace | None = None) -> int:
    """Answer lines until the input ends."""
    from croupier.pipe import run

    run(sys.stdin.buffer, sys.stdout.buffer, shelf)
    return 0


def add_play(command: argparse.ArgumentParser) -> None:
    """Add the arguments of `croupier play`."""
    command.add_argument("book", metavar="BOOK", nargs="?", default="craps-nsw-2024")
    command.add_argument("--chips", default="1000.00", help="chips to start with (1000.00)")
    command.add_argument("--chip", default="1.00", help="smallest chip (1.00)")
    command.add_argument("--pay-table", help="pay table, if the book has several")
    command.add_argument("--seed", type=int, help="throw the same dice each time")


def play(shelf: Shelf, given: argparse.Namespace) -> int:
    """Play in the terminal."""
    from croupier.cli.output import complain
    from croupier.money import MoneyError
    from croupier.play import play as play_table

    try:
        return play_table(
            given.book, shelf, chips=given.chips, chip=given.chip, seed=given.seed, pay_table=given.pay_table
        )
    except MoneyError as error:
        return complain(error)


def run() -> None:
    """Run the command line. A second Ctrl-C while an interrupted command ends is ignored."""
    status = main()
    if status == INTERRUPTED:
        import signal

        signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.exit(status)


if __name__ == "__main__":
    run()
