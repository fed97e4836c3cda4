from __future__ import annotations

from services.gateway.exchange.overdue import Overdue

TICK = 0.25


def overdue() -> Overdue:
    return Overdue(stall_s=1.5, limit_s=10.0, tick_s=TICK)


def test_silence_while_an_old_call_waits_is_a_stall() -> None:
    marks = overdue()
    for i in range(8):
        marks.tick(i * TICK, next_id=5, heard=3)
    assert marks.stalled(7 * TICK, oldest_id=4, heard=3)


def test_a_younger_call_is_no_stall() -> None:
    marks = overdue()
    for i in range(8):
        marks.tick(i * TICK, next_id=5 if i < 4 else 6, heard=3)
    assert not marks.stalled(7 * TICK, oldest_id=5, heard=3)


def test_an_engine_that_says_anything_has_not_stalled() -> None:
    marks = overdue()
    for i in range(8):
        marks.tick(i * TICK, next_id=5, heard=i)
    assert not marks.stalled(7 * TICK, oldest_id=1, heard=7)


def test_nothing_outstanding_is_no_stall() -> None:
    marks = overdue()
    for i in range(8):
        marks.tick(i * TICK, next_id=5, heard=3)
    assert not marks.stalled(7 * TICK, oldest_id=5, heard=3)


def test_time_in_which_this_process_did_not_run_does_not_count() -> None:
    marks = overdue()
    marks.tick(0.0, next_id=5, heard=3)
    marks.tick(60.0, next_id=5, heard=3)
    assert not marks.stalled(60.0, oldest_id=1, heard=3)
    assert marks.given_up(60.0) == 0


def test_calls_older_than_the_limit_are_given_up_and_no_others() -> None:
    marks = overdue()
    now = 0.0
    for i in range(60):
        now = i * TICK
        marks.tick(now, next_id=10 + i, heard=i)
    limit = marks.given_up(now)
    assert limit == 10 + 59 - 40
