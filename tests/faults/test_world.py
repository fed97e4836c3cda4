"""How long play pauses after a fault, as the run counts it."""

from __future__ import annotations

import random
import time
from pathlib import Path

import pytest

from tests.faults.house import House
from tests.faults.ledger import Accepted, Ledger
from tests.faults.progress import Telling
from tests.faults.records import Game
from tests.faults.world import World

GAME = Game({}, ("a", "b", "c", "d"), ends=False)


@pytest.fixture
def world(tmp_path: Path) -> World:
    chance = random.Random(1)
    return World(House(tmp_path, chance), [GAME], chance, chance, Telling(0, 0))


def ledger_with_moves_at(world: World, *times: float) -> Ledger:
    ledger = Ledger("m1", GAME)
    ledger.accepted = [Accepted(ply, "h", f"r{ply}", ply + 5, b"", at) for ply, at in enumerate(times)]
    world.open(ledger)
    return ledger


async def test_a_pause_lasts_from_the_death_to_the_next_accepted_move_of_the_slowest_match(world: World) -> None:
    now = time.monotonic()
    ledgers = [ledger_with_moves_at(world, now - 9, now - 5.5), ledger_with_moves_at(world, now - 9, now - 4)]
    assert await world.after_death(ledgers, now - 6) == pytest.approx(2.0)
    assert world.pause_s == pytest.approx(2.0)


async def test_where_the_heir_dies_too_the_wait_counts_from_its_death_and_the_whole_pause_is_told(world: World) -> None:
    now = time.monotonic()
    ledger = ledger_with_moves_at(world, now - 9, now - 1)
    assert await world.after_death([ledger], now - 2.5) == pytest.approx(1.5)
    assert await world.after_death([ledger], now - 4) == pytest.approx(1.5)
    assert world.pause_s == pytest.approx(3.0)


async def test_a_later_death_does_not_shorten_a_pause_that_was_over_before(world: World) -> None:
    now = time.monotonic()
    ledger = ledger_with_moves_at(world, now - 3, now - 1)
    assert await world.after_death([ledger], now - 2) == pytest.approx(1.0)
    assert await world.after_death([ledger], now - 5) == pytest.approx(2.0)


async def test_a_match_that_is_over_waits_for_no_move(world: World) -> None:
    ledger = ledger_with_moves_at(world)
    ledger.over = True
    assert await world.after_death([ledger], time.monotonic()) == 0.0
