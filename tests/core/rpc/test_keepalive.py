"""Connections that are kept alive while nothing is said on them."""

from __future__ import annotations

import asyncio
from typing import Any, Final

import grpc
from grpc import ChannelConnectivity

from core.rpc.options import channel_options, server_options
from core.settings import Settings, load

PING_MS: Final = 1_000
"""grpcio sends no more of them."""
FASTER: Final = 10


def test_servers_take_more_pings_than_channels_send() -> None:
    server, channel = dict(server_options(load(Settings), 1 << 20)), dict(channel_options())
    assert server["grpc.http2.min_ping_interval_without_data_ms"] * 2 <= channel["grpc.keepalive_time_ms"]


async def test_a_peer_that_pings_an_idle_connection_is_not_cut_off() -> None:
    server = grpc.aio.server(
        options=faster(server_options(load(Settings), 1 << 20), "http2.min_ping_interval_without_data_ms")
    )
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    options = faster(channel_options(), "keepalive_time_ms")
    async with grpc.aio.insecure_channel(f"127.0.0.1:{port}", options=options) as channel:
        state = channel.get_state(try_to_connect=True)
        while state is not ChannelConnectivity.READY:
            await channel.wait_for_state_change(state)
            state = channel.get_state()
        for _ in range(6):
            await asyncio.sleep(PING_MS / 1000)
            assert channel.get_state() is ChannelConnectivity.READY
    await server.stop(0)


def faster(options: list[tuple[str, Any]], name: str) -> list[tuple[str, Any]]:
    given = dict(options)
    return list((given | {f"grpc.{name}": given[f"grpc.{name}"] // FASTER}).items())
