"""`croupier fairness`: statistical tests of the dice or coins in a record of throws."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec
from rich.console import Console
from rich.text import Text

from croupier.bounded_reading import TooLong, bounded
from croupier.cli.output import complain, paragraph, print_json
from croupier.maths.fairness import Fairness, FairnessFinding, judge_throws, shown_share, verdict
from croupier.maths.fairness.statistics import LEVELS, POWERS, CountedCell, FairnessTest
from croupier.maths.fairness.throws import ThrowRecord, ThrowsError, read_throws
from croupier.rules.schema import ThrowRules
from croupier.rules.shelf import Shelf

BAR = 40
EIGHTHS = " ▏▎▍▌▋▊▉"
HEADINGS = ("test", "result", "df", "p", "adjusted", "smallest bias (fair)")
WIDTHS = (13, 15, 4, 8, 9)

MOST_IN_A_LINE = 2**20  # characters; a throw takes about ten


def add_fairness(command: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    command.add_argument("file", metavar="FILE", nargs="?", default="-", help="a record of throws (standard input)")
    command.add_argument("--book", metavar="BOOK", help="a book whose throws these must be")
    command.add_argument("--json", action="store_true", help="print JSON")
    command.add_argument("--level", default="0.05", help="the significance level (0.05)")
    command.add_argument("--power", default="0.9", help="the power for the smallest bias (0.9)")


def show_fairness(shelf: Shelf, given: argparse.Namespace) -> int:
    """Read a record, run every test on it and print the results."""
    rules = None if given.book is None else shelf.book(given.book).rules.throw
    try:
        level, power = _chance("level", given.level, LEVELS), _chance("power", given.power, POWERS)
        fairness = judge_throws(read_record(given.file, rules), level, power)
    except ThrowsError as error:
        return complain(error)
    if given.json:
        print_json(_plain(fairness, given.book))
    else:
        _show(Console(highlight=False), fairness, given.book)
    return 0


def _chance(name: str, text: str, limits: tuple[float, float]) -> float:
    try:
        chance = float(text)
    except ValueError:
        chance = -1.0
    if not limits[0] <= chance <= limits[1]:
        raise ThrowsError(f"--{name} must be a number from {limits[0]} to {limits[1]}, not {text}")
    return chance


def read_record(name: str, rules: ThrowRules | None) -> ThrowRecord:
    """Read the record in a file, or on standard input as `-`. Raises ThrowsError."""
    if name == "-":
        return _read_lines("standard input", bounded(sys.stdin, MOST_IN_A_LINE) if sys.stdin else (), rules)
    try:
        with Path(name).open(encoding="utf-8-sig") as lines:
            return _read_lines(name, bounded(lines, MOST_IN_A_LINE), rules)
    except OSError as error:
        raise ThrowsError(f"{name} cannot be read ({error.strerror})") from None


def _read_lines(name: str, lines: Iterable[str], rules: ThrowRules | None) -> ThrowRecord:
    try:
        return read_throws(lines, rules)
    except ThrowsError as error:
        raise ThrowsError(f"{name}: {error}") from None
    except TooLong as error:
        raise ThrowsError(f"{name}: {error}") from None
    except UnicodeDecodeError:
        raise ThrowsError(f"{name} is not UTF-8 text") from None


# -- text output ------------------------------------------------------------------------------------------------------


def _show(console: Console, fairness: Fairness, book: str | None) -> None:
    console.print(_heading(fairness.record, book), markup=False)
    console.print()
    for line in _bars(fairness.faces):
        console.print(line, markup=False)
    console.print()
    console.print(Text(_row(HEADINGS), style="bold"))
    for finding in fairness.findings:
        console.print(_row(_cells(finding)), markup=False)
        paragraph(console, finding.test.asks, 2, "dim")
    if fairness.left_out:
        console.print()
    for left_out in fairness.left_out:
        paragraph(console, f"Left out: {left_out.name}; {left_out.reason}.")
    console.print()
    paragraph(console, _legend(fairness), style="dim")
    console.print()
    paragraph(console, verdict(fairness), style="bold")


def _legend(fairness: Fairness) -> str:
    many, tests = fairness.record.kind.many, len(fairness.findings)
    return (
        f"p: how often fair {many} give a result as extreme. adjusted: p corrected for {tests} tests. "
        f"smallest bias: what this test finds with {100 * fairness.power:.4g}% power at level {fairness.level:g}."
    )


def _heading(record: ThrowRecord, book: str | None) -> str:
    heading = f"{len(record.throws):,} throws of {record.kind}" + (f" by {book}" if book else "")
    counts = ((record.voids, "void"), (record.refused, "refused"))
    left_out = ", ".join(f"{count:,} {name}" for count, name in counts if count)
    return f"{heading}; left out: {left_out}" if left_out else heading


def _bars(cells: Sequence[CountedCell]) -> list[str]:
    """Return each face with its share, and a mark at the share expected of fair dice or coins."""
    total = sum(cell.count for cell in cells)
    fair = float(cells[0].expected) / total
    scale = BAR / max(1.25 * fair, *(cell.count / total for cell in cells))
    mark = round(fair * scale)
    width = max(len(cell.label) for cell in cells)
    lines = []
    for cell in cells:
        share = cell.count / total
        whole, part = divmod(round(8 * share * scale), 8)
        bar = ("█" * whole + EIGHTHS[part]).rstrip().ljust(BAR)
        bar = f"{bar[:mark]}│{bar[mark + 1 :]}".rstrip()
        lines.append(f"{cell.label:>{width}} {cell.count:>9,} {share:>7.1%}  {bar}")
    lines.append(f"{'':{width + 20 + mark}}│ {fair:.1%} if fair")
    return lines


def _row(cells: Sequence[str]) -> str:
    """Return a row with figures right-aligned and words left-aligned."""
    name, *figures, bias = cells
    columns = [name.ljust(WIDTHS[0]), *(cell.rjust(width) for cell, width in zip(figures, WIDTHS[1:], strict=True))]
    return f"{''.join(columns)}  {bias}"


def _cells(finding: FairnessFinding) -> tuple[str, ...]:
    test = finding.test
    degrees = "" if test.degrees is None else str(test.degrees)
    return test.name, _result(test), degrees, _p(test.p), _p(finding.adjusted), _bias(finding)


def _result(test: FairnessTest) -> str:
    if test.measure in ("χ²", "r"):
        return f"{test.measure} {float(test.statistic):.{2 if test.measure == 'χ²' else 3}f}"
    return f"{int(test.statistic):,} {test.measure}"


def _p(chance: float) -> str:
    return "<0.0001" if chance < 0.0001 else f"{chance:.4f}"


def _bias(finding: FairnessFinding) -> str:
    bias = finding.test.bias
    if finding.alone is None:
        return "too few throws to say"
    if not bias.fair:
        return f"{bias.what} {finding.alone:.3f} (0)"
    return f"{bias.what} {shown_share(float(bias.fair), finding.alone)}"


# -- JSON output ------------------------------------------------------------------------------------------------------


def _plain(fairness: Fairness, book: str | None) -> dict[str, object]:
    record = fairness.record
    return {
        "book": book,
        "thrown": str(record.kind),
        "faces": list(record.kind.faces),
        "throws": len(record.throws),
        "void": record.voids,
        "refused": record.refused,
        "level": fairness.level,
        "power": fairness.power,
        "counts": _plain_cells(fairness.faces),
        "tests": [_plain_test(finding) for finding in fairness.findings],
        "left_out": msgspec.to_builtins(fairness.left_out),
        "suspected": bool(fairness.against),
        "verdict": verdict(fairness),
    }


def _plain_test(finding: FairnessFinding) -> dict[str, object]:
    test = finding.test
    return {
        "test": test.name,
        "asks": test.asks,
        "measure": test.measure,
        "statistic": float(test.statistic),
        "exact": str(test.statistic),
        "df": test.degrees,
        "method": test.method,
        "p": test.p,
        "adjusted": finding.adjusted,
        "smallest_bias": {
            "of": test.bias.what,
            "fair": str(test.bias.fair),
            "alone": finding.alone,
            "together": finding.together,
        },
        "cells": _plain_cells(test.cells),
    }


def _plain_cells(cells: Sequence[CountedCell]) -> list[dict[str, object]]:
    return [{"cell": cell.label, "count": cell.count, "expected": str(cell.expected)} for cell in cells]
