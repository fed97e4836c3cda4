"""Windows in which seats may block (R50 to R53, R55): in which order answers count, how long they last."""

from __future__ import annotations

from itertools import permutations

import pytest

from core.fairness.draw import SeededDraw
from engines.itchyfeet.game import GAME
from engines.itchyfeet.state import Kind
from engines.kit.state import deadline_ms
from tests.engines.itchyfeet.arranged import TURKEY, Arranged
from tests.engines.itchyfeet.table import ALL_ON, hand, play, position, tell
from tests.engines.kit.table import Table

LIMIT_MS = 15_000


def timed(*hands: str) -> Table:
    """A match whose seat 0 can travel; windows have a limit."""
    options = ALL_ON | {"reaction_ms": str(LIMIT_MS)}
    return Table(Arranged(position(*hands)), len(hands), options=options)


def test_the_time_of_a_window_counts_from_its_opening_and_not_from_the_last_answer() -> None:
    table = timed(TURKEY, "camera", "camera", "camera")
    table.move(0, "travel")
    due = table.state.at_ms + LIMIT_MS
    assert deadline_ms(table.game, table.state) == due
    for seat in (2, 1):
        table.move(seat, "pass")
        assert deadline_ms(table.game, table.state) == due
    table.pass_time(due - 1)
    assert table.game.awaited(table.state.game) == {3}
    table.pass_time(due)
    assert table.bodies() == ["deadline_passed"]
    assert table.state.game.places[0].done
    assert deadline_ms(table.game, table.state) is None


def test_who_leaves_gives_the_others_no_more_time() -> None:
    table = timed(TURKEY, "camera", "camera", "camera")
    table.move(0, "travel")
    due = table.state.at_ms + LIMIT_MS
    table.command(table.state.life.seats[1], resign={})
    assert table.game.awaited(table.state.game) == {2, 3}
    assert deadline_ms(table.game, table.state) == due


def test_each_window_has_a_time_of_its_own() -> None:
    table = timed("camera camera", "camera camera")
    for active in (0, 1):
        table.move(active, f"steal:{1 - active}:camera")
        assert deadline_ms(table.game, table.state) == table.state.at_ms + LIMIT_MS
        table.move(1 - active, "pass")
        assert deadline_ms(table.game, table.state) is None


def test_without_the_option_a_window_waits_as_long_as_it_takes() -> None:
    table = Table(Arranged(position(TURKEY, "camera")), 2, options=ALL_ON)
    table.move(0, "travel")
    assert deadline_ms(table.game, table.state) is None


@pytest.mark.parametrize("order", list(permutations((0, 2, 3))))
def test_r52_the_first_blocker_clockwise_from_the_active_seat_counts(order: tuple[int, ...]) -> None:
    held = "lost_reservation"
    state = play(position(held, TURKEY, "camera", held, countries="italy turkey japan kenya", active=1), "1 travel")
    for seat in order:
        assert GAME.awaited(state) >= {seat}
        state, facts = tell(state, seat, "pass" if seat == 2 else f"block:{held}")
    blocked = [dict(fact.parameters)["seat"] for fact in facts if fact.kind == "blocked"]
    assert blocked == ["3"]
    assert (hand(state, 0), hand(state, 3)) == (held, "")
    assert state.active == 2


def test_r50_a_block_is_not_answered_by_a_block() -> None:
    state = play(position("camera mousetrap", "mousetrap camera"), "0 steal:1:camera", "1 block:mousetrap")
    assert state.agenda[-1].kind is Kind.ACTION
    assert (state.active, hand(state, 0)) == (1, "mousetrap")


def test_time_that_is_up_counts_blocks_that_were_answered_before() -> None:
    state = play(position(TURKEY, "camera", "lost_reservation", "camera"), "0 travel", "2 block:lost_reservation")
    after, facts = GAME.time_out(state, SeededDraw(bytes(32), 9))
    assert [fact.kind for fact in facts if fact.kind in ("time_up", "blocked")] == ["time_up", "blocked"]
    assert not after.places[0].done
