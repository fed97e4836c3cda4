"""The traveller: single decisions, and matches against random moves."""

from __future__ import annotations

import random

import pytest

from clients.bots.itchyfeet import traveller
from clients.bots.random_bot import random_bot
from engines.itchyfeet.game import GAME
from engines.itchyfeet.state import State
from tests.clients.bots.itchyfeet.table import choices_of, view_of, winner
from tests.engines.itchyfeet.table import ALL_ON, play, position

MATCHES = 20


async def decided(state: State) -> str:
    (seat,) = GAME.awaited(state)
    return await traveller()(view_of(state, seat), choices_of(state, seat))


@pytest.mark.parametrize(
    ("state", "move"),
    [
        (position("camera phrasebook warm_coat passport_01", "camera"), "travel"),
        (position("bug_spray bug_spray sunscreen", "camera", discard="camera"), "recycle:camera:bug_spray+bug_spray"),
        (position("bug_spray passport_01", "camera"), "draw"),
        (
            position(
                "camera phrasebook warm_coat passport_01 fireworks beach".replace(" beach", " bug_spray"), "camera"
            ),
            "dispose:fireworks:bug_spray",
        ),
        (
            play(
                position("sunscreen", "bug_spray passport_01", countries="italy turkey"),
                "0 offer:1:sunscreen>passport_01",
            ),
            "decline",
        ),
        (
            play(position("camera", "bug_spray passport_01", countries="italy turkey"), "0 offer:1:camera>bug_spray"),
            "accept",
        ),
        (play(position("camera", "mousetrap"), "0 steal:1:camera"), "block:mousetrap"),
        (play(position("camera phrasebook warm_coat passport_01", "lost_reservation"), "0 travel"), "pass"),
        (position("", "camera"), "draw"),
    ],
)
async def test_decisions(state: State, move: str) -> None:
    assert await decided(state) == move


@pytest.mark.parametrize("options", [{}, ALL_ON], ids=["base", "all"])
async def test_beats_random_moves(options: dict[str, str]) -> None:
    won = 0
    for deal in range(MATCHES):
        bots = [traveller(), random_bot(random.Random(deal))]
        won += await winner(bots if deal % 2 else bots[::-1], deal, options) == (1 - deal % 2)
    assert won >= 0.95 * MATCHES


async def test_six_travellers_come_to_an_end_with_all_extensions() -> None:
    assert await winner([traveller() for _ in range(6)], 3, ALL_ON) >= 0
