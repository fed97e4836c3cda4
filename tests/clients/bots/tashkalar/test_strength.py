"""How strong the bot is. Every match is seeded, so the numbers are the same on every run.

Ten matches of a form run every time, the 100 that are wanted at night (`HAMLE_NIGHTLY=1`).
"""

from __future__ import annotations

import os
import random

import pytest

from clients.bots.random_bot import random_bot
from clients.bots.tashkalar.summoner import summoner
from tests.clients.bots.tashkalar.table import played, winner

MATCHES = 100 if os.environ.get("HAMLE_NIGHTLY") == "1" else 10
SCHOOLS = ("imperial", "highland", "sylvan", "everfrost", "nethervoid", "etherweave")


@pytest.mark.timeout(3600)
@pytest.mark.parametrize("form", ["high", "duel"])
async def test_the_summoner_beats_the_random_bot_in_95_of_100_matches(form: str) -> None:
    won = 0
    for deal in range(MATCHES):
        bots = [summoner(), random_bot(random.Random(deal))]
        decks = {"deck_0": SCHOOLS[deal % 6], "deck_1": SCHOOLS[(deal // 6) % 6]}
        won += await winner(bots[:: 1 - 2 * (deal % 2)], deal, {"form": form, **decks}) == deal % 2
    assert won >= 0.95 * MATCHES


@pytest.mark.timeout(600)
@pytest.mark.parametrize(("form", "seats"), [("first", 2), ("melee", 3), ("melee", 4), ("high", 4), ("duel", 4)])
async def test_summoners_among_themselves_come_to_an_end_in_every_form(form: str, seats: int) -> None:
    decks = {f"deck_{seat}": SCHOOLS[-seat] for seat in range(4)}
    outcome = await played([summoner() for _ in range(seats)], seats, {"form": form, **decks})
    assert len(outcome.placements) == seats
