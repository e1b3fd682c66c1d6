"""Play that becomes entries of a draw: what people staked at tables in a time, and how many tickets that is worth.

Counted are the stakes of wagers that won or lost, in cents, by the time at which they were settled. A wager that was
given back does not count, nor one that was forfeited because its outcome was invalidated: nothing has decided it.
What a corrected result had settled does not count, and what the right one settles does; a wrong payment that is put
right changes nobody's stake. Commission is no stake, and neither is a promotional token, which is the house's own; the
rest of the wager has to reach the minimum (reading X-40).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

import msgspec

from croupier.house.stored_events import FORMAT, Entry, stamp
from croupier.house.tables import TableState
from croupier.prizes.draws.lines import MOST
from croupier.prizes.terms import Entry as Ticket
from croupier.prizes.terms import Terms
from croupier.rules.shelf import Shelf
from croupier.store.records import Record
from croupier.table.events import AreaSettled, OutcomeInvalidated, ResultTakenBack, Thrown

_FRONT = f'{{"format":{FORMAT},"at":"'.encode()  # how a document begins


class Counting(msgspec.Struct, frozen=True):
    """What counts: from a time until before another, as times are stored; on these wagers, or on all where none is
    named; each of at least a minimum. One ticket is for so many `cents`.
    """

    since: str
    until: str
    cents: int
    wagers: frozenset[str] = frozenset()
    minimum: int = 0


class Played(msgspec.Struct, frozen=True):
    """What was counted: cents by person, the entries that they make, and how far each table was read."""

    staked: dict[str, int]
    entries: tuple[Ticket, ...]
    tables: dict[str, int]


class Earned(msgspec.Struct, frozen=True):
    """What somebody's play is worth: cents that count, tickets, and the cents that are missing to the next one.

    `missing` is None where there is no next one.
    """

    cents: int
    tickets: int
    missing: int | None


def earned(counting: Counting, cents: int) -> Earned:
    """What so many cents are worth."""
    tickets = min(cents // counting.cents, MOST)
    return Earned(cents, tickets, None if tickets == MOST else counting.cents - cents % counting.cents)


def counting_of(terms: Terms) -> Counting | None:
    """How the terms of a promotion count play; None where it earns nothing, or where they are not whole."""
    earning, since, until = terms.earning, terms.time("starts"), terms.time("entries_close")
    if earning is None or since is None or until is None:
        return None
    least = terms.said.get("minimum_wager")
    minimum = least if isinstance(least, int) else 0
    return Counting(stamp(since), stamp(until), earning.cents, frozenset(earning.wagers), minimum)


def tables_that_count(shelf: Shelf, book: str, terms: Terms, tables: Iterable[TableState]) -> list[str]:
    """The tables at which play counts: those that the terms name, or all that were ever played by the book."""
    named = () if terms.earning is None else terms.earning.tables
    return [
        table.name
        for table in tables
        if (table.name in named if named else any(shelf.game(each).book.id == book for each in table.game.terms))
    ]


class Plays:
    """A count that goes on with the entries of one table's stream after the other's."""

    def __init__(self, counting: Counting) -> None:
        self.staked: dict[str, int] = {}
        self._counting = counting
        self._invalidated: str | None = None  # the order by which an outcome was
        self._of_result: Counter[str] = Counter()  # what was counted of the latest result
        self._result: str | None = None  # the order by which that was settled

    def take_in(self, entries: Iterable[Entry]) -> None:
        """Count what was settled; what an order led to comes in one piece."""
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
        """One entry for everybody who has earned a ticket, by name; it weighs as many as they have earned."""
        worth = ((person, earned(self._counting, cents).tickets) for person, cents in sorted(self.staked.items()))
        return tuple(Ticket(person, person, weight) for person, weight in worth if weight)


class SoFar(NamedTuple):
    """The play of one table up to a version; the count goes on from there."""

    plays: Plays
    upto: int


class Stretch(NamedTuple):
    """The earliest and the latest time in a piece of a stream; None where some of it cannot be told."""

    earliest: str | None
    latest: str | None

    def touches(self, counting: Counting) -> bool:
        """Whether anything in it may count."""
        if self.earliest is None or self.latest is None:
            return True
        return self.earliest < counting.until and self.latest >= counting.since


def stretch_of(records: Iterable[Record]) -> Stretch:
    """When the events of a piece were made, every one of them: where a clock is put back, times are in no order."""
    times = [_time_of(record.document) for record in records]
    known = [time for time in times if time is not None]
    return Stretch(min(known), max(known)) if known and len(known) == len(times) else Stretch(None, None)


def _time_of(stored: object) -> str | None:
    """When a document was made, without reading the rest of it; None where it does not begin as documents do."""
    if not isinstance(stored, bytes) or not stored.startswith(_FRONT):
        return None
    start = len(_FRONT)
    return stored[start : stored.find(b'"', start)].decode("ascii", "replace")
