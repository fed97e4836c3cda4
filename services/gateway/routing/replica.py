"""One engine replica as the gateway knows it: its announcement, its channel, the exchange over it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

import grpc
from hamle.engine.v1.engine_pb2 import Announcement

from core.fleet.addressee import metadata_for
from core.rpc.client import channel
from core.settings import Settings
from core.telemetry import logs
from services.gateway.exchange.exchange import Exchange

_SERVICE: Final = "/hamle.engine.v1.EngineService"
_log = logs.get_logger("hamle.gateway")


@dataclass(frozen=True, slots=True)
class Terms:
    """How the gateway speaks to engines.

    `credential` is the fleet's, and so are the certificates that the settings name. A call that waits `stall_s` while
    nothing is heard makes the gateway ask the engine whether it runs, for at most `probe_s`. A call that waits
    `limit_s` is given up.
    """

    credential: str = field(repr=False)
    settings: Settings | None = field(default=None, repr=False)
    stall_s: float = 1.5
    probe_s: float = 0.6
    limit_s: float = 10.0
    most_outstanding: int = 4096


class Replica:
    """One engine replica. `suspect` is set when its stream breaks, and until a probe of it succeeds."""

    def __init__(self, announcement: Announcement, terms: Terms, on_suspect: Callable[[Replica], None]) -> None:
        self.id = announcement.replica
        self.address = announcement.address
        self.announcement = announcement
        self.suspect = False
        self.metadata = metadata_for(terms.credential, self.id)
        self.terms = terms
        self._on_suspect = on_suspect
        self._channel = channel(announcement.address, terms.settings)
        self._exchange: Exchange | None = None
        self._closed = False

    @property
    def game(self) -> str:
        """The game it runs."""
        return self.announcement.info.game

    @property
    def draining(self) -> bool:
        """Whether it takes no new shards."""
        return self.announcement.draining

    def runs(self, rules: str | None) -> bool:
        """Whether it knows the rules version; None: any will do."""
        return rules is None or rules in self.announcement.info.rules

    def exchange(self) -> Exchange:
        """The stream to it, opened when there is none."""
        exchange = self._exchange
        if exchange is None or exchange.closed:
            stream = self._channel.stream_stream(f"{_SERVICE}/Exchange", None, None)(metadata=self.metadata)  # type: ignore[call-arg]
            terms = self.terms
            exchange = self._exchange = Exchange(
                self.id,
                stream,
                self.alive,
                self.distrust,
                most_outstanding=terms.most_outstanding,
                stall_s=terms.stall_s,
                limit_s=terms.limit_s,
            )
        return exchange

    def unary(self, method: str) -> grpc.aio.UnaryUnaryMultiCallable[bytes, bytes]:
        """A method of the engine that takes and gives bytes."""
        return self._channel.unary_unary(f"{_SERVICE}/{method}", None, None)

    def stream(self, method: str) -> grpc.aio.UnaryStreamMultiCallable[bytes, bytes]:
        """A method of the engine that takes bytes and streams bytes."""
        return self._channel.unary_stream(f"{_SERVICE}/{method}", None, None)

    async def alive(self) -> bool:
        """Whether it answers now, and nobody else at its address."""
        if self._closed:
            return False
        probe = self.unary("DescribeGame")(b"", metadata=self.metadata, timeout=self.terms.probe_s)
        return bool(await probe.code() is grpc.StatusCode.OK)

    def distrust(self, why: str) -> None:
        """Takes it out of the owners until it answers a probe."""
        if not self.suspect:
            self.suspect = True
            _log.warning("engine is suspect", engine=self.id, game=self.game, why=why)
            self._on_suspect(self)

    def trust(self) -> None:
        """Takes it back."""
        self.suspect = False
        _log.info("engine answers again", engine=self.id, game=self.game)

    async def close(self) -> None:
        """Ends the stream and the channel; what is outstanding fails with `ConnectionLost`."""
        self._closed = True
        if self._exchange is not None:
            await self._exchange.close()
        await self._channel.close(None)
