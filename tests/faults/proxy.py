"""A TCP proxy of the run's own: connections through it can be cut in mid-call, and led to another server."""

from __future__ import annotations

import asyncio
import random
from typing import cast


class _End(asyncio.Protocol):
    """One side of a connection that goes through the proxy; what it says is kept until it has a peer."""

    def __init__(self, proxy: Proxy) -> None:
        self.proxy = proxy
        self.peer: _End | None = None
        self.early = b""
        self.transport: asyncio.Transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        if self.peer is None:
            self.early += data
        else:
            self.proxy._pass_on(self, self.peer, data)

    def pause_writing(self) -> None:
        if self.peer is not None:
            self.peer.transport.pause_reading()

    def resume_writing(self) -> None:
        if self.peer is not None:
            self.peer.transport.resume_reading()

    def connection_lost(self, error: Exception | None) -> None:
        peer, self.peer = self.peer, None
        self.proxy._ends.discard(self)
        if peer is not None:
            peer.transport.close()


class _Accepted(_End):
    """The side that came to the proxy."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self.proxy._link(self)


class Proxy:
    """Passes connections on to a port of loopback. `port` is where it listens once it is started.

    `target` may be changed at any time; it counts for new connections. While `open` is False, none gets through. With
    `cutting` above 0, each piece of data that passes cuts its connection with that probability, half of the time before
    it has arrived and half of the time after. `cuts` counts.
    """

    def __init__(self, target: int, chance: random.Random) -> None:
        self.target = target
        self.open = True
        self.cutting = 0.0
        self.cuts = 0
        self.port = 0
        self._chance = chance
        self._ends: set[_End] = set()
        self._linking: set[asyncio.Task[None]] = set()

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.port}"

    async def start(self) -> None:
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(lambda: _Accepted(self), "127.0.0.1", 0, backlog=1024)
        self.port = self._server.sockets[0].getsockname()[1]

    async def close(self) -> None:
        self._server.close()
        self.open = False
        self.cut()
        if self._linking:
            await asyncio.wait(self._linking)
        await self._server.wait_closed()

    def cut(self) -> None:
        """Cuts all connections."""
        for end in list(self._ends):
            self.cuts += isinstance(end, _Accepted)
            end.transport.abort()

    def _link(self, accepted: _Accepted) -> None:
        self._ends.add(accepted)
        task = asyncio.ensure_future(self._connect(accepted))
        self._linking.add(task)
        task.add_done_callback(self._linking.discard)

    async def _connect(self, accepted: _Accepted) -> None:
        try:
            if not self.open:
                raise ConnectionRefusedError
            loop = asyncio.get_running_loop()
            _, end = await loop.create_connection(lambda: _End(self), "127.0.0.1", self.target)
        except OSError:
            accepted.transport.abort()
            return
        if accepted not in self._ends or not self.open:
            end.transport.abort()
            accepted.transport.abort()
            return
        self._ends.add(end)
        accepted.peer, end.peer = end, accepted
        for one, other in ((accepted, end), (end, accepted)):
            if one.early and not one.transport.is_closing():
                self._pass_on(one, other, one.early)

    def _pass_on(self, end: _End, peer: _End, data: bytes) -> None:
        if self.cutting and self._chance.random() < self.cutting:
            self.cuts += 1
            if self._chance.random() < 0.5:
                peer.transport.write(data)
                peer.transport.close()
            else:
                peer.transport.abort()
            end.transport.abort()
        else:
            peer.transport.write(data)
