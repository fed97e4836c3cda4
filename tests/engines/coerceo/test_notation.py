from __future__ import annotations

import pytest

from engines.coerceo.apply import play
from engines.coerceo.notation import WrongRecord, annotated, play_record, record
from engines.kit.game import Fact, IllegalMove
from tests.engines.coerceo.positions import random_game, start, written


def test_captures_come_before_tiles() -> None:
    facts = [Fact("tile_gained", (("tile", "d3"),)), Fact("captured", (("field", "c3c"),)), Fact("cura")]
    assert annotated("b2f-c3b", facts) == "b2f-c3b*c3c+d3"


def test_tiles_of_an_exchange_are_annotated_too() -> None:
    state = written("all", "a3a c1c e1c", "a1d b1f c5f e3f", "W", "3,0")
    assert record(state, ["xa1d"])[1] == ["xa1d+a1+a2"]


def test_annotations_may_stand_in_any_order() -> None:
    state = written("all", "a3a c1c c4a c4e c5e e1c", "a1b b4b c4f d4d e3f", "W", "0,0")
    for text in ("c5e-d4a*c4f+c5", "c5e-d4a+c5*c4f"):
        assert play_record(state, text)[-1] == play(state, 0, "c5e-d4a")[0]


@pytest.mark.parametrize(
    "text", ["c5e-d4a", "c5e-d4a*c4f", "c5e-d4a*c4f+c5+c4", "c5e-d4a*c4d+c5", "c5e-d4a*c4f*c4f+c5"]
)
def test_an_annotation_that_did_not_happen_is_refused_with_what_did(text: str) -> None:
    state = written("all", "a3a c1c c4a c4e c5e e1c", "a1b b4b c4f d4d e3f", "W", "0,0")
    with pytest.raises(WrongRecord, match=r"move 1: .*c5e-d4a\*c4f\+c5"):
        play_record(state, text)


@pytest.mark.parametrize("text", ["*c3f", "d1e-d1c*", "d1e-d1c*z9", "d1e-d1c+c3+"])
def test_what_cannot_be_read_is_refused(text: str) -> None:
    with pytest.raises(WrongRecord, match="cannot be read"):
        play_record(start(), text)


def test_the_wrong_move_of_a_record_is_counted_from_one() -> None:
    with pytest.raises(WrongRecord) as caught:
        play_record(start(), "d1e-d1a b4b-b4f*a1a")
    assert caught.value.ply == 2


def test_an_illegal_move_in_a_record_is_refused_as_such() -> None:
    with pytest.raises(IllegalMove):
        play_record(start(), "d1e-c3c")


def test_the_wire_takes_bare_moves_only() -> None:
    state = written("all", "a3a c1c c4a c4e c5e e1c", "a1b b4b c4f d4d e3f", "W", "0,0")
    with pytest.raises(IllegalMove, match="without annotations"):
        play(state, 0, "c5e-d4a*c4f+c5")


@pytest.mark.parametrize(("seed", "name"), [(1, "laurentius"), (2, "ocius"), (3, "ocius")])
def test_random_games_survive_the_round_trip(seed: int, name: str) -> None:
    steps = random_game(seed, 400, start=name)
    end, texts = record(steps[0][0], [move for _, move in steps])
    states = play_record(steps[0][0], " ".join(texts))
    assert states[:-1] == [state for state, _ in steps]
    assert states[-1] == end
