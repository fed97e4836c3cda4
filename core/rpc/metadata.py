"""Reading a call's metadata on either server, without the cost of building what is not needed."""

from __future__ import annotations

from typing import Any

from core.telemetry import trace


def value(context: Any, key: str) -> str | None:
    """The first text value of the key, which is in lower case; None when the call carries none."""
    # pygrpc-native makes a named tuple of each pair for who asks by the public name.
    call = getattr(context, "_call", None)
    for name, found in context.invocation_metadata() or () if call is None else call.metadata:
        if name == key:
            return found if isinstance(found, str) else None
    return None


def bearer(context: Any) -> str | None:
    """The token of `authorization: Bearer <token>`; empty when it is of another form, None when there is none."""
    header = value(context, "authorization")
    if header is None:
        return None
    if header.startswith("Bearer "):
        return header[7:].strip()
    scheme, _, token = header.partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""


def enter_trace(context: Any) -> None:
    """Goes on in the trace that the caller is in, or begins one; `trace.current` tells it to the rest of the call."""
    trace.enter(value(context, trace.HEADER))
