"""So many in so long: what one person or one address may ask for, before they are told to wait."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from math import ceil
from time import monotonic
from typing import NamedTuple

from croupier.server.problems import Problem

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
