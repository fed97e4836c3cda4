"""How a call that was not answered ends."""

from __future__ import annotations

import asyncio
import secrets
from typing import Any, Final

import grpc
from grpc.aio import AbortError
from hamle.error.v1.error_pb2 import Reason

from core.errors import Refused
from core.rpc.status import ending
from core.telemetry import trace
from core.telemetry.instruments import Count
from core.telemetry.logs import get_logger
from core.telemetry.metrics import INCIDENTS, RPC_REQUESTS

_BY_NUMBER: Final = {code.value[0]: code for code in grpc.StatusCode}
_IDS: Final = ("match_id", "handle", "request_id")
_SHOWN: Final = 64
"""Ids are no longer; what a caller sends in their place may be."""
_log = get_logger("hamle.rpc")


def succeeded(method: str, context: Any, answered: Count) -> None:
    """Counts a call that its servicer ended without an exception; `answered` is the counter of OK."""
    code = context.code()
    if code:
        _count(method, code)
    else:
        answered.value += 1


async def conclude(method: str, context: Any, error: BaseException, request: Any = None) -> None:
    """Ends the call with the status that tells of the error; call it in the `except` block, and raise after it.

    `request` is the call's, for the log; None: it was not parsed.

    Refused: the status of its reason. A call that its client left, that ran out of time or that the server ends while
    it stops: as it is. What the servicer ended itself by `context.abort`: as it is. All else is a fault of ours.
    """
    if isinstance(error, AbortError):
        return _count(method, context.code())
    if not isinstance(error, Exception | asyncio.CancelledError) or _cancelled(error):
        return _count(method, grpc.StatusCode.CANCELLED)
    refused = error if isinstance(error, Refused) else incident(method, error, request)
    if context.cancelled():
        return _count(method, grpc.StatusCode.CANCELLED)
    return await _refuse(method, context, refused)


def incident(method: str, error: BaseException, request: Any, **keys: Any) -> Refused:
    """Logs and counts the fault, and gives the refusal that tells the client the incident's id and nothing else.

    The line holds the traceback, the trace, the match, request id and handle that the request names, and the `keys`.
    """
    name = secrets.token_hex(6)
    known = {"trace_id": trace.current().hex()} | ids_of(request) | keys
    _log.error("call failed", method=method, incident=name, **known, exc_info=error)
    INCIDENTS.labels(method).inc()
    message = (
        f"the server failed; tell its operator the incident {name}, which the server's log explains, or retry with the "
        "same request id"
    )
    return Refused(Reason.REASON_INTERNAL, message, {"incident": name})


def ids_of(request: Any) -> dict[str, str]:
    """What a line of the log names a request by, as far as it has these fields and they are not empty."""
    found = {key: getattr(request, key, "") for key in _IDS}
    return {key: value[:_SHOWN] for key, value in found.items() if value}


def _cancelled(error: BaseException) -> bool:
    """True when the call itself was cancelled; a cancellation that leaked out of something it awaited is a fault."""
    task = asyncio.current_task()
    return isinstance(error, asyncio.CancelledError) and task is not None and task.cancelling() > 0


async def _refuse(method: str, context: Any, refused: Refused) -> None:
    code, details, trailers = ending(refused)
    _count(method, code)
    await context.abort(code, details, (*(context.trailing_metadata() or ()), *trailers))


def _count(method: str, code: Any) -> None:
    # grpcio's context gives the number, pygrpc-native's the member.
    known = code if isinstance(code, grpc.StatusCode) else _BY_NUMBER.get(code, grpc.StatusCode.UNKNOWN)
    RPC_REQUESTS.labels(method, known.name).inc()
