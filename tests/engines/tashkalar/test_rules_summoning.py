"""Summoning: what stands on the square, shortage of counters, improvising (rules §7, §14)."""

from __future__ import annotations

import pytest

from engines.kit.game import IllegalMove
from engines.tashkalar.state import Bonus, Form, State
from tests.engines.tashkalar.table import describe, drawing, offered, play, position

TITAN = "He3 He4 d5 e5 f5"
"""Titan's pattern for a summon on e2."""


def squares(state: State, card: str) -> set[str]:
    return {text.partition("@")[2][:2] for text in offered(state, f"S:{card}@")}


@pytest.mark.parametrize(
    ("pieces", "after", "destroyed"),
    [
        ("d6 e6 f6 d7 | e5", "He5 d6 e6 f6 d7 |", "C1:1"),
        ("d6 e6 f6 d7 | He5", "He5 d6 e6 f6 d7 |", "H1:1"),
        ("d6 e6 f6 d7 e5", "He5 d6 e6 f6 d7 |", ""),
        ("d6 e6 f6 d7 He5", "He5 d6 e6 f6 d7 |", ""),
    ],
)
def test_a_piece_of_no_higher_rank_is_destroyed_and_an_enemy_counts(pieces: str, after: str, destroyed: str) -> None:
    state = play(position(pieces, hand="knight"), "S:knight@e5r0;-")
    assert drawing(state.board) == after
    assert describe(state, "destroyed") == destroyed
    assert describe(state, "summoned") == "He5"
    assert (describe(state, "hand"), describe(state, "discards")) == ("", "knight")


@pytest.mark.parametrize("pieces", ["d6 e6 f6 d7 | Le5", "d6 e6 f6 d7 Le5"])
def test_a_higher_rank_on_the_square_forbids_the_summon(pieces: str) -> None:
    state = position(pieces, hand="knight")
    assert "e5" not in squares(state, "knight")
    with pytest.raises(IllegalMove, match="cannot be summoned so"):
        play(state, "S:knight@e5r0;-")


def test_a_legend_lands_on_any_rank_and_is_discarded_to_the_legends() -> None:
    state = play(position(f"{TITAN} | Le2", hand="titan"), "S:titan@e2r0")
    assert describe(state, "destroyed") == "L1:1"
    assert describe(state, "summoned") == "Le2"
    assert (describe(state, "discards"), describe(state, "legend_discards")) == ("", "titan")


@pytest.mark.parametrize(("under", "after"), [("e5", "He5"), ("He5", "He5")])
def test_without_counters_the_own_piece_on_the_square_becomes_the_new_one(under: str, after: str) -> None:
    state = position(f"d6 e6 f6 d7 {under} a5", hand="knight", counters=6)
    assert not [text for text in offered(state, "S:knight@e5r0") if "a5" in text.split(";")[1:]]
    assert drawing(play(state, "S:knight@e5r0;-").board).rstrip(" |") == f"a5 {after} d6 e6 f6 d7"


def test_without_counters_a_piece_that_the_pattern_does_not_need_is_lifted() -> None:
    state = position("e4 e6 a5 Hb5 Lc5 | i5", hand="swordmaster", counters=4)
    assert offered(state, "S:swordmaster@e5r0") == ["S:swordmaster@e5r0;a5", "S:swordmaster@e5r0;b5"]
    after = play(state, "S:swordmaster@e5r0;b5")
    assert drawing(after.board) == "e4 a5 Lc5 e5 e6 | i5"
    assert describe(after, "destroyed") == ""


def test_without_counters_and_without_a_piece_to_lift_nothing_is_summoned() -> None:
    state = position("e4 e6 Lc5 | i5", hand="swordmaster", counters=2)
    assert squares(state, "swordmaster") == set()
    assert "S:swordmaster@" not in offered(state)


def test_a_counter_that_is_free_is_used_and_nothing_lifted() -> None:
    state = position("e4 e6 a5", hand="swordmaster", counters=4)
    assert drawing(play(state, "S:swordmaster@e5r0").board).rstrip(" |") == "e4 a5 e5 e6"


def test_which_pieces_can_be_lifted_depends_on_the_image_that_is_chosen() -> None:
    state = position("e4 e6 d5 f5", hand="swordmaster", counters=4)
    ways = sorted(text for text in offered(state, "S:swordmaster@") if "@e5" in text)
    assert len(ways) == 2
    lifted = [{text.split(";")[1] for text in offered(state, way)} for way in ways]
    assert sorted(map(sorted, lifted)) == [["d5", "f5"], ["e4", "e6"]]


def test_legends_are_short_of_legendary_counters_only() -> None:
    assert squares(position(TITAN, hand="titan", counters=5), "titan") == {"e2"}
    three = position(f"{TITAN} Lb5 Lb6 Lb7", hand="titan")
    assert offered(three, "S:titan@e2r0") == [f"S:titan@e2r0;{square}" for square in ("b5", "b6", "b7")]
    assert describe(play(three, "S:titan@e2r0;b6"), "summoned") == "Le2"
    on_one = position(f"{TITAN} Le2 Lb6 Lb7", hand="titan")
    assert drawing(play(on_one, "S:titan@e2r0").board).rstrip(" |") == "Le2 He4 d5 e5 f5 Lb6 Lb7"
    needed = position("Le3 Le4 Ld5 e5 f5", hand="titan")
    assert squares(needed, "titan") == set()
    lost = position(TITAN, hand="titan", lost=(0, 3, 0, 0))
    assert squares(lost, "titan") == set()


def test_pieces_that_were_placed_upgraded_or_converted_are_not_summoned() -> None:
    state = play(position("d5 e4 f5 a5", hand="chronicler"), "S:chronicler@e5r0;e4;-", "P:i5")
    assert describe(state, "summoned") == "Ce5"


def melee(pieces: str, hand: str, colours: int = 3) -> State:
    return position(pieces, colours=colours, hand=hand)


def test_one_enemy_piece_may_stand_in_once_for_each_colour() -> None:
    state = melee("e4 b6 | e6 c5 | c7", "swordmaster messenger")
    assert {text[-2:] for text in offered(state, "S:messenger@") if "*" in text} == {"c5", "c7"}
    state = play(state, "S:swordmaster@e5r0*e6")
    assert drawing(state.board) == "e4 e5 b6 | c5 e6 | c7"
    assert state.improvised[:3] == (0b10, 0, 0)
    assert {text[-2:] for text in offered(state, "S:messenger@") if "*" in text} == {"c7"}
    (way,) = [text for text in offered(state, "S:messenger@") if "@a5" in text]
    assert play(state, f"{way};-").improvised[:3] == (0b110, 0, 0)


def test_no_more_than_one_enemy_piece_stands_in_for_a_being() -> None:
    assert "e5" not in squares(melee("f6 | g6 | f7", "herald"), "herald")
    assert "e5" in squares(melee("f6 g6 | b2 | f7", "herald"), "herald")


def test_a_stand_in_needs_the_rank() -> None:
    assert squares(melee("He3 d5 e5 f5 | e4 | a5", "titan"), "titan") == set()
    assert squares(melee("He3 d5 e5 f5 | He4 | a5", "titan"), "titan") == {"e2"}
    assert squares(melee("He3 d5 e5 f5 | Le4 | a5", "titan"), "titan") == {"e2"}


@pytest.mark.parametrize("form", [Form.HIGH, Form.DUEL])
def test_nothing_is_improvised_in_other_forms(form: Form) -> None:
    assert squares(position("e4 | e6", hand="swordmaster", form=form), "swordmaster") == set()


def test_a_card_lends_an_enemy_piece_beside_the_improvised_one() -> None:
    state = position("f6 | g6 | f7", colours=3, hand="herald", bonus=Bonus(enemies=1))
    ways = {text.partition("@")[2] for text in offered(state, "S:herald@") if "@e5" in text}
    assert ways == {"e5r0+g6*f7", "e5r0*g6+f7"}
    after = play(state, "S:herald@e5r0+g6*f7;-")
    assert after.improvised[:3] == (0b100, 0, 0)
    assert describe(after, "bonus") == (0, 0, -1)


def test_an_improvised_piece_keeps_its_colour_and_is_still_an_enemy_in_the_effect() -> None:
    state = melee("d2 c3 | d4 b4", "assassin")
    after = play(state, "S:assassin@e5r0*b4")
    assert drawing(after.board) == "d2 c3 He5 | b4 |"
    assert describe(after, "destroyed") == "C1:1"


@pytest.mark.parametrize(
    ("card", "pieces", "move", "after"),
    [
        ("clan-guardian", "c5 d5 | f5", "S:clan-guardian@e5r0*f5;f5", "c5 d5 He5 | Hf5"),
        ("two-headed-dragon", "Hg5 Hf6 g7 h8 | He7", "S:two-headed-dragon@e5r0*e7;e7;f6", "Le5 Hg5 g7 h8 | Le7"),
        ("master-of-intrigue", "d4 f4 d6 | f6", "S:master-of-intrigue@e5r0*f6;f6g6;-", "d4 f4 He5 d6 | g6"),
    ],
)
def test_an_improvised_piece_is_one_of_the_pattern(card: str, pieces: str, move: str, after: str) -> None:
    assert drawing(play(melee(pieces, card), move).board).rstrip(" |") == after
