"""Time limits of a game's own: from which event they count, and who ends them."""

from __future__ import annotations

from typing import Any

from hamle.event.v1 import event_pb2
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.log.types import Record
from engines.kit.decide import accept_tail_loss
from engines.kit.game import Draw
from engines.kit.state import deadline_ms
from engines.kit.verify import Exported, verify_log
from tests.engines.kit.cardgame.apply import Result, apply
from tests.engines.kit.cardgame.game import Cellar
from tests.engines.kit.cardgame.state import STAKE
from tests.engines.kit.table import Table

LIMIT_MS = 5_000


class TimedStakes(Cellar):
    """All seats stake within one limit, which counts from the start; then whoever was silent stakes its first card."""

    def limit_ms(self, state: Any) -> int | None:
        return LIMIT_MS if state.phase == STAKE else None

    def limit_goes_on(self, before: Any, after: Any) -> bool:
        return bool(before.phase == after.phase == STAKE)

    def time_out(self, state: Any, draw: Draw) -> Result:
        facts: list[Any] = []
        for seat in sorted(self.awaited(state)):
            state, told = apply(state, seat, f"stake:{state.places[seat].hand[0]}", draw)
            facts += told
        return state, tuple(facts)


class AnewEachTime(TimedStakes):
    """The same with a limit for each event."""

    def limit_goes_on(self, before: Any, after: Any) -> bool:
        return False


delays = st.lists(st.integers(1, 2_500), min_size=4, max_size=4)
PATIENT = settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def stakes(table: Table, order: list[int], waits: list[int]) -> None:
    """Stakes of seats in an order, each so many milliseconds after the one before."""
    for seat, wait in zip(order, waits, strict=True):
        table.now_ms += wait - 1_000  # a command takes the table's clock on by a second
        table.move(seat, table.game.choices(table.state.game, seat)[0].text)


@PATIENT
@given(order=st.permutations(range(4)), waits=delays, silent=st.integers(1, 3))
def test_a_limit_that_goes_on_counts_from_where_it_began(order: list[int], waits: list[int], silent: int) -> None:
    table = Table(TimedStakes(), 4)
    due = table.state.at_ms + LIMIT_MS
    for count in range(4 - silent):
        assert deadline_ms(table.game, table.state) == due
        if table.now_ms + waits[count] >= due:
            break
        stakes(table, order[count : count + 1], waits[count : count + 1])
    head = table.history.seq
    table.pass_time(due - 1)
    assert table.history.seq == head
    table.pass_time(due)
    assert table.bodies() == ["deadline_passed"]
    assert table.last.steps[0].event.deadline_passed.due_ms == due
    assert table.state.game.phase != STAKE
    assert deadline_ms(table.game, table.state) is None


@PATIENT
@given(order=st.permutations(range(4)), waits=delays)
def test_a_limit_that_does_not_go_on_counts_from_each_event(order: list[int], waits: list[int]) -> None:
    table = Table(AnewEachTime(), 4)
    for count in range(3):
        stakes(table, order[count : count + 1], waits[count : count + 1])
        assert deadline_ms(table.game, table.state) == table.state.at_ms + LIMIT_MS


@PATIENT
@given(order=st.permutations(range(4)), waits=delays, seed=st.integers(0, 99))
def test_a_log_with_a_limit_that_went_on_verifies_under_these_rules_alone(
    order: list[int], waits: list[int], seed: int
) -> None:
    table = Table(TimedStakes(), 4)
    due = table.state.at_ms + LIMIT_MS
    stakes(table, order[:1], waits[:1])
    table.pass_time(due)
    expired = table.history.seq
    table.play(seed)
    rules = table.game.info.rules
    log = [Exported(Record(record.seq, record.event, record.hash), b"") for record in table.records]
    assert verify_log(log, {rules: table.game}).failure is None
    failure = verify_log(log, {rules: AnewEachTime()}).failure
    assert failure is not None
    assert failure.seq == expired


def test_of_a_limit_and_a_clock_that_passed_unseen_the_limit_came_first_and_the_clock_has_run_until_then() -> None:
    table = Table(TimedStakes(), 4, time_control=event_pb2.TimeControl(initial_ms=LIMIT_MS + 500, increment_ms=0))
    due = table.state.at_ms + LIMIT_MS
    table.pass_time(due + 60_000)
    assert table.bodies()[0] == "deadline_passed"
    clock = table.state.clock
    assert clock is not None
    assert set(clock.remaining_ms) == {500}
    assert clock.at_ms == due + 60_000


def test_of_a_clock_and_a_limit_that_passed_unseen_the_clock_came_first() -> None:
    table = Table(TimedStakes(), 4, time_control=event_pb2.TimeControl(initial_ms=LIMIT_MS - 500, increment_ms=0))
    table.pass_time(table.state.at_ms + 60_000)
    assert table.bodies()[0] == "clock_expired"


def test_a_limit_begins_anew_when_an_operator_has_accepted_a_lost_tail() -> None:
    table = Table(TimedStakes(), 4)
    table.now_ms += 3_600_000
    table._take(accept_tail_loss(table.game, table.state, table.history.hash, 9, table.now_ms))
    assert table.pass_time(table.now_ms).steps == []
    assert deadline_ms(table.game, table.state) == table.now_ms + LIMIT_MS
