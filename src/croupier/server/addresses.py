"""Addresses that people come from: the network that counts as one, proxies that are believed, hosts of this house."""

from __future__ import annotations

from ipaddress import IPv6Address, ip_address, ip_network
from urllib.parse import urlsplit

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
