"""How others read the moves of a seat: hidden cards and answers, until what happens shows them."""

from __future__ import annotations

from engines.itchyfeet.game import GAME
from engines.kit.game import EVERYBODY, PUBLIC
from tests.engines.itchyfeet.arranged import TURKEY
from tests.engines.itchyfeet.table import cards, play, position
from tests.engines.itchyfeet.test_extensions import tour, window


def test_a_pick_is_hidden_until_it_reaches_the_left_neighbour() -> None:
    state = tour()
    assert [GAME.redact(state, 0, "pick:camera", audience) for audience in (0, 1, 2, PUBLIC, EVERYBODY)] == [
        "pick:camera",
        "pick:*",
        "pick:*",
        "pick:*",
        "pick:camera",
    ]


def test_the_pick_that_completes_a_tour_is_read_by_its_receiver_and_by_all_when_it_wins() -> None:
    state = play(tour(), "1 pick:sunscreen", "2 pick:bug_spray")
    read = [GAME.redact(state, 0, "pick:camera", audience) for audience in (0, 1, 2, PUBLIC)]
    assert read == ["pick:camera", "pick:camera", "pick:*", "pick:*"]
    rich = position("postcard_1", "postcard_2 postcard_3 postcard_4 camera", "camera", pile="group_tour camera")
    state = play(rich, "0 draw", "1 pick:camera", "2 pick:camera")
    assert [GAME.redact(state, 0, "pick:postcard_1", audience) for audience in (1, 2, PUBLIC)] == [
        "pick:postcard_1"
    ] * 3
    assert play(state, "0 pick:postcard_1").winner == 1


def test_a_card_taken_is_read_by_its_victim_and_by_all_when_it_wins() -> None:
    seen = "mousetrap lost_reservation"
    state = position("sticky_fingers", "camera sunscreen", "camera", discard=seen)
    state = play(state, "0 play:sticky_fingers:1")
    read = [GAME.redact(state, 0, "take:camera", audience) for audience in (0, 1, 2, PUBLIC)]
    assert read == ["take:camera", "take:camera", "take:*", "take:*"]
    after = play(state, "0 take:camera")
    assert [after.known[0][who] for who in range(4)] == [(), cards("camera"), (), ()]
    assert [after.known[1][who] for who in range(4)] == [cards("sunscreen"), (), (), ()]
    rich = position("sticky_fingers postcard_1 postcard_2 postcard_3", "postcard_4", "camera", discard=seen)
    state = play(rich, "0 play:sticky_fingers:1")
    assert GAME.redact(state, 0, "take:postcard_4", PUBLIC) == "take:postcard_4"


def test_the_answer_that_closes_a_window_is_read_by_all_unless_one_before_it_blocks() -> None:
    state = play(window(), "1 pass")
    assert [GAME.redact(state, 2, move, 0) for move in ("pass", "block:lost_reservation")] == ["answer"] * 2
    state = play(position(TURKEY, "camera", "lost_reservation"), "0 travel", "1 pass")
    assert [GAME.redact(state, 2, move, 0) for move in ("pass", "block:lost_reservation")] == [
        "pass",
        "block:lost_reservation",
    ]


def test_answers_in_a_window_read_alike() -> None:
    state = window()
    assert GAME.redact(state, 2, "pass", 1) == GAME.redact(state, 2, "block:lost_reservation", 1) == "answer"
