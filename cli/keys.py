"""Single keys from a terminal."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

from prompt_toolkit.input import Input, create_input
from prompt_toolkit.keys import Keys

_NAMES = {
    Keys.Right: "next",
    " ": "next",
    "n": "next",
    Keys.Left: "back",
    "p": "back",
    Keys.Home: "first",
    "g": "first",
    Keys.End: "last",
    "G": "last",
    "q": "quit",
    Keys.Escape: "quit",
    Keys.ControlC: "quit",
    Keys.ControlD: "quit",
}


class KeyReader:
    """What is pressed, as commands: next, back, first, last, quit."""

    def __init__(self, queue: asyncio.Queue[str]) -> None:
        self._queue = queue

    async def next(self) -> str:
        """The next command."""
        return await self._queue.get()


@contextmanager
def read_keys(source: Input | None = None) -> Iterator[KeyReader]:
    """Reads keys while the block runs, without waiting for the end of a line."""
    given = source or create_input()
    queue: asyncio.Queue[str] = asyncio.Queue()

    def take() -> None:
        for press in given.read_keys():
            command = _NAMES.get(press.key)
            if command is not None:
                queue.put_nowait(command)
        if given.closed:
            queue.put_nowait("quit")

    with given.raw_mode(), given.attach(take):
        yield KeyReader(queue)
