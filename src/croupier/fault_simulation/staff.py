"""Simulated staff: crews that run tables, several people at once, and the office that manages accounts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta

from croupier.fault_simulation.node import Node
from croupier.fault_simulation.people import Person, World
from croupier.fault_simulation.saying import CASEWORK, HANDING, Line, Phrases
from croupier.house import orders
from croupier.house.duties import duties_of_table
from croupier.house.events import Rhythm
from croupier.house.names import table_stream, titles
from croupier.house.orders import Order
from croupier.rulebooks import ids
from croupier.rules.book import Book
from croupier.table.event_views import Told

ANSWERING = ("supervisor", "manager", "operator")  # roles that answer alerts
MOST_NEW = 3  # tables and accounts that the office adds


class Crew(Person):
    """Runs tables in one role. Two of a crew often act at the same moment, or one corrects the other."""

    def __init__(
        self,
        name: str,
        world: World,
        role: str,
        tables: Mapping[str, Book],
        phrases: Mapping[str, Phrases],
        pace: float,
    ) -> None:
        super().__init__(name, world)
        self.role = role
        self.colleagues: Sequence[Crew] = ()
        self._tables = tables
        self._phrases = phrases
        self._pace = pace
        self._table = next(iter(tables))

    def begin(self) -> None:
        """Take the posts and start dealing."""
        for table in self._tables:
            self.ask(orders.TakePost(table=table, role=self.role), lambda told: None)
        self._go_on({"ok": True})

    def _go_on(self, told: Told) -> None:
        next_step = self._take_post if told.get("code") == "not_at_table" else self._next
        self._agenda.after(self._random.uniform(0.2, 1.8) * self._pace, next_step)

    def _take_post(self) -> None:
        self.ask(orders.TakePost(table=self._table, role=self.role), lambda told: self._go_on({"ok": True}))

    def _next(self) -> None:
        self._table = self._random.choice(list(self._tables))
        chance = self._random.random()
        if chance < 0.01:
            self.ask(orders.LeavePost(table=self._table), self._go_on)
        elif chance < 0.03:
            self._take_post()
        elif chance < 0.06 and self.role in ANSWERING:
            self._answer()
        else:
            self._say_something()

    def _answer(self) -> None:
        """Answer an overdue duty or an alert that the table shows; if there is none, say something."""
        node = self.look(self._table)
        waiting = () if node is None else node.house.table(self._table).alerts
        if node is not None and self._random.random() < 0.5:
            duties = duties_of_table(node.house.shelf, node.house.table(self._table), node.clock)
            late = [duty.id for duty in duties if duty.is_late and not duty.answered]
            if late:
                order = orders.AnswerDuty(table=self._table, duty=self._random.choice(late), note="Seen to.")
                self.ask(order, self._go_on)
                return
        if not waiting:
            self._say_something()
            return
        event = self._random.choice(waiting).event
        self.ask(orders.AnswerAlert(table=self._table, event=event, note="Seen to."), self._go_on)

    def _say_something(self) -> None:
        """Say a line about the table as shown. If a colleague joins in, both act on the same version."""
        seen = self._seen(self._table)
        order = self.sensible(self._table, self._thought, self._phrases[self._table])
        if order is None:
            self._go_on({"ok": False})
            return
        if self.colleagues and self._faults.happens("both_at_once"):
            self._random.choice(self.colleagues).join_in(self._table, seen)
        self.ask(self._as_seen(order, seen), self._go_on)

    def join_in(self, table: str, seen: int | None) -> None:
        """Act at the same moment, on the same version of the table."""
        self._table = table
        order = self.sensible(table, self._thought, self._phrases[table])
        if order is not None:
            self.ask(self._as_seen(order, seen), lambda told: None)

    def _seen(self, table: str) -> int | None:
        """Return the table's version half of the time: the order then fails if someone else comes first."""
        node = self.look(table)
        return None if node is None or self._random.random() < 0.5 else node.house.head(table_stream(table)).version

    def _as_seen(self, order: orders.Say, seen: int | None) -> orders.Say:
        return orders.Say(table=order.table, line=order.line, version=seen)

    def _thought(self, node: Node) -> Line | None:
        phrases, chance = self._phrases[self._table], self._random.random()
        own = titles(self._tables[self._table].conduct, self.role)
        game = node.house.table(self._table).game
        pressing = phrases.pressing(game.facts, own, node.clock) if self._random.random() < 0.6 else None
        if pressing is not None:
            return pressing
        if chance < (0.4 if game.settings.manual_dice else 0.15):
            return phrases.one_of(HANDING, own, node.clock)
        if chance < (0.5 if self.role == "dealer" else 0.2):
            return phrases.of_the_game()
        return phrases.one_of(CASEWORK, own, node.clock) if chance < 0.75 else phrases.act(own, node.clock)


class Office(Person):
    """Opens accounts and tables, issues and ends cards, changes roles, grants chips, excludes and readmits people."""

    def __init__(self, name: str, world: World, players: Sequence[str], staff: Mapping[str, tuple[str, ...]]) -> None:
        super().__init__(name, world)
        self._players = players
        self._staff = staff
        self._new = {"table": 0, "guest": 0}

    def begin(self) -> None:
        """Open the office."""
        self._go_on({"ok": True})

    def _go_on(self, told: Told) -> None:
        self._agenda.after(self._random.uniform(2, 20), self._next)

    def _next(self) -> None:
        self.ask(self._order(), self._go_on)

    def _order(self) -> Order:
        player = self._random.choice(self._players)
        makers: list[Callable[[], Order]] = [
            lambda: orders.IssueCard(person=player),
            lambda: orders.IssueCard(person=player),
            lambda: orders.EndCard(person=player),
            lambda: orders.GrantChips(person=player, cents=100_00, reason="storm"),
            lambda: orders.Exclude(person=player, until=self._until()),
            lambda: orders.LetIn(person=player),
            lambda: orders.LetIn(person=player),
            lambda: orders.SetPassword(person=player),
            self._roles,
            self._roles,
            self._opened,
        ]
        return self._random.choice(makers)()

    def _until(self) -> str | None:
        """Return an end some minutes from now, or sometimes none."""
        until = self._agenda.now + timedelta(minutes=self._random.uniform(1, 10))
        return None if self._random.random() < 0.25 else until.isoformat()

    def _roles(self) -> Order:
        """Remove somebody's roles for a while, or restore them."""
        person = self._random.choice(list(self._staff))
        roles = self._staff[person] if self._random.random() < 0.9 else ("player",)
        return orders.ChangeRoles(person=person, roles=roles)

    def _opened(self) -> Order:
        """Open one more table or account, or reuse an existing name."""
        kind = self._random.choice(["table", "guest"])
        self._new[kind] = min(self._new[kind] + 1, MOST_NEW)
        name = f"{kind}-{self._new[kind]}"
        if kind == "guest":
            return orders.OpenAccount(person=name, name="Guest", cents=10_00)
        book, rhythm = self._random.choice(ids()), self._random.choice([None, Rhythm()])
        return orders.SetTable(table=name, title="One more", line={"book": book}, rhythm=rhythm)
