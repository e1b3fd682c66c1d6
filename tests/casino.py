"""A house on an in-memory store, for tests: people, tables, orders, and books that are kept as events come."""

from __future__ import annotations

from datetime import UTC, datetime
from itertools import count
from random import Random

from croupier.contract.management import Finding
from croupier.contract.replies import OrderReply
from croupier.house import orders
from croupier.house.events import Rhythm
from croupier.house.house import House, NotLoaded
from croupier.house.names import TABLES
from croupier.house.orders import Order, Submission
from croupier.house.reporting.bookkeeping import Books, entries
from croupier.house.stored_events import Entry
from croupier.ledger import PURSE
from croupier.money import format_cents
from croupier.store.memory import MemoryStore
from croupier.table import commands
from croupier.table.state import State
from tests.tables import SHELF

STAFF = {"dot": "dealer", "sue": "supervisor", "max": "manager", "olga": "operator", "ida": "inspector"}
NOON = datetime(2024, 10, 1, 2, tzinfo=UTC)

Streams = dict[str, list[Entry]]


class Casino:
    """A house on an in-memory store, with books that are kept as events come."""

    def __init__(self, at: datetime = NOON) -> None:
        self.now = at
        self.store = MemoryStore()
        self.house = House(SHELF, self._heard)
        self.books = Books()
        self.findings: list[Finding] = []
        self._orders = count(1)
        self._rnd = Random(7)

    def _heard(self, stream: str, heard: list[Entry]) -> None:
        self.findings += self.books.post(stream, heard)

    def ask(self, who: str | None, deed: Order) -> OrderReply:
        """Have an order decided, stored and settled."""
        order = Submission(id=f"o{next(self._orders)}", order=deed, who=who)
        while True:
            try:
                pending = self.house.decide(order, self.now, self._rnd.randbytes)
            except NotLoaded as missing:
                self.house.take_in(missing.stream, self.store.read(missing.stream))
                continue
            reply = self.house.settle(pending, self.store.commit([pending.write])[0])
            assert reply is not None, "nobody else writes here"
            return reply

    def do(self, who: str | None, deed: Order) -> None:
        reply = self.ask(who, deed)
        assert reply["ok"], reply

    def say(self, who: str, table: str, word: str, **said: object) -> OrderReply:
        self._come(who, table)
        return self.ask(who, orders.Say(table=table, line={"do": word, **said}))

    def _come(self, who: str, table: str) -> None:
        """A dealer runs one table at a time, so move the dealer to the table where something is to be done."""
        if STAFF.get(who) == "dealer" and who not in self.house.table(table).staff:
            for other in self.house.tables():
                if who in other.staff:
                    self.do(who, orders.LeavePost(table=other.name))
            self.do(who, orders.TakePost(table=table, role="dealer"))

    def open_doors(self, people: list[str], chips: int) -> None:
        for person in people:
            self.do(None, orders.OpenAccount(person=person, name=person.title(), cents=chips))
            self.do(None, orders.IssueCard(person=person))
        for person, role in STAFF.items():
            self.do(None, orders.OpenAccount(person=person, name=person.title(), roles=(role,)))

    def set_table(self, table: str, book: str, rhythm: Rhythm | None = None, **sign: object) -> None:
        line = {"book": book, **sign}
        self.do("max", orders.SetTable(table=table, title=table.title(), line=line, rhythm=rhythm))
        for person, role in STAFF.items():
            if role != "dealer":
                self.do(person, orders.TakePost(table=table, role=role))
            self._come(person, table)

    def game(self, table: str) -> State:
        return self.house.table(table).game

    def streams(self) -> Streams:
        """Everything that is stored, read back."""
        with self.store.still() as view:
            return {head.stream: list(entries(view.read(head.stream))) for head in view.heads()}

    def check(self) -> None:
        """Check what must hold after every order, in books that were kept event by event."""
        books = self.books
        assert self.findings == []
        assert books.purses() == []
        assert books.total == 0
        for head in self.store.heads():
            name = head.stream.partition("/")[2]
            if head.stream.startswith(TABLES):
                assert books.check_table(head.stream, self.house.table(name)) == []
                assert books.held(PURSE, name) == 0
            else:
                assert books.check_account(head.stream, self.house.account(name)) == []


def line_of(command: commands.AnyCommand) -> dict[str, object]:
    """The input line for a command."""
    line: dict[str, object] = {}
    if isinstance(command, commands.PlaceWager | commands.FindWager | commands.TakeWager | commands.CallWager):
        line = {"player": command.player, "wager": command.wager, "pick": command.pick}
    match command:
        case commands.PlaceWager(amount=amount, tokens=laid, checks=checks):
            money = {"amount": format_cents(amount), "tokens": format_cents(laid)}
            return {"do": "bet", **line, **money, "checks": checks}
        case commands.FindWager(amount=amount):
            return {"do": "find", **line, "amount": format_cents(amount)}
        case commands.TakeWager():
            return {"do": "take", **line}
        case commands.CallWager(on=on):
            return {"do": "call", **line, "on": on}
        case commands.CloseBets():
            return {"do": "no_more_bets"}
        case commands.Throw(faces=faces):
            coins = isinstance(faces[0], str)
            return {"do": "spin", "coins": "".join(map(str, faces))} if coins else {"do": "roll", "dice": list(faces)}
        case commands.VoidThrow(reason=reason):
            return {"do": "void", "reason": reason}
        case commands.AdoptRules(terms=terms):
            chosen = {name: int(value) if value.isdecimal() else value for name, value in terms.choices}
            return {"do": "adopt", "book": terms.book, "pay_table": chosen.pop("pay_table", chosen or None)}
        case commands.PerformAct(act=act, said=said):
            return {"do": act, **said}
    raise AssertionError(command)
