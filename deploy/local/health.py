"""Whether a process of the fleet does its work yet, as it says itself."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.client import HTTPConnection, HTTPException

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

_PATIENCE_S = 1.0


def serves(address: str) -> bool:
    """Whether a gateway or an engine says that it serves."""
    with _channel(address) as channel, suppress(grpc.RpcError):
        answer = health_pb2_grpc.HealthStub(channel).Check(health_pb2.HealthCheckRequest(), timeout=_PATIENCE_S)
        return bool(answer.status == health_pb2.HealthCheckResponse.SERVING)
    return False


def keeps_time(address: str) -> bool:
    """Whether a timekeeper has claimed its shards; its metrics page is at the address, and tells how many they are."""
    page = HTTPConnection(address, timeout=_PATIENCE_S)
    try:
        page.request("GET", "/metrics")
        return b"\nhamle_shards_held{" in page.getresponse().read()
    except (OSError, HTTPException):
        return False
    finally:
        page.close()


@contextmanager
def _channel(address: str) -> Iterator[grpc.Channel]:
    # A channel that has met a closed port waits longer and longer before it tries again.
    channel = grpc.insecure_channel(address, options=[("grpc.use_local_subchannel_pool", 1)])
    try:
        yield channel
    finally:
        channel.close()
