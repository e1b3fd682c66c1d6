"""Logs: one line of JSON for each thing that happened. Bodies, headers, cookies and queries are never in them."""

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

MOST_OF_A_KIND = 20  # lines in as many seconds
SECONDS = 10.0
MOST_KINDS = 1000
LONGEST_KIND = 100
OF_A_REQUEST = ("method", "path", "status", "person")  # one with another of these is of another kind

Kind = tuple[object, ...]
OTHERS: Kind = ()  # all of them together, where there are too many kinds

# What every record of Python's logging has; what else is there was added by whoever logged it.
_PLAIN = frozenset(logging.makeLogRecord({}).__dict__) | {"message", "asctime", "taskName", "color_message"}

_encode = msgspec.json.Encoder(enc_hook=str).encode


class JsonLines(logging.Formatter):
    """A record as one line."""

    def format(self, record: logging.LogRecord) -> str:
        """When, how grave, from where, what, and whatever goes with it."""
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        line: dict[str, object] = {"at": at, "level": record.levelname.lower(), "from": record.name}
        line["what"] = record.getMessage()
        line |= {name: value for name, value in record.__dict__.items() if name not in _PLAIN}
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)
        return _encode(line).decode()


class Seen(msgspec.Struct):
    """How often something was to be logged, until when."""

    until: float
    count: int = 0


class Throttle(logging.Filter):
    """Lets so many of the same lines through in a while, and then says how many more there were.

    Whatever goes wrong for everybody who comes goes wrong thousands of times a second, and anybody may ask that often.
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
        """Whether a record is logged."""
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
        """A kind, while there is room for one more: whoever makes up new ones all the time gets no more lines by it."""
        if kind in self._kinds or len(self._kinds) < MOST_KINDS:
            return kind
        if now < self._kinds.get(OTHERS, Seen(now)).until:  # it has been looked for room a moment ago
            return OTHERS
        self._kinds = {one: seen for one, seen in self._kinds.items() if now < seen.until or one == OTHERS}
        return kind if len(self._kinds) < MOST_KINDS else OTHERS


def _kind(record: logging.LogRecord) -> Kind:
    """What makes two records the same, whatever else goes with them."""
    fault = record.exc_info[0].__name__ if record.exc_info and record.exc_info[0] is not None else ""
    asked = (record.__dict__.get(name) for name in OF_A_REQUEST)
    return record.name, record.levelno, str(record.msg)[:LONGEST_KIND], fault, *asked


def start_logging(level: str) -> None:
    """Everything from this level on goes to standard error."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    handler.addFilter(Throttle())
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)
    logging.getLogger("httpx").setLevel(logging.WARNING)


# -- metrics ----------------------------------------------------------------------------------------------------------
# What can be watched: counted in plain numbers as things happen, told to Prometheus when it asks.

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
UP_TO = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)  # seconds

Gauges = dict[str, tuple[str, float]]


class Metrics(Collector):
    """The counts of one process. `now` brings what is so at the moment: name, what it is, the number."""

    def __init__(self, now: Callable[[], Gauges]) -> None:
        self._now = now
        self.requests: Counter[tuple[str, str, int]] = Counter()  # method, path with its names left open, status
        self.orders: Counter[tuple[str, str]] = Counter()  # deed, and what became of it
        self.events: Counter[str] = Counter()  # kind
        self._taken = [0] * (len(UP_TO) + 1)
        self._seconds = 0.0
        self._registry = CollectorRegistry()
        self._registry.register(self)

    def took(self, seconds: float) -> None:
        """An order was answered after so long."""
        self._seconds += seconds
        self._taken[bisect_left(UP_TO, seconds)] += 1

    def text(self) -> bytes:
        """Everything, as Prometheus reads it."""
        return generate_latest(self._registry)

    def collect(self) -> Iterator[Metric]:
        """For the registry."""
        yield _counter("croupier_requests", "Requests.", ("method", "path", "status"), self.requests)
        yield _counter("croupier_orders", "Orders, by what became of them.", ("deed", "outcome"), self.orders)
        yield _counter("croupier_events", "Events stored.", ("type",), {(k,): n for k, n in self.events.items()})
        took = HistogramMetricFamily("croupier_order_seconds", "From an order to its answer, stored.")
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
