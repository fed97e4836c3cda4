"""Rulings R18 to R29: hand limit, discards, passports, Recycle, Steal."""

from __future__ import annotations

import pytest

from engines.itchyfeet import legal
from engines.itchyfeet.deck import HOUSE
from engines.itchyfeet.game import GAME
from engines.itchyfeet.state import Kind, Rules
from engines.kit.game import PUBLIC, IllegalMove
from tests.engines.itchyfeet.table import hand, play, position, tell, texts

BASE = Rules()
FULL = "camera " * 4 + "sunscreen " * 3


def test_r18_the_limit_holds_after_each_effect_for_all_clockwise_from_the_active_seat() -> None:
    state = position(FULL, FULL, FULL, pile="duty_free_sale bug_spray bug_spray bug_spray camera", active=1)
    state = play(state, "1 draw")
    for seat in (1, 2, 0):
        assert state.agenda[-1].kind is Kind.LIMITS
        assert GAME.awaited(state) == {seat}
        assert set(texts(state, seat)) == {"discard:sunscreen", "discard:camera", "discard:bug_spray"}
        state = play(state, f"{seat} discard:camera")
    assert (state.active, state.agenda[-1].kind) == (2, Kind.ACTION)


def test_r19_the_win_comes_before_the_discard() -> None:
    held = "camera camera camera camera postcard_1 postcard_2 postcard_3"
    state = play(position(held, "camera", pile="postcard_4 camera", rules=Rules(postcards=True)), "0 draw")
    assert (state.winner, state.reason, len(state.hands[0])) == (0, "postcards", 8)


def test_r20_the_discard_to_the_limit_is_always_possible() -> None:
    contraband = sum(HOUSE.cards[card].copies for card in HOUSE.contraband)
    assert contraband < HOUSE.least_limit
    held = "fireworks exotic_plant unlabelled_cheese camera camera camera camera"
    state = play(position(held, "camera", pile="camera camera", rules=Rules(contraband=True)), "0 draw")
    assert texts(state, 0) == ["discard:camera"]
    with pytest.raises(IllegalMove, match="contraband"):
        tell(state, 0, "discard:fireworks")


def test_r21_a_passport_may_be_discarded_recycled_and_reshuffled() -> None:
    state = position("passport_01 camera", "camera camera", discard="bug_spray", rules=BASE)
    state = play(state, "0 recycle:bug_spray:camera+passport_01")
    assert "passport_01" in HOUSE.ids(state.discard)
    state = play(state, "1 recycle:passport_01:camera+camera")
    assert hand(state, 1) == "passport_01"
    limit = position("passport_01 passport_02 camera camera camera camera camera", "camera", pile="camera", rules=BASE)
    assert "discard:passport_01" in texts(play(limit, "0 draw"), 0)
    state = play(position("camera", "camera", pile="camera", discard="passport_03", rules=BASE), "0 draw")
    assert HOUSE.ids(state.pile[0].cards) == ("passport_03",)


@pytest.mark.parametrize("card", ["mousetrap", "postcard_1"])
def test_r22_special_items_and_postcards_may_be_paid(card: str) -> None:
    state = position(f"{card} camera", "camera", discard="bug_spray lost_reservation")
    paid = "+".join(sorted((card, "camera"), key=HOUSE.numbers.__getitem__))
    assert hand(play(state, f"0 recycle:bug_spray:{paid}"), 0) == "bug_spray"


def test_r23_countries_and_characters_are_no_hand_cards() -> None:
    names = {card.id for card in HOUSE.cards}
    assert not names & {country.id for country in HOUSE.countries}
    assert not names & {character.id for character in HOUSE.characters}


def test_r24_what_was_just_paid_may_be_taken_back() -> None:
    state = position("camera sunscreen", "camera", rules=BASE)
    assert "recycle:" in texts(state, 0)
    assert hand(play(state, "0 recycle:sunscreen:sunscreen+camera"), 0) == "sunscreen"
    assert "recycle:" not in texts(position("camera fireworks", "camera", rules=Rules(contraband=True)), 0)


def test_r25_anything_but_an_event_can_be_recycled_contraband_too() -> None:
    discard = "fireworks civil_unrest passport_03 mousetrap postcard_1 camera"
    state = position("camera sunscreen", "camera", discard=discard)
    able = {text.split(":")[1] for text in texts(state, 0, "recycle:")}
    assert able == {"fireworks", "passport_03", "mousetrap", "postcard_1", "camera", "sunscreen"}
    assert hand(play(state, "0 recycle:fireworks:sunscreen+camera"), 0) == "fireworks"


def test_r25_of_copies_the_topmost_that_lay_there_is_taken() -> None:
    state = position("camera camera", "camera", discard="bug_spray sunscreen bug_spray rain_jacket", rules=BASE)
    state = play(state, "0 recycle:bug_spray:camera+camera")
    assert HOUSE.ids(state.discard) == ("bug_spray", "sunscreen", "rain_jacket", "camera", "camera")


def test_r26_who_has_a_card_can_be_robbed_and_is_named_before_the_cost() -> None:
    state = position("camera", "", "camera", "camera", rules=BASE)
    assert texts(state, 0, "steal:") == ["steal:2:", "steal:3:"]
    assert texts(state, 0, "steal:2:") == ["steal:2:camera"]
    for seat in (0, 1):
        with pytest.raises(IllegalMove, match="R26"):
            tell(state, 0, f"steal:{seat}:camera")


def test_r27_a_single_card_pays_for_a_steal_unless_it_is_contraband() -> None:
    assert hand(play(position("camera", "sunscreen", rules=BASE), "0 steal:1:camera"), 0) == "sunscreen"
    state = position("fireworks", "sunscreen", rules=Rules(contraband=True))
    assert "steal:" not in texts(state, 0)
    with pytest.raises(IllegalMove, match="contraband"):
        tell(state, 0, "steal:1:fireworks")


def test_r28_the_stolen_card_is_seen_by_thief_and_victim_only() -> None:
    state = position("camera", "sunscreen bug_spray", "camera", rules=BASE)
    after, facts = tell(state, 0, "steal:1:camera")
    shown = [fact for fact in facts if fact.kind == "took_card"]
    assert [fact.audiences for fact in shown] == [frozenset({0, 1})]
    taken = dict(shown[0].parameters)["card"]
    assert not any(taken in dict(fact.parameters).values() for fact in facts if fact.audiences is None)
    assert len(after.known[0][1]) == 1
    assert after.known[0][2] == after.known[0][3] == ()
    assert not GAME.view(after, PUBLIC).known  # type: ignore[attr-defined]


def test_r29_a_paid_cost_is_gone_and_what_was_not_yet_spent_is_kept() -> None:
    state = play(position("camera camera", "mousetrap bug_spray"), "0 steal:1:camera", "1 block:mousetrap")
    assert (hand(state, 0), HOUSE.ids(state.discard)) == ("camera", ("camera", "mousetrap"))
    held = "camera phrasebook passport_01 moms_credit_card"
    state = play(position(held, "lost_reservation"), "0 travel:moms_credit_card", "1 block:lost_reservation")
    assert sorted(hand(state, 0).split()) == sorted(held.split())
    assert legal.missing(state, 0) == (HOUSE.numbers["warm_coat"],)
