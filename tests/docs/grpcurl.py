"""What `grpcurl` does with a request, for machines without it: server reflection, JSON in, JSON out.

    python -m tests.docs.grpcurl -plaintext [-H 'name: value'] [-d JSON] [-max-time SECONDS] HOST:PORT list [SERVICE]
    python -m tests.docs.grpcurl -plaintext ... HOST:PORT SERVICE/METHOD

As with grpcurl nothing is known beforehand: the messages come from the server's reflection. The exit code of a refused
call is 64 and its gRPC code.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from typing import Any, Final

import grpc
from google.protobuf import descriptor_pool, json_format, message_factory
from google.protobuf.descriptor_pb2 import FileDescriptorProto
from google.protobuf.message import Message
from google.rpc import error_details_pb2, status_pb2  # type: ignore[import-untyped]
from grpc_reflection.v1alpha.reflection_pb2 import ServerReflectionRequest, ServerReflectionResponse

_REFLECTION: Final = "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo"
_TIMEOUT_S: Final = 30.0


class Server:
    """A server, and what its reflection says."""

    def __init__(self, address: str) -> None:
        self.channel = grpc.insecure_channel(address)
        self.pool = descriptor_pool.DescriptorPool()
        self._files: set[str] = set()

    def services(self) -> list[str]:
        """Names of all services."""
        answer = self._ask(ServerReflectionRequest(list_services=""))
        return sorted(service.name for service in answer.list_services_response.service)

    def learn(self, symbol: str) -> None:
        """Makes the pool know a service or message."""
        self._add(ServerReflectionRequest(file_containing_symbol=symbol))

    def _add(self, request: ServerReflectionRequest) -> None:
        for data in self._ask(request).file_descriptor_response.file_descriptor_proto:
            file = FileDescriptorProto.FromString(data)
            if file.name not in self._files:
                self._files.add(file.name)
                for name in file.dependency:
                    if name not in self._files:
                        self._add(ServerReflectionRequest(file_by_filename=name))
                self.pool.AddSerializedFile(data)

    def _ask(self, request: ServerReflectionRequest) -> ServerReflectionResponse:
        call = self.channel.stream_stream(
            _REFLECTION,
            request_serializer=ServerReflectionRequest.SerializeToString,
            response_deserializer=ServerReflectionResponse.FromString,
        )
        answer: ServerReflectionResponse = next(iter(call(iter([request]), timeout=_TIMEOUT_S)))
        if answer.HasField("error_response"):
            sys.exit(f"Error: {answer.error_response.error_message}")
        return answer

    def call(self, name: str, data: str, metadata: list[tuple[str, str]], timeout_s: float) -> Iterator[Message]:
        """The answers to a call of `service/method`."""
        service, _, method = name.rpartition("/")
        self.learn(service)
        about = self.pool.FindServiceByName(service).FindMethodByName(method)
        asks = message_factory.GetMessageClass(about.input_type)
        gives = message_factory.GetMessageClass(about.output_type)
        request = json_format.Parse(data or "{}", asks(), descriptor_pool=self.pool)
        start: Any = self.channel.unary_stream if about.server_streaming else self.channel.unary_unary
        call = start(f"/{name}", request_serializer=asks.SerializeToString, response_deserializer=gives.FromString)
        answer = call(request, metadata=metadata, timeout=timeout_s)
        yield from answer if about.server_streaming else [answer]

    def text(self, message: Message) -> str:
        """A message as JSON. The types in it that nobody has named are asked for."""
        while True:
            try:
                return json_format.MessageToJson(message, descriptor_pool=self.pool)
            except TypeError as unknown:
                name = str(unknown).rpartition("Can not find message descriptor by type_url: ")[2]
                if not name:
                    raise
                self.learn(name.rpartition("/")[2].rstrip("."))


def main(arguments: list[str]) -> int:
    """The command; returns its exit code."""
    parser = argparse.ArgumentParser(prefix_chars="-", allow_abbrev=False)
    parser.add_argument("-plaintext", action="store_true", required=True)
    parser.add_argument("-H", action="append", default=[], dest="headers")
    parser.add_argument("-d", default="", dest="data")
    parser.add_argument("-max-time", type=float, default=_TIMEOUT_S)
    parser.add_argument("address")
    parser.add_argument("what")
    given = parser.parse_args(arguments)
    server = Server(given.address)
    if given.what == "list":
        print("\n".join(server.services()))
        return 0
    metadata = [(name.strip().lower(), value.strip()) for name, _, value in (h.partition(":") for h in given.headers)]
    try:
        for message in server.call(given.what, given.data, metadata, given.max_time):
            print(server.text(message), flush=True)
    except grpc.RpcError as error:
        print(_told(error), file=sys.stderr)
        return 64 + int(error.code().value[0])
    except json_format.ParseError as error:
        sys.exit(f"Error invoking method: the request is not of the method's type: {error}")
    return 0


def _told(error: Any) -> str:
    lines = ["ERROR:", f"  Code: {error.code().name}", f"  Message: {error.details()}"]
    for key, value in error.trailing_metadata() or ():
        if key == "grpc-status-details-bin":
            for detail in status_pb2.Status.FromString(value).details:
                for kind in (error_details_pb2.ErrorInfo, error_details_pb2.RetryInfo):
                    if detail.Is(kind.DESCRIPTOR):
                        unpacked = kind()
                        detail.Unpack(unpacked)
                        lines.append(json_format.MessageToJson(unpacked))
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
