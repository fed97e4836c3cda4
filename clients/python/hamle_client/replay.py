"""Studying a match: any state of the past, its events, its log, forks."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator

import grpc
from hamle.replay.v1 import replay_pb2

from hamle_client.attempts import Attempts
from hamle_client.caller import Caller, raise_if_closed
from hamle_client.told import Cursor, Material, Record, Step
from hamle_client.types import Types


class Replay:
    """The past of one match. What may be seen of a live one is what the caller's seat, or the public, may see."""

    def __init__(self, caller: Caller, types: Types, match_id: str) -> None:
        self._caller = caller
        self._types = types
        self.match_id = match_id
        self.head = Cursor()
        """Head of the log when `step` was last asked."""

    async def step(self, seq: int = 0) -> Step:
        """Event `seq`, what it did, and the state after it; 0: the last one. `view` is None before the start."""
        request = replay_pb2.GetStepRequest(match_id=self.match_id, seq=seq)
        answer = await self._caller.call(lambda c: c.replay.GetStep, request, match_id=self.match_id)
        self.head = Cursor.from_proto(answer.head)
        told = answer.step.told
        view = await self._types.view(answer.step.view) if answer.step.HasField("view") else None
        return Step(Cursor.from_proto(told.cursor), told.event, tuple(told.facts), view)

    async def events(self, after: int = 0, *, page_size: int = 500) -> AsyncGenerator[Step, None]:
        """The events after seq `after` with what they did, without views, up to the head."""
        page = ""
        while True:
            request = replay_pb2.ListEventsRequest(
                match_id=self.match_id, after_seq=after, page_size=page_size, page_token=page
            )
            answer = await self._caller.call(lambda c: c.replay.ListEvents, request, match_id=self.match_id)
            for told in answer.events:
                yield Step(Cursor.from_proto(told.cursor), told.event, tuple(told.facts), None)
            page = answer.next_page_token
            if not page:
                return

    async def export(self) -> AsyncGenerator[Record, None]:
        """The log's records: raw bytes and hashes of a finished match, redacted events of a live one."""
        attempts, last = Attempts(self._caller), 0
        attempts.progress()
        while True:
            connection = self._caller.pool.for_calls()
            call = connection.replay.ExportMatch(
                replay_pb2.ExportMatchRequest(match_id=self.match_id),
                metadata=self._caller.session.metadata(self.match_id),
            )
            try:
                async for answer in call:
                    if answer.cursor.seq > last:
                        last = answer.cursor.seq
                        attempts.progress()
                        materials = tuple(Material(each.option, each.value, each.data) for each in answer.materials)
                        yield Record(
                            last, answer.event, answer.cursor.hash, answer.canonical, answer.redacted, materials
                        )
                return
            except grpc.aio.AioRpcError as error:
                failure = error
            except asyncio.CancelledError:
                raise_if_closed()
                raise
            finally:
                call.cancel()
                await call.code()
            await attempts.wait(failure, connection)
