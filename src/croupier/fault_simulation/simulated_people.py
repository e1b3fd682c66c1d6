"""Simulated people: each does one thing after another, retries until there is an answer, and remembers it.

Players sit, bet and leave; crews run tables, several people at once; the office manages accounts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from functools import partial
from random import Random
from typing import NamedTuple

from msgspec import UNSET

from croupier.contract.replies import Done, OrderReply, ProblemBody
from croupier.fault_simulation.faults import Agenda, Faults
from croupier.fault_simulation.node import Node
from croupier.fault_simulation.random_lines import CASEWORK, HANDING, Line, RandomLines
from croupier.house import orders
from croupier.house.duties import duties_of_table
from croupier.house.electronic.fair_dice import NUMBER_BYTES, number_commitment
from croupier.house.events import Limits, Rhythm
from croupier.house.house import NotLoaded
from croupier.house.names import table_stream, titles
from croupier.house.orders import Order, Submission
from croupier.house.orders.order import Scene
from croupier.rulebooks import ids
from croupier.rules.book import Book
from croupier.rules.conduct import PLAYER
from croupier.table.refusals import Refusal

PATIENCE = 10.0  # seconds without an answer before an order is sent again
WATCH = 0.7  # seconds between two looks at a table with one's number in the round
TRIES = 8  # lines considered before saying one that makes no sense
DONE = Done(ok=True, versions={})
NOT_YET = ProblemBody(code="not_yet", message="")


class SentOrder(NamedTuple):
    """An order, and every answer to it."""

    given: Submission
    answers: list[OrderReply]


class World(NamedTuple):
    """What everyone in the simulation shares."""

    agenda: Agenda
    nodes: Sequence[Node]
    faults: Faults
    random: Random


class Person:
    """A person who gives orders. Requests and replies may be lost, duplicated or delayed; an order keeps its key."""

    def __init__(self, name: str, world: World) -> None:
        self.name = name
        self.asked: list[SentOrder] = []
        self.has_gone = False  # after going home, gives no new orders
        self._agenda, self._nodes, self._faults, self._random = world

    def begin(self) -> None:
        """Start acting."""
        raise NotImplementedError

    def ask(self, order: Order, then: Callable[[OrderReply], None]) -> None:
        """Give an order and continue with its first answer; if reordered, continue at once, so the next overtakes."""
        if self.has_gone:
            return
        number = f"{self.name}-{len(self.asked) + 1}"
        asked = SentOrder(Submission(id=number, order=order, who=self.name, key=number), [])
        self.asked.append(asked)
        hurries = self._faults.happens("reordered")

        def answered(told: OrderReply) -> None:
            asked.answers.append(told)
            if len(asked.answers) == 1 and not hurries:
                then(told)

        if hurries:
            self._agenda.after(self._random.uniform(2, 8), lambda: self._send(asked, answered))
            then(NOT_YET)
        else:
            self._send(asked, answered)

    def _send(self, asked: SentOrder, answered: Callable[[OrderReply], None]) -> None:
        node = self._random.choice(self._nodes)
        for _ in range(2 if self._faults.happens("request_doubled") else 1):
            if not self._faults.happens("request_lost"):
                self._agenda.after(self._faults.delay(), lambda: node.take(asked.given, self._back(answered)))

        def again() -> None:
            if not asked.answers:
                self._send(asked, answered)

        self._agenda.after(PATIENCE, again)

    def _back(self, answered: Callable[[OrderReply], None]) -> Callable[[OrderReply], None]:
        def reply(told: OrderReply) -> None:
            if not self._faults.happens("reply_lost"):
                self._agenda.after(self._faults.delay(), lambda: answered(told))

        return reply

    def look(self, table: str) -> Node | None:
        """Return a random process if it is up and has the table."""
        node = self._random.choice(self._nodes)
        return node if node.is_up and node.house.has(table_stream(table)) else None

    def would_succeed(self, node: Node, order: Order) -> bool:
        """Return whether an order would be accepted as a process shows things: people mostly know what they do."""
        house = node.house
        try:
            thought = Submission(id="thought", order=order, who=self.name)
            known = house.table, house.account, house.promotion
            scene = Scene(house.shelf, thought, node.clock, bytes, *known, lambda name: None, house.tables)
            return not isinstance(order.decide(scene), Refusal)
        except NotLoaded:
            return True

    def sensible(self, table: str, thoughts: Callable[[Node], Line | None], lines: RandomLines) -> orders.Say | None:
        """Return the first idea that makes sense at the table as shown; failing that, the last one."""
        node, order = self.look(table), None
        if node is None:
            return None
        lines.seen = node.house.table(table).game
        for _ in range(TRIES):
            line = thoughts(node)
            if line is not None:
                order = orders.Say(table=table, line=line)
                if self.would_succeed(node, order):
                    lines.done[str(line["do"])] += 1
                    break
        return order


class Player(Person):
    """Sits down, bets on anything, sensible or not, gets up and goes elsewhere."""

    is_careful = False  # sets limits, and self-excludes for a while
    deals_too = False  # takes a post now and then, even where they play

    def __init__(self, name: str, world: World, tables: Mapping[str, Book], lines: Mapping[str, RandomLines]) -> None:
        super().__init__(name, world)
        self._tables = tables
        self._lines = lines
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

    def _sat(self, table: str, told: OrderReply) -> None:
        if told.ok:
            self._seats.append(table)
        elif isinstance(told, ProblemBody) and told.code == "not_enough_in_account":
            self.ask(orders.Refill(person=self.name), self._go_on)
            return
        self._go_on(told)

    def _go_on(self, told: OrderReply) -> None:
        """Schedule the next step; a player without a seat mostly takes one. Forget a seat that the house took back."""
        if isinstance(told, ProblemBody) and told.code == "not_at_table" and self._table in self._seats:
            self._seats.remove(self._table)
        sits = told.ok or bool(self._seats) or self._random.random() < 0.1
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
        elif chance < 0.09:
            own: list[Order] = [
                orders.Refill(person=self.name),
                orders.ChangeName(person=self.name, name="Lucky Otter"),
            ]
            self.ask(self._random.choice(own), self._go_on)
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
        elif chance < 0.3 and (ready := self._ready()) is not None:
            self.ask(ready, self._go_on)
        elif chance < (0.8 if self._has_the_dice() else 0.4):
            lines = self._lines[self._table]
            self.ask(self.sensible(self._table, self._act, lines) or self._bet(), self._go_on)
        else:
            self.ask(self._bet(), self._go_on)

    def _ready(self) -> orders.SayReady | None:
        """Return an order that says the bets may be shut, mostly; with a number, as pages send it."""
        number = self._number()
        if number is None:
            return None
        table, is_ready = self._table, self._random.random() < 0.9
        return orders.SayReady(table=table, round=number[0], ready=is_ready, number=number[1] if is_ready else UNSET)

    def _left(self, table: str, told: OrderReply) -> None:
        if told.ok and table in self._seats:
            self._seats.remove(table)
        self._go_on(told)

    def _has_the_dice(self) -> bool:
        node = self.look(self._table)
        facts = {} if node is None else node.house.table(self._table).game.facts
        return self.name in (facts.get("offered to"), facts.get("shooter"))

    def _bet(self) -> orders.Say:
        """Return a bet, at automatic tables mostly with a number."""
        table, line = self._table, self._lines[self._table].bet()
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
        lines, own = self._lines[self._table], titles(self._tables[self._table].conduct, PLAYER)
        chance = self._random.random()
        if chance < (0.9 if self._has_the_dice() else 0.3) and node.house.table(self._table).rhythm is None:
            return lines.one_of(HANDING, own, node.clock)
        return lines.one_of(CASEWORK, own, node.clock) if chance < 0.6 else lines.act(own, node.clock)

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


# -- staff ------------------------------------------------------------------------------------------------------------

ANSWERING = ("supervisor", "manager", "operator")  # roles that answer alerts
MOST_NEW = 3  # tables and accounts that the office adds


class StaffMember(Person):
    """Runs tables in one role. Two of a crew often act at the same moment, or one corrects the other."""

    def __init__(
        self,
        name: str,
        world: World,
        role: str,
        tables: Mapping[str, Book],
        lines: Mapping[str, RandomLines],
        pace: float,
    ) -> None:
        super().__init__(name, world)
        self.role = role
        self.colleagues: Sequence[StaffMember] = ()
        self._tables = tables
        self._lines = lines
        self._pace = pace
        self._table = next(iter(tables))

    def begin(self) -> None:
        """Take the posts and start dealing."""
        for table in self._tables:
            self.ask(orders.TakePost(table=table, role=self.role), lambda told: None)
        self._go_on(DONE)

    def _go_on(self, told: OrderReply) -> None:
        next_step = self._take_post if isinstance(told, ProblemBody) and told.code == "not_at_table" else self._next
        self._agenda.after(self._random.uniform(0.2, 1.8) * self._pace, next_step)

    def _take_post(self) -> None:
        self.ask(orders.TakePost(table=self._table, role=self.role), lambda told: self._go_on(DONE))

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
        order = self.sensible(self._table, self._thought, self._lines[self._table])
        if order is None:
            self._go_on(NOT_YET)
            return
        if self.colleagues and self._faults.happens("both_at_once"):
            self._random.choice(self.colleagues).join_in(self._table, seen)
        self.ask(self._as_seen(order, seen), self._go_on)

    def join_in(self, table: str, seen: int | None) -> None:
        """Act at the same moment, on the same version of the table."""
        self._table = table
        order = self.sensible(table, self._thought, self._lines[table])
        if order is not None:
            self.ask(self._as_seen(order, seen), lambda told: None)

    def _seen(self, table: str) -> int | None:
        """Return the table's version half of the time: the order then fails if someone else comes first."""
        node = self.look(table)
        return None if node is None or self._random.random() < 0.5 else node.house.head(table_stream(table)).version

    def _as_seen(self, order: orders.Say, seen: int | None) -> orders.Say:
        return orders.Say(table=order.table, line=order.line, version=seen)

    def _thought(self, node: Node) -> Line | None:
        lines, chance = self._lines[self._table], self._random.random()
        own = titles(self._tables[self._table].conduct, self.role)
        game = node.house.table(self._table).game
        pressing = lines.pressing(game.facts, own, node.clock) if self._random.random() < 0.6 else None
        if pressing is not None:
            return pressing
        if chance < (0.4 if game.settings.manual_dice else 0.15):
            return lines.one_of(HANDING, own, node.clock)
        if chance < (0.5 if self.role == "dealer" else 0.2):
            return lines.of_the_game()
        return lines.one_of(CASEWORK, own, node.clock) if chance < 0.75 else lines.act(own, node.clock)


class Office(Person):
    """Opens accounts and tables, issues and ends cards, changes roles, grants chips, excludes and readmits people."""

    def __init__(self, name: str, world: World, players: Sequence[str], staff: Mapping[str, tuple[str, ...]]) -> None:
        super().__init__(name, world)
        self._players = players
        self._staff = staff
        self._new = {"table": 0, "guest": 0}

    def begin(self) -> None:
        """Open the office."""
        self._go_on(DONE)

    def _go_on(self, told: OrderReply) -> None:
        self._agenda.after(self._random.uniform(2, 20), self._next)

    def _next(self) -> None:
        self.ask(self._order(), self._go_on)

    def _order(self) -> Order:
        player = self._random.choice(self._players)
        makers: list[Callable[[], Order]] = [
            lambda: orders.IssueCard(person=player),
            lambda: orders.IssueCard(person=player),
            lambda: orders.EndCard(person=player),
            lambda: orders.GrantChips(person=player, cents=100_00, reason="simulation"),
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
        """Remove a person's roles for a while, or restore them."""
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
        book, rhythm = self._random.choice(ids()), self._random.choice([None, Rhythm(), Rhythm(waits=True)])
        return orders.SetTable(table=name, title="One more", line={"book": book}, rhythm=rhythm)
