"""Engines that kill themselves in every gap between deciding an event and everybody having heard of it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable
from functools import partial

from core.log.reader import RedisLogReader
from tests.faults.gaps import Gap, Note
from tests.faults.slots import Slot
from tests.faults.spawner import Child
from tests.faults.world import World

SPRINGS_S = 20.0
TRIES = 4
Task = tuple[Gap, bool]


def every_gap() -> list[Task]:
    """Each gap around a plain move, and around the events that finish a match."""
    return [(gap, finishing) for gap in Gap for finishing in (False, True)]


def kind_of(task: Task) -> str:
    """As the run's figures name it."""
    gap, finishing = task
    return f"engine killed {gap.value}{' of the end' if finishing else ''}"


async def gap_kills(world: World, tasks: Iterable[Task]) -> None:
    """One engine dies in each of these gaps, several at a time."""
    waiting = list(tasks)

    async def work(slot: Slot) -> None:
        while waiting:
            await _die_in(world, slot, waiting.pop(), group)

    async with asyncio.TaskGroup() as group:
        for slot in world.house.gap_slots:
            group.create_task(work(slot))


async def _die_in(world: World, slot: Slot, task: Task, group: asyncio.TaskGroup) -> None:
    """Once play goes on the next engine may start in the slot; meanwhile it is looked after what this one has left."""
    kind = kind_of(task)
    with world.totals.during(kind):
        for _ in range(TRIES):
            note = await _death(world, slot, task)
            if note is not None:
                owned = [ledger for ledger in world.ledgers if world.house.owned(slot, ledger.match_id)]
                gap = await world.after_death(owned, note.at)
                group.create_task(world.strike(kind, partial(_after, world, task[0], note, gap)))
                return
        world.totals.fail("no engine came to the point")


async def _after(world: World, gap: Gap, note: Note, seconds: float) -> float:
    await _check_outcome(world, gap, note)
    return seconds


async def _death(world: World, slot: Slot, task: Task) -> Note | None:
    """Starts an engine and waits for its death; None when it had no occasion to die."""
    house = world.house
    path = house.folder / f"note-{slot.number}"
    path.unlink(missing_ok=True)
    env = {
        "FAULT_GAP": task[0].value,
        "FAULT_FINISHING": str(int(task[1])),
        "FAULT_AFTER": str(0 if task[1] else world.chance.randrange(8)),
        "FAULT_NOTE": str(path),
    }
    child = await house.spawn_engine(slot, env)
    if not await _ended(child):
        await house.kill(child)
        return None
    note = Note.read(path)
    if note is None:
        raise child.failed("ended without dying in its gap")
    return note


async def _ended(child: Child) -> bool:
    limit = time.monotonic() + SPRINGS_S
    while child.running:
        if time.monotonic() > limit:
            return False
        await asyncio.sleep(0.005)
    return True


async def _check_outcome(world: World, gap: Gap, note: Note) -> None:
    """The log holds what the dead engine had appended, and not what it had only decided."""
    if world.losing:
        return
    reader = RedisLogReader(await world.house.reader())
    async for batch in reader.read(note.match_id, note.seq - 1):
        held = batch[0].hash.hex() == note.hash
        if held is not gap.stored:
            holds = "holds" if held else "does not hold"
            world.totals.fail(
                f"{gap.value}: the log of match {note.match_id} {holds} event {note.seq} of the dead engine"
            )
        return
    if gap.stored:
        world.totals.fail(f"{gap.value}: the log of match {note.match_id} ends before event {note.seq}")
