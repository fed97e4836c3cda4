from __future__ import annotations

from typing import Any

import pytest
from google.protobuf.descriptor_pb2 import FieldDescriptorProto, FileDescriptorProto, FileDescriptorSet
from grpc_reflection.v1alpha.reflection_pb2 import ServerReflectionRequest, ServerReflectionResponse
from hamle.coerceo.v1 import coerceo_pb2
from hamle.play.v1 import play_pb2

from core.rpc.reflection import Descriptors
from core.rpc.server import RpcServer

V1 = "grpc.reflection.v1.ServerReflection"
V1ALPHA = "grpc.reflection.v1alpha.ServerReflection"


def game(field: str = "score", needs: str = "", name: str = "hamle/newgame/v1/newgame.proto") -> FileDescriptorSet:
    file = FileDescriptorProto(name=name, package="hamle.newgame.v1", syntax="proto3")
    file.message_type.add(name="View").field.add(
        name=field, number=1, type=FieldDescriptorProto.TYPE_UINT32, label=FieldDescriptorProto.LABEL_OPTIONAL
    )
    if needs:
        file.dependency.append(needs)
    return FileDescriptorSet(file=[file])


async def ask(wire: Any, service: str = V1ALPHA, **request: str) -> ServerReflectionResponse:
    call = wire.stream_stream(f"/{service}/ServerReflectionInfo")
    answers = call(iter([ServerReflectionRequest(**request).SerializeToString()]))
    return ServerReflectionResponse.FromString(await answers.read())


async def files_of(wire: Any, symbol: str, service: str = V1ALPHA) -> dict[str, FileDescriptorProto]:
    answer = await ask(wire, service, file_containing_symbol=symbol)
    files = map(FileDescriptorProto.FromString, answer.file_descriptor_response.file_descriptor_proto)
    return {file.name: file for file in files}


@pytest.mark.parametrize("service", [V1ALPHA, V1])
async def test_the_servers_services_are_listed_and_described(wire: Any, service: str) -> None:
    answer = await ask(wire, service, list_services="*")
    names = [listed.name for listed in answer.list_services_response.service]
    assert names == [
        "grpc.health.v1.Health",
        V1ALPHA,
        "hamle.engine.v1.EngineService",
        "hamle.play.v1.PlayService",
    ]
    for name in names:
        assert await files_of(wire, name, service)
    described = await files_of(wire, "hamle.play.v1.PlayService", service)
    assert described["hamle/play/v1/play.proto"] == FileDescriptorProto.FromString(play_pb2.DESCRIPTOR.serialized_pb)
    assert "hamle/match/v1/match.proto" in described


@pytest.mark.parametrize(
    "message", ["hamle.error.v1.StatusLayout", "google.rpc.Status", "google.rpc.ErrorInfo", "google.rpc.RetryInfo"]
)
def test_what_refusals_travel_in_is_described_where_no_method_names_it(message: str) -> None:
    assert Descriptors(["hamle.play.v1.PlayService"]).FindMessageTypeByName(message).full_name == message


async def test_descriptors_added_while_it_runs_are_served(server: RpcServer, wire: Any) -> None:
    unknown = await ask(wire, file_containing_symbol="hamle.newgame.v1.View")
    assert unknown.error_response.error_code == 5
    server.descriptors.add_file_descriptor_set(game().SerializeToString())
    assert (await files_of(wire, "hamle.newgame.v1.View"))["hamle/newgame/v1/newgame.proto"] == game().file[0]
    by_name = await ask(wire, file_by_filename="hamle/newgame/v1/newgame.proto")
    assert len(by_name.file_descriptor_response.file_descriptor_proto) == 1


async def test_a_real_games_descriptors_are_served(server: RpcServer, wire: Any) -> None:
    assert not await files_of(wire, "hamle.coerceo.v1.View")
    files = FileDescriptorSet()
    files.file.add().ParseFromString(coerceo_pb2.DESCRIPTOR.serialized_pb)
    server.descriptors.add_file_descriptor_set(files.SerializeToString())
    assert "hamle/coerceo/v1/coerceo.proto" in await files_of(wire, "hamle.coerceo.v1.View")


def field_names(descriptors: Descriptors) -> list[str]:
    return [field.name for field in descriptors.FindMessageTypeByName("hamle.newgame.v1.View").fields]


def test_a_later_version_of_a_file_replaces_the_earlier_one() -> None:
    descriptors = Descriptors(["hamle.play.v1.PlayService"])
    descriptors.add_file_descriptor_set(game("score").SerializeToString())
    descriptors.add_file_descriptor_set(game("points").SerializeToString())
    assert field_names(descriptors) == ["points"]


def test_the_servers_own_files_cannot_be_replaced() -> None:
    descriptors = Descriptors(["hamle.play.v1.PlayService"])
    descriptors.add_file_descriptor_set(game(name="hamle/play/v1/play.proto").SerializeToString())
    file = descriptors.FindFileByName("hamle/play/v1/play.proto")
    assert file.serialized_pb == play_pb2.DESCRIPTOR.serialized_pb


@pytest.mark.parametrize(
    "bad",
    [
        b"\xff\xff",
        game(needs="hamle/none/v1/none.proto").SerializeToString(),
        game(needs="hamle/newgame/v1/newgame.proto").SerializeToString(),
        game(name="hamle/other/v1/other.proto").SerializeToString(),
        FileDescriptorSet(file=[FileDescriptorProto(name="")]).SerializeToString()[:-1],
    ],
    ids=["garbage", "needs what is missing", "needs itself", "same symbol in another file", "cut short"],
)
def test_descriptors_that_do_not_fit_change_nothing(bad: bytes) -> None:
    descriptors = Descriptors(["hamle.play.v1.PlayService"])
    descriptors.add_file_descriptor_set(game().SerializeToString())
    with pytest.raises(ValueError):
        descriptors.add_file_descriptor_set(bad)
    assert field_names(descriptors) == ["score"]


async def test_garbage_sent_to_reflection_is_an_invalid_argument(wire: Any) -> None:
    import grpc

    call = wire.stream_stream(f"/{V1ALPHA}/ServerReflectionInfo")(iter([b"\xff\xff"]))
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await call.read()
    assert caught.value.code() is grpc.StatusCode.INVALID_ARGUMENT
