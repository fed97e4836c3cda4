"""Two against two: whose legends, decks and actions they are (rules §13)."""

from __future__ import annotations

import pytest

from core.fairness.draw import SeededDraw
from engines.kit.game import IllegalMove
from engines.kit.options import full_options
from engines.tashkalar.cards import DECKS, TASK
from engines.tashkalar.game import GAME
from engines.tashkalar.state import State, with_item
from tests.engines.tashkalar.table import SEED, board, cards, drawing, offered, play


def team(pieces: str = "", hand: str = "", actions: int = 2, form: str = "high", deck: str = "imperial") -> State:
    """Seat 0 is on turn, past the opening."""
    given = {"first": "seat_0", "deck_0": deck, "deck_2": "sylvan", "form": form}
    state = GAME.setup(full_options(GAME.info, given), 4, SeededDraw(SEED, 1))
    held = cards(hand)
    return with_seat(
        state._replace(board=board(pieces), setter=-1, turn=state.turn._replace(actions=actions)),
        0,
        beings=tuple(sorted(held)),
        deck=tuple(card for card in DECKS[deck] if card not in held),
    )


def with_seat(state: State, seat: int, **given: object) -> State:
    player = state.players[seat]._replace(**given)  # type: ignore[arg-type]
    return state._replace(players=with_item(state.players, seat, player))


def test_partners_sit_opposite_each_other_and_have_decks_of_their_own() -> None:
    state = team()
    assert [state.colour(seat) for seat in range(4)] == [0, 1, 0, 1]
    assert state.rules.decks[0] != state.rules.decks[2]
    assert len(state.board) == 6


def test_legends_wander_between_partners_turn_by_turn() -> None:
    state = team()
    seen = []
    for _ in range(4):
        state = play(state._replace(turn=state.turn._replace(actions=0)), "end")
        seen.append([len(player.legends) for player in state.players])
    assert seen == [[0, 2, 2, 0], [0, 0, 2, 2], [2, 0, 0, 2], [2, 2, 0, 0]]


def test_the_partner_fills_up_legends_the_seat_on_turn_beings_and_a_flare() -> None:
    state = team(actions=0)
    legends = state.players[0].legends
    state = with_seat(state, 0, legends=legends[:1], flares=())
    state = state._replace(legends=(legends[1], *state.legends), flares=(*state.players[0].flares, *state.flares))
    after = play(with_seat(state, 2, beings=()), "end")
    assert (len(after.players[0].beings), len(after.players[0].flares)) == (3, 1)
    assert len(after.players[2].legends) == 2
    assert after.players[2].beings == ()


def test_a_card_that_goes_under_a_deck_makes_one_more_upright() -> None:
    state = team(hand="herald knight")
    state = with_seat(
        state, 0, deck=tuple(card for card in DECKS["imperial"] if card not in cards("herald knight"))[:8]
    )
    for moves, begins in (
        (("P:a5", "P:a6"), False),
        (("D:herald;-", "P:a6"), True),
        (("D:herald;knight;-", "P:a6"), True),
    ):
        after = play(state, *moves, "end")
        assert (after.last == 0) is begins
    nine = with_seat(state, 0, deck=(*state.players[0].deck, *cards("bomb")))
    assert play(nine, "D:herald;-", "P:a6", "end").last == -1
    assert play(nine, "D:herald;knight;-", "P:a6", "end").last == -1


def test_sideways_cards_are_still_drawn() -> None:
    state = with_seat(team(actions=0), 0, deck=DECKS["imperial"][:4], beings=())
    after = play(state, "end")
    assert (len(after.players[0].beings), len(after.players[0].deck), after.last) == (3, 1, -1)


def test_control_is_passed_between_actions_and_the_partner_spends_all_that_are_left() -> None:
    state = play(team(hand="herald"), "P:a5", "pass")
    assert state.actor() == 2
    state = play(state, "P:a6")
    assert (state.actor(), offered(state)) == (0, ["end"])
    assert drawing(state.board).rstrip(" |") == "a5 a6"


def test_actions_that_the_finished_effect_gains_are_spent_on_commons() -> None:
    far = "a5 | c1 d1 e1 f1 g1 b2 c2 Hd2 He2 Hf2 Hg2"
    state = with_seat(team(far, actions=0), 0, flares=cards("flare-7"))
    state = state._replace(turn=state.turn._replace(actions=1))
    state = play(state, "F:flare-7;pass")
    assert state.actor() == 2
    state = play(state, "go;e5;a5")
    assert drawing(state.board).startswith("Ha5 e5 |")
    assert (state.turn.actions, offered(state)) == (2, ["P:"])


def test_who_has_passed_control_ends_the_turn_and_invokes_no_flare() -> None:
    state = with_seat(team("a5 | Hc1 Hd1 He1"), 0, flares=cards("flare-1"))
    assert "F:flare-1" in offered(state)
    state = play(state, "pass", "P:b5", "P:b6")
    assert (state.actor(), offered(state)) == (0, ["end"])
    with pytest.raises(IllegalMove, match="cannot come now"):
        play(state, "F:flare-1;e5")
    after = play(state, "end")
    assert (after.turn.seat, len(after.players[0].beings)) == (1, 3)


def test_legends_that_were_passed_with_control_are_filled_up_for_the_partner() -> None:
    state = team()
    held = state.players[0].legends
    state = play(state, "pass")
    assert (state.players[0].legends, state.players[2].legends) == ((), held)
    after = play(state, "P:b5", "P:b6", "end")
    assert after.players[2].legends == held


def test_a_partner_who_runs_out_of_places_leaves_the_rest_of_the_actions() -> None:
    state = team()._replace(lost=(17, 0, 0, 0))
    after = play(state, "pass")
    assert (after.actor(), offered(after)) == (0, ["end"])


def test_control_is_passed_neither_by_two_sides_nor_in_a_melee() -> None:
    for seats, form in ((2, "high"), (3, "melee"), (4, "melee")):
        state = GAME.setup(full_options(GAME.info, {"form": form, "first": "seat_0"}), seats, SeededDraw(SEED, 1))
        state = state._replace(setter=-1)
        assert "pass" not in offered(state)
        with pytest.raises(IllegalMove, match="cannot come now"):
            play(state, "pass")


def test_control_is_not_passed_where_a_card_of_the_hand_is_asked_for() -> None:
    state = team("f5 d6 e6 e7 | h5", "possessed-summoner", deck="nethervoid")
    state = with_seat(state, 0, flares=cards("flare-3"))
    first, asked = "S:possessed-summoner@e5r0", "S:possessed-summoner@e5r0;i4"
    assert f"{first};pass" in offered(state, first)
    assert offered(state, asked) == [f"{asked};flare-3", f"{asked};-"]
    with pytest.raises(IllegalMove, match="control cannot be passed here"):
        play(state, f"{asked};pass")
    after = play(state, f"{first};pass", "go;i4")
    assert (after.players[0].flares, after.turn.actions) == (cards("flare-3"), 1)


def test_a_flare_in_a_team_duel_gives_the_other_team_a_point() -> None:
    state = with_seat(team("a5 | Hc1 Hd1 He1", form="duel"), 0, flares=cards("flare-1"))
    assert play(state, "F:flare-1;e5").scores == ((0,), (1,))


def test_a_task_is_claimed_for_the_team() -> None:
    row = (TASK["center-cross"], TASK["destruction"], TASK["isolation"])
    state = team("e4 d5 e5 f5 e6", actions=0)._replace(tasks=row)
    after = play(state, "end;center-cross")
    assert (after.scores, after.claimed) == (((2,), (0,)), (row[:1], ()))
    assert after.turn.seat == 1
