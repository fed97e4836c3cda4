"""The gateway's way to the store: plain commands, and the atomic functions of one folder.

Thousands of calls may want the store at once, as after a restart. They share one connection: what comes while a batch
is under way goes as the next one. So no call waits for a free connection, and one that is given up harms no other.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from hamle.error.v1.error_pb2 import REASON_OVERLOADED
from redis.exceptions import ResponseError

from core.errors import Refused
from core.store.client import Client
from core.store.errors import refusal_for, store_errors
from core.store.functions import load_functions

Argument = bytes | str | int
Command = Sequence[Argument]
Call = tuple[Any, ...]
"""The arguments of `Stored.call`."""

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
        self._waiting: deque[tuple[Command, asyncio.Future[Any]]] = deque()
        self._sending: asyncio.Task[None] | None = None

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
        if len(self._waiting) + len(commands) > MOST_WAITING:
            raise Refused(
                REASON_OVERLOADED, "too many calls wait for the store; try again after the delay", retry_after_ms=500
            )
        loop = asyncio.get_running_loop()
        answers: list[asyncio.Future[Any]] = [loop.create_future() for _ in commands]
        self._waiting.extend(zip(commands, answers, strict=True))
        if self._sending is None:
            self._sending = loop.create_task(self._send_all(), name="gateway-store")
        with store_errors():
            return await asyncio.gather(*answers)

    def _command(self, function: str, keys: Sequence[str], *args: Argument) -> Command:
        return ("FCALL", self._names[function], len(keys), *keys, *args)

    async def _send_all(self) -> None:
        try:
            while self._waiting:
                await self._send([self._waiting.popleft() for _ in range(min(_BATCH, len(self._waiting)))])
        finally:
            self._sending = None

    async def _send(self, batch: list[tuple[Command, asyncio.Future[Any]]]) -> None:
        """Sends a batch and hands out the answers; whatever happens, no caller is left waiting."""
        values: Sequence[Any]
        try:
            async with self._client.pipeline(transaction=False) as pipeline:
                for command, _ in batch:
                    pipeline.execute_command(*command)
                values = await pipeline.execute(raise_on_error=False)
        except Exception as error:
            values = [_alike(error) for _ in batch]
        except asyncio.CancelledError:
            for _, answer in [*batch, *self._waiting]:
                answer.cancel()
            raise
        for (_, answer), value in zip(batch, values, strict=True):
            if answer.done():
                continue
            if isinstance(value, Exception):
                answer.set_exception(value)
            else:
                answer.set_result(value)


def _alike(error: Exception) -> Exception:
    """The error as one of the callers is told it: a refusal of his own, as each is raised again elsewhere."""
    refusal = refusal_for(error)
    if refusal is None:
        return error
    return Refused(refusal.reason, refusal.message, refusal.metadata, retry_after_ms=refusal.retry_after_ms)
