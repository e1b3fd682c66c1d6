"""Guests: people who play without opening an account. Their number is limited, and they are forgotten after a while.

What happened at their tables and to their accounts stays on record. What is forgotten is who they are: their
credentials, their network, their seat.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from datetime import datetime, timedelta

from croupier.house import orders
from croupier.house.names import account_stream
from croupier.money import parse_cents
from croupier.server.admission import GUEST
from croupier.server.credentials import Credentials, Issued
from croupier.server.order_processor import OrderProcessor
from croupier.server.problems import Problem
from croupier.server.settings import Settings
from croupier.store.contract import StoreError

ID_BYTES = 6
LONGEST_PAUSE = 60.0  # seconds
WAIT_SECONDS = 60

log = logging.getLogger("croupier.server")


class Guests:
    """Admits guests, and forgets those who have left or been inactive for long."""

    def __init__(
        self, processor: OrderProcessor, credentials: Credentials, settings: Settings, let_go: Callable[[str], None]
    ) -> None:
        self._processor = processor
        self._credentials = credentials
        self._settings = settings
        self._let_go = let_go
        self._patience = timedelta(minutes=settings.guest_minutes)
        self._seen: dict[str, datetime] = {}  # when each was last active here
        self._coming = asyncio.Lock()  # so that concurrent arrivals are counted correctly
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Start forgetting guests."""
        self._task = asyncio.create_task(self._run(), name="croupier-guests")

    async def stop(self) -> None:
        """Stop."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def enter(self, network: str) -> Issued:
        """Create and sign in a new guest. Raises Problem if there are too many."""
        async with self._coming:
            known = await asyncio.to_thread(self._credentials.guests)
            if sum(one.network == network for one in known.values()) >= self._settings.guests_from_one_address:
                say = "There are too many guests from this address: sign in, or open an account."
                raise Problem(429, "too_many_guests", say, wait=WAIT_SECONDS)
            if len(known) >= self._settings.guests:
                say = "The house is full of guests: sign in, or open an account."
                raise Problem(503, "guests_full", say, wait=WAIT_SECONDS)
            return await self._entered(network)

    async def _entered(self, network: str) -> Issued:
        now, person = self._processor.clock(), GUEST + self._processor.entropy(ID_BYTES).hex()
        issued, beside = self._credentials.admitted(person, network, now)
        cents = parse_cents(self._settings.welcome)
        order = orders.OpenAccount(person=person, name="", cents=cents, card=True)
        told = await self._processor.do(self._processor.submission(order), beside)
        assert told.ok, told
        return issued

    def acted(self, person: str) -> None:
        """Note that a guest is active, and is not to be forgotten."""
        self._seen[person] = self._processor.clock()

    async def _run(self) -> None:
        while True:
            await asyncio.sleep(min(LONGEST_PAUSE, self._patience.total_seconds() / 4))
            try:
                await self.sweep()
            except StoreError as error:
                log.error("guests could not be removed", extra={"reason": str(error)})
            except Exception:  # one bug must not end the loop
                log.exception("guests could not be removed")

    async def sweep(self) -> int:
        """Forget the guests whose time is over; return their number. Raises StoreError."""
        now, seen = self._processor.clock(), dict(self._seen)
        known = await asyncio.to_thread(self._credentials.note_guests, seen)
        present = await asyncio.to_thread(self._credentials.signed_in, now)
        for person in self._seen.keys() - known.keys():
            del self._seen[person]
        gone = [one for one, guest in known.items() if one not in present or now - guest.seen > self._patience]
        return sum([await self._forget(person) for person in gone])

    async def _forget(self, person: str) -> bool:
        """Forget a guest, unless they have a wager that only a throw can end: then retry later."""
        stream, house = account_stream(person), self._processor.house
        await self._processor.load(stream)
        for visit in house.account(person).visits:
            if visit.until is None:
                told = await self._processor.do(self._processor.submission(orders.GetUp(table=visit.table), person))
                if not told.ok:
                    return False
        self._let_go(person)
        await asyncio.to_thread(self._credentials.forget, person)
        if house.has(stream) and house.head(stream) == house.newest_head(stream):
            house.forget(stream)
        return True
