"""The storm itself: who is there, what is checked on the way, and what must hold when it is over."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from datetime import timedelta
from random import Random

import msgspec

from croupier.house import orders
from croupier.house.documents import decode
from croupier.house.electronic.fair import verify_dice
from croupier.house.electronic.public import public_record
from croupier.house.events import Rhythm
from croupier.house.house import House, NotLoaded
from croupier.house.orders import AnyDeed, Order
from croupier.house.reporting.books import Books, audit, entries
from croupier.rulebooks import ids
from croupier.rules.shelf import Shelf
from croupier.store.chain import anchor, link
from croupier.store.memory import MemoryStore
from croupier.store.records import Record
from croupier.storm.agenda import START, Agenda
from croupier.storm.faults import Chances, Faults
from croupier.storm.node import Node
from croupier.storm.people import Asked, Dealer, Person, Player, books_of

PLAYERS, NODES, DEALERS = 8, 2, 2


class Weathered(msgspec.Struct, frozen=True):
    """What a storm came to: how much happened, what went wrong on purpose, and what was found that must not be."""

    seed: int
    table_hours: float
    orders: int
    answered: int
    throws: int
    events: int
    faults: dict[str, int]
    findings: list[str]


class Storm:
    """One house from one seed: a table by the clock and one by hand for each book, players, dealers, two processes."""

    def __init__(self, seed: int, chances: Chances | None = None, shelf: Shelf | None = None) -> None:
        self.seed = seed
        self._shelf = shelf or Shelf()
        random = Random(seed)
        self._faults = Faults(random, chances or Chances())
        self._agenda = Agenda()
        self._store = MemoryStore(boundary=self._faults.boundary)
        self._clock = {f"clock-{book}": book for book in ids()}
        self._hand = {f"hand-{book}": book for book in ids()}
        self._set_up(random)
        self._nodes = [Node(self._agenda, self._store, self._shelf, self._faults, random) for _ in range(NODES)]
        self._people = list(self._everybody(random))

    def _set_up(self, random: Random) -> None:
        """Tables and accounts, in fair weather."""
        house = House(self._shelf)

        def do(deed: AnyDeed) -> None:
            order = Order(id=f"set-up-{random.getrandbits(64):016x}", deed=deed)
            while True:
                try:
                    pending = house.decide(order, START, random.randbytes)
                    break
                except NotLoaded as missing:
                    house.take_in(missing.stream, [])
            told = house.settle(pending, self._store.commit([pending.write])[0])
            assert told is not None, deed
            assert told["ok"], told

        for table, book in self._clock.items():
            do(orders.SetTable(table=table, title=table, line={"book": book}, rhythm=Rhythm()))
        for table, book in self._hand.items():
            do(orders.SetTable(table=table, title=table, line={"book": book}))
        for number in range(PLAYERS):
            do(orders.OpenAccount(person=f"player-{number}", name=f"Player {number}", cents=10_000_00))
            do(orders.IssueCard(person=f"player-{number}"))
        for table in self._hand:
            for number in range(DEALERS):
                do(orders.OpenAccount(person=f"{table}-{number}", name="Dealer", roles=("dealer", "supervisor")))

    def _everybody(self, random: Random) -> Iterator[Person]:
        tables = books_of(self._shelf, self._clock | self._hand)
        for number in range(PLAYERS):
            player = Player(f"player-{number}", self._agenda, self._nodes, self._faults, random, tables)
            player.begin()
            yield player
        for table, book in self._hand.items():
            for number in range(DEALERS):
                dealer = Dealer(
                    f"{table}-{number}", self._agenda, self._nodes, self._faults, random, table, self._shelf.book(book)
                )
                dealer.begin()
                yield dealer

    def run(self, hours: float) -> Weathered:
        """Let so many hours pass at every table, and look at everything then."""
        self._agenda.run(self._agenda.now + timedelta(hours=hours))
        records = {head.stream: self._store.read(head.stream) for head in self._store.heads()}
        asked = [each for person in self._people for each in person.asked]
        throws = sum(b'"type":"thrown"' in record.document for stream in records.values() for record in stream)
        return Weathered(
            seed=self.seed,
            table_hours=hours * len(self._clock | self._hand),
            orders=len(asked),
            answered=sum(bool(each.answers) for each in asked),
            throws=throws,
            events=sum(map(len, records.values())),
            faults=dict(sorted(self._faults.seen.items())),
            findings=list(self._findings(records, asked)),
        )

    def _findings(self, records: dict[str, list[Record]], asked: list[Asked]) -> Iterator[str]:
        for stream, stored in records.items():
            yield from _chain(stream, stored)
        yield from map(str, audit({stream: entries(stored) for stream, stored in records.items()}))
        yield from self._books_at_every_write(records)
        yield from _answers(records, asked)
        yield from self._memories(records)
        for table, book in self._clock.items():
            stream = f"table/{table}"
            rules = self._shelf.book(book).rules.throw
            verdict = verify_dice(public_record(stream, rules, records[stream]))
            yield from (f"{stream}: {finding}" for finding in verdict.findings)

    def _books_at_every_write(self, records: dict[str, list[Record]]) -> Iterator[str]:
        """Whole orders only: after each of them nothing is between an account and a table."""
        books, by_order = Books(), defaultdict(list)
        for stream, stored in records.items():
            for entry in entries(stored):
                by_order[entry.document.order].append((stream, entry))
        for order, written in by_order.items():
            for stream, entry in written:
                books.post(stream, [entry])
            if books.total:
                yield f"order {order} makes or loses {books.total} cents"

    def _memories(self, records: dict[str, list[Record]]) -> Iterator[str]:
        """What a process holds in memory is what the store has, as far as it has come."""
        for node in self._nodes:
            for stream, stored in records.items():
                if node.is_up and node.house.has(stream):
                    fresh = House(self._shelf)
                    fresh.take_in(stream, stored[: node.house.head(stream).version])
                    if fresh.state(stream) != node.house.state(stream):
                        yield f"{stream}: a process holds something else than the store"


def _chain(stream: str, stored: list[Record]) -> Iterator[str]:
    last = anchor(stream)
    for place, record in enumerate(stored, 1):
        last = link(last, record.document)
        if record.version != place or record.hash != last:
            yield f"{stream}: event {place} does not follow the one before it"


def _answers(records: dict[str, list[Record]], asked: list[Asked]) -> Iterator[str]:
    """Every order that was acknowledged is there once, in full; one that was not, once or not at all."""
    written: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for stream, stored in records.items():
        for record in stored:
            written[decode(record.document).order or ""][stream] += 1
    for order, answers in asked:
        if any(answer != answers[0] for answer in answers):
            yield f"{order.id} was answered in two ways"
        versions = answers[0].get("versions") if answers and answers[0]["ok"] else None
        if versions is not None and set(versions) != set(written[order.id]):  # type: ignore[call-overload]
            yield f"{order.id} was acknowledged and is not there"
        if answers and not answers[0]["ok"] and written[order.id]:
            yield f"{order.id} was refused and is there"
        if isinstance(order.deed, orders.Sit | orders.BuyIn) and max(written[order.id].values(), default=0) > 1:
            yield f"{order.id} is there more than once"
