"""The house: turns orders into writes, and publishes what has been stored.

It keeps the streams in use in memory and decides on their newest state, including writes that are not stored yet. The
caller, a server or a simulation, loads streams, hands writes to a store and reports the outcome:

    try:
        pending = house.decide(submission, now, entropy)
    except NotLoaded as missing:             # load missing.stream, and try again
        ...
    outcome = store.commit([pending.write])[0]
    reply = house.settle(pending, outcome)   # None: another write came first; catch up, and decide again
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime
from hashlib import sha256
from typing import Any, NamedTuple

import msgspec
from msgspec import UNSET

from croupier.contract.replies import Done, OrderReply, ProblemBody
from croupier.house import account_state as account_books
from croupier.house import promotion_state as promotion_books
from croupier.house import refused_orders
from croupier.house import table_state as table_books
from croupier.house.account_state import Account
from croupier.house.electronic.public_record import names_nobody
from croupier.house.events import DiceDrawn, RoundCancelled
from croupier.house.live_streams import RELIED_ON, Drafted, Head, Live, Restored
from croupier.house.names import PROMOTIONS, TABLES, account_stream, promotion_stream, table_stream
from croupier.house.orders import rounds
from croupier.house.orders.order import Entropy, Order, Outcome, Scene, Submission, check_permit
from croupier.house.own_words import said_to
from croupier.house.promotion_state import PromotionState
from croupier.house.refused_orders import MOST_ABOUT, shortened
from croupier.house.stored_events import FORMAT, Document, Entry, StoredEvent, stamp
from croupier.house.table_state import TableState
from croupier.rules.shelf import Shelf
from croupier.store.records import Answer, Answered, Append, Committed, Record, Secret, Write
from croupier.store.records import Outcome as Stored
from croupier.table.clock import UNIVERSAL
from croupier.table.refusals import Refusal

SALT_BYTES = 16
THE_HOUSE = "house"  # owner of the answers to the house's own orders

_plain = msgspec.json.Encoder().encode
_sorted = msgspec.json.Encoder(order="sorted").encode

Published = Callable[[str, list[Entry]], None]


class NotLoaded(Exception):
    """A needed stream is not in memory; load it first."""

    def __init__(self, stream: str) -> None:
        self.stream = stream
        super().__init__(stream)


class Pending(NamedTuple):
    """An order that is decided and not yet stored."""

    submission: Submission
    write: Write
    drafted: dict[str, Drafted]
    answer: OrderReply
    secrets: dict[str, bytes | None]


class _Answered(msgspec.Struct):
    ok: bool


class House:
    """All streams in memory. `published` is called with stored entries, in the order of each stream."""

    def __init__(self, shelf: Shelf | None = None, published: Published | None = None) -> None:
        self.shelf = shelf or Shelf()
        self._published = published or (lambda stream, entries: None)
        self._streams: dict[str, Live[Any]] = {}
        self._tables: dict[str, Live[TableState]] = {}  # the table streams among them: there are far more accounts
        self._promotions: dict[str, Live[PromotionState]] = {}  # the promotion streams among them
        self._secrets: dict[str, bytes] = {}

    # Streams in memory

    def table(self, name: str) -> TableState:
        """Return the stored state of a table."""
        return self._loaded(table_stream(name)).state  # type: ignore[no-any-return]

    def tables(self) -> list[TableState]:
        """Return all tables in memory, by name."""
        states = [live.state for live in self._tables.values()]
        return sorted((state for state in states if state.is_set), key=lambda state: state.name)

    @property
    def zone(self) -> str:
        """The time zone of the house: that of its first open table. It applies to everything outside a table."""
        tables = [state for state in self.tables() if state.game.is_open]
        if not tables:
            return UNIVERSAL
        first = min(tables, key=lambda state: (state.since, state.name))
        return self.shelf.game(first.game.terms[-1]).book.rules.book.timezone

    def promotion(self, name: str) -> PromotionState:
        """Return the stored state of a promotion."""
        return self._loaded(promotion_stream(name)).state  # type: ignore[no-any-return]

    def promotions(self) -> list[PromotionState]:
        """Return all promotions in memory, by name."""
        states = [live.state for live in self._promotions.values()]
        return sorted((state for state in states if state.is_opened), key=lambda state: state.name)

    def secret(self, name: str) -> bytes | None:
        """Return a secret kept apart from the events, if it is in memory."""
        return self._secrets.get(name)

    def account(self, person: str) -> Account:
        """Return the stored state of an account."""
        return self._loaded(account_stream(person)).state  # type: ignore[no-any-return]

    def state(self, stream: str) -> Account | TableState | PromotionState:
        """Return the stored state of a table, an account or a promotion, by its stream."""
        return self._loaded(stream).state  # type: ignore[no-any-return]

    def head(self, stream: str) -> Head:
        """Return the stored head of a stream."""
        return self._loaded(stream).head

    def __len__(self) -> int:
        return len(self._streams)

    def has(self, stream: str) -> bool:
        """Return whether a stream is in memory."""
        return stream in self._streams

    def forget(self, stream: str) -> None:
        """Drop a stream from memory; nothing of it may be waiting for the store. It is reloaded when needed."""
        live = self._streams.pop(stream, None)
        self._tables.pop(stream, None)
        self._promotions.pop(stream, None)
        assert live is None or live.newest_head == live.head, f"{stream} is about to change"

    def newest_head(self, stream: str) -> Head:
        """Return the head of a stream including events not stored yet: the next decision builds on it."""
        return self._loaded(stream).newest_head

    def forget_empty(self, streams: Iterable[str]) -> None:
        """Drop the streams that have no events, so that asking for unknown names costs no memory."""
        for stream in streams:
            live = self._streams.get(stream)
            if live is not None and live.newest_head.version == 0:
                self.forget(stream)

    def take_in(
        self,
        stream: str,
        records: Iterable[Record],
        secrets: dict[str, bytes] | None = None,
        restored: Restored | None = None,
    ) -> None:
        """Load a stream or catch up with it: the records after the version in memory, and the table's secrets.

        A stream that is not in memory may start from a snapshot; `records` are then those after it. If a record cannot
        be read, nothing changes.
        """
        live = self._streams.get(stream)
        if live is None:
            live = self._new(stream)
            if restored is not None:
                live.restore(restored.state, restored.head)
            live.take_in(list(records))
            self._streams[stream] = live
            if stream.startswith(TABLES):
                self._tables[stream] = live
            elif stream.startswith(PROMOTIONS):
                self._promotions[stream] = live
            self._secrets |= secrets or {}
            return
        taken = live.take_in(list(records))
        if live.newest_head.version < live.head.version:  # own events were read back before they were settled
            live.fall_back()
        self._secrets |= secrets or {}
        for entry in taken:
            if isinstance(entry.document.event, DiceDrawn | RoundCancelled):
                self._secrets.pop(rounds.secret_name(live.state.name, entry.document.event.number), None)
        self._publish(stream, taken)

    def _publish(self, stream: str, entries: list[Entry]) -> None:
        if entries:
            self._published(stream, entries)

    def _new(self, stream: str) -> Live[Any]:
        if stream.startswith(TABLES):
            return Live(stream, TableState(), table_books.evolve)
        if stream.startswith(PROMOTIONS):
            return Live(stream, PromotionState(), promotion_books.evolve)
        return Live(stream, Account(), account_books.evolve)

    def _loaded(self, stream: str) -> Live[Any]:
        try:
            return self._streams[stream]
        except KeyError:
            raise NotLoaded(stream) from None

    # Deciding

    def decide(self, submission: Submission, at: datetime, entropy: Entropy) -> Pending:
        """Decide an order on top of everything decided so far. Nothing takes effect until it is settled.

        Raises NotLoaded if it needs a stream that is not in memory.
        """
        scene, order = self._scene(submission, at, entropy), submission.order
        refusal = check_permit(scene, order) or order.check_version(self._newest_version)
        decided = order.decide(scene) if refusal is None else refusal
        if isinstance(decided, Refusal):
            return self._refused(submission, at, said_to(submission.who, decided))
        return self._drafted(scene, decided)

    def _scene(self, submission: Submission, at: datetime, entropy: Entropy) -> Scene:
        known = self._newest_table, self._newest_account, self._newest_promotion, self._secrets.get
        return Scene(self.shelf, submission, at, entropy, *known, self._newest_tables)

    def _newest_table(self, name: str) -> TableState:
        return self._loaded(table_stream(name)).newest  # type: ignore[no-any-return]

    def _newest_tables(self) -> list[TableState]:
        return [live.newest for live in self._tables.values()]

    def _newest_account(self, person: str) -> Account:
        return self._loaded(account_stream(person)).newest  # type: ignore[no-any-return]

    def _newest_promotion(self, name: str) -> PromotionState:
        return self._loaded(promotion_stream(name)).newest  # type: ignore[no-any-return]

    def _newest_version(self, stream: str) -> int:
        return self.newest_head(stream).version

    def _refused(self, submission: Submission, at: datetime, refusal: Refusal) -> Pending:
        about = [shortened(each) for each in refusal.about[:MOST_ABOUT]] or UNSET
        say = shortened(refusal.message)
        told = ProblemBody(code=refusal.code, clause=refusal.clause, message=say, about=about)
        # No person is behind an order of the house itself, so its refusals are not kept.
        kept = None if submission.who is None else refused_orders.kept(submission, at, told)
        return Pending(submission, Write(answer=_answer(submission, told), refusal=kept), {}, told, {})

    def _drafted(self, scene: Scene, outcome: Outcome) -> Pending:
        submission, role = scene.submission, outcome.role
        drafted: dict[str, Drafted] = {}
        versions: dict[str, int] = {}
        appends: list[Append] = []
        # The decision also depends on the roles of the person giving the order.
        asked_by: dict[str, list[StoredEvent]] = {} if scene.who is None else {account_stream(scene.who): []}
        for stream, happened in (asked_by | outcome.events).items():
            live = self._loaded(stream)
            version, mark = live.newest_head
            if not happened:  # no events for this stream, but it must not have changed since the decision
                drafted[stream] = RELIED_ON
                appends.append(Append(stream, version, (), mark))
                continue
            at = live.newest.later(scene.at) if stream in self._tables else scene.at
            draft = drafted[stream] = live.draft([_document(scene, stamp(at), role, event) for event in happened])
            versions[stream] = draft.after.version
            appends.append(Append(stream, version, tuple([entry.stored for entry in draft.entries]), mark))
        for stream in versions:  # only now: up to here a stream may still turn out not to be loaded
            self._streams[stream].go_ahead(drafted[stream])
        told = Done(ok=True, versions=versions, calls=outcome.calls, number=outcome.number)
        vault = tuple([Secret(name, value) for name, value in (outcome.secrets | outcome.sealed).items()])
        write = Write(tuple(appends), _answer(submission, told), vault=vault)
        return Pending(submission, write, drafted, told, outcome.secrets)

    # Settling

    def settle(self, pending: Pending, stored: Stored) -> OrderReply | None:
        """Return the reply for the store's outcome of a write. None: catch up and decide again."""
        if isinstance(stored, Committed):
            for name, secret in pending.secrets.items():
                if secret is None:
                    self._secrets.pop(name, None)
                else:
                    self._secrets[name] = secret
            for stream, draft in pending.drafted.items():
                if draft.entries and self._loaded(stream).stored(draft):
                    self._publish(stream, draft.entries)
            return pending.answer
        self.failed(pending)
        if isinstance(stored, Answered):
            return self._first_answer(pending.submission, stored.answer)
        return None

    def failed(self, pending: Pending) -> None:
        """Drop a write that was not stored. Decisions built on it are dropped too and will meet a conflict."""
        for stream in pending.drafted:
            self._loaded(stream).fall_back()

    def _first_answer(self, submission: Submission, answer: Answer) -> OrderReply:
        if answer.digest != digest(submission.order):
            return ProblemBody(code="key_used", message="The key was used for another order.")
        if msgspec.json.decode(answer.reply, type=_Answered).ok:
            return msgspec.json.decode(answer.reply, type=Done)
        return msgspec.json.decode(answer.reply, type=ProblemBody)

    # Time

    def due(self) -> list[tuple[datetime, str]]:
        """Return when the next step of each self-running table is due, soonest first."""
        tables = [live.newest for live in self._tables.values() if live.newest.rhythm is not None]
        steps = [(rounds.due(table), table.name) for table in tables]
        return sorted((when, name) for when, name in steps if when is not None)


def _document(scene: Scene, at: str, role: str | None, event: StoredEvent) -> Document:
    salt = None if names_nobody(event, scene.who) else scene.entropy(SALT_BYTES).hex()
    return Document(FORMAT, at, event, scene.who, role, scene.submission.id, salt)


def digest(order: Order) -> bytes:
    """Return the hash that tells apart orders with the same key."""
    return sha256(_sorted(order)).digest()


def _answer(submission: Submission, told: OrderReply) -> Answer | None:
    if submission.key is None:
        return None
    return Answer(submission.who or THE_HOUSE, submission.key, digest(submission.order), _plain(told))
