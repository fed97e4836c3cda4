"""Rulings R10 to R17: draw pile, discard pile, events."""

from __future__ import annotations

import pytest

from engines.itchyfeet.deck import HOUSE
from engines.itchyfeet.game import GAME
from engines.itchyfeet.state import Block, Kind, Rules
from engines.kit.game import PUBLIC, IllegalMove
from tests.engines.itchyfeet.table import N, cards, hand, pile_size, play, position, tell, texts

BASE = Rules()
EVENTS = Rules(events=True)


def test_r10_the_discard_pile_is_reshuffled_right_after_the_last_card_is_drawn() -> None:
    state = play(position("camera", "camera", pile="sunscreen", discard="bug_spray rain_jacket", rules=BASE), "0 draw")
    assert state.pile == (Block(cards("bug_spray rain_jacket"), 0b111),)
    assert state.discard == ()


def test_r10_with_nothing_to_reshuffle_it_is_done_when_a_card_must_be_drawn() -> None:
    state = play(position("camera", "camera", pile="sunscreen", rules=BASE), "0 draw")
    assert (state.pile, state.discard) == ((), ())
    state = play(state, "1 steal:0:camera")
    assert HOUSE.ids(state.discard) == ("camera",)
    state = play(state, "0 draw")
    assert (state.pile, state.discard) == ((), ())


def test_r11_with_both_piles_empty_draw_is_illegal_and_other_draws_give_nothing() -> None:
    state = position("camera", "bug_spray", pile="", rules=BASE)
    assert "draw" not in texts(state, 0)
    with pytest.raises(IllegalMove, match="R11"):
        tell(state, 0, "draw")
    traded = play(state, "0 offer:1:camera>bug_spray", "1 accept")
    assert (hand(traded, 0), hand(traded, 1), traded.active) == ("bug_spray", "camera", 1)


def test_r12_a_drawn_event_is_not_replaced() -> None:
    state = play(position("camera", "camera", pile="civil_unrest bug_spray", rules=EVENTS), "0 draw")
    assert hand(state, 0) == "camera"
    assert pile_size(state) == 1


def test_r13_an_event_is_resolved_before_the_rest_of_the_draw() -> None:
    state = position("duty_free_voucher camera", "camera", pile="lost_luggage sunscreen bug_spray")
    state, facts = tell(state, 0, "play:duty_free_voucher")
    kinds = [fact.kind for fact in facts]
    assert kinds.index("event") < kinds.index("discarded") < kinds.index("drew")
    assert hand(state, 0) == "sunscreen"


def test_r14_an_event_that_an_event_turns_up_is_resolved_first_and_is_not_in_the_pile_before() -> None:
    state = position("camera", "camera", pile="duty_free_sale civil_unrest sunscreen", rules=EVENTS)
    state, facts = tell(state, 0, "draw")
    assert [dict(fact.parameters)["card"] for fact in facts if fact.kind == "event"] == [
        "Duty-Free Sale",
        "Civil Unrest",
    ]
    assert state.pile == (Block(cards("civil_unrest"), 0b111),)
    assert HOUSE.ids(state.discard) == ("duty_free_sale",)
    assert (hand(state, 0), hand(state, 1)) == ("camera", "sunscreen camera")


def test_r15_events_come_back_by_reshuffling_and_never_by_recycling() -> None:
    state = position("camera sunscreen", "camera", discard="civil_unrest bug_spray", rules=EVENTS)
    assert "recycle:civil_unrest:" not in texts(state, 0, "recycle:")
    with pytest.raises(IllegalMove, match="R15"):
        tell(state, 0, "recycle:civil_unrest:sunscreen+camera")
    state = play(position("camera", "camera", pile="bug_spray", discard="civil_unrest", rules=EVENTS), "0 draw")
    assert state.pile[0].cards == (N["civil_unrest"],)


def test_r16_an_event_goes_clockwise_from_the_drawer() -> None:
    state = position("camera", "camera", "camera", pile="lost_luggage camera", rules=EVENTS, active=1)
    _, facts = tell(state, 1, "draw")
    assert [dict(fact.parameters)["seat"] for fact in facts if fact.kind == "discarded"] == ["1", "2", "0"]


def test_r16_hidden_picks_are_collected_and_carried_out_together() -> None:
    state = position("camera", "sunscreen", pile="group_tour bug_spray", rules=EVENTS)
    state = play(state, "0 draw", "1 pick:sunscreen")
    assert (hand(state, 0), hand(state, 1)) == ("camera", "sunscreen")
    assert state.agenda[-1].kind is Kind.TOUR
    state = play(state, "0 pick:camera")
    assert (hand(state, 0), hand(state, 1)) == ("sunscreen", "camera")


def test_r17_the_discard_pile_is_open_in_its_order_with_the_newest_last() -> None:
    state = position("camera sunscreen", "camera", discard="warm_coat bug_spray warm_coat", rules=BASE)
    state = play(state, "0 recycle:bug_spray:sunscreen+camera")
    for audience in (0, 1, PUBLIC):
        view = GAME.view(state, audience)
        assert list(view.discard) == ["warm_coat", "warm_coat", "sunscreen", "camera"]  # type: ignore[attr-defined]
