"""The attempts of one call, until it is answered or patience ends."""

from __future__ import annotations

import asyncio
from typing import Protocol

import grpc

from hamle_client.connections import Connection
from hamle_client.errors import HamleError, from_rpc


class Judge(Protocol):
    """Who decides about attempts that failed: a `Caller`."""

    def delay(self, error: HamleError, *, retry: int, waited: float) -> float | None:
        """Seconds before the next attempt; None: the error is final."""
        ...

    def note(self, error: HamleError, connection: Connection) -> None:
        """Takes in what the error says of the connection."""
        ...


class Attempts:
    """How often a call was tried, and since when.

    Patience counts from the making of this object, or from the first failure after `progress`.
    """

    def __init__(self, judge: Judge) -> None:
        self._judge = judge
        self._clock = asyncio.get_running_loop().time
        self._since: float | None = self._clock()
        self._retry = 0

    def progress(self) -> None:
        """Something was answered: what fails from now on is a trouble of its own."""
        self._since, self._retry = None, 0

    async def wait(self, failure: grpc.aio.AioRpcError, connection: Connection, *, excused: float = 0.0) -> None:
        """Waits for the next attempt. Raises HamleError when there is to be none.

        `excused`: so many seconds of the failed attempt are not counted as waited.
        """
        error, now = from_rpc(failure), self._clock()
        self._since = now if self._since is None else self._since + excused
        delay = self._judge.delay(error, retry=self._retry, waited=now - self._since)
        if delay is None:
            raise error from failure
        self._judge.note(error, connection)
        await asyncio.sleep(delay)
        self._retry += 1
