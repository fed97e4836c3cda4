from __future__ import annotations

import time

import pytest

from core.store.client import Client
from core.store.clock import Sample, StoreClock


async def _store_ms(store: Client) -> float:
    seconds, micros = await store.execute_command("TIME")
    return float(int(seconds) * 1000 + int(micros) / 1000)


async def test_the_clock_says_what_the_store_says(store: Client) -> None:
    clock = StoreClock(store)
    await clock.sync()
    before = await _store_ms(store)
    said = clock.now_ms()
    after = await _store_ms(store)
    assert before - 250 <= said <= after + 250


async def test_the_clock_follows_the_store_and_not_the_process(store: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "time", lambda: 0.0)
    clock = StoreClock(store)
    await clock.sync()
    before = await _store_ms(store)
    said = clock.now_ms()
    assert before - 250 <= said <= await _store_ms(store) + 250


async def test_the_clock_never_goes_back(store: Client) -> None:
    clock = StoreClock(store)
    await clock.sync()
    said = [clock.now_ms() for _ in range(1000)]
    await clock.sync()
    said += [clock.now_ms() for _ in range(1000)]
    assert said == sorted(said)


async def test_reading_before_the_first_sync_is_an_error(store: Client) -> None:
    with pytest.raises(RuntimeError, match="first sync"):
        StoreClock(store).now_ms()


def test_a_sample_is_right_to_half_its_round_trip() -> None:
    # The store's clock is 100 s ahead; its reply took the whole of the round trip one way or the other.
    for stored in (110.0, 110.5, 111.0):
        sample = Sample(sent=10.0, received=11.0, stored=stored)
        assert sample.round_trip == 1.0
        assert abs(sample.offset - 100.0) <= sample.round_trip / 2
