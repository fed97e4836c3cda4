"""`hamle faults`: everything that can die is killed, stopped and cut off under steady play; nothing may be lost by it.

Real processes and real signals. Clients with the SDK play Coerceo through two gateways and keep a record of their own;
after each fault it is held against the logs, read from the store itself.
"""

from __future__ import annotations

import asyncio
import random
import shutil
import signal
import sys
import time
import traceback
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp
from typing import Annotated, Any, Final, TypeAlias

import uvloop
from annotated_types import Ge
from hamle_client import Client

from tests.faults.audit import verify_all
from tests.faults.campaign import OF_A_ROUND, OF_EACH_KIND, campaign
from tests.faults.deadlines import Deadlines
from tests.faults.house import House
from tests.faults.progress import Telling
from tests.faults.records import library
from tests.faults.report import figures, verdict, warnings
from tests.faults.spectator import Spectator
from tests.faults.table import Table
from tests.faults.world import World

TABLES: Final = 24
PATIENCE_S: Final = 60.0
THINK_S: Final = 0.05
STUCK_S: Final = 60.0
LONGEST_S: Final = 1_200.0

Some: TypeAlias = Annotated[int, Ge(1)]


def run(
    *,
    times: Some = 1,
    moves: int = 50_000,
    tables: Some = TABLES,
    seed: int = 0,
    rounds: int = OF_EACH_KIND,
    longest_s: float = LONGEST_S,
    logs: str = "",
) -> Mapping[str, Any]:
    """Figures of a run with at least `rounds` faults of each kind and `moves` accepted moves, both `times` over.

    A run that takes longer than `longest_s`, `times` over, has failed.

    `seed` 0: another one each time; it is told, and decides the games and the order of the faults. Always on servers of
    its own: others are not to be killed. `logs` names a folder to which the servers' logs are copied; without it those
    of a run that has failed are kept in a folder of their own, which is told.
    """
    seed = seed or random.SystemRandom().randrange(1, 1_000_000)
    with TemporaryDirectory(prefix="hamle-faults-") as folder:
        try:
            with asyncio.Runner(loop_factory=uvloop.new_event_loop) as loop:
                found = loop.run(_run(Path(folder), seed, tables, moves * times, rounds * times, longest_s * times))
            if found["failures"] and not logs:
                logs = mkdtemp(prefix="hamle-faults-logs-")
                print(f"the servers' logs: {logs}", file=sys.stderr, flush=True)
            return found
        except asyncio.CancelledError:
            raise SystemExit(128 + signal.SIGTERM) from None
        finally:
            if logs:
                shutil.copytree(Path(folder) / "logs", logs, dirs_exist_ok=True)


async def _run(folder: Path, seed: int, tables: int, moves: int, rounds: int, longest_s: float) -> Mapping[str, Any]:
    _stop_on_sigterm()
    chance = random.Random(seed)
    games = library(seed)
    began = time.monotonic()
    async with AsyncExitStack() as stack:
        telling = stack.enter_context(Telling(rounds * OF_A_ROUND, moves))
        house = await stack.enter_async_context(House(folder, chance))
        world = World(house, games, chance, order=random.Random(f"{seed} faults"), telling=telling, think_s=THINK_S)
        world.say(f"seed {seed}: {tables} tables, {rounds} faults of each kind, {moves} moves")
        deadlines = None
        try:
            async with asyncio.timeout(longest_s) as limit:
                deadlines = await _play(world, stack, tables, moves, rounds)
            world.say("verifying all logs")
            world.logs = await verify_all(await house.reader(), world.totals)
        except Exception as error:
            traceback.print_exc()
            late = limit.expired()
            world.totals.fail(f"the run did not end within {longest_s:.0f} s" if late else f"it broke off: {error!r}")
    found = figures(world, time.monotonic() - began, deadlines)
    for sentence in (*warnings(found), *verdict(world.totals.failures)):
        print(sentence, file=sys.stderr, flush=True)
    return found


async def _play(world: World, stack: AsyncExitStack, tables: int, moves: int, rounds: int) -> Deadlines:
    addresses = world.house.addresses

    async def client(number: int) -> Client:
        ordered = addresses if number % 2 else addresses[::-1]
        return await stack.enter_async_context(Client(",".join(ordered), name=f"P{number}", patience=PATIENCE_S))

    watcher = await client(0)
    assert watcher.token is not None
    spectator = Spectator(world, addresses, watcher.token.text)
    stack.push_async_callback(spectator.close)
    deadlines = Deadlines(world, (await client(1), await client(2)))
    stack.callback(deadlines.close)
    seated = [
        Table(number, world, [await client(2 * number), await client(2 * number + 1)], spectator)
        for number in range(tables)
    ]
    playing = [asyncio.create_task(table.run(), name=f"table {number}") for number, table in enumerate(seated)]

    async def faults() -> None:
        await campaign(world, seated, deadlines, rounds)
        world.think_s = 0.0
        world.say("all faults done; playing on to the last move")
        while world.accepted < moves:  # noqa: ASYNC110 - counting must cost the players nothing
            await asyncio.sleep(0.1)
        world.closing = True
        await deadlines.all_met()
        await asyncio.wait(playing)

    ordeal = asyncio.create_task(faults(), name="faults")
    stuck = asyncio.create_task(_stuck(world, [ordeal, *playing]), name="stuck")
    tasks = [ordeal, stuck, *playing]
    try:
        await asyncio.wait([ordeal, stuck], return_when=asyncio.FIRST_COMPLETED)
        for task in tasks:
            if task.done():
                task.result()
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)
    return deadlines


async def _stuck(world: World, tasks: Sequence[asyncio.Task[None]]) -> None:
    """Returns when play has stopped for good, a server has ended, or a task has failed; says where everybody waits."""
    accepted, since = 0, time.monotonic()
    while not any(task.done() and task.exception() for task in tasks):
        await asyncio.sleep(0.5)
        world.show()
        if ended := world.house.ended:
            world.totals.fail(f"{', '.join(ended)} ended though nobody killed it")
            return
        if world.accepted > accepted or world.closing:
            accepted, since = world.accepted, time.monotonic()
        elif time.monotonic() - since > STUCK_S:
            world.totals.fail(f"no move was accepted anywhere for {STUCK_S:.0f} s")
            for task in asyncio.all_tasks():
                print(f"{task.get_name()}: {where(task)}", file=sys.stderr)
            return


def where(task: asyncio.Task[Any]) -> str:
    """What a task waits for, from the outermost call to the innermost."""
    calls: list[str] = []
    awaited: Any = task.get_coro()
    while awaited is not None:
        frame = next((found for kind in ("cr", "ag", "gi") if (found := getattr(awaited, f"{kind}_frame", None))), None)
        calls.append(f"{getattr(awaited, '__qualname__', awaited)}:{frame.f_lineno if frame else '?'}")
        awaited = next(
            (found for kind in ("cr", "ag", "gi") if (found := getattr(awaited, f"{kind}_await", None))), None
        )
    return " > ".join(calls)


def _stop_on_sigterm() -> None:
    task = asyncio.current_task()
    assert task is not None
    with suppress(NotImplementedError):
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
