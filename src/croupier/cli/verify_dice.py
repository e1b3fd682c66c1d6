"""`croupier verify-dice`: whether a table's electronic dice were fair, from its public record alone."""

from __future__ import annotations

import argparse
import re
import sys
import textwrap
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TypeVar

import msgspec

from croupier.bounded_reading import TooLong, bounded
from croupier.cli.store.arguments import complain
from croupier.cli.store.evidence import receipts_in
from croupier.house.electronic.course import Finding
from croupier.house.electronic.dice import Numbers
from croupier.house.electronic.verification import RecordError, Verdict, look_at_throws, verify_dice
from croupier.maths.fairness import Fairness, verdict
from croupier.rules.errors import RuleBookError
from croupier.rules.shelf import Shelf
from croupier.store.contract import StoreError
from croupier.store.keys import read_public_key
from croupier.store.receipts import Receipt

LOOKED_AT = ("faces", "heads", "runs")
MOST_LISTED = 50
WIDTH = 80
ALL_WELL = "All is well: every throw follows from what was committed to, and none was redrawn, skipped or voided."
OLDER = (
    "drawn under protocol 1. It proves that the secret was fixed before the bets, but not that the house chose nothing:"
    " ids and times in the record that shut the bets had a part in the dice, and the house could vary them."
)
WITHOUT = (
    "drawn without any number of a player. The house knew these throws when it opened the rounds; it could not change"
    " them after that."
)


def add_verify_dice(command: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    add_record(command, "a table")
    command.add_argument(
        "--receipt", metavar="FILE", action="append", default=[], help="receipts of the house, which must hold here"
    )
    command.add_argument("--key", help="the house's public key, with which receipts must be signed")


def show_verify_dice(shelf: Shelf, given: argparse.Namespace) -> int:
    """Verify a record and print what was checked and found: 0 if all is well, 1 if not, 2 if it cannot be read."""
    try:
        receipts = [receipt for name in given.receipt for receipt in receipts_in(Path(name))]
        key = None if given.key is None else read_public_key(given.key).hex
    except StoreError as error:
        return complain(error)
    checked = checked_record(given, partial(_verified, receipts=receipts, key=key), RecordError)
    if checked is None:
        return 2
    note, against = _held_against_the_book(shelf, checked)
    checked = msgspec.structs.replace(checked, findings=(*checked.findings, *against))
    look = look_at_throws(checked)
    if given.json:
        print(msgspec.json.format(msgspec.json.encode(_plain(checked, note, look)), indent=2).decode())
    else:
        print("\n".join(_shown(checked, note, look)))
    return 1 if checked.findings else 0


def _verified(lines: Iterable[bytes], seen: list[str], receipts: list[Receipt], key: str | None) -> Verdict:
    checked = verify_dice(lines, seen, receipts, key)
    if not checked.runs_by_itself and not checked.findings:
        raise RecordError("People run this table: there are no electronic dice to verify.")
    return checked


def _held_against_the_book(shelf: Shelf, checked: Verdict) -> tuple[str | None, list[Finding]]:
    """Check that the record uses the dice of its book, if the book is available."""
    try:
        rules = shelf.book(checked.book or "").rules.throw
    except RuleBookError:
        return "The book of the table is not at hand: what is thrown is taken from the record.", []
    if (tuple(rules.faces), rules.throw) == (checked.faces, checked.throw):
        return None, []
    return None, [Finding("other_dice", f"The record throws something else than the book {checked.book} does.")]


# -- text output ------------------------------------------------------------------------------------------------------


def _shown(checked: Verdict, note: str | None, look: Fairness | None) -> Iterator[str]:
    yield f"table    {checked.table}" + ("" if checked.book is None else f", {checked.book}")
    yield f"thrown   {checked.throw} with the faces {' '.join(map(str, checked.faces))}"
    yield f"records  {checked.records:,} in one chain, {checked.unseen:,} of them without their document"
    yield f"rounds   {_rounds(checked)}"
    if checked.rounds > checked.older:
        yield f"numbers  {_numbers(checked.numbers)}"
    if checked.numbers.missing:
        yield f"missing  {_missing(checked.numbers)}"
    yield f"head     {checked.head}"
    if checked.receipts:
        yield f"receipts {checked.receipts:,} of this table, held against it"
    if note is not None:
        yield note
    for told in _warnings(checked.numbers):
        yield ""
        yield from textwrap.wrap(told, WIDTH)
    yield ""
    yield from _found(checked.findings)
    for told in _limits(checked):
        yield ""
        yield from textwrap.wrap(told, WIDTH)
    if look is not None:
        yield ""
        yield from _looked_at(look)


def _rounds(checked: Verdict) -> str:
    cancelled = f", {checked.cancelled:,} cancelled" if checked.cancelled else ""
    under_way = f", round {checked.under_way} under way" if checked.under_way is not None else ""
    return f"{checked.rounds:,}: {checked.drawn:,} drawn{cancelled}{under_way}"


def _numbers(numbers: Numbers) -> str:
    players = f" by {_count(len(numbers.contributors), 'player')}" if numbers.contributors else ""
    return f"{numbers.put_in:,} put in{players}: {numbers.shown:,} shown, {numbers.missing:,} missing"


def _missing(numbers: Numbers) -> str:
    """Describe missing numbers: neither a house that holds some back nor a player who leaves early can hide them."""
    empty = f", all numbers in {numbers.empty:,}" if numbers.empty else ""
    new, others = numbers.newcomers, numbers.put_in - numbers.newcomers.put_in
    where = f"in {_count(numbers.incomplete, 'round')}{empty}"
    first = f"{new.missing:,} of {_count(new.put_in, 'first number')}"
    return f"{where}: {first}, {numbers.missing - new.missing:,} of {_count(others, 'other')}"


def _warnings(numbers: Numbers) -> Iterator[str]:
    """Yield warnings where nothing is wrong."""
    for one in numbers.suspected[:MOST_LISTED]:
        yield (
            f"Of the {one.put_in:,} numbers of player {one.contributor}, {one.missing:,} are missing: more than the"
            f" others' bad luck explains (p {one.chance:.1e}). Who holds numbers back chooses between throws."
        )
    for thin in numbers.thin[:MOST_LISTED]:
        yield (
            f"Of the {thin.put_in:,} numbers of round {thin.round}, {thin.missing:,} are missing: more than the bad"
            f" luck of other rounds explains (p {thin.chance:.1e}). Either the house could not be reached, or it held"
            " numbers back and chose between throws."
        )


def _limits(checked: Verdict) -> Iterator[str]:
    """Yield what the record does not prove."""
    numbers = checked.numbers
    if checked.older:
        yield f"{_count(checked.older, 'round')} {'was' if checked.older == 1 else 'were'} {OLDER}"
    if numbers.without:
        yield f"{_count(numbers.without, 'round')} {'was' if numbers.without == 1 else 'were'} {WITHOUT}"


def _count(many: int, what: str) -> str:
    return f"{many:,} {what}" if many == 1 else f"{many:,} {what}s"


def _found(findings: tuple[Finding, ...]) -> Iterator[str]:
    if not findings:
        yield from textwrap.wrap(ALL_WELL, WIDTH)
        return
    yield "This is not as it must be:"
    for finding in findings[:MOST_LISTED]:
        where = [f"round {finding.round}"] if finding.round is not None else []
        where += [f"record {finding.version}"] if finding.version is not None else []
        told = f"{', '.join(where) or 'the whole'} ({finding.fault}): {finding.sentence}"
        yield from textwrap.wrap(told, WIDTH, initial_indent="- ", subsequent_indent="  ")
    if len(findings) > MOST_LISTED:
        yield f"- and {len(findings) - MOST_LISTED:,} more"


def _looked_at(look: Fairness) -> Iterator[str]:
    """Describe the distribution of faces, which proves nothing by itself."""
    for finding in look.findings:
        if finding.test.name in LOOKED_AT:
            told = f"{finding.test.name:<8} p {finding.test.p:.4f}  {finding.test.asks}"
            yield from textwrap.wrap(told, WIDTH, subsequent_indent=" " * 19, break_on_hyphens=False)
    yield from textwrap.wrap(verdict(look), WIDTH)


# -- JSON output ------------------------------------------------------------------------------------------------------


def _plain(checked: Verdict, note: str | None, look: Fairness | None) -> dict[str, object]:
    plain: dict[str, object] = msgspec.to_builtins(checked)
    del plain["throws"]
    return {"ok": not checked.findings, **plain, "note": note, "look": None if look is None else _plain_look(look)}


def _plain_look(look: Fairness) -> dict[str, object]:
    tests = [{"test": each.test.name, "p": each.test.p, "adjusted": each.adjusted} for each in look.findings]
    return {
        "throws": len(look.record.throws),
        "tests": tests,
        "suspected": bool(look.against),
        "verdict": verdict(look),
    }


# -- public records: shared with `verify-draw`; a record read line by line, and hashes noted earlier ------------------

HASH = re.compile(r"[0-9a-f]{64}")
TOLD_EVERY = 10_000

V = TypeVar("V")


def add_record(command: argparse.ArgumentParser, of: str) -> None:
    """Add the arguments of a command that checks a public record."""
    command.add_argument("file", metavar="FILE", help=f"the public record of {of}; - is standard input")
    command.add_argument("--json", action="store_true", help="print JSON")
    command.add_argument(
        "--seen", metavar="HASH", action="append", default=[], help="a hash noted earlier, which must be in the record"
    )


def checked_record(
    given: argparse.Namespace, check: Callable[[Iterable[bytes], list[str]], V], unreadable: type[Exception]
) -> V | None:
    """Return a check's result for the record; None if it cannot be read, after reporting why."""
    try:
        if any(HASH.fullmatch(mark) is None for mark in given.seen):
            raise unreadable("--seen is followed by a hash of 64 hexadecimal digits.")
        with _lines(given.file) as lines:
            return check(lines, given.seen)
    except (unreadable, TooLong) as error:
        name = "standard input" if given.file == "-" else given.file
        print(f"croupier: {name}: {str(error).rstrip('.')}.", file=sys.stderr)
    except OSError as error:
        print(f"croupier: {given.file} cannot be read ({error.strerror})", file=sys.stderr)
    return None


@contextmanager
def _lines(name: str) -> Iterator[Iterable[bytes]]:
    """Yield the lines of a file, with a bar if standard error is a terminal."""
    if name == "-":
        yield bounded(sys.stdin.buffer) if sys.stdin else ()
        return
    with Path(name).open("rb") as file:
        if not sys.stderr.isatty():
            yield bounded(file)
            return
        from rich.console import Console
        from rich.progress import Progress

        with Progress(console=Console(stderr=True), transient=True) as bar:
            task = bar.add_task("reading", total=Path(name).stat().st_size or None)
            yield _counted(bounded(file), lambda done: bar.update(task, completed=done))


def _counted(lines: Iterable[bytes], tell: Callable[[int], None]) -> Iterator[bytes]:
    done = 0
    for number, line in enumerate(lines):
        if number % TOLD_EVERY == 0:
            tell(done)
        done += len(line)
        yield line
