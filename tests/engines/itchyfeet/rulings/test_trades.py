"""Rulings R30 to R39: trades."""

from __future__ import annotations

import pytest

from engines.itchyfeet.deck import HOUSE
from engines.itchyfeet.game import GAME
from engines.itchyfeet.state import Kind, Rules, State
from engines.kit.game import IllegalMove
from tests.engines.itchyfeet.table import hand, play, position, tell, texts

BASE = Rules()
CONTRABAND = Rules(contraband=True)


def table() -> State:
    return position("camera camera sunscreen", "bug_spray rain_jacket", "camera", pile="warm_coat " * 3)


def test_r30_only_the_active_seat_proposes_to_one_partner_who_may_counter() -> None:
    state = table()
    assert not texts(state, 1, "offer:")
    with pytest.raises(IllegalMove):
        tell(state, 1, "offer:0:bug_spray>camera")
    state = play(state, "0 offer:1:camera>bug_spray", "1 counter:rain_jacket>camera")
    assert GAME.awaited(state) == {0}
    assert (state.agenda[-1].seat, state.agenda[-1].other) == (0, 1)
    state = play(state, "0 accept")
    assert hand(state, 0).count("warm_coat") == 1
    assert "warm_coat" not in hand(state, 1)


@pytest.mark.parametrize("move", ["offer:1:camera>", "offer:1:>bug_spray", "offer:1:camera"])
def test_r31_no_side_gives_nothing(move: str) -> None:
    with pytest.raises(IllegalMove):
        tell(table(), 0, move)
    assert all(not choice.complete for choice in GAME.choices(table(), 0, "offer:1:"))


def test_r32_any_hand_card_may_be_traded_contraband_too() -> None:
    held = "fireworks passport_01 mousetrap postcard_1"
    state = position(held, "camera camera camera camera", pile="camera", discard="duty_free_voucher")
    offered = {text.removeprefix("offer:1:") for text in texts(state, 0, "offer:1:")}
    assert offered == set(held.split())
    state = play(
        position("fireworks camera", "sunscreen", rules=CONTRABAND), "0 offer:1:fireworks>sunscreen", "1 accept"
    )
    assert hand(state, 1) == "fireworks"


def test_r33_one_or_more_cards_on_each_side_not_the_same_number() -> None:
    state = play(table(), "0 offer:1:camera+camera>bug_spray", "1 accept")
    assert hand(state, 1) == "rain_jacket camera camera"
    state = play(table(), "0 offer:1:sunscreen>rain_jacket+bug_spray", "1 accept")
    assert hand(state, 1) == "sunscreen"


def test_r34_an_offer_holds_cards_that_are_there_and_exactly_those_are_moved() -> None:
    with pytest.raises(IllegalMove, match="not in your hand"):
        tell(table(), 0, "offer:1:bug_spray>camera")
    state = play(table(), "0 offer:1:camera>warm_coat")
    with pytest.raises(IllegalMove, match="R34"):
        tell(state, 1, "accept")
    state = play(table(), "0 offer:1:camera>bug_spray", "1 accept")
    assert hand(state, 0) == "sunscreen camera warm_coat bug_spray"
    assert hand(state, 1) == "rain_jacket camera"


@pytest.mark.parametrize("asked", ["civil_unrest", "camera+group_tour"])
def test_r32_an_event_is_never_in_a_hand_and_cannot_be_asked_for(asked: str) -> None:
    state = position("camera", "camera camera")
    with pytest.raises(IllegalMove, match="R32"):
        tell(state, 0, f"offer:1:camera>{asked}")
    assert not [text for text in texts(state, 0, "offer:1:camera>") if "civil_unrest" in text]


@pytest.mark.parametrize("asked", ["bug_spray", "phrasebook", "passport_07"])
def test_r35_an_offer_for_anything_is_delivered_and_a_decline_gives_no_reason(asked: str) -> None:
    state = play(table(), f"0 offer:1:camera>{asked}")
    assert GAME.awaited(state) == {1}
    after, facts = tell(state, 1, "decline")
    assert [(fact.kind, dict(fact.parameters)) for fact in facts] == [("declined", {"seat": "1", "other": "0"})]
    assert GAME.redact(state, 1, "decline", 0) == "decline"
    assert after.agenda[-1].kind is Kind.ACTION


def test_r36_five_offers_and_counter_offers_a_turn() -> None:
    state = table()
    for _ in range(2):
        state = play(state, "0 offer:1:camera>bug_spray", "1 counter:rain_jacket>camera", "0 decline")
    state = play(state, "0 offer:2:camera>sunscreen")
    assert "counter:" not in texts(state, 2)
    with pytest.raises(IllegalMove, match="R36"):
        tell(state, 2, "counter:camera>camera")
    state = play(state, "2 decline")
    assert "offer:" not in texts(state, 0)
    with pytest.raises(IllegalMove, match="R36"):
        tell(state, 0, "offer:1:camera>bug_spray")
    assert "offer:" in texts(play(state, "0 draw"), 1)


def test_r37_swap_win_check_bonus_limits_end_of_turn() -> None:
    full = "camera camera camera camera sunscreen sunscreen sunscreen"
    state = position(full, "bug_spray rain_jacket", pile="warm_coat warm_coat", rules=BASE)
    state, facts = tell(play(state, "0 offer:1:camera>bug_spray"), 1, "accept")
    assert [fact.kind for fact in facts] == ["traded", "drew", "drew_card"]
    assert GAME.awaited(state) == {0}
    assert state.agenda[-1].kind is Kind.LIMITS
    assert play(state, "0 discard:camera").active == 1
    held = "postcard_1 postcard_2 postcard_3 camera"
    state = position(held, "postcard_4 bug_spray", pile="warm_coat", rules=Rules(postcards=True))
    state, facts = tell(play(state, "0 offer:1:camera>postcard_4"), 1, "accept")
    assert (state.winner, state.reason) == (0, "postcards")
    assert "drew" not in [fact.kind for fact in facts]


def test_r38_equal_cards_may_be_swapped_for_the_bonus() -> None:
    state = play(
        position("camera", "camera", pile="sunscreen sunscreen", rules=BASE), "0 offer:1:camera>camera", "1 accept"
    )
    assert (hand(state, 0), hand(state, 1)) == ("sunscreen camera", "camera")


def test_r39_nothing_of_a_trade_outlives_it() -> None:
    state = play(table(), "0 offer:1:camera>bug_spray", "1 decline", "0 draw")
    assert [task.kind for task in state.agenda] == [Kind.ACTION]
    assert state.offers == 0
    assert HOUSE.ids(state.known[0][3]) == ("camera",)
