"""Claims, what was destroyed in the turn, and ties where they meet other rules (rules §10, §11, §12)."""

from __future__ import annotations

from typing import Any

import pytest

from engines.tashkalar.cards import TASK, TASKS
from engines.tashkalar.state import State
from engines.tashkalar.tasks import claimable
from tests.engines.tashkalar.corners import match, places, play, with_cards
from tests.engines.tashkalar.table import board, describe, offered


def row(state: State, current: str, following: str = "", deck: str = "") -> State:
    """These tasks lie open, the others are claimed by the other side."""
    open_ones = tuple(TASK[key] for key in current.split())
    next_task = TASK[following] if following else -1
    cards = tuple(TASK[key] for key in deck.split())
    rest = tuple(task.number for task in TASKS if task.number not in (*open_ones, next_task, *cards))
    return state._replace(tasks=open_ones, next_task=next_task, task_deck=cards, claimed=((), rest), buried=0)


def destroyed(state: State, *counts: int) -> State:
    return state._replace(turn=state.turn._replace(destroyed=(0, 0, 0, *counts)))


def test_of_two_fulfilled_tasks_one_is_claimed_and_the_other_must_hold_again_later() -> None:
    state = destroyed(row(match("a5 | i5", actions=0), "destruction devastation isolation"), 4, 0, 0)
    assert offered(state, "end") == ["end;destruction", "end;devastation", "end;-"]
    after = play(state, "end;devastation")
    assert (after.scores[0], after.tasks) == ((2,), (TASK["destruction"], TASK["isolation"]))
    # The turn's record is gone with the turn.
    later = play(after, "P:i6", "P:i7", "end")
    assert claimable(later) == ()


def test_a_task_that_moves_into_the_row_is_not_claimed_in_the_same_turn() -> None:
    state = destroyed(row(match("a5 | i5", actions=0), "destruction isolation side-chain", "devastation"), 4, 0, 0)
    assert offered(state, "end") == ["end;destruction", "end;-"]
    after = play(state, "end;destruction")
    assert (after.turn.seat, after.next_task, TASK["devastation"] in after.tasks) == (1, -1, True)


def test_the_last_next_task_takes_its_place_and_then_none_does() -> None:
    state = destroyed(row(match("a5 | i5", actions=0), "destruction isolation side-chain", "devastation"), 4, 0, 0)
    after = play(state, "end;destruction")
    after = after._replace(turn=after.turn._replace(seat=0, actions=0, destroyed=(0, 0, 0, 4, 0, 0)))
    after = play(after, "end;devastation")
    assert (after.tasks, after.next_task, after.task_deck) == ((TASK["isolation"], TASK["side-chain"]), -1, ())
    assert after.scores[0] == (3,)


def test_each_turn_of_a_chain_claims_a_task_of_its_own() -> None:
    state = destroyed(row(match("a5 | i5", actions=0), "destruction devastation isolation"), 4, 0, 0)
    state = state._replace(turn=state.turn._replace(again=1))
    after = play(state, "end;destruction")
    assert (after.turn.seat, claimable(after)) == (0, ())
    after = play(after._replace(turn=after.turn._replace(actions=0, destroyed=(0, 0, 0, 4, 0, 0))), "end;devastation")
    assert (after.scores[0], after.turn.seat) == ((3,), 1)


def test_a_thawed_conversion_and_what_a_flare_converts_count_for_destruction() -> None:
    # §9: conversion counts as destroyed by who does it, in whatever effect.
    enemies = "h3 h4 h5 h6 h7 i5 i6"
    state = with_cards(
        match(f"a5 | {enemies}", decks="everfrost imperial"), 0, "flare-4", frozen="frostweave-illusionist"
    )
    state = play(state, "T:frostweave-illusionist;h3")
    assert describe(state, "destroyed") == "C1:1"
    state = state._replace(board=board(f"a5 | {enemies}"))
    state = play(state, "F:flare-4;h4")
    assert describe(state, "destroyed") == "C1:2"
    state = row(state._replace(turn=state.turn._replace(actions=0)), "destruction isolation side-chain")
    assert offered(state) == ["end"]
    assert claimable(destroyed(state, 3, 0, 0)) == (TASK["destruction"],)


def test_a_warp_that_takes_a_piece_off_the_board_destroys_nothing_and_one_that_captures_does() -> None:
    state = with_cards(match("a5 | b5", decks="etherweave imperial"), 0, "merchant-of-time eternal-emperor")
    assert describe(play(state, "W:merchant-of-time"), "destroyed") == ""
    assert describe(play(state, "W:eternal-emperor;a5b5"), "destroyed") == "C1:1"


def test_pieces_count_double_for_tasks_and_points_after_the_gate_of_oblivion_was_warped() -> None:
    state = with_cards(match("a5 | b5", decks="etherweave imperial", form="duel"), 0, "gate-of-oblivion")
    state = play(state, "W:gate-of-oblivion")
    assert describe(state, "double") == 1
    state = destroyed(row(match("a5 | i5", actions=0), "end-of-legends destruction isolation"), 0, 2, 0)
    assert claimable(state) == (TASK["end-of-legends"],)


def test_a_legend_made_of_a_being_is_one_of_the_two_summons_of_its_task() -> None:
    # §10: "treated as one summoned legend", on the square where the being was summoned.
    state = row(match("d6 f6 d7 f7 e8 | i5", decks="etherweave imperial", actions=1), "legendary-summoning isolation")
    state = with_cards(state, 0, "iris-of-eternity titan")
    state = play(state, "S:iris-of-eternity@e5r0;e5")
    assert (describe(state, "summoned"), claimable(state)) == ("Le5", ())
    two = state._replace(turn=state.turn._replace(summoned=state.turn.summoned * 2))
    assert claimable(two) == (TASK["legendary-summoning"],)


def test_a_claim_that_reaches_nine_with_a_legend_on_the_board_begins_the_end() -> None:
    state = destroyed(row(match("La5 | i5", actions=0), "destruction isolation side-chain"), 3, 0, 0)
    state = state._replace(scores=((7,), (0,)))
    assert play(state, "end;-").last == -1
    after = play(state, "end;destruction")
    assert (after.last, after.cause) == (0, "points")


def test_a_claim_for_want_of_a_pending_beings_price_does_not_begin_the_end() -> None:
    # §16: the deduction also applies when the end trigger is checked.
    state = destroyed(row(match("La5 | i5", actions=0, decks="etherweave imperial"), "destruction isolation"), 3, 0, 0)
    state = with_cards(state._replace(scores=((8,), (0,))), 0, pending="void-summoner")
    assert play(state, "end;destruction").last == -1


@pytest.mark.parametrize(
    ("pieces", "scores", "expected"),
    [
        # Points, counting legendary pieces; then upgraded pieces; then pieces; then the place is shared (§10, §12).
        ("La5 | i5", ((3,), (4,)), [1, 2]),
        ("La5 | Hi5", ((3,), (4,)), [1, 1]),
        ("a5 b5 | Hi5", ((4,), (4,)), [2, 1]),
        ("Ha5 | Hi5 i6", ((4,), (4,)), [2, 1]),
        ("Ha5 b5 | Hi5 i6", ((4,), (4,)), [1, 1]),
    ],
)
def test_ties_of_the_high_form(pieces: str, scores: Any, expected: list[int]) -> None:
    state = match(pieces)._replace(scores=scores, over="points")
    assert places(state) == expected


@pytest.mark.parametrize(
    ("pieces", "expected"),
    [("La5 | Hi5", [1, 1]), ("Ha5 | i5 i6 i7", [1, 2]), ("a5 | i5 i6", [2, 1]), ("a5 | i5", [1, 1])],
)
@pytest.mark.parametrize("seats", [2, 4])
def test_ties_of_a_duel_and_of_teams(pieces: str, expected: list[int], seats: int) -> None:
    # §10: a legendary piece on the board is worth nothing in a deathmatch but an upgraded piece.
    decks = " ".join(["imperial"] * seats)
    state = match(pieces, form="duel", decks=decks)._replace(scores=((4,), (4,)), over="points")
    assert places(state) == expected * (seats // 2)


@pytest.mark.parametrize(
    ("tracks", "pieces", "expected"),
    [
        # Four alone: the lowest colour, the second lowest, the third, upgraded pieces, pieces, shared (§12).
        (((0, 1, 1, 9), (1, 0, 2, 2), (1, 2, 0, 3), (1, 1, 9, 0)), "a5 | b5 | c5 | d5", [3, 2, 1, 3]),
        (((0, 1, 1, 9), (1, 0, 2, 2), (1, 2, 0, 3), (1, 1, 9, 0)), "Ha5 | b5 | c5 | d5 d6", [3, 2, 1, 4]),
        (((0, 1, 1, 9), (1, 0, 2, 2), (1, 2, 0, 3), (1, 1, 9, 0)), "La5 | b5 | c5 | Hd5 d6", [4, 2, 1, 3]),
    ],
)
def test_ties_of_a_melee_of_four(tracks: Any, pieces: str, expected: list[int]) -> None:
    state = match(pieces, form="melee", decks="imperial imperial imperial imperial")
    assert places(state._replace(scores=tracks, over="points")) == expected
