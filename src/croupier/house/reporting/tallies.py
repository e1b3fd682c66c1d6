"""Sums for a table over a period: whole cents from its events, fractions from the exact analysis. And its pace."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from fractions import Fraction
from typing import Any

import msgspec

from croupier.contract.management import Pace
from croupier.house.orders.chips import FROM_ACCOUNT
from croupier.house.reporting.expected import NOTHING
from croupier.house.stored_events import Entry, moment
from croupier.table import events
from croupier.table.events import Thrown, ThrowVoided


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
