"""What can be watched: counted in plain numbers as things happen, told to Prometheus when it asks."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector

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
