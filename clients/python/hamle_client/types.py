"""Message types of games: those installed here, others fetched from the server when they first appear."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Iterable
from importlib import import_module
from importlib.util import find_spec

import grpc
from google.protobuf import descriptor_pool, message_factory
from google.protobuf.any_pb2 import Any
from google.protobuf.descriptor_pb2 import FileDescriptorProto
from google.protobuf.message import Message
from grpc_reflection.v1alpha.reflection_pb2 import ServerReflectionRequest, ServerReflectionResponse
from grpc_reflection.v1alpha.reflection_pb2_grpc import ServerReflectionStub
from hamle.match.v1 import match_pb2

from hamle_client.attempts import Attempts
from hamle_client.caller import Caller, raise_if_closed
from hamle_client.connections import Connection
from hamle_client.errors import HamleError
from hamle_client.told import View

_INSTALLED = re.compile(r"(hamle\.([a-z][a-z0-9]*)\.v[0-9]+)\.[A-Za-z0-9]+")


class Types:
    """Unpacks views of any game.

    The generated stubs of the games that this package knows are used as they are. Messages of other games are built
    from descriptors that the server's reflection gives, once a type.
    """

    def __init__(self, caller: Caller) -> None:
        self._caller = caller
        self._classes: dict[str, type[Message]] = {}
        self._pool = descriptor_pool.DescriptorPool()
        self._files: set[str] = set()

    async def unpack(self, packed: Any) -> Message:
        """The message in `packed`. HamleError when the server cannot describe its type."""
        name = packed.type_url.rpartition("/")[2]
        found = self._classes.get(name)
        if found is None:
            found = self._classes[name] = _installed(name) or await self._fetch(name)
        return found.FromString(packed.value)

    async def view(self, proto: match_pb2.View) -> View:
        """The view with its game's message unpacked."""
        return View(proto, await self.unpack(proto.game))

    async def _fetch(self, name: str) -> type[Message]:
        """Asks until it is answered or patience ends, as for any call."""
        attempts = Attempts(self._caller)
        while True:
            connection = self._caller.pool.for_calls()
            try:
                await self._add(connection, ServerReflectionRequest(file_containing_symbol=name))
                return message_factory.GetMessageClass(self._pool.FindMessageTypeByName(name))
            except grpc.aio.AioRpcError as error:
                failure = error
            except (KeyError, TypeError) as error:
                raise HamleError(f"the server does not describe the message type {name!r} of the view") from error
            except asyncio.CancelledError:
                raise_if_closed()
                raise
            await attempts.wait(failure, connection)

    async def _add(self, connection: Connection, request: ServerReflectionRequest) -> None:
        files: dict[str, FileDescriptorProto] = {}
        wanted = [request]
        while wanted:
            for file in await self._ask(connection, wanted):
                files[file.name] = file
            needed = {name for file in files.values() for name in file.dependency} - files.keys() - self._files
            wanted = [ServerReflectionRequest(file_by_filename=name) for name in sorted(needed)]
        for file in _dependencies_first(files):
            if file.name not in self._files:
                self._pool.Add(file)
                self._files.add(file.name)

    async def _ask(
        self, connection: Connection, requests: Iterable[ServerReflectionRequest]
    ) -> list[FileDescriptorProto]:
        stub = ServerReflectionStub(connection.channel)
        answers: AsyncIterator[ServerReflectionResponse] = stub.ServerReflectionInfo(
            _each(requests), timeout=self._caller.timeout, metadata=self._caller.session.metadata()
        )
        found: list[FileDescriptorProto] = []
        async for answer in answers:
            if answer.HasField("error_response"):
                raise KeyError(answer.error_response.error_message)
            found += map(FileDescriptorProto.FromString, answer.file_descriptor_response.file_descriptor_proto)
        return found


async def _each(requests: Iterable[ServerReflectionRequest]) -> AsyncIterator[ServerReflectionRequest]:
    for request in requests:
        yield request


def _installed(name: str) -> type[Message] | None:
    match = _INSTALLED.fullmatch(name)
    if match is None:
        return None
    package, game = match.groups()
    if find_spec("hamle") is None or find_spec(f"hamle.{game}") is None:
        return None
    module = f"{package}.{game}_pb2"
    if find_spec(module) is None:
        return None
    found = getattr(import_module(module), name.rpartition(".")[2], None)
    return found if isinstance(found, type) and issubclass(found, Message) else None


def _dependencies_first(files: dict[str, FileDescriptorProto]) -> list[FileDescriptorProto]:
    ordered: dict[str, FileDescriptorProto] = {}

    def add(file: FileDescriptorProto) -> None:
        if file.name not in ordered:
            for name in file.dependency:
                if name in files:
                    add(files[name])
            ordered[file.name] = file

    for file in files.values():
        add(file)
    return list(ordered.values())
