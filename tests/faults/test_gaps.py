"""An engine dies in each gap between deciding an event and everybody having heard of it; players notice a pause."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import NamedTuple

import pytest
from hamle.event.v1 import event_pb2
from hamle_client import Client, Match, Step

from core.fleet.announcements import read_announcements
from core.fleet.rendezvous import owner
from core.log.keys import shard_of
from core.log.reader import RedisLogReader
from core.log.types import Durability, Record
from core.store.client import Client as Store
from core.store.client import open_store
from core.store.settings import StoreSettings
from deploy.local.fleet import Fleet, Plan
from deploy.local.ports import free_port
from engines.coerceo.game import GAME
from engines.kit.verify import Exported, verify_log
from tests.faults.gaps import Gap, Note
from tests.faults.spawner import Child, Spawner
from tests.support.waiting import until

MOVES = ("d1e-d1a", "b4b-b4f", "d4a-c5c", "b1d-b1f")
PASS = 2
"""Moves of an engine that pass before it dies in one."""


class Arena(NamedTuple):
    """A gateway, a store, an engine that lives, and what forks those that die."""

    fleet: Fleet
    spawner: Spawner


@pytest.fixture(scope="module")
def arena(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Arena]:
    with Fleet(Plan(tmp_path_factory.mktemp("gaps"), timekeepers=0)) as fleet:
        spawner = Spawner()
        spawner.start()
        spawner.ready()
        try:
            yield Arena(fleet, spawner)
        finally:
            spawner.close()


@asynccontextmanager
async def store_of(fleet: Fleet) -> AsyncIterator[Store]:
    store = await open_store(StoreSettings(url=fleet.store_url, durability=Durability.WRITTEN))
    try:
        yield store
    finally:
        await store.aclose()


async def spawn(arena: Arena, store: Store, folder: Path, gap: Gap, finishing: bool) -> tuple[Child, str, list[str]]:
    """An engine that will die; its replica's name, and the names of all replicas that are alive."""
    port = free_port()
    env = {
        "FAULT_GAP": gap.value,
        "FAULT_FINISHING": str(int(finishing)),
        "FAULT_AFTER": "0" if finishing else str(PASS),
        "FAULT_NOTE": str(folder / "note"),
    }
    settings = arena.fleet.settings("gap-engine", port, env)
    child = arena.spawner.member("gap-engine", "tests.faults.gap_engine", settings, folder / "engine.log", port)
    child.start()
    alive = [child.address, arena.fleet.engines[0].address]
    while True:
        announced = await read_announcements(store)
        names = {told.address: told.replica for told in announced}
        # An engine that was paused is announced no more, for a moment.
        if all(address in names for address in alive):
            mine, steady = (names[address] for address in alive)
            return child, mine, [mine, steady]
        assert child.running, child.failed("ended while starting")
        await asyncio.sleep(0.02)


async def seated_at(ann: Client, bob: Client, replica: str, alive: list[str]) -> list[Match]:
    """A match that has begun, of a shard that the replica owns."""
    while True:
        made = await ann.create("coerceo", {"start": "laurentius"})
        if owner(shard_of(made.id), alive) == replica:
            return [made, await bob.join(made.id)]


async def play(matches: list[Match]) -> None:
    """The moves by turns; then the one to move resigns."""
    for ply, move in enumerate(MOVES):
        match = matches[ply % 2]
        async for step in match.watch(match.cursor):
            if step.view is not None and match.seat in step.view.awaited:
                break
        await match.submit(move)
    await matches[len(MOVES) % 2].resign()


async def watched(match: Match) -> list[Step]:
    return [step async for step in match.watch() if step.event is not None]


@pytest.mark.timeout(120)
@pytest.mark.parametrize("finishing", [False, True], ids=["a move", "the end"])
@pytest.mark.parametrize("gap", list(Gap), ids=[gap.value for gap in Gap])
async def test_an_engine_that_dies_around_an_event_loses_and_doubles_nothing(
    arena: Arena, tmp_path: Path, gap: Gap, finishing: bool
) -> None:
    address = arena.fleet.addresses[0]
    async with (
        store_of(arena.fleet) as store,
        Client(address, patience=60.0) as ann,
        Client(address, patience=60.0) as bob,
        Client(address, patience=60.0) as cem,
    ):
        child, replica, alive = await spawn(arena, store, tmp_path, gap, finishing)
        # The gateway may not know of the engine yet when the first match begins.
        while not (tmp_path / "note").exists():
            matches = await seated_at(ann, bob, replica, alive)
            match_id = matches[0].id
            watches = [asyncio.create_task(watched(client.match(match_id))) for client in (ann, bob, cem)]
            await play(matches)
            histories = await asyncio.gather(*watches)
            records = [record async for batch in RedisLogReader(store).read(match_id) for record in batch]
        await until(lambda: not child.running)

    note = Note.read(tmp_path / "note")
    assert note is not None
    assert note.match_id == match_id
    assert (records[note.seq - 1].hash.hex() == note.hash) is gap.stored
    check(records, histories)


def check(records: list[Record], histories: list[list[Step]]) -> None:
    """All moves are in the log once and in order, everybody was told just that, and the log verifies."""
    events = [event_pb2.Event.FromString(record.event) for record in records]
    assert [event.moved.move for event in events if event.HasField("moved")] == list(MOVES)
    assert [event.WhichOneof("body") for event in events[-3:]] == ["resigned", "finished", "secret_revealed"]
    for history in histories:
        assert [step.cursor for step in history] == [(record.seq, record.hash) for record in records]
    report = verify_log([Exported(record, b"") for record in records], {GAME.info.rules: GAME})
    assert report.ok, report.failure
