"""When a failed call is made again, and after how long. Pure: time and chance are arguments."""

from __future__ import annotations

from typing import NamedTuple

import grpc

from hamle_client.errors import HamleError

_LOST = frozenset({grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED, grpc.StatusCode.CANCELLED})
_BROKEN_STREAM = ("RST_STREAM", "GOAWAY", "Stream removed", "Connection reset", "Internal error from Core")
"""Signs that no server has answered. The last is what grpc says where a stream ends before all was asked on it."""


class Backoff(NamedTuple):
    """Exponential backoff with full jitter: before retry n (from 0) a uniform part of `first * 2**n`, at most `most`.

    A tenth of the ceiling is always waited, so that no client spins. Seconds.
    """

    first: float = 0.05
    most: float = 1.5

    def delay(self, retry: int, jitter: float) -> float:
        """How long to wait; `jitter` is a uniform number in [0, 1)."""
        ceiling = min(self.most, self.first * 2.0 ** min(retry, 32))
        return ceiling * (0.1 + 0.9 * jitter)


def is_transient(error: HamleError) -> bool:
    """Whether the same call may succeed later: the connection or the server was lost, or it asked to wait.

    CANCELLED counts: servers shed bursts with it, and a call that the caller itself cancels never gets here.
    """
    if error.code in _LOST or error.retry_after is not None:
        return True
    broken = error.code in (grpc.StatusCode.INTERNAL, grpc.StatusCode.UNKNOWN) and not error.reason
    return broken and any(sign in error.message for sign in _BROKEN_STREAM)


def is_connection_loss(error: HamleError) -> bool:
    """Whether no server of Hamle has answered, or it is going down, so that another address may do better."""
    return is_transient(error) and error.reason in ("", "SHUTTING_DOWN")


def next_delay(
    error: HamleError, *, retry: int, waited: float, patience: float, backoff: Backoff, jitter: float
) -> float | None:
    """Seconds before retry number `retry` (from 0); None when the error is final.

    `waited` is the time since the first attempt, `patience` how long the caller is ready to wait in all.
    """
    if not is_transient(error):
        return None
    delay = max(backoff.delay(retry, jitter), error.retry_after or 0.0)
    return delay if waited + delay <= patience else None
