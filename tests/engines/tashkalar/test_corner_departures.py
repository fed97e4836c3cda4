"""A seat leaves a melee where something of its is under way (rules §12, §14, §16; [own] in the README's rulings)."""

from __future__ import annotations

import pytest

from engines.tashkalar.board import NAMED
from engines.tashkalar.pieces import LEGENDARY
from engines.tashkalar.points import total
from engines.tashkalar.state import State, Summoned, with_item
from tests.engines.tashkalar.corners import check_hidden, left, match, places, play, with_cards
from tests.engines.tashkalar.table import cards, drawing, offered

THREE = "imperial everfrost etherweave"


def scored(state: State, *tracks: tuple[int, ...]) -> State:
    return state._replace(scores=tracks)


def idle(state: State, turns: int) -> State:
    """So many turns in which nobody does anything."""
    for _ in range(turns):
        state = play(state._replace(turn=state.turn._replace(actions=0)), "end")
    return state


def short_of_cards(state: State, seat: int) -> State:
    """The seat has only two cards left to draw."""
    player = state.players[seat]
    player = player._replace(discards=player.deck[2:], deck=player.deck[:2])
    return state._replace(players=with_item(state.players, seat, player))


def test_the_last_card_of_a_chain_of_turns_begins_the_end_though_its_seat_leaves_within_it() -> None:
    # §12: the trigger is looked for once the chain is over, and leaving ends it.
    state = short_of_cards(match(form="melee", decks=THREE, actions=0), 0)
    state = play(state._replace(turn=state.turn._replace(again=2)), "end")
    assert (state.turn.seat, state.turn.again, state.turn.emptied, state.last) == (0, 1, True, -1)
    after = left(state, 0)
    assert (after.turn.seat, after.turn.again, after.last, after.cause) == (1, 0, 0, "deck")
    assert idle(after, 1).turn.seat == 2
    over = idle(after, 2)
    assert (over.over, places(over)[0]) == ("deck", 3)


def test_points_that_a_seat_gave_by_its_flare_begin_the_end_though_it_leaves() -> None:
    # §12: at the end of any turn some track is long enough; the flare's price is paid at once (§8).
    state = with_cards(match("a5 | Hc1 Hd1 He1 | i5", form="melee", decks=THREE), 0, "flare-1")
    state = play(scored(state, (0, 0, 0), (11, 0, 0), (0, 0, 0)), "F:flare-1;e5")
    assert (state.scores[1], state.last) == ((12, 0, 0), -1)
    after = left(state, 0)
    assert (after.last, after.cause, after.turn.seat) == (0, "points", 1)
    assert idle(after, 2).over == "points"


def test_who_leaves_in_its_own_turn_scores_nothing_of_it_and_draws_no_cards() -> None:
    state = match("a5 | i5 | e9", form="melee", decks=THREE)
    state = state._replace(turn=state.turn._replace(destroyed=(0, 0, 0, 4, 2, 1, 0, 0, 0)))
    after = left(state, 0)
    assert (after.scores[0], after.players[0].beings, after.turn.seat) == ((0, 0, 0), (), 1)
    assert after.turn.destroyed == (0,) * 9


def test_the_game_ends_at_once_when_the_seat_of_the_last_turn_leaves_in_it() -> None:
    state = scored(match(form="melee", decks=THREE, actions=0), (0, 12, 0), (0, 1, 0), (2, 2, 0))
    state = idle(state, 3)
    assert (state.last, state.turn.seat, state.over) == (0, 0, "")
    over = left(state, 0)
    assert (over.over, places(over)) == ("points", [3, 2, 1])


def test_who_left_has_no_turn_in_the_last_round_either() -> None:
    state = scored(match(form="melee", decks=f"{THREE} imperial", actions=0), (0, 10, 0, 0), *((0,) * 4,) * 3)
    state = left(idle(state, 1), 2)
    state = idle(state, 1)
    assert state.turn.seat == 3
    state = left(state, 0)
    assert idle(state, 1).over == "points"


def test_all_who_left_share_the_last_place_whatever_they_had() -> None:
    state = scored(match("Le5", form="melee", decks=f"{THREE} imperial", actions=0), (0, 9, 9, 9), *((0,) * 4,) * 3)
    assert places(left(state, 0, 2, 3)) == [2, 1, 2, 2]


def test_the_next_seat_that_stays_sets_the_first_pieces_and_the_next_one_starts() -> None:
    # §4: of four players the one who has the second turn has no first piece.
    fresh = match(form="melee", decks=f"{THREE} imperial")._replace(setter=3)
    fresh = fresh._replace(turn=fresh.turn._replace(actions=1))
    state = left(fresh, 3, 0)
    assert (state.actor(), state.turn.seat, state.turn.actions) == (1, 1, 1)
    assert {text.split(";")[1] for text in offered(state, "set")} == {"colour-0", "colour-1", "colour-3"}
    state = play(state, "set;colour-0;f2;colour-1;b7;g6")
    assert (drawing(state.board), state.actor(), state.turn.actions) == ("f2 | b7 |  | g6", 1, 1)


def test_the_price_of_a_pending_being_and_the_piece_on_it_stay_with_who_left() -> None:
    # §16: two points in every colour; the stored counter stays out of its owner's stock.
    state = match("a5 | i5 | e9", form="melee", decks=THREE, actions=0)
    state = with_cards(state, 2, "void-summoner", pending="merchant-of-time", stored=3)
    state = left(state, 2)
    check_hidden(state)
    assert (state.players[2].stored, state.players[2].pending) == (3, cards("merchant-of-time")[0])
    over = left(state, 1)
    assert (places(over), total(over, 2)) == ([1, 2, 2], -2)


def test_a_stored_piece_whose_owner_left_is_put_down_again() -> None:
    state = match("d6 f6 c7 e7 | a5 | e9", form="melee", decks="etherweave imperial imperial")
    state = left(with_cards(state, 0, pending="merchant-of-time", stored=4), 1)
    after = play(state, "S:merchant-of-time@e5r0;i5")
    assert drawing(after.board) == "He5 d6 f6 c7 e7 | a5 Hi5 | e9"


def test_a_frozen_card_of_who_left_lies_there_and_is_not_thawed() -> None:
    state = with_cards(
        match("d4 e4 | i5 | e9", form="melee", decks="everfrost imperial imperial"), 0, frozen="crystal-grower"
    )
    state = left(state, 0)
    check_hidden(state)
    assert state.players[0].frozen == cards("crystal-grower")[0]
    assert state.actor() == 1
    assert not [text for text in offered(state) if text.startswith("T:")]


def test_pieces_of_who_left_are_destroyed_for_points_improvised_with_and_behind_in_flares() -> None:
    # §10, §14, §8: the colour is still an opponent's.
    state = left(match("e4 | e6 Hc1 Hd1 He1 | i5", form="melee", decks=THREE), 1)
    state = with_cards(state, 0, "swordmaster flare-1")
    assert "S:swordmaster@e5r0*e6" in offered(state, "S:swordmaster@")
    after = play(state, "F:flare-1;a5")
    assert after.scores[1] == (1, 0, 0)
    state = state._replace(turn=state.turn._replace(actions=0, destroyed=(0, 0, 0, 2, 1, 0, 0, 0, 0)))
    assert play(state, "end").scores[0] == (0, 2, 0)


def test_the_point_of_a_legend_may_be_one_against_who_left() -> None:
    state = left(match("e4 | i5 | i6", form="melee", decks=THREE, actions=0), 1)
    state = state._replace(turn=state.turn._replace(summoned=(Summoned(NAMED["e5"], LEGENDARY),)))
    assert offered(state, "end") == ["end;colour-1", "end;colour-2"]
    assert play(state, "end;colour-1").scores[0] == (0, 1, 0)


def test_a_flare_makes_a_track_of_who_left_long_enough_for_the_end() -> None:
    # §12: some colour track of some player; its last turns are those of the seats that stay.
    state = left(match("a5 | Hc1 Hd1 He1 | i5", form="melee", decks=THREE), 1)
    state = scored(with_cards(state, 0, "flare-1"), (0, 0, 0), (11, 0, 0), (0, 0, 0))
    after = idle(play(state, "F:flare-1;e5"), 1)
    assert (after.last, after.cause, after.turn.seat) == (0, "points", 2)
    over = idle(after, 2)
    assert (over.over, places(over)[1]) == ("points", 3)


@pytest.mark.parametrize("leaver", [0, 1, 2])
def test_nobody_can_tell_hidden_cards_after_a_departure(leaver: int) -> None:
    state = match("e4 | e6 | i5", form="melee", decks=THREE)
    for seat, hand in enumerate(
        ("swordmaster bomb titan flare-1", "ice-queen snow-fox flare-2", "doppelganger flare-3")
    ):
        state = with_cards(state, seat, hand)
    check_hidden(left(state, leaver))
