"""Makes calls until they are answered."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from typing import Protocol, TypeVar

import grpc

from hamle_client.attempts import Attempts
from hamle_client.connections import Connection, Pool
from hamle_client.errors import HamleError, from_rpc
from hamle_client.retry import Backoff, is_connection_loss, next_delay
from hamle_client.session import Session

Q = TypeVar("Q", contravariant=True)
A = TypeVar("A", covariant=True)


class Method(Protocol[Q, A]):
    """A unary method of a stub."""

    def __call__(self, request: Q, /, *, timeout: float, metadata: tuple[tuple[str, str], ...]) -> Awaitable[A]:
        """Calls it."""
        ...


def raise_if_closed() -> None:
    """Tells a call that was ended by closing the client from one whose task was cancelled: the former is an error."""
    task = asyncio.current_task()
    if task is not None and not task.cancelling():
        raise HamleError("the client was closed under the call", code=grpc.StatusCode.ABORTED) from None


class Caller:
    """Makes unary calls, again and again with the same request, until they are answered or patience ends.

    Every method that changes something carries a request id, so a repeat is done once. `timeout` bounds one attempt,
    `patience` all of them together; seconds.
    """

    def __init__(
        self,
        pool: Pool,
        session: Session,
        *,
        timeout: float,
        patience: float,
        backoff: Backoff | None = None,
        chance: random.Random | None = None,
    ) -> None:
        self.pool = pool
        self.session = session
        self.timeout = timeout
        self.patience = patience
        self.backoff = backoff or Backoff()
        self.chance = chance or random.Random()

    async def call(
        self,
        pick: Callable[[Connection], Method[Q, A]],
        request: Q,
        *,
        match_id: str = "",
        held: float = 0.0,
    ) -> A:
        """The answer to the call; `pick` takes the method from a connection. Raises HamleError.

        `held`: the server may hold each attempt so many seconds on purpose, which are not counted as waited.
        """
        clock = asyncio.get_running_loop().time
        attempts = Attempts(self)
        while True:
            connection = self.pool.for_calls()
            token = self.session.token
            attempted = clock()
            try:
                return await pick(connection)(
                    request, timeout=self.timeout + held, metadata=self.session.metadata(match_id)
                )
            except grpc.aio.AioRpcError as error:
                failure = error
            except asyncio.CancelledError:
                raise_if_closed()
                raise
            if from_rpc(failure).reason == "TOKEN_EXPIRED" and token is not self.session.token:
                continue
            await attempts.wait(failure, connection, excused=min(clock() - attempted, held))

    def delay(self, error: HamleError, *, retry: int, waited: float) -> float | None:
        """Seconds before the next attempt; None: the error is final."""
        return next_delay(
            error,
            retry=retry,
            waited=waited,
            patience=self.patience,
            backoff=self.backoff,
            jitter=self.chance.random(),
        )

    def note(self, error: HamleError, connection: Connection) -> None:
        """Leaves the connection's gateway when the error says that it does not answer."""
        if is_connection_loss(error):
            self.pool.failed(connection)
