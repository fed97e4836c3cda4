"""Processes are killed under a match; the clients notice nothing but a pause."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Iterator

import pytest
from hamle_client import Client, Match, Step

from clients.bots.random_bot import random_bot
from clients.bots.runner import play
from deploy.local.fleet import Fleet, Plan
from deploy.local.member import Member

pytestmark = pytest.mark.timeout(240)


@pytest.fixture
def fragile(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Fleet]:
    with Fleet(Plan(tmp_path_factory.mktemp("fragile"), games=("coerceo",), gateways=2, engines=2)) as running:
        yield running


@pytest.fixture
async def players(fragile: Fleet) -> AsyncIterator[list[Client]]:
    forwards, backwards = ",".join(fragile.addresses), ",".join(reversed(fragile.addresses))
    async with Client(forwards, patience=60.0) as ada, Client(backwards, patience=60.0) as bob:
        yield [ada, bob]


async def watched(match: Match, reached: asyncio.Event, at: int) -> list[Step]:
    steps = []
    async for step in match.watch():
        steps.append(step)
        if step.seq >= at:
            reached.set()
    return steps


@pytest.mark.parametrize("victim", ["gateway", "engine"])
async def test_killed_process_costs_no_event_and_doubles_none(
    fragile: Fleet, players: list[Client], victim: str
) -> None:
    made = await players[0].create("coerceo", {"start": "ocius"}, private=True)
    matches = [made, await players[1].join(invite_code=made.invite_code)]
    made_moves: list[str] = []
    bots = [
        asyncio.create_task(play(match, random_bot(random.Random(seat)), on_move=made_moves.append))
        for seat, match in enumerate(matches)
    ]
    reached = asyncio.Event()
    watches = [
        asyncio.create_task(watched(client.match(made.id), reached, at))
        for client, at in zip(players, (8, 1_000_000), strict=True)
    ]
    await reached.wait()
    members: list[Member] = fragile.gateways if victim == "gateway" else fragile.engines
    for member in members:
        member.kill()
        member.start()
        await asyncio.to_thread(fragile.wait_healthy)
    await asyncio.gather(*bots)
    histories = await asyncio.gather(*watches)
    events = [step async for step in players[0].match(made.id).replay.events()]
    moved = [step for step in events if step.kind == "moved"]
    for steps in histories:
        told = [step for step in steps if step.event is not None]
        assert [step.cursor for step in told] == [step.cursor for step in events]
    assert len(moved) == len(made_moves)
