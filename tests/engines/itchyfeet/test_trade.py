"""Trades: one composed offer, answered by the other seat (rules 5.5)."""

from __future__ import annotations

import pytest

from core.fairness.draw import SeededDraw
from engines.itchyfeet.game import GAME
from engines.itchyfeet.state import Kind, Rules, State
from engines.kit.game import PUBLIC, IllegalMove
from tests.engines.itchyfeet.table import cards, hand, play, position, tell, texts

BASE = Rules()


def table(characters: str = "") -> State:
    return position(
        "camera camera sunscreen",
        "bug_spray rain_jacket",
        "camera",
        pile="warm_coat " * 3,
        rules=BASE,
        characters=characters,
    )


def test_exactly_the_agreed_cards_change_hands_and_the_initiator_draws() -> None:
    state = play(table(), "0 offer:1:camera+camera>bug_spray", "1 accept")
    assert hand(state, 0) == "sunscreen warm_coat bug_spray"
    assert hand(state, 1) == "rain_jacket camera camera"
    assert state.active == 1


def test_an_offer_for_a_card_that_the_partner_lacks_is_delivered() -> None:
    state = play(table(), "0 offer:1:camera>warm_coat")
    assert texts(state, 1) == ["decline", "counter:"]
    with pytest.raises(IllegalMove, match="R34"):
        tell(state, 1, "accept")
    after, facts = tell(state, 1, "decline")
    assert [fact.kind for fact in facts] == ["declined"]
    assert after.agenda[-1].kind is Kind.ACTION
    assert after.active == 0


def test_only_held_cards_can_be_given() -> None:
    with pytest.raises(IllegalMove, match="not in your hand"):
        tell(table(), 0, "offer:1:bug_spray>rain_jacket")
    assert not texts(table(), 0, "offer:1:bug_spray")


def test_a_counter_offer_leaves_the_initiator_the_bonus() -> None:
    state = play(table(), "0 offer:1:sunscreen>bug_spray", "1 counter:rain_jacket>camera")
    assert GAME.awaited(state) == {0}
    after = play(state, "0 accept")
    assert hand(after, 0) == "sunscreen rain_jacket camera warm_coat"
    assert hand(after, 1) == "camera bug_spray"


def test_the_haggler_draws_two() -> None:
    state = play(table("haggler"), "0 offer:1:sunscreen>bug_spray", "1 accept")
    assert hand(state, 0).count("warm_coat") == 2


def test_five_offers_a_turn() -> None:
    state = table()
    for _ in range(5):
        state = play(state, "0 offer:1:sunscreen>bug_spray", "1 decline")
    assert "offer:" not in texts(state, 0)
    with pytest.raises(IllegalMove, match="R36"):
        tell(state, 0, "offer:1:sunscreen>bug_spray")
    assert play(state, "0 draw").offers == 0


def test_an_offer_shows_what_is_given_to_all() -> None:
    state = play(table(), "0 offer:1:camera>bug_spray", "1 decline")
    assert state.known[0][2] == state.known[0][1] == cards("camera")
    shown = GAME.view(state, PUBLIC)
    assert [list(known.cards) for known in shown.known] == [["camera"]]  # type: ignore[attr-defined]


def test_an_offer_is_composed_part_by_part() -> None:
    state = table()
    assert texts(state, 0, "offer:") == ["offer:1:", "offer:2:"]
    assert texts(state, 0, "offer:1:") == ["offer:1:sunscreen", "offer:1:camera"]
    assert texts(state, 0, "offer:1:camera") == ["offer:1:camera+", "offer:1:camera>"]
    assert "offer:1:camera>bug_spray" in texts(state, 0, "offer:1:camera>")
    assert texts(state, 0, "offer:2:camera>bug_spray") == []
    assert texts(state, 0, "offer:1:camera>bug_spray") == ["offer:1:camera>bug_spray+"]


def test_who_is_asked_may_leave() -> None:
    state = play(table(), "0 offer:1:camera>bug_spray")
    after, _ = GAME.leave(state, 1, SeededDraw(bytes(32), 3))
    assert GAME.awaited(after) == {0}
    assert after.agenda[-1].kind is Kind.ACTION
