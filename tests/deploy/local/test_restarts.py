from __future__ import annotations

from deploy.local.restarts import LONGEST_S, STEADY_S, Restarts


def ends_after(restarts: Restarts, lives_s: float, times: int) -> list[float]:
    """The waits of a process that ends again and again, so many seconds after each start."""
    now, waits = 100.0, []
    for _ in range(times):
        wait = restarts.ended("engine", now)
        waits.append(wait)
        assert restarts.waits("engine")
        assert restarts.due("engine", now + wait)
        assert wait == 0 or not restarts.due("engine", now + wait - 0.1)
        restarts.started("engine", now + wait)
        assert not restarts.waits("engine")
        now += wait + lives_s
    return waits


def test_a_process_that_ends_as_soon_as_it_is_started_waits_longer_each_time() -> None:
    assert ends_after(Restarts(), 0.5, 8) == [0, 1, 2, 4, 8, 16, LONGEST_S, LONGEST_S]


def test_a_process_that_has_run_for_a_while_is_started_at_once() -> None:
    assert ends_after(Restarts(), STEADY_S + 1, 3) == [0, 0, 0]


def test_troubles_that_are_over_are_forgotten() -> None:
    restarts = Restarts()
    assert ends_after(restarts, 0.5, 4)[-1] == 4
    assert restarts.ended("engine", 10_000.0) == 0.0


def test_one_process_does_not_wait_for_another() -> None:
    restarts = Restarts()
    ends_after(restarts, 0.5, 5)
    assert restarts.ended("gateway", 100.0) == 0.0
