"""What admits a request: which hosts and networks, how often, who calls, and how much they may have stored.

An IPv4 address or the IPv6 network of a household counts as one caller.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter, OrderedDict
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from functools import lru_cache
from hmac import compare_digest
from ipaddress import IPv6Address, ip_address, ip_network
from math import ceil
from time import monotonic
from typing import Literal, NamedTuple
from urllib.parse import urlsplit

import msgspec

from croupier.server.credentials import Credentials, Session, Token
from croupier.server.problems import Problem
from croupier.server.settings import Settings
from croupier.store.contract import Room
from croupier.store.records import Write

log = logging.getLogger("croupier.server")

# Networks and hosts

HOME_NETWORK_BITS = 56  # of IPv6: the usual allocation of a household, which controls all bits after them
LONGEST = 60  # characters: a proxy may pass on anything in place of an address
LOCAL = "localhost"
USUAL_PORTS = {"http": ":80", "https": ":443"}


def network_of(address: str) -> str:
    """Return the network that counts as one caller: an IPv4 address, or the IPv6 network of a household."""
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return address[:LONGEST]
    if not isinstance(found, IPv6Address):
        return str(found)
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return str(ip_network((found, HOME_NETWORK_BITS), strict=False))


def is_among(address: str, those: list[str]) -> bool:
    """Return whether an address is in a list of addresses and networks."""
    try:
        found = ip_address(address)
    except ValueError:
        return False
    return any(found in ip_network(one) for one in those)


def names(text: str) -> frozenset[str]:
    """Read host names from a comma-separated list."""
    return frozenset(part.strip().lower() for part in text.split(",") if part.strip())


class Hosts:
    """The host names of a house.

    A hostile site can point its own name at this machine (DNS rebinding); browsers would then treat its pages as pages
    of this house. A bare address cannot be redirected, so any address is accepted.
    """

    def __init__(self, *known: str) -> None:
        self._known = frozenset({LOCAL, *(name.lower() for name in known if name)})

    def knows(self, host: str) -> bool:
        """Return whether a Host header names this house: a name or an address, with an optional port."""
        name = _without_port(host.lower())
        return name in self._known or _is_address(name)

    def is_own(self, origin: str, host: str) -> bool:
        """Return whether a page from this origin is one of the house's own."""
        try:
            at = urlsplit(origin.lower())
        except ValueError:
            return False
        port = USUAL_PORTS.get(at.scheme)
        if port is None or not at.netloc:
            return False
        return at.netloc.removesuffix(port) == host.lower().removesuffix(port) or self._is_named(at.netloc)

    def _is_named(self, netloc: str) -> bool:
        """Return whether the settings list this name: a proxy may use another host name than the page."""
        name = _without_port(netloc)
        return name in self._known and name != LOCAL and not _is_address(name)


def _without_port(host: str) -> str:
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.partition(":")[0]


@lru_cache(maxsize=256)
def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


# Rate limits per person or address

MOST_REMEMBERED = 50_000


class _Bucket(msgspec.Struct, gc=False):
    """What was left in a bucket at a time."""

    left: float
    at: float


class Buckets:
    """A token bucket for each name: `most` at once, refilled over so many seconds."""

    def __init__(self, most: float, seconds: float, clock: Callable[[], float]) -> None:
        self._most = most
        self.a_second = most / seconds
        self._clock = clock
        self._known: OrderedDict[str, _Bucket] = OrderedDict()

    def left(self, name: str) -> float:
        """Return what is left in a bucket."""
        bucket = self._known.get(name)
        return self._most if bucket is None else self._filled(bucket)

    def take(self, name: str, size: float) -> None:
        """Take from a bucket, even if that is more than is left."""
        bucket = self._known.get(name)
        if bucket is None:
            self._known[name] = _Bucket(self._most - size, self._clock())
            if len(self._known) > MOST_REMEMBERED:  # drop the bucket that was left alone for longest
                self._known.popitem(last=False)
            return
        self._filled(bucket)
        bucket.left -= size
        self._known.move_to_end(name)

    def _filled(self, bucket: _Bucket) -> float:
        now = self._clock()
        left = bucket.left + (now - bucket.at) * self.a_second
        bucket.left, bucket.at = left if left < self._most else self._most, now
        return bucket.left


class Rate:
    """A limit on requests: `most` at once, refilled every `seconds`."""

    def __init__(self, most: int, seconds: float, clock: Callable[[], float] = monotonic) -> None:
        self._buckets = Buckets(most, seconds, clock)

    def check(self, who: str) -> None:
        """Count a request. Raises Problem if there are too many."""
        left = self._buckets.left(who)
        if left < 1:
            wait = ceil((1 - left) / self._buckets.a_second)
            raise Problem(429, "too_many", f"Too many requests: try again in {wait} s.", wait=wait)
        self._buckets.take(who, 1)


# A bounded queue for expensive work, which no single network can fill

WAIT_SECONDS = 3


class Turns:
    """A queue that runs `at_once` callers, and limits those in it overall and per network."""

    def __init__(self, at_once: int, most: int, most_from_one: int) -> None:
        self._places = asyncio.Semaphore(at_once)
        self._most = most
        self._most_from_one = most_from_one
        self._from: Counter[str] = Counter()

    @asynccontextmanager
    async def turn(self, network: str) -> AsyncIterator[None]:
        """Wait for a turn and hold it. Raises Problem if too many are waiting."""
        if self._from[network] >= self._most_from_one or self._from.total() >= self._most:
            raise Problem(503, "busy", "Too many people are signing in: try again in a moment.", wait=WAIT_SECONDS)
        self._from[network] += 1
        try:
            async with self._places:
                yield
        finally:
            self._from[network] -= 1
            if not self._from[network]:
                del self._from[network]


# Callers: a person with a session, or a program with a token. Cached for a few seconds.

COOKIE = "croupier_session"
SECURE_COOKIE = "__Host-croupier_session"  # browsers accept it only over HTTPS and from this host
CSRF_HEADER = "x-csrf-token"
READING = frozenset({"GET", "HEAD", "OPTIONS"})
MOST_CALLERS = 20_000

WITNESS = "witness"  # not a role: a scope that opens only the endpoints that name it

# The roles of the house that a token's scopes allow.
SCOPE_ROLES = {
    "play": ("player",),
    "deal": ("dealer",),
    "supervise": ("supervisor",),
    "manage": ("manager", "operator"),
    "inspect": ("inspector",),
    "witness": (WITNESS,),
}


SIGN_IN = "Sign in first, or send a token."
PUSHED_OUT = "You have signed in too many times elsewhere, so this session, the oldest, has ended."


def not_signed_in(say: str = SIGN_IN) -> Problem:
    """Build the 401 problem. A new one each time, because a reused exception accumulates tracebacks."""
    return Problem(401, "not_signed_in", say)


class Asker(msgspec.Struct, frozen=True):
    """The caller. `within` are the roles that a program may use; None for a person, who has a session's `csrf`."""

    person: str
    within: tuple[str, ...] | None = None
    csrf: str | None = None


class _Remembered(NamedTuple):
    asker: Asker
    until: datetime  # when it is looked up again, or has ended


class Asking:
    """Identifies callers. A lookup is trusted for a few seconds, so a sign-out elsewhere may take that long."""

    def __init__(
        self, credentials: Credentials, clock: Callable[[], datetime], *, secure: bool, remembered: timedelta
    ) -> None:
        self._credentials = credentials
        self._clock = clock
        self._remembered_for = remembered
        self.cookie = SECURE_COOKIE if secure else COOKIE
        self._known: OrderedDict[str, _Remembered] = OrderedDict()
        self._forgotten = 0  # counts calls of `forget`: a lookup that began before one is not cached after it

    async def asker(self, method: str, headers: Mapping[str, str], cookies: Mapping[str, str]) -> Asker | None:
        """Return the caller, or None for an anonymous request. Raises Problem if the credentials are invalid."""
        said = headers.get("authorization")
        if said is not None:
            kind, _, secret = said.partition(" ")
            if kind.lower() != "bearer" or not secret:
                raise Problem(401, "bad_authorization", 'The header must be "Authorization: Bearer" and a token.')
            asker = await self._find("token ", secret, self._by_token)
            if asker is None:
                raise Problem(401, "bad_token", "There is no such token, or it has ended.")
            return asker
        secret = cookies.get(self.cookie, "")
        asker = await self._find("session ", secret, self._by_session) if secret else None
        if asker is not None and method not in READING:
            self._check_csrf(asker, headers)
        return asker

    async def why_not(self, cookies: Mapping[str, str]) -> Problem:
        """Return the problem for a caller who must sign in, with the reason if newer sign-ins ended their session."""
        secret = cookies.get(self.cookie)
        was_in = secret is not None and await asyncio.to_thread(self._credentials.was_pushed_out, secret)
        return not_signed_in(PUSHED_OUT) if was_in else not_signed_in()

    def _check_csrf(self, asker: Asker, headers: Mapping[str, str]) -> None:
        if asker.csrf is None or not compare_digest(headers.get(CSRF_HEADER, "").encode(), asker.csrf.encode()):
            raise Problem(403, "csrf", f"A request from a page needs the {CSRF_HEADER} that signing in returned.")

    async def _find(
        self, kind: str, secret: str, look_up: Callable[[str], tuple[Asker, datetime | None] | None]
    ) -> Asker | None:
        now, place = self._clock(), kind + secret
        known = self._known.get(place)
        if known is not None and now < known.until <= now + self._remembered_for:  # the clock may be set back
            return known.asker
        forgotten = self._forgotten
        found = await asyncio.to_thread(look_up, secret)
        if found is None:
            self._known.pop(place, None)
            return None
        asker, ends = found
        if forgotten != self._forgotten:
            return asker
        until = now + self._remembered_for
        self._known[place] = _Remembered(asker, until if ends is None else min(until, ends))
        while len(self._known) > MOST_CALLERS:
            self._known.popitem(last=False)
        return asker

    def _by_session(self, secret: str) -> tuple[Asker, datetime | None] | None:
        session: Session | None = self._credentials.session(secret, self._clock())
        return None if session is None else (Asker(session.person, csrf=session.csrf), session.until)

    def _by_token(self, secret: str) -> tuple[Asker, datetime | None] | None:
        token: Token | None = self._credentials.token(secret, self._clock())
        if token is None:
            return None
        roles = tuple(role for scope in token.scopes for role in SCOPE_ROLES[scope])
        return Asker(token.person, within=roles), token.until

    def forget(self, person: str) -> None:
        """Drop a person's cached lookups: they signed out, changed their password, or signed in too often."""
        self._forgotten += 1
        for place in [place for place, known in self._known.items() if known.asker.person == person]:
            del self._known[place]


# Storage quotas: per person, for all guests together, and for the disk. An order counts with what it stores: its
# events, its reply, its refusal. The work of staff does not count, however much a throw settles; their refusals do.

GUEST = "guest-"  # prefix of the names of guests
DAY = 86_400.0  # seconds
MEGABYTE = 10**6
FULL_WAIT = 60  # seconds before it is worth trying again

DiskState = Literal["ok", "low", "full"]


class Allowance:
    """A limit on stored bytes: `most` at once, refilled over a day."""

    def __init__(self, most: int, clock: Callable[[], float] = monotonic) -> None:
        self._buckets = Buckets(most, DAY, clock)

    def wait(self, who: str) -> int:
        """Return the seconds until something may be stored; 0 if it may now."""
        left = self._buckets.left(who)
        return 0 if left > 0 else ceil((1 - left) / self._buckets.a_second)

    def take(self, who: str, size: int) -> None:
        """Count stored bytes."""
        self._buckets.take(who, size)


class Quotas:
    """The remaining quotas of people and guests."""

    def __init__(self, settings: Settings, clock: Callable[[], float] = monotonic) -> None:
        self._persons = Allowance(settings.person_bytes_a_day, clock)
        self._guests = Allowance(settings.guests_bytes_a_day, clock)

    def check(self, person: str) -> None:
        """Raise Problem if a person's quota is used up."""
        if wait := self._persons.wait(person):
            raise Problem(
                429, "stored_enough", f"You have used up your storage for now: try again in {wait} s.", wait=wait
            )
        if person.startswith(GUEST) and (wait := self._guests.wait(GUEST)):
            say = f"Guests have used up their storage for now: open an account, or try again in {wait} s."
            raise Problem(429, "guests_stored_enough", say, wait=wait)

    def take(self, person: str, size: int) -> None:
        """Count bytes stored for a person's order."""
        self._persons.take(person, size)
        if person.startswith(GUEST):
            self._guests.take(GUEST, size)


def size_of(write: Write) -> int:
    """Return the bytes that a write adds to the store."""
    size = 0 if write.refusal is None else len(write.refusal)
    if write.answer is not None:
        size += len(write.answer.reply) + len(write.answer.key)
    for append in write.appends:
        for document in append.documents:
            size += len(document)
    return size


class Disk:
    """The room for the store, measured every few seconds."""

    def __init__(self, settings: Settings) -> None:
        self._most = settings.store_most_bytes
        self._low = settings.disk_low_bytes
        self._reserve = settings.disk_reserve_bytes
        self.room = Room(0, None)
        self.state: DiskState = "ok"

    @property
    def left(self) -> int:
        """The bytes by which the store may still grow."""
        left = self._most - self.room.taken
        return max(0, left if self.room.free is None else min(left, self.room.free))

    def look(self, room: Room) -> None:
        """Note the room there is now; log a change of state."""
        self.room, before = room, self.state
        self.state = "full" if self.left < self._reserve else "low" if self.left < self._low else "ok"
        if self.state != before:
            level = logging.INFO if self.state == "ok" else logging.ERROR
            log.log(level, "disk", extra={"state": self.state, "left": self.left})

    def check(self) -> None:
        """Refuse orders when the disk is full: the rest is for rounds in progress and the house. Raises Problem."""
        if self.state == "full":
            raise Problem(503, "disk_full", self.sentence(), wait=FULL_WAIT)

    def sentence(self) -> str:
        """Describe the room that is left."""
        megabytes = f"{self.left // MEGABYTE:,} MB"
        if self.state == "full":
            return f"The house takes no orders: its store has only {megabytes} left."
        return f"The store has {megabytes} left{'' if self.state == 'ok' else ', which is little'}."
