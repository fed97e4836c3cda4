from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable

import grpc
import pytest
from hamle.engine.v1.engine_pb2_grpc import add_EngineServiceServicer_to_server
from hamle.play.v1.play_pb2_grpc import add_PlayServiceServicer_to_server

from core.rpc.client import channel
from core.rpc.credential import CredentialGuard
from core.rpc.server import RpcServer
from core.settings import Settings, load
from tests.core.rpc.servicer import Engine, Play

CREDENTIAL = "the-fleets-credential"


@pytest.fixture(params=["native", "grpcio"])
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
async def play() -> Play:
    return Play()


Serve = Callable[..., Awaitable[RpcServer]]


@pytest.fixture
async def serve(kind: str, play: Play) -> AsyncIterator[Serve]:
    started: list[RpcServer] = []

    async def begin(*, serving: bool = True, **settings: object) -> RpcServer:
        server = RpcServer(load(Settings, grpc_server=kind, **settings))
        server.add(add_PlayServiceServicer_to_server, play, unparsed=["ListChoices"])
        server.add(add_EngineServiceServicer_to_server, Engine(), guard=CredentialGuard(CREDENTIAL))
        await server.start(serving=serving)
        started.append(server)
        return server

    yield begin
    for server in started:
        await server.stop(0)


@pytest.fixture
async def server(serve: Serve) -> RpcServer:
    return await serve()


@pytest.fixture
async def wire(server: RpcServer) -> AsyncIterator[grpc.aio.Channel]:
    async with channel(f"127.0.0.1:{server.port}") as opened:
        yield opened
