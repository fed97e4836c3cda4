"""Why a call failed, as exceptions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import grpc
from google.rpc.error_details_pb2 import ErrorInfo, RetryInfo  # type: ignore[import-untyped]
from google.rpc.status_pb2 import Status  # type: ignore[import-untyped]

DOMAIN = "hamle"
_DETAILS = "grpc-status-details-bin"


class HamleError(Exception):
    """A call was refused, or could not be brought to an end.

    `reason` is a name of the closed list in `hamle/error/v1/error.proto` without its prefix (`ILLEGAL_MOVE`), empty
    when the failure did not come from Hamle (no connection, say). `message` is a sentence for people. `metadata` says
    for machines what was wrong and what was expected, under the names that the reason's comment lists.
    `retry_after` is in seconds, None when waiting does not help. `code` is the gRPC status code.
    """

    def __init__(
        self,
        message: str,
        *,
        reason: str = "",
        metadata: Mapping[str, str] | None = None,
        retry_after: float | None = None,
        code: grpc.StatusCode = grpc.StatusCode.UNKNOWN,
    ) -> None:
        super().__init__(f"{reason}: {message}" if reason else message)
        self.message = message
        self.reason = reason
        self.metadata = dict(metadata or {})
        self.retry_after = retry_after
        self.code = code


class NotSignedIn(HamleError):
    """The token is missing, invalid, over or revoked: sign in again."""


class MatchNotFound(HamleError):
    """No such match."""


class MatchFinished(HamleError):
    """The match is over."""


class NotYourTurn(HamleError):
    """Another seat must act first."""


class IllegalMove(HamleError):
    """The rules forbid the move; metadata: `move`, `rule`, `expected`."""


class StaleView(HamleError):
    """What the seat may do has changed since the state it decided on: look again and decide again."""


class HashMismatch(HamleError):
    """The server holds another history than the one seen here: watch again from the beginning."""


class LogLostTail(HamleError):
    """The server has forgotten events that it had acknowledged: play stops until an operator accepts the loss."""


class SeqGap(HamleError):
    """A watch skips events, and goes on to do so after reconnecting."""


_CLASSES: dict[str, type[HamleError]] = {
    "TOKEN_MISSING": NotSignedIn,
    "TOKEN_INVALID": NotSignedIn,
    "TOKEN_EXPIRED": NotSignedIn,
    "TOKEN_REVOKED": NotSignedIn,
    "MATCH_NOT_FOUND": MatchNotFound,
    "MATCH_FINISHED": MatchFinished,
    "NOT_YOUR_TURN": NotYourTurn,
    "ILLEGAL_MOVE": IllegalMove,
    "STALE_VIEW": StaleView,
    "HASH_MISMATCH": HashMismatch,
    "LOG_LOST_TAIL": LogLostTail,
}


def from_rpc(error: grpc.aio.AioRpcError) -> HamleError:
    """The exception for a failed gRPC call: its class follows from the reason in the status's `ErrorInfo`."""
    message = error.details() or f"the call ended with {error.code().name}"
    info, retry = _details(error.trailing_metadata())
    reason = info.reason if info.domain == DOMAIN else ""
    return _CLASSES.get(reason, HamleError)(
        message,
        reason=reason,
        metadata=info.metadata,
        retry_after=None if retry is None else retry.retry_delay.ToTimedelta().total_seconds(),
        code=error.code(),
    )


def _details(trailers: Iterable[Any]) -> tuple[ErrorInfo, RetryInfo | None]:
    info, retry = ErrorInfo(), None
    packed = next((value for key, value in trailers if key == _DETAILS), b"")
    status = Status.FromString(packed) if isinstance(packed, bytes) else Status()
    for detail in status.details:
        if detail.Is(ErrorInfo.DESCRIPTOR):
            detail.Unpack(info)
        elif detail.Is(RetryInfo.DESCRIPTOR):
            retry = RetryInfo()
            detail.Unpack(retry)
    return info, retry
