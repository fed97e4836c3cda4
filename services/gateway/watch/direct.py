"""The shortest way of a frame to a watcher's stream: from the engine's push to the socket, with no task in between."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from pygrpc_native import STREAM_CLOSED as CLOSED
from pygrpc_native import STREAM_SENT as SENT

Send = Callable[[bytes], int]
"""Sends a frame at once and says `SENT`; else sends nothing, and says `CLOSED` or that the stream is full."""


def direct(context: Any) -> Send | None:
    """How to send on a call of the native server; None on grpcio, which knows only `await context.write`.

    It uses private names of pygrpc-native 0.5.0, as `core.rpc.native` does; a test fails when they are gone.
    """
    server, call = getattr(context, "_server", None), getattr(context, "_call", None)
    if server is None or call is None:
        return None
    return partial(server._front.stream_try_send, call.call_id)


__all__ = ["CLOSED", "SENT", "Send", "direct"]
