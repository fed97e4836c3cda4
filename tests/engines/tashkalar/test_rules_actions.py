"""What a turn's actions and flares are and when they can come (rules §5, §6, §8)."""

from __future__ import annotations

from typing import Any

import pytest

from core.fairness.draw import SeededDraw
from engines.kit.game import IllegalMove
from engines.tashkalar.cards import DECKS, FLARES
from engines.tashkalar.game import GAME
from engines.tashkalar.state import Form, State, with_item
from tests.engines.tashkalar.table import SEED, cards, describe, drawing, offered, play, position

FAR_AHEAD = "a5 | Hc1 Hd1 He1"
"""The enemy leads by three upgraded pieces, as flare 1 wants, and by two in all."""


def refuses(state: State, move: str, why: str) -> bool:
    with pytest.raises(IllegalMove, match=why):
        play(state, move)
    return True


def test_places_and_summons_come_as_often_as_there_are_actions() -> None:
    state = position("e4 e6 b2 c3", hand="swordmaster messenger", actions=4)
    state = play(state, "S:swordmaster@e5r0", "P:a5", "S:messenger@d4r2;-", "P:a6")
    assert drawing(state.board).rstrip(" |") == "b2 c3 d4 e4 a5 e5 a6 e6"
    assert describe(state, "actions") == 0
    assert refuses(state, "P:a4", "no action is left")
    assert offered(state) == ["end"]


def test_a_common_is_placed_on_an_empty_square_of_the_arena_only() -> None:
    state = position("e5 | He6")
    placings = offered(state, "P:")
    assert len(placings) == 69 - 2
    for square in ("e5", "e6", "a1"):
        assert refuses(state, f"P:{square}", "no place for a common")
    assert refuses(state, "P:e5>e4", "no place for a common")


def test_without_counters_an_own_common_or_heroic_piece_is_lifted_and_placed_as_a_common() -> None:
    state = position("a5 Hb5 Lc5 | e5", counters=2)
    starts = {text.partition(">")[0] for text in offered(state, "P:")}
    assert starts == {"P:a5", "P:b5"}
    assert drawing(play(state, "P:b5>d5").board) == "a5 Lc5 d5 | e5"
    assert drawing(play(state, "P:b5>b5").board) == "a5 b5 Lc5 | e5"
    for move in ("P:d5", "P:c5>d5", "P:e5>d5", "P:a5>c5"):
        assert refuses(state, move, "no place for a common")


def test_a_being_is_discarded_and_others_go_under_their_decks_in_the_order_named() -> None:
    state = position("a5", hand="herald knight bomb titan fire-dragon flare-1")
    state = play(state, "D:herald;knight;titan;bomb;flare-1;-")
    mine = state.players[0]
    assert mine.deck[:2] == cards("bomb knight")
    assert (state.legends[0], state.flares[0]) == (*cards("titan"), *cards("flare-1"))
    assert describe(state, "discards") == "herald"
    assert describe(state, "hand") == "fire-dragon"
    assert describe(state, "actions") == 1


def test_nothing_need_go_under_a_deck_and_nothing_is_drawn_before_the_turn_ends() -> None:
    state = play(position("a5", hand="herald knight"), "D:herald;-")
    assert describe(state, "hand") == "knight"
    assert len(play(state, "P:e5", "end").players[0].beings) == 3


def test_one_being_a_turn_is_discarded_and_it_comes_from_the_own_school() -> None:
    state = position("a5", hand="herald knight titan flare-1")
    assert refuses(state, "D:titan;-", "not among the cards")
    assert refuses(state, "D:flare-1;-", "names no move")
    state = play(state, "D:herald;-")
    assert refuses(state, "D:knight;-", "was discarded this turn")
    assert "D:" not in offered(state)
    state = play(state, "P:e5", "end", "P:i5", "P:i6", "end")
    assert "D:" in offered(state)


@pytest.mark.parametrize("actions", [2, 1, 0])
def test_a_flare_comes_before_between_and_after_the_actions_and_costs_none(actions: int) -> None:
    state = position(FAR_AHEAD, hand="flare-1", actions=actions)
    assert "F:flare-1" in offered(state)
    after = play(state, "F:flare-1;e5")
    assert describe(after, "actions") == actions
    assert (describe(after, "hand"), describe(after, "flare_discards")) == ("", "flare-1")


def test_no_flare_comes_in_the_middle_of_an_action() -> None:
    state = position("a5 e4 e6 | Hc1 Hd1 He1 Hf1 Hg1 d4", hand="swordmaster flare-1")
    assert refuses(state, "S:swordmaster@e5r0;F:flare-1", "no answer")


@pytest.mark.parametrize("flare", FLARES, ids=lambda flare: flare.key)
def test_a_flare_wants_its_lead_in_upgraded_pieces_or_in_all(flare: Any) -> None:
    edge = ["c1", "d1", "e1", "f1", "g1", "b2", "c2", "d2"]
    heroic = " ".join(f"H{square}" for square in edge[: flare.upper])
    commons = " ".join(edge[: flare.lower])
    six = "a5 a6 a7 b5 b6 b7"
    for own, enemy in ((six, heroic), ("", commons)):
        assert f"F:{flare.key}" in offered(position(f"{own} | {enemy}", hand=flare.key))
    for own, enemy in ((f"{six} La4", heroic), ("a5", commons)):
        assert refuses(position(f"{own} | {enemy}", hand=flare.key), f"F:{flare.key}", "so far ahead")


def test_only_the_half_whose_criterion_holds_is_resolved_as_it_was_when_invoked() -> None:
    both = position("| Hc1 Hd1 He1 f1 g1 c9", hand="flare-1")
    assert drawing(play(both, "F:flare-1;e5;d5").board) == "Hd5 e5 | Hc1 Hd1 He1 f1 g1 c9"
    upper = position("a5 | Hc1 Hd1 He1 f1 g1 c9", hand="flare-1")
    assert drawing(play(upper, "F:flare-1;e5").board) == "a5 e5 | Hc1 Hd1 He1 f1 g1 c9"
    lower = position("| Hc1 Hd1 e1 f1 g1 c9", hand="flare-1")
    assert drawing(play(lower, "F:flare-1;e5").board) == "He5 | Hc1 Hd1 e1 f1 g1 c9"


@pytest.mark.parametrize(("form", "points"), [(Form.HIGH, 0), (Form.DUEL, 1)])
def test_a_flare_gives_the_opponent_a_point_in_a_duel_and_none_in_the_high_form(form: Form, points: int) -> None:
    for pieces, answers in ((FAR_AHEAD, ";e5"), ("| Hc1 Hd1 He1 f1 g1 c9", ";e5;d5")):
        state = position(pieces, hand="flare-1", form=form)
        assert play(state, f"F:flare-1{answers}").scores == ((0,), (points,))


@pytest.mark.parametrize(("form", "told"), [(Form.HIGH, []), (Form.DUEL, [{"seat": "0", "colour": "colour-1"}])])
def test_the_point_that_a_flare_gives_is_told(form: Form, told: list[dict[str, str]]) -> None:
    state = position(FAR_AHEAD, hand="flare-1", form=form)
    _, facts = GAME.apply(state, 0, "F:flare-1;e5", SeededDraw(SEED, 2))
    assert [dict(fact.parameters) for fact in facts if fact.kind == "conceded"] == told


def test_in_a_melee_one_of_those_ahead_is_named_and_gets_a_point_in_the_colour_of_who_invokes() -> None:
    state = position("a5 | Hc1 Hd1 He1 | Hc9 Hd9 He9 | g1", colours=4, hand="flare-1")
    assert offered(state, "F:flare-1") == ["F:flare-1;colour-1", "F:flare-1;colour-2"]
    after = play(state, "F:flare-1;colour-2;e5")
    assert after.scores == ((0,) * 4, (0,) * 4, (1, 0, 0, 0), (0,) * 4)
    assert refuses(state, "F:flare-1;colour-3", "no answer")


def test_in_a_melee_only_the_comparison_with_the_opponent_named_counts() -> None:
    spread = position("a5 | Hc1 Hd1 | Hc9 Hd9", colours=3, hand="flare-1")
    assert refuses(spread, "F:flare-1", "so far ahead")
    state = position("| Hc1 Hd1 He1 | c9 d9 e9 f9 g9 b8", colours=3, hand="flare-1")
    for colour, board in ((1, "e5 | Hc1 Hd1 He1 |"), (2, "He5 | Hc1 Hd1 He1 |")):
        after = play(state, f"F:flare-1;colour-{colour};e5")
        assert drawing(after.board) == f"{board} b8 c9 d9 e9 f9 g9"


def test_a_flare_is_replaced_when_the_turn_ends_and_not_before() -> None:
    state = play(position(FAR_AHEAD, hand="flare-1", actions=0), "F:flare-1;e5")
    assert state.players[0].flares == ()
    assert len(play(state, "end").players[0].flares) == 1


def test_legends_are_made_of_their_discard_pile_when_none_is_left() -> None:
    state = position("a5", actions=0)._replace(legends=cards("titan"), legend_discards=cards("hell-bull leviathan"))
    after = play(state, "end")
    assert cards("titan")[0] in after.players[0].legends
    assert len(after.players[0].legends) == 2
    assert after.legend_discards == ()
    assert len(after.legends) == 1


def test_an_empty_school_deck_leaves_a_smaller_hand() -> None:
    state = position("a5", hand="herald", actions=0)
    mine = state.players[0]._replace(deck=(), discards=DECKS["imperial"][1:])
    after = play(state._replace(players=with_item(state.players, 0, mine)), "end")
    assert after.players[0].beings == cards("herald")
    assert after.last == -1


def test_extra_cards_are_drawn_on_top_of_a_hand_above_the_standard() -> None:
    state = position("a5", hand="herald knight bomb cannon titan hell-bull leviathan", actions=0)
    state = state._replace(turn=state.turn._replace(extra=(1, 1, 0)))
    mine = play(state, "end").players[0]
    assert (len(mine.beings), len(mine.legends)) == (5, 4)
