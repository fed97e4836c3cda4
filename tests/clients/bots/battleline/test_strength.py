"""How strong the bots are. Every match is seeded, so the numbers are the same on every run.

The first block of 20 matches runs every time, all 200 at night.
"""

from __future__ import annotations

import random

import pytest

from clients.bots.battleline import captain, strengthener
from clients.bots.random_bot import random_bot
from tests.clients.bots.battleline.table import wins

BLOCK = 10
BLOCKS = [0, *(pytest.param(block, marks=pytest.mark.nightly) for block in range(1, 10))]
MATCHES = 2 * BLOCK


def deals(block: int) -> range:
    return range(block * BLOCK, (block + 1) * BLOCK)


@pytest.mark.parametrize("block", BLOCKS)
async def test_the_captain_beats_the_random_bot_in_95_of_100_matches(block: int) -> None:
    assert await wins(captain(), random_bot(random.Random(block)), deals(block)) >= 0.95 * MATCHES


@pytest.mark.parametrize("block", BLOCKS)
async def test_the_captain_beats_the_strengthener_in_55_of_100_matches(block: int) -> None:
    assert await wins(captain(), strengthener(), deals(block)) >= 0.55 * MATCHES


async def test_the_strengthener_is_no_straw_man() -> None:
    assert await wins(strengthener(), random_bot(random.Random(1)), range(8)) >= 15


@pytest.mark.parametrize(
    "options",
    [{"last_chance": "on"}, {"open_fronts": "on"}, {"tactics": "off"}, {"trim": "automatic", "series": "2"}],
    ids=lambda options: next(iter(options)),
)
async def test_the_captain_plays_every_variant(options: dict[str, str]) -> None:
    assert await wins(captain(), random_bot(random.Random(2)), range(2), options) == 4
