from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hamle.engine.v1 import engine_pb2
from hamle.event.v1 import event_pb2

from core.errors import Refused
from engines.coerceo.game import GAME as COERCEO
from engines.kit.life import Status
from tests.engines.kit.cardgame import GAME as CELLAR
from tests.engines.kit.cardgame.game import Cellar
from tests.engines.kit.table import HANDLES, Table, random_move


def refusal(call: Callable[..., Any], *args: Any, **kwargs: Any) -> Refused:
    with pytest.raises(Refused) as raised:
        call(*args, **kwargs)
    return raised.value


def test_an_illegal_move_names_the_rule_and_what_is_expected_and_adds_nothing() -> None:
    table = Table(COERCEO)
    before = list(table.records)
    refused = refusal(table.move, 0, "d1e-d1b")
    assert refused.name == "ILLEGAL_MOVE"
    assert refused.metadata["move"] == "d1e-d1b"
    assert refused.metadata["rule"]
    assert refused.metadata["expected"]
    assert table.records == before


def test_who_is_not_on_turn_is_told_who_is() -> None:
    refused = refusal(Table(COERCEO).move, 1, "b4b-b4f")
    assert refused.name == "NOT_YOUR_TURN"
    assert refused.metadata == {"seat": "1", "may_act": "0"}


def test_a_stranger_holds_no_seat() -> None:
    table = Table(COERCEO)
    refused = refusal(table.command, "eve", submit=engine_pb2.Submit(moves=["d1e-d1a"]))
    assert refused.name == "NOT_YOUR_SEAT"
    assert refusal(table.command, "", resign=engine_pb2.Resign()).name == "NOT_YOUR_SEAT"


def test_a_decision_on_an_older_state_is_stale() -> None:
    table = Table(COERCEO)
    table.move(0, "d1e-d1a")
    refused = refusal(table.move, 1, "b4b-b4f", expected=4)
    assert refused.name == "STALE_VIEW"
    assert refused.metadata == {"expected_seq": "4", "decision_seq": "5", "head_seq": "5"}


def test_moves_of_seats_that_do_not_disturb_each_other_are_taken_in_any_order() -> None:
    table = Table(CELLAR, 4)
    start = table.history.seq
    stakes = [CELLAR.choices(table.state.game, seat)[0].text for seat in range(4)]
    for seat in (2, 0, 3, 1):
        table.move(seat, stakes[seat], expected=start)
    assert table.history.seq == start + 4


def test_a_repeated_call_is_done_once_also_when_it_would_no_longer_be_legal() -> None:
    table = Table(COERCEO)
    table.move(0, "d1e-d1a", request_id="same")
    count = len(table.records)
    table.move(0, "d1e-d1a", request_id="same", expected=4)
    assert len(table.records) == count


def test_a_request_id_stands_for_one_payload_of_one_actor() -> None:
    table = Table(COERCEO)
    table.move(0, "d1e-d1a", request_id="same")
    assert refusal(table.move, 0, "d1e-d1c", request_id="same").name == "REQUEST_ID_REUSED"
    table.move(1, "b4b-b4f", request_id="same")


def test_several_moves_of_a_call_are_all_taken_or_none() -> None:
    table = Table(COERCEO)
    before = list(table.records)
    assert refusal(table.move, 0, "d1e-d1a", "d1a-d1e").name == "NOT_YOUR_TURN"
    assert table.records == before


def test_seats_are_taken_until_the_match_is_full_and_then_it_starts() -> None:
    table = Table(COERCEO, sit=False)
    assert refusal(table.move, 0, "d1e-d1a").name == "MATCH_NOT_STARTED"
    assert refusal(table.command, "bob", take_seat=engine_pb2.TakeSeat(seat=0)).name == "SEAT_TAKEN"
    table.command("bob", take_seat=engine_pb2.TakeSeat())
    assert table.bodies() == ["seat_taken", "started"]


def test_a_full_match_has_started_and_takes_nobody_more() -> None:
    table = Table(COERCEO)
    assert refusal(table.command, "cem", take_seat=engine_pb2.TakeSeat()).name == "MATCH_STARTED"
    assert refusal(table.command, "ann", leave_seat=engine_pb2.LeaveSeat()).name == "MATCH_STARTED"


def test_a_full_match_that_waits_for_its_creator_is_full() -> None:
    table = Table(COERCEO, manual_start=True)
    assert table.state.life.status is Status.WAITING
    assert refusal(table.command, "cem", take_seat=engine_pb2.TakeSeat()).name == "MATCH_FULL"
    assert refusal(table.command, "bob", start=engine_pb2.Start()).name == "NOT_YOUR_SEAT"
    table.command("ann", start=engine_pb2.Start())
    assert table.bodies() == ["started"]


def test_a_creator_may_start_with_fewer_seats_than_there_are_but_not_below_the_least() -> None:
    table = Table(CELLAR, 4, sit=False, manual_start=True)
    refused = refusal(table.command, "ann", start=engine_pb2.Start())
    assert refused.name == "SEATS_MISSING"
    assert refused.metadata == {"seats": "1", "needed": "2"}
    table.command("bob", take_seat=engine_pb2.TakeSeat(seat=2))
    assert refusal(table.command, "ann", start=engine_pb2.Start()).name == "SEATS_MISSING"
    table.command("cem", take_seat=engine_pb2.TakeSeat(seat=1))
    table.command("ann", start=engine_pb2.Start())
    assert table.state.life.seats == ("ann", "cem", "bob")


def test_sitting_down_twice_is_sitting_once() -> None:
    table = Table(COERCEO, sit=False)
    assert table.command("ann", take_seat=engine_pb2.TakeSeat()).steps == []


def test_when_all_have_left_the_match_is_cancelled() -> None:
    table = Table(COERCEO, sit=False)
    table.command("ann", leave_seat=engine_pb2.LeaveSeat())
    assert table.bodies() == ["seat_left", "cancelled"]
    assert refusal(table.command, "bob", take_seat=engine_pb2.TakeSeat()).name == "MATCH_FINISHED"


def test_a_finished_match_takes_no_command() -> None:
    table = Table(COERCEO)
    table.command("bob", resign=engine_pb2.Resign())
    for command in (
        {"submit": engine_pb2.Submit(moves=["d1e-d1a"])},
        {"resign": engine_pb2.Resign()},
        {"undo": engine_pb2.Undo()},
        {"take_seat": engine_pb2.TakeSeat()},
        {"leave_seat": engine_pb2.LeaveSeat()},
    ):
        assert refusal(table.command, "ann", **command).name == "MATCH_FINISHED"


def test_who_may_not_resign_is_told_to_play_on() -> None:
    class Stubborn(Cellar):
        info = replace(CELLAR.info, may_resign=False)

    table = Table(Stubborn())
    before = list(table.records)
    refused = refusal(table.command, "ann", resign=engine_pb2.Resign())
    assert refused.name == "RESIGN_FORBIDDEN"
    assert "Play on" in refused.message
    assert table.records == before


def test_a_missing_command_is_a_field_that_is_invalid() -> None:
    refused = refusal(Table(COERCEO).command, "ann")
    assert refused.name == "FIELD_INVALID"
    assert refused.metadata["field"] == "command"


@pytest.mark.parametrize(
    ("fields", "reason", "names"),
    [
        ({"options": {"colour": "red"}}, "OPTION_INVALID", {"option": "colour", "value": "red"}),
        ({"options": {"start": "middle"}}, "OPTION_INVALID", {"option": "start", "value": "middle"}),
        ({"seats": 3}, "FIELD_INVALID", {"field": "seats", "expected": "2 to 2"}),
        ({"seat": 2}, "FIELD_INVALID", {"field": "seat"}),
        ({"entropy": b"x" * 33}, "FIELD_INVALID", {"field": "entropy"}),
        (
            {"time_control": event_pb2.TimeControl(initial_ms=999)},
            "FIELD_INVALID",
            {"field": "time_control.initial_ms"},
        ),
        (
            {"time_control": event_pb2.TimeControl(initial_ms=1_000, increment_ms=86_400_001)},
            "FIELD_INVALID",
            {"field": "time_control.increment_ms"},
        ),
    ],
)
def test_a_creation_that_asks_for_what_there_is_not_is_refused(
    fields: dict[str, Any], reason: str, names: dict[str, str]
) -> None:
    refused = refusal(Table, COERCEO, **{"seats": 2, "sit": False} | fields)
    assert refused.name == reason
    assert refused.metadata.items() >= names.items()


def test_undo_takes_back_own_moves_until_something_new_appears() -> None:
    table = Table(CELLAR)
    for seat in range(2):
        table.move(seat, CELLAR.choices(table.state.game, seat)[0].text)
    (turn,) = CELLAR.awaited(table.state.game)
    handle, other = HANDLES[turn], HANDLES[1 - turn]
    assert refusal(table.command, handle, undo=engine_pb2.Undo()).name == "NOTHING_TO_UNDO"
    before = table.state.game
    rng = random.Random(1)
    lay = next(move for _ in range(200) if (move := random_move(CELLAR, before, turn, rng)).startswith("lay:"))
    table.move(turn, lay)
    assert table.state.game != before
    assert refusal(table.command, other, undo=engine_pb2.Undo()).name == "NOTHING_TO_UNDO"
    table.command(handle, undo=engine_pb2.Undo())
    assert table.state.game == before
    table.move(turn, "draw")
    assert refusal(table.command, handle, undo=engine_pb2.Undo()).name == "NOTHING_TO_UNDO"
