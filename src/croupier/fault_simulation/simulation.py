"""The fault simulation itself: who takes part, how long it runs, and the results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import datetime, timedelta
from random import Random

import msgspec

from croupier.fault_simulation import checks
from croupier.fault_simulation.checks import Auditor, OrderedStore, Read
from croupier.fault_simulation.faults import START, Agenda, Chances, Faults
from croupier.fault_simulation.node import Node
from croupier.fault_simulation.promoter import FILED, Promoter, filing, wrong_draws
from croupier.fault_simulation.random_lines import RandomLines
from croupier.fault_simulation.simulated_people import (
    CarefulPlayer,
    Office,
    Person,
    Player,
    PlayingDealer,
    StaffMember,
    World,
)
from croupier.house import orders
from croupier.house.events import NumberShown, PlayerAway, PlayerBack, Rhythm
from croupier.house.house import House, NotLoaded
from croupier.house.names import table_stream
from croupier.house.orders import Order, Submission
from croupier.house.reporting.bookkeeping import audit, entries
from croupier.rulebooks import ids
from croupier.rules.shelf import Shelf
from croupier.store.records import Record
from croupier.table.events import ActDone, PlayerLeft, Thrown

NODES = 2
TIME_TO_ANSWER = timedelta(minutes=3)  # for everyone to receive the outcome of their orders
STILL = timedelta(seconds=20)

# The players and how they behave.
PLAYERS: dict[str, type[Player]] = {
    **{f"player-{number}": CarefulPlayer for number in range(3)},
    **{f"player-{number}": Player for number in range(3, 7)},
    "player-7": PlayingDealer,
}
CREW = {"dealer-0": "dealer", "dealer-1": "dealer", "supervisor": "supervisor"}  # at each table run by hand
FLOOR = ("supervisor", "manager", "operator", "inspector")  # one of each for all tables
OFFICE, PROMOTER = "office", "promoter"
POOR = "player-6"  # needs a refill before the first bet


class SoakResult(msgspec.Struct, frozen=True):
    """The results of a simulation: how much happened, which faults were injected, and which invariants were violated.

    `by_order` and `acts` count what was carried out, `refusals` what was refused, by code.
    """

    seed: int
    table_hours: float
    orders: int
    answered: int
    throws: int
    numbers: int  # contributed by players and shown in time
    events: int
    faults: dict[str, int]
    findings: list[str]
    by_order: dict[str, int]
    acts: dict[str, int]
    refusals: dict[str, int]


class FaultSimulation:
    """One house from one seed: per book an automatic table and one run by hand; people, staff, two processes."""

    def __init__(self, seed: int, chances: Chances | None = None, shelf: Shelf | None = None) -> None:
        self.seed = seed
        self._shelf = shelf or Shelf()
        self._random = Random(seed)
        self._faults = Faults(self._random, chances or Chances())
        self._agenda = Agenda()
        self._store = OrderedStore(self._faults.boundary)
        self._clock = {f"clock-{book}": book for book in ids()}
        self._hand = {f"hand-{book}": book for book in ids()}
        books = (book for book in ids() if self._shelf.book(book).prizes is not None)
        self._promotions = {f"promotion-{book}": book for book in books}
        self._tables = {table: self._shelf.book(book) for table, book in (self._clock | self._hand).items()}
        self._lines = {table: RandomLines(book, list(PLAYERS), self._random) for table, book in self._tables.items()}
        self._set_up()
        self._nodes = [Node(self._agenda, self._store, self._shelf, self._faults, self._random) for _ in range(NODES)]
        for node in self._nodes:
            node.others = [other for other in self._nodes if other is not node]
        self._people = list(self._everybody(World(self._agenda, self._nodes, self._faults, self._random)))
        for person in self._people:
            person.begin()

    # Setup

    def _staff(self) -> dict[str, tuple[str, ...]]:
        """Return all staff who run a table, with their roles."""
        crews = {f"{table}-{name}": (role,) for table in self._hand for name, role in CREW.items()}
        return crews | {f"floor-{role}": (role,) for role in FLOOR} | {"player-7": ("dealer", "player")}

    def _set_up(self) -> None:
        """Open tables and accounts, without faults."""
        house = House(self._shelf)

        def do(order: Order, at: datetime = START, who: str | None = None) -> None:
            given = Submission(id=f"set-up-{self._random.getrandbits(64):016x}", order=order, who=who)
            while True:
                try:
                    pending = house.decide(given, at, self._random.randbytes)
                    break
                except NotLoaded as missing:
                    house.take_in(missing.stream, [])
            told = house.settle(pending, self._store.commit([pending.write])[0])
            assert told is not None, order
            assert told.ok, told

        for table, book in self._clock.items():
            do(orders.SetTable(table=table, title=table, line={"book": book}, rhythm=Rhythm()))
        for table, book in self._hand.items():
            line = {
                "book": book,
                "min": "1.00",  # a unit can be stated only beside a minimum
                "dice": self._random.choice(["auto", "auto", "manual"]),
                "late": self._random.random() < 0.5,
            }
            do(orders.SetTable(table=table, title=table, line=line))
        staff = self._staff()
        for player in PLAYERS:
            roles = staff.get(player, ("player",))
            cents = 15_00 if player == POOR else 10_000_00
            do(orders.OpenAccount(person=player, name=player, roles=roles, cents=cents))
            do(orders.IssueCard(person=player))
        for person, roles in ({OFFICE: ("operator",), PROMOTER: ("manager",)} | staff).items():
            if person not in PLAYERS:
                do(orders.OpenAccount(person=person, name=person, roles=roles))
        for promotion, book in self._promotions.items():
            rules = self._shelf.book(book).prizes
            assert rules is not None
            for order in filing(rules, promotion, book):
                do(order, FILED, PROMOTER)

    def _everybody(self, world: World) -> Iterator[Person]:
        for name, kind in PLAYERS.items():
            yield kind(name, world, self._tables, self._lines)
        for table in self._hand:
            here = {table: self._tables[table]}
            crew = [
                StaffMember(f"{table}-{name}", world, role, here, self._lines, 25 if role == "dealer" else 60)
                for name, role in CREW.items()
            ]
            for each in crew:
                each.colleagues = [other for other in crew if other is not each]
            yield from crew
        for role in FLOOR:
            yield StaffMember(f"floor-{role}", world, role, self._tables, self._lines, 20)
        yield Promoter(PROMOTER, world, self._promotions, list(PLAYERS))
        yield Office(OFFICE, world, list(PLAYERS), self._staff())

    # Run

    def run(self, hours: float) -> SoakResult:
        """Run for this many hours, then without faults until everything is answered, and check everything."""
        self._agenda.run(self._agenda.now + timedelta(hours=hours))
        for person in self._people:
            person.has_gone = True
        self._faults.cease()
        self._agenda.run(self._agenda.now + TIME_TO_ANSWER)
        due = checks.due_now(self._nodes)
        self._agenda.run(self._agenda.now + STILL)
        stuck = [f"{table_stream(table)} does not continue" for table, _ in sorted(due & checks.due_now(self._nodes))]
        for node in self._nodes:
            node.stop_the_clock()
        self._agenda.run(self._agenda.now + STILL)
        return self._seen(hours, stuck)

    # Results

    def _seen(self, hours: float, stuck: list[str]) -> SoakResult:
        records = {head.stream: self._store.read(head.stream) for head in self._store.heads()}
        read = {stream: list(entries(stored)) for stream, stored in records.items()}
        happened = [entry.document for stream in read.values() for entry in stream]
        asked = [each for person in self._people for each in person.asked]
        done = [each.given.order for each in asked if each.answers and each.answers[0].ok]
        runs = {document.order for document in happened if (document.order or "").startswith("clock-")}
        closed = {document.order for document in happened if (document.order or "").startswith("entries-")}
        by_order = Counter(order.tag() for order in done)
        by_order += Counter(run_on=len(runs), close_entries=len(closed))
        looked = [document.event for document in happened if (document.order or "").startswith("presence-")]
        by_order += Counter(
            note_presence=sum(isinstance(event, PlayerAway | PlayerBack) for event in looked),
            free_seat=sum(isinstance(event, PlayerLeft) for event in looked),
        )
        refused = (each.answers[0] for each in asked if each.answers and not each.answers[0].ok)
        return SoakResult(
            seed=self.seed,
            table_hours=hours * len(self._tables),
            orders=len(asked),
            answered=sum(bool(each.answers) for each in asked),
            throws=sum(isinstance(document.event, Thrown) for document in happened),
            numbers=sum(isinstance(document.event, NumberShown) for document in happened),
            events=len(happened),
            faults=dict(sorted(self._faults.seen.items())),
            findings=[*stuck, *self._findings(records, read)],
            by_order=dict(sorted(by_order.items())),
            acts=dict(sorted(Counter(d.event.act for d in happened if isinstance(d.event, ActDone)).items())),
            refusals=dict(sorted(Counter(str(answer["code"]) for answer in refused).items())),
        )

    def _findings(self, records: dict[str, list[Record]], read: Read) -> Iterator[str]:
        for node in self._nodes:  # processes that missed a notice catch up when they read
            for stream in records:
                if node.house.has(stream):
                    node.load(stream)
        yield from checks.broken_chains(records)
        yield from map(str, audit(read))
        course = [(stream, read[stream][version - 1]) for stream, version in self._store.course]
        yield from Auditor(self._shelf).watch(course)
        yield from checks.lost_or_doubled(read, [each for person in self._people for each in person.asked])
        yield from checks.wrong_memories(self._shelf, records, self._nodes)
        yield from checks.wrong_news(records, self._nodes)
        yield from checks.wrong_dice(self._shelf, records, read)
        yield from wrong_draws(self._shelf, records, read)
