"""What waits to go to one gateway: answers and frames, sent together while the last batch is under way."""

from __future__ import annotations

import asyncio
from typing import Final

from hamle.engine.v1 import engine_pb2

from core.errors import Refused
from core.log.types import Cursor

LIMIT_BYTES: Final = 64 << 20
"""More than this unsent means that the gateway does not read: its stream is ended, it resumes from its cursors."""

BATCH_BYTES: Final = 1 << 20


class Outbox:
    """A sink of frames and answers. `full` says that its reader is too slow to go on."""

    def __init__(self) -> None:
        self._answers: list[engine_pb2.Answer] = []
        self._pushes: list[engine_pb2.Push] = []
        self._bytes = 0
        self._filled = asyncio.Event()
        self.full = False
        self.closed = False

    def answer(self, id: int, response: bytes) -> None:
        """Queues the answer to a call."""
        self._answers.append(engine_pb2.Answer(id=id, response=response))
        self._add(len(response))

    def refuse(self, id: int, refused: Refused) -> None:
        """Queues the refusal of a call."""
        self._answers.append(engine_pb2.Answer(id=id, rejection=refused.to_proto()))
        self._add(256)

    def push(self, ids: list[int], cursor: Cursor, frame: bytes) -> None:
        """Queues a frame for watches."""
        push = engine_pb2.Push(ids=ids, frame=frame)
        if cursor.seq:
            push.cursor.seq = cursor.seq
            push.cursor.hash = cursor.hash
        self._pushes.append(push)
        self._add(len(frame))

    def end(self, ids: list[int], refused: Refused) -> None:
        """Queues the end of watches."""
        self._pushes.append(engine_pb2.Push(ids=ids, rejection=refused.to_proto()))
        self._add(256)

    def close(self) -> None:
        """Nothing more comes; what waits is still sent."""
        self.closed = True
        self._filled.set()

    def _add(self, size: int) -> None:
        self._bytes += size
        if self._bytes > LIMIT_BYTES:
            self.full = True
        self._filled.set()

    async def take(self) -> engine_pb2.ExchangeResponse | None:
        """Everything that waits, once something does; None when it is closed and empty."""
        while not self._answers and not self._pushes:
            if self.closed:
                return None
            self._filled.clear()
            await self._filled.wait()
        pushes, self._pushes = self._pushes, []
        answers, self._answers = self._answers, []
        size, self._bytes = self._bytes, 0
        if size > BATCH_BYTES:
            count = size = 0
            while count < len(pushes) and size < BATCH_BYTES:
                size += len(pushes[count].frame)
                count += 1
            self._pushes = pushes[count:]
            self._bytes = sum(len(push.frame) for push in self._pushes)
            del pushes[count:]
        return engine_pb2.ExchangeResponse(answers=answers, pushes=pushes)
