"""The gateway's way to the store: plain commands, and the atomic functions of one folder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from redis.exceptions import ResponseError

from core.store.client import Client
from core.store.errors import store_errors
from core.store.functions import load_functions

Argument = bytes | str | int
Command = Sequence[Argument]
Call = tuple[Any, ...]
"""The arguments of `Stored.call`."""


class Stored:
    """A client with the functions of a folder loaded. Replies are bytes; what the store cannot do is a `Refused`."""

    def __init__(self, client: Client, library: str, folder: Path, names: Mapping[str, str]) -> None:
        self._client = client
        self._library = library
        self._folder = folder
        self._names = names

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
        with store_errors():
            return await self._client.execute_command(*command)

    def _command(self, function: str, keys: Sequence[str], *args: Argument) -> Command:
        return ("FCALL", self._names[function], len(keys), *keys, *args)

    async def do_all(self, commands: Sequence[Command]) -> list[Any]:
        """What the store answers to each command; they go together, but are not one transaction."""
        if len(commands) < 2:
            return [await self.do(*command) for command in commands]
        with store_errors():
            async with self._client.pipeline(transaction=False) as pipeline:
                for command in commands:
                    pipeline.execute_command(*command)
                return await pipeline.execute()
