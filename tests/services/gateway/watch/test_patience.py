from __future__ import annotations

from services.gateway.watch.patience import FIRST_S, LONGEST_S, SETTLED_S, Patience


def test_the_first_try_comes_at_once_and_the_later_ones_ever_later() -> None:
    patience = Patience(0.0)
    pauses = [patience.pause_s() for _ in range(10)]
    assert pauses[0] == 0.0
    assert pauses == sorted(pauses)
    assert pauses[-1] < 1.0


def test_a_watcher_who_was_told_nothing_is_not_kept_waiting_long() -> None:
    patience = Patience(0.0)
    assert not patience.is_over(FIRST_S, greeted=False)
    assert patience.is_over(FIRST_S + 0.1, greeted=False)
    assert not patience.is_over(LONGEST_S, greeted=True)
    assert patience.is_over(LONGEST_S + 0.1, greeted=True)


def test_a_watch_that_got_on_begins_the_count_anew() -> None:
    for began, ended, told in ((0.0, SETTLED_S + 0.1, False), (9.0, 9.5, True)):
        patience = Patience(0.0)
        patience.pause_s()
        patience.pause_s()
        patience.ended(began, ended, told)
        assert patience.pause_s() == 0.0
        assert not patience.is_over(ended + FIRST_S, greeted=False)


def test_a_watch_that_ends_at_once_and_brought_nothing_does_not_count() -> None:
    patience = Patience(0.0)
    patience.pause_s()
    patience.ended(10.0, 10.5, told=False)
    assert patience.pause_s() > 0
    assert patience.is_over(FIRST_S + 0.1, greeted=False)
