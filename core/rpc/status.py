"""`Refused` as a gRPC status, and back.

The status's details hold a `google.rpc.ErrorInfo` first, and a `google.rpc.RetryInfo` where waiting helps. Clients take
at most some KiB of trailers, so long texts are cut.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

import grpc
from google.protobuf.message import DecodeError
from google.rpc.error_details_pb2 import ErrorInfo, RetryInfo  # type: ignore[import-untyped]
from google.rpc.status_pb2 import Status  # type: ignore[import-untyped]
from hamle.error.v1.error_pb2 import Reason

from core.errors import Refused

DOMAIN: Final = "hamle"
DETAILS_KEY: Final = "grpc-status-details-bin"
_MESSAGE_BYTES = 1000
_VALUE_BYTES = 300
_VALUES = 8

_REASONS_BY_CODE: Final[Mapping[grpc.StatusCode, tuple[Reason.ValueType, ...]]] = {
    grpc.StatusCode.UNAUTHENTICATED: (
        Reason.REASON_TOKEN_MISSING,
        Reason.REASON_TOKEN_INVALID,
        Reason.REASON_TOKEN_EXPIRED,
        Reason.REASON_TOKEN_REVOKED,
    ),
    grpc.StatusCode.PERMISSION_DENIED: (
        Reason.REASON_SCOPE_MISSING,
        Reason.REASON_INVITE_INVALID,
        Reason.REASON_NOT_YOUR_SEAT,
    ),
    grpc.StatusCode.NOT_FOUND: (
        Reason.REASON_MATCH_NOT_FOUND,
        Reason.REASON_GAME_UNKNOWN,
        Reason.REASON_TICKET_NOT_FOUND,
    ),
    grpc.StatusCode.INVALID_ARGUMENT: (
        Reason.REASON_OPTION_INVALID,
        Reason.REASON_ILLEGAL_MOVE,
        Reason.REASON_REQUEST_ID_REUSED,
        Reason.REASON_FIELD_INVALID,
        Reason.REASON_BYTES_UNPARSABLE,
        Reason.REASON_PAGE_TOKEN_INVALID,
    ),
    grpc.StatusCode.FAILED_PRECONDITION: (
        Reason.REASON_MATCH_FULL,
        Reason.REASON_MATCH_FINISHED,
        Reason.REASON_MATCH_NOT_STARTED,
        Reason.REASON_MATCH_STARTED,
        Reason.REASON_SEATS_MISSING,
        Reason.REASON_SEAT_TAKEN,
        Reason.REASON_MATERIAL_MISSING,
        Reason.REASON_MATERIAL_INVALID,
        Reason.REASON_NOT_YOUR_TURN,
        Reason.REASON_NOTHING_TO_UNDO,
        Reason.REASON_RESIGN_FORBIDDEN,
        Reason.REASON_MATCH_NOT_FINISHED,
        Reason.REASON_NO_TAIL_LOST,
        Reason.REASON_STORE_UNFIT,
    ),
    grpc.StatusCode.ABORTED: (Reason.REASON_STALE_VIEW, Reason.REASON_HASH_MISMATCH),
    grpc.StatusCode.DATA_LOSS: (Reason.REASON_LOG_LOST_TAIL,),
    grpc.StatusCode.OUT_OF_RANGE: (Reason.REASON_SEQ_OUT_OF_RANGE,),
    grpc.StatusCode.RESOURCE_EXHAUSTED: (
        Reason.REASON_MESSAGE_TOO_LARGE,
        Reason.REASON_RATE_LIMITED,
        Reason.REASON_OVERLOADED,
        Reason.REASON_WATCHER_TOO_SLOW,
        Reason.REASON_STORE_OUT_OF_MEMORY,
    ),
    grpc.StatusCode.UNAVAILABLE: (
        Reason.REASON_RULES_UNAVAILABLE,
        Reason.REASON_SHUTTING_DOWN,
        Reason.REASON_ENGINE_UNAVAILABLE,
        Reason.REASON_STORE_DOWN,
        Reason.REASON_STORE_READ_ONLY,
    ),
    grpc.StatusCode.DEADLINE_EXCEEDED: (Reason.REASON_DEADLINE_EXPIRED,),
    grpc.StatusCode.INTERNAL: (Reason.REASON_LOG_CORRUPT, Reason.REASON_INTERNAL),
}

CODES: Final[Mapping[Reason.ValueType, grpc.StatusCode]] = MappingProxyType(
    {reason: code for code, reasons in _REASONS_BY_CODE.items() for reason in reasons}
)
"""The gRPC code of each reason, as the comments of `hamle/error/v1/error.proto` name it."""

Metadata = tuple[tuple[str, str | bytes], ...]


class Ending(NamedTuple):
    """How a refused call ends: arguments of `context.abort`."""

    code: grpc.StatusCode
    details: str
    trailing_metadata: Metadata


def ending(refused: Refused) -> Ending:
    """The status that tells a client of the refusal."""
    code = CODES.get(refused.reason, grpc.StatusCode.INTERNAL)
    message = _cut(refused.message, _MESSAGE_BYTES)
    status = Status(code=code.value[0], message=message)
    metadata = {key: _cut(value, _VALUE_BYTES) for key, value in list(refused.metadata.items())[:_VALUES]}
    status.details.add().Pack(ErrorInfo(reason=refused.name, domain=DOMAIN, metadata=metadata))
    if refused.retry_after_ms > 0:
        retry = RetryInfo()
        retry.retry_delay.FromMilliseconds(refused.retry_after_ms)
        status.details.add().Pack(retry)
    return Ending(code, message, ((DETAILS_KEY, status.SerializeToString()),))


def refusal(trailing_metadata: Iterable[tuple[str, str | bytes]] | None) -> Refused | None:
    """The refusal that a call's trailers tell of; None when they tell of none of Hamle's."""
    for key, value in trailing_metadata or ():
        if key == DETAILS_KEY and isinstance(value, bytes):
            try:
                return _read(Status.FromString(value))
            except DecodeError:
                return None
    return None


def _read(status: Status) -> Refused | None:
    info, retry = ErrorInfo(), RetryInfo()
    for detail in status.details:
        if not detail.Unpack(info):
            detail.Unpack(retry)
    if info.domain != DOMAIN:
        return None
    reason = dict(Reason.items()).get(f"REASON_{info.reason}", Reason.REASON_UNSPECIFIED)
    return Refused(reason, status.message, info.metadata, retry_after_ms=retry.retry_delay.ToMilliseconds())


def _cut(text: str, size: int) -> str:
    if len(text) * 4 <= size:
        return text
    data = text.encode()
    return text if len(data) <= size else data[: size - 3].decode(errors="ignore") + "..."
