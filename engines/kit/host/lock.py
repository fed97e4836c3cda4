"""A lock on one event loop that can also be taken without waiting."""

from __future__ import annotations

import asyncio
from collections import deque
from types import TracebackType


class Lock:
    """Those who wait get it in the order in which they came; `async with` takes it and gives it back.

    `asyncio.Lock` cannot be taken outside a coroutine, which the short way of a move is.
    """

    __slots__ = ("_held", "_waiting")

    def __init__(self) -> None:
        self._held = False
        self._waiting: deque[asyncio.Future[None]] = deque()

    def locked(self) -> bool:
        """Whether somebody holds it."""
        return self._held

    def try_acquire(self) -> bool:
        """Takes it if it is free."""
        if self._held:
            return False
        self._held = True
        return True

    async def acquire(self) -> None:
        """Takes it, once those who came before have given it back."""
        if self.try_acquire():
            return
        turn = asyncio.get_running_loop().create_future()
        self._waiting.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if not turn.cancelled():
                # It was handed over just before.
                self.release()
            raise

    def release(self) -> None:
        """Gives it back: whoever has waited longest holds it from now on."""
        assert self._held
        while self._waiting:
            turn = self._waiting.popleft()
            if not turn.done():
                turn.set_result(None)
                return
        self._held = False

    async def __aenter__(self) -> None:
        await self.acquire()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.release()
