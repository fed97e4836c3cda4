"""Refusals as a client gets them, held against what `error.proto` promises."""

from __future__ import annotations

from collections.abc import Awaitable, Mapping
from typing import Any, NamedTuple

import grpc
import pytest
from google.rpc.error_details_pb2 import ErrorInfo, RetryInfo  # type: ignore[import-untyped]
from google.rpc.status_pb2 import Status  # type: ignore[import-untyped]

from tests.e2e.bad_input.reasons import TOLD


class Refusal(NamedTuple):
    reason: str
    message: str
    metadata: Mapping[str, str]
    retry_ms: int
    trailers: Mapping[str, str | bytes]


async def refused(call: Awaitable[Any]) -> Refusal:
    """The refusal in which the call ends, of the form that all have."""
    with pytest.raises(grpc.RpcError) as failed:
        await call
    return refusal_of(failed.value)


def refusal_of(error: Any) -> Refusal:
    """The refusal that a failed call tells of, on either kind of channel. Fails when it is not of the promised form."""
    trailers = dict(error.trailing_metadata() or ())
    said = f"{error.code()}: {error.details()}"
    assert "grpc-status-details-bin" in trailers, said
    status = Status.FromString(trailers["grpc-status-details-bin"])
    info, retry = ErrorInfo(), RetryInfo()
    assert status.details[0].Unpack(info), said
    for detail in status.details[1:]:
        assert detail.Unpack(retry), said
    told = TOLD[info.reason]
    assert info.domain == "hamle"
    assert (error.code(), status.code) == (told.code, told.code.value[0]), said
    assert status.message == error.details()
    assert told.metadata <= set(info.metadata), f"{info.reason} promises {told.metadata}: {said}"
    assert retry.retry_delay.ToMilliseconds() > 0 or not told.retry, said
    # A reason, and beside what was wrong a word of what to do.
    assert len(status.message) >= 30, said
    return Refusal(info.reason, status.message, dict(info.metadata), retry.retry_delay.ToMilliseconds(), trailers)
