from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from core.log.feed import Position


def test_own_positions_count_once_the_ones_before_are_known() -> None:
    known = Position(10)
    known.note(12)
    assert (known.reached, known.is_own(12)) == (10, True)
    known.note(11)
    assert (known.reached, known.is_own(12)) == (12, False)


def test_what_was_reached_is_not_own_any_more() -> None:
    known = Position(0)
    known.note(3)
    known.note(5)
    known.reach(4)
    assert (known.reached, known.is_own(3)) == (5, False)


@given(st.lists(st.tuples(st.booleans(), st.integers(1, 30)), max_size=60))
def test_what_is_reached_is_exactly_what_is_known_without_a_gap(steps: list[tuple[bool, int]]) -> None:
    known, told = Position(0), set[int]()
    for own, position in steps:
        if own:
            known.note(position)
            told.add(position)
        else:
            known.reach(position)
            told |= set(range(1, position + 1))
        expected = next(n for n in range(32) if n + 1 not in told)
        assert known.reached == expected
        assert all(known.is_own(n) == (n in told and n > expected) for n in range(1, 32))


def test_a_restart_forgets_what_was_noted() -> None:
    known = Position(100)
    known.note(105)
    known.restart(3)
    assert (known.reached, known.is_own(105)) == (3, False)
    known.note(4)
    assert known.reached == 4
