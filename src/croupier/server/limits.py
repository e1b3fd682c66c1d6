"""Addresses that people come from: the network that counts as one, proxies that are believed, hosts of this house."""

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

HOME_NETWORK_BITS = 56  # of IPv6: what one household is commonly given; it may change all bits behind them at will
LONGEST = 60  # characters: a proxy may pass on what is no address at all
LOCAL = "localhost"
USUAL_PORTS = {"http": ":80", "https": ":443"}


def network_of(address: str) -> str:
    """What counts as one: an IPv4 address, or the IPv6 network of a household."""
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
    """Addresses and networks out of a list with commas. Raises ValueError with a sentence."""
    found = []
    for word in filter(None, (part.strip() for part in text.split(","))):
        try:
            found.append(str(ip_network(word)) if "/" in word else str(ip_address(word)))
        except ValueError:
            raise ValueError(f"{word[:LONGEST]} is no address, and no network such as 10.0.0.0/8.") from None
    return found


def is_among(address: str, those: list[str]) -> bool:
    """Whether an address is one of these, or in one of these networks."""
    try:
        found = ip_address(address)
    except ValueError:
        return False
    return any(found in ip_network(one) for one in those)


def names(text: str) -> frozenset[str]:
    """Names of hosts out of a list with commas."""
    return frozenset(part.strip().lower() for part in text.split(",") if part.strip())


class Hosts:
    """Under which names a house is asked for.

    A page of a stranger can have its own name lead to this machine, and would then be a page of this house to a
    browser. A bare address cannot be made to lead elsewhere, so any of them will do.
    """

    def __init__(self, *known: str) -> None:
        self._known = frozenset({LOCAL, *(name.lower() for name in known if name)})

    def knows(self, host: str) -> bool:
        """Whether this is the house, as the header Host has it: a name or an address, and perhaps a port."""
        name = _without_port(host.lower())
        return name in self._known or _is_address(name)

    def is_own(self, origin: str, host: str) -> bool:
        """Whether a page from this origin is one of the house's own."""
        try:
            at = urlsplit(origin.lower())
        except ValueError:
            return False
        port = USUAL_PORTS.get(at.scheme)
        if port is None or not at.netloc:
            return False
        return at.netloc.removesuffix(port) == host.lower().removesuffix(port) or self._is_named(at.netloc)

    def _is_named(self, netloc: str) -> bool:
        """A proxy may ask under another name than the page has; that name is then among those of the settings."""
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


# -- rates ------------------------------------------------------------------------------------------------------------
# So many in so long: what one person or one address may ask for, before they are told to wait.

MOST_REMEMBERED = 50_000


class _Bucket(NamedTuple):
    """How much may be asked for, and when that was so."""

    left: float
    at: float


class Rate:
    """`most` at once, and as many again in every `seconds`."""

    def __init__(self, most: int, seconds: float, clock: Callable[[], float] = monotonic) -> None:
        self._most = most
        self._a_second = most / seconds
        self._clock = clock
        self._buckets: OrderedDict[str, _Bucket] = OrderedDict()

    def check(self, who: str) -> None:
        """Count one more. Raises Problem where it is too much."""
        now = self._clock()
        bucket = self._buckets.pop(who, _Bucket(self._most, now))
        left = min(self._most, bucket.left + (now - bucket.at) * self._a_second)
        if left < 1:
            self._buckets[who] = _Bucket(left, now)
            wait = ceil((1 - left) / self._a_second)
            raise Problem(429, "too_many", f"That is too much at once: try again in {wait} s.", wait=wait)
        self._buckets[who] = _Bucket(left - 1, now)
        while len(self._buckets) > MOST_REMEMBERED:  # whoever has not been heard of for longest
            self._buckets.popitem(last=False)


# -- turns ------------------------------------------------------------------------------------------------------------
# Waiting for what only so many can do at once: the queue has an end, and nobody fills it alone.

WAIT_SECONDS = 3


class Turns:
    """So many at once; so many more wait, and of them so many from one network."""

    def __init__(self, at_once: int, most: int, most_from_one: int) -> None:
        self._places = asyncio.Semaphore(at_once)
        self._most = most
        self._most_from_one = most_from_one
        self._from: Counter[str] = Counter()

    @asynccontextmanager
    async def turn(self, network: str) -> AsyncIterator[None]:
        """Wait for one's turn, and have it. Raises Problem where too many wait."""
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
