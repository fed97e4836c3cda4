"""Scout of rules §5."""

from __future__ import annotations

from engines.battleline.state import Step
from tests.engines.battleline.table import all_moves, beginning, cards, front, play, position, refused


def test_scout_may_choose_the_deck_after_each_card() -> None:
    state = play(position(hands=("SCT", "")), "SCT")
    for deck in ("tactic", "troop", "tactic"):
        assert beginning(state, "draw") == ["draw:tactic", "draw:troop"]
        state = play(state, f"draw:{deck}")
    assert state.step is Step.RETURN


def test_scout_takes_the_other_deck_when_one_is_empty() -> None:
    state = play(position(hands=("SCT", ""), decks=(0, 5)), "SCT")
    assert "the troop deck is empty" in refused(state, "draw:troop").what


def test_scout_returns_any_two_different_cards_of_the_hand() -> None:
    state = play(position(hands=("SCT R1", "")), "SCT", "draw:troop", "draw:troop", "draw:troop")
    assert "named twice" in refused(state, "ret:R1,R1").what
    assert "1 cards are named" in refused(state, "ret:R1").what
    assert "not in your hand" in refused(state, "ret:P10,R1").what


def test_scout_may_put_a_leader_back() -> None:
    state = position(hands=("SCT DAR", ""), played=(1, 1), discards=("ALX", ""))._replace(led=(True, False))
    state = play(state, "SCT", "draw:troop", "draw:troop", "draw:tactic")
    state = play(
        state, "ret:DAR," + next(move for move in all_moves(state) if move.startswith("ret:R"))[4:].split(",")[0]
    )
    assert state.decks[1][-1:] == cards("DAR")


def test_the_next_draw_is_the_card_put_back_last() -> None:
    state = play(position(hands=("SCT R1 R2", "O1")), "SCT", "draw:troop", "draw:troop", "draw:troop", "ret:R1,R2")
    state = play(state, "O1@1", "draw:troop")
    assert cards("R2")[0] in state.hands[1]


def test_scout_leaves_the_claim_step_but_no_draw() -> None:
    state = position({1: front("R8 R9 R10", "")}, ("SCT R1 R2", ""))
    state = play(state, "SCT", "draw:troop", "draw:troop", "draw:troop", "ret:R1,R2")
    assert all_moves(state) == ["claim:1", "done"]
