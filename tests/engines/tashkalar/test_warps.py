"""When a warp effect can be played, and what becomes of the pending being (rules §16)."""

from __future__ import annotations

import pytest

from core.fairness.draw import SeededDraw
from engines.kit.game import IllegalMove
from engines.tashkalar.board import NAMED
from engines.tashkalar.game import GAME
from engines.tashkalar.run import Run, run
from engines.tashkalar.scene import Scene
from engines.tashkalar.state import State
from engines.tashkalar.summoning import ways
from tests.engines.tashkalar.cases import number
from tests.engines.tashkalar.table import describe, position

DRAW = SeededDraw(b"a seed of thirty-two bytes, fine", 1)


def etherweave(board: str = "d4 e4", **given: object) -> State:
    return position(board, deck="etherweave", **given)  # type: ignore[arg-type]


def played(state: State, move: str) -> State:
    done = run(state, 0, move)
    assert done.request is None
    return done.scene.after()


def test_warped_being_is_pending_and_costs_no_action() -> None:
    after = played(etherweave(hand="translocationist flare-1"), "W:translocationist")
    assert describe(after, "pending") == "translocationist"
    assert describe(after, "hand") == "flare-1"
    assert after.turn.actions == 3


def test_it_can_be_warped_before_and_after_the_actions() -> None:
    for actions in (2, 1, 0):
        after = played(etherweave(hand="void-summoner", actions=actions), "W:void-summoner;d4d3")
        assert after.turn.actions == actions


def test_nothing_is_warped_in_the_first_turn() -> None:
    with pytest.raises(IllegalMove):
        run(etherweave(hand="translocationist", turns=1), 0, "W:translocationist")
    played(etherweave(hand="translocationist", turns=2), "W:translocationist")


def test_nothing_is_warped_while_a_being_is_pending() -> None:
    with pytest.raises(IllegalMove):
        run(etherweave(hand="translocationist", pending="void-summoner"), 0, "W:translocationist")


@pytest.mark.parametrize("card", ["doppelganger", "dark-sphere"])
def test_beings_without_a_warp_effect_are_not_warped(card: str) -> None:
    with pytest.raises(IllegalMove):
        run(etherweave(hand=card), 0, f"W:{card}")


@pytest.mark.parametrize("hand", ["", "doppelganger"])
def test_only_beings_of_the_hand_are_warped(hand: str) -> None:
    with pytest.raises(IllegalMove):
        run(etherweave(hand=hand, discards="translocationist"), 0, "W:translocationist")


def test_pending_being_is_summoned_by_its_pattern_for_its_normal_effect_alone() -> None:
    state = etherweave("f4 d5 d6 e6", pending="translocationist")
    after = played(state, "S:translocationist@e5r0")
    assert describe(after, "pending") == ""
    assert describe(after, "discards") == "translocationist"
    assert after.turn.actions == 1


def test_another_being_can_be_warped_when_the_pending_one_is_summoned() -> None:
    state = etherweave("f4 d5 d6 e6", pending="translocationist", hand="greater-shadow-twin")
    after = played(state, "S:translocationist@e5r0")
    assert describe(played(after, "W:greater-shadow-twin;e6"), "pending") == "greater-shadow-twin"


def test_discard_action_takes_no_pending_being() -> None:
    with pytest.raises(IllegalMove):
        run(etherweave(pending="void-summoner"), 0, "D:void-summoner")


def test_discard_action_returns_no_pending_being() -> None:
    state = etherweave(pending="void-summoner", hand="doppelganger dark-sphere flare-1")
    request = run(state, 0, "D:doppelganger").request
    assert request is not None
    assert set(request.options) == {"dark-sphere", "flare-1"}


def test_copied_warp_effect_makes_no_pending_being() -> None:
    state = etherweave("e6 d7 e7 c8 d8", hand="ziggurat-sentinel void-summoner", discards="translocationist")
    after = played(state, "S:ziggurat-sentinel@e5r0;translocationist")
    assert describe(after, "pending") == ""
    assert describe(played(after, "W:void-summoner;e6f6"), "pending") == "void-summoner"


def test_being_warped_is_remembered_for_the_turn() -> None:
    after = played(etherweave(hand="eternal-emperor"), "W:eternal-emperor;b2")
    assert after.turn.warped == (number("eternal-emperor"),)


@pytest.mark.parametrize(("copies", "counted"), [(0, "C1:1 H1:1"), (1, "C1:2 H1:2"), (2, "C1:3 H1:3")])
def test_gate_of_oblivion_counts_each_destroyed_piece_once_more(copies: int, counted: str) -> None:
    state = etherweave("d4 | e4 Hb2")
    g = Scene(state._replace(turn=state.turn._replace(double=copies)), 0)
    g.move(NAMED["d4"], NAMED["e4"])
    g.destroy(NAMED["b2"])
    assert describe(g.after(), "destroyed") == counted


def test_stored_piece_keeps_its_counter() -> None:
    done = run(etherweave("d4 e4 | Lb2", hand="merchant-of-time"), 0, "W:merchant-of-time;b2")
    assert stock(done, 1) == (17, 2)
    state = done.scene.after()
    assert Scene(state, 0).stock(1, 2) == 2


def stock(done: Run, colour: int) -> tuple[int, int]:
    return done.scene.stock(colour, 0), done.scene.stock(colour, 2)


def test_stored_piece_goes_back_to_its_stock_where_no_square_takes_it() -> None:
    g = Scene(etherweave("d4 e4 | b2", pending="merchant-of-time", stored=3), 0)
    g.release(-1)
    assert describe(g.after(), "stored") == -1
    assert g.stock(1, 0) == 16


def test_empty_squares_stand_in_for_commons_after_the_void_summoner() -> None:
    state = etherweave("f5 e6 d7 f7", hand="void-summoner reality-patch")
    assert not ways(Scene(state, 0), number("reality-patch"))
    after = played(state, "S:void-summoner@e5r0")
    found = {way.text for way in ways(Scene(after, 0), number("reality-patch"))}
    assert "f6r0~g6" in found
    done = played(after, "S:reality-patch@f6r0~g6")
    assert tuple(done.turn.bonus) == (0, 0, -1)


def test_pieces_of_the_enemy_form_the_pattern_after_the_possessed_summoner() -> None:
    state = position("f5 d6 e6 e7 | h5", deck="nethervoid", hand="possessed-summoner demon-of-sloth")
    after = played(state, "S:possessed-summoner@e5r0;i4")
    found = {way.text.partition("r")[0] for way in ways(Scene(after, 0), number("demon-of-sloth"))}
    assert found == {"g4", "i4", "g6", "i6", "h3", "h5"}


def test_pending_being_is_one_of_the_three_of_the_hand() -> None:
    state = etherweave(hand="doppelganger flare-1 titan fire-dragon", pending="void-summoner", actions=0)
    after, _ = GAME.apply(state, 0, "end", DRAW)
    assert len(after.players[0].beings) == 2
    assert describe(after, "pending") == "void-summoner"


def test_being_taken_back_is_known_to_all_and_can_be_warped_again() -> None:
    state = etherweave("d3 c5 d6", hand="warpmaster", pending="void-summoner")
    after, _ = GAME.apply(state, 0, "S:warpmaster@e5r0;take-back", DRAW)
    assert after.players[0].shown == (number("void-summoner"),)
    assert describe(played(after, "W:void-summoner;d3d4"), "pending") == "void-summoner"


@pytest.mark.parametrize(
    ("state", "move", "kind", "parameters"),
    [
        (
            etherweave("d4 | b2", hand="merchant-of-time"),
            "W:merchant-of-time;b2",
            "stored",
            {"seat": "0", "square": "b2", "colour": "colour-1", "rank": "common"},
        ),
        (
            etherweave("d6 f6 c7 e7", pending="merchant-of-time", stored=4),
            "S:merchant-of-time@e5r0;b2",
            "released",
            {"seat": "0", "square": "b2", "colour": "colour-1", "rank": "heroic"},
        ),
        (
            etherweave("d3 c5 d6", hand="warpmaster", pending="void-summoner"),
            "S:warpmaster@e5r0;take-back",
            "took_back",
            {"seat": "0", "card": "Void Summoner"},
        ),
        (position("d6", deck="nethervoid", hand="demon-of-sloth"), "S:demon-of-sloth@e5r0", "spent", {"seat": "0"}),
    ],
    ids=("stored", "released", "took_back", "spent"),
)
def test_what_only_these_decks_do_is_told(state: State, move: str, kind: str, parameters: dict[str, str]) -> None:
    _, facts = GAME.apply(state, 0, move, DRAW)
    assert [dict(fact.parameters) for fact in facts if fact.kind == kind] == [parameters]
