"""What waits to go to one gateway: answers and frames, sent together while the last batch is under way.

A batch is joined of elements that are bytes already: as messages each would be made, copied into the batch, and
encoded.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from hamle.engine.v1.engine_pb2 import Answer, ExchangeResponse, Push

from core.errors import Refused
from core.log.types import Cursor
from core.wireformat import VARINT, delimited, tag, varint
from engines.kit.told import cursor_bytes

LIMIT_BYTES: Final = 64 << 20
"""More than this unsent means that the gateway does not read: its stream is ended, it resumes from its cursors."""

BATCH_BYTES: Final = 1 << 20
"""About so much is sent at once; more makes a message of several, far below what a message may have."""

_ANSWERS: Final = tag(ExchangeResponse.DESCRIPTOR, "answers")
_ID: Final = tag(Answer.DESCRIPTOR, "id", VARINT)
_RESPONSE: Final = tag(Answer.DESCRIPTOR, "response")
_REFUSED: Final = tag(Answer.DESCRIPTOR, "rejection")

_PUSHES: Final = tag(ExchangeResponse.DESCRIPTOR, "pushes")
_IDS: Final = tag(Push.DESCRIPTOR, "ids")
_CURSOR: Final = tag(Push.DESCRIPTOR, "cursor")
_FRAME: Final = tag(Push.DESCRIPTOR, "frame")
_ENDED: Final = tag(Push.DESCRIPTOR, "rejection")


class Outbox:
    """A sink of frames and answers. `full` says that its reader is too slow to go on: all is dropped, nothing taken."""

    def __init__(self) -> None:
        self._answers: list[bytes] = []
        self._pushes: list[bytes] = []
        self._bytes = 0
        self._filled = asyncio.Event()
        self.full = False
        self.closed = False

    def answer(self, id: int, response: bytes) -> None:
        """Queues the answer to a call."""
        answer = _ANSWERS + delimited(_ID + varint(id) + _RESPONSE + delimited(response))
        self._add(self._answers, answer, len(response))

    def refuse(self, id: int, refused: Refused) -> None:
        """Queues the refusal of a call."""
        rejection = refused.to_proto().SerializeToString()
        self._add(self._answers, _ANSWERS + delimited(_ID + varint(id) + _REFUSED + delimited(rejection)), 256)

    def push(self, ids: Sequence[int], cursor: Cursor, frame: bytes) -> None:
        """Queues a frame for watches."""
        place = _CURSOR + delimited(cursor_bytes(cursor)) if cursor.seq else b""
        push = b"".join((_watches(tuple(ids)), place, _FRAME, varint(len(frame)), frame))
        self._add(self._pushes, _PUSHES + delimited(push), len(frame))

    def end(self, ids: Sequence[int], refused: Refused) -> None:
        """Queues the end of watches."""
        rejection = refused.to_proto().SerializeToString()
        self._add(self._pushes, _PUSHES + delimited(_watches(tuple(ids)) + _ENDED + delimited(rejection)), 256)

    def close(self) -> None:
        """Nothing more comes; what waits is still sent."""
        self.closed = True
        self._filled.set()

    def _add(self, waiting: list[bytes], element: bytes, size: int) -> None:
        if self.full:
            return
        if not self._answers and not self._pushes:
            self._filled.set()
        waiting.append(element)
        self._bytes += size
        if self._bytes > LIMIT_BYTES:
            # Whoever writes may be stuck for long, and could not drop it.
            self.full = True
            self._answers, self._pushes, self._bytes = [], [], 0

    async def take(self) -> bytes | None:
        """What waits, as the bytes of an ExchangeResponse, once something does: answers before frames.

        None: nothing more comes, because it is closed and empty, or full.
        """
        while not self._answers and not self._pushes:
            if self.closed or self.full:
                return None
            self._filled.clear()
            await self._filled.wait()
        pushes, self._pushes = self._pushes, []
        answers, self._answers = self._answers, []
        size, self._bytes = self._bytes, 0
        if size > BATCH_BYTES:
            count, size = _fitting(answers, BATCH_BYTES)
            self._answers = answers[count:]
            del answers[count:]
            count, _ = _fitting(pushes, BATCH_BYTES - size)
            self._pushes = pushes[count:]
            del pushes[count:]
            self._bytes = sum(map(len, self._answers)) + sum(map(len, self._pushes))
        return b"".join(answers + pushes)


def _fitting(elements: Sequence[bytes], room: int) -> tuple[int, int]:
    """How many of the elements fill the room, the last one perhaps beyond it; and their bytes."""
    count = size = 0
    while count < len(elements) and size < room:
        size += len(elements[count])
        count += 1
    return count, size


@lru_cache(4096)
def _watches(ids: tuple[int, ...]) -> bytes:
    """The field that names the watches: the same for every event of a match."""
    return _IDS + delimited(b"".join(map(varint, ids)))
