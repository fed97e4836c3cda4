from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from services.gateway.watch.queue import FAIR_BYTES, Budget, FrameQueue, Queued


def test_frames_come_out_in_order_and_the_first_stays_until_it_is_written() -> None:
    queue = FrameQueue(Budget(), 100)
    assert not queue
    for frame in (b"a", b"b"):
        assert queue.put(Queued(frame))
    assert queue.first() == Queued(b"a") == queue.first()
    queue.pop()
    assert queue.first().frame == b"b"
    queue.pop()
    assert not queue


def test_a_full_queue_takes_nothing_more() -> None:
    queue = FrameQueue(Budget(), 10)
    assert queue.put(Queued(b"x" * 10))
    assert not queue.put(Queued(b"x"))
    queue.pop()
    assert queue.put(Queued(b"x"))


def test_when_all_hold_too_much_each_may_still_hold_a_little() -> None:
    budget = Budget(most_bytes=FAIR_BYTES)
    greedy, modest = FrameQueue(budget, 1 << 30), FrameQueue(budget, 1 << 30)
    assert greedy.put(Queued(b"x" * FAIR_BYTES))
    assert not greedy.put(Queued(b"x"))
    assert modest.put(Queued(b"x" * 100))


@given(st.lists(st.one_of(st.integers(1, 50), st.none())))
def test_the_budget_counts_what_waits(actions: list[int | None]) -> None:
    budget = Budget()
    queue = FrameQueue(budget, 200)
    held: list[int] = []
    for size in actions:
        if size is None:
            if held:
                queue.pop()
                held.pop(0)
        elif queue.put(Queued(b"x" * size)):
            held.append(size)
        assert budget.waiting == sum(held) <= 200
    queue.clear()
    assert budget.waiting == 0
    assert not queue
