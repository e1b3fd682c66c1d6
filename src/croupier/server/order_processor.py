"""The order processor: takes concurrent orders, decides each on the newest state, and answers once it is stored.

Decisions are made one after the other in the event loop's thread. Writes go to the store's own thread in groups. The
outcome of a group returns in one step and is settled in the order of the decisions, so that a stream as people see it
never goes back or skips.

Other processes may write to the same store. A decision on a state that is not the newest is made again.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from typing import NamedTuple, cast

import msgspec

from croupier.contract.replies import Done, OrderReply, ProblemBody
from croupier.house import live_streams
from croupier.house.house import House, NotLoaded, Pending, digest
from croupier.house.live_streams import Head, Intervals, Restored, State
from croupier.house.names import AT_HAND, PROMOTIONS, TABLES, name_of
from croupier.house.orders import Order, Submission, draw_secret, secret_name
from croupier.house.stored_events import UnknownFormat
from croupier.server.system import SystemEntropy
from croupier.store.contract import Boundary, CorruptStore, InDoubt, Reading, Store, StoreError, nothing
from croupier.store.group_commit import LoopGroupCommitter, Measured
from croupier.store.keys import HouseKey
from croupier.store.receipts import Claim, Receipt, issue, written
from croupier.store.records import Append, Committed, Outcome, Record, Secret, Write

NOTHING = Write()
ID_BYTES = 16
MOST_TRIES = 100  # a stream that others keep writing to must not keep an order waiting indefinitely
LOADED_AT_ONCE = 8  # streams; more would only queue up in the store
SNAPSHOT_EVENTS = 500
BEFORE_SIGNING = 0.001  # seconds: by then the store's thread waits for the disk and leaves the CPU free
PROBE = "probe"  # in the vault: the time of the last test write

log = logging.getLogger("croupier.server")


Counted = Callable[[Submission, Write, OrderReply], None]


class Ticket(msgspec.Struct, gc=False, eq=False):
    """A caller awaiting a commit. `receipt` is JSON, sent with the reply once everything is stored."""

    pending: Pending
    reply: asyncio.Future[OrderReply | None]
    receipt: bytes | None = None


class Found(NamedTuple):
    """What the store has of a stream: events to continue with, or the state they result in; and the table's secrets.

    `kept` is the version of the snapshot it started from.
    """

    records: list[Record]
    secrets: dict[str, bytes]
    restored: Restored | None = None
    kept: int = 0


class OrderProcessor:
    """One house, one store, one event loop. `damaged` are the streams that cannot be served, and why."""

    def __init__(
        self,
        house: House,
        store: Store,
        *,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
        entropy: Callable[[int], bytes] | None = None,
        boundary: Boundary = nothing,
        snapshot_events: int = SNAPSHOT_EVENTS,
        stored: Counted | None = None,
        key: HouseKey | None = None,
    ) -> None:
        """`snapshot_events` is the number of events of a stream between snapshots.

        `stored` is called with what each order has stored. With the house's `key`, the reply to an order that changes a
        table includes a receipt.
        """
        self.house = house
        self.store = store
        self.clock = clock
        self.entropy = entropy or SystemEntropy()
        self._stored = stored
        self._key = key
        self._unsigned: list[Ticket] = []  # submitted, still without their receipts
        self._signing: asyncio.TimerHandle | None = None
        self._loop = asyncio.get_running_loop()
        self.damaged: dict[str, CorruptStore] = {}
        self.trouble: StoreError | None = None  # why the last write failed; None if it succeeded
        self._committer: LoopGroupCommitter[Ticket | None] = LoopGroupCommitter(
            store, self._hand_over, self._loop, boundary=boundary
        )
        self._loading: dict[str, asyncio.Future[None]] = {}
        self._intervals = Intervals(snapshot_events)
        self._tasks: set[asyncio.Task[None]] = set()

    def submission(
        self, order: Order, who: str | None = None, key: str | None = None, within: tuple[str, ...] | None = None
    ) -> Submission:
        """Return an order as given by a person, or by the house itself, with a unique id."""
        return Submission(id=self.entropy(ID_BYTES).hex(), order=order, who=who, key=key, within=within)

    async def do(self, submission: Submission, beside: tuple[Secret, ...] = ()) -> OrderReply:
        """Carry out an order. Raises StoreError if it cannot be stored; nothing has happened then.

        The secrets in `beside` go into the vault if and only if the order is carried out. An order in doubt is decided
        again: if it was stored after all, its key returns the first reply.
        """
        for _ in range(MOST_TRIES):
            try:
                pending = self.house.decide(submission, self.clock(), self.entropy)
            except NotLoaded as missing:
                pending = await self._decided(submission, missing.stream)
            if pending.write == NOTHING:
                return pending.answer
            if not pending.drafted:
                pending = self._guarded(pending)
            try:
                reply = await self._handed_in(pending, beside)  # cancelling the wait does not take back the write
            except InDoubt:
                if submission.key is None and submission.who is not None:
                    raise
                reply = None
            if reply is not None:
                if self._stored is not None:
                    self._stored(submission, pending.write, reply)
                if isinstance(reply, ProblemBody):  # it may have named a table or an account that does not exist
                    self.house.forget_empty(submission.streams)
                    return reply
                return reply if reply.receipt is not None else await self._receipted(submission, reply)
            for append in pending.write.appends:
                await self.load(append.stream)
        raise StoreError("Other processes keep changing this: try again in a moment.")

    async def _decided(self, submission: Submission, missing: str) -> Pending:
        """Decide an order after loading every stream that the decision needs."""
        while True:
            await self.load(missing)
            try:
                return self.house.decide(submission, self.clock(), self.entropy)
            except NotLoaded as another:
                missing = another.stream

    def _guarded(self, pending: Pending) -> Pending:
        """Guard a refusal by the heads it was decided on: the events behind it may never be stored, or be undone."""
        guards = tuple(self._guards(pending.submission.streams))
        return pending._replace(write=msgspec.structs.replace(pending.write, appends=guards))

    def _guards(self, streams: Iterable[str]) -> Iterator[Append]:
        for stream in filter(self.house.has, streams):
            version, mark = self.house.newest_head(stream)
            yield Append(stream, version, (), mark)

    def _handed_in(self, pending: Pending, beside: tuple[Secret, ...]) -> asyncio.Future[OrderReply | None]:
        reply: asyncio.Future[OrderReply | None] = self._loop.create_future()
        write = pending.write
        if beside and pending.drafted:
            write = msgspec.structs.replace(write, vault=(*write.vault, *beside))
        ticket = Ticket(pending, reply)
        try:
            self._committer.hand_in(write, ticket)
        except StoreError:
            self.house.failed(pending)
            raise
        if self._key is not None and pending.submission.who is not None and pending.drafted:
            if not self._unsigned:
                self._signing = self._loop.call_later(BEFORE_SIGNING, self._sign)
            self._unsigned.append(ticket)
        return reply

    def _hand_over(self, tickets: list[Ticket | None], outcomes: list[Outcome | StoreError]) -> None:
        try:
            self._loop.call_soon_threadsafe(self._settle, tickets, outcomes)
        except RuntimeError:
            return  # the loop is closed; nothing waits any longer

    def _settle(self, tickets: list[Ticket | None], outcomes: list[Outcome | StoreError]) -> None:
        if self._unsigned:
            self._sign()
        for ticket, outcome in zip(tickets, outcomes, strict=True):
            if ticket is None:  # a snapshot: nothing waits for it
                continue
            try:
                self._settle_one(ticket, outcome)
            except Exception as error:  # a bug affects one order, never those behind it
                log.exception("An order could not be settled.")
                self._recover(ticket, error)
        drafts = [ticket.pending.drafted for ticket in tickets if ticket is not None]
        self._keep_snapshots({stream for drafted in drafts for stream, draft in drafted.items() if draft.entries})

    def _settle_one(self, ticket: Ticket, outcome: Outcome | StoreError) -> None:
        pending, reply = ticket.pending, ticket.reply
        self.trouble = None
        if isinstance(outcome, StoreError):
            self.trouble = outcome
            self.house.failed(pending)
            if not reply.cancelled():
                reply.set_exception(outcome)
                reply.exception()  # mark the exception as retrieved in case the caller stopped waiting
        else:
            told = self.house.settle(pending, outcome)
            if not reply.cancelled():
                if isinstance(told, Done) and ticket.receipt is not None and isinstance(outcome, Committed):
                    receipt = cast(Receipt, msgspec.Raw(ticket.receipt))  # already JSON
                    told = msgspec.structs.replace(told, receipt=receipt)
                reply.set_result(told)

    def _recover(self, ticket: Ticket, error: Exception) -> None:
        """Report the bug to the caller and reload what is stored."""
        pending, reply = ticket.pending, ticket.reply
        if not reply.done():
            reply.set_exception(error)
            reply.exception()
        for stream in pending.drafted:
            task = asyncio.create_task(self._load_again(stream))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _load_again(self, stream: str) -> None:
        with suppress(StoreError):
            await self.load(stream)

    # Receipts

    def _sign(self) -> None:
        """Sign receipts for all submitted orders, if possible while the store's thread waits for the disk.

        They are sent with the replies once the orders are stored. The receipt of an order that is not stored
        is dropped unseen.
        """
        tickets, self._unsigned = self._unsigned, []
        if self._signing is not None:
            self._signing.cancel()
        assert self._key is not None, "nothing waits to be signed without a key"
        try:
            claims = list(map(_claim, tickets))
            made = iter(written(self._key, [claim for claim in claims if claim is not None], self.clock()))
        except Exception:  # a bug: the orders are stored, and every caller gets a reply
            log.exception("No receipts could be signed.")
            return
        for ticket, claim in zip(tickets, claims, strict=True):
            if claim is not None:
                ticket.receipt = next(made)

    async def _receipted(self, submission: Submission, reply: Done) -> Done:
        """Add a receipt to a reply. A repeated reply gets a new one, because receipts are not stored with replies."""
        if self._key is None or submission.who is None:
            return reply
        for stream, version in reply.versions.items():
            if stream.startswith(TABLES):
                with suppress(StoreError):  # the order was carried out, and the reply says so
                    receipt = await self.receipt(stream, version, digest(submission.order).hex())
                    return reply if receipt is None else msgspec.structs.replace(reply, receipt=receipt)
        return reply

    async def receipt(self, stream: str, version: int, order: str = "") -> Receipt | None:
        """Issue a receipt for one event of a stream; None if there is no such event. Raises StoreError."""
        found = await asyncio.to_thread(self.store.read, stream, version - 1, 1)
        if not found or self._key is None:
            return None
        return issue(self._key, [Claim(stream, version, found[0].hash, order)], self.clock())[0]

    # Streams in memory

    async def open_tables(self) -> dict[str, CorruptStore]:
        """Load all tables and promotions, so that their clocks run. Return those that are damaged."""
        await asyncio.to_thread(live_streams.make_ready)  # now, while no request waits for it
        streams = await asyncio.to_thread(self._stored_tables)
        room = asyncio.Semaphore(LOADED_AT_ONCE)

        async def opened(stream: str) -> None:
            async with room:
                with suppress(CorruptStore):  # it is listed in `damaged`
                    await self.load(stream)

        await asyncio.gather(*map(opened, streams))
        return {stream: self.damaged[stream] for stream in streams if stream in self.damaged}

    def _stored_tables(self) -> list[str]:
        try:
            return [head.stream for prefix in AT_HAND for head in self.store.heads(prefix)]
        except CorruptStore:  # a head is damaged: the events still show which streams there are
            return [stream for stream in self.store.streams() if stream.startswith(AT_HAND)]

    async def catch_up(self, stream: str, version: int) -> None:
        """Ensure that a stream is in memory up to a version in the store. Raises StoreError."""
        for _ in range(2):  # the first may join a read that began before that version was written
            if self.house.has(stream) and self.house.head(stream).version >= version:
                return
            await self.load(stream)

    async def load(self, stream: str) -> None:
        """Load a stream, or catch up with what others have written to it. Concurrent callers share one read.

        Raises CorruptStore, which names the stream and the version, if it cannot be served.
        """
        under_way = self._loading.get(stream)
        if under_way is None or under_way.done():  # a finished load may have been forgotten again
            under_way = self._loading[stream] = asyncio.ensure_future(self._load(stream))
            under_way.add_done_callback(lambda done: self._loaded(stream, done))
        await asyncio.shield(under_way)

    def _loaded(self, stream: str, done: asyncio.Future[None]) -> None:
        if self._loading.get(stream) is done:
            del self._loading[stream]
        if not done.cancelled():
            done.exception()  # mark the exception as retrieved in case the caller stopped waiting

    async def _load(self, stream: str) -> None:
        known = self.house.head(stream) if self.house.has(stream) else None
        try:
            if known is None:
                found = await asyncio.to_thread(self._whole, stream)
            else:
                found = await asyncio.to_thread(self._read, stream, known.version)
            self._take_in(self.house, stream, found)
        except CorruptStore as error:
            if stream not in self.damaged:
                log.error("%s cannot be served. %s", stream, error)
            self.damaged[stream] = error
            raise
        self.damaged.pop(stream, None)
        if found.kept:
            self._intervals.found(stream, found.kept)
        self._keep_snapshots([stream])

    def _whole(self, stream: str) -> Found:
        """Read a stream from its beginning or from a snapshot. It may be long: keep it off the event loop's thread."""
        snapshot = self.store.snapshot(stream)
        start = None if snapshot is None else live_streams.restored(snapshot)
        kept = 0 if start is None else start.head.version
        found = self._read(stream, kept)
        house = House(self.house.shelf)
        self._take_in(house, stream, found._replace(restored=start))
        return Found([], found.secrets, Restored(house.state(stream), house.head(stream)), kept)

    def _read(self, stream: str, after: int) -> Found:
        if not stream.startswith(AT_HAND):
            return Found(self.store.read(stream, after), {})
        with self.store.still() as view:  # a round and its secret from the same moment
            return Found(view.read(stream, after), _secrets(view, stream))

    def _take_in(self, house: House, stream: str, found: Found) -> None:
        """Apply the events found. Raises CorruptStore if an event has the right hash but does not make sense."""
        start = Restored(house.state(stream), house.head(stream)) if house.has(stream) else found.restored
        try:
            house.take_in(stream, found.records, found.secrets, found.restored)
        except Exception as error:
            misfit = _first_misfit(House(house.shelf), stream, start, found.records)
            if misfit is None:
                raise
            why = str(error) if isinstance(error, UnknownFormat) else "It does not follow from the events before it."
            say = f"{self.store.name} is damaged: event {misfit} of {stream} makes no sense. {why}"
            raise CorruptStore(say, stream, misfit) from error

    # Snapshots

    def _keep_snapshots(self, streams: Iterable[str]) -> None:
        """Take snapshots of the streams that are due: of what is stored, never of what is pending."""
        for stream in streams:
            head = self.house.head(stream)
            if self._intervals.is_due(stream, head.version):
                self._intervals.found(stream, head.version)  # if it fails, there will be another one
                task = asyncio.create_task(self._keep_snapshot(stream, self.house.state(stream), head))
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)

    async def _keep_snapshot(self, stream: str, state: State, head: Head) -> None:
        snapshot = await asyncio.to_thread(live_streams.taken, stream, state, head)
        if snapshot is not None:
            with suppress(StoreError):  # without it a later load only has to read more
                self._committer.hand_in(Write(snapshots=(snapshot,)), None)

    async def check(self) -> None:
        """Check whether orders can be stored; after a failed write, test with another one. Raises StoreError."""
        if self.trouble is not None:
            now = self.clock().isoformat().encode()
            await asyncio.to_thread(self.store.commit, [Write(vault=(Secret(PROBE, now),))])
            self.trouble = None
        await asyncio.to_thread(self.store.head, TABLES)

    def measured(self) -> Measured:
        """Return what has been written so far."""
        return self._committer.measured()

    async def close(self) -> None:
        """Store what is pending, and accept nothing more."""
        await asyncio.gather(*self._loading.values(), return_exceptions=True)
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await asyncio.to_thread(self._committer.close)


def _claim(ticket: Ticket) -> Claim | None:
    """Return what the receipt claims: the version to which the order brings its table's stream."""
    pending = ticket.pending
    for stream, draft in pending.drafted.items():
        if draft.entries and stream.startswith(TABLES):
            answer = pending.write.answer
            mark = digest(pending.submission.order) if answer is None else answer.digest
            return Claim(stream, draft.after.version, draft.after.hash, mark.hex())
    return None


def _secrets(view: Reading, stream: str) -> dict[str, bytes]:
    if stream.startswith(PROMOTIONS):
        name = draw_secret(name_of(stream))
        secret = view.secret(name)
        return {} if secret is None else {name: secret}
    kept = view.secrets(secret_name(name_of(stream)))
    return {one.name: one.value for one in kept if one.value is not None}


def _first_misfit(house: House, stream: str, start: Restored | None, records: list[Record]) -> int | None:
    """Return the version of the first event that does not follow from those before it."""
    house.take_in(stream, [], None, start)
    for record in records:
        try:
            house.take_in(stream, [record])
        except Exception:
            return record.version
    return None
