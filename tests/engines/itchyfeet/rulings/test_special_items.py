"""Rulings R48 to R55: special items, windows, characters. More on windows: `test_windows.py`."""

from __future__ import annotations

import pytest

from engines.itchyfeet import legal
from engines.itchyfeet.deck import HOUSE
from engines.itchyfeet.game import GAME
from engines.itchyfeet.state import Block, Kind, Rules
from engines.kit.game import IllegalMove
from tests.engines.itchyfeet.arranged import TURKEY
from tests.engines.itchyfeet.table import cards, hand, play, position, tell, texts

NO_SPECIALS = Rules(True, False, True, True, True)


def test_r48_any_time_is_while_an_action_is_awaited_and_the_order_of_events_decides() -> None:
    state = position("camera", "camera", "duty_free_voucher", pile="bug_spray sunscreen rain_jacket camera")
    assert GAME.may_act(state) == {0, 1, 2}
    assert GAME.awaited(state) == {0}
    first = play(state, "0 draw", "2 play:duty_free_voucher")
    assert (hand(first, 0), hand(first, 2), first.active) == ("camera bug_spray", "sunscreen rain_jacket", 1)
    second = play(state, "2 play:duty_free_voucher", "0 draw")
    assert (hand(second, 0), hand(second, 2), second.active) == ("rain_jacket camera", "sunscreen bug_spray", 1)
    window = play(position("camera", "camera duty_free_voucher"), "0 steal:1:camera")
    assert texts(window, 1) == ["pass"]
    with pytest.raises(IllegalMove):
        tell(window, 1, "play:duty_free_voucher")
    for card in ("mousetrap", "lost_reservation", "moms_credit_card"):
        with pytest.raises(IllegalMove, match="R48"):
            tell(position(card, "camera"), 0, f"play:{card}")


def test_r48_an_action_card_waits_for_the_own_turn() -> None:
    state = position("camera", "local_guide red_eye_flight")
    assert texts(state, 1) == []
    for card in ("local_guide", "red_eye_flight"):
        with pytest.raises(IllegalMove, match="R48"):
            tell(state, 1, f"play:{card}")


def test_r49_used_special_items_lie_in_the_discard_pile_and_may_be_recycled() -> None:
    state = position("duty_free_voucher camera sunscreen", "camera", pile="bug_spray " * 5)
    state = play(state, "0 play:duty_free_voucher")
    assert HOUSE.ids(state.discard) == ("duty_free_voucher",)
    assert "duty_free_voucher" in hand(play(state, "0 recycle:duty_free_voucher:sunscreen+camera"), 0)
    blocked = play(position("camera", "mousetrap bug_spray"), "0 steal:1:camera", "1 block:mousetrap")
    assert HOUSE.ids(blocked.discard) == ("camera", "mousetrap")


@pytest.mark.parametrize("held", ["camera", "mousetrap"])
def test_r51_the_window_opens_whether_or_not_the_card_is_held(held: str) -> None:
    assert play(position("camera", held), "0 steal:1:camera").agenda[-1].kind is Kind.WINDOW


@pytest.mark.parametrize("held", ["camera", "lost_reservation"])
def test_r51_a_travel_asks_all_others(held: str) -> None:
    assert GAME.awaited(play(position(TURKEY, "camera", held, "camera"), "0 travel")) == {1, 2, 3}


def test_r51_no_window_when_the_card_is_seen_elsewhere_or_the_extension_is_off() -> None:
    assert play(position("camera", "sunscreen", discard="mousetrap"), "0 steal:1:camera").active == 1
    assert play(position("camera", "sunscreen", rules=NO_SPECIALS), "0 steal:1:camera").active == 1
    reshuffled = position("camera", "sunscreen")._replace(pile=(Block(cards("mousetrap camera"), 0b111),))
    assert play(reshuffled, "0 steal:1:camera").active == 1
    shown = position("camera", "sunscreen", "mousetrap")
    known = list(shown.known)
    known[2] = ((), (), (), cards("mousetrap"))
    shown = shown._replace(known=tuple(known))
    assert play(shown, "0 steal:1:camera").active == 1
    assert GAME.awaited(play(shown, "0 steal:2:camera")) == {2}


def test_r51_what_one_seat_alone_knows_opens_and_shuts_no_window() -> None:
    for knowers in (0, 0b001, 0b010):
        under = position("camera", "sunscreen")._replace(pile=(Block(cards("mousetrap camera"), knowers),))
        assert play(under, "0 steal:1:camera").agenda[-1].kind is Kind.WINDOW
    put = play(position("trading_post mousetrap", "sunscreen camera"), "0 play:trading_post:mousetrap", "0 draw")
    assert play(put, "1 steal:0:camera").agenda[-1].kind is Kind.WINDOW


def test_r51_a_seat_without_cards_is_not_asked() -> None:
    assert GAME.awaited(play(position(TURKEY, "", "camera"), "0 travel")) == {2}


def test_r53_a_blocked_action_card_is_spent_and_the_turn_ends() -> None:
    state = position("sticky_fingers camera", "mousetrap camera")
    state = play(state, "0 play:sticky_fingers:1", "1 block:mousetrap")
    assert (hand(state, 0), hand(state, 1), state.active) == ("camera", "camera", 1)
    assert sorted(HOUSE.ids(state.discard)) == ["mousetrap", "sticky_fingers"]


def test_r54_abilities_hold_from_the_start_and_their_numbers_beat_the_rule() -> None:
    state = position("camera", "camera", characters="overpacker globetrotter")
    assert [legal.limit(state, seat) for seat in (0, 1)] == [9, 7]
    assert legal.limit(state._replace(active=1), 0) == 9
    out_of_turn = position(
        "camera", "camera " * 8, characters="smuggler overpacker", pile="duty_free_sale " + "camera " * 3
    )
    assert play(out_of_turn, "0 draw").active == 1


def test_r55_no_extra_action_after_a_block() -> None:
    state = position("red_eye_flight camera camera", "mousetrap camera")
    state = play(state, "0 play:red_eye_flight", "0 steal:1:camera", "1 block:mousetrap")
    assert state.active == 1
    assert state.agenda[-1].kind is Kind.ACTION
    assert (state.allowed, state.acted) == (1, 0)
    travel = position(f"red_eye_flight {TURKEY}", "lost_reservation")
    assert play(travel, "0 play:red_eye_flight", "0 travel", "1 block:lost_reservation").active == 1
