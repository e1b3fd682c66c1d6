"""Invariants checked during and after a fault simulation. Every check yields one sentence per violation."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from itertools import groupby

from croupier.contract.replies import OrderReply
from croupier.fault_simulation.node import Node, Published
from croupier.fault_simulation.simulated_people import SentOrder
from croupier.house import account_state as account_books
from croupier.house import events as house
from croupier.house.account_state import Account, Visit
from croupier.house.electronic.public_record import public_record
from croupier.house.electronic.verification import verify_dice
from croupier.house.events import TableSet
from croupier.house.house import House
from croupier.house.names import table_stream, titles
from croupier.house.orders import AtTable, Submission
from croupier.house.orders.people import ZONE
from croupier.house.reporting.bookkeeping import Books
from croupier.house.stored_events import Document, Entry, moment
from croupier.ledger import hand
from croupier.rules.book import Book
from croupier.rules.conduct import PLAYER
from croupier.rules.shelf import Shelf
from croupier.store.contract import Boundary
from croupier.store.group_commit import Batch
from croupier.store.memory import MemoryStore
from croupier.store.records import Record, anchor, link
from croupier.table import events as table_events
from croupier.table.clock import local_day
from croupier.table.events import TableOpened

Records = Mapping[str, list[Record]]
Read = Mapping[str, list[Entry]]


def broken_chains(records: Records) -> Iterator[str]:
    """Check that versions have no gaps and each hash covers everything before it."""
    for stream, stored in records.items():
        last = anchor(stream)
        for place, record in enumerate(stored, 1):
            last = link(last, record.document)
            if record.version != place or record.hash != last:
                yield f"{stream}: event {place} does not follow the one before it"


# Orders


def lost_or_doubled(read: Read, asked: Iterable[SentOrder]) -> Iterator[str]:
    """Check that each acknowledged order is stored once, in full; each refused one not at all; and all are answered."""
    written: defaultdict[str, defaultdict[str, list[Entry]]] = defaultdict(lambda: defaultdict(list))
    for stream, entries in read.items():
        for entry in entries:
            written[entry.document.order or ""][stream].append(entry)
    for given, answers in asked:
        there = written[given.id]
        if not answers:
            yield f"{given.id} was never answered"
        else:
            yield from _against(given, answers, there)
        yield from _once(given, there)


def _against(given: Submission, answers: Sequence[OrderReply], there: Mapping[str, list[Entry]]) -> Iterator[str]:
    """Compare what is stored of an order with its answers."""
    if any(answer != answers[0] for answer in answers):
        yield f"{given.id} was answered in two different ways"
    if answers[0].ok:
        if answers[0]["versions"] != {stream: entries[-1].version for stream, entries in there.items()}:
            yield f"{given.id} was acknowledged but is not stored"
    elif there:
        yield f"{given.id} was refused but is stored"


def _once(given: Submission, there: Mapping[str, list[Entry]]) -> Iterator[str]:
    """Check that an order's events were decided at one moment, are contiguous, and follow the version it expected."""
    # If a clock was set back, a table whose record is already later keeps its own, later time.
    if any(len({entry.document.at for entry in entries}) > 1 for entries in there.values()):
        yield f"{given.id} is stored more than once"
    for stream, entries in there.items():
        if entries[-1].version - entries[0].version + 1 != len(entries):
            yield f"{given.id} is stored in pieces in {stream}"
    order = given.order
    if isinstance(order, AtTable) and order.version is not None:
        first = there.get(table_stream(order.table))
        if first and first[0].version != order.version + 1:
            yield f"{given.id} was for version {order.version} but is stored as {first[0].version}"


# Processes


def wrong_memories(shelf: Shelf, records: Records, nodes: Sequence[Node]) -> Iterator[str]:
    """Check that each process holds in memory what the store has, once it has caught up."""
    for stream, stored in records.items():
        fresh = House(shelf)
        fresh.take_in(stream, stored)
        for node in nodes:
            if not node.house.has(stream):
                continue
            if node.house.head(stream) != fresh.head(stream) or node.house.state(stream) != fresh.state(stream):
                yield f"{stream}: a process does not hold what the store has"
            if node.house.newest_head(stream) != fresh.head(stream):
                yield f"{stream}: a process relies on something that was never stored"


def wrong_news(records: Records, nodes: Sequence[Node]) -> Iterator[str]:
    """Check that everything published is stored, and that each process published it without gaps since its start."""
    for node in nodes:
        yield from node.findings
        for stream, version, hashed in node.published:
            if version > len(records[stream]) or records[stream][version - 1].hash != hashed:
                yield f"{Published(stream, version, hashed).stream}: event {version} was published but never stored"


# Tables


def wrong_dice(shelf: Shelf, records: Records, read: Read) -> Iterator[str]:
    """Check the throws of every automatic table, from its public record alone."""
    for stream, entries in read.items():
        first = entries[0].document.event
        if not isinstance(first, TableSet) or first.rhythm is None:
            continue
        opened = next(e.document.event for e in entries if isinstance(e.document.event, TableOpened))
        verdict = verify_dice(public_record(stream, shelf.game(opened.terms).book.rules.throw, records[stream]))
        yield from (f"{stream}: {finding}" for finding in verdict.findings)


def due_now(nodes: Sequence[Node]) -> set[tuple[str, int]]:
    """Return tables whose next step is overdue, with their versions. One that is returned twice unchanged is stuck."""
    return {
        (table, node.house.head(table_stream(table)).version)
        for node in nodes
        for when, table in node.house.due()
        if when <= node.clock
    }


# -- witness ----------------------------------------------------------------------------------------------------------
# The witness follows what was stored, write by write in commit order, and knows the rules. Streams alone have no order
# among each other. In commit order one can tell whether a person was excluded, over a limit or out of a role at the
# very moment when their write was stored, regardless of which process decided it.

Stored = tuple[str, Entry]

# Arrivals and departures have their own rules; everything else at a table needs a post or a seat.
COMING_AND_GOING = (
    house.TableSet, table_events.TableOpened, house.StaffCame, house.StaffWent, table_events.PlayerSeated,
    table_events.PlayerLeft,
)  # fmt: skip


class OrderedStore(MemoryStore):
    """A store in memory that remembers the order of its records across all streams."""

    def __init__(self, boundary: Boundary) -> None:
        super().__init__(boundary)
        self.course: list[tuple[str, int]] = []

    def _take(self, batch: Batch) -> None:
        super()._take(batch)
        self.course.extend((stream, version) for stream, version, _, _ in batch.records)


class Auditor:
    """Checks what must hold after every single write."""

    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf
        self._books = Books()
        self._accounts: defaultdict[str, Account] = defaultdict(Account)
        self._staff: defaultdict[str, dict[str, str]] = defaultdict(dict)
        self._seats: defaultdict[str, set[str]] = defaultdict(set)
        self._rules: dict[str, Book] = {}

    def watch(self, course: Iterable[Stored]) -> Iterator[str]:
        """Yield everything that is wrong after any of these writes."""
        for order, written in groupby(course, key=lambda stored: stored[1].document.order):
            bets: Counter[tuple[str, str, str]] = Counter()
            for stream, entry in written:
                yield from map(str, self._books.post(stream, [entry]))
                kind, _, name = stream.partition("/")
                if kind == "account":
                    self._accounts[name] = account_books.evolve(self._accounts[name], [entry])
                elif kind == "table":
                    yield from self._at_table(name, entry.document)
                    event = entry.document.event
                    if isinstance(event, table_events.WagerPlaced | table_events.WagerReduced):
                        laid = isinstance(event, table_events.WagerPlaced)
                        bets[name, event.player, entry.document.at] += event.amount if laid else -event.amount
            for (table, player, at), more in bets.items():
                if more > 0:  # moving a wager puts nothing more at stake
                    yield from (f"{order}: {finding}" for finding in self._bet(table, player, moment(at)))
            if self._books.total:
                yield f"{order} makes or loses {self._books.total} cents"
            yield from (f"{order}: {finding}" for finding in self._books.purses())

    # Permissions

    def _at_table(self, table: str, document: Document) -> Iterator[str]:
        event, staff, seats = document.event, self._staff[table], self._seats[table]
        if document.who is not None and document.role is not None and not isinstance(event, COMING_AND_GOING):
            yield from self._may(table, document, document.who, document.role)
        match event:
            case table_events.TableOpened(terms=terms):
                self._rules[table] = self._shelf.game(terms).book
            case house.StaffCame(person=person, role=role):
                staff[person] = role
            case house.StaffWent(person=person):
                staff.pop(person, None)
            case table_events.PlayerSeated(player=player):
                seats.add(player)
            case table_events.PlayerLeft(player=player):
                seats.discard(player)
        if isinstance(event, COMING_AND_GOING):
            yield from (f"{person} plays at {table} while running it" for person in seats.intersection(staff))

    def _may(self, table: str, document: Document, who: str, title: str) -> Iterator[str]:
        role = self._staff[table].get(who) or (PLAYER if who in self._seats[table] else None)
        if role is None or role not in self._accounts[who].roles:
            yield f"{document.order}: {who} was no {role or 'player or staff'} when it was done"
        elif title not in titles(self._rules[table].conduct, role):
            yield f"{document.order}: a {role} acted as {title}"

    # Permission to play

    def _bet(self, table: str, player: str, at: datetime) -> Iterator[str]:
        account, rules = self._accounts[player], self._rules[table].rules
        limits = account.limits_at(at)
        today = [visit for visit in account.visits if visit.until is None or _same_day(visit.until, at)]
        if account.may_not_play(at):
            yield f"{player} was excluded"
        if rules.card is not None and account.card is None:
            yield f"{player} had no card"
        lost = sum(self._lost(player, visit) for visit in today)
        if limits.loss is not None and lost > limits.loss:
            yield f"{player} could lose {lost} cents, above the daily limit of {limits.loss}"
        played = sum(((visit.until or at) - visit.since for visit in today), timedelta())
        if limits.minutes is not None and played >= timedelta(minutes=limits.minutes):
            yield f"{player} played for {played}, above the limit of {limits.minutes} minutes"

    def _lost(self, player: str, visit: Visit) -> int:
        left = visit.brought if visit.until is not None else self._books.held(hand(player), visit.table)
        return visit.taken - left


def _same_day(one: datetime, other: datetime) -> bool:
    return local_day(one, ZONE) == local_day(other, ZONE)
