from __future__ import annotations

import urllib.request

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client import Histogram as Theirs
from prometheus_client.parser import text_string_to_metric_families

from core.telemetry import metrics
from core.telemetry.instruments import Counter, Histogram


def samples(registry: CollectorRegistry) -> dict[tuple[str, tuple[tuple[str, str], ...]], float]:
    found = {}
    for family in text_string_to_metric_families(generate_latest(registry).decode()):
        for sample in family.samples:
            if not sample.name.endswith("_created"):
                found[sample.name, tuple(sorted(sample.labels.items()))] = sample.value
    return found


def test_counters_are_read_by_label() -> None:
    registry = CollectorRegistry()
    counter = Counter("moves", "Moves.", ("game", "result"), registry)
    counter.labels("coerceo", "accepted").inc()
    counter.labels("coerceo", "accepted").inc(2)
    counter.labels("coerceo", "STALE_VIEW").inc()
    assert samples(registry) == {
        ("moves_total", (("game", "coerceo"), ("result", "accepted"))): 3,
        ("moves_total", (("game", "coerceo"), ("result", "STALE_VIEW"))): 1,
    }


@settings(deadline=None)
@given(st.lists(st.floats(0, 4) | st.sampled_from([0.5, 1.0, 2.0])))
def test_histograms_tell_the_same_as_prometheus_clients(values: list[float]) -> None:
    ours, theirs = CollectorRegistry(), CollectorRegistry()
    mine = Histogram("h", "H.", ("stage",), (0.5, 1.0, 2.0), ours).labels("append")
    other = Theirs("h", "H.", ("stage",), buckets=(0.5, 1.0, 2.0), registry=theirs).labels("append")
    for value in values:
        mine.observe(value)
        other.observe(value)
    assert samples(ours) == samples(theirs)


def test_wrong_numbers_of_labels_are_refused() -> None:
    registry = CollectorRegistry()
    with pytest.raises(ValueError, match="moves"):
        Counter("moves", "Moves.", ("game",), registry).labels()
    with pytest.raises(ValueError, match="stage"):
        Histogram("stage", "S.", ("stage",), (1,), registry).labels("a", "b")


def test_a_name_cannot_be_taken_twice() -> None:
    registry = CollectorRegistry()
    Counter("moves", "Moves.", (), registry)
    with pytest.raises(ValueError):
        Counter("moves", "Moves.", (), registry)


def test_the_page_shows_the_projects_metrics() -> None:
    metrics.MOVES.labels("coerceo", "accepted").inc()
    metrics.APPEND_BATCH.labels().observe(3)
    page = metrics.MetricsPage("127.0.0.1", 0)
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{page.port}/metrics") as answer:
            text = answer.read().decode()
    finally:
        page.close()
    names = {family.name for family in text_string_to_metric_families(text)}
    assert {"hamle_moves", "hamle_append_batch_size", "hamle_watchers", "process_cpu_seconds"} <= names


def test_no_label_can_name_a_match_an_account_or_a_move() -> None:
    labels = set()
    for collector in vars(metrics).values():
        labels |= set(getattr(collector, "_labels", ()) or getattr(collector, "_labelnames", ()))
    assert labels <= {"game", "result", "stage", "use", "role", "reason", "kind", "method", "code", "task"}
