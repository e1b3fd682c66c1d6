"""Simulated people: each does one thing after another, retries until there is an answer, and remembers it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from functools import partial
from random import Random
from typing import NamedTuple

from croupier.fault_simulation.faults import Agenda, Faults
from croupier.fault_simulation.node import Node
from croupier.fault_simulation.saying import CASEWORK, HANDING, Line, Phrases, makes_sense
from croupier.house import orders
from croupier.house.electronic.dice import NUMBER_BYTES, number_commitment
from croupier.house.events import Limits
from croupier.house.names import table_stream, titles
from croupier.house.orders import Order, Submission
from croupier.rules.book import Book
from croupier.rules.conduct import PLAYER
from croupier.table.event_views import Told

PATIENCE = 10.0  # seconds without an answer before an order is sent again
WATCH = 0.7  # seconds between two looks at a table with one's number in the round
TRIES = 8  # lines considered before saying one that makes no sense
NOT_YET: Told = {"ok": False, "code": "not_yet"}


class Asked(NamedTuple):
    """An order, and every answer to it."""

    given: Submission
    answers: list[Told]


class World(NamedTuple):
    """What everybody in the simulation shares."""

    agenda: Agenda
    nodes: Sequence[Node]
    faults: Faults
    random: Random


class Person:
    """Somebody who gives orders. Requests and replies may be lost, duplicated or delayed; an order keeps its key."""

    def __init__(self, name: str, world: World) -> None:
        self.name = name
        self.asked: list[Asked] = []
        self.has_gone = False  # after going home, gives no new orders
        self._agenda, self._nodes, self._faults, self._random = world

    def begin(self) -> None:
        """Start acting."""
        raise NotImplementedError

    def ask(self, order: Order, then: Callable[[Told], None]) -> None:
        """Give an order and continue with its first answer; if reordered, continue at once, so the next overtakes."""
        if self.has_gone:
            return
        number = f"{self.name}-{len(self.asked) + 1}"
        asked = Asked(Submission(id=number, order=order, who=self.name, key=number), [])
        self.asked.append(asked)
        hurries = self._faults.happens("reordered")

        def answered(told: Told) -> None:
            asked.answers.append(told)
            if len(asked.answers) == 1 and not hurries:
                then(told)

        if hurries:
            self._agenda.after(self._random.uniform(2, 8), lambda: self._send(asked, answered))
            then(NOT_YET)
        else:
            self._send(asked, answered)

    def _send(self, asked: Asked, answered: Callable[[Told], None]) -> None:
        node = self._random.choice(self._nodes)
        for _ in range(2 if self._faults.happens("request_doubled") else 1):
            if not self._faults.happens("request_lost"):
                self._agenda.after(self._faults.delay(), lambda: node.take(asked.given, self._back(answered)))

        def again() -> None:
            if not asked.answers:
                self._send(asked, answered)

        self._agenda.after(PATIENCE, again)

    def _back(self, answered: Callable[[Told], None]) -> Callable[[Told], None]:
        def reply(told: Told) -> None:
            if not self._faults.happens("reply_lost"):
                self._agenda.after(self._faults.delay(), lambda: answered(told))

        return reply

    def look(self, table: str) -> Node | None:
        """Return a random process if it is up and has the table."""
        node = self._random.choice(self._nodes)
        return node if node.is_up and node.house.has(table_stream(table)) else None

    def sensible(self, table: str, thoughts: Callable[[Node], Line | None], phrases: Phrases) -> orders.Say | None:
        """Return the first idea that makes sense at the table as shown; failing that, the last one."""
        node, order = self.look(table), None
        if node is None:
            return None
        phrases.seen = node.house.table(table).game
        for _ in range(TRIES):
            line = thoughts(node)
            if line is not None:
                order = orders.Say(table=table, line=line)
                if makes_sense(node, order, self.name):
                    phrases.done[str(line["do"])] += 1
                    break
        return order


class Player(Person):
    """Sits down, bets on anything, sensible or not, gets up and goes elsewhere."""

    is_careful = False  # sets limits, and self-excludes for a while
    deals_too = False  # takes a post now and then, where they should have no seat

    def __init__(self, name: str, world: World, tables: Mapping[str, Book], phrases: Mapping[str, Phrases]) -> None:
        super().__init__(name, world)
        self._tables = tables
        self._phrases = phrases
        self._table = self._random.choice(list(tables))
        self._seats: list[str] = []
        self._numbers: dict[tuple[str, int], bytes] = {}  # by table and round

    def begin(self) -> None:
        """Sit down and play."""
        self._agenda.after(self._random.uniform(0, 30), self._sit)

    def _sit(self) -> None:
        self._table = self._random.choice(list(self._tables))
        self.ask(
            orders.Sit(table=self._table, cents=self._random.choice([100_00, 250_00, 1000_00])),
            partial(self._sat, self._table),
        )

    def _sat(self, table: str, told: Told) -> None:
        if told["ok"]:
            self._seats.append(table)
        self._go_on(told)

    def _go_on(self, told: Told) -> None:
        """Schedule the next step; without a seat, mostly take one."""
        sits = told["ok"] or bool(self._seats) or self._random.random() < 0.1
        self._agenda.after(self._random.uniform(1, 25), self._next if sits else self._sit)

    def _next(self) -> None:
        chance = self._random.random()
        self._table = self._random.choice(self._seats or [self._table])
        if chance < 0.03:
            self.ask(orders.GetUp(table=self._table), partial(self._left, self._table))
        elif chance < 0.06:
            self.ask(orders.BuyIn(table=self._table, cents=50_00), self._go_on)
        elif chance < 0.08:
            self._sit()
        elif chance < 0.1 and self.is_careful:
            self.ask(self._care(), self._go_on)
        elif chance < 0.2 and self.deals_too:
            posts: list[Order] = [
                orders.TakePost(table=self._table, role="dealer"),
                orders.LeavePost(table=self._table),
            ]
            self.ask(self._random.choice(posts), self._go_on)
        elif chance < 0.15 and (number := self._number()) is not None:
            self.ask(orders.PutInNumber(table=self._table, round=number[0], number=number[1]), self._go_on)
        elif chance < (0.8 if self._has_the_dice() else 0.4):
            phrases = self._phrases[self._table]
            self.ask(self.sensible(self._table, self._act, phrases) or self._bet(), self._go_on)
        else:
            self.ask(self._bet(), self._go_on)

    def _left(self, table: str, told: Told) -> None:
        if told["ok"] and table in self._seats:
            self._seats.remove(table)
        self._go_on(told)

    def _has_the_dice(self) -> bool:
        node = self.look(self._table)
        facts = {} if node is None else node.house.table(self._table).game.facts
        return self.name in (facts.get("offered to"), facts.get("shooter"))

    def _bet(self) -> orders.Say:
        """Return a bet, at automatic tables mostly with a number."""
        table, line = self._table, self._phrases[self._table].bet()
        number = self._number() if self._random.random() < 0.8 else None
        if number is None:
            return orders.Say(table=table, line=line)
        return orders.Say(table=table, line=line, round=number[0], number=number[1])

    def _number(self) -> tuple[int, str] | None:
        """Return the current round and the commitment to a number for it; None if there is no round."""
        table, node = self._table, self.look(self._table)
        current = None if node is None else node.house.table(table).round
        if current is None:
            return None
        own = self._numbers.get((table, current.number))
        if own is None:
            own = self._numbers[table, current.number] = self._random.randbytes(NUMBER_BYTES)
            self._agenda.after(WATCH, partial(self._watch, table, current.number, own))
        return current.number, number_commitment(table, current.number, own)

    def _watch(self, table: str, number: int, own: bytes) -> None:
        """Show a number once betting is closed, unless the player forgets."""
        node = self.look(table)
        state = None if node is None else node.house.table(table)
        if (state is not None and state.rounds > number) or self.has_gone:
            self._numbers.pop((table, number), None)
        elif state is None or not state.is_shut:
            self._agenda.after(WATCH, partial(self._watch, table, number, own))
        elif self._random.random() < 0.9:
            self.ask(orders.ShowNumber(table=table, round=number, number=own.hex()), lambda _: None)

    def _act(self, node: Node) -> Line | None:
        phrases, own = self._phrases[self._table], titles(self._tables[self._table].conduct, PLAYER)
        chance = self._random.random()
        if chance < (0.9 if self._has_the_dice() else 0.3) and node.house.table(self._table).rhythm is None:
            return phrases.one_of(HANDING, own, node.clock)
        return phrases.one_of(CASEWORK, own, node.clock) if chance < 0.6 else phrases.act(own, node.clock)

    def _care(self) -> Order:
        if self._random.random() < 0.5:
            loss, minutes = self._random.choice([60_00, 300_00, None]), self._random.choice([30, 120, None])
            return orders.SetLimits(person=self.name, limits=Limits(loss, minutes))
        until = self._agenda.now + timedelta(minutes=self._random.uniform(1, 10))
        return orders.Exclude(person=self.name, until=until.isoformat())


class CarefulPlayer(Player):
    """A player who sets limits."""

    is_careful = True


class PlayingDealer(Player):
    """A player who takes posts now and then, and tries to play at the same tables."""

    deals_too = True
