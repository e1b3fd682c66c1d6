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

# Commands in their own modules: the module and its function. `add_` plus the command's name adds the arguments.
COMPUTING = {
    "conduct": ("books", "show_conduct", "Show who may do what at a table besides wagering, and under which clause."),
    "analyse": ("analyse", "analyse", "Compute every wager exactly: edge, variance, length, pay tables, readings."),
    "draw": ("documents", "draw", "Draw the state machine of a wager as an SVG picture, probabilities on its edges."),
    "combine": ("combine", "combine", "Hold several wagers together: their joint distribution and correlations."),
    "session": (
        "session",
        "session",
        "A player's exact result after so many rolls of a flat plan, and the chance of ruin.",
    ),
    "simulate": (
        "simulation.options",
        "simulate",
        "Play a strategy over many sessions, quickly, by the rules of a book.",
    ),
    "strategies": (
        "simulation.strategies",
        "show_strategies",
        "List the included strategies, explain one, or check a file.",
    ),
    "hold": ("hold", "hold", "The operator's view: expected hold, its interval, the largest loss on one throw."),
    "par": ("documents", "make_par", "Make the PAR sheet of a book, as HTML and PDF."),
    "fairness": ("fairness", "show_fairness", "Ask whether fair dice or coins would have given a record of throws."),
    "verify-dice": ("verify_dice", "show_verify_dice", "Check a table's electronic dice from its public record alone."),
    "verify-draw": ("verify_draw", "show_verify_draw", "Check a prize draw from its public record alone."),
    "checker": (
        "verify_draw",
        "write_checker",
        "Write the page that checks records, draws and receipts in any browser.",
    ),
    "soak": ("house", "soak", "Run a house in virtual time with faults from a seed, and look for anything lost."),
    "serve": ("house", "serve", "Open a house: tables, people, an API over HTTP, everything stored."),
    "operator": ("house", "operator", "Make somebody an operator of a house that is not at work."),
    "verify": ("store.verify", "verify", "Check a store or an exported file: every event, every seal, the books."),
    "export": ("store.transfer", "export", "Write all events of a store to a file that anybody can verify."),
    "import": ("store.transfer", "import_", "Fill an empty store from an exported file, which is verified first."),
    "backup": ("store.transfer", "backup", "Copy a store into a file while a house is at work on it."),
    "registers": (
        "documents",
        "registers",
        "Write the registers and returns of a month as CSV and PDF, from a store or an exported file.",
    ),
    "settings": (
        "house",
        "settings",
        "List the settings of a house, as a file that it can be started with.",
    ),
    "compare": ("compare", "compare", "Compare a book with another, or with a changed copy, wager by wager."),
}


def parser(wanted: str | None = None) -> argparse.ArgumentParser:
    """Build the parser. If one command is wanted, the modules of the others need not be imported."""
    import argparse

    class Parser(argparse.ArgumentParser):
        """Reports errors in one sentence."""

        def error(self, message: str) -> NoReturn:
            print(f"croupier: {message}; {self.prog} --help says what may be typed", file=sys.stderr)
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
            help="a rule book of your own: file or folder",
        )
        return made

    books = command("books", "List the rule books.")
    books.add_argument("--json", action="store_true", help="print JSON")
    rules = command("rules", "Show a book clause by clause, or one clause with its readings.")
    rules.add_argument("book", metavar="BOOK")
    rules.add_argument("clause", metavar="CLAUSE", nargs="?")
    readings = command("readings", "Show how doubtful clauses of a book are read, the rivals and what they cost.")
    readings.add_argument("book", metavar="BOOK")
    readings.add_argument("--json", action="store_true", help="print JSON")
    trace = command("trace", "Show every clause with its class, the code that acts on it and the tests that prove it.")
    trace.add_argument("book", metavar="BOOK")
    trace.add_argument("--json", action="store_true", help="print JSON, a row for every clause")
    trace.add_argument("--gaps", action="store_true", help="only what is not proved")
    command("table", "Run one table over a pipe: JSON lines in, JSON lines out.")
    play = command("play", "Play in the terminal with electronic dice.")
    play.add_argument("book", metavar="BOOK", nargs="?", default="craps-nsw-2024")
    play.add_argument("--chips", default="1000.00", help="chips to begin with (1000.00)")
    play.add_argument("--chip", default="1.00", help="smallest chip (1.00)")
    play.add_argument("--pay-table", help="pay table, where the book has several")
    play.add_argument("--seed", type=int, help="throw the same dice each time")
    scenario = command("scenario", "Run scenario files and show the first difference.")
    scenario.add_argument("files", metavar="FILE", nargs="+")
    for name, (_, _, text) in COMPUTING.items():
        made = command(name, text)
        if wanted in (None, name):
            _computing(name, f"add_{name.replace('-', '_')}")(made)
    check = command("check", "Read and compile a rule book of your own and say what is wrong with it.")
    check.add_argument("path", metavar="PATH")
    return main_parser


def _computing(command: str, function: str) -> Callable[..., int]:
    """Import a function of the module behind a command."""
    from importlib import import_module

    found: Callable[..., int] = getattr(import_module(f"croupier.cli.{COMPUTING[command][0]}"), function)
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
            return _table(_shelf([]))
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
        return _command(given)
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


def _command(given: argparse.Namespace) -> int:
    shelf = _shelf(given.own)
    if given.command == "table":
        return _table(shelf)
    if given.command == "play":
        return _play(shelf, given)
    if given.command in COMPUTING:
        return _computing(given.command, COMPUTING[given.command][1])(shelf, given)
    from croupier.cli import books

    match given.command:
        case "books":
            return books.show_books(shelf, given.json)
        case "rules":
            return books.show_rules(shelf, given.book, given.clause)
        case "readings":
            return books.show_readings(shelf, given.book, given.json)
        case "trace":
            return books.show_trace(shelf, given.book, given.json, given.gaps)
        case "scenario":
            return books.run_scenarios(shelf, given.files)
        case _:
            return books.check_own(shelf, given.path)


def _shelf(own: list[str]) -> Shelf:
    from pathlib import Path

    from croupier.rules.shelf import Shelf

    return Shelf(tuple(Path(path) for path in own))


def _table(shelf: Shelf) -> int:
    from croupier.pipe import run

    run(sys.stdin.buffer, sys.stdout.buffer, shelf)
    return 0


def _play(shelf: Shelf, given: argparse.Namespace) -> int:
    from croupier.money import MoneyError
    from croupier.play import play

    try:
        return play(given.book, shelf, chips=given.chips, chip=given.chip, seed=given.seed, pay_table=given.pay_table)
    except MoneyError as error:
        print(f"croupier: {error}", file=sys.stderr)
        return 2


def run() -> None:
    """Run the command line. A second Ctrl-C while an interrupted command ends is ignored."""
    status = main()
    if status == INTERRUPTED:
        import signal

        signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.exit(status)


if __name__ == "__main__":
    run()
