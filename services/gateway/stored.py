"""The gateway's way to the store: plain commands, and the atomic functions of one folder.

Thousands of calls may want the store at once, as after a restart. They share one connection: what comes while a batch
is under way goes as the next one. So no call waits for a free connection, and one that is given up harms no other.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Iterable, Sequence
from typing import Any, Final

from hamle.error.v1.error_pb2 import REASON_OVERLOADED

from core.errors import Refused, shutting_down
from core.process.keeper import TaskKeeper
from core.store.client import Client
from core.store.errors import own_error, store_errors
from core.store.functions import Call, Library, call_all, load
from core.store.round_trip import Command, ask_all

Argument = bytes | str | int
_Waiting = tuple[Command, asyncio.Future[Any]]

MOST_WAITING: Final = 8192
_BATCH: Final = 512


class Stored:
    """A client with the functions of a library loaded. Replies are those of RESP2, text as bytes.

    All methods raise `Refused` when the store cannot do its work, and OVERLOADED when too many commands wait for it.
    """

    def __init__(self, client: Client, library: Library) -> None:
        self._client = client
        self._library = library
        self._waiting: deque[_Waiting] = deque()
        self._keeper = TaskKeeper()
        self._sending = False
        self._closed = False

    @classmethod
    async def open(cls, client: Client, library: Library) -> Stored:
        """Loads the functions. Raises `Refused` when the store is down or takes no writes."""
        await load(client, library)
        return cls(client, library)

    async def call(self, function: str, keys: Sequence[str], *args: Argument) -> Any:
        """What the function of that file answers; loads it again where the store has lost it."""
        return (await self.call_all([Call(function, keys, args)]))[0]

    async def call_all(self, calls: Iterable[Call]) -> list[Any]:
        """What each call answers; they go together, but are not one transaction."""
        return _all_answers(await call_all(self._client, self._library, calls, self._ask))

    async def do(self, *command: Argument) -> Any:
        """What the store answers to one command."""
        return (await self.do_all([command]))[0]

    async def do_all(self, commands: Sequence[Command]) -> list[Any]:
        """What the store answers to each command; they go together, but are not one transaction."""
        return _all_answers(await self._ask(commands))

    async def close(self) -> None:
        """Refuses what waits and what comes: SHUTTING_DOWN. The client is the opener's."""
        self._closed = True
        await self._keeper.close()
        _refuse(self._waiting, shutting_down())

    async def _ask(self, commands: Sequence[Command]) -> list[Any]:
        if self._closed:
            raise shutting_down()
        if len(self._waiting) + len(commands) > MOST_WAITING:
            raise Refused(
                REASON_OVERLOADED, "too many calls wait for the store; try again after the delay", retry_after_ms=500
            )
        loop = asyncio.get_running_loop()
        answers: list[asyncio.Future[Any]] = [loop.create_future() for _ in commands]
        self._waiting.extend(zip(commands, answers, strict=True))
        if not self._sending:
            self._sending = True
            self._keeper.keep("gateway-store", self._send_all)
        return await asyncio.gather(*answers, return_exceptions=True)

    async def _send_all(self) -> None:
        batch: list[_Waiting] = []
        try:
            while self._waiting:
                batch = [self._waiting.popleft() for _ in range(min(_BATCH, len(self._waiting)))]
                await self._send(batch)
        except BaseException as error:
            # Whatever has happened, no caller is left waiting; none but `close` cancels.
            failure = shutting_down() if isinstance(error, asyncio.CancelledError) else error
            _refuse([*batch, *self._waiting], failure)
            self._waiting.clear()
            raise
        finally:
            self._sending = False

    async def _send(self, batch: Sequence[_Waiting]) -> None:
        values = await ask_all(self._client, [command for command, _ in batch])
        for (_, answer), value in zip(batch, values, strict=True):
            if answer.done():
                continue
            if isinstance(value, Exception):
                answer.set_exception(value)
            else:
                answer.set_result(value)


def _all_answers(answers: list[Any]) -> list[Any]:
    with store_errors():
        for answer in answers:
            if isinstance(answer, BaseException):
                raise answer
    return answers


def _refuse(waiting: Iterable[_Waiting], error: BaseException) -> None:
    for _, answer in waiting:
        if not answer.done():
            answer.set_exception(own_error(error))
