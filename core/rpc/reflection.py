"""Server reflection over descriptors that may grow while the server runs: engines bring the messages of their games."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from google.protobuf import descriptor_pool
from google.protobuf.descriptor import FileDescriptor
from google.protobuf.descriptor_pb2 import FileDescriptorProto, FileDescriptorSet
from google.protobuf.message import DecodeError
from grpc_reflection.v1alpha._async import ReflectionServicer
from grpc_reflection.v1alpha.reflection_pb2_grpc import add_ServerReflectionServicer_to_server
from hamle.error.v1 import error_pb2

from core.rpc.handlers import Handlers, handlers


class Descriptors:
    """The descriptors that reflection serves: those of the process's own services and of refusals, and what was added.

    No method names the messages that refusals travel in, so a client that knows nothing else could not read them.
    """

    def __init__(self, services: Iterable[str]) -> None:
        self.services = sorted(services)
        self._own: dict[str, bytes] = {}
        own = descriptor_pool.Default()
        for service in self.services:
            self._take(own.FindFileContainingSymbol(service))
        self._take(error_pb2.DESCRIPTOR)
        self._added: dict[str, bytes] = {}
        self._pool = _build(self._own)

    def add_file_descriptor_set(self, data: bytes) -> None:
        """Adds the files of a serialised `google.protobuf.FileDescriptorSet`.

        A file added before under the same name is replaced; the process's own files stand. Raises ValueError when the
        bytes do not parse or the files do not fit together; then nothing has changed.
        """
        try:
            files = FileDescriptorSet.FromString(data).file
        except DecodeError:
            raise ValueError("the bytes are not a FileDescriptorSet") from None
        added = self._added | {file.name: file.SerializeToString() for file in files if file.name not in self._own}
        if added == self._added:
            return
        try:
            self._pool = _build(self._own | added)
        except (TypeError, KeyError) as error:
            raise ValueError(f"the descriptors do not fit together: {error}") from None
        self._added = added

    def _take(self, file: FileDescriptor) -> None:
        if file.name not in self._own:
            self._own[file.name] = file.serialized_pb
            for needed in file.dependencies:
                self._take(needed)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._pool, name)


def reflection_handlers(descriptors: Descriptors) -> Mapping[str, Handlers]:
    """The reflection service in its versions v1alpha and v1, which are equal but for the name."""
    servicer = ReflectionServicer(descriptors.services, pool=descriptors)
    (methods,) = handlers(add_ServerReflectionServicer_to_server, servicer).values()
    return {"grpc.reflection.v1alpha.ServerReflection": methods, "grpc.reflection.v1.ServerReflection": methods}


def _build(files: Mapping[str, bytes]) -> descriptor_pool.DescriptorPool:
    pool = descriptor_pool.DescriptorPool()
    parsed = {name: FileDescriptorProto.FromString(data) for name, data in files.items()}
    done: set[str] = set()

    def add(name: str) -> None:
        if name in done:
            return
        done.add(name)
        for needed in parsed[name].dependency:
            add(needed)
        pool.AddSerializedFile(files[name])

    for name in files:
        add(name)
    return pool
