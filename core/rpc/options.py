"""Options of gRPC servers and channels."""

from __future__ import annotations

from typing import Any, Final

from core.settings import Settings

_KEEPALIVE_MS = 30_000
_KEEPALIVE_TIMEOUT_MS = 10_000
FLEET_BYTES: Final = 1 << 24
"""What a message between Hamle's own processes may have, whatever clients may send: batches are larger than calls."""
_SPARE = 4
"""What is up to so many times too large comes in, to be refused with a reason; grpcio cuts off larger ones itself."""


def server_options(settings: Settings, most_bytes: int) -> list[tuple[str, Any]]:
    """For both servers; messages may have `most_bytes`."""
    return [
        ("grpc.max_receive_message_length", most_bytes * _SPARE),
        ("grpc.max_send_message_length", most_bytes),
        ("grpc.max_metadata_size", settings.max_metadata_bytes),
        ("grpc.absolute_max_metadata_size", settings.max_metadata_bytes),
        ("grpc.max_concurrent_streams", settings.max_streams),
        # grpcio sheds calls at random beyond 1,000 that it has not accepted yet; a thousand watchers coming back after
        # a restart are more than that.
        ("grpc.server.max_pending_requests", 20_000),
        ("grpc.server.max_pending_requests_hard_limit", 40_000),
        ("grpc.so_reuseport", int(settings.so_reuseport)),
        ("grpc.keepalive_time_ms", _KEEPALIVE_MS),
        ("grpc.keepalive_timeout_ms", _KEEPALIVE_TIMEOUT_MS),
        # Else a peer that keeps a connection alive on which nothing is said is cut off after four pings.
        ("grpc.http2.min_ping_interval_without_data_ms", 5_000),
        ("grpc.keepalive_permit_without_calls", 1),
    ]


def channel_options() -> list[tuple[str, Any]]:
    """For channels between Hamle's own processes: they are quick to see a peer gone and quick to try again."""
    return [
        ("grpc.max_receive_message_length", FLEET_BYTES * _SPARE),
        ("grpc.max_send_message_length", FLEET_BYTES * _SPARE),
        ("grpc.use_local_subchannel_pool", 1),
        ("grpc.initial_reconnect_backoff_ms", 50),
        # Also how long an attempt has: a busy peer needs longer than that to answer.
        ("grpc.min_reconnect_backoff_ms", 2_000),
        ("grpc.max_reconnect_backoff_ms", 500),
        ("grpc.keepalive_time_ms", 10_000),
        ("grpc.keepalive_timeout_ms", 5_000),
        # Keepalive waits for a ping that measures the connection, which has a minute otherwise.
        ("grpc.http2.ping_timeout_ms", 5_000),
        ("grpc.keepalive_permit_without_calls", 1),
        ("grpc.http2.max_pings_without_data", 0),
    ]
