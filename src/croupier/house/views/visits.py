"""A player's visit to a table, result by result: their chips in hand and on the felt. From events alone."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from typing import NamedTuple

from croupier.contract.replies import VisitCourse, VisitPoint
from croupier.house.account_state import Visit
from croupier.house.events import DiceDrawn
from croupier.house.stored_events import Entry, StoredEvent, moment, read, stamp
from croupier.ledger import hand, postings
from croupier.money import format_cents
from croupier.rules.outcomes import Faces
from croupier.store.contract import Reading
from croupier.table import events

PIECE = 1_000  # events read together
MOST_AT_ONCE = 20_000  # events read for one request; the next request goes on
MOST_POINTS = 500  # results that are shown


class Point(NamedTuple):
    """A player's chips after a result, and what they had brought."""

    version: int
    at: str
    round: int | None
    faces: Faces
    call: str | None
    chips: int
    brought: int

    @property
    def net(self) -> int:
        """What was won or lost since sitting down."""
        return self.chips - self.brought


class CourseOfVisit:
    """The course of one visit, up to an event. Reading begins after `version`, before the event of sitting down."""

    def __init__(self, person: str, version: int) -> None:
        self.version = version
        self._person = person
        self._start: int | None = None  # the chips of sitting down
        self._hand = self._felt = self._brought = 0
        self._until: str | None = None
        self._round: int | None = None
        self._order: str | None = None  # of the latest throw
        self._results = 0
        self._points: deque[Point] = deque(maxlen=MOST_POINTS)
        self._best: Point | None = None  # before the latest result, which may be taken back
        self._lowest: Point | None = None

    def go_on(self, store: Reading, stream: str, end: int) -> None:
        """Read the events up to a version, at most MOST_AT_ONCE of them. Raises StoreError, UnknownFormat."""
        end = min(end, self.version + MOST_AT_ONCE)
        while self.version < end:
            self.take_in([read(record) for record in store.read(stream, self.version, min(PIECE, end - self.version))])

    def take_in(self, entries: Iterable[Entry]) -> None:
        """Follow these events."""
        for entry in entries:
            if self._until is None:
                self._enter(entry)
            self.version = entry.version

    def _enter(self, entry: Entry) -> None:
        document, person = entry.document, self._person
        event = document.event
        if self._start is None:
            if isinstance(event, events.PlayerSeated) and event.player == person:
                self._start = self._hand = self._brought = event.chips
            return
        match event:
            case DiceDrawn():
                self._round = event.number
            case events.PlayerLeft(player=player) if player == person:
                self._until = document.at
                return
            case events.ChipsBought(player=player) if player == person:
                self._brought += event.chips
            case events.Thrown():
                self._throw(entry, event)
            case events.ResultTakenBack():
                self._take_back()
        self._move(event)
        if self._points and document.order is not None and document.order == self._order:
            self._points[-1] = self._points[-1]._replace(chips=self._hand + self._felt, brought=self._brought)

    def _move(self, event: StoredEvent) -> None:
        own = hand(self._person)
        entry = postings(event)  # type: ignore[arg-type]  # of any other event it is empty
        self._hand += sum(posting.cents for posting in entry if posting.account == own)
        self._felt += _laid(event, self._person)

    def _throw(self, entry: Entry, event: events.Thrown) -> None:
        if self._points:
            self._best, self._lowest = self._extremes()
        self._order, self._results = entry.document.order, self._results + 1
        at, chips = entry.document.at, self._hand + self._felt
        self._points.append(Point(entry.version, at, self._round, event.faces, event.call, chips, self._brought))
        self._round = None

    def _take_back(self) -> None:
        """Forget the latest result: another takes its place."""
        if self._points and self._order is not None:
            self._points.pop()
            self._results -= 1
        self._order = None

    def _extremes(self) -> tuple[Point | None, Point | None]:
        """Return the best and the lowest moment; of equal ones the earlier."""
        points = [] if not self._points else [self._points[-1]]
        good = points if self._best is None else [self._best, *points]
        bad = points if self._lowest is None else [self._lowest, *points]
        return max(good, key=_net, default=None), min(bad, key=_net, default=None)

    def shown(self, version: int, visit: Visit) -> VisitCourse:
        """Return the course so far, at a table that has come to this version."""
        best, lowest = self._extremes()
        chips = self._hand + self._felt
        return VisitCourse(
            counted=version if self._until is not None else self.version,
            version=version,
            since=stamp(visit.since),
            until=self._until,
            start=format_cents(self._start or 0),
            brought=format_cents(self._brought),
            chips=format_cents(chips),
            net=format_cents(chips - self._brought),
            results=self._results,
            points=[_point(one) for one in self._points],
            best=None if best is None else _point(best),
            lowest=None if lowest is None else _point(lowest),
        )


def _laid(event: StoredEvent, person: str) -> int:
    """Return by how much an event changes what a player has on the felt."""
    match event:
        case events.WagerPlaced(player=player) if player == person:
            return event.amount
        case events.WagerReduced(player=player) if player == person:
            return -event.amount
        case events.AreaSettled():
            return -sum(row[1] for row in event.stakes if row[0] == person)
        case events.ResultTakenBack():
            undone: list[StoredEvent] = [*event.settled, *event.reduced]
            return -sum(_laid(each, person) for each in undone)
    return 0


def _net(one: Point) -> int:
    return one.net


def _point(one: Point) -> VisitPoint:
    return VisitPoint(
        version=one.version,
        at=one.at,
        round=one.round,
        faces=list(one.faces),
        call=one.call,
        chips=format_cents(one.chips),
        net=format_cents(one.net),
    )


def first_since(store: Reading, stream: str, head: int, visit: Visit) -> int:
    """Return the version before the first event at or after the beginning of a visit.

    The times of a stream never go back, so it is found by halving. Raises StoreError.
    """
    least, most = 0, head
    while least < most:
        middle = (least + most) // 2
        if moment(read(store.read(stream, middle, 1)[0]).document.at) < visit.since:
            least = middle + 1
        else:
            most = middle
    return least
