"""The running house in one process: store and key, order processor, clocks, credentials, listeners."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import datetime, timedelta
from functools import partial
from time import perf_counter
from typing import ParamSpec, TypeVar
from uuid import uuid4

from croupier.contract.replies import OrderReply, ProblemBody
from croupier.house.house import House
from croupier.house.live_streams import Head
from croupier.house.names import TABLES, account_stream, is_name, name_of, promotion_stream, table_stream
from croupier.house.orders import (
    MANAGING,
    AtTable,
    OpenAccount,
    Order,
    SetPassword,
    Submission,
    draw_secret,
    no_account,
    no_promotion,
    no_table,
)
from croupier.house.queries import Account, PromotionState, TableState, Viewer, draw_outcome, kind, viewer
from croupier.house.stored_events import Entry, moment
from croupier.rules.shelf import Shelf
from croupier.server.admission import GUEST, Asker, Asking, Disk, Quotas, Rate, Turns, size_of
from croupier.server.change_listener import ChangeListener
from croupier.server.clocks import Clockwork, EntriesClock
from croupier.server.credentials import Credentials, Issued, Locked, Marks, purge
from croupier.server.guests import Guests
from croupier.server.live import Broadcaster
from croupier.server.monitoring import Gauges, Metrics
from croupier.server.order_processor import OrderProcessor
from croupier.server.presence import Presence
from croupier.server.problems import STATUS, Problem
from croupier.server.reports import ReportWorker
from croupier.server.settings import Settings
from croupier.server.system import SteadyClock, SystemEntropy, key_there, new_key
from croupier.server.witnesses import Witnesses
from croupier.store.checkpoints import trusted
from croupier.store.contract import Boundary, CorruptStore, Store, StoreError, nothing
from croupier.store.keys import HouseKey
from croupier.store.opening import open_store
from croupier.store.receipts import Claim, Receipt, issue
from croupier.store.records import Secret, Write
from croupier.store.witnessing import Keeper
from croupier.table.refusals import Refusal

HASHING_AT_ONCE = 2  # each takes 64 MB and a core
MOST_WAITING = 64  # for that; at some 50 ms each, the wait stays acceptable
MOST_WAITING_FROM_ONE = 16
READING_AT_ONCE = 2  # of past events, which may take long
BETWEEN_LOOKS = 2.0  # seconds between measurements of the room for the store
PLAYERS = frozenset({"player"})
RECEIPTS_A_MINUTE = 120  # that one person or address may request
PRACTICE_A_MINUTE = 600  # lines at practice tables that one address may send, a few milliseconds each

T = TypeVar("T")
P = ParamSpec("P")

log = logging.getLogger("croupier.server")


class RunningHouse:
    """All parts of a running house. Open it once, in the loop that it runs in, and close it once."""

    processor: OrderProcessor
    store: Store
    key: HouseKey

    def __init__(
        self,
        settings: Settings,
        *,
        clock: Callable[[], datetime] | None = None,
        entropy: Callable[[int], bytes] | None = None,
        boundary: Boundary = nothing,
    ) -> None:
        self.settings = settings
        self.clock = SteadyClock() if clock is None else clock
        self.entropy = entropy or SystemEntropy()
        self._boundary = boundary
        self.broadcaster = Broadcaster(
            settings.waiting_events,
            settings.waiting_bytes,
            settings.listeners,
            settings.listeners_from_one_address,
            self.receipts,
        )
        self.metrics = Metrics(self._now)
        self.house = House(Shelf(), self._publish)
        self.order_rate = Rate(settings.orders_a_second, 1.0)
        self.sign_in_rate = Rate(settings.sign_ins_a_minute, 60.0)
        self.sign_up_rate = Rate(settings.sign_ups_a_day, 86_400.0)
        self.receipt_rate = Rate(RECEIPTS_A_MINUTE, 60.0)
        self.practice_rate = Rate(PRACTICE_A_MINUTE, 60.0)
        self.quotas = Quotas(settings)
        self.disk = Disk(settings)
        self.is_open = False
        self._found: dict[str, CorruptStore] = {}
        self._hashing = Turns(HASHING_AT_ONCE, MOST_WAITING, MOST_WAITING_FROM_ONE)
        self._readers = ThreadPoolExecutor(READING_AT_ONCE, "croupier-reading")
        self._sealing: asyncio.Task[None] | None = None
        self._watching: asyncio.Task[None] | None = None
        self._sealed_by_one = asyncio.Lock()

    # Opening and closing

    async def open(self) -> None:
        """Open the store, load all tables, and start. Raises StoreError with a sentence."""
        self.loop = asyncio.get_running_loop()
        key = await asyncio.to_thread(key_there, self.settings)
        self.store = await asyncio.to_thread(open_store, self.settings.store, boundary=self._boundary)
        try:
            self.key = key if key is not None else await asyncio.to_thread(new_key, self.settings, self.store)
            await self._begin()
        except BaseException:
            await asyncio.to_thread(self.store.close)
            raise
        self.is_open = True

    async def _begin(self) -> None:
        settings = self.settings
        self._sealer = await asyncio.to_thread(trusted, self.store, self.key, settings.name, self.clock())
        await asyncio.to_thread(purge, self.store)
        self._marks = Marks(self.key)
        self.credentials = Credentials.of(settings, self.store, self.entropy)
        self.asking = Asking(
            self.credentials,
            self.clock,
            secure=settings.secure_cookies,
            remembered=timedelta(seconds=settings.remembered_seconds),
        )
        self.processor = OrderProcessor(
            self.house,
            self.store,
            clock=self.clock,
            entropy=self.entropy,
            boundary=self._boundary,
            snapshot_events=settings.snapshot_events,
            stored=self._count,
            key=self.key,
        )
        self.report_worker = ReportWorker(self.store, self.house.shelf)
        await self.processor.open_tables()
        if isinstance(self.clock, SteadyClock):  # the machine's clock may have been set back since the last run
            for table in self.house.tables():
                self.clock.go_on_from(moment(table.time))
        self.guests = Guests(self.processor, self.credentials, settings, self.let_go)
        self.guests.start()
        self._presence = Presence(self.processor, self.broadcaster, settings)
        self._presence.start()
        self._change_listener = ChangeListener(self.processor)
        self._change_listener.start()
        self._clockwork = Clockwork(self.processor)
        self._clockwork.start()
        self._entries_clock = EntriesClock(self.processor, self.report_worker)
        self._entries_clock.start()
        self.disk.look(await asyncio.to_thread(self.store.room))
        self._sealing = asyncio.create_task(self._seal(), name="croupier-sealing")
        self._watching = asyncio.create_task(self._watch(), name="croupier-watching")
        self.keeper = Keeper(self.store)
        self.witnesses = Witnesses(settings.witnesses, self.store, self.key.public.hex)
        self.witnesses.start()

    def close_doors(self) -> None:
        """Disconnect all listeners. Safe to call from a signal handler: runs in the loop's next step."""
        self.is_open = False
        self.loop.call_soon_threadsafe(self.broadcaster.close)

    async def close(self) -> None:
        """Disconnect everyone, store what is pending, seal it, and close the store."""
        self.is_open = False
        self.broadcaster.close()
        await self.guests.stop()
        await self._presence.stop()
        await self._clockwork.stop()
        await self._entries_clock.stop()
        await self._change_listener.stop()
        for task in (self._sealing, self._watching):
            if task is not None:
                task.cancel()
                with suppress(asyncio.CancelledError):
                    await task
        await self.processor.close()
        with suppress(StoreError):
            await self.seal()
        await self.witnesses.stop()
        await asyncio.to_thread(self._readers.shutdown, cancel_futures=True)
        await asyncio.to_thread(self.store.close)

    async def seal(self) -> None:
        """Sign the heads of all streams and notify the witnesses. Raises StoreError."""
        async with self._sealed_by_one:
            has_moved = await asyncio.to_thread(self._sealer.seal, self.clock())
        if has_moved:
            self.witnesses.sealed()

    async def _seal(self) -> None:
        while True:
            await asyncio.sleep(self.settings.checkpoint_seconds)
            try:
                await self.seal()
                await asyncio.to_thread(self.credentials.sweep, self.clock())
            except StoreError as error:
                log.error("the store could not be sealed", extra={"reason": str(error)})

    async def _watch(self) -> None:
        """Measure the room for the store."""
        while True:
            await asyncio.sleep(BETWEEN_LOOKS)
            with suppress(StoreError):  # every order finds out by itself whether the store answers
                self.disk.look(await asyncio.to_thread(self.store.room))

    def _count(self, submission: Submission, write: Write, told: OrderReply) -> None:
        """Count what an order has stored towards its person's quota, except work of staff."""
        who, order = submission.who, submission.order
        if who is None and isinstance(order, OpenAccount) and order.person.startswith(GUEST):
            who = order.person  # a guest's account: the house gives the order, for anyone who asks
        if who is None:
            return
        roles = self.house.account(who).roles if self.house.has(account_stream(who)) else frozenset()
        if not told.ok or roles <= PLAYERS:
            self.quotas.take(who, size_of(write))

    def _publish(self, stream: str, entries: list[Entry]) -> None:
        self.metrics.events.update(kind(entry.document.event) for entry in entries)
        if stream.startswith(TABLES) and self.is_open:
            self._clockwork.wake()
        try:
            self.broadcaster.publish(self.house, stream, entries)
        except Exception:  # the events are stored: orders must not fail, and listeners can read them from the store
            log.exception("listeners could not be notified of %s", stream)
            self.broadcaster.dismiss_from(stream)

    def receipts(self, claims: Sequence[Claim]) -> list[Receipt]:
        """Sign receipts for viewers, under one signature."""
        return issue(self.key, claims, self.clock())

    def _now(self) -> Gauges:
        """Return the current gauges."""
        done = self.processor.measured()
        return {
            "tables": ("Tables in memory.", len(self.house.tables())),
            "streams": ("Streams in memory.", len(self.house)),
            "damaged_streams": ("Streams that cannot be served.", len(self.damaged)),
            "listeners": ("Listeners to live events.", len(self.broadcaster)),
            "writes_waiting": ("Writes waiting for the store.", done.waiting),
            "writes_stored": ("Writes handed to the store since the start.", done.writes),
            "writes_failed": ("Writes that the store could not take.", done.failed),
            "transactions": ("Transactions of the store since the start.", done.batches),
            "store_bytes": ("Size of the store in bytes.", self.disk.room.taken),
            "store_bytes_left": ("Bytes by which the store can still grow.", self.disk.left),
            "store_seconds": ("Seconds that the store has been busy.", done.seconds),
        }

    # Orders

    async def order(self, asker: Asker, key: str, order: Order, beside: tuple[Secret, ...] = ()) -> OrderReply:
        """Carry out an order of the caller; `beside` goes into the vault with it."""
        self.order_rate.check(asker.person)
        self.disk.check()
        self.quotas.check(asker.person)
        if asker.person.startswith(GUEST):
            self.guests.acted(asker.person)
        if isinstance(order, AtTable):
            self._presence.acted(order.table, asker.person)
        submission = self.processor.submission(order, asker.person, key, asker.within)
        start = perf_counter()
        told = await self.processor.do(submission, beside)
        self.metrics.took(perf_counter() - start)
        self.metrics.orders[order.tag(), told.code if isinstance(told, ProblemBody) else "done"] += 1
        return told

    async def own_order(self, order: Order, beside: tuple[Secret, ...] = (), key: str | None = None) -> OrderReply:
        """Carry out an order of the house itself."""
        return await self.processor.do(self.processor.submission(order, key=key), beside)

    # Checking a password is slow on purpose: only so many at once, and never in the loop

    async def hashed(self, person: str, password: str, network: str = "") -> Secret:
        """Hash a password for the vault. Raises Problem."""
        return await self._in_turn(network, lambda: self.credentials.hashed(person, password))

    async def marked(self, person: str, password: str, key: str, network: str = "") -> str:
        """Return the mark that distinguishes this order with this password from the same order with another."""
        return await self._in_turn(network, lambda: self._marks.of(person, password, key))

    async def sign_in(self, person: str, password: str, network: str = "") -> Issued:
        """Open a session if the password is right. Raises Problem."""
        issued = await self._in_turn(network, lambda: self.credentials.sign_in(person, password, self.clock(), network))
        if issued.ends_another:
            self.let_go(person)
        return issued

    async def check_password(self, person: str, password: str, network: str = "") -> None:
        """Check a password, without opening a session. Raises Problem."""
        await self._in_turn(network, lambda: self.credentials.checked(person, password, self.clock(), network))

    async def _in_turn(self, network: str, work: Callable[[], T | Refusal]) -> T:
        """Wait for a turn, then hash in a thread. Raises Problem if the queue is full, or the work refuses."""
        async with self._hashing.turn(network):
            done = await asyncio.to_thread(work)
        if isinstance(done, Locked):
            raise Problem(429, done.code, done.message, wait=done.seconds)
        if isinstance(done, Refusal):
            raise Problem(STATUS.get(done.code, 422), done.code, done.message)
        return done

    async def set_password(
        self, asker: Asker, key: str | None, person: str, password: str, network: str = ""
    ) -> OrderReply:
        """Set a person's password; the account's events record the change. Raises Problem."""
        by_another = asker.person != person
        changed = await self._in_turn(
            network, lambda: self.credentials.replaced(person, password, by_another=by_another)
        )
        # Without a key it is never resent, so there is nothing to distinguish.
        mark = "" if key is None else await self.marked(person, password, key, network)
        order = SetPassword(person=person, credential=mark)
        try:
            return await self.order(asker, key or str(uuid4()), order, changed)
        finally:
            self.let_go(person)

    def let_go(self, person: str) -> None:
        """Revalidate everything of a person after one of their credentials has ended."""
        self.asking.forget(person)
        self.broadcaster.dismiss(person)

    # Queries

    async def reading(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Read the past in separate threads, so that sign-ins and orders do not wait for it."""
        return await self.loop.run_in_executor(self._readers, partial(work, *args, **kwargs))

    async def table(self, name: str) -> tuple[TableState, Head]:
        """Return a table and the head of its stream. Raises Problem if there is none."""
        head = await self._in_memory(table_stream(name), no_table(name))
        return self.house.table(name), head

    async def promotion(self, name: str) -> tuple[PromotionState, Head]:
        """Return a promotion and the head of its stream. Raises Problem if there is none."""
        head = await self._in_memory(promotion_stream(name), no_promotion(name))
        return self.house.promotion(name), head

    async def compute_draw(self, asker: Asker, name: str) -> None:
        """Compute, in a thread, the draw that the caller is about to order: with very many entries it takes long."""
        await self.account(asker.person)
        if self.acting(asker).roles.isdisjoint(MANAGING):
            return
        state, _ = await self.promotion(name)
        promotion, awarded = state.promotion, state.promotion.terms.time("awarded_at")
        secret = bytes.fromhex(state.secret) if state.secret else self.house.secret(draw_secret(name))
        is_due = promotion.stage in ("entries closed", "drawn") and awarded is not None and self.clock() >= awarded
        if is_due and secret is not None and promotion.entries:
            await self.reading(draw_outcome, state, secret)

    async def account(self, person: str) -> tuple[Account, Head]:
        """Return an account and the head of its stream. Raises Problem if there is none."""
        head = await self._in_memory(account_stream(person), no_account(person))
        return self.house.account(person), head

    async def _in_memory(self, stream: str, missing: Refusal) -> Head:
        """Ensure that a stream is in memory; return its head. Raises Problem if it has no events."""
        if is_name(name_of(stream)):
            while not self.house.has(stream):  # another caller may have loaded it, found it empty and dropped it
                await self.processor.load(stream)
            head = self.house.head(stream)
            if head.version:
                return head
            self.house.forget_empty([stream])
        raise Problem(STATUS[missing.code], missing.code, missing.message)

    @property
    def damaged(self) -> dict[str, CorruptStore]:
        """Streams known to be damaged: some cannot be served at all, others only their past."""
        return self._found | self.processor.damaged

    def note_damage(self, error: StoreError) -> None:
        """Remember damage found while reading, for the health report."""
        if isinstance(error, CorruptStore) and error.stream is not None:
            self._found.setdefault(error.stream, error)

    def sentence(self, error: StoreError) -> str:
        """Word a store fault for the outside, without paths on this machine."""
        return str(error).replace(self.store.name, "The store")

    def look(self, asker: Asker | None, table: str) -> Viewer:
        """Return the caller's view of a table. The table and the caller's account must be in memory."""
        if asker is None:
            return Viewer()
        return viewer(self.acting(asker), self.house.table(table))

    def acting(self, asker: Asker) -> Account:
        """Return the caller's account, which must be in memory, with the roles that apply here."""
        account = self.house.account(asker.person)
        return account if asker.within is None else account.within(asker.within)
