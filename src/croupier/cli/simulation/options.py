"""`croupier simulate`: its arguments, parsed into a plan for the simulation. Slow imports wait until needed."""

from __future__ import annotations

import argparse
import re
import shlex
from collections.abc import Callable
from typing import NamedTuple

import msgspec

from croupier.cli.fairness import read_record
from croupier.execution.simulating import plan_of
from croupier.execution.simulation_plan import DEFAULTS, SimulationPlan, described
from croupier.maths.fairness.throws import ThrowsError
from croupier.money import MoneyError
from croupier.rules.errors import Impossible
from croupier.rules.shelf import Shelf
from croupier.simulation.kernels.dice import Throws, cut

EXAMPLES = """Defaults are shown in parentheses.

examples:
  croupier simulate craps-nsw-2024 --strategy iron-cross --bankroll 200
  croupier simulate craps-nsw-2024 --strategy pass-line --strategy field-flat
  croupier simulate two-up-nsw-2016 --strategy heads-flat --spins 4 --trace
"""


def add_simulate(command: argparse.ArgumentParser) -> None:
    """Add the arguments of `croupier simulate`. Those of `Options` have their descriptions and defaults from there."""
    command.formatter_class = argparse.RawDescriptionHelpFormatter
    command.epilog = EXAMPLES
    add = command.add_argument
    add("book", metavar="BOOK", help="the rule book, such as craps-nsw-2024; `croupier books` lists them")
    add(
        "--strategy", metavar="NAME|FILE", action="append", required=True,
        help="an included strategy (`croupier strategies` lists them) or your own file; repeat the option to play "
        "several on the same dice",
    )  # fmt: skip
    _add_sessions(command.add_argument_group("sessions").add_argument)
    _add_table(command.add_argument_group("player and table").add_argument)
    _add_output(command.add_argument_group("output").add_argument)


def _help(option: str, default: str, more: str = "") -> str:
    return f"{described(option)} ({default}){more}"


def _add_sessions(add: Callable[..., object]) -> None:
    forms = "; 1000000, 1_000_000 and 1e6 are the same"
    add("--sessions", metavar="N", help=_help("sessions", f"{DEFAULTS.sessions:,}", forms))
    add("--rolls", "--spins", metavar="M", help=_help("rolls", str(DEFAULTS.rolls)))
    add("--seed", metavar="S", help=_help("seed", str(DEFAULTS.seed)))
    add(
        "--dice", metavar="FILE",
        help="play on recorded throws, in a form that `croupier fairness` reads; - is standard input",
    )  # fmt: skip
    add("--jobs", metavar="N", help=_help("jobs", "all"))
    add("--dask", metavar="ADDRESS", help=f"{described('dask')}; requires the extra croupier[cluster]")


def _add_table(add: Callable[..., object]) -> None:
    own = "the strategy's own; without one, chips never run out"
    add("--bankroll", metavar="AMOUNT", help=_help("bankroll", own))
    add("--unit", metavar="AMOUNT", help=_help("unit", "the strategy's own"))
    add("--min", metavar="AMOUNT", help=_help("minimum", "none"))
    add("--max", metavar="AMOUNT", help=_help("maximum", "none"))
    add("--chip", metavar="AMOUNT", default=DEFAULTS.chip, help=_help("chip", DEFAULTS.chip))
    add("--units", choices=("any", "exact"), default="any", help=f"exact: {_help('exact_units', 'any')}")
    add(
        "--pay-table", metavar="T",
        help=_help("pay_table", "the book's default", ': two, or odds by name, "hardway.4=6 field=3"'),
    )  # fmt: skip
    add("--pace", metavar="N", help=_help("pace", f"{DEFAULTS.pace:g}"))


def _add_output(add: Callable[..., object]) -> None:
    add("--trace", action="store_true", help="show one session roll by roll, as the table reports it, and nothing else")
    add("--session", metavar="K", help="the session that --trace shows (0, the first)")
    add("--csv", metavar="FILE", help="write a row for each session, as CSV")
    add("--parquet", metavar="FILE", help="the same as Parquet; requires the extra croupier[tables]")
    add("--report", metavar="FILE", help="write a page with all figures and plots, as HTML")
    add("--json", action="store_true", help="print all figures as JSON, for other programs")


def simulate(shelf: Shelf, given: argparse.Namespace) -> int:
    """Run the requested simulation, or trace one session, and show it; return the exit status. Raises Impossible."""
    if given.trace:
        from croupier.cli.simulation.tracing import trace

        return trace(shelf, given)
    from croupier.cli.simulation.run import run_simulation

    return run_simulation(shelf, given)


# -- parsing ----------------------------------------------------------------------------------------------------------

_NUMBER = re.compile(r"(?P<whole>-?[0-9][0-9_,]*)(?:\.(?P<part>[0-9]+))?(?:[eE]\+?(?P<power>[0-9]{1,2}))?", re.ASCII)
_LONGEST_NUMBER = 60
_NOT_TRACED = ("sessions", "jobs", "dask", "csv", "parquet", "report", "pace")  # useless for one session
_REPEATED = (
    "sessions", "rolls", "seed", "bankroll", "unit", "min", "max", "chip", "units", "pay_table", "pace", "dice",
)  # fmt: skip
_NOT_GIVEN = ("seed", "jobs", "dask")  # without effect on given throws


class GivenDice(NamedTuple):
    """Throws from a record: a row for each session, and the number of throws left over."""

    file: str
    throws: Throws
    left_out: int

    @property
    def name(self) -> str:
        """The name of the source."""
        return "standard input" if self.file == "-" else self.file


def read_plan(shelf: Shelf, given: argparse.Namespace) -> tuple[SimulationPlan, GivenDice | None]:
    """Return what to simulate, and the dice if they are given. Raises Impossible."""
    _check_options(given)
    dice = None if given.dice is None else _given_dice(shelf, given)
    sessions, rolls = dice.throws.shape if dice is not None else _size(given)
    try:
        plan = plan_of(
            given.book,
            given.strategy,
            sessions=sessions,
            rolls=rolls,
            seed=DEFAULTS.seed if given.seed is None else count("--seed", given.seed),
            bankroll=_amount(given.bankroll),
            unit=_amount(given.unit),
            chip=_money(given.chip),
            minimum=_amount(given.min),
            maximum=_amount(given.max),
            exact_units=given.units == "exact",
            pay_table=given.pay_table,
            pace=DEFAULTS.pace if given.pace is None else _pace(given.pace),
            shelf=shelf,
            books=tuple(given.own),
        )
    except MoneyError as error:
        raise Impossible("amount_unreadable", str(error)) from None
    return msgspec.structs.replace(plan, general=dice is not None), dice


def _check_options(given: argparse.Namespace) -> None:
    if given.session is not None and not given.trace:
        raise Impossible("not_traced", "--session says which session --trace shows, and goes with it only.")
    if given.dask is not None and given.jobs is not None:
        raise Impossible("options_contradict", "--dask plays on a cluster; --jobs does not go with it.")
    dash = next((name for name in ("csv", "parquet", "report") if getattr(given, name) == "-"), None)
    if dash is not None:
        raise Impossible("file_needed", f"--{dash} needs the name of a file; standard output has the figures.")
    if given.trace and len(given.strategy) > 1:
        raise Impossible("traced_alone", "--trace shows one strategy, and several are named.")
    for flag, without in ((given.trace, _NOT_TRACED), (given.dice is not None, _NOT_GIVEN)):
        named = next((name for name in without if flag and getattr(given, name) is not None), None)
        if named is not None and not (named == "sessions" and given.dice is not None):
            reason = "shows one session on the screen" if without is _NOT_TRACED else "gives the throws themselves"
            option = "--trace" if without is _NOT_TRACED else "--dice"
            raise Impossible("options_contradict", f"{option} {reason}; --{named} does not go with it.")


def _size(given: argparse.Namespace) -> tuple[int, int]:
    sessions = DEFAULTS.sessions if given.sessions is None else count("--sessions", given.sessions)
    return sessions, DEFAULTS.rolls if given.rolls is None else count("--rolls", given.rolls)


def _given_dice(shelf: Shelf, given: argparse.Namespace) -> GivenDice:
    """Cut the record into sessions: by length, by number, or as a single one. Raises Impossible."""
    if not given.dice:
        raise Impossible("throws_unreadable", "--dice needs the name of a file, or - for standard input.")
    book = shelf.book(given.book)
    try:
        record = read_record(given.dice, book.rules.throw)
    except ThrowsError as error:
        raise Impossible("throws_unreadable", f"{error}.") from None
    have = len(record.throws)
    sessions = None if given.sessions is None else count("--sessions", given.sessions)
    rolls = None if given.rolls is None else count("--rolls", given.rolls)
    if rolls is None:
        rolls = max(1, have // max(1, sessions or 1))
    if sessions is None:
        sessions = have // max(1, rolls)
    throws = cut(book.outcomes, record.throws, rolls, sessions)
    return GivenDice(given.dice, throws, have - throws.size)


def count(option: str, text: str) -> int:
    """Parse a whole number as people write it: 1000000, 1_000_000, 1,000,000 or 1e6. Raises Impossible."""
    found = _NUMBER.fullmatch(text) if len(text) <= _LONGEST_NUMBER else None
    if found is not None:
        power, part = int(found["power"] or 0), found["part"] or ""
        if len(part) <= power:
            digits = found["whole"].replace("_", "").replace(",", "") + part
            return int(f"{digits}{'0' * (power - len(part))}")
    shown = text if len(text) <= _LONGEST_NUMBER else f"{text[:_LONGEST_NUMBER]}…"
    raise Impossible("number_unreadable", f'{option} must be a whole number such as 1000 or 1e6, not "{shown}".')


def _amount(text: str | None) -> str | None:
    return None if text is None else _money(text)


def _money(text: str) -> str:
    """Return money with the cents that people leave out."""
    return f"{text}.00" if text.isascii() and text.isdecimal() else text


def _pace(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise Impossible("number_unreadable", f'--pace must be a number of rolls an hour, not "{text}".') from None


def command_line(given: argparse.Namespace, played: int | None = None) -> str:
    """Return the command that repeats the simulation: every argument that affects its figures.

    `played` is the number of sessions completed if it was interrupted.
    """
    words = ["croupier", "simulate", given.book]
    words += [word for path in given.own for word in ("--with", path)]
    words += [word for name in given.strategy for word in ("--strategy", name)]
    for name in _REPEATED:
        value = str(played) if name == "sessions" and played is not None else getattr(given, name)
        if value is not None:
            words += [f"--{name.replace('_', '-')}", value]
    return shlex.join(words)
