"""Reports as plain rows for JSON and CSV: money that moved as text, what is reckoned as numbers in dollars."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from fractions import Fraction
from io import StringIO

from croupier.house.reporting.reports import Open, Report
from croupier.money import format_cents

Row = dict[str, object]


def report_row(report: Report) -> Row:
    """A report as a line of a table: money that moved as text, what is reckoned as numbers in dollars."""
    expected = report.expected
    return {
        "table": report.table,
        "period": report.period,
        **{name: format_cents(getattr(report, name)) for name in ("drop", "win")},
        "hold": _number(report.hold),
        "turnover": format_cents(report.turnover),
        **{name: getattr(report, name) for name in ("wagers", "rounds", "throws", "players")},
        "average_stake": _dollars(report.average_stake),
        "expected": _dollars(expected.win),
        "standing": _dollars(expected.standing),
        "sd": expected.sd / 100,
        "low": expected.low / 100,
        "high": expected.high / 100,
        "z": expected.z,
        "rough": expected.is_rough,
        **{
            name: format_cents(getattr(report, name))
            for name in ("commission", "corrections", "returned", "vouchers", "cashed_out")
        },
    }


def exact_row(report: Report) -> Row:
    """What `report_row` rounds, as fractions: dollars, and dollars squared for the variance."""
    expected = report.expected
    return {
        "hold": _fraction(report.hold),
        "average_stake": _fraction(report.average_stake, 100),
        **{
            name: _fraction(cents, 100) for name, cents in (("expected", expected.win), ("standing", expected.standing))
        },
        "luck": _fraction(expected.luck, 100),
        "variance": _fraction(expected.variance, 100**2),
    }


def handle_rows(report: Report) -> list[Row]:
    """The wagers of a report, one line for each kind."""
    return [
        {
            "table": report.table,
            "period": report.period,
            "wager": each.wager,
            "turnover": format_cents(each.stakes),
            "wagers": each.wagers,
            "win": format_cents(each.win),
        }
        for each in report.handle
    ]


def open_row(position: Open) -> Row:
    """An open position as a line of a table."""
    return {
        "table": position.table,
        "wager": position.wager,
        "pick": position.pick,
        "state": position.state,
        "wagers": position.wagers,
        **{name: format_cents(getattr(position, name)) for name in ("stake", "tokens", "commission")},
        "worth": _dollars(position.worth),
    }


def csv_text(rows: Sequence[Row]) -> str:
    """Lines of a table as CSV, with their names above; nothing where there are none."""
    if not rows:
        return ""
    text = StringIO()
    writer = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def _fraction(value: Fraction | None, unit: int = 1) -> str | None:
    return None if value is None else str(Fraction(value) / unit)


def _number(value: Fraction | None) -> float | None:
    return None if value is None else float(value)


def _dollars(cents: Fraction | None) -> float | None:
    return None if cents is None else float(cents / 100)
