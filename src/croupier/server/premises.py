"""The whole house in one process: its store and key, the desk, the clock, who may come in, who listens."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import ParamSpec, TypeVar

from croupier.house.accounts import Account
from croupier.house.deeds.permits import no_account, no_promotion, no_table
from croupier.house.deeds.promotions import MANAGING, draw_secret
from croupier.house.documents import Entry
from croupier.house.draws import reckoned
from croupier.house.electronic.public import kind
from croupier.house.house import House
from croupier.house.live import Head
from croupier.house.orders import AnyDeed, SetPassword, deed_name
from croupier.house.promotions import PromotionState
from croupier.house.showing import Eyes, eyes
from croupier.house.streams import account_stream, is_name, name_of, promotion_stream, table_stream
from croupier.house.tables import TableState
from croupier.rules.shelf import Shelf
from croupier.server.asking import Asker, Asking
from croupier.server.chance import Chance
from croupier.server.credentials import Credentials, Issued, Locked
from croupier.server.desk import Desk
from croupier.server.hub import Hub
from croupier.server.metrics import Gauges, Metrics
from croupier.server.notices import Notices
from croupier.server.problems import STATUS, Problem
from croupier.server.promoting import EntriesClock
from croupier.server.rates import Rate
from croupier.server.reckoning import Reckoning
from croupier.server.running import Clockwork
from croupier.server.settings import Settings
from croupier.server.witnesses import Witnesses
from croupier.store.checkpoints import STREAM, Sealer
from croupier.store.contract import Boundary, CorruptStore, Store, StoreError, nothing
from croupier.store.keys import HouseKey, house_key, read_key
from croupier.store.opening import open_store
from croupier.store.receipts import Claim, Receipt, issue
from croupier.store.records import Secret
from croupier.store.witnessing import Keeper
from croupier.table.refusals import Refusal
from croupier.table.telling import Told

HASHING_AT_ONCE = 2  # each takes 64 MB and a core
READING_AT_ONCE = 2  # of the past, which may be long
RECEIPTS_A_MINUTE = 120  # that one person or address may ask for

T = TypeVar("T")
P = ParamSpec("P")

log = logging.getLogger("croupier.server")


class Premises:
    """Everything that a running house has. It is opened once, in the loop that it runs in, and closed once."""

    desk: Desk
    store: Store
    key: HouseKey

    def __init__(
        self,
        settings: Settings,
        *,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
        entropy: Callable[[int], bytes] | None = None,
        boundary: Boundary = nothing,
    ) -> None:
        self.settings = settings
        self.clock = clock
        self.entropy = entropy or Chance()
        self._boundary = boundary
        self.hub = Hub(settings.waiting_events, settings.waiting_bytes, self.receipts)
        self.metrics = Metrics(self._now)
        self.house = House(Shelf(), self._publish)
        self.order_rate = Rate(settings.orders_a_second, 1.0)
        self.sign_in_rate = Rate(settings.sign_ins_a_minute, 60.0)
        self.receipt_rate = Rate(RECEIPTS_A_MINUTE, 60.0)
        self.is_open = False
        self._found: dict[str, CorruptStore] = {}
        self._hashing = asyncio.Semaphore(HASHING_AT_ONCE)
        self._readers = ThreadPoolExecutor(READING_AT_ONCE, "croupier-reading")
        self._sealing: asyncio.Task[None] | None = None
        self._sealed_by_one = asyncio.Lock()

    # Opening and closing

    async def open(self) -> None:
        """Open the store, take all tables in, and begin. Raises StoreError with a sentence."""
        self.loop = asyncio.get_running_loop()
        key = await asyncio.to_thread(_key_there, self.settings)
        self.store = await asyncio.to_thread(open_store, self.settings.store, boundary=self._boundary)
        try:
            self.key = key if key is not None else await asyncio.to_thread(_new_key, self.settings, self.store)
            await self._begin()
        except BaseException:
            await asyncio.to_thread(self.store.close)
            raise
        self.is_open = True

    async def _begin(self) -> None:
        settings = self.settings
        self._sealer = await asyncio.to_thread(Sealer, self.store, self.key, settings.name)
        self.credentials = Credentials.of(settings, self.store, self.entropy)
        self.asking = Asking(
            self.credentials,
            self.clock,
            secure=settings.secure_cookies,
            remembered=timedelta(seconds=settings.remembered_seconds),
        )
        self.desk = Desk(
            self.house,
            self.store,
            clock=self.clock,
            entropy=self.entropy,
            boundary=self._boundary,
            snapshot_events=settings.snapshot_events,
            key=self.key,
        )
        self.reckoning = Reckoning(self.store, self.house.shelf)
        await self.desk.open_tables()
        self._notices = Notices(self.desk)
        self._notices.start()
        self._clockwork = Clockwork(self.desk)
        self._clockwork.start()
        self._entries_clock = EntriesClock(self.desk, self.reckoning)
        self._entries_clock.start()
        self._sealing = asyncio.create_task(self._seal(), name="croupier-sealing")
        self.keeper = Keeper(self.store)
        self.witnesses = Witnesses(settings.witnesses, self.store, self.key.public.hex)
        self.witnesses.start()

    def close_doors(self) -> None:
        """Send those home who listen. May be called from a signal: it is done in the loop's next step."""
        self.is_open = False
        self.loop.call_soon_threadsafe(self.hub.close)

    async def close(self) -> None:
        """Let everybody go, store what waits, seal it, and let go of the store."""
        self.is_open = False
        self.hub.close()
        await self._clockwork.stop()
        await self._entries_clock.stop()
        await self._notices.stop()
        if self._sealing is not None:
            self._sealing.cancel()
            with suppress(asyncio.CancelledError):
                await self._sealing
        await self.desk.close()
        with suppress(StoreError):
            await self.seal()
        await self.witnesses.stop()
        await asyncio.to_thread(self._readers.shutdown, cancel_futures=True)
        await asyncio.to_thread(self.store.close)

    async def seal(self) -> None:
        """Sign how far all streams have come, for the witnesses as well. Raises StoreError."""
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
                log.error("not sealed", extra={"reason": str(error)})

    def _publish(self, stream: str, entries: list[Entry]) -> None:
        self.metrics.events.update(kind(entry.document.event) for entry in entries)
        try:
            self.hub.publish(self.house, stream, entries)
        except Exception:  # what is stored is stored: nobody else shall suffer, and listeners read it from the store
            log.exception("%s could not be told of", stream)
            self.hub.dismiss_from(stream)

    def receipts(self, claims: Sequence[Claim]) -> list[Receipt]:
        """Receipts for those who look, under one signature."""
        return issue(self.key, claims, self.clock())

    def _now(self) -> Gauges:
        """What can be watched of the moment."""
        done = self.desk.measured()
        return {
            "tables": ("Tables in memory.", len(self.house.tables())),
            "streams": ("Streams in memory.", len(self.house)),
            "damaged_streams": ("Streams that cannot be served.", len(self.damaged)),
            "listeners": ("Listeners to live events.", len(self.hub)),
            "writes_waiting": ("Writes that wait for the store.", done.waiting),
            "writes_stored": ("Writes handed to the store since the start.", done.writes),
            "writes_failed": ("Writes that the store could not take.", done.failed),
            "transactions": ("Transactions of the store since the start.", done.batches),
            "store_seconds": ("Seconds that the store was at work.", done.seconds),
        }

    # Orders

    async def order(self, asker: Asker, key: str, deed: AnyDeed, beside: tuple[Secret, ...] = ()) -> Told:
        """Carry out what somebody asks for; `beside` is kept in the vault with it."""
        self.order_rate.check(asker.person)
        order = self.desk.order(deed, asker.person, key, asker.within)
        start = perf_counter()
        told = await self.desk.do(order, beside)
        self.metrics.took(perf_counter() - start)
        self.metrics.orders[deed_name(deed), "done" if told["ok"] else str(told["code"])] += 1
        return told

    async def own_order(self, deed: AnyDeed, beside: tuple[Secret, ...] = (), key: str | None = None) -> Told:
        """Carry out what the house itself does."""
        return await self.desk.do(self.desk.order(deed, key=key), beside)

    # Passwords are slow to check, on purpose: only so many at once, and never in the loop

    async def hashed(self, person: str, password: str) -> Secret:
        """A password as it is kept. Raises Problem."""
        async with self._hashing:
            kept = await asyncio.to_thread(self.credentials.hashed, person, password)
        if isinstance(kept, Refusal):
            raise Problem(422, kept.code, kept.message)
        return kept

    async def marked(self, person: str, password: str) -> str:
        """What tells an order with this password from the same with another."""
        return await asyncio.to_thread(self.credentials.mark, person, password)

    async def sign_in(self, person: str, password: str) -> Issued:
        """A session for whoever knows the password. Raises Problem."""
        async with self._hashing:
            issued = await asyncio.to_thread(self.credentials.sign_in, person, password, self.clock())
        if isinstance(issued, Refusal):
            if isinstance(issued, Locked):
                raise Problem(429, issued.code, issued.message, wait=issued.seconds)
            raise Problem(401, issued.code, issued.message)
        return issued

    async def set_password(self, asker: Asker, key: str, person: str, password: str) -> Told:
        """Another password for somebody; that there is one goes into the book of the account. Raises Problem."""
        async with self._hashing:
            changed = await asyncio.to_thread(self.credentials.replaced, person, password)
        if isinstance(changed, Refusal):
            raise Problem(422, changed.code, changed.message)
        deed = SetPassword(person=person, credential=await self.marked(person, password))
        try:
            return await self.order(asker, key, deed, changed)
        finally:
            self.let_go(person)

    def let_go(self, person: str) -> None:
        """A person signed out, or has another password: whatever they are let in with is looked up again."""
        self.asking.forget(person)
        self.hub.dismiss(person)

    # What is there

    async def reading(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Read what has been, in threads of its own: whoever comes in or gives an order does not wait for that."""
        return await self.loop.run_in_executor(self._readers, partial(work, *args, **kwargs))

    async def table(self, name: str) -> tuple[TableState, Head]:
        """A table and how far its stream has come. Raises Problem where there is none."""
        head = await self._in_memory(table_stream(name), no_table(name))
        return self.house.table(name), head

    async def promotion(self, name: str) -> tuple[PromotionState, Head]:
        """A promotion and how far its stream has come. Raises Problem where there is none."""
        head = await self._in_memory(promotion_stream(name), no_promotion(name))
        return self.house.promotion(name), head

    async def reckon_draw(self, asker: Asker, name: str) -> None:
        """Reckon the draw that somebody is about to ask for, in a thread: of very many entries it takes long."""
        await self.account(asker.person)
        if self.acting(asker).roles.isdisjoint(MANAGING):
            return
        state, _ = await self.promotion(name)
        promotion, awarded = state.promotion, state.promotion.terms.time("awarded_at")
        secret = bytes.fromhex(state.secret) if state.secret else self.house.secret(draw_secret(name))
        is_due = promotion.stage in ("entries closed", "drawn") and awarded is not None and self.clock() >= awarded
        if is_due and secret is not None and promotion.entries:
            await self.reading(reckoned, state, secret)

    async def account(self, person: str) -> tuple[Account, Head]:
        """An account and how far its book has come. Raises Problem where there is none."""
        head = await self._in_memory(account_stream(person), no_account(person))
        return self.house.account(person), head

    async def _in_memory(self, stream: str, missing: Refusal) -> Head:
        """See that a stream is in memory, and how far it has come. Raises Problem where nothing ever happened there."""
        if is_name(name_of(stream)):
            while not self.house.has(stream):  # who waited for the same may have found it empty and let it go again
                await self.desk.load(stream)
            head = self.house.head(stream)
            if head.version:
                return head
            self.house.forget_empty([stream])
        raise Problem(STATUS[missing.code], missing.code, missing.message)

    @property
    def damaged(self) -> dict[str, CorruptStore]:
        """Streams that are damaged, as far as anybody has looked: some cannot be served, of others only the past."""
        return self._found | self.desk.damaged

    def note_damage(self, error: StoreError) -> None:
        """Remember what was found damaged by reading, for those who keep the house running."""
        if isinstance(error, CorruptStore) and error.stream is not None:
            self._found.setdefault(error.stream, error)

    def sentence(self, error: StoreError) -> str:
        """What a fault of the store is to those outside: where it is on this machine is nobody's business."""
        return str(error).replace(self.store.name, "The store")

    def look(self, asker: Asker | None, table: str) -> Eyes:
        """With whose eyes somebody looks at a table that is in memory; their account is, too."""
        if asker is None:
            return Eyes()
        return eyes(self.acting(asker), self.house.table(table))

    def acting(self, asker: Asker) -> Account:
        """The account of whoever asks, in memory, with the roles that count here."""
        account = self.house.account(asker.person)
        return account if asker.within is None else account.within(asker.within)


def _key_there(settings: Settings) -> HouseKey | None:
    """The house's key, read before anything is opened; None where there is none yet. Raises StoreError."""
    path = Path(settings.key)
    return read_key(path) if path.exists() else None


def _new_key(settings: Settings, store: Store) -> HouseKey:
    """A key for a house that has none, unless its store was sealed with one before. Raises StoreError."""
    if store.head(STREAM).version:
        raise StoreError(
            f"{store.name} was sealed with a key that is not in {settings.key}: give it the one it began with."
        )
    return house_key(Path(settings.key))
