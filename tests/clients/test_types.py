"""Views of games that the client has no stubs for."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from typing import Any

import grpc
import pytest
from google.protobuf import descriptor_pool, message_factory
from google.protobuf.any_pb2 import Any as Packed
from google.protobuf.descriptor_pb2 import FieldDescriptorProto, FileDescriptorProto
from google.protobuf.message import Message
from grpc_reflection.v1alpha import reflection
from hamle.account.v1 import account_pb2_grpc
from hamle.play.v1 import play_pb2_grpc
from hamle_client import Client, HamleError
from hamle_client.types import Types

from tests.clients.server import MATCH, Fault, ScriptedServer, fail, hang, view_of


def foreign_pool() -> descriptor_pool.DescriptorPool:
    """Descriptors of a game that exists nowhere else: a view with a part from another file."""
    pool = descriptor_pool.DescriptorPool()
    part = FileDescriptorProto(name="hamle/nim/v1/heap.proto", package="hamle.nim.v1", syntax="proto3")
    heap = part.message_type.add(name="Heap")
    heap.field.add(
        name="size", number=1, type=FieldDescriptorProto.TYPE_UINT32, label=FieldDescriptorProto.LABEL_OPTIONAL
    )
    whole = FileDescriptorProto(name="hamle/nim/v1/nim.proto", package="hamle.nim.v1", syntax="proto3")
    whole.dependency.append(part.name)
    view = whole.message_type.add(name="View")
    view.field.add(
        name="heaps",
        number=1,
        type=FieldDescriptorProto.TYPE_MESSAGE,
        type_name=".hamle.nim.v1.Heap",
        label=FieldDescriptorProto.LABEL_REPEATED,
    )
    pool.Add(part)
    pool.Add(whole)
    return pool


class NimServer(ScriptedServer):
    def __init__(self, view: Message) -> None:
        super().__init__()
        self.view = view

    async def GetView(self, request: object, context: object) -> object:  # type: ignore[override]
        await self.note("GetView", request, context)
        from hamle.play.v1.play_pb2 import GetViewResponse

        answer = GetViewResponse(view=view_of(3))
        answer.view.game.Pack(self.view)
        return answer


class Faulty(grpc.aio.ServerInterceptor):  # type: ignore[type-arg]
    """Lets the first calls of reflection meet the faults, one each."""

    def __init__(self, faults: deque[Fault]) -> None:
        self._faults = faults

    async def intercept_service(self, continuation: Any, details: grpc.HandlerCallDetails) -> Any:
        handler = await continuation(details)
        if "ServerReflection" not in details.method or not self._faults:
            return handler
        fault = self._faults.popleft()

        async def fails(requests: object, context: Any) -> AsyncIterator[bytes]:
            await fault(context)
            yield b""

        return grpc.stream_stream_rpc_method_handler(fails)


@pytest.fixture
async def nim() -> AsyncIterator[NimServer]:
    pool = foreign_pool()
    view = message_factory.GetMessageClass(pool.FindMessageTypeByName("hamle.nim.v1.View"))()
    view.heaps.add(size=3)  # type: ignore[attr-defined]
    view.heaps.add(size=5)  # type: ignore[attr-defined]
    servicer = NimServer(view)
    server = grpc.aio.server(interceptors=[Faulty(servicer.faults["ServerReflectionInfo"])])
    account_pb2_grpc.add_AccountServiceServicer_to_server(servicer, server)
    play_pb2_grpc.add_PlayServiceServicer_to_server(servicer, server)
    reflection.enable_server_reflection((), server, pool)
    servicer.address = f"127.0.0.1:{server.add_insecure_port('127.0.0.1:0')}"
    await server.start()
    yield servicer
    await server.stop(None)


async def test_unknown_game_is_read_through_reflection(nim: NimServer) -> None:
    async with Client(nim.address) as client:
        view = await client.match(MATCH).view()
    assert view.game.DESCRIPTOR.full_name == "hamle.nim.v1.View"
    assert [heap.size for heap in view.game.heaps] == [3, 5]  # type: ignore[attr-defined]


async def test_a_type_is_asked_for_until_it_is_described(nim: NimServer) -> None:
    nim.faults["ServerReflectionInfo"] += [fail(grpc.StatusCode.UNAVAILABLE)] * 2
    async with Client(nim.address) as client:
        assert (await client.match(MATCH).view()).game.DESCRIPTOR.full_name == "hamle.nim.v1.View"


async def test_closing_the_client_ends_the_asking_for_a_type_with_an_error(nim: NimServer) -> None:
    nim.faults["ServerReflectionInfo"].append(hang)
    client = Client(nim.address)
    await client.sign_in()
    viewing = asyncio.create_task(client.match(MATCH).view())
    await nim.until("GetView")
    await asyncio.sleep(0.2)
    await client.close()
    with pytest.raises(HamleError, match="closed"):
        await viewing


async def test_installed_stubs_are_used_as_they_are(client: Client) -> None:
    from hamle.coerceo.v1.coerceo_pb2 import View

    assert isinstance((await client.match(MATCH).view()).game, View)


@pytest.mark.parametrize("name", ["hamle.nim.v1.Nothing", "os.system", "", "hamle.nim.v1.View/../x"])
async def test_type_that_the_server_does_not_describe_is_an_error(nim: NimServer, name: str) -> None:
    async with Client(nim.address) as client:
        types = Types(client._caller)
        with pytest.raises(HamleError, match="does not describe"):
            await types.unpack(Packed(type_url=f"type.googleapis.com/{name}"))
