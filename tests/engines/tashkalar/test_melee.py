"""Each alone against two or three others: improvised summons, flares against one opponent (rules §8, §10, §14)."""

from __future__ import annotations

from typing import Any

import pytest

from core.fairness.draw import SeededDraw
from engines.kit.game import IllegalMove
from engines.tashkalar.game import GAME
from engines.tashkalar.state import Bonus, State
from tests.engines.tashkalar.table import SEED, drawing, play, position


def melee(pieces: str, hand: str = "", **given: Any) -> State:
    """A melee of three with seat 0 on turn."""
    return position(pieces, colours=3, hand=hand, **given)._replace(claimed=((),) * 3, improvised=(0,) * 3)


def summons(state: State, key: str) -> list[str]:
    return [choice.text for choice in GAME.choices(state, 0, f"S:{key}@")]


def test_an_enemy_piece_stands_in_once_for_each_colour() -> None:
    state = melee("e4 i5 | e6 | a7", "swordmaster bomb")
    assert summons(state, "swordmaster") == ["S:swordmaster@e5r0*e6"]
    after, facts = GAME.apply(state, 0, "S:swordmaster@e5r0*e6", SeededDraw(SEED, 2))
    assert drawing(after.board) == drawing(melee("e4 e5 i5 | e6 | a7").board)
    assert after.improvised == (1 << 1, 0, 0)
    assert ("improvised", "e6") in [(fact.kind, dict(fact.parameters).get("square")) for fact in facts]
    assert summons(state._replace(improvised=(1 << 1, 0, 0)), "swordmaster") == []
    assert summons(state._replace(improvised=(1 << 2, 1 << 1, 0)), "swordmaster") != []


def test_a_summon_touches_its_stand_ins() -> None:
    state = melee("i5 | e4 | e6", "swordmaster", bonus=Bonus(enemies=1))
    for choice in GAME.choices(state, 0, "S:swordmaster@"):
        assert choice.targets == ("card:swordmaster", "square:e5", "square:e4", "square:e6")


def test_one_enemy_piece_at_most_stands_in_for_a_being() -> None:
    assert summons(melee("i5 | e4 | e6", "swordmaster"), "swordmaster") == []
    assert summons(melee("e4 | e6 | e2", "swordmaster"), "swordmaster") == [
        "S:swordmaster@e3r0*e2",
        "S:swordmaster@e5r0*e6",
    ]


def test_what_a_card_lends_comes_on_top_of_an_improvised_summon() -> None:
    state = melee("i5 | e4 | e6", "swordmaster", bonus=Bonus(enemies=1))
    assert sorted(summons(state, "swordmaster")) == ["S:swordmaster@e5r0*e4+e6", "S:swordmaster@e5r0+e4*e6"]
    after = play(state, "S:swordmaster@e5r0*e4+e6")
    assert after.improvised == (1 << 1, 0, 0)


def test_a_rank_must_be_reached_by_a_stand_in_too() -> None:
    heroic = melee("e4 | He6", "swordmaster")
    assert summons(heroic, "swordmaster") == ["S:swordmaster@e5r0*e6"]


def test_nobody_improvises_with_two_sides() -> None:
    state = position("e4 | e6", hand="swordmaster")._replace(claimed=((), ()))
    assert summons(state, "swordmaster") == []


def test_a_flare_names_one_opponent_who_scores_in_the_invokers_colour() -> None:
    seven = "a4 a5 a6 a7 b3 b4 b5 b6"
    state = melee(f"e5 | {seven} | {seven.translate(str.maketrans('ab', 'ih'))}", "flare-2")
    firsts = GAME.choices(state, 0, "F:flare-2")
    assert [choice.text for choice in firsts] == ["F:flare-2;colour-1", "F:flare-2;colour-2"]
    move = "F:flare-2;colour-2"
    while not any(choice.complete for choice in GAME.choices(state, 0, move)) and GAME.choices(state, 0, move):
        move = GAME.choices(state, 0, move)[-1].text
    options = [choice.text for choice in GAME.choices(state, 0, move) if choice.complete]
    after = play(state, options[-1] if options else move)
    assert after.scores == ((0, 0, 0), (0, 0, 0), (1, 0, 0))
    assert after.turn.actions == 2


def test_who_is_not_ahead_cannot_be_named() -> None:
    state = melee("e5 | a4 a5 a6 a7 b3 b4 b5 b6 | i5", "flare-2")
    with pytest.raises(IllegalMove):
        play(state, "F:flare-2;colour-2")
