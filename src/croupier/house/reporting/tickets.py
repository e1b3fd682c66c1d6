"""Draw entries earned by play: what people staked at tables in a period, and how many tickets that earns.

Stakes of wagers that won or lost count, in cents, at the time they were settled. A returned wager does not count, nor
one forfeited because its outcome was invalidated: neither was decided. What a corrected result had settled does not
count, and what the right one settles does; correcting a wrong payment changes no stake. Commission is not part of the
stake, and neither is a promotional token, which is the house's own; the rest of the wager has to reach the minimum
(reading X-40).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

import msgspec

from croupier.house.stored_events import FORMAT, Entry, stamp
from croupier.house.table_state import TableState
from croupier.prizes.public_draw import MOST
from croupier.prizes.terms import Entry as Ticket
from croupier.prizes.terms import Terms
from croupier.rules.shelf import Shelf
from croupier.store.records import Record
from croupier.table.events import AreaSettled, OutcomeInvalidated, ResultTakenBack, Thrown

_FRONT = f'{{"format":{FORMAT},"at":"'.encode()  # how a document begins


class Counting(msgspec.Struct, frozen=True):
    """What counts: stakes settled from `since` until before `until`, on these wagers or on all if none is named.

    Each has to reach the minimum. Every `cents` staked earn one ticket.
    """

    since: str
    until: str
    cents: int
    wagers: frozenset[str] = frozenset()
    minimum: int = 0


class Played(msgspec.Struct, frozen=True):
    """The result of a count: cents by person, the entries that they earn, and the version read of each table."""

    staked: dict[str, int]
    entries: tuple[Ticket, ...]
    tables: dict[str, int]


class Earned(msgspec.Struct, frozen=True):
    """What a person's play has earned: counted cents, tickets, and the cents missing for the next ticket.

    `missing` is None if there is no next ticket.
    """

    cents: int
    tickets: int
    missing: int | None


def earned(counting: Counting, cents: int) -> Earned:
    """Return what an amount has earned."""
    tickets = min(cents // counting.cents, MOST)
    return Earned(cents, tickets, None if tickets == MOST else counting.cents - cents % counting.cents)


def counting_of(terms: Terms) -> Counting | None:
    """Return how the terms of a promotion count play; None if it earns nothing, or the terms are incomplete."""
    earning, since, until = terms.earning, terms.time("starts"), terms.time("entries_close")
    if earning is None or since is None or until is None:
        return None
    least = terms.said.get("minimum_wager")
    minimum = least if isinstance(least, int) else 0
    return Counting(stamp(since), stamp(until), earning.cents, frozenset(earning.wagers), minimum)


def tables_that_count(shelf: Shelf, book: str, terms: Terms, tables: Iterable[TableState]) -> list[str]:
    """Return the tables where play counts: those that the terms name, or all ever played under the book."""
    named = () if terms.earning is None else terms.earning.tables
    return [
        table.name
        for table in tables
        if (table.name in named if named else any(shelf.game(each).book.id == book for each in table.game.terms))
    ]


class Plays:
    """A running count over the entries of tables, one stream after another."""

    def __init__(self, counting: Counting) -> None:
        self.staked: dict[str, int] = {}
        self._counting = counting
        self._invalidated: str | None = None  # the order that invalidated an outcome
        self._of_result: Counter[str] = Counter()  # what was counted of the latest result
        self._result: str | None = None  # the order that settled it

    def take_in(self, entries: Iterable[Entry]) -> None:
        """Count settled stakes; all events of one order come together."""
        for entry in entries:
            match entry.document.event:
                case OutcomeInvalidated():
                    self._invalidated = entry.document.order
                case Thrown():
                    self._of_result, self._result = Counter(), entry.document.order
                case ResultTakenBack():
                    for player, cents in self._of_result.items():
                        self.staked[player] -= cents
                    self._of_result = Counter()
                case AreaSettled(result="win" | "lose") as event if self._counts(entry, event.wager):
                    self._enter(event, of_result=entry.document.order == self._result)

    def _counts(self, entry: Entry, wager: str) -> bool:
        document, counting = entry.document, self._counting
        if self._invalidated is not None and document.order == self._invalidated:
            return False
        on_it = not counting.wagers or wager in counting.wagers
        return on_it and counting.since <= document.at < counting.until

    def _enter(self, event: AreaSettled, of_result: bool) -> None:
        tokens = {player: laid for player, laid, _ in event.tokens}
        for player, stake, _, _ in event.stakes:
            cents = stake - tokens.get(player, 0)
            if cents and cents >= self._counting.minimum:
                self.staked[player] = self.staked.get(player, 0) + cents
                self._of_result[player] += cents if of_result else 0

    def entries(self) -> tuple[Ticket, ...]:
        """Return one entry for each person with tickets, by name, weighted by their number of tickets."""
        worth = ((person, earned(self._counting, cents).tickets) for person, cents in sorted(self.staked.items()))
        return tuple(Ticket(person, person, weight) for person, weight in worth if weight)


class SoFar(NamedTuple):
    """The count of one table up to a version, to be continued from there."""

    plays: Plays
    upto: int


class Stretch(NamedTuple):
    """The earliest and latest time in a part of a stream; None if unknown for some of it."""

    earliest: str | None
    latest: str | None

    def touches(self, counting: Counting) -> bool:
        """Return whether anything in it may count."""
        if self.earliest is None or self.latest is None:
            return True
        return self.earliest < counting.until and self.latest >= counting.since


def stretch_of(records: Iterable[Record]) -> Stretch:
    """Return the time range of all events of a part: after a clock is set back, times are not in order."""
    times = [_time_of(record.document) for record in records]
    known = [time for time in times if time is not None]
    return Stretch(min(known), max(known)) if known and len(known) == len(times) else Stretch(None, None)


def _time_of(stored: object) -> str | None:
    """Return the time of a document without decoding the rest; None if it does not begin as expected."""
    if not isinstance(stored, bytes) or not stored.startswith(_FRONT):
        return None
    start = len(_FRONT)
    return stored[start : stored.find(b'"', start)].decode("ascii", "replace")
