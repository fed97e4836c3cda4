"""A gateway and engines as real processes."""

from __future__ import annotations

import asyncio
import signal
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf.descriptor_pb2 import FileDescriptorProto
from grpc_reflection.v1alpha.reflection_pb2 import ServerReflectionRequest
from grpc_reflection.v1alpha.reflection_pb2_grpc import ServerReflectionStub
from hamle.error.v1.error_pb2 import Reason
from hamle.lobby.v1.lobby_pb2 import CreateMatchRequest
from hamle.play.v1.play_pb2 import WatchMatchRequest
from hamle.replay.v1.replay_pb2 import ForkMatchRequest, ListEventsRequest

from core.rpc.client import refusal_of
from core.store.client import open_store
from core.store.settings import StoreSettings
from deploy.local.ports import free_port
from tests.services.gateway.exchange.engine import until
from tests.services.gateway.main.client import Client
from tests.services.gateway.main.processes import Role
from tests.support.servers import StoreServer

Start = Callable[..., Role]


class Watcher:
    """Follows a match like a client does: watches again from the last event when a watch ends."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.seqs: list[int] = []
        self.kinds: list[str] = []
        self._task = asyncio.create_task(self._follow())

    async def _follow(self) -> None:
        while True:
            try:
                async for answer in self.client.watch(self.seqs[-1] if self.seqs else 0):
                    self.kinds.append(answer.frame.WhichOneof("what"))
                    if answer.frame.HasField("step"):
                        self.seqs.append(answer.frame.step.told.cursor.seq)
            except grpc.aio.AioRpcError as error:
                if error.code() is not grpc.StatusCode.UNAVAILABLE:
                    raise
                await asyncio.sleep(0.05)

    async def has(self, seq: int) -> None:
        async with asyncio.timeout(30):
            while not self.seqs or self.seqs[-1] < seq:
                assert not self._task.done(), self._task.exception()
                await asyncio.sleep(0.01)
        assert self.seqs == list(range(1, seq + 1))

    def stop(self) -> None:
        self._task.cancel()


async def test_a_match_is_played_watched_listed_and_forked(start: Start, kind: str) -> None:
    engine, gateway = start("engines.coerceo"), start("services.gateway", GRPC_SERVER=kind)
    for role in (engine, gateway):
        await role.serves()
    client = Client(gateway.address)
    await client.begin()
    watcher = Watcher(client)
    for _ in range(8):
        seq = await client.move()
    await watcher.has(seq)
    page = await client.replay.ListEvents(ListEventsRequest(match_id=client.match_id), metadata=client.who[0])
    assert [told.cursor.seq for told in page.events] == watcher.seqs
    request = ForkMatchRequest(match_id=client.match_id, request_id="f", seq=seq - 2)
    fork = await client.replay.ForkMatch(request, metadata=client.who[1])
    assert fork.match.match_id != client.match_id
    assert [seat.name for seat in fork.match.seats if seat.yours] == ["Berk"]
    watcher.stop()
    await client.close()


async def test_reflection_tells_of_all_services_and_of_the_messages_of_engines_started_later(start: Start) -> None:
    gateway = start("services.gateway")
    await gateway.serves()
    engine = start("engines.coerceo")
    await engine.serves()
    client = Client(gateway.address)
    await client.game_listed()
    reflection = ServerReflectionStub(client.channel)

    async def ask(**question: Any) -> Any:
        answers = reflection.ServerReflectionInfo(iter([ServerReflectionRequest(**question)]))
        return await answers.read()

    services = {service.name for service in (await ask(list_services="")).list_services_response.service}
    ours = {f"hamle.{name.lower()}.v1.{name}Service" for name in ("Account", "Lobby", "Play", "Replay")}
    assert ours < services
    assert not any("Engine" in service for service in services)
    found = await ask(file_containing_symbol="hamle.coerceo.v1.View")
    files = [FileDescriptorProto.FromString(data) for data in found.file_descriptor_response.file_descriptor_proto]
    assert "View" in [message.name for file in files for message in file.message_type]
    await client.close()


@pytest.mark.parametrize(("kind", "how"), [("native", signal.SIGKILL), ("grpcio", signal.SIGTERM)])
async def test_an_engine_that_ends_is_followed_by_the_other(start: Start, kind: str, how: signal.Signals) -> None:
    engines = [start("engines.coerceo") for _ in range(2)]
    gateway = start("services.gateway", GRPC_SERVER=kind)
    for role in (*engines, gateway):
        await role.serves()
    client = Client(gateway.address)
    await client.begin()
    watcher = Watcher(client)
    for engine in engines:
        for _ in range(3):
            await client.move()
        engine.signal(how)
        engine.wait()
        again = start("engines.coerceo", port=engine.port)
        for _ in range(3):
            seq = await client.move()
        await watcher.has(seq)
        await again.serves()
    assert watcher.kinds.count("joined") == 1
    watcher.stop()
    await client.close()


@pytest.mark.parametrize("kind", ["native"])
async def test_an_engine_that_is_stopped_and_goes_on_does_no_harm(start: Start, kind: str) -> None:
    engines = [start("engines.coerceo") for _ in range(2)]
    gateway = start("services.gateway", GRPC_SERVER=kind)
    for role in (*engines, gateway):
        await role.serves()
    client = Client(gateway.address)
    await client.begin()
    watcher = Watcher(client)
    await client.move()
    for engine in engines:
        engine.signal(signal.SIGSTOP)
        for _ in range(3):
            await client.move()
        engine.signal(signal.SIGCONT)
        for _ in range(3):
            seq = await client.move()
    await watcher.has(seq)
    assert watcher.kinds.count("joined") == 1
    watcher.stop()
    await client.close()


async def test_a_gateway_that_is_told_to_end_hands_its_watchers_over_and_ends_well(start: Start, kind: str) -> None:
    engine = start("engines.coerceo")
    port = free_port()
    first = start("services.gateway", GRPC_SERVER=kind, METRICS_PORT=str(port))
    second = start("services.gateway", GRPC_SERVER=kind)
    for role in (engine, first, second):
        await role.serves()
    client = Client(first.address)
    await client.begin()
    frames: list[Any] = []

    async def read() -> None:
        async for answer in client.watch():
            frames.append(answer.frame)

    reading = asyncio.create_task(read())
    seq = await client.move()
    await until(lambda: frames and frames[-1].step.told.cursor.seq == seq)
    page = await asyncio.to_thread(urllib.request.urlopen, f"http://127.0.0.1:{port}/metrics")
    assert b'hamle_watchers{role="seat"} 1.0' in page.read()
    first.signal(signal.SIGTERM)
    await reading
    last = frames[-1].moved
    assert (last.reason, last.cursor.seq) == ("shutdown", seq)
    assert await asyncio.to_thread(first.wait) == 0
    other = Client(second.address)
    request = WatchMatchRequest(match_id=client.match_id, cursor=last.cursor)
    resumed: Any = other.play.WatchMatch(request, metadata=client.who[0])
    assert [(await resumed.read()).frame.WhichOneof("what") for _ in range(2)] == ["joined", "view"]
    for each in (client, other):
        await each.close()


async def refused_to_create(client: Client, game: str = "coerceo") -> Reason.ValueType:
    who = await client.guest("Anna")
    with pytest.raises(grpc.aio.AioRpcError) as error:
        await client.lobby.CreateMatch(CreateMatchRequest(request_id="r", game=game), metadata=who)
    refused = refusal_of(error.value)
    assert refused is not None
    return refused.reason


async def test_without_an_engine_games_are_unknown_and_the_gateway_serves(start: Start) -> None:
    gateway = start("services.gateway")
    await gateway.serves()
    client = Client(gateway.address)
    assert await refused_to_create(client) == Reason.REASON_GAME_UNKNOWN
    await client.close()


async def test_a_gateway_that_starts_when_all_engines_are_away_for_a_moment_asks_to_wait_for_them(
    start: Start, store_settings: StoreSettings
) -> None:
    engine = start("engines.coerceo")
    await engine.serves()
    engine.kill()
    # As when the store was away for longer than announcements last.
    store = await open_store(store_settings)
    assert await store.delete(*[key async for key in store.scan_iter(match="{fleet}:engine:*")])
    await store.aclose()
    gateway = start("services.gateway")
    await gateway.serves()
    client = Client(gateway.address)
    assert await refused_to_create(client) == Reason.REASON_ENGINE_UNAVAILABLE
    assert await refused_to_create(client, "chess") == Reason.REASON_GAME_UNKNOWN
    await start("engines.coerceo").serves()
    await client.begin()
    await client.close()


def test_a_setting_that_will_not_do_is_named(start: Start) -> None:
    gateway = start("services.gateway", WATCHERS="many")
    assert gateway.wait() != 0
    assert "HAMLE_WATCHERS" in gateway.said
    assert "Traceback" not in gateway.said


@pytest.mark.parametrize(("config", "reason"), [({"maxmemory-policy": "allkeys-lru"}, "STORE_UNFIT")])
def test_an_unfit_store_is_refused_at_the_start(
    start: Start, start_server: Callable[..., StoreServer], config: dict[str, str], reason: str
) -> None:
    store = start_server(config=config)
    gateway = start("services.gateway", STORE_URL=store.url)
    assert gateway.wait() == 2
    assert reason in gateway.said


def test_a_store_that_is_away_is_said_to_be_at_the_start(start: Start, tmp_path: Path) -> None:
    gateway = start("services.gateway", STORE_URL=f"redis://127.0.0.1:{free_port()}/0")
    assert gateway.wait() == 2
    assert "STORE_DOWN" in gateway.said
