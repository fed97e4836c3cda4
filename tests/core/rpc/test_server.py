from __future__ import annotations

import asyncio
import importlib.metadata
import inspect
import socket
from typing import Any

import grpc
import pygrpc_native.aio
import pytest
from grpc_health.v1.health_pb2 import HealthCheckRequest, HealthCheckResponse, HealthListRequest
from grpc_health.v1.health_pb2_grpc import HealthStub
from hamle.play.v1.play_pb2 import SubmitMovesRequest, WatchMatchRequest
from hamle.play.v1.play_pb2_grpc import PlayServiceStub

from core.rpc.client import channel, refusal_of
from core.rpc.native import VERSION, NativeServer
from core.rpc.server import RpcServer, server_kind
from core.settings import Settings, SettingsInvalid, load
from tests.core.rpc.conftest import Serve
from tests.core.rpc.servicer import ANSWER, BIG_FRAME, FRAME, Play

SERVING, NOT_SERVING = HealthCheckResponse.SERVING, HealthCheckResponse.NOT_SERVING


@pytest.mark.parametrize(
    ("asked", "host", "tls", "kind"),
    [
        ("auto", "127.0.0.1", False, "native"),
        ("auto", "localhost", False, "native"),
        ("auto", "::1", False, "native"),
        ("auto", "127.0.0.1", True, "grpcio"),
        ("auto", "0.0.0.0", False, "grpcio"),
        ("auto", "::", False, "grpcio"),
        ("auto", "192.0.2.1", False, "grpcio"),
        ("auto", "play.example.org", False, "grpcio"),
        ("native", "127.0.0.1", False, "native"),
        ("native", "0.0.0.0", False, "native"),
        ("native", "192.0.2.1", False, "native"),
        ("native", "127.0.0.1", True, "grpcio"),
        ("native", "0.0.0.0", True, "grpcio"),
        ("grpcio", "127.0.0.1", False, "grpcio"),
    ],
)
def test_the_native_server_is_for_loopback_or_for_who_asks_for_it_and_never_for_tls(
    asked: Any, host: str, tls: bool, kind: str
) -> None:
    assert server_kind(asked, host, tls) == kind


def test_a_process_that_was_told_nothing_serves_others_than_this_machine_by_grpcio() -> None:
    assert RpcServer(load(Settings)).kind == "native"
    assert RpcServer(load(Settings, host="0.0.0.0")).kind == "grpcio"
    assert RpcServer(load(Settings, host="0.0.0.0", grpc_server="native")).kind == "native"


def test_the_private_names_that_the_native_server_relies_on_exist() -> None:
    assert importlib.metadata.version("pygrpc-native") == VERSION
    source = inspect.getsource(pygrpc_native.aio.Server._send)
    for name in ("self._front", "stream_try_send(call.call_id, data)", "context._initial_sent = True", "STREAM_FULL"):
        assert name in source
    parameters = list(inspect.signature(pygrpc_native.aio.Server._send).parameters)
    assert parameters == list(inspect.signature(NativeServer._send).parameters)
    assert "call, data" in inspect.getsource(pygrpc_native.aio.Server._encode)
    assert "if self._receive_limit is not None" in inspect.getsource(pygrpc_native.aio.Server._request)
    stop = inspect.getsource(pygrpc_native.aio.Server.stop)
    for name in ("self._stopping = True", "self._fallback.stop(grace)", "for call in self._calls.values()"):
        assert name in stop
    for published, own, names in (
        (
            pygrpc_native.aio.Server._on_events,
            NativeServer._on_events,
            (
                "for kind, call_id, method_id, payload, _, details in events:",
                "if kind == EVENT_CANCEL:",
                "call = self._calls.get(call_id)",
                "method, handler = self._table[method_id]",
                "call = _Call(call_id, method, handler, *details)",
                "call.task = loop.create_task(self._run(call, payload))",
            ),
        ),
        (
            pygrpc_native.aio.Server._run,
            NativeServer._answer,
            (
                "context = _Context(self, call)",
                "ok, request = self._request(call, payload)",
                "if not call.cancelled and not self._stopping:",
                "self._calls.pop(call.call_id, None)",
                "call.finish(context)",
            ),
        ),
    ):
        assert list(inspect.signature(published).parameters) == list(inspect.signature(own).parameters)
        for name in names:
            assert name in inspect.getsource(published)
    for name in ("self._failed(call, context, exc)", "self._fail(call, context, None)", "context._code not in"):
        assert name in inspect.getsource(pygrpc_native.aio.Server._unary_response)
    for name in ("call.call_id,", "data,", "context._initial_metadata", "list(context._trailing_metadata)"):
        assert name in inspect.getsource(pygrpc_native.aio.Server._run_unary)
    assert "self._within_send_limit(call, data)" in inspect.getsource(pygrpc_native.aio.Server._encode)
    assert "**self._front_args," in inspect.getsource(pygrpc_native.aio.Server.add_insecure_port)
    assert "self.metadata = metadata" in inspect.getsource(pygrpc_native.aio._Call)
    assert "self._call = call" in inspect.getsource(pygrpc_native.aio._Context)


async def health(port: int, service: str = "") -> Any:
    async with channel(f"127.0.0.1:{port}") as opened:
        return (await HealthStub(opened).Check(HealthCheckRequest(service=service))).status


async def test_health_says_when_the_server_serves_and_of_each_service(serve: Serve) -> None:
    server = await serve(serving=False)
    assert await health(server.port) == NOT_SERVING
    server.health.set_serving(True)
    assert await health(server.port) == SERVING
    assert await health(server.port, "hamle.play.v1.PlayService") == SERVING
    async with channel(f"127.0.0.1:{server.port}") as opened:
        listed = (await HealthStub(opened).List(HealthListRequest())).statuses
    assert {name: status.status for name, status in listed.items()} == dict.fromkeys(server.health.services, SERVING)
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await health(server.port, "hamle.none.v1.NoService")
    assert caught.value.code() is grpc.StatusCode.NOT_FOUND


async def test_a_health_watch_sees_each_change(server: RpcServer, wire: Any) -> None:
    watch, unknown = (
        HealthStub(wire).Watch(HealthCheckRequest()),
        HealthStub(wire).Watch(HealthCheckRequest(service="x")),
    )
    assert (await unknown.read()).status == HealthCheckResponse.SERVICE_UNKNOWN
    assert (await watch.read()).status == SERVING
    server.health.set_serving(False)
    assert (await watch.read()).status == NOT_SERVING
    server.health.set_serving(True)
    assert (await watch.read()).status == SERVING
    watch.cancel()
    unknown.cancel()


async def test_a_health_watch_sees_the_server_go_and_ends(server: RpcServer, wire: Any) -> None:
    watch = HealthStub(wire).Watch(HealthCheckRequest())
    assert (await watch.read()).status == SERVING
    stopping = asyncio.ensure_future(server.stop(600))
    assert (await watch.read()).status == NOT_SERVING
    assert not await watch.read()
    await stopping


async def test_stopping_lets_calls_end_within_the_grace_and_then_ends_them(
    server: RpcServer, wire: Any, play: Play
) -> None:
    stub = PlayServiceStub(wire)
    waiting = asyncio.ensure_future(stub.SubmitMoves(SubmitMovesRequest(match_id="wait")))
    await play.begun.acquire()
    watch = stub.WatchMatch(WatchMatchRequest(match_id="wait"))
    assert await watch.read() == FRAME
    await server.stop(0.2)
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await waiting
    assert caught.value.code() is grpc.StatusCode.UNAVAILABLE
    assert await play.ended.get() == "wait"
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await stub.SubmitMoves(SubmitMovesRequest(), timeout=10)
    assert caught.value.code() is grpc.StatusCode.UNAVAILABLE


async def test_what_is_said_at_the_end_arrives_before_the_connection_closes(
    server: RpcServer, wire: Any, play: Play
) -> None:
    watches: list[Any] = [PlayServiceStub(wire).WatchMatch(WatchMatchRequest(match_id="farewell")) for _ in range(100)]
    for watch in watches:
        assert await watch.read() == FRAME
        assert await watch.read() == FRAME
    play.farewell.set()
    _, *told = await asyncio.gather(server.stop(60), *(_rest(watch) for watch in watches))
    assert told == [[BIG_FRAME, FRAME]] * 100


async def _rest(watch: Any) -> list[Any]:
    frames = []
    while frame := await watch.read():
        frames.append(frame)
    return frames


async def test_stopping_twice_is_stopping_once(server: RpcServer) -> None:
    await server.stop(0)
    await server.stop(0)


async def test_slow_consumers_hold_up_neither_others_nor_the_end(serve: Serve, play: Play) -> None:
    server = await serve(max_message_bytes=1 << 20)
    async with channel(f"127.0.0.1:{server.port}") as slow, channel(f"127.0.0.1:{server.port}") as quick:
        floods = [PlayServiceStub(slow).WatchMatch(WatchMatchRequest(match_id="flood")) for _ in range(8)]
        for flood in floods:
            await flood.read()
        await asyncio.sleep(0.3)
        assert play.ended.empty()
        assert await asyncio.get_running_loop().run_in_executor(None, lambda: "free") == "free"
        assert await PlayServiceStub(quick).SubmitMoves(SubmitMovesRequest()) == ANSWER
        late = PlayServiceStub(quick).WatchMatch(WatchMatchRequest(match_id="flood"))
        for _ in range(50):
            await late.read()
            await asyncio.sleep(0.001)
        late.cancel()
        await asyncio.wait_for(server.stop(0.1), 60)
        assert sorted([await play.ended.get() for _ in range(9)]) == ["flood"] * 9


async def test_clients_that_leave_in_the_middle_of_a_flood_do_not_hold_up_others(serve: Serve, play: Play) -> None:
    server = await serve()

    async def leave(number: int, opened: grpc.aio.Channel) -> None:
        call: Any = PlayServiceStub(opened).WatchMatch(WatchMatchRequest(match_id="flood"))
        for _ in range(number % 20 + 1):
            await call.read()
        call.cancel()

    async with channel(f"127.0.0.1:{server.port}") as leaving, channel(f"127.0.0.1:{server.port}") as staying:
        await asyncio.gather(*(leave(number, leaving) for number in range(60)))
        await leaving.close(None)
        assert await PlayServiceStub(staying).SubmitMoves(SubmitMovesRequest()) == ANSWER
        assert [await play.ended.get() for _ in range(60)] == ["flood"] * 60


async def test_a_consumer_too_slow_for_its_servicer_is_told_once_it_reads(
    server: RpcServer, wire: Any, play: Play
) -> None:
    call = PlayServiceStub(wire).WatchMatch(WatchMatchRequest(match_id="impatient"))
    frames, refused = 0, None
    assert await play.ended.get() == "impatient"
    try:
        while await call.read():
            frames += 1
    except grpc.aio.AioRpcError as error:
        refused = refusal_of(error)
    assert refused is not None
    assert refused.name == "WATCHER_TOO_SLOW"
    assert frames >= 2


async def test_a_burst_of_two_thousand_streams_is_served(serve: Serve) -> None:
    server = await serve()
    channels = [channel(f"127.0.0.1:{server.port}") for _ in range(4)]

    async def watch(number: int) -> int:
        stub = PlayServiceStub(channels[number % len(channels)])
        return len([frame async for frame in stub.WatchMatch(WatchMatchRequest())])

    try:
        assert await asyncio.gather(*(watch(number) for number in range(2000))) == [2] * 2000
    finally:
        await asyncio.gather(*(opened.close(None) for opened in channels))


async def test_metadata_over_the_limit_is_refused_and_ordinary_metadata_taken(serve: Serve) -> None:
    server = await serve(max_metadata_bytes=1 << 14)
    async with channel(f"127.0.0.1:{server.port}") as opened:
        stub = PlayServiceStub(opened)
        assert await stub.SubmitMoves(SubmitMovesRequest(), metadata=(("x-padding", "x" * 6_000),)) == ANSWER
        with pytest.raises(grpc.aio.AioRpcError):
            await stub.SubmitMoves(SubmitMovesRequest(), metadata=(("x-padding", "x" * 40_000),))
        assert await stub.SubmitMoves(SubmitMovesRequest()) == ANSWER


async def test_an_address_that_is_taken_is_told_with_its_variables(serve: Serve, kind: str) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with pytest.raises(SettingsInvalid, match="HAMLE_PORT"):
            await serve(port=taken.getsockname()[1])


async def test_garbage_on_the_socket_leaves_the_server_unharmed(server: RpcServer, wire: Any) -> None:
    preface = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
    for data in (
        b"GET / HTTP/1.1\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01",
        preface + b"\xff" * 100,
        preface,
        b"\x00" * 50,
    ):
        _, writer = await asyncio.open_connection("127.0.0.1", server.port)
        writer.write(data)
        await writer.drain()
        writer.close()
    assert await PlayServiceStub(wire).SubmitMoves(SubmitMovesRequest()) == ANSWER
