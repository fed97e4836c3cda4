"""How strong the bots are. Every match is seeded, so the numbers are the same on every run.

Twenty matches run every time, the 200 that are wanted at night (`HAMLE_NIGHTLY=1`).
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable

import pytest

from clients.bots.itchyfeet import drawer, robber, trader, traveller
from clients.bots.random_bot import random_bot
from clients.bots.runner import Bot
from tests.clients.bots.itchyfeet.table import winner
from tests.engines.itchyfeet.table import ALL_ON

MATCHES = 200 if os.environ.get("HAMLE_NIGHTLY") == "1" else 20
MODES = pytest.mark.parametrize("options", [{}, ALL_ON], ids=["base", "all"])


@MODES
@pytest.mark.timeout(3600)
async def test_the_traveller_beats_the_random_bot_in_95_of_100_matches(options: dict[str, str]) -> None:
    won = 0
    for deal in range(MATCHES):
        bots = [traveller(), random_bot(random.Random(deal))]
        won += await winner(bots[deal % 2 :] + bots[: deal % 2], deal, options) == deal % 2
    assert won >= 0.95 * MATCHES


@MODES
@pytest.mark.timeout(3600)
async def test_the_traveller_wins_its_fair_share_against_the_simple_bots(options: dict[str, str]) -> None:
    won = 0
    for deal in range(MATCHES):
        bots = [traveller(), drawer(), robber(), trader()]
        seat = deal % 4
        won += await winner(bots[-seat:] + bots[:-seat] if seat else bots, deal, options) == seat
    assert won >= 0.25 * MATCHES


@pytest.mark.parametrize("make", [drawer, robber, trader])
async def test_the_simple_bots_are_no_straw_men(make: Callable[[], Bot]) -> None:
    won = 0
    for deal in range(8):
        won += await winner([make(), random_bot(random.Random(deal))], deal, {}) == 0
    assert won >= 7


@pytest.mark.parametrize("make", [traveller, drawer, robber, trader])
async def test_six_of_a_kind_come_to_an_end_with_all_extensions(make: Callable[[], Bot]) -> None:
    assert await winner([make() for _ in range(6)], 3, ALL_ON) >= 0


async def test_reaction_windows_with_a_time_limit_change_nothing() -> None:
    bots = [traveller(), drawer(), robber()]
    assert await winner(bots, 5, ALL_ON) == await winner(bots, 5, {**ALL_ON, "reaction_ms": "15000"})
