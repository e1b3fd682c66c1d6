"""Limits by address: networks and hosts, rate limits, and bounded queues.

An IPv4 address or the IPv6 network of a household counts as one caller.
"""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from ipaddress import IPv6Address, ip_address, ip_network
from math import ceil
from time import monotonic
from typing import NamedTuple
from urllib.parse import urlsplit

from croupier.server.problems import Problem

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


def networks(text: str) -> list[str]:
    """Read addresses and networks from a comma-separated list. Raises ValueError with a sentence."""
    found = []
    for word in filter(None, (part.strip() for part in text.split(","))):
        try:
            found.append(str(ip_network(word)) if "/" in word else str(ip_address(word)))
        except ValueError:
            raise ValueError(f"{word[:LONGEST]} is no address, and no network such as 10.0.0.0/8.") from None
    return found


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


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


# Rate limits per person or address

MOST_REMEMBERED = 50_000


class _Bucket(NamedTuple):
    """The tokens left in a bucket at a time."""

    left: float
    at: float


class Rate:
    """A token bucket: `most` at once, refilled every `seconds`."""

    def __init__(self, most: int, seconds: float, clock: Callable[[], float] = monotonic) -> None:
        self._most = most
        self._a_second = most / seconds
        self._clock = clock
        self._buckets: OrderedDict[str, _Bucket] = OrderedDict()

    def check(self, who: str) -> None:
        """Count a request. Raises Problem if there are too many."""
        now = self._clock()
        bucket = self._buckets.pop(who, _Bucket(self._most, now))
        left = min(self._most, bucket.left + (now - bucket.at) * self._a_second)
        if left < 1:
            self._buckets[who] = _Bucket(left, now)
            wait = ceil((1 - left) / self._a_second)
            raise Problem(429, "too_many", f"That is too much at once: try again in {wait} s.", wait=wait)
        self._buckets[who] = _Bucket(left - 1, now)
        while len(self._buckets) > MOST_REMEMBERED:  # drop the caller inactive for longest
            self._buckets.popitem(last=False)


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
            raise Problem(503, "busy", "Too many are signing in: try again in a moment.", wait=WAIT_SECONDS)
        self._from[network] += 1
        try:
            async with self._places:
                yield
        finally:
            self._from[network] -= 1
            if not self._from[network]:
                del self._from[network]
