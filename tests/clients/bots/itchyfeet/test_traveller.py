"""Single decisions of the traveller."""

from __future__ import annotations

import pytest

from bench.seat import choices_of, view_of
from clients.bots.itchyfeet import traveller
from engines.itchyfeet.game import GAME
from engines.itchyfeet.state import State
from tests.engines.itchyfeet.table import play, position

BLOCKED = "block:lost_reservation"


async def decided(state: State) -> str:
    (seat,) = GAME.awaited(state)
    return await traveller()(view_of(GAME, state, seat), choices_of(GAME, state, seat))


@pytest.mark.parametrize(
    ("state", "move"),
    [
        (position("camera phrasebook warm_coat passport_01", "camera"), "travel"),
        (
            position("phrasebook warm_coat bug_spray bug_spray passport_01", "camera", discard="camera"),
            "recycle:camera:bug_spray+bug_spray",
        ),
        (position("bug_spray bug_spray sunscreen", "camera", discard="camera"), "draw"),
        (position("bug_spray passport_01", "camera"), "draw"),
        (
            position("camera phrasebook warm_coat passport_01 fireworks bug_spray", "camera camera camera camera"),
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
        (
            play(position("hiking_boots rain_jacket warm_coat passport_01", "lost_reservation", done=[0]), "0 travel"),
            BLOCKED,
        ),
        (position("", "camera"), "draw"),
        # What two actions can be had for waits for them; what wins does not.
        (position("camera phrasebook warm_coat passport_01 red_eye_flight", "camera"), "play:red_eye_flight"),
        (position("hiking_boots rain_jacket warm_coat passport_01 red_eye_flight", "camera", done=[0]), "travel"),
        # The last card is left: who has none draws three.
        (position("bug_spray passport_01", "passport_02", pile="camera camera"), "draw"),
    ],
)
async def test_decisions(state: State, move: str) -> None:
    assert await decided(state) == move
