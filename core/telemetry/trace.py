"""W3C trace context: which call of which client a log line belongs to (https://www.w3.org/TR/trace-context/)."""

from __future__ import annotations

import re
from collections.abc import Callable
from secrets import token_bytes
from typing import NamedTuple

HEADER = "traceparent"
TRACE_ID_BYTES = 16
_SPAN_ID_BYTES = 8
_FORM = re.compile(r"([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?")


class Trace(NamedTuple):
    """A trace id (16 bytes), the id of the span that calls (8 bytes), and whether the caller records it."""

    trace_id: bytes
    span_id: bytes
    sampled: bool = False

    def header(self) -> str:
        """The value of the header `traceparent`."""
        return f"00-{self.trace_id.hex()}-{self.span_id.hex()}-{'01' if self.sampled else '00'}"


def parse(header: str) -> Trace | None:
    """The trace of a `traceparent` header; None when it is not a valid one."""
    form = _FORM.fullmatch(header)
    if form is None:
        return None
    version, trace_id, span_id, flags, more = form.groups()
    if version == "ff" or (version == "00" and more) or not int(trace_id, 16) or not int(span_id, 16):
        return None
    return Trace(bytes.fromhex(trace_id), bytes.fromhex(span_id), bool(int(flags, 16) & 1))


def start(random: Callable[[int], bytes] = token_bytes) -> Trace:
    """A new trace."""
    return Trace(_not_zero(TRACE_ID_BYTES, random), _not_zero(_SPAN_ID_BYTES, random))


def child(trace: Trace, random: Callable[[int], bytes] = token_bytes) -> Trace:
    """The same trace, from a new span."""
    return trace._replace(span_id=_not_zero(_SPAN_ID_BYTES, random))


def _not_zero(size: int, random: Callable[[int], bytes]) -> bytes:
    while not any(drawn := random(size)):
        pass
    return drawn
