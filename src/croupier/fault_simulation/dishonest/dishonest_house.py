"""A house whose owner cheats: honest software, its own store and key, and a history that it rewrites at will.

It goes back by restoring an older copy of the store, and continues differently from there with the same software that
honest houses run. So everything it shows afterwards is consistent, sealed and balanced.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from itertools import count
from random import Random
from typing import NamedTuple, Protocol

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from msgspec import UNSET

from croupier.contract.replies import OrderReply, ProblemBody
from croupier.fault_simulation.faults import START
from croupier.house import orders
from croupier.house.electronic.fair_dice import NUMBER_BYTES, Face, drawn, mixed, number_commitment
from croupier.house.electronic.public_record import public_record
from croupier.house.events import BetsShut, Rhythm
from croupier.house.house import House, NotLoaded
from croupier.house.names import table_stream
from croupier.house.orders import Order, Submission
from croupier.house.orders.rounds import secret_name
from croupier.house.stored_events import FORMAT as DOCUMENT_FORMAT
from croupier.house.stored_events import Document, Entry, StoredEvent, encode, stamp
from croupier.house.table_state import Round, TableState
from croupier.rules.book import Book
from croupier.rules.shelf import Shelf
from croupier.store.checkpoints import STREAM as CHECKPOINTS
from croupier.store.checkpoints import Sealer, read_checkpoint
from croupier.store.keys import HouseKey
from croupier.store.memory import MemoryStore
from croupier.store.receipts import Claim, Receipt, issue
from croupier.store.records import Append, Record, Secret, Write, link
from croupier.store.seals import Seals
from croupier.store.witnessing import Handed, Witnessed

TABLE = "night-1"
STREAM = table_stream(TABLE)
NAME = "The dishonest house"
OWN = "own"  # prefix of house-owned accounts
CENTS = 1_000_000_00
STAKES = ("5.00", "10.00", "20.00", "25.00", "50.00")
MOST_BETS = 60  # tried per round, until one is accepted
MOST_TRIES = 4000  # of numbers or secrets, until the throw is one that the house likes

NO_ANSWER = ProblemBody(code="no_answer", message="")

Numbers = dict[str, str]  # by commitment; "" if not shown


class TableListener(Protocol):
    """A listener at the table."""

    name: str

    def hear(self, entry: Entry) -> None:
        """Receive an event."""


class Backup(NamedTuple):
    """A copy of the store, and its time."""

    store: Forkable
    now: datetime


class Forkable(MemoryStore):
    """A store that can be copied."""

    def fork(self) -> Forkable:
        """Return a copy that later changes do not affect."""
        other = Forkable()
        other._kept = self._kept.copy()
        other._seals = self._seals
        return other

    def seal_again(self, key: HouseKey) -> None:
        """Put everything under another key, as if it had always been the house's."""
        kept = self._kept
        kept.records.pop(CHECKPOINTS, None)
        kept.heads.pop(CHECKPOINTS, None)
        kept.names = [name for name in kept.names if name != CHECKPOINTS]
        seals = Seals(key)
        kept.vault = {name: (name, row[1], seals.made(row[2][:32])) for name, row in kept.vault.items()}
        self.use(seals)


class DishonestHouse:
    """One table with electronic dice and its players. `listening` are those who receive its events."""

    def __init__(self, shelf: Shelf, book: str, random: Random) -> None:
        self.shelf = shelf
        self.random = random
        self.book: Book = shelf.book(book)
        self.key = new_key(random)
        self.now = START
        self.listening: list[TableListener] = []
        self.witnessed: list[Witnessed] = []  # held by a witness, for good
        self.instead: Callable[[Order], OrderReply | None] = lambda _: None  # a false answer in place of execution
        self.false: Record | None = None  # a record that it reported to a player but never wrote
        self.signs_lies = False
        self.swallows = False  # accepts orders, and writes nothing
        self.drops_numbers = False  # takes bets without the numbers that come with them
        self.lies: dict[int, str] = {}  # false event types in the public record, for withheld documents
        self._ids, self._own = count(1), count(1)
        self._news: list[Entry] = []
        self._is_telling = False
        self._start(Forkable())
        self.store.use(Seals(self.key))
        self.do(orders.SetTable(table=TABLE, title=TABLE, line={"book": book}, rhythm=Rhythm()))

    # Software

    def _start(self, store: Forkable) -> None:
        self.store = store
        self.house = House(self.shelf, self._published)

    def _published(self, stream: str, entries: list[Entry]) -> None:
        if stream == STREAM:
            self._news.extend(entries)

    def _deliver(self) -> None:
        """Deliver all events in order, including those that deliveries cause."""
        if self._is_telling:
            return
        self._is_telling = True
        while self._news:
            entry = self._news.pop(0)
            for listener in self.listening:
                listener.hear(entry)
        self._is_telling = False

    def carry_out(self, given: Submission, entropy: Callable[[int], bytes] | None = None) -> OrderReply:
        """Decide an order, store the result and deliver its events."""
        while True:
            try:
                pending = self.house.decide(given, self.now, entropy or self.random.randbytes)
                break
            except NotLoaded as missing:
                self._load(missing.stream)
        told = self.house.settle(pending, self.store.commit([pending.write])[0])
        assert told is not None, "this store has no other writer"
        self._deliver()
        return told

    def _load(self, stream: str) -> None:
        secrets = {one.name: one.value for one in self.store.secrets("dice/") if one.value is not None}
        self.house.take_in(stream, self.store.read(stream), secrets)

    def submission(self, order: Order, who: str | None = None) -> Submission:
        """Return an order with an id of the house's choosing."""
        return Submission(id=f"order-{next(self._ids)}-{self.random.getrandbits(32)}", order=order, who=who)

    def as_taken(self, order: Order) -> Order:
        """Return the part of an order that it carries out."""
        if self.drops_numbers and isinstance(order, orders.Say):
            return msgspec.structs.replace(order, number=UNSET)
        return order

    def do(self, order: Order, who: str | None = None) -> OrderReply:
        """Execute an order that must succeed."""
        told = self.carry_out(self.submission(order, who))
        assert told.ok, told
        return told

    # Rounds

    @property
    def table(self) -> TableState:
        """The state of the table."""
        if not self.house.has(STREAM):
            self._load(STREAM)
        return self.house.table(TABLE)

    @property
    def round(self) -> Round:
        """The current round."""
        current = self.table.round
        assert current is not None, "a round is under way"
        return current

    def step(self, entropy: Callable[[int], bytes] | None = None) -> None:
        """Execute the next due step, at its time."""
        assert self.table.rhythm is not None, "it runs by itself"
        ((when, _),) = self.house.due()
        self.now = max(self.now, when) + timedelta(microseconds=self.random.randrange(1, 10_000))
        told = self.carry_out(self.submission(orders.RunOn(table=TABLE)), entropy)
        assert told.ok, told

    def open(self, entropy: Callable[[int], bytes] | None = None) -> None:
        """Open the next round."""
        while self.table.round is None:
            self.step(entropy)

    def shut(self) -> None:
        """Close betting; every listener then shows a number."""
        while not self.table.is_shut:
            self.step()

    def draw(self) -> tuple[Face, ...]:
        """Draw, waiting for numbers if need be, and return the throw."""
        while self.table.round is not None:
            self.step()
        return self.table.results[-1].faces or ()

    def play_out(self) -> None:
        """Close betting and draw."""
        self.shut()
        self.draw()

    def bet(self, give: Callable[[orders.Say], OrderReply], number: Callable[[], str | None]) -> orders.Say | None:
        """Try wagers of the book until one is accepted, with the commitment to a number; None if none is."""
        for _ in range(MOST_BETS):
            wager = self.random.choice(self.book.rules.wagers)
            line: dict[str, object] = {"do": "bet", "wager": wager.id, "amount": self.random.choice(STAKES)}
            picks = list(self.book.picks(wager))
            if picks and picks != [None]:
                line["pick"] = self.random.choice(picks)
            order = orders.Say(table=TABLE, line=line, round=self.round.number, number=number() or UNSET)
            if give(order).ok:
                return order
        return None

    # Knowledge and preference

    @property
    def secret(self) -> bytes:
        """The secret of the current round: the house knows it from the start."""
        secret = self.house.secret(secret_name(TABLE, self.round.number))
        assert secret is not None, "it is in the vault until the dice are drawn"
        return secret

    def would_fall(self, numbers: Numbers, secret: bytes | None = None) -> tuple[Face, ...]:
        """Return the throw that these numbers would give."""
        return self.fall_of(self.round.number, numbers, secret or self.secret)

    def fall_of(self, round: int, numbers: Numbers, secret: bytes) -> tuple[Face, ...]:
        """Return the throw of any round, with any numbers and secret."""
        rules = self.book.rules.throw
        return drawn(secret, mixed(TABLE, round, sorted(numbers.items())), rules.faces, rules.throw)

    def likes(self, throw: tuple[Face, ...]) -> bool:
        """Return whether the house wants this throw. Which ones it wants is arbitrary; what counts is getting them."""
        return throw[0] == self.book.rules.throw.faces[0]

    def new_account(self) -> str:
        """Open a house-owned account with a card and chips."""
        name = f"{OWN}-{next(self._own)}"
        self.welcome(name)
        return name

    def welcome(self, name: str) -> None:
        """Open an account with chips and a card."""
        self.do(orders.OpenAccount(person=name, name=name, cents=CENTS))
        self.do(orders.IssueCard(person=name))

    def new_player(self) -> str:
        """Open a house-owned account, and seat it at the table."""
        name = self.new_account()
        self.do(orders.Sit(table=TABLE, cents=CENTS // 10), name)
        return name

    def choose(self, numbers: Numbers) -> bytes:
        """Return a number that, with these, makes a throw that the house likes."""
        for _ in range(MOST_TRIES):
            own = self.random.randbytes(NUMBER_BYTES)
            if self.likes(self.would_fall(numbers | {self.committed(own): own.hex()})):
                break
        return own

    def committed(self, number: bytes) -> str:
        """Return the commitment to a number for this round."""
        return number_commitment(TABLE, self.round.number, number)

    def put_in(self, name: str, number: bytes) -> bool:
        """Bet with a number from a house-owned account; return whether the number is in."""
        committed = self.committed(number)
        self.bet(lambda order: self.carry_out(self.submission(order, name)), lambda: committed)
        return committed in self.round.numbers

    def show(self, number: str, who: str) -> None:
        """Show a number that the house knows, under anyone's name."""
        self.carry_out(self.submission(orders.ShowNumber(table=TABLE, round=self.round.number, number=number), who))

    # History

    def backup(self) -> Backup:
        """Copy everything."""
        return Backup(self.store.fork(), self.now)

    def restore(self, backup: Backup) -> None:
        """Restore a backup. Players receive no events until they listen again."""
        self.listening = []
        self._news.clear()
        self._start(backup.store.fork())
        self.now = backup.now + timedelta(microseconds=self.random.randrange(1, 10_000))

    def write(self, event: StoredEvent, who: str | None = None, *, vault: tuple[Secret, ...] = ()) -> int:
        """Write an event that the software would not, with changes of the vault; return its version."""
        head = self.store.head(STREAM)
        salt = None if who is None else self.random.randbytes(16).hex()
        order = self.submission(orders.RunOn(table=TABLE)).id
        document = Document(DOCUMENT_FORMAT, stamp(self.now), event, who, None, order, salt)
        self.store.commit([Write((Append(STREAM, head.version, (encode(document),)),), vault=vault)])
        self._start(self.store)
        return head.version + 1

    def swap_secret(self, secret: bytes) -> None:
        """Replace this round's secret in the vault."""
        self.store.commit([Write(vault=(Secret(secret_name(TABLE, self.round.number), secret),))])
        self._start(self.store)

    def seal(self, *, witness: bool) -> None:
        """Make a checkpoint, and hand it to the witness if there is one."""
        Sealer(self.store, self.key, NAME).seal(self.now)
        if witness:
            made = read_checkpoint(self.store.read(CHECKPOINTS)[-1].document)
            self.witnessed.append(Witnessed(Handed.of(made).checkpoint(), "elsewhere"))

    def swap_key(self) -> None:
        """Sign with another key from now on, and reseal the whole history with it."""
        self.key = new_key(self.random)
        self.store.seal_again(self.key)

    # Statements

    def receipt(self, version: int, order: str = "") -> Receipt | None:
        """Return a receipt for an event of the current history; None if there is no such event."""
        found = self.store.read(STREAM, version - 1, 1)
        return self.sign(found[0], order) if found else None

    def sign(self, record: Record, order: str = "") -> Receipt:
        """Return a receipt for any record, true or false."""
        return issue(self.key, [Claim(STREAM, record.version, record.hash, order)], self.now)[0]

    def signs(self, version: int) -> Receipt | None:
        """Return a receipt for an event that it reported to a player, which may be false."""
        if self.false is not None and self.false.version == version:
            return self.sign(self.false) if self.signs_lies else None
        return self.receipt(version)

    def lie(self, event: StoredEvent) -> Record:
        """Return a record that would be the next one but is never written."""
        head = self.store.head(STREAM)
        document = encode(Document(DOCUMENT_FORMAT, stamp(self.now), event))
        return Record(STREAM, head.version + 1, document, link(head.hash, document))

    def public(self) -> Iterator[bytes]:
        """Yield the public record as the house publishes it."""
        for number, line in enumerate(public_record(STREAM, self.book.rules.throw, self.store.read(STREAM))):
            if number in self.lies:
                shown = msgspec.json.decode(line)
                yield msgspec.json.encode(shown | {"type": self.lies[number]}) + b"\n"
            else:
                yield line


def new_key(random: Random) -> HouseKey:
    """Return a key derived from the seed."""
    return HouseKey(Ed25519PrivateKey.from_private_bytes(random.randbytes(32)))


def shuts(entry: Entry) -> bool:
    """Return whether this is the entry after which everyone at the table gets a receipt."""
    return isinstance(entry.document.event, BetsShut)
