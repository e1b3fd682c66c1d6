"""`croupier verify-dice` and `verify-draw`: whether electronic dice or a prize draw were fair, from public records.

`croupier checker` writes the page that checks the same in a browser.
"""

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
from croupier.cli.evidence import receipts_in
from croupier.cli.output import WIDTH, Tell, complain, counted, faults, print_json, progress, wrapped
from croupier.house.electronic.course import Finding
from croupier.house.electronic.fair_dice import Numbers
from croupier.house.electronic.verification import RecordError, Verdict, look_at_throws, verify_dice
from croupier.maths.fairness import Fairness, verdict
from croupier.prizes import draw_verification
from croupier.prizes.draw_verification import DrawVerdict
from croupier.prizes.public_draw import Draw
from croupier.rules.errors import Impossible, RuleBookError
from croupier.rules.shelf import Shelf
from croupier.store.contract import StoreError
from croupier.store.keys import read_public_key
from croupier.store.receipts import Receipt
from croupier.web import checker

MOST_LISTED = 50

# -- a public record, read line by line -------------------------------------------------------------------------------

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
            raise unreadable("--seen needs a hash of 64 hexadecimal digits.")
        with _lines(given.file) as lines:
            return check(lines, given.seen)
    except (unreadable, TooLong) as error:
        name = "standard input" if given.file == "-" else given.file
        complain(f"{name}: {str(error).rstrip('.')}.")
    except OSError as error:
        complain(f"{given.file} cannot be read ({error.strerror})")
    return None


@contextmanager
def _lines(name: str) -> Iterator[Iterable[bytes]]:
    """Yield the lines of a file, with a bar if standard error is a terminal."""
    if name == "-":
        yield bounded(sys.stdin.buffer) if sys.stdin else ()
        return
    with Path(name).open("rb") as file, progress("reading", Path(name).stat().st_size) as tell:
        yield bounded(file) if tell is None else _followed(bounded(file), tell)


def _followed(lines: Iterable[bytes], tell: Tell) -> Iterator[bytes]:
    done = 0
    for number, line in enumerate(lines):
        if number % TOLD_EVERY == 0:
            tell(done)
        done += len(line)
        yield line


# -- verify-dice ------------------------------------------------------------------------------------------------------

LOOKED_AT = ("faces", "heads", "runs")
ALL_WELL = "All is well: every throw follows from the commitments, and none was redrawn, skipped or voided."
OLDER = (
    "drawn under protocol 1. It proves that the secret was fixed before the bets, but not that the house had no choice:"
    " the dice also depended on ids and times in the record that closed the bets, and the house could vary them."
)
WITHOUT = (
    "drawn without a number from any player. The house knew these throws when it opened the rounds; it could not change"
    " them after that."
)


def add_verify_dice(command: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    add_record(command, "a table")
    command.add_argument(
        "--receipt", metavar="FILE", action="append", default=[], help="receipts of the house, which must match"
    )
    command.add_argument("--key", help="the house's public key; receipts must be signed with it")


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
        print_json(_plain(checked, note, look))
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
        return "The table's book is not available: its dice are taken from the record.", []
    if (tuple(rules.faces), rules.throw) == (checked.faces, checked.throw):
        return None, []
    return None, [Finding("other_dice", f"The record uses other dice than the book {checked.book}.")]


def _shown(checked: Verdict, note: str | None, look: Fairness | None) -> Iterator[str]:
    yield f"table    {checked.table}" + ("" if checked.book is None else f", {checked.book}")
    yield f"thrown   {checked.throw} with the faces {' '.join(map(str, checked.faces))}"
    yield f"records  {checked.records:,} in one chain, {checked.unseen:,} of them without a document"
    yield f"rounds   {_rounds(checked)}"
    if checked.rounds > checked.older:
        yield f"numbers  {_numbers(checked.numbers)}"
    if checked.numbers.missing:
        yield f"missing  {_missing(checked.numbers)}"
    yield f"head     {checked.head}"
    if checked.receipts:
        yield f"receipts {checked.receipts:,} of this table, checked against it"
    if note is not None:
        yield note
    for told in _warnings(checked.numbers):
        yield ""
        yield from wrapped(told)
    yield ""
    yield from _found(checked.findings)
    for told in _limits(checked):
        yield ""
        yield from wrapped(told)
    if look is not None:
        yield ""
        yield from _looked_at(look)


def _rounds(checked: Verdict) -> str:
    cancelled = f", {checked.cancelled:,} cancelled" if checked.cancelled else ""
    under_way = f", round {checked.under_way} under way" if checked.under_way is not None else ""
    early = f", {checked.early:,} shut early because all were ready" if checked.early else ""
    return f"{checked.rounds:,}: {checked.drawn:,} drawn{cancelled}{early}{under_way}"


def _numbers(numbers: Numbers) -> str:
    players = f" by {counted(len(numbers.contributors), 'player')}" if numbers.contributors else ""
    return f"{numbers.put_in:,} added{players}: {numbers.shown:,} revealed, {numbers.missing:,} missing"


def _missing(numbers: Numbers) -> str:
    """Describe missing numbers. Neither a house that withholds some nor a player who leaves early can hide them."""
    empty = f", {numbers.empty:,} left without any" if numbers.empty else ""
    new, others = numbers.newcomers, numbers.put_in - numbers.newcomers.put_in
    where = f"from {counted(numbers.incomplete, 'round')}{empty}"
    first = f"{new.missing:,} of {counted(new.put_in, 'first number')}"
    return f"{where}: {first}, {numbers.missing - new.missing:,} of {counted(others, 'other')}"


def _warnings(numbers: Numbers) -> Iterator[str]:
    """Yield warnings where nothing is wrong."""
    for one in numbers.suspected[:MOST_LISTED]:
        yield (
            f"Of the {one.put_in:,} numbers of player {one.contributor}, {one.missing:,} are missing: more than chance"
            f" explains, compared with other players (p {one.chance:.1e}). A player who withholds numbers can choose"
            " between throws."
        )
    for thin in numbers.thin[:MOST_LISTED]:
        yield (
            f"Of the {thin.put_in:,} numbers of round {thin.round}, {thin.missing:,} are missing: more than chance"
            f" explains, compared with other rounds (p {thin.chance:.1e}). Either the house could not be reached, or it"
            " withheld numbers to choose between throws."
        )


def _limits(checked: Verdict) -> Iterator[str]:
    """Yield what the record does not prove."""
    numbers = checked.numbers
    if checked.older:
        yield f"{counted(checked.older, 'round')} {'was' if checked.older == 1 else 'were'} {OLDER}"
    if numbers.without:
        yield f"{counted(numbers.without, 'round')} {'was' if numbers.without == 1 else 'were'} {WITHOUT}"


def _found(findings: tuple[Finding, ...]) -> Iterator[str]:
    if findings:
        yield from faults([_fault(finding) for finding in findings], MOST_LISTED)
    else:
        yield from wrapped(ALL_WELL)


def _fault(finding: Finding) -> str:
    where = [f"round {finding.round}"] if finding.round is not None else []
    where += [f"record {finding.version}"] if finding.version is not None else []
    return f"{', '.join(where) or 'the record'} ({finding.fault}): {finding.sentence}"


def _looked_at(look: Fairness) -> Iterator[str]:
    """Describe the distribution of faces, which proves nothing by itself."""
    for finding in look.findings:
        if finding.test.name in LOOKED_AT:
            told = f"{finding.test.name:<8} p {finding.test.p:.4f}  {finding.test.asks}"
            yield from textwrap.wrap(told, WIDTH, subsequent_indent=" " * 19, break_on_hyphens=False)
    yield from wrapped(verdict(look))


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


# -- verify-draw ------------------------------------------------------------------------------------------------------

# The summary for a sound record, by its stage.
DRAW_ALL_WELL = {
    "announced": "All is well so far: the draw is announced and committed to. The entries are not closed yet.",
    "closed": "All is well so far: the entries are closed. Nothing is drawn yet.",
    "drawn": "All is well: every draw follows from the committed secret and the closed entries.",
}


def add_verify_draw(command: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    add_record(command, "a prize draw")


def show_verify_draw(_: Shelf, given: argparse.Namespace) -> int:
    """Check a record and print what was checked and found: 0 if all is well, 1 if not, 2 if it cannot be read."""
    checked = checked_record(given, draw_verification.verify_draw, draw_verification.RecordError)
    if checked is None:
        return 2
    if given.json:
        print_json(_plain_draw(checked))
    else:
        print("\n".join(_shown_draw(checked)))
    return 0 if checked.finding is None else 1


def _shown_draw(checked: DrawVerdict) -> Iterator[str]:
    rule = "one prize each" if checked.one_prize_each else "several prizes for one entrant"
    yield f"promotion  {checked.promotion}"
    yield f"to draw    {counted(len(checked.prizes), 'prize')}, {counted(checked.reserves, 'reserve')}, {rule}"
    if checked.stage != "announced":
        entries = f"{counted(checked.entries, 'entry', 'entries')} of {counted(checked.entrants, 'entrant')}"
        yield f"entries    {entries}, weight {checked.weight:,}"
        yield f"closed     {checked.digest}"
    yield ""
    if checked.finding is not None:
        where = "the record" if checked.finding.line is None else f"line {checked.finding.line:,}"
        yield from faults([f"{where} ({checked.finding.fault}): {checked.finding.sentence}"])
        return
    yield from wrapped(DRAW_ALL_WELL[checked.stage])
    if checked.stage == "drawn":
        yield ""
        yield from _winners(checked)


def _winners(checked: DrawVerdict) -> Iterator[str]:
    for number, draw in list(checked.holders.items())[:MOST_LISTED]:
        told = f"prize {number}, {checked.prizes[number - 1]}: {_winner(draw, number)}"
        yield from wrapped(told, "", "  ")
    if len(checked.prizes) > MOST_LISTED:
        yield f"and {len(checked.prizes) - MOST_LISTED:,} more"


def _winner(draw: Draw, prize: int) -> str:
    if draw.number is None:
        return "no winner, as no entry was left"
    passed = "" if draw.draw == prize else f", to whom it was passed on (draw {draw.draw:,})"
    return f"entry {draw.number:,} of {draw.entrant}{passed}"


def _plain_draw(checked: DrawVerdict) -> dict[str, object]:
    plain: dict[str, object] = msgspec.to_builtins(checked)
    del plain["weight"], plain["results"]
    held = [
        {**msgspec.to_builtins(draw), "prize": prize, "name": checked.prizes[prize - 1]}
        for prize, draw in checked.holders.items()
    ]
    # A weight may be too large for some JSON parsers, so it is text.
    return {"ok": checked.finding is None, **plain, "weight": str(checked.weight), "winners": held}


# -- checker: the page that checks records, prize draws and receipts, as one file to keep -----------------------------


def add_checker(command: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    command.add_argument("file", metavar="FILE", help="the file to write, such as checker.html")


def write_checker(_: Shelf, given: argparse.Namespace) -> int:
    """Write the page. Raises Impossible."""
    try:
        Path(given.file).write_bytes(checker())
    except OSError as error:
        raise Impossible("not_written", f"{given.file} cannot be written ({error.strerror}).") from None
    print(f"{given.file}: open it in a browser. It needs no network.")
    return 0
