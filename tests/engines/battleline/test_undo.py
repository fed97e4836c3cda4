"""What can be taken back: moves that showed nothing to anybody."""

from __future__ import annotations

from engines.battleline.game import GAME
from engines.battleline.state import Rules, State, Step
from tests.engines.battleline.table import front, play, position


def can_be_undone(state: State, move: str) -> bool:
    return not GAME.barrier(state, play(state, move))


def test_a_claim_can_be_taken_back_while_the_turn_goes_on() -> None:
    state = position({1: front("R8 R9 R10")}, step=Step.CLOSE, sizes=(6, 7))
    assert can_be_undone(state, "claim:1")


def test_a_claim_at_the_start_of_a_turn_can_be_taken_back() -> None:
    state = position({1: front("R8 R9 R10")}, rules=Rules(last_chance=True))
    assert can_be_undone(state, "claim:1")


def test_a_claim_that_ends_the_game_cannot_be_taken_back() -> None:
    flags = {1: front("R8 R9 R10"), 2: front(owner=0), 3: front(owner=0)}
    assert not can_be_undone(position(flags, step=Step.CLOSE, sizes=(6, 7)), "claim:1")


def test_a_pass_can_be_taken_back_before_the_turn_ends() -> None:
    hand = ("MUD FOG DES TRA RDP SCT ALX", "")
    assert can_be_undone(position({1: front("R8 R9 R10")}, hand, played=(1, 0)), "pass")
    assert not can_be_undone(position(hands=hand, played=(1, 0)), "pass")


def test_a_card_played_drawn_returned_or_given_up_cannot_be_taken_back() -> None:
    state = position({4: front("R5 R6 R7 R8", "B8")}, ("R1 SCT DES", ""), mud=(4, 1), played=(0, 2))
    assert not can_be_undone(state, "R1@1")
    assert not can_be_undone(play(state, "R1@1"), "draw:troop")
    scout = play(state, "SCT")
    assert not can_be_undone(state, "SCT")
    assert not can_be_undone(scout, "draw:troop")
    assert not can_be_undone(play(scout, "draw:troop", "draw:troop", "draw:troop"), "ret:R1,DES")
    assert not can_be_undone(play(state, "DES:MUD@4"), "trim:R5")
