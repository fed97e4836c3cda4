"""A connection to one server at a quarter of what a general client costs: the write path's own.

It sends bytes and hands on replies in order; it never retries, and never reconnects by itself.
"""

from __future__ import annotations

import asyncio
import socket
from collections import deque
from collections.abc import Callable
from typing import Final, TypeAlias, cast

import hiredis

from core.store.settings import Address, StoreSettings

Reply: TypeAlias = "int | bytes | list[Reply] | hiredis.ReplyError | None"
"""What a RESP2 server answers; an error is a value here, not raised."""

Argument: TypeAlias = "str | int | bytes"

KEEPALIVE_S: Final = {"TCP_KEEPIDLE": 5, "TCP_KEEPINTVL": 2, "TCP_KEEPCNT": 3}
"""Silence before the first probe, between probes, and how many may stay unanswered; what the platform has of it."""

CLOSED: Final = "the store closed the connection"


class Wire(asyncio.Protocol):
    """One connection. `on_reply` takes what `write` was answered, in order; `closed` is done once it is lost."""

    def __init__(self) -> None:
        loop = asyncio.get_running_loop()
        self.closed: asyncio.Future[None] = loop.create_future()
        self.on_reply: Callable[[Reply], None] | None = None
        self._create_future = loop.create_future
        self._transport: asyncio.Transport | None = None
        self._reader = hiredis.Reader()
        self._calls: deque[asyncio.Future[Reply]] = deque()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """As asyncio calls it."""
        self._transport = cast(asyncio.Transport, transport)  # uvloop's is no subclass
        _keep_alive(transport.get_extra_info("socket"))

    def data_received(self, data: bytes) -> None:
        """As asyncio calls it. A protocol error ends the connection."""
        gets = self._reader.gets
        self._reader.feed(data)
        try:
            while (reply := gets()) is not False:
                if self.on_reply is not None:
                    self.on_reply(reply)
                elif self._calls:
                    call = self._calls.popleft()
                    if not call.done():
                        call.set_result(reply)
        except hiredis.ProtocolError as error:
            self._lose(ConnectionError(f"the store answers in another protocol: {error}"))

    def connection_lost(self, exc: Exception | None) -> None:
        """As asyncio calls it."""
        self._lose(exc or ConnectionError(CLOSED))

    def _lose(self, error: Exception) -> None:
        self.close()
        while self._calls:
            call = self._calls.popleft()
            if not call.done():
                call.set_exception(error)
        if not self.closed.done():
            self.closed.set_result(None)

    def write(self, data: bytes) -> None:
        """Send packed commands; their replies go to `on_reply`."""
        assert self._transport is not None
        self._transport.write(data)

    async def call(self, *args: Argument) -> Reply:
        """Send one command and wait for its reply; only while `on_reply` is unset. Raises an error that is answered."""
        if self.closed.done():
            raise ConnectionError(CLOSED)
        call: asyncio.Future[Reply] = self._create_future()
        self._calls.append(call)
        self.write(hiredis.pack_command(args))
        reply = await call
        if isinstance(reply, hiredis.ReplyError):
            raise reply
        return reply

    def close(self) -> None:
        """Drop the connection at once, unsent bytes too. Nothing happens when it is lost already."""
        if self._transport is not None:
            self._transport.abort()


def _keep_alive(sock: socket.socket) -> None:
    """A peer that vanished without a word is noticed within seconds, even when nothing is sent."""
    if sock.family == socket.AF_UNIX:
        return
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, seconds in KEEPALIVE_S.items():
        if hasattr(socket, name):
            sock.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), seconds)


async def open_wire(settings: StoreSettings, address: Address) -> Wire:
    """Connect to a server and log in. Raises what sockets, TLS and the server's replies raise."""
    loop = asyncio.get_running_loop()
    async with asyncio.timeout(settings.connect_timeout_s):
        if address.port:
            tls = settings.tls()
            name = address.host if tls is not None else None
            _, wire = await loop.create_connection(Wire, *address, ssl=tls, server_hostname=name)
        else:
            _, wire = await loop.create_unix_connection(Wire, address.host)
        try:
            login = settings.login()
            if login:
                await wire.call("AUTH", *login)
            if settings.db:
                await wire.call("SELECT", settings.db)
            await wire.call("CLIENT", "SETNAME", settings.client_name)
        except BaseException:
            wire.close()
            raise
    return wire
