"""Views of games that the client has no stubs for."""

from __future__ import annotations

from collections.abc import AsyncIterator

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

from tests.clients.server import MATCH, ScriptedServer, view_of


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


@pytest.fixture
async def nim() -> AsyncIterator[NimServer]:
    pool = foreign_pool()
    view = message_factory.GetMessageClass(pool.FindMessageTypeByName("hamle.nim.v1.View"))()
    view.heaps.add(size=3)  # type: ignore[attr-defined]
    view.heaps.add(size=5)  # type: ignore[attr-defined]
    servicer = NimServer(view)
    server = grpc.aio.server()
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


async def test_installed_stubs_are_used_as_they_are(client: Client) -> None:
    from hamle.coerceo.v1.coerceo_pb2 import View

    assert isinstance((await client.match(MATCH).view()).game, View)


@pytest.mark.parametrize("name", ["hamle.nim.v1.Nothing", "os.system", "", "hamle.nim.v1.View/../x"])
async def test_type_that_the_server_does_not_describe_is_an_error(nim: NimServer, name: str) -> None:
    async with Client(nim.address) as client:
        types = Types(client._caller)
        with pytest.raises(HamleError, match="does not describe"):
            await types.unpack(Packed(type_url=f"type.googleapis.com/{name}"))
