"""EngineService: one method a question, each answered by the part that knows."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable
from typing import Any

from hamle.engine.v1 import engine_pb2, engine_pb2_grpc
from hamle.match.v1 import match_pb2

from core.errors import Refused, too_slow
from core.process.shielded import shielded
from core.telemetry import trace
from engines.kit.host.begin import Watches
from engines.kit.host.commands import Commands
from engines.kit.host.creation import Creation
from engines.kit.host.exchange import Exchange
from engines.kit.host.outbox import Outbox
from engines.kit.host.reads import Reads
from engines.kit.host.short_way import ShortWay


class EngineServicer(engine_pb2_grpc.EngineServiceServicer):
    """Answers for one game; see the comments of hamle/engine/v1/engine.proto."""

    def __init__(
        self,
        info: Callable[[], match_pb2.GameInfo],
        creation: Creation,
        commands: Commands,
        short_way: ShortWay,
        reads: Reads,
        watches: Watches,
    ) -> None:
        self._info = info
        self._creation = creation
        self._commands = commands
        self._short_way = short_way
        self._reads = reads
        self._watches = watches
        self._streams: set[Exchange | Outbox] = set()

    def close(self) -> None:
        """Ends all streams, once what waits in them is sent."""
        for stream in self._streams:
            stream.close()

    async def DescribeGame(self, request: Any, context: Any) -> Any:
        """What the engine runs."""
        return engine_pb2.DescribeGameResponse(info=self._info())

    async def CreateMatch(self, request: Any, context: Any) -> Any:
        """Creates a match."""
        return await shielded(self._creation.create(request))

    async def ForkMatch(self, request: Any, context: Any) -> Any:
        """Forks a match."""
        return await shielded(self._creation.fork(request))

    async def Execute(self, request: Any, context: Any) -> Any:
        """Does a command."""
        left_s = context.time_remaining()
        expires = None if left_s is None else time.monotonic() + left_s
        return await shielded(self._commands.execute(request, expires, trace.current()))

    async def GetMatch(self, request: Any, context: Any) -> Any:
        """The match."""
        return await self._reads.match(request.match_id, request.known)

    async def GetView(self, request: Any, context: Any) -> Any:
        """The view at the head."""
        return await self._reads.view(request.match_id, request.handle, request.known)

    async def ListChoices(self, request: Any, context: Any) -> Any:
        """Legal ways to go on."""
        return await self._reads.choices(request.match_id, request.handle, request.prefix, request.known)

    async def GetStep(self, request: Any, context: Any) -> Any:
        """A state of the past."""
        return await self._reads.step(request.match_id, request.handle, request.seq)

    async def ListEvents(self, request: Any, context: Any) -> Any:
        """Events with facts."""
        return await self._reads.events(request.match_id, request.handle, request.after_seq, request.limit)

    async def ExportMatch(self, request: Any, context: Any) -> AsyncIterator[Any]:
        """The log's records."""
        async for record in self._reads.export(request.match_id, request.handle):
            yield record

    async def PassDeadline(self, request: Any, context: Any) -> Any:
        """Does what a deadline has brought about."""
        return await shielded(self._commands.pass_deadline(request.match_id))

    async def AcceptTailLoss(self, request: Any, context: Any) -> Any:
        """Lets a match go on without lost events."""
        return await shielded(self._commands.accept_tail_loss(request))

    async def WatchMatch(self, request: Any, context: Any) -> None:  # type: ignore[override]
        """Follows a match: the frames of one watch, as the batched stream gives them to gateways."""
        outbox = Outbox()
        watched = await self._watches.begin(outbox, 1, request)
        self._streams.add(outbox)
        try:
            while (batch := await outbox.take()) is not None:
                for push in engine_pb2.ExchangeResponse.FromString(batch).pushes:
                    if push.HasField("rejection"):
                        raise Refused.from_proto(push.rejection)
                    await context.write(push.frame)
            if outbox.full:
                raise too_slow()
        finally:
            self._streams.discard(outbox)
            self._watches.end(*watched)

    async def Exchange(self, requests: Any, context: Any) -> None:  # type: ignore[override]
        """The batched stream of a gateway."""
        exchange = Exchange(self._commands, self._short_way, self._reads, self._watches)
        self._streams.add(exchange)
        try:
            await exchange.serve(requests, context)
        finally:
            self._streams.discard(exchange)
