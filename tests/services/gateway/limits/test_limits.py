from __future__ import annotations

import pytest
from hamle.error.v1.error_pb2 import REASON_RATE_LIMITED
from hypothesis import given
from hypothesis import strategies as st

from services.gateway.limits import Kind, Limiter, Rate, RateLimited

RATES = {Kind.READ: Rate(10, 5), Kind.WRITE: Rate(2, 2), Kind.SIGN_IN: Rate(0.5, 1)}


def test_a_full_bucket_gives_its_burst_at_once_and_then_refuses() -> None:
    limiter = Limiter(RATES)
    assert [limiter.take(Kind.READ, "a", 100.0).remaining for _ in range(5)] == [4, 3, 2, 1, 0]
    with pytest.raises(RateLimited) as refused:
        limiter.take(Kind.READ, "a", 100.0)
    assert refused.value.reason == REASON_RATE_LIMITED
    assert refused.value.retry_after_ms == 100
    assert refused.value.standing.trailers() == (
        ("ratelimit-limit", "5"),
        ("ratelimit-remaining", "0"),
        ("ratelimit-reset", "1"),
    )


def test_a_call_is_taken_after_exactly_the_time_that_the_refusal_names() -> None:
    limiter = Limiter(RATES)
    limiter.take(Kind.SIGN_IN, "a", 7.0)
    with pytest.raises(RateLimited) as refused:
        limiter.take(Kind.SIGN_IN, "a", 7.5)
    wait_s = refused.value.retry_after_ms / 1000
    with pytest.raises(RateLimited):
        limiter.take(Kind.SIGN_IN, "a", 7.5 + wait_s - 0.01)
    assert limiter.take(Kind.SIGN_IN, "a", 7.5 + wait_s).remaining == 0


def test_refused_calls_do_not_count() -> None:
    limiter = Limiter(RATES)
    for _ in range(2):
        limiter.take(Kind.WRITE, "a", 0.0)
    for _ in range(50):
        with pytest.raises(RateLimited):
            limiter.take(Kind.WRITE, "a", 0.1)
    assert limiter.take(Kind.WRITE, "a", 0.5).remaining == 0


def test_kinds_and_identities_have_buckets_of_their_own() -> None:
    limiter = Limiter(RATES)
    for _ in range(2):
        limiter.take(Kind.WRITE, "a", 0.0)
    assert limiter.take(Kind.WRITE, "b", 0.0).remaining == 1
    assert limiter.take(Kind.READ, "a", 0.0).remaining == 4


def test_memory_is_bounded_and_the_bucket_unused_for_longest_goes_first() -> None:
    limiter = Limiter(RATES, most_buckets=100)
    limiter.take(Kind.WRITE, "kept", 0.0)
    for number in range(1000):
        limiter.take(Kind.WRITE, f"n{number}", 0.0)
        if number == 50:
            limiter.take(Kind.WRITE, "kept", 0.0)
    assert all(len(buckets) <= 100 for buckets in (each.full_at for each in limiter._of))
    assert limiter.take(Kind.WRITE, "n999", 0.0).remaining == 0
    assert limiter.take(Kind.WRITE, "n0", 0.0).remaining == 1


@pytest.mark.parametrize("rate", [Rate(0, 1), Rate(-1, 1), Rate(1, 0)])
def test_a_rate_that_lets_nothing_through_is_refused(rate: Rate) -> None:
    with pytest.raises(ValueError, match="above 0"):
        Limiter({**RATES, Kind.READ: rate})


@given(
    st.floats(0.1, 1000),
    st.integers(1, 50),
    st.lists(st.floats(0, 3), min_size=1, max_size=200),
)
def test_in_any_span_of_time_no_more_are_taken_than_burst_and_rate_allow(
    per_s: float, burst: int, pauses: list[float]
) -> None:
    limiter = Limiter(dict.fromkeys(Kind, Rate(per_s, burst)))
    now = 1e6
    taken: list[float] = []
    for pause in pauses:
        now += pause
        try:
            standing = limiter.take(Kind.READ, "a", now)
        except RateLimited:
            continue
        assert 0 <= standing.remaining < burst
        taken.append(now)
    for first in range(len(taken)):
        for last in range(first, len(taken)):
            assert last - first + 1 <= burst + (taken[last] - taken[first]) * per_s + 1e-3
