"""Counters and histograms that cost a fraction of a microsecond.

prometheus-client's own take a lock and walk their buckets, which adds up on the path of a move. These are plain
numbers, changed by the event loop's thread alone, and handed to prometheus-client when its page is asked for.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate

from prometheus_client import CollectorRegistry
from prometheus_client.core import CounterMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector


class Count:
    """One counter. `inc` from the event loop's thread only."""

    __slots__ = ("value",)

    def __init__(self) -> None:
        self.value = 0

    def inc(self, by: int = 1) -> None:
        """Counts."""
        self.value += by


class Distribution:
    """One histogram. `observe` from the event loop's thread only."""

    __slots__ = ("_bounds", "counts", "total")

    def __init__(self, bounds: Sequence[float]) -> None:
        self._bounds = bounds
        self.counts = [0] * (len(bounds) + 1)
        self.total = 0.0

    def observe(self, value: float) -> None:
        """Adds a value, in the histogram's unit."""
        self.counts[bisect_left(self._bounds, value)] += 1
        self.total += value


class Counter(Collector):
    """Counters by label values. Resolve a child once with `labels` and keep it."""

    def __init__(self, name: str, help_text: str, labels: Sequence[str], registry: CollectorRegistry) -> None:
        self._name, self._help, self._labels = name, help_text, tuple(labels)
        self._children: dict[tuple[str, ...], Count] = {}
        registry.register(self)

    def labels(self, *values: str) -> Count:
        """The counter of these label values."""
        child = self._children.get(values)
        if child is None:
            if len(values) != len(self._labels):
                raise ValueError(f"{self._name} has the labels {self._labels}, not {len(values)} of them")
            child = self._children[values] = Count()
        return child

    def describe(self) -> Iterable[Metric]:
        """The family without samples."""
        return [CounterMetricFamily(self._name, self._help, labels=self._labels)]

    def collect(self) -> Iterator[Metric]:
        """The samples now."""
        family = CounterMetricFamily(self._name, self._help, labels=self._labels)
        for values, child in list(self._children.items()):
            family.add_metric(values, child.value)
        yield family


class Histogram(Collector):
    """Histograms by label values, with fixed upper bounds. Resolve a child once with `labels` and keep it."""

    def __init__(
        self,
        name: str,
        help_text: str,
        labels: Sequence[str],
        bounds: Sequence[float],
        registry: CollectorRegistry,
    ) -> None:
        self._name, self._help, self._labels, self._bounds = name, help_text, tuple(labels), tuple(bounds)
        self._children: dict[tuple[str, ...], Distribution] = {}
        registry.register(self)

    def labels(self, *values: str) -> Distribution:
        """The histogram of these label values."""
        child = self._children.get(values)
        if child is None:
            if len(values) != len(self._labels):
                raise ValueError(f"{self._name} has the labels {self._labels}, not {len(values)} of them")
            child = self._children[values] = Distribution(self._bounds)
        return child

    def describe(self) -> Iterable[Metric]:
        """The family without samples."""
        return [HistogramMetricFamily(self._name, self._help, labels=self._labels)]

    def collect(self) -> Iterator[Metric]:
        """The samples now."""
        family = HistogramMetricFamily(self._name, self._help, labels=self._labels)
        edges = [*map(str, self._bounds), "+Inf"]
        for values, child in list(self._children.items()):
            family.add_metric(values, list(zip(edges, accumulate(child.counts), strict=True)), child.total)
        yield family
