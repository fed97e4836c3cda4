"""The three simple bots: the rules of thumb that they share, and what each does when none applies."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from bench.seat import choices_of, view_of
from clients.bots.itchyfeet import drawer, robber, trader
from clients.bots.runner import Bot
from engines.itchyfeet.game import GAME
from engines.itchyfeet.state import State
from tests.engines.itchyfeet.table import play, position

READY = "camera phrasebook warm_coat passport_01"
"""What travels to Turkey, which lies before seat 0."""
ALL = [drawer, robber, trader]


async def decided(bot: Bot, state: State) -> str:
    (seat,) = GAME.awaited(state)
    return await bot(view_of(GAME, state, seat), choices_of(GAME, state, seat))


@pytest.mark.parametrize("make", ALL)
@pytest.mark.parametrize(
    ("state", "move"),
    [
        (position(READY, "camera"), "travel"),
        (position("camera phrasebook passport_01 moms_credit_card", "camera"), "travel:moms_credit_card"),
        (position("bug_spray duty_free_voucher", "camera"), "play:duty_free_voucher"),
        (position(f"{READY} fireworks bug_spray", "camera"), "dispose:fireworks:bug_spray"),
        (position("fireworks bug_spray", "camera", characters="smuggler"), "gift:1:fireworks"),
        (
            position("phrasebook bug_spray sunscreen passport_01", "camera", discard="camera"),
            "recycle:camera:sunscreen+bug_spray",
        ),
        (position("local_guide camera", "camera"), "play:local_guide"),
        (position("sticky_fingers", "camera", "camera bug_spray"), "play:sticky_fingers:2"),
        # The Map is aimed at the own country, and only while nothing of it is held.
        (position("poorly_drawn_map passport_01", "camera"), "play:poorly_drawn_map:0"),
        (play(position("camera", "mousetrap"), "0 steal:1:camera"), "block:mousetrap"),
        (play(position("camera", "mousetrap fireworks"), "0 steal:1:camera"), "block:mousetrap"),
        (play(position(READY, "lost_reservation"), "0 travel"), "pass"),
    ],
)
async def test_rules_of_thumb(make: Callable[[], Bot], state: State, move: str) -> None:
    assert await decided(make(), state) == move


@pytest.mark.parametrize("make", ALL)
@pytest.mark.parametrize(
    ("offer", "answer"),
    [
        ("camera>bug_spray", "accept"),
        ("sunscreen>bug_spray", "decline"),
        ("camera>passport_01", "decline"),
        ("camera>phrasebook", "decline"),
        ("camera+fireworks>bug_spray", "decline"),
    ],
)
async def test_an_offer_must_bring_what_is_lacked_for_what_is_spare(
    make: Callable[[], Bot], offer: str, answer: str
) -> None:
    table = position("sunscreen camera fireworks", "phrasebook bug_spray passport_01", countries="italy turkey")
    assert await decided(make(), play(table, f"0 offer:1:{offer}")) == answer


@pytest.mark.parametrize("make", ALL)
async def test_the_hand_limit_takes_spare_cards_and_no_postcards(make: Callable[[], Bot]) -> None:
    hand = "sunscreen rain_jacket camera phrasebook warm_coat passport_01 postcard_1 postcard_2 postcard_3"
    state = play(position(hand.replace(" postcard_3", ""), "camera", pile="bug_spray camera"), "0 draw")
    assert await decided(make(), state) == "discard:sunscreen+bug_spray"


SPARE = position("sunscreen bug_spray passport_01", "camera camera", "camera")


@pytest.mark.parametrize(
    ("make", "move"), [(drawer, "draw"), (robber, "steal:1:sunscreen"), (trader, "offer:2:sunscreen>phrasebook")]
)
async def test_habits_differ(make: Callable[[], Bot], move: str) -> None:
    assert await decided(make(), SPARE) == move


@pytest.mark.parametrize("make", ALL)
async def test_the_second_action_of_the_red_eye_flight_is_no_travel(make: Callable[[], Bot]) -> None:
    state = play(position(f"{READY} red_eye_flight", "camera"), "0 play:red_eye_flight", "0 draw")
    assert await decided(make(), state) == "draw"


async def test_a_full_hand_steals_so_that_matches_end() -> None:
    hand = "sunscreen sunscreen rain_jacket bug_spray bug_spray power_adapter passport_01"
    assert await decided(drawer(), position(hand, "camera", "camera camera")) == "steal:2:sunscreen"


async def test_the_trader_proposes_once_a_turn() -> None:
    refused = play(SPARE, "0 offer:2:sunscreen>phrasebook", "2 decline")
    assert await decided(trader(), refused) == "draw"


async def test_the_robber_draws_until_it_has_cards_to_spare() -> None:
    assert await decided(robber(), position("sunscreen passport_01", "camera camera")) == "draw"
