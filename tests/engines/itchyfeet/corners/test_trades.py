"""Trades where other rules meet them: counters of counters, empty piles, contraband, postcards, characters."""

from __future__ import annotations

import pytest

from engines.itchyfeet.deck import HOUSE
from engines.itchyfeet.game import GAME
from engines.itchyfeet.state import Kind, Rules
from engines.kit.game import PUBLIC, IllegalMove
from tests.engines.itchyfeet.table import cards, hand, left, pile_size, play, position, tell, texts

BASE = Rules()
THREE = "postcard_1 postcard_2 postcard_3"


def test_counters_of_counters_go_to_and_fro_until_five_are_made_and_the_last_can_be_accepted() -> None:
    # R30, R36: the initiator may counter too; the bonus stays the initiator's.
    state = position("camera sunscreen", "bug_spray rain_jacket", pile="warm_coat " * 3, rules=BASE)
    state = play(
        state,
        "0 offer:1:camera>bug_spray",
        "1 counter:rain_jacket>camera",
        "0 counter:sunscreen>rain_jacket",
        "1 counter:bug_spray>camera",
        "0 counter:camera>bug_spray",
    )
    assert texts(state, 1) == ["accept", "decline"]
    with pytest.raises(IllegalMove, match="R36"):
        tell(state, 1, "counter:bug_spray>camera")
    after = play(state, "1 accept")
    assert (hand(after, 0), hand(after, 1)) == ("sunscreen warm_coat bug_spray", "rain_jacket camera")
    declined = play(state, "1 decline")
    assert (declined.active, declined.agenda[-1].kind, declined.offers) == (0, Kind.ACTION, 5)
    assert "offer:" not in texts(declined, 0)


def test_the_initiator_who_counters_is_still_the_one_whose_leaving_ends_the_turn() -> None:
    # R57.
    state = play(
        position("camera", "bug_spray", "camera", rules=BASE),
        "0 offer:1:camera>bug_spray",
        "1 counter:bug_spray>camera",
    )
    assert (left(state, 0).active, left(state, 0).agenda[-1].kind) == (1, Kind.ACTION)
    after = left(state, 1)
    assert (after.active, after.agenda[-1].kind, after.offers) == (0, Kind.ACTION, 2)
    assert (left(state, 2).agenda[-1].kind, GAME.awaited(left(state, 2))) == (Kind.OFFER, frozenset({0}))


def test_offers_are_counted_over_both_actions_of_a_red_eye_flight() -> None:
    # R36: per turn.
    state = position("red_eye_flight camera camera", "bug_spray bug_spray", pile="sunscreen " * 5)
    state = play(state, "0 play:red_eye_flight", *["0 offer:1:camera>bug_spray", "1 decline"] * 4)
    state = play(state, "0 offer:1:camera>bug_spray", "1 accept")
    assert (state.active, state.acted, state.agenda[-1].kind) == (0, 1, Kind.ACTION)
    assert "offer:" not in texts(state, 0)
    with pytest.raises(IllegalMove, match="R36"):
        tell(state, 0, "offer:1:camera>bug_spray")


@pytest.mark.parametrize(
    ("pile", "discard", "drawn"),
    [("", "", ""), ("sunscreen", "", "sunscreen"), ("", "sunscreen", "sunscreen"), ("sunscreen", "warm_coat", "both")],
)
def test_the_haggler_draws_what_there_is(pile: str, discard: str, drawn: str) -> None:
    # R8, R10, R11: two cards where there are two, none from empty piles.
    state = position("camera", "camera", pile=pile, discard=discard, characters="haggler", rules=BASE)
    after = play(state, "0 offer:1:camera>camera", "1 accept")
    assert hand(after, 0) == {"": "camera", "both": "sunscreen camera warm_coat"}.get(drawn, f"{drawn} camera")
    assert after.active == 1


def test_the_partner_of_a_trade_draws_nothing_not_even_the_haggler() -> None:
    # Rules 4: the bonus is only for who started the trade; R54.
    state = position("camera", "camera", characters="smuggler haggler", rules=BASE)
    after = play(state, "0 offer:1:camera>camera", "1 accept")
    assert (len(after.hands[0]), len(after.hands[1])) == (2, 1)


def test_contraband_in_an_offer_is_shown_and_can_be_declined() -> None:
    # R32, FAQ: traded away if the other accepts.
    state = play(position("fireworks", "camera", rules=Rules(contraband=True)), "0 offer:1:fireworks>camera")
    assert texts(state, 1) == ["accept", "decline", "counter:"]
    assert hand(play(state, "1 accept"), 1) == "fireworks"
    assert state.known[0][2] == cards("fireworks")
    assert hand(play(state, "1 decline"), 0) == "fireworks"


def test_an_offer_asks_for_no_more_copies_than_the_match_has_nor_cards_than_the_hand() -> None:
    # R32, R34, R35.
    state = position("camera", "camera camera camera camera camera", rules=BASE)
    with pytest.raises(IllegalMove, match="R32"):
        tell(state, 0, "offer:1:camera>passport_01+passport_01")
    with pytest.raises(IllegalMove, match="R32"):
        tell(state, 0, "offer:1:camera>mousetrap")
    with pytest.raises(IllegalMove, match="R34"):
        tell(position("camera", "camera", rules=BASE), 0, "offer:1:camera>camera+camera")
    assert GAME.awaited(play(state, "0 offer:1:camera>camera+camera+camera+camera")) == {1}


def test_a_trade_that_brings_both_sides_to_their_postcards_and_beyond_the_limit_is_won_before_bonus_and_limit() -> None:
    # R19, R37, R46: the sixth postcard cannot make a second winner.
    full = f"{THREE} camera camera camera camera"
    state = position(full, "postcard_4 postcard_5 postcard_6 camera", pile="sunscreen", rules=Rules(postcards=True))
    after = play(state, "0 offer:1:postcard_1>postcard_4+postcard_5", "1 accept")
    assert (after.winner, after.reason, len(after.hands[0]), pile_size(after)) == (0, "postcards", 8, 1)
    back = play(state, "0 offer:1:postcard_1>postcard_4", "1 accept")
    assert back.reason == ""
    assert sum(card in HOUSE.postcards for card in back.hands[0]) == 3
    won = play(state, "0 offer:1:postcard_1>camera", "1 accept")
    assert (won.winner, won.reason) == (1, "postcards")


def test_both_sides_of_a_trade_can_be_over_the_limit() -> None:
    # R18, R37: first the active seat, then the partner.
    full = "camera camera camera camera sunscreen sunscreen sunscreen"
    state = position(full, full, characters="smuggler overpacker", pile="bug_spray " * 3, rules=BASE)
    state = play(state, "0 offer:1:camera>sunscreen+sunscreen", "1 accept")
    assert (GAME.awaited(state), texts(state, 0)[0].count("+")) == (frozenset({0}), 1)
    assert play(state, "0 discard:sunscreen+sunscreen").active == 1
    state = position(full, full, characters="overpacker smuggler", pile="bug_spray " * 3, rules=BASE)
    state = play(state, "0 offer:1:sunscreen+camera>camera", "1 accept")
    assert GAME.awaited(state) == {1}
    assert play(state, "1 discard:camera").active == 1


def test_who_can_only_trade_and_has_no_offers_left_passes() -> None:
    # R2, R36, R44.
    state = position("fireworks", "camera", pile="", rules=Rules(contraband=True))
    for _ in range(5):
        state = play(state, "0 offer:1:fireworks>camera", "1 decline")
    assert texts(state, 0) == ["pass"]
    assert play(state, "0 pass").active == 1


def test_an_offer_and_its_decline_look_alike_to_others_whether_or_not_the_card_is_there() -> None:
    # R35.
    seen = []
    for held in ("bug_spray", "sunscreen"):
        state = position("camera", held, "camera", rules=BASE)
        told = []
        for seat, move in ((0, "offer:1:camera>bug_spray"), (1, "decline")):
            state, facts = tell(state, seat, move)
            told += [facts, GAME.awaited(state), GAME.may_act(state)]
            told += [GAME.view(state, audience).SerializeToString(deterministic=True) for audience in (0, 2, PUBLIC)]
        seen.append(told)
    assert seen[0] == seen[1]
