"""Improvised summons of three and four colours, with what cards lend beside them (rules §14, §17)."""

from __future__ import annotations

import pytest

from engines.tashkalar.game import GAME
from engines.tashkalar.state import Bonus, State
from tests.engines.tashkalar.corners import check_hidden, left, match, play, with_cards
from tests.engines.tashkalar.table import describe, drawing, offered

FOUR = "imperial imperial imperial imperial"


def melee(pieces: str, hand: str, *, decks: str = FOUR, bonus: Bonus | None = None, actions: int = 2) -> State:
    state = with_cards(match(pieces, form="melee", decks=decks, actions=actions), 0, hand)
    return state._replace(turn=state.turn._replace(bonus=bonus or Bonus()))


def test_each_colour_stands_in_once_and_all_three_in_one_turn() -> None:
    state = melee("e4 | e6 | e8 | f4", "swordmaster bomb herald", actions=4)
    state = play(state, "S:swordmaster@e5r0*e6;-")
    assert state.improvised == (1 << 1, 0, 0, 0)
    improvised = {text.partition("*")[2] for text in offered(state, "S:bomb@")}
    assert improvised == {"", "f4"}
    check_hidden(state)
    bomb = next(text for text in offered(state, "S:bomb@") if text.endswith("*f4"))
    after = play(state, bomb)
    assert after.improvised == (1 << 1 | 1 << 3, 0, 0, 0)
    assert all(text.endswith("*e8") or "*" not in text for text in offered(after, "S:herald@"))


def test_a_colour_that_was_used_is_still_lent_by_a_card() -> None:
    # §14: the card's bonus is separate from the marker.
    state = melee("e4 | e6 | a5 | i5", "swordmaster", bonus=Bonus(enemies=1))._replace(improvised=(1 << 1, 0, 0, 0))
    assert offered(state, "S:swordmaster@") == ["S:swordmaster@e5r0+e6"]
    assert play(state, "S:swordmaster@e5r0+e6").improvised == (1 << 1, 0, 0, 0)


def test_marker_and_card_lend_two_pieces_of_one_colour_and_no_third() -> None:
    # Herald's pattern is three pieces around a corner.
    state = melee("f6 | g6 f7 | i5 | i6", "herald", bonus=Bonus(enemies=1))
    assert {text for text in offered(state, "S:herald@") if "@e5" in text} == {
        "S:herald@e5r0+g6*f7",
        "S:herald@e5r0*g6+f7",
    }
    assert not offered(melee("a5 | f6 g6 f7 | i5 | i6", "herald", bonus=Bonus(enemies=1)), "S:herald@")


def test_an_empty_square_an_improvised_piece_and_an_own_one_form_a_pattern() -> None:
    # §14, §16: what the Void Summoner lends can be combined as other cards' loans can.
    state = melee("e4 | d5 | i5", "reality-patch", decks="etherweave imperial imperial", bonus=Bonus(empties=2))
    found = offered(state, "S:reality-patch@")
    assert "S:reality-patch@e5r0*d5~f5~e6" in found
    assert not [text for text in found if text.count("~") > 2 or text.count("*") > 1]
    after = play(state, "S:reality-patch@e5r0*d5~f5~e6")
    assert (drawing(after.board), after.improvised) == ("e4 He5 | d5 | i5", (1 << 1, 0, 0))


def test_a_third_colour_stands_in_where_the_pattern_is_of_a_lent_one() -> None:
    # §14: own pieces do not count in that summon, one of another enemy does.
    state = melee("e6 | e4 | i5", "swordmaster", decks="imperial imperial imperial", bonus=Bonus(colour=1))
    assert not offered(state, "S:swordmaster@")
    state = melee("a5 | e4 | e6", "swordmaster", decks="imperial imperial imperial", bonus=Bonus(colour=1))
    assert offered(state, "S:swordmaster@") == ["S:swordmaster@e5r0*e6"]
    after = play(state, "S:swordmaster@e5r0*e6")
    assert (after.improvised, tuple(after.turn.bonus)) == ((1 << 2, 0, 0), (0, 0, -1))


def test_an_enemy_inside_the_frame_stands_in_and_is_destroyed() -> None:
    # §7, §14: a required piece inside the frame is replaced; an enemy's counts as destroyed, and its colour is used.
    state = melee("d5 f5 | e5 | i5", "frozen-chest", decks="everfrost imperial imperial")
    assert "S:frozen-chest@e5r0*e5" in offered(state, "S:frozen-chest@")
    after = play(state, "S:frozen-chest@e5r0*e5")
    assert (drawing(after.board), describe(after, "destroyed")) == ("d5 He5 f5 |  | i5", "C1:1")
    assert after.improvised == (1 << 1, 0, 0)


def test_a_heroic_enemy_inside_the_frame_of_a_heroic_being_may_stand_in_for_a_common() -> None:
    state = melee("d5 f5 | He5 | i5", "frozen-chest", decks="everfrost imperial imperial")
    after = play(state, "S:frozen-chest@e5r0*e5")
    assert describe(after, "destroyed") == "H1:1"
    legendary = melee("d5 f5 | Le5 | i5", "frozen-chest", decks="everfrost imperial imperial")
    assert not [text for text in offered(legendary, "S:frozen-chest@") if "@e5" in text]


def test_the_markers_of_a_seat_are_its_own_and_stay_used_in_later_turns() -> None:
    state = play(melee("e4 | e6 | i5 | i6", "swordmaster"), "S:swordmaster@e5r0*e6", "P:a5", "end")
    assert state.improvised == (1 << 1, 0, 0, 0)
    view = GAME.view(state, 2)
    assert [list(side.improvised) for side in view.sides] == [[1], [], [], []]  # type: ignore[attr-defined]


def test_a_colour_that_left_still_stands_in() -> None:
    state = left(melee("e4 | e6 | i5 | i6", "swordmaster"), 1)
    assert offered(state, "S:swordmaster@") == ["S:swordmaster@e5r0*e6"]


@pytest.mark.parametrize("form", ["high", "duel"])
def test_two_sides_never_improvise_though_a_card_lends(form: str) -> None:
    state = with_cards(match("e4 | e6", form=form), 0, "swordmaster")
    assert not offered(state, "S:swordmaster@")
    state = state._replace(turn=state.turn._replace(bonus=Bonus(enemies=1)))
    assert offered(state, "S:swordmaster@") == ["S:swordmaster@e5r0+e6"]
