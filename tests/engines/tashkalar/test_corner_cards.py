"""Pending beings and frozen effects where something else happens to them (rules §16)."""

from __future__ import annotations

import pytest

from core.fairness.draw import SeededDraw
from engines.kit.game import PUBLIC, IllegalMove
from engines.kit.options import full_options
from engines.tashkalar.cards import BEINGS, DECKS
from engines.tashkalar.game import GAME
from engines.tashkalar.state import State
from tests.engines.tashkalar.corners import check_hidden, match, places, play, with_cards
from tests.engines.tashkalar.table import SEED, cards, describe, drawing, offered

DOPPELGANGER = "d5 d6"


def two_weavers(pieces: str, mine: str, theirs: str, hand: str = "doppelganger") -> State:
    """Each of two seats with the Etherweave deck has a pending being."""
    state = match(pieces, decks="etherweave etherweave")
    return with_cards(with_cards(state, 1, pending=theirs), 0, hand, pending=mine)


def test_a_pending_being_is_copied_from_the_own_side_only() -> None:
    state = two_weavers(f"{DOPPELGANGER} | i5", "translocationist", "void-summoner")
    assert play(state, "S:doppelganger@e5r0").turn.actions == 2
    none = with_cards(state, 0, "doppelganger")
    assert play(none, "S:doppelganger@e5r0").turn.actions == 1


def test_a_worm_discards_the_pending_being_of_its_own_side_only() -> None:
    state = with_cards(two_weavers("a5 | i5", "translocationist", "void-summoner"), 0, "paradox-worm")
    after = play(state, "W:paradox-worm;discard-pending")
    assert (describe(after, "pending"), describe(after, "discards")) == ("", "paradox-worm")
    assert after.players[1].pending == cards("void-summoner")[0]


def test_both_merchants_keep_their_pieces_out_of_their_owners_stocks() -> None:
    # §16: the two stored pieces are of one colour, and its stock lacks both.
    state = two_weavers("d6 f6 c7 e7 | Li5", "merchant-of-time", "merchant-of-time", hand="")
    state = with_cards(state, 1, pending="merchant-of-time", stored=5)
    state = with_cards(state, 0, pending="merchant-of-time", stored=5)
    side = GAME.view(state, PUBLIC).sides[1]  # type: ignore[attr-defined]
    assert (side.stock, side.stock_legendary) == (17, 0)
    check_hidden(state)
    after = play(state, "S:merchant-of-time@e5r0;a7")
    assert drawing(after.board) == "He5 d6 f6 c7 e7 | Li5 La7"


def test_a_stored_piece_comes_back_though_the_stock_of_its_owner_is_empty() -> None:
    sixteen = "a3 a4 a5 a6 a7 b3 b4 b5 b6 b7 c1 c3 c4 c5 c6 c8"
    state = with_cards(match(f"d6 f6 c7 e7 | {sixteen}", decks="etherweave imperial"), 0, pending="merchant-of-time")
    state = with_cards(state, 0, pending="merchant-of-time", stored=4)
    assert GAME.view(state, PUBLIC).sides[1].stock == 0  # type: ignore[attr-defined]
    after = play(state, "S:merchant-of-time@e5r0;i5")
    assert " Hi5 " in drawing(after.board)


def test_a_stored_piece_captures_only_lower_ranks_and_what_it_captures_counts() -> None:
    # §9: a standard leap; the owner of the stored piece may lose pieces to it.
    state = with_cards(
        match("d6 f6 c7 e7 b2 | i5 Hi6", decks="etherweave imperial"), 0, pending="merchant-of-time", stored=4
    )
    goals = {text[-2:] for text in offered(state, "S:merchant-of-time@e5r0")}
    assert {"i5", "b2", "d6"} <= goals
    assert not {"i6", "e5", "h6", "d2"} & goals
    assert describe(play(state, "S:merchant-of-time@e5r0;i5"), "destroyed") == "C1:1"
    assert describe(play(state, "S:merchant-of-time@e5r0;b2"), "destroyed") == ""


def test_a_warp_is_the_first_thing_in_a_second_turn_and_none_in_the_first_also_not_in_teams() -> None:
    for decks in ("etherweave imperial", "imperial etherweave etherweave", "imperial etherweave imperial etherweave"):
        seats = decks.split()
        seat = 1 if seats[0] == "imperial" else 0
        state = with_cards(match("d4 e4", decks=decks), seat, "void-summoner")
        for turns, warps in ((1, False), (2, True)):
            player = state.players[seat]._replace(turns=turns)
            players = tuple(player if at == seat else each for at, each in enumerate(state.players))
            now = state._replace(players=players, turn=state.turn._replace(seat=seat))
            assert ("W:void-summoner" in offered(now)) is warps


def test_the_turn_that_an_additional_one_follows_is_the_first_and_that_is_the_second() -> None:
    state = with_cards(match("d4 e4 | i5", decks="etherweave imperial", actions=0), 0, "void-summoner")
    first = state._replace(
        players=(state.players[0]._replace(turns=1), state.players[1]), turn=state.turn._replace(again=1)
    )
    assert "W:void-summoner" not in offered(first)
    assert "W:void-summoner" in offered(play(first, "end"))


@pytest.mark.parametrize("school", ["etherweave", "everfrost", "nethervoid"])
def test_the_first_game_has_no_other_school_than_the_empires(school: str) -> None:
    options = {"form": "first", "deck_0": school, "deck_1": school}
    state = GAME.setup(full_options(GAME.info, options), 2, SeededDraw(SEED, 1))
    assert {BEINGS[card].deck for player in state.players for card in (*player.deck, *player.beings)} == {"imperial"}


def test_an_emperor_whose_warp_was_only_copied_may_still_play_it() -> None:
    # [own] A copy is the copying being's effect.
    state = match("c5 c6 d4 d6 e6 Hb5 | i5", decks="etherweave imperial", actions=2)
    state = with_cards(state, 0, "doppelganger", pending="eternal-emperor")
    state = state._replace(turn=state.turn._replace(actions=3))
    move = next(text for text in offered(state, "S:doppelganger@") if "@d5" in text)
    state = play(state, f"{move};a3")
    move = next(text for text in offered(state, "S:eternal-emperor@") if "@e5" in text)
    assert f"{move};a4" in offered(state, move)


def test_a_being_taken_back_can_be_warped_again_in_the_same_turn() -> None:
    state = match("d3 c5 d6 | i5", decks="etherweave imperial")
    state = with_cards(state, 0, "warpmaster", pending="translocationist")
    after = play(state, "S:warpmaster@e5r0;take-back", "W:translocationist")
    assert (describe(after, "pending"), after.turn.actions) == ("translocationist", 2)


# Everfrost.


def everfrost(pieces: str, hand: str = "", **given: str) -> State:
    return with_cards(match(pieces, decks="everfrost imperial"), 0, hand, **given)  # type: ignore[arg-type]


@pytest.mark.parametrize(("kept", "gone"), [("ice-queen", "crystal-grower"), ("crystal-grower", "ice-queen")])
def test_of_two_frozen_effects_the_other_is_discarded_and_the_kept_one_can_be_thawed_at_once(
    kept: str, gone: str
) -> None:
    state = everfrost("e5 e6 d7 f7 | i5", "ice-queen", frozen="crystal-grower")
    after = play(state, f"S:ice-queen@e5r0;{kept}")
    assert (describe(after, "frozen"), describe(after, "discards")) == (kept, gone)
    assert [text for text in offered(after) if text.startswith("T:")] == [f"T:{kept}"]
    check_hidden(after)


def test_a_chest_takes_a_frozen_effect_from_the_discards_and_one_of_two_goes_there() -> None:
    state = everfrost("d5 e5 f5 | i5", "frozen-chest", frozen="crystal-grower", discards="snow-fox ice-queen")
    assert "S:frozen-chest@e5r0;snow-fox" not in offered(state, "S:frozen-chest@e5r0")
    after = play(state, "S:frozen-chest@e5r0;ice-queen;ice-queen")
    assert (describe(after, "frozen"), describe(after, "discards")) == (
        "ice-queen",
        "snow-fox crystal-grower frozen-chest",
    )
    after = play(state, "S:frozen-chest@e5r0;ice-queen;crystal-grower")
    assert (describe(after, "frozen"), describe(after, "discards")) == (
        "crystal-grower",
        "snow-fox ice-queen frozen-chest",
    )


def test_a_thawed_card_cannot_be_taken_by_a_chest_before_it_was_discarded_and_can_after() -> None:
    state = everfrost("d5 e5 f5 a5 | i5", "frozen-chest", frozen="crystal-grower")
    state = play(state, "T:crystal-grower;a5", "S:frozen-chest@e5r0;crystal-grower")
    assert (describe(state, "frozen"), describe(state, "discards")) == ("crystal-grower", "frozen-chest")
    assert "T:crystal-grower" in offered(state)


def test_a_frozen_effect_is_thawed_in_the_last_turn_after_its_last_action() -> None:
    state = everfrost("a5 | i5", frozen="crystal-grower")
    state = state._replace(last=0, cause="points", turn=state.turn._replace(actions=0))
    assert offered(state) == ["T:crystal-grower", "end"]
    over = play(state, "T:crystal-grower", "end")
    assert (over.over, places(over)) == ("points", [1, 2])
    # A frozen card that is never thawed costs nothing.
    assert play(state, "end").over == "points"


def test_what_a_thawed_summoner_lends_is_lost_with_the_turn_also_where_the_same_seat_goes_on() -> None:
    state = everfrost("e4 | e6", frozen="frostweave-summoner")
    state = play(state, "T:frostweave-summoner")
    assert state.turn.bonus.enemies == 1
    state = play(state._replace(turn=state.turn._replace(actions=0, again=1)), "end")
    assert (state.turn.seat, state.turn.bonus.enemies) == (0, 0)


def test_an_action_less_meets_the_next_turn_of_the_other_side_though_the_seat_has_another_before() -> None:
    state = everfrost("e6 e7 f7 f8 | e5", "everfrost-sentinel")
    move = next(text for text in offered(state, "S:everfrost-sentinel@") if "@e5" in text)
    state = play(state, f"{move};downgrade")
    assert state.fewer == (0, 1)
    state = play(state._replace(turn=state.turn._replace(actions=0, again=1)), "end")
    assert (state.turn.seat, state.turn.actions, state.fewer) == (0, 2, (0, 1))
    state = play(state._replace(turn=state.turn._replace(actions=0)), "end")
    assert (state.turn.seat, state.turn.actions, state.fewer) == (1, 1, (0, 0))


def test_a_frozen_card_is_neither_drawn_nor_of_the_hand() -> None:
    state = everfrost("a5 | i5", "snow-fox", frozen="crystal-grower")
    state = play(state._replace(turn=state.turn._replace(actions=0)), "end")
    assert (len(state.players[0].beings), len(state.players[0].deck)) == (3, len(DECKS["everfrost"]) - 4)
    with pytest.raises(IllegalMove):
        play(everfrost("a5 | i5", "snow-fox", frozen="crystal-grower"), "D:crystal-grower;-")
