from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from services.gateway.exchange.outbox import Outbox


def test_everything_that_waits_goes_in_one_batch() -> None:
    outbox = Outbox(100)
    for element in (b"a", b"bc", b"d"):
        outbox.put(element)
    assert outbox.take() == (b"abcd", 3)
    assert outbox.take() == (b"", 0)


@given(st.lists(st.binary(min_size=1, max_size=30)), st.integers(1, 50))
def test_batches_keep_order_lose_nothing_and_stay_below_the_limit(elements: list[bytes], most: int) -> None:
    outbox = Outbox(most)
    for element in elements:
        outbox.put(element)
    batches = []
    while (taken := outbox.take())[1]:
        batch, count = taken
        assert len(batch) <= most or count == 1
        batches.append((batch, count))
    assert b"".join(batch for batch, _ in batches) == b"".join(elements)
    assert sum(count for _, count in batches) == len(elements)


def test_an_element_larger_than_a_batch_goes_alone() -> None:
    outbox = Outbox(4)
    for element in (b"aa", b"x" * 10, b"bb"):
        outbox.put(element)
    assert [outbox.take() for _ in range(3)] == [(b"aa", 1), (b"x" * 10, 1), (b"bb", 1)]
