"""Commands that run a house: `croupier serve`, `operator`, `settings`, and `soak`, the fault simulation."""

from __future__ import annotations

import argparse
import json
import logging
import os
import sys
import textwrap
from collections.abc import Iterable, Iterator
from itertools import count
from pathlib import Path
from time import perf_counter

import msgspec

from croupier.cli.output import complain, print_json
from croupier.fault_simulation.dishonest.cheats import all_tried
from croupier.fault_simulation.dishonest.verdict import Verdict
from croupier.fault_simulation.simulation import FaultSimulation, SoakResult
from croupier.rules.shelf import Shelf
from croupier.server.settings import about


def add_serve(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `croupier serve`."""
    parser.add_argument("--settings", metavar="FILE", type=Path, help="a TOML file (croupier settings prints one)")
    parser.add_argument("--demonstration", action="store_true", help="open six tables, with people to sign in as")


def add_operator(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `croupier operator`."""
    parser.add_argument("person", metavar="PERSON", help="the account, which is opened if it does not exist")
    parser.add_argument("--settings", metavar="FILE", type=Path, help="the settings of the house")


def operator(shelf: Shelf, given: argparse.Namespace) -> int:
    """Make an operator. Prompts for the password; without a terminal, it is the first line of standard input."""
    from croupier.server.first_operator import make_operator
    from croupier.server.settings import SettingsError, read_settings
    from croupier.store.contract import StoreError

    try:
        settings = read_settings(given.settings, os.environ)
        password = _password(given.person)
        if password is None:
            return complain("The two passwords are not the same: nothing was changed.")
        refusal = make_operator(settings, given.person, password)
    except (SettingsError, StoreError) as error:
        return complain(error)
    if refusal is not None:
        return complain(refusal.message)
    print(f"{given.person} is now an operator of this house and signs in with this password.")
    return 0


def _password(person: str) -> str | None:
    """Read the password twice, hidden; None if the two differ."""
    if not sys.stdin.isatty():
        return sys.stdin.readline().rstrip("\r\n")
    from getpass import getpass

    password = getpass(f"Password for {person}: ")
    return password if getpass("Repeat the password: ") == password else None


def serve(shelf: Shelf, given: argparse.Namespace) -> int:
    """Serve until Ctrl-C. If the house cannot open, report why in one sentence."""
    from croupier.server.serving import serve as serve_house
    from croupier.server.settings import SettingsError, read_settings
    from croupier.store.contract import StoreError

    try:
        settings = read_settings(given.settings, os.environ)
        if given.demonstration:
            settings = msgspec.structs.replace(settings, demonstration=True)
        serve_house(settings)
    except (SettingsError, StoreError) as error:
        return complain(error)
    return 0


# -- soak -------------------------------------------------------------------------------------------------------------
# Runs fault simulations of a house in virtual time until one finds something. With `--dishonest` the owner tries every
# cheat instead, and honest players try to convict the house.

MOST_HOURS = 10_000.0
WIDTH = 120


def add_soak(command: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    command.add_argument("--seed", type=int, default=1, help="the first seed (1)")
    command.add_argument(
        "--storms", type=int, default=1, help="how many runs, each with the next seed; 0 runs until stopped (1)"
    )
    command.add_argument("--hours", type=float, default=1.0, help="virtual hours at each of ten tables (1)")
    command.add_argument(
        "--dishonest",
        action="store_true",
        help="simulate a dishonest house instead, which tries every cheat on honest players from each seed",
    )
    command.add_argument("--json", action="store_true", help="print a line of JSON for each run or cheat")


def soak(shelf: Shelf, given: argparse.Namespace) -> int:
    """Run the simulations: 0 if nothing was found, 1 if something was."""
    if given.storms < 0 or not 0 < given.hours <= MOST_HOURS:
        return complain(f"--storms must be 0 or more, and --hours more than 0 and at most {MOST_HOURS:,.0f}")
    seeds = count(given.seed) if given.storms == 0 else range(given.seed, given.seed + given.storms)
    if given.dishonest:
        return _be_dishonest(shelf, seeds, as_json=given.json)
    for seed in seeds:
        start = perf_counter()
        done = FaultSimulation(seed, shelf=shelf).run(given.hours)
        print(msgspec.json.encode(done).decode() if given.json else _told(done, perf_counter() - start), flush=True)
        if done.findings:
            again = f"croupier soak --seed {seed} --hours {given.hours:g}"
            print(f"croupier: storm {seed} found a fault; to reproduce it: {again}", file=sys.stderr)
            return 1
    return 0


def _be_dishonest(shelf: Shelf, seeds: Iterable[int], *, as_json: bool) -> int:
    """Try every cheat from each seed: 0 if each failed, was convicted or is a known limit, 1 if one went unnoticed."""
    logging.getLogger("croupier.client").addHandler(logging.NullHandler())  # clients' doubts are in the verdict
    for seed in seeds:
        for verdict in all_tried(seed, shelf):
            print(_plain(verdict) if as_json else _judged(verdict), flush=True)
            if verdict.ending == "unnoticed":
                again = f"croupier soak --dishonest --seed {seed}"
                print(f"croupier: undetected: {verdict.cheat}; to reproduce it: {again}", file=sys.stderr)
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


def _told(done: SoakResult, seconds: float) -> str:
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


# -- settings: every setting of a house, as a file to start one with --------------------------------------------------

SETTINGS_WIDTH = 80


def add_settings(command: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    command.add_argument("--json", action="store_true", help="print JSON")


def settings(_shelf: Shelf, given: argparse.Namespace) -> int:
    """Print all settings with their defaults."""
    if given.json:
        names = ("name", "environment", "default", "about")
        print_json([dict(zip(names, row, strict=True)) for row in about()])
    else:
        print("\n".join(_file()))
    return 0


def _file() -> Iterator[str]:
    yield "# All settings of a house, with their defaults: for croupier serve --settings FILE."
    yield "# A setting in the environment overrides the file."
    for name, variable, default, sentence in about():
        yield ""
        yield from textwrap.wrap(
            sentence, SETTINGS_WIDTH, initial_indent="# ", subsequent_indent="# ", break_on_hyphens=False
        )
        yield f"# In the environment: {variable}"
        yield f"{name} = {json.dumps(default, ensure_ascii=False)}"  # JSON and TOML agree on scalars
