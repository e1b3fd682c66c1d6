"""Reports of tables and the house by day, month and year: actual results, and the expected ones.

Days are in the time zone of the table's book. Everything is counted in one pass over the entries of each stream, and
counting can continue with later ones. The same entries make the same bytes.
"""

from __future__ import annotations

import csv
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from fractions import Fraction
from io import StringIO
from math import sqrt
from typing import Any, Literal, get_args

import msgspec
from msgspec.structs import asdict

from croupier.contract.management import Figures, OpenWagers, Pace, Period, WagerFigures
from croupier.house.names import TABLES, name_of
from croupier.house.orders.chips import FROM_ACCOUNT
from croupier.house.reporting.expected import NOTHING, SolvedMachines, Worths
from croupier.house.stored_events import Entry, moment
from croupier.money import format_cents
from croupier.rules.machine import Pick
from croupier.rules.outcomes import Faces
from croupier.rules.shelf import Shelf
from croupier.table import events
from croupier.table.clock import local_day
from croupier.table.events import AnyEvent, ResultTakenBack, RulesAdopted, TableOpened, Thrown, ThrowVoided
from croupier.table.evolve import evolve_all
from croupier.table.state import State, TableView


class Handled(msgspec.Struct):
    """One kind of wager: stakes that won or lost, the number of wagers, and the house's win from them."""

    stakes: int = 0
    wagers: int = 0
    win: int = 0


class Tally(msgspec.Struct):
    """Sums over a period; those of two periods, or of two tables, can be added.

    `settled` is losing stakes less payouts to winners; `commission` is commission taken less commission returned;
    `corrections` is what the house paid to correct wrong payments less what it received. `standing` is the change in
    the expected value of the wagers on the layout, to the house; `luck` is the result of the throws above their mean,
    `variance` the sum of their variances; `at_stake` counts throws that could change anything.
    """

    drop: int = 0
    vouchers: int = 0
    cashed_out: int = 0
    settled: int = 0
    commission: int = 0
    corrections: int = 0
    returned: int = 0
    throws: int = 0
    rounds: int = 0
    at_stake: int = 0
    standing: Fraction = NOTHING
    luck: Fraction = NOTHING
    variance: Fraction = NOTHING
    players: set[str] = msgspec.field(default_factory=set)
    handle: dict[str, Handled] = msgspec.field(default_factory=dict)

    def enter(self, event: events.AnyEvent) -> None:
        """Count an event."""
        count = _COUNT.get(type(event))
        if count is not None:
            count(self, event)

    def handled(self, wager: str) -> Handled:
        """Return the sums of one kind of wager."""
        found = self.handle.get(wager)
        if found is None:
            found = self.handle[wager] = Handled()
        return found

    def add(self, other: Tally) -> None:
        """Add another period, or another table."""
        self._add(other, 1)
        self.players |= other.players

    def take_off(self, other: Tally) -> None:
        """Subtract sums that were counted and no longer hold."""
        self._add(other, -1)
        self.handle = {wager: handled for wager, handled in self.handle.items() if handled != Handled()}

    def _add(self, other: Tally, sign: int) -> None:
        for name in _SUMS:
            setattr(self, name, getattr(self, name) + sign * getattr(other, name))
        for wager, theirs in other.handle.items():
            own = self.handled(wager)
            own.stakes += sign * theirs.stakes
            own.wagers += sign * theirs.wagers
            own.win += sign * theirs.win


_SUMS = tuple(name for name in Tally.__struct_fields__ if name not in ("players", "handle"))


def _seated(tally: Tally, event: events.PlayerSeated) -> None:
    tally.drop += event.chips


def _bought(tally: Tally, event: events.ChipsBought) -> None:
    if event.means in FROM_ACCOUNT:
        tally.drop += event.chips
    else:
        tally.vouchers += event.chips


def _left(tally: Tally, event: events.PlayerLeft) -> None:
    tally.cashed_out += event.chips


def _taken_back(tally: Tally, event: events.ResultTakenBack) -> None:
    """Undo what a wrong result brought; the right one is counted when it is settled."""
    undone = Tally()
    for settled in event.settled:
        _settled(undone, settled)
    for reduced in event.reduced:
        _reduced(undone, reduced)
    tally.throws -= 1
    tally.rounds -= event.ended_round
    tally.take_off(undone)


def _debt(tally: Tally, event: events.DebtIncurred | events.DebtPaid) -> None:
    tally.corrections += event.cents if isinstance(event, events.DebtIncurred) else -event.cents


def _placed(tally: Tally, event: events.WagerPlaced) -> None:
    tally.players.add(event.player)
    if event.commission:
        tally.commission += event.commission
        tally.handled(event.wager).win += event.commission


def _reduced(tally: Tally, event: events.WagerReduced) -> None:
    if event.commission:
        tally.commission -= event.commission
        tally.handled(event.wager).win -= event.commission


def _settled(tally: Tally, event: events.AreaSettled) -> None:
    stakes, in_tokens = sum(row[1] for row in event.stakes), sum(row[1] for row in event.tokens)
    handled = tally.handled(event.wager)
    if event.result == "void":
        commission = sum(row[3] for row in event.stakes) - (stakes - in_tokens)
        tally.returned += stakes
        tally.commission -= commission
        handled.win -= commission
        return
    won = stakes - in_tokens if event.result == "lose" else -sum(row[2] for row in event.stakes)
    tally.settled += won
    handled.win += won
    handled.stakes += stakes
    handled.wagers += len(event.stakes)


def _thrown(tally: Tally, event: events.Thrown) -> None:
    tally.throws += 1
    tally.rounds += event.ends_round


def _corrected(tally: Tally, event: events.PaymentCorrected) -> None:
    tally.corrections += event.cents


_COUNT: dict[type, Callable[[Tally, Any], None]] = {
    events.PlayerSeated: _seated,
    events.ChipsBought: _bought,
    events.PlayerLeft: _left,
    events.WagerPlaced: _placed,
    events.WagerReduced: _reduced,
    events.AreaSettled: _settled,
    events.Thrown: _thrown,
    events.PaymentCorrected: _corrected,
    events.ResultTakenBack: _taken_back,
    events.DebtIncurred: _debt,
    events.DebtPaid: _debt,
}


# Pace: throws in the last hour, and the rate per hour

HOUR = timedelta(hours=1)
SHORTEST = timedelta(minutes=1)  # a shorter span gives no meaningful rate


class Paces:
    """The pace of all tables read so far. A void throw took its time as well."""

    def __init__(self) -> None:
        self._throws: dict[str, deque[datetime]] = {}

    def take_in(self, stream: str, entries: Iterable[Entry]) -> None:
        """Continue with the entries of a stream."""
        throws = self._throws.setdefault(stream, deque())
        for entry in entries:
            if isinstance(entry.document.event, Thrown | ThrowVoided):
                throws.append(moment(entry.document.at))
                while throws[-1] - throws[0] > HOUR:
                    throws.popleft()

    def pace(self, stream: str, now: datetime) -> Pace:
        """Return the pace of a table at a time."""
        lately = [at for at in self._throws.get(stream, ()) if now - HOUR < at <= now]
        span = lately[-1] - lately[0] if lately else timedelta()
        return Pace(len(lately), (len(lately) - 1) / (span / HOUR) if span >= SHORTEST else None)


# Reports

Span = Literal["day", "month", "year"]
Row = dict[str, object]
_LETTERS = {"day": 10, "month": 7, "year": 4}  # characters of a day such as 2024-08-19
_GAME = frozenset(get_args(AnyEvent))
AT_ONCE = 10_000  # most events replayed together

WITHIN = 1.96  # standard deviations: a 95% interval of the normal distribution
FEW = 100  # throws below which the normal approximation is only a rough guide


class Expected(msgspec.Struct, frozen=True):
    """The house's expected win from the wagers made, in cents, exactly, and figures derived from it.

    `win` is the mean. `standing` is the value to the house of the wagers on the layout at the end, less that at the
    beginning: actual win plus `standing` compares with the mean. `luck` is the difference.
    """

    win: Fraction
    variance: Fraction
    standing: Fraction
    luck: Fraction
    throws: int

    @property
    def sd(self) -> float:
        """Standard deviation of the house's win, in cents."""
        return sqrt(self.variance)

    @property
    def low(self) -> float:
        """Lower bound of the 95% interval, by the normal approximation."""
        return float(self.win) - WITHIN * self.sd

    @property
    def high(self) -> float:
        """Upper bound of the 95% interval."""
        return float(self.win) + WITHIN * self.sd

    @property
    def z(self) -> float | None:
        """The house's result in standard deviations above the mean; None if nothing was left to chance."""
        return float(self.luck) / self.sd if self.variance else None

    @property
    def is_rough(self) -> bool:
        """Whether there were too few throws for more than a rough interval."""
        return self.throws < FEW


class Handle(msgspec.Struct, frozen=True):
    """One kind of wager: stakes that won or lost, the number of wagers, and the house's win from them."""

    wager: str
    stakes: int
    wagers: int
    win: int


class Report(msgspec.Struct, frozen=True):
    """One table, or the house (None), over a day, a month or a year; amounts are cents."""

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
        """The house's win as a share of the drop; None if no chips were bought."""
        return Fraction(self.win, self.drop) if self.drop else None

    @property
    def average_stake(self) -> Fraction | None:
        """The average stake of a wager that won or lost, in cents."""
        return Fraction(self.turnover, self.wagers) if self.wagers else None


class Open(msgspec.Struct, frozen=True):
    """Wagers in the same state: how many, the cents they hold, and the house's expected win from them."""

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
    """Reports on all tables read so far."""

    def __init__(self, shelf: Shelf) -> None:
        self._courses = SolvedMachines(shelf)
        self._tables: dict[str, _Reading] = {}

    def take_in(self, stream: str, entries: Iterable[Entry]) -> None:
        """Continue with the entries of a stream; streams other than tables are ignored."""
        if stream.startswith(TABLES):
            table = name_of(stream)
            if table not in self._tables:
                self._tables[table] = _Reading(self._courses)
            self._tables[table].take_in(entries)

    @property
    def tables(self) -> list[str]:
        """The known tables, by name."""
        return sorted(self._tables)

    def table(self, table: str, span: Span = "day") -> list[Report]:
        """Return the reports of one table, period by period; empty if it is unknown."""
        reading = self._tables.get(table)
        return [] if reading is None else _reports(table, [reading], span)

    def day(self, table: str, day: str) -> Report | None:
        """Return the report of one day; None if nothing happened on it."""
        reading = self._tables.get(table)
        if reading is None or day not in reading.days:
            return None
        reading.look()
        return _report(table, day, reading.days[day])

    def house(self, span: Span = "day") -> list[Report]:
        """Return the reports of all tables together. Tables are independent, so variances add; a player counts once."""
        return _reports(None, [self._tables[table] for table in self.tables], span)

    def standing(self, table: str) -> list[Open]:
        """Return the wagers on a table's layout now, in the order in which they were placed."""
        reading = self._tables.get(table)
        return [] if reading is None else list(reading.standing(table))


class _Reading:
    """One table, read from its first entry on."""

    def __init__(self, courses: SolvedMachines) -> None:
        self.days: dict[str, Tally] = {}
        self._courses = courses
        self._worths = Worths(courses)
        self._worth = NOTHING  # value of the layout when last entered
        self._state = State()
        self._waiting: list[AnyEvent] = []  # to be replayed before the state is used
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
        if at[:16] != self._minute:  # UTC offsets are whole minutes
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
        """Enter the distribution of a throw over the wagers before it, and its result."""
        self._replay()
        self._enter_law(self._state, event.faces, 1)

    def _take_back(self, event: ResultTakenBack) -> None:
        """Subtract the entries of a result that is undone."""
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
        """Enter the current value of the wagers on the layout."""
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


# Replies, and rows for CSV


def show_period(report: Report) -> Period:
    """Return a report: money that moved as text, computed values as numbers in dollars, and these exactly."""
    expected, average = report.expected, report.average_stake
    figures = Figures(
        table=report.table,
        period=report.period,
        drop=format_cents(report.drop),
        win=format_cents(report.win),
        hold=None if report.hold is None else float(report.hold),
        turnover=format_cents(report.turnover),
        wagers=report.wagers,
        rounds=report.rounds,
        throws=report.throws,
        players=report.players,
        average_stake=None if average is None else float(average / 100),
        expected=float(expected.win / 100),
        standing=float(expected.standing / 100),
        sd=expected.sd / 100,
        low=expected.low / 100,
        high=expected.high / 100,
        z=expected.z,
        rough=expected.is_rough,
        commission=format_cents(report.commission),
        corrections=format_cents(report.corrections),
        returned=format_cents(report.returned),
        vouchers=format_cents(report.vouchers),
        cashed_out=format_cents(report.cashed_out),
    )
    wagers = [
        WagerFigures(one.wager, format_cents(one.stakes), one.wagers, format_cents(one.win)) for one in report.handle
    ]
    return Period(figures, _exact(report), wagers)


def _exact(report: Report) -> dict[str, str | None]:
    """Return the values that the figures round, as fractions: dollars, and dollars squared for the variance."""
    expected = report.expected
    return {
        "hold": _fraction(report.hold),
        "average_stake": _fraction(report.average_stake, 100),
        "expected": _fraction(expected.win, 100),
        "standing": _fraction(expected.standing, 100),
        "luck": _fraction(expected.luck, 100),
        "variance": _fraction(expected.variance, 100**2),
    }


def show_open(position: Open) -> OpenWagers:
    """Return an open position."""
    return OpenWagers(
        table=position.table,
        wager=position.wager,
        pick=position.pick,
        state=position.state,
        wagers=position.wagers,
        stake=format_cents(position.stake),
        tokens=format_cents(position.tokens),
        commission=format_cents(position.commission),
        worth=float(position.worth / 100),
    )


def period_rows(periods: Iterable[Period]) -> list[Row]:
    """Return one row for each period, with the exact values as further columns."""
    return [asdict(one.figures) | {f"{name}_exact": value for name, value in one.exact.items()} for one in periods]


def wager_rows(periods: Iterable[Period]) -> list[Row]:
    """Return one row for each period and kind of wager."""
    return [
        {"table": one.figures.table, "period": one.figures.period, **asdict(wager)}
        for one in periods
        for wager in one.wagers
    ]


def csv_text(rows: Sequence[Row]) -> str:
    """Return rows as CSV with a header; empty without rows."""
    if not rows:
        return ""
    text = StringIO()
    writer = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def _fraction(value: Fraction | None, unit: int = 1) -> str | None:
    return None if value is None else str(Fraction(value) / unit)
