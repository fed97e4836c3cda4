"""The batched stream's framing by hand, so that a call's body is encoded once and never read again on its way.

A `Call` is (id, timeout, everything else). "Everything else", the *payload*, stays the same when a call is tried again
elsewhere; id and timeout are put in front of it for each try. Field numbers come from the descriptors.
"""

from __future__ import annotations

from typing import Final

from hamle.engine.v1.engine_pb2 import Call, ExchangeRequest
from hamle.match.v1.match_pb2 import Frame
from hamle.play.v1.play_pb2 import WatchMatchResponse

from core.wireformat import DELIMITED, VARINT, delimited, tag, varint

_CALLS: Final = tag(ExchangeRequest.DESCRIPTOR, "calls")
_ID: Final = tag(Call.DESCRIPTOR, "id", VARINT)
_TIMEOUT: Final = tag(Call.DESCRIPTOR, "timeout_ms", VARINT)
_TRACE: Final = tag(Call.DESCRIPTOR, "trace")
_UNWATCH: Final = tag(Call.DESCRIPTOR, "unwatch", VARINT)

EXECUTE: Final = tag(Call.DESCRIPTOR, "execute")
GET_VIEW: Final = tag(Call.DESCRIPTOR, "get_view")
LIST_CHOICES: Final = tag(Call.DESCRIPTOR, "list_choices")
WATCH: Final = tag(Call.DESCRIPTOR, "watch")


def payload(kind: bytes, message: bytes, trace: bytes = b"") -> bytes:
    """A call without id and timeout: `kind` is one of the tags above, `message` the encoded message of that field."""
    return traced(kind + delimited(message), trace)


def traced(payload: bytes, trace: bytes) -> bytes:
    """The payload with the trace that the caller is in; empty: none."""
    return _TRACE + delimited(trace) + payload if trace else payload


def call(call_id: int, timeout_ms: int, payload: bytes) -> bytes:
    """One element of `ExchangeRequest.calls`, tag and length included; a batch is several of them joined."""
    return _CALLS + delimited(_ID + varint(call_id) + _TIMEOUT + varint(timeout_ms) + payload)


def unwatch(call_id: int) -> bytes:
    """The element of a batch that ends the watch of `call_id`; it has no answer."""
    return _CALLS + delimited(_UNWATCH + varint(call_id))


_FRAME: Final = tag(WatchMatchResponse.DESCRIPTOR, "frame")[0]
_KINDS: Final = {field.number << 3 | DELIMITED: field.name for field in Frame.DESCRIPTOR.oneofs_by_name["what"].fields}


def frame_kind(frame: bytes) -> str:
    """Which field of `Frame.what` an encoded `WatchMatchResponse` holds, without decoding it; empty: none is known.

    Encoders write the only field of each message first, so the third part of the bytes (tag, length, tag) names it.
    """
    try:
        if frame[0] != _FRAME:
            return ""
        at = 1
        while frame[at] & 128:
            at += 1
        return _KINDS.get(frame[at + 1], "")
    except IndexError:
        return ""
