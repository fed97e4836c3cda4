"""Connections to the gateways, and which call goes over which."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import grpc
from hamle.account.v1.account_pb2_grpc import AccountServiceStub
from hamle.lobby.v1.lobby_pb2_grpc import LobbyServiceStub
from hamle.play.v1.play_pb2_grpc import PlayServiceStub
from hamle.replay.v1.replay_pb2_grpc import ReplayServiceStub

from hamle_client.address import Address
from hamle_client.errors import HamleError

WATCHES_PER_CONNECTION = 400
"""A server queues calls in silence beyond its limit of streams a connection, so the pool stays far below it."""

_OPTIONS: tuple[tuple[str, int | str], ...] = (
    ("grpc.use_local_subchannel_pool", 1),  # else all channels to one address share a single connection
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.min_reconnect_backoff_ms", 2_000),
    ("grpc.max_reconnect_backoff_ms", 2_000),
    # A connection may be dead without saying so, and calls alone would wait for it for a quarter of an hour.
    ("grpc.keepalive_time_ms", 10_000),
    ("grpc.keepalive_timeout_ms", 5_000),
    ("grpc.http2.ping_timeout_ms", 5_000),
    ("grpc.http2.max_pings_without_data", 0),
    ("grpc.primary_user_agent", "hamle-python/0.1"),
)


class Connection:
    """One connection with the stubs of all services; `watches` counts the open watches on it."""

    def __init__(self, address: Address, credentials: grpc.ChannelCredentials | None) -> None:
        self.address = address
        self.watches = 0
        options = [*_OPTIONS, ("grpc.enable_http_proxy", 0)] if address.is_loopback else list(_OPTIONS)
        self.channel = (
            grpc.aio.insecure_channel(address.target, options)
            if credentials is None
            else grpc.aio.secure_channel(address.target, credentials, options)
        )
        self.account = AccountServiceStub(self.channel)
        self.lobby = LobbyServiceStub(self.channel)
        self.play = PlayServiceStub(self.channel)
        self.replay = ReplayServiceStub(self.channel)


class Pool:
    """Connections to one or several gateways: any serves any match, so one that fails is left for the next."""

    def __init__(
        self,
        addresses: Sequence[Address],
        *,
        root_certificates: bytes | None = None,
        watches_per_connection: int = WATCHES_PER_CONNECTION,
    ) -> None:
        self._addresses = list(addresses)
        self._roots = root_certificates
        self._limit = watches_per_connection
        self._home = 0
        self._closed = False
        self._open: dict[Address, list[Connection]] = {address: [] for address in addresses}

    def for_calls(self) -> Connection:
        """The connection for calls that answer at once."""
        connections = self._at_home()
        return connections[0] if connections else self._connect()

    @contextmanager
    def for_watch(self) -> Iterator[Connection]:
        """A connection with room for a watch; the place is given back at the end."""
        connection = next((c for c in self._at_home() if c.watches < self._limit), None) or self._connect()
        connection.watches += 1
        try:
            yield connection
        finally:
            connection.watches -= 1

    def failed(self, connection: Connection) -> None:
        """Says that the connection was lost: if it led to the present gateway, the next one takes over."""
        if connection.address == self._addresses[self._home]:
            self._home = (self._home + 1) % len(self._addresses)

    async def close(self) -> None:
        """Closes all connections, for good."""
        self._closed = True
        connections = [connection for each in self._open.values() for connection in each]
        for each in self._open.values():
            each.clear()
        await asyncio.gather(*(connection.channel.close(None) for connection in connections))

    def _at_home(self) -> list[Connection]:
        if self._closed:
            raise HamleError("the client is closed; make a new one", code=grpc.StatusCode.ABORTED)
        return self._open[self._addresses[self._home]]

    def _connect(self) -> Connection:
        address = self._addresses[self._home]
        credentials = grpc.ssl_channel_credentials(self._roots) if address.tls else None
        connection = Connection(address, credentials)
        self._open[address].append(connection)
        return connection
