"""Reading a call's metadata on either server, without the cost of building what is not needed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from core.telemetry import trace


def pairs(context: Any) -> Iterable[tuple[str, str | bytes]]:
    """The call's metadata as (key, value) pairs; keys are in lower case."""
    call = getattr(context, "_call", None)
    if call is not None:
        return call.metadata  # type: ignore[no-any-return]
    return context.invocation_metadata() or ()


def value(context: Any, key: str) -> str | None:
    """The first text value of the key; None when the call carries none."""
    for name, found in pairs(context):
        if name == key:
            return found if isinstance(found, str) else None
    return None


def bearer(context: Any) -> str | None:
    """The token of `authorization: Bearer <token>`; empty when it is of another form, None when there is none."""
    header = value(context, "authorization")
    if header is None:
        return None
    scheme, _, token = header.partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""


def caller_trace(context: Any) -> trace.Trace | None:
    """The trace that the caller is in; None when he says nothing valid of it."""
    header = value(context, trace.HEADER)
    return None if header is None else trace.parse(header)
