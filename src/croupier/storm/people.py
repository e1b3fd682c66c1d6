"""People in the storm: each does one thing after the other, asks again until there is an answer, and remembers it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import NamedTuple

from croupier.house import orders
from croupier.house.orders import AnyDeed, Order
from croupier.money import format_cents
from croupier.rules.book import Book
from croupier.rules.shelf import Shelf
from croupier.storm.agenda import Agenda
from croupier.storm.faults import Faults
from croupier.storm.node import Node
from croupier.table.telling import Told

PATIENCE = 10.0  # seconds without an answer, before an order is sent again


class Asked(NamedTuple):
    """An order with every answer that came to it."""

    order: Order
    answers: list[Told]


class Person:
    """Somebody who gives orders. Requests and replies may be lost, doubled or slow; an order keeps its key."""

    def __init__(self, name: str, agenda: Agenda, nodes: Sequence[Node], faults: Faults, random: Random) -> None:
        self.name = name
        self.asked: list[Asked] = []
        self._agenda = agenda
        self._nodes = nodes
        self._faults = faults
        self._random = random

    def ask(self, deed: AnyDeed, then: Callable[[Told], None]) -> None:
        """Give an order, and go on with the first answer to it."""
        number = f"{self.name}-{len(self.asked) + 1}"
        asked = Asked(Order(id=number, deed=deed, who=self.name, key=number), [])
        self.asked.append(asked)

        def answered(told: Told) -> None:
            asked.answers.append(told)
            if len(asked.answers) == 1:
                then(told)

        self._send(asked, answered)

    def _send(self, asked: Asked, answered: Callable[[Told], None]) -> None:
        node = self._random.choice(self._nodes)
        for _ in range(2 if self._faults.happens("request_doubled") else 1):
            if not self._faults.happens("request_lost"):
                self._agenda.after(self._faults.delay(), lambda: node.take(asked.order, self._back(answered)))

        def again() -> None:
            if not asked.answers:
                self._send(asked, answered)

        self._agenda.after(PATIENCE, again)

    def _back(self, answered: Callable[[Told], None]) -> Callable[[Told], None]:
        def reply(told: Told) -> None:
            if not self._faults.happens("reply_lost"):
                self._agenda.after(self._faults.delay(), lambda: answered(told))

        return reply


class Player(Person):
    """Sits down somewhere, bets on anything, sensible or not, gets up, goes elsewhere."""

    def __init__(
        self, name: str, agenda: Agenda, nodes: Sequence[Node], faults: Faults, random: Random,
        tables: dict[str, Book],
    ) -> None:  # fmt: skip
        super().__init__(name, agenda, nodes, faults, random)
        self._tables = tables
        self._table = random.choice(list(tables))

    def begin(self) -> None:
        """Sit down and play."""
        self._agenda.after(self._random.uniform(0, 30), self._sit)

    def _sit(self) -> None:
        self._table = self._random.choice(list(self._tables))
        self.ask(orders.Sit(table=self._table, cents=self._random.choice([100_00, 250_00, 1000_00])), self._go_on)

    def _go_on(self, told: Told) -> None:
        self._agenda.after(self._random.uniform(1, 20), self._next)

    def _next(self) -> None:
        chance = self._random.random()
        if chance < 0.03:
            self.ask(orders.GetUp(table=self._table), self._left)
        elif chance < 0.06:
            self.ask(orders.BuyIn(table=self._table, cents=50_00), self._go_on)
        elif chance < 0.08:
            self._sit()
        else:
            self.ask(orders.Say(table=self._table, line=self._line()), self._go_on)

    def _left(self, told: Told) -> None:
        self._agenda.after(self._random.uniform(1, 60), self._sit if told["ok"] else self._next)

    def _line(self) -> dict[str, object]:
        book = self._tables[self._table]
        wager = self._random.choice(book.rules.wagers)
        line: dict[str, object] = {"do": "bet", "wager": wager.id, "pick": self._random.choice(list(book.picks(wager)))}
        chance = self._random.random()
        if chance < 0.1:
            return line | {"do": "take"}
        if chance < 0.15:
            return line | {"do": "call", "on": self._random.random() < 0.5}
        return line | {"amount": format_cents(self._random.choice([100, 500, 1000, 2500, 333]))}


class Dealer(Person):
    """Runs a table by hand, together with another who does the same at the same time."""

    def __init__(
        self, name: str, agenda: Agenda, nodes: Sequence[Node], faults: Faults, random: Random, table: str, book: Book,
    ) -> None:  # fmt: skip
        super().__init__(name, agenda, nodes, faults, random)
        self._table = table
        self._book = book

    def begin(self) -> None:
        """Take the post and deal."""
        self.ask(orders.TakePost(table=self._table, role="supervisor"), self._go_on)

    def _go_on(self, told: Told) -> None:
        self._agenda.after(self._random.uniform(5, 25), self._next)

    def _next(self) -> None:
        self.ask(orders.Say(table=self._table, line=self._line()), self._go_on)

    def _line(self) -> dict[str, object]:
        rules, chance = self._book.rules, self._random.random()
        if chance < 0.05:
            return {"do": "void", "reason": self._random.choice(rules.void.grounds)}
        if rules.betting is not None and chance < 0.5:
            return {"do": "no_more_bets"}
        faces = [self._random.choice(rules.throw.faces) for _ in range(rules.throw.throw)]
        told = "".join(map(str, faces)) if isinstance(faces[0], str) else faces
        return {"do": rules.throw.command, rules.throw.field: told}


def books_of(shelf: Shelf, tables: dict[str, str]) -> dict[str, Book]:
    """The books of tables."""
    return {table: shelf.book(book) for table, book in tables.items()}
