"""Logs and metrics.

A log line is a JSON object; it never contains bodies, headers, cookies or queries. Metrics are counted as things
happen and formatted when Prometheus asks.
"""

from __future__ import annotations

import logging
import sys
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from threading import Lock
from time import monotonic
from typing import Any

import msgspec
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector

MOST_OF_A_KIND = 20  # lines in so many seconds
SECONDS = 10.0
MOST_KINDS = 1000
LONGEST_KIND = 100
OF_A_REQUEST = ("method", "path", "status", "person")  # records that differ in one of these are of different kinds

Kind = tuple[object, ...]
OTHERS: Kind = ()  # the shared kind, once there are too many

# The attributes of every Python log record; any others were added by the caller.
_PLAIN = frozenset(logging.makeLogRecord({}).__dict__) | {"message", "asctime", "taskName", "color_message"}

_encode = msgspec.json.Encoder(enc_hook=str).encode


class JsonLines(logging.Formatter):
    """Formats a record as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the time, level, logger and message, with any extra fields."""
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        line: dict[str, object] = {"at": at, "level": record.levelname.lower(), "from": record.name}
        line["what"] = record.getMessage()
        line |= {name: value for name, value in record.__dict__.items() if name not in _PLAIN}
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)
        return _encode(line).decode()


class Seen(msgspec.Struct):
    """How often a kind of record has occurred, and until when that is counted."""

    until: float
    count: int = 0


class Throttle(logging.Filter):
    """Limits how many lines of the same kind are logged in a while, then logs how many were left out.

    A failure that affects every request can occur thousands of times a second, and anyone can send that many.
    """

    def __init__(
        self, most: int = MOST_OF_A_KIND, seconds: float = SECONDS, clock: Callable[[], float] = monotonic
    ) -> None:
        super().__init__()
        self._most = most
        self._seconds = seconds
        self._clock = clock
        self._kinds: dict[Kind, Seen] = {}
        self._counting = Lock()

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether to log a record."""
        with self._counting:
            now = self._clock()
            kind = self._counted_as(_kind(record), now)
            seen = self._kinds.get(kind)
            if seen is None or now >= seen.until:
                left_out = 0 if seen is None else seen.count - self._most
                if left_out > 0:
                    record.left_out = left_out
                seen = self._kinds[kind] = Seen(now + self._seconds)
            seen.count += 1
            return seen.count <= self._most

    def _counted_as(self, kind: Kind, now: float) -> Kind:
        """Return the kind to count under. Once there are too many kinds, new ones share one, so they gain no lines."""
        if kind in self._kinds or len(self._kinds) < MOST_KINDS:
            return kind
        if now < self._kinds.get(OTHERS, Seen(now)).until:  # room was made a moment ago
            return OTHERS
        self._kinds = {one: seen for one, seen in self._kinds.items() if now < seen.until or one == OTHERS}
        return kind if len(self._kinds) < MOST_KINDS else OTHERS


def _kind(record: logging.LogRecord) -> Kind:
    """Return what makes two records the same."""
    fault = record.exc_info[0].__name__ if record.exc_info and record.exc_info[0] is not None else ""
    asked = (record.__dict__.get(name) for name in OF_A_REQUEST)
    return record.name, record.levelno, str(record.msg)[:LONGEST_KIND], fault, *asked


def start_logging(level: str) -> None:
    """Log everything from this level on to standard error."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    handler.addFilter(Throttle())
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)
    logging.getLogger("httpx").setLevel(logging.WARNING)


# Metrics

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
UP_TO = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)  # seconds

Gauges = dict[str, tuple[str, float]]


class Metrics(Collector):
    """The counts of one process. `now` returns the current gauges: name, description, number."""

    def __init__(self, now: Callable[[], Gauges]) -> None:
        self._now = now
        self.requests: Counter[tuple[str, str, int]] = Counter()  # method, path template, status
        self.orders: Counter[tuple[str, str]] = Counter()  # order, outcome
        self.events: Counter[str] = Counter()  # kind
        self._taken = [0] * (len(UP_TO) + 1)
        self._seconds = 0.0
        self._registry = CollectorRegistry()
        self._registry.register(self)

    def took(self, seconds: float) -> None:
        """Count an order by the seconds it took."""
        self._seconds += seconds
        self._taken[bisect_left(UP_TO, seconds)] += 1

    def text(self) -> bytes:
        """Return all metrics in the Prometheus text format."""
        return generate_latest(self._registry)

    def collect(self) -> Iterator[Metric]:
        """Yield all metrics to the registry."""
        yield _counter("croupier_requests", "Requests.", ("method", "path", "status"), self.requests)
        # The label is called "deed" as in the store: renaming it would break the dashboards of running houses.
        yield _counter("croupier_orders", "Orders, by outcome.", ("deed", "outcome"), self.orders)
        yield _counter("croupier_events", "Events stored.", ("type",), {(k,): n for k, n in self.events.items()})
        took = HistogramMetricFamily("croupier_order_seconds", "Seconds from an order to its answer, once stored.")
        took.add_metric((), self._buckets(), self._seconds)
        yield took
        for name, (what, number) in self._now().items():
            yield GaugeMetricFamily(f"croupier_{name}", what, number)

    def _buckets(self) -> list[tuple[str, float]]:
        so_far, buckets = 0, []
        for most, count in zip((*map(str, UP_TO), "+Inf"), self._taken, strict=True):
            so_far += count
            buckets.append((most, float(so_far)))
        return buckets


def _counter(name: str, what: str, labels: tuple[str, ...], counts: Mapping[Any, int]) -> Metric:
    family = CounterMetricFamily(name, what, labels=labels)
    for values, count in sorted(counts.items(), key=str):
        family.add_metric([str(value) for value in values], count)
    return family
