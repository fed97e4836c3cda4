"""What `hamle bench` prints for programs: every measurement, done in small on real servers."""

from __future__ import annotations

import json
from typing import Any

import pytest

from bench import append
from core.log.types import Durability
from core.store.settings import StoreSettings
from tests.cli.hamle import hamle


async def measured(*typed: str) -> dict[str, Any]:
    result = await hamle("bench", *typed, "--runs", "1", "--json")
    assert result.exit_code == 0, result.stderr
    assert result.stdout.count("\n") == 1
    return dict(json.loads(result.stdout))


@pytest.mark.timeout(240)
async def test_moves_are_told_with_their_latency_and_cpu() -> None:
    told = await measured("moves", "--matches", "2", "--moves", "60")
    assert (told["matches"], told["durability"], told["grpc_server"], told["runs"]) == (2, "written", "native", 1)
    assert 0 < told["p50_ms"] <= told["p99_ms"]
    assert told["moves_per_s"] > 0
    parts = [told[f"{part}_cpu_us_per_move"] for part in ("gateway", "engine", "store")]
    assert told["server_cpu_us_per_move"] == pytest.approx(sum(parts), abs=0.1)


@pytest.mark.timeout(240)
async def test_watchers_are_told_with_their_latency_and_memory() -> None:
    told = await measured("watch", "--watchers", "40", "--idle-s", "0", "--opened", "40", "--moves", "2")
    assert (told["watchers"], told["opened_and_ended"], told["ended_unasked"], told["runs"]) == (40, 40, 0, 1)
    assert 0 < told["p50_ms"] <= told["p99_ms"]
    assert {"rss_bytes_per_watcher", "idle_core_percent", "rss_mb_before", "rss_mb_after"} <= told.keys()


@pytest.mark.timeout(240)
async def test_replays_are_told_with_cold_loads_and_folded_events() -> None:
    told = await measured("replay", "--events", "12", "--long", "20")
    assert (told["events"], told["runs"]) == (12, 1)
    assert told["cold_load_ms"] > 0
    assert told["fold_events_per_s"] == pytest.approx(1e6 / told["fold_us_per_event"], rel=1e-3, abs=1)


@pytest.mark.timeout(240)
async def test_appends_are_told_with_the_size_of_their_batches() -> None:
    told = await measured("append", "--in-flight", "4", "--seconds", "0.2")
    assert (told["in_flight"], told["durability"], told["runs"]) == (4, "fsynced", 1)
    assert told["appends_per_s"] > 0
    assert 1 <= told["batch_mean"] <= 4


async def test_time_that_is_over_before_it_begins_is_enough_for_an_append_each(store_settings: StoreSettings) -> None:
    appends_per_s, batch_mean = await append._once(store_settings.url, Durability.WRITTEN, 4, 0.0, 0)
    assert appends_per_s > 0
    assert batch_mean >= 1
