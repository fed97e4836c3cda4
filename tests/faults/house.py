"""The servers of a fault run: real processes, with proxies in front of store, engines and gateways."""

from __future__ import annotations

import asyncio
import random
import shutil
import signal
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final, TypeVar

import grpc
from grpc_health.v1.health_pb2 import HealthCheckRequest, HealthCheckResponse
from grpc_health.v1.health_pb2_grpc import HealthStub
from hamle.engine.v1.engine_pb2_grpc import EngineServiceStub

from core.errors import Refused
from core.fleet.announcements import read_announcements
from core.fleet.credential import fleet_credential
from core.fleet.rendezvous import owner
from core.log.keys import shard_of
from core.log.types import Durability
from core.rpc.client import bearer_metadata, channel
from core.store.client import Client, open_store
from core.store.settings import StoreSettings
from deploy.local.fleet import Fleet, Plan
from deploy.local.member import Member
from deploy.local.ports import free_port
from deploy.local.store import Store
from tests.faults.plumbing import Pipe, Plumbing
from tests.faults.slots import Slot
from tests.faults.spawner import Child, Spawner

T = TypeVar("T")

START_WITHIN_MS: Final = 10_000
READY_S: Final = 90.0
KILLED_S: Final = 10.0
_UNLIMITED: Final = {
    f"HAMLE_{kind}_{what}": "1000000" for kind in ("READ", "WRITE", "SIGN_IN") for what in ("PER_S", "BURST")
}


class House:
    """Everything that runs. `async with House(folder, ...)` starts it and ends it all.

    Two engines and `gap_slots` places for engines that are made to die; two gateways, two timekeepers, one store.
    """

    def __init__(self, folder: Path, chance: random.Random, *, gap_slots: int = 2, steady: int = 2) -> None:
        self.folder = folder
        self.chance = chance
        self.stores: list[Store] = []
        # Children end with the thread that started them, so one thread starts them all.
        self._hands = ThreadPoolExecutor(1, "processes")
        self._places = (steady, gap_slots)
        self.slots: list[Slot] = []
        self.gateway_pipes: list[Pipe] = []
        self.spawner = Spawner()
        self.plumbing = Plumbing()
        self._readers: dict[int, Client] = {}
        self._recovering: list[asyncio.Task[None]] = []
        self.no_timekeepers = False
        self._up: set[Member] = set()

    async def do(self, work: Callable[..., T], *args: Any) -> T:
        """Does what blocks, with processes."""
        return await asyncio.get_running_loop().run_in_executor(self._hands, work, *args)

    @property
    def store(self) -> Store:
        """The store in use."""
        return self.stores[-1]

    def new_store(self) -> Store:
        """A store over a folder of its own, not started."""
        name = f"store-{len(self.stores)}-{free_port()}"
        return Store(self.folder / name, "always", self.folder / "logs" / f"{name}.log")

    async def __aenter__(self) -> House:
        try:
            await self._start()
        except BaseException:
            await self.__aexit__()
            raise
        return self

    async def _start(self) -> None:
        await self.do(self.plumbing.start, self.chance.randrange(1 << 32))
        await self.plumbing.connect()
        self.stores.append(self.new_store())
        await self.do(self.spawner.start)
        await self.do(self.store.start)
        await self.do(self.spawner.ready)
        self.store_pipe = await self.plumbing.pipe(self.store.port)
        self.fleet = Fleet(
            Plan(
                self.folder,
                games=(),
                gateways=0,
                timekeepers=0,
                store_url=f"redis://{self.store_pipe.address}/0",
                env={**_UNLIMITED, "HAMLE_START_WITHIN_MS": str(START_WITHIN_MS), "HAMLE_DRAIN_S": "0.1"},
            )
        )
        await self.do(self.fleet.start)
        self.slots = [Slot(number, await self.plumbing.pipe(free_port())) for number in range(sum(self._places))]
        self.fleet.timekeepers = [self._member(f"timekeeper-{number}", "services.timekeeper") for number in range(2)]
        self.fleet.gateways = [self._member(f"gateway-{number}", "services.gateway") for number in range(2)]
        self.gateway_pipes = [await self.plumbing.pipe(gateway.port) for gateway in self.fleet.gateways]
        await self.revive_timekeepers()
        # A gateway that starts later than an engine's announcement knows it from the first call on.
        await asyncio.gather(*(self.start_engine(slot) for slot in self.steady))
        await asyncio.gather(*(self.revive_gateway(gateway) for gateway in self.fleet.gateways))

    def _member(self, name: str, module: str, port: int = 0, env: Mapping[str, str] | None = None) -> Child:
        port = port or free_port()
        log = self.folder / "logs" / f"{name}.log"
        return self.spawner.member(name, module, self.fleet.settings(name, port, env), log, port)

    async def __aexit__(self, *_: object) -> None:
        try:
            for task in self._recovering:
                task.cancel()
            await asyncio.gather(*self._recovering, return_exceptions=True)
            await asyncio.shield(asyncio.ensure_future(self.do(self._end_all)))
            for reader in self._readers.values():
                await reader.aclose()
            self.plumbing.close()
        finally:
            self._hands.shutdown()

    def _end_all(self) -> None:
        self.spawner.close()
        if hasattr(self, "fleet"):
            self.fleet.stop()
        for store in self.stores:
            store.kill()

    @property
    def steady(self) -> list[Slot]:
        """The engines that run all the time."""
        return self.slots[: self._places[0]]

    @property
    def gap_slots(self) -> list[Slot]:
        """Places for engines that are made to die."""
        return self.slots[self._places[0] :]

    @property
    def addresses(self) -> list[str]:
        """Where clients reach the gateways."""
        return [pipe.address for pipe in self.gateway_pipes]

    async def reader(self) -> Client:
        """A client of the store itself, past the proxy."""
        port = self.store.port
        if port not in self._readers:
            settings = StoreSettings(url=f"redis://127.0.0.1:{port}/0", durability=Durability.WRITTEN)
            self._readers[port] = await open_store(settings)
        return self._readers[port]

    async def start_engine(self, slot: Slot) -> None:
        """Starts an engine in the slot and waits until it has announced itself."""
        if slot.runner is None:
            slot.runner = self._member(slot.name, "engines.coerceo", slot.port, slot.settings)
            self.fleet.engines.append(slot.runner)
        while not (await self._start_in(slot, slot.runner) and await self._up_for_good(slot.runner)):
            # It found no store, or lost it while it announced itself; whoever looks after processes starts it again.
            continue

    async def spawn_engine(self, slot: Slot, env: Mapping[str, str]) -> Child:
        """Starts an engine that is made to die, and waits until it has announced itself; it may be dead by then."""
        runner = self._member(slot.name, "tests.faults.gap_engine", slot.port, slot.settings | dict(env))
        if not await self._start_in(slot, runner):
            raise runner.failed("ended while starting")
        return runner

    async def _start_in(self, slot: Slot, runner: Child) -> bool:
        """Whether the engine has announced itself; False: it has ended before."""
        before = {announced.replica for announced in await self._announced()}
        slot.runner, slot.replica = runner, ""
        await self.do(runner.start)
        async with asyncio.timeout(READY_S):
            while not slot.replica:
                running = runner.running
                for announced in await self._announced():
                    if announced.address == slot.pipe.address and announced.replica not in before:
                        slot.replica = announced.replica
                if not running and not slot.replica:
                    return False
                await asyncio.sleep(0.02)
        return True

    async def _up_for_good(self, member: Member) -> bool:
        """Whether the process serves, from now on until somebody kills it; False: it has ended before."""
        async with asyncio.timeout(READY_S):
            while member.running:
                if await serves(member):
                    self._up.add(member)
                    return True
                await asyncio.sleep(0.02)
        return False

    @property
    def ended(self) -> list[str]:
        """The engines and gateways that were up and have ended though nobody killed them, which none may do."""
        return sorted(member.name for member in self._up if not member.running)

    async def kill(self, member: Member) -> float:
        """Ends a process as kill -9 does; when it was told so (`time.monotonic()`)."""
        self._up.discard(member)
        since = time.monotonic()
        member.signal(signal.SIGKILL)
        await self.do(member.wait, KILLED_S)
        return since

    def recover(self, work: Coroutine[Any, Any, None]) -> None:
        """Brings back in the background what was killed."""
        self._recovering.append(asyncio.create_task(work))

    async def recovered(self) -> None:
        """Waits until everything that was killed is back."""
        recovering, self._recovering = self._recovering, []
        await asyncio.gather(*recovering)

    async def revive_gateway(self, gateway: Member) -> None:
        """Starts a gateway again and waits until it serves."""
        async with asyncio.timeout(READY_S):
            while not await self._up_for_good(gateway):
                # It may have found no store.
                await self.do(_start_again, gateway)
                await asyncio.sleep(0.1)

    async def revive_timekeepers(self) -> None:
        """Starts those that have ended, as whoever looks after processes does, unless they are to stay away."""
        if not self.no_timekeepers:
            for timekeeper in self.fleet.timekeepers:
                await self.do(_start_again, timekeeper)

    async def _announced(self) -> list[Any]:
        async with asyncio.timeout(READY_S):
            while True:
                try:
                    return await read_announcements(await self.reader())
                except Refused:
                    await asyncio.sleep(0.05)

    def owned(self, slot: Slot, match_id: str) -> bool:
        """Whether the engine in the slot is the match's owner among those that run."""
        replicas = {each.replica for each in self.slots if each.replica and (each is slot or each.running)}
        return owner(shard_of(match_id), replicas) == slot.replica

    @asynccontextmanager
    async def engine(self, slot: Slot) -> AsyncIterator[tuple[Any, Any]]:
        """The engine in the slot itself, past the proxy: a stub, and the metadata it wants."""
        metadata = bearer_metadata(await fleet_credential(await self.reader()))
        async with channel(f"127.0.0.1:{slot.port}") as connection:
            yield EngineServiceStub(connection), metadata

    async def retire(self, store: Store) -> None:
        """Ends a store that is no longer used, and removes its data."""
        self.stores.remove(store)
        await self.do(store.kill)
        reader = self._readers.pop(store.port, None)
        if reader is not None:
            await reader.aclose()
        await self.do(lambda: shutil.rmtree(store.folder, ignore_errors=True))


async def serves(member: Member) -> bool:
    """Whether the process says that it serves."""
    async with channel(member.address) as connection:
        try:
            answer = await HealthStub(connection).Check(HealthCheckRequest(), timeout=1)
        except grpc.aio.AioRpcError:
            return False
    return bool(answer.status == HealthCheckResponse.SERVING)


def _start_again(member: Member) -> None:
    if not member.running:
        member.start()
