"""`croupier verify-draw`: whether a prize draw was correct, from its public record alone; and `croupier checker`."""

from __future__ import annotations

import argparse
import textwrap
from collections.abc import Iterator
from pathlib import Path

import msgspec

from croupier.cli.verify_dice import add_record, checked_record
from croupier.prizes.draw_verification import DrawVerdict, RecordError, verify_draw
from croupier.prizes.public_draw import Draw
from croupier.rules.errors import Impossible
from croupier.rules.shelf import Shelf
from croupier.web.checker import checker

WIDTH = 80
MOST_LISTED = 50

# The summary for a sound record, by its stage.
ALL_WELL = {
    "announced": "All is well so far: the draw is announced and committed to. The entries are not closed yet.",
    "closed": "All is well so far: the entries are closed. Nothing is drawn yet.",
    "drawn": "All is well: every draw follows from the secret that was committed to and the entries that were closed.",
}


def add_verify_draw(command: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    add_record(command, "a prize draw")


def show_verify_draw(_: Shelf, given: argparse.Namespace) -> int:
    """Check a record and print what was checked and found: 0 if all is well, 1 if not, 2 if it cannot be read."""
    checked = checked_record(given, verify_draw, RecordError)
    if checked is None:
        return 2
    if given.json:
        print(msgspec.json.format(msgspec.json.encode(_plain(checked)), indent=2).decode())
    else:
        print("\n".join(_shown(checked)))
    return 0 if checked.finding is None else 1


# -- text output ------------------------------------------------------------------------------------------------------


def _shown(checked: DrawVerdict) -> Iterator[str]:
    rule = "one prize each" if checked.one_prize_each else "several prizes for one entrant"
    yield f"promotion  {checked.promotion}"
    yield f"to draw    {_counted(len(checked.prizes), 'prize')}, {_counted(checked.reserves, 'reserve')}, {rule}"
    if checked.stage != "announced":
        entries = f"{_counted(checked.entries, 'entry', 'entries')} of {_counted(checked.entrants, 'entrant')}"
        yield f"entries    {entries}, weight {checked.weight:,}"
        yield f"closed     {checked.digest}"
    yield ""
    if checked.finding is not None:
        yield from _wrong(checked)
        return
    yield from textwrap.wrap(ALL_WELL[checked.stage], WIDTH)
    if checked.stage == "drawn":
        yield ""
        yield from _winners(checked)


def _wrong(checked: DrawVerdict) -> Iterator[str]:
    finding = checked.finding
    assert finding is not None, "called where something is wrong"
    where = "the whole" if finding.line is None else f"line {finding.line:,}"
    told = f"{where} ({finding.fault}): {finding.sentence}"
    yield "This is not as it must be:"
    yield from textwrap.wrap(told, WIDTH, initial_indent="- ", subsequent_indent="  ")


def _winners(checked: DrawVerdict) -> Iterator[str]:
    for number, draw in list(checked.holders.items())[:MOST_LISTED]:
        told = f"prize {number}, {checked.prizes[number - 1]}: {_winner(draw, number)}"
        yield from textwrap.wrap(told, WIDTH, subsequent_indent="  ")
    if len(checked.prizes) > MOST_LISTED:
        yield f"and {len(checked.prizes) - MOST_LISTED:,} more"


def _winner(draw: Draw, prize: int) -> str:
    if draw.number is None:
        return "nobody, as no entry was left"
    passed = "" if draw.draw == prize else f", to whom it was passed on (draw {draw.draw:,})"
    return f"entry {draw.number:,} of {draw.entrant}{passed}"


def _counted(number: int, one: str, several: str | None = None) -> str:
    return f"{number:,} {one if number == 1 else several or f'{one}s'}"


# -- JSON output ------------------------------------------------------------------------------------------------------


def _plain(checked: DrawVerdict) -> dict[str, object]:
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
    command.add_argument("file", metavar="FILE", help="where the page goes, such as checker.html")


def write_checker(_: Shelf, given: argparse.Namespace) -> int:
    """Write the page. Raises Impossible."""
    try:
        Path(given.file).write_bytes(checker())
    except OSError as error:
        raise Impossible("not_written", f"{given.file} cannot be written ({error.strerror}).") from None
    print(f"{given.file}: open it in a browser. It asks the network for nothing.")
    return 0
