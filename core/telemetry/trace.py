"""W3C trace context: which call of which client a log line belongs to (https://www.w3.org/TR/trace-context/).

A call goes on in the trace that its caller names; where none is named one begins. Of a trace only its id, 16 bytes, is
kept: Hamle's processes write no spans, but pass the id on and name it in what they log.
"""

from __future__ import annotations

import re
from contextvars import ContextVar
from itertools import count
from secrets import token_bytes, token_hex

HEADER = "traceparent"
_FORM = re.compile(r"([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?")

_current = ContextVar("trace", default=b"")
_process = token_bytes(8)
_numbers = count(int.from_bytes(token_bytes(7)))


def current() -> bytes:
    """The trace id of the call that is being served; empty outside of one."""
    return _current.get()


def enter(header: str | None) -> None:
    """Goes on in the trace of a `traceparent` header; begins one when there is none, or no valid one.

    It holds until the end of the present task. Drawing an id from the OS would cost a move as much as its routing, so
    the ids of one process are its own random bytes and a number.
    """
    _current.set((parse(header) if header else b"") or _process + next(_numbers).to_bytes(8))


def parse(header: str) -> bytes:
    """The trace id of a `traceparent` header; empty when it is not a valid one."""
    form = _FORM.fullmatch(header)
    if form is None:
        return b""
    version, trace_id, span_id, _, more = form.groups()
    if version == "ff" or (version == "00" and more) or not int(trace_id, 16) or not int(span_id, 16):
        return b""
    return bytes.fromhex(trace_id)


def header(trace_id: bytes) -> str:
    """A `traceparent` header that names the trace, from a span of its own."""
    return f"00-{trace_id.hex()}-{token_hex(8)}-00"
