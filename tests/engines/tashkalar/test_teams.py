"""Two against two: shared legends, sideways cards, passing control (rules §13)."""

from __future__ import annotations

import pytest

from core.fairness.draw import SeededDraw
from engines.kit.game import PUBLIC, IllegalMove
from engines.kit.options import full_options
from engines.tashkalar.cards import DECKS
from engines.tashkalar.game import GAME
from engines.tashkalar.state import State, with_item
from tests.engines.tashkalar.table import SEED, board, cards, drawing, play


def team(pieces: str = "", hand: str = "", actions: int = 2) -> State:
    """Seat 0 is on turn in the High Form of two teams, past the first round."""
    options = full_options(GAME.info, {"first": "seat_0", "deck_0": "imperial", "deck_2": "etherweave"})
    state = GAME.setup(options, 4, SeededDraw(SEED, 1))
    held = cards(hand)
    deck = tuple(card for card in DECKS["imperial"] if card not in held)
    mine = state.players[0]._replace(beings=tuple(sorted(held)), deck=deck)
    return state._replace(
        board=board(pieces), players=with_item(state.players, 0, mine), turn=state.turn._replace(actions=actions)
    )


def test_partners_move_the_same_pieces() -> None:
    state = play(team("e4 e6", hand="swordmaster"), "P:a5", "P:b5", "end")
    state = play(state, "P:i5", "P:i6", "end")
    assert state.turn.seat == 2
    state = play(state, "P:c5")
    assert drawing(state.board) == "e4 a5 b5 c5 e6 | i5 i6"


def test_at_the_end_of_the_turn_the_partner_gets_the_legends_and_fills_them_up() -> None:
    state = team()
    mine = state.players[0].legends
    after = play(state, "P:a5", "P:b5", "end")
    assert after.players[0].legends == ()
    assert after.players[2].legends == mine
    state = state._replace(turn=state.turn._replace(extra=(0, 1, 0)))
    after = play(state, "P:a5", "P:b5", "end")
    assert len(after.players[2].legends) == 3
    assert set(mine) < set(after.players[2].legends)


def test_the_last_card_above_the_sideways_ones_begins_the_end() -> None:
    for size, begins in ((9, True), (10, False), (6, False)):
        state = team(actions=0)
        mine = state.players[0]._replace(deck=DECKS["imperial"][:size], beings=())
        after = play(state._replace(players=with_item(state.players, 0, mine)), "end")
        assert len(after.players[0].deck) == size - 3
        assert (after.last == 0) is begins


def test_control_is_passed_before_an_action_and_the_partner_only_places() -> None:
    state = play(team("e4 e6", hand="swordmaster"), "pass")
    assert GAME.may_act(state) == {2}
    assert state.players[0].legends == ()
    assert [choice.text for choice in GAME.choices(state, 2)] == ["P:"]
    for move in ("S:swordmaster@e5r0", "end", "pass", "F:flare-1"):
        with pytest.raises(IllegalMove, match="cannot come now"):
            play(state, move)
    state = play(state, "P:a5", "P:b5")
    assert GAME.may_act(state) == {0}
    assert [choice.text for choice in GAME.choices(state, 0)] == ["end"]
    assert play(state, "end").turn.seat == 1


def test_control_is_passed_within_an_effect_which_the_partner_finishes() -> None:
    begun = team("e4 e6 | d4 f4", hand="swordmaster")
    assert "S:swordmaster@e5r0;pass" in [c.text for c in GAME.choices(begun, 0, "S:swordmaster@e5r0")]
    state = play(begun, "S:swordmaster@e5r0;pass")
    assert GAME.may_act(state) == {2}
    assert GAME.barrier(begun, state)
    assert [choice.text for choice in GAME.choices(state, 2)] == ["go;d4", "go;f4", "go;-"]
    view = GAME.view(state, PUBLIC)
    assert [piece.square for piece in view.standing] == ["d4", "e4", "f4", "e5", "e6"]  # type: ignore[attr-defined]
    after = play(state, "go;f4")
    assert drawing(after.board) == "e4 He5 e6 | d4"
    assert after.turn.actions == 1
    assert GAME.may_act(after) == {2}
    assert not after.begun
    assert after.players[0].discards == cards("swordmaster")
    assert after.players[0].legends == ()


def test_a_partner_finishes_a_move_of_several_answers() -> None:
    state = play(team("d6 e6 f6 d7 | Hf4", hand="knight"), "S:knight@e5r0;e5f4;pass")
    assert "go;f4f3;f3f2" in [choice.text for choice in GAME.choices(state, 2, "go;f4f3")]
    assert drawing(play(state, "go;f4f3;f3f2").board) == "Hf2 d6 e6 f6 d7 |"
    with pytest.raises(IllegalMove, match="asks for more"):
        play(state, "go;f4f3")
    with pytest.raises(IllegalMove, match="under way"):
        play(state, "P:a5")


def test_control_is_passed_once_and_neither_from_placing_nor_from_the_end() -> None:
    state = team("e4 e6 | d4", hand="swordmaster bomb")
    for move in ("P:a5;pass", "D:bomb;pass", "S:swordmaster@e5r0;d4;pass"):
        with pytest.raises(IllegalMove):
            play(state, move)
    state = play(state, "S:swordmaster@e5r0;pass")
    with pytest.raises(IllegalMove):
        play(state, "go;pass")
    assert "pass" not in [choice.text for choice in GAME.choices(team(actions=0), 0)]


def test_partners_see_each_others_legends_and_nothing_else() -> None:
    state = team(hand="swordmaster bomb herald")
    held = len(state.players[0].legends)
    for audience, seen in ((0, 3 + held + 1), (2, held), (1, 0), (3, 0), (PUBLIC, 0)):
        view = GAME.view(state, audience)
        assert len(view.players[0].hand) == seen  # type: ignore[attr-defined]


def test_a_team_leaves_together() -> None:
    state, _ = GAME.leave(team(), 2, SeededDraw(SEED, 2))
    found = GAME.outcome(state)
    assert found is not None
    assert [(each.place, each.team) for each in found.placements] == [(2, 0), (1, 1), (2, 0), (1, 1)]
