"""What tables and the house took in, by day, month and year, and what they had to expect.

A day is one where the book of the table is at home. Everything is counted in one pass over the entries of each stream,
and a reading can go on with those that come later. The same entries make the same bytes.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from io import StringIO
from math import sqrt
from typing import Literal, get_args

import msgspec

from croupier.house.names import TABLES, name_of
from croupier.house.reporting.expected import NOTHING, Courses, Worths
from croupier.house.reporting.tallies import Tally
from croupier.house.stored_events import Entry, moment
from croupier.money import format_cents
from croupier.rules.machine import Pick
from croupier.rules.outcomes import Faces
from croupier.rules.shelf import Shelf
from croupier.table.clock import local_day
from croupier.table.events import AnyEvent, ResultTakenBack, RulesAdopted, TableOpened, Thrown
from croupier.table.evolve import evolve_all
from croupier.table.state import State
from croupier.table.view import TableView

Span = Literal["day", "month", "year"]
_LETTERS = {"day": 10, "month": 7, "year": 4}  # of a day such as 2024-08-19
_GAME = frozenset(get_args(AnyEvent))
AT_ONCE = 10_000  # so many events are replayed together at most

WITHIN = 1.96  # standard deviations, between which 95 of 100 results of a normal distribution lie
FEW = 100  # throws, below which a normal distribution is only a rough guide


class Expected(msgspec.Struct, frozen=True):
    """What the house had to expect of the wagers that were made, in cents, exactly; the rest follows from it.

    `win` is the mean. `standing` is what the wagers on the layout are worth to the house at the end, less what those at
    the beginning were: together with what was won it is to be compared with the mean. `luck` is by how much it is more.
    """

    win: Fraction
    variance: Fraction
    standing: Fraction
    luck: Fraction
    throws: int

    @property
    def sd(self) -> float:
        """Standard deviation of what the house wins, in cents."""
        return sqrt(self.variance)

    @property
    def low(self) -> float:
        """The lower end of the interval that holds 95 of 100 results, by a normal distribution."""
        return float(self.win) - WITHIN * self.sd

    @property
    def high(self) -> float:
        """The upper end of it."""
        return float(self.win) + WITHIN * self.sd

    @property
    def z(self) -> float | None:
        """By how many standard deviations the house won more; None where nothing was left to chance."""
        return float(self.luck) / self.sd if self.variance else None

    @property
    def is_rough(self) -> bool:
        """Whether so little was thrown that the interval is only a rough guide."""
        return self.throws < FEW


class Handle(msgspec.Struct, frozen=True):
    """One kind of wager: stakes that won or lost, how many wagers they were, what the house won by them."""

    wager: str
    stakes: int
    wagers: int
    win: int


class Report(msgspec.Struct, frozen=True):
    """One table, or (None) the house, over a day, a month or a year; amounts are cents."""

    table: str | None
    period: str
    drop: int
    vouchers: int
    cashed_out: int
    win: int
    commission: int
    corrections: int
    turnover: int
    wagers: int
    returned: int
    rounds: int
    throws: int
    players: int
    handle: tuple[Handle, ...]
    expected: Expected

    @property
    def hold(self) -> Fraction | None:
        """What the house won of the chips that were bought; None where none were."""
        return Fraction(self.win, self.drop) if self.drop else None

    @property
    def average_stake(self) -> Fraction | None:
        """The stake of a wager that won or lost, on average, in cents."""
        return Fraction(self.turnover, self.wagers) if self.wagers else None


class Open(msgspec.Struct, frozen=True):
    """Wagers that stand alike: how many, what they hold in cents, what the house wins by them on average."""

    table: str
    wager: str
    pick: Pick
    state: str
    wagers: int
    stake: int
    tokens: int
    commission: int
    worth: Fraction


class Reports:
    """Reports on all tables whose entries were taken in."""

    def __init__(self, shelf: Shelf) -> None:
        self._courses = Courses(shelf)
        self._tables: dict[str, _Reading] = {}

    def take_in(self, stream: str, entries: Iterable[Entry]) -> None:
        """Go on with the entries of a stream; what is no table's has no part in it."""
        if stream.startswith(TABLES):
            table = name_of(stream)
            if table not in self._tables:
                self._tables[table] = _Reading(self._courses)
            self._tables[table].take_in(entries)

    @property
    def tables(self) -> list[str]:
        """The tables that there are, by name."""
        return sorted(self._tables)

    def table(self, table: str, span: Span = "day") -> list[Report]:
        """One table, period after period; nothing of one that is not known."""
        reading = self._tables.get(table)
        return [] if reading is None else _reports(table, [reading], span)

    def day(self, table: str, day: str) -> Report | None:
        """One day of a table; None where nothing happened on it."""
        reading = self._tables.get(table)
        if reading is None or day not in reading.days:
            return None
        reading.look()
        return _report(table, day, reading.days[day])

    def house(self, span: Span = "day") -> list[Report]:
        """All tables together. They throw dice of their own, so variances add up; who plays at two is one player."""
        return _reports(None, [self._tables[table] for table in self.tables], span)

    def standing(self, table: str) -> list[Open]:
        """What stands on the layout of a table now, in the order in which it came there."""
        reading = self._tables.get(table)
        return [] if reading is None else list(reading.standing(table))


class _Reading:
    """One table, read from its first entry on."""

    def __init__(self, courses: Courses) -> None:
        self.days: dict[str, Tally] = {}
        self._courses = courses
        self._worths = Worths(courses)
        self._worth = NOTHING  # of what stood when it was last looked at
        self._state = State()
        self._waiting: list[AnyEvent] = []  # to be replayed before the state matters
        self._zone = "UTC"
        self._minute = ""
        self._day = ""
        self._tally = Tally()

    def take_in(self, entries: Iterable[Entry]) -> None:
        for entry in entries:
            event = entry.document.event
            if type(event) in _GAME:
                self._enter(event, entry.document.at)  # type: ignore[arg-type]

    def _enter(self, event: AnyEvent, at: str) -> None:
        if isinstance(event, TableOpened | RulesAdopted):
            self._zone, self._minute = self._courses.shelf.game(event.terms).book.rules.book.timezone, ""
        if at[:16] != self._minute:  # no zone is away from another by parts of a minute
            self._turn_to(local_day(moment(at), self._zone).isoformat())
            self._minute = at[:16]
        if isinstance(event, Thrown):
            self._throw(event)
        elif isinstance(event, ResultTakenBack):
            self._take_back(event)
        self._tally.enter(event)
        self._waiting.append(event)
        if len(self._waiting) >= AT_ONCE:
            self._replay()

    def _turn_to(self, day: str) -> None:
        if day != self._day:
            self.look()
            self._day = day
            self._tally = self.days.setdefault(day, Tally())

    def _throw(self, event: Thrown) -> None:
        """What the throw could do to all that stood before it, and what it did."""
        self._replay()
        self._enter_law(self._state, event.faces, 1)

    def _take_back(self, event: ResultTakenBack) -> None:
        """A result that is taken back brought nothing, and could bring nothing."""
        self._replay()
        assert self._state.latest is not None, "the latest result is the one that is taken back"
        self._enter_law(self._state.latest.before, event.faces, -1)

    def _enter_law(self, state: State, faces: Faces, sign: int) -> None:
        if state.layout:
            law = self._worths.throw(state, faces)
            self._tally.luck += sign * law.luck
            self._tally.variance += sign * law.variance
            self._tally.at_stake += sign * (law.variance > 0)

    def _replay(self) -> None:
        if self._waiting:
            self._state = evolve_all(self._state, self._waiting)
            self._waiting = []

    def look(self) -> None:
        """Enter what the standing wagers are worth now."""
        self._replay()
        worth = self._worths.standing(self._state)
        self._tally.standing += worth - self._worth
        self._worth = worth

    def standing(self, table: str) -> Iterator[Open]:
        self._replay()
        worths = self._worths.by_area(self._state)
        for area, worth in worths.items():
            stakes = self._state.layout[area].values()
            yield Open(
                table=table,
                wager=area.wager,
                pick=TableView(self._courses.shelf, self._state).shown_pick(area),
                state=area.state,
                wagers=len(stakes),
                stake=sum(stake.amount for stake in stakes),
                tokens=sum(stake.tokens for stake in stakes),
                commission=sum(stake.commission for stake in stakes),
                worth=worth,
            )


def _reports(table: str | None, readings: Sequence[_Reading], span: Span) -> list[Report]:
    periods: dict[str, Tally] = {}
    for reading in readings:
        reading.look()
        for day, tally in reading.days.items():
            periods.setdefault(day[: _LETTERS[span]], Tally()).add(tally)
    return [_report(table, period, periods[period]) for period in sorted(periods)]


def _report(table: str | None, period: str, tally: Tally) -> Report:
    win = tally.settled + tally.commission - tally.corrections
    handle = tuple(Handle(wager, each.stakes, each.wagers, each.win) for wager, each in sorted(tally.handle.items()))
    mean = win + tally.standing - tally.luck
    return Report(
        table=table,
        period=period,
        drop=tally.drop,
        vouchers=tally.vouchers,
        cashed_out=tally.cashed_out,
        win=win,
        commission=tally.commission,
        corrections=tally.corrections,
        turnover=sum(each.stakes for each in handle),
        wagers=sum(each.wagers for each in handle),
        returned=tally.returned,
        rounds=tally.rounds,
        throws=tally.throws,
        players=len(tally.players),
        handle=handle,
        expected=Expected(mean, tally.variance, tally.standing, tally.luck, tally.at_stake),
    )


# -- rows -------------------------------------------------------------------------------------------------------------
# Reports as plain rows for JSON and CSV: money that moved as text, what is reckoned as numbers in dollars.

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
