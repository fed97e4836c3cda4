from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from google.protobuf.struct_pb2 import Struct
from hamle.event.v1 import event_pb2
from hamle.match.v1 import match_pb2
from hamle_client import Cursor, Step

from cli.render import board, choice_list, clock_line, event_line, outcome_data
from engines.kit.game import EVERYBODY
from engines.kit.host.describe import info_proto
from engines.registry import load_game

COERCEO = load_game("coerceo")
INFO = info_proto(COERCEO.info, ["coerceo/1"], "hamle.coerceo.v1.View")
SNAPSHOT = Path(__file__).parent / "coerceo_start.txt"


def told(seq: int, *facts: tuple[str, dict[str, str]], **body: Any) -> Step:
    event = event_pb2.Event(**body)
    return Step(Cursor(seq), event, tuple(match_pb2.Fact(kind=kind, parameters=values) for kind, values in facts), None)


def line(step: Step, *, seat: int | None = None, language: str = "en") -> str:
    return event_line(step, INFO, seat=seat, language=language)


def test_event_and_what_it_did_are_one_line() -> None:
    step = told(12, ("captured", {"field": "c3f"}), moved=event_pb2.Moved(seat=1, move="d1e-d1c"))
    assert line(step) == "  12  seat 1: d1e-d1c  The piece on c3f was enclosed and captured."
    assert line(step, seat=1).startswith("  12  you (seat 1): d1e-d1c")
    assert "c3f" in line(step, language="tr")
    assert "enclosed" not in line(step, language="tr")


def test_unknown_language_falls_back_to_english() -> None:
    step = told(1, ("cura", {}), started=event_pb2.Started())
    assert line(step, language="xx") == "   1  Play has begun.  Cura!"


def test_unknown_fact_is_told_with_its_parameters() -> None:
    assert line(told(3, ("burnt_down", {"city": "Smyrna"}), started=event_pb2.Started())).endswith(
        "burnt down city Smyrna"
    )


def test_outcome_names_places_and_reason() -> None:
    placements = [event_pb2.Placement(seat=0, place=2), event_pb2.Placement(seat=1, place=1, score=3)]
    outcome = event_pb2.Outcome(placements=placements, reason="no_pieces")
    assert line(told(9, finished=event_pb2.Finished(outcome=outcome)), seat=0) == (
        "   9  The match is over: number 1 is seat 1, score 3; number 2 is you (seat 0).  "
        "The last piece of one side has left the board."
    )
    assert outcome_data(outcome) == {
        "reason": "no_pieces",
        "placements": [{"seat": 0, "place": 2}, {"seat": 1, "place": 1, "score": 3}],
    }


@pytest.mark.parametrize("kind", [field.name for field in event_pb2.Event.DESCRIPTOR.oneofs_by_name["body"].fields])
@pytest.mark.parametrize("language", ["en", "tr"])
def test_every_kind_of_event_has_a_sentence(kind: str, language: str) -> None:
    event = event_pb2.Event()
    getattr(event, kind).SetInParent()
    assert len(line(Step(Cursor(1), event, (), None), language=language)) > len("   1  ")


def test_event_of_a_later_version_is_told_as_unknown() -> None:
    assert "does not know" in line(Step(Cursor(1), event_pb2.Event(), (), None))


def test_board_is_the_games_own() -> None:
    state = COERCEO.setup({option.name: option.values[0] for option in COERCEO.info.options}, 2, None)  # type: ignore[arg-type]
    drawn = board("coerceo", COERCEO.view(state, EVERYBODY), seat=0, is_over=False, language="en")
    assert drawn + "\n" == SNAPSHOT.read_text()


def test_board_of_a_game_without_rules_here_is_the_bare_message() -> None:
    view = Struct()
    view["heap"] = 3
    assert 'key: "heap"' in board("nim", view, seat=None, is_over=False, language="en")


def test_choices_stand_in_columns() -> None:
    choices = [match_pb2.Choice(text=f"a{n}-", complete=n % 2 == 0) for n in range(30)]
    listed = choice_list(choices)
    assert "a1-…" in listed.split()
    assert "a2-" in listed.split()
    assert max(map(len, listed.splitlines())) <= 100
    assert choice_list([]) == ""


def test_clocks_show_what_is_left_now() -> None:
    clock = match_pb2.Clock(remaining_ms=[300_000, 3_661_000], running=[0], at_ms=1_000)
    assert clock_line(clock, seat=0, now_ms=28_500, language="en") == (
        "Time left:  you (seat 0) 4:33 (running)   seat 1 1:01:01"
    )
    assert "0:00 (running)" in clock_line(clock, seat=None, now_ms=400_000, language="en")
    assert "5:00" in clock_line(clock, seat=0, now_ms=0, language="tr")


def test_a_clock_that_ran_out_is_told_as_the_reason() -> None:
    outcome = event_pb2.Outcome(placements=[event_pb2.Placement(seat=0, place=1)], reason="clock_expired")
    assert line(told(9, finished=event_pb2.Finished(outcome=outcome))).endswith("A clock has run out.")
