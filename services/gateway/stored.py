"""The gateway's way to the store: plain commands, and the atomic functions of one folder.

Thousands of calls may want the store at once, as after a restart. They share one connection: what comes while a batch
is under way goes as the next one. So no call waits for a free connection, and one that is given up harms no other.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from hamle.error.v1.error_pb2 import REASON_OVERLOADED
from redis.exceptions import ResponseError

from core.errors import Refused, shutting_down
from core.process.keeper import TaskKeeper
from core.store.client import Client
from core.store.errors import own_error, store_errors
from core.store.functions import load_functions
from core.store.round_trip import Command, ask_all

Argument = bytes | str | int
Call = tuple[Any, ...]
"""The arguments of `Stored.call`."""
_Waiting = tuple[Command, asyncio.Future[Any]]

MOST_WAITING: Final = 8192
_BATCH: Final = 512


class Stored:
    """A client with the functions of a folder loaded. Replies are those of RESP2, text as bytes.

    All methods raise `Refused` when the store cannot do its work, and OVERLOADED when too many commands wait for it.
    """

    def __init__(self, client: Client, library: str, folder: Path, names: Mapping[str, str]) -> None:
        self._client = client
        self._library = library
        self._folder = folder
        self._names = names
        self._waiting: deque[_Waiting] = deque()
        self._keeper = TaskKeeper()
        self._sending = False
        self._closed = False

    @classmethod
    async def open(cls, client: Client, library: str, folder: Path) -> Stored:
        """Loads the folder's functions. Raises `Refused` when the store is down or takes no writes."""
        return cls(client, library, folder, await load_functions(client, library, folder))

    async def call(self, function: str, keys: Sequence[str], *args: Argument) -> Any:
        """What the function of that file answers; loads it again where the store has lost it."""
        return (await self.call_all([(function, keys, *args)]))[0]

    async def call_all(self, calls: Sequence[Call]) -> list[Any]:
        """What each call answers; they go together, but are not one transaction."""
        try:
            return await self.do_all([self._command(*call) for call in calls])
        except ResponseError as error:
            if "function not found" not in str(error).lower():
                raise
        self._names = await load_functions(self._client, self._library, self._folder)
        return await self.do_all([self._command(*call) for call in calls])

    async def do(self, *command: Argument) -> Any:
        """What the store answers to one command."""
        return (await self.do_all([command]))[0]

    async def do_all(self, commands: Sequence[Command]) -> list[Any]:
        """What the store answers to each command; they go together, but are not one transaction."""
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
        with store_errors():
            return await asyncio.gather(*answers)

    async def close(self) -> None:
        """Refuses what waits and what comes: SHUTTING_DOWN. The client is the opener's."""
        self._closed = True
        await self._keeper.close()
        _refuse(self._waiting, shutting_down())

    def _command(self, function: str, keys: Sequence[str], *args: Argument) -> Command:
        return ("FCALL", self._names[function], len(keys), *keys, *args)

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


def _refuse(waiting: Iterable[_Waiting], error: BaseException) -> None:
    for _, answer in waiting:
        if not answer.done():
            answer.set_exception(own_error(error))
