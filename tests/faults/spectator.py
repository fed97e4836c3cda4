"""Who watches the bare stream: no SDK between him and what the gateways send, so nothing sent twice goes unseen."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import grpc
from hamle.match.v1 import match_pb2
from hamle.play.v1.play_pb2 import WatchMatchRequest, WatchMatchResponse
from hamle.play.v1.play_pb2_grpc import PlayServiceStub
from hamle_client.errors import HamleError, HashMismatch, LogLostTail, from_rpc
from hamle_client.retry import is_transient

from core.rpc.client import bearer_metadata, channel
from tests.faults.ledger import Ledger, Place, place_of
from tests.faults.world import World

PAUSE_S = 0.1
SILENCE_S = 45.0
LAST = ("secret_revealed", "cancelled")


class Spectator:
    """Watches matches through both gateways, by turns, from where he last was."""

    def __init__(self, world: World, addresses: Sequence[str], token: str) -> None:
        self._world = world
        self._channels = [channel(address) for address in addresses]
        self._stubs = [PlayServiceStub(connection) for connection in self._channels]
        self._metadata = bearer_metadata(token)
        self._turn = 0

    async def close(self) -> None:
        await asyncio.gather(*(connection.close(None) for connection in self._channels))

    async def follow(self, ledger: Ledger, name: str) -> None:
        """Watches the match to its end, also when the store loses a part of it."""
        while True:
            try:
                await self._to_the_end(ledger, ledger.watch(name))
                return
            except (LogLostTail, HashMismatch) as error:
                if not self._world.losing:
                    raise
                ledger.refused[name] = error.reason
            await ledger.go_on.wait()
            if ledger.abandoned:
                return

    async def _to_the_end(self, ledger: Ledger, told: list[Place]) -> None:
        while not (told and told[-1].kind in LAST):
            try:
                await self._stream(ledger, told)
            except HamleError as error:
                if not is_transient(error):
                    raise
            await asyncio.sleep(PAUSE_S)

    async def _stream(self, ledger: Ledger, told: list[Place]) -> None:
        self._turn += 1
        cursor = match_pb2.Cursor(seq=told[-1].seq, hash=told[-1].hash) if told else None
        request = WatchMatchRequest(match_id=ledger.match_id, cursor=cursor)
        call = self._stubs[self._turn % len(self._stubs)].WatchMatch(request, metadata=self._metadata)
        try:
            while True:
                answer = await asyncio.wait_for(call.read(), SILENCE_S)
                if not isinstance(answer, WatchMatchResponse):
                    return
                if answer.frame.HasField("step"):
                    event = answer.frame.step.told
                    told.append(place_of(event.event, event.cursor.seq, event.cursor.hash))
                    if answer.frame.step.HasField("view"):
                        self._look(ledger, answer.frame.step.view, told)
                    if told[-1].kind in LAST:
                        return
                elif answer.frame.HasField("view"):
                    self._look(ledger, answer.frame.view, told)
        except grpc.aio.AioRpcError as failure:
            raise from_rpc(failure) from failure
        except TimeoutError:
            self._world.totals.fail(f"the watch of match {ledger.match_id} was silent for {SILENCE_S:.0f} s")
        finally:
            call.cancel()
            await call.code()

    def _look(self, ledger: Ledger, view: match_pb2.View, told: list[Place]) -> None:
        """A view shows the state after the last event that was told."""
        if not told or (view.cursor.seq, view.cursor.hash) != told[-1][:2]:
            self._world.totals.fail(f"match {ledger.match_id}: a view at {view.cursor.seq} came after {told[-1:]}")
