"""A load generator's gRPC client: HTTP/2 as far as a measurement needs it, and cheap enough not to be what is measured.

A Python gRPC client costs as much CPU for a move as all of Hamle does. This one writes header blocks that were encoded
once, and of what comes back it looks at message boundaries and at how a call ended. It trusts the server it measures.
Frames and flow control: RFC 9113; header blocks: RFC 7541, without a dynamic table; messages: gRPC over HTTP/2.
"""

from __future__ import annotations

import asyncio
import struct
from collections.abc import Callable
from typing import Final, cast

DATA, HEADERS, RST_STREAM, SETTINGS, PING, GOAWAY, WINDOW_UPDATE = 0, 1, 3, 4, 6, 7, 8
END_STREAM, ACK, END_HEADERS = 1, 1, 4

_PREFACE: Final = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
_LARGEST_WINDOW: Final = 2**31 - 1
_FIRST_WINDOW: Final = 65_535
_CANCEL: Final = 8
_frame_head = struct.Struct(">HBBBI")
_message_head = struct.Struct(">BI")

OnMessage = Callable[[bytes], None]
OnEnd = Callable[[bool], None]


def _frame(kind: int, flags: int, stream: int, payload: bytes) -> bytes:
    size = len(payload)
    return _frame_head.pack(size >> 8, size & 0xFF, kind, flags, stream) + payload


def _text(value: bytes) -> bytes:
    """A string literal, not Huffman-coded: its length as an integer with a prefix of 7 bits, then itself."""
    size = len(value)
    if size < 127:
        return bytes([size]) + value
    head = bytearray([127])
    size -= 127
    while size >= 128:
        head.append(size % 128 + 128)
        size //= 128
    head.append(size)
    return bytes(head) + value


def header_block(path: str, authority: str, token: str) -> bytes:
    """The header block of a call: every field is indexed in the static table or a literal that is not to be indexed."""
    return b"".join(
        [
            b"\x83\x86",
            b"\x04" + _text(path.encode()),
            b"\x01" + _text(authority.encode()),
            b"\x0f\x10" + _text(b"application/grpc"),
            b"\x00" + _text(b"te") + _text(b"trailers"),
            (b"\x0f\x08" + _text(f"Bearer {token}".encode())) if token else b"",
        ]
    )


class _Stream:
    __slots__ = ("buffer", "messages", "on_end", "on_message")

    def __init__(self, on_message: OnMessage, on_end: OnEnd) -> None:
        self.on_message = on_message
        self.on_end = on_end
        self.buffer = b""
        self.messages = 0


class Connection(asyncio.Protocol):
    """One connection. `call` starts a call; its callbacks get each message, and whether it ended well."""

    def __init__(self) -> None:
        self.lost: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._streams: dict[int, _Stream] = {}
        self._next = 1
        self._buffer = b""
        self._window = _FIRST_WINDOW
        self._waiting: list[bytes] = []
        self._out: list[bytes] = []
        self._taken = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        # uvloop's transports are not asyncio's by class.
        self._transport = cast(asyncio.Transport, transport)
        # HEADER_TABLE_SIZE 0, ENABLE_PUSH 0, INITIAL_WINDOW_SIZE as large as there is.
        settings = struct.pack(">HIHIHI", 1, 0, 2, 0, 4, _LARGEST_WINDOW)
        window = struct.pack(">I", _LARGEST_WINDOW - _FIRST_WINDOW)
        self._transport.write(_PREFACE + _frame(SETTINGS, 0, 0, settings) + _frame(WINDOW_UPDATE, 0, 0, window))

    def call(self, block: bytes, message: bytes, on_message: OnMessage, on_end: OnEnd) -> int:
        """Starts a call with its one request message; gives what `cancel` takes."""
        stream = self._next
        self._next += 2
        self._streams[stream] = _Stream(on_message, on_end)
        data = _message_head.pack(0, len(message)) + message
        self._window -= len(data)
        frames = _frame(HEADERS, END_HEADERS, stream, block) + _frame(DATA, END_STREAM, stream, data)
        if self._window < 0:
            self._waiting.append(frames)
        else:
            self._write(frames)
        return stream

    def cancel(self, stream: int) -> None:
        """Leaves a call; its callbacks hear nothing more."""
        if self._streams.pop(stream, None) is not None:
            self._write(_frame(RST_STREAM, 0, stream, struct.pack(">I", _CANCEL)))

    def _write(self, frames: bytes) -> None:
        if not self._out:
            asyncio.get_running_loop().call_soon(self._flush)
        self._out.append(frames)

    def _flush(self) -> None:
        out, self._out = self._out, []
        self._transport.write(b"".join(out))

    def data_received(self, data: bytes) -> None:
        buffer = self._buffer + data if self._buffer else data
        at, end = 0, len(buffer)
        unpack = _frame_head.unpack_from
        while end - at >= 9:
            high, low, kind, flags, stream = unpack(buffer, at)
            size = high << 8 | low
            if end - at < 9 + size:
                break
            at += 9
            if kind == DATA:
                self._data(stream, buffer[at : at + size], flags)
            else:
                self._other(kind, flags, stream, buffer[at : at + size])
            at += size
        self._buffer = buffer[at:]

    def _data(self, number: int, payload: bytes, flags: int) -> None:
        self._taken += len(payload)
        if self._taken > 1 << 20:
            self._write(_frame(WINDOW_UPDATE, 0, 0, struct.pack(">I", self._taken)))
            self._taken = 0
        stream = self._streams.get(number)
        if stream is None:
            return
        buffer = stream.buffer + payload if stream.buffer else payload
        at, end = 0, len(buffer)
        while end - at >= 5:
            _, size = _message_head.unpack_from(buffer, at)
            if end - at < 5 + size:
                break
            stream.messages += 1
            stream.on_message(buffer[at + 5 : at + 5 + size])
            at += 5 + size
        stream.buffer = buffer[at:]
        if flags & END_STREAM:
            self._end(number, ok=False)

    def _other(self, kind: int, flags: int, stream: int, payload: bytes) -> None:
        if kind == HEADERS:
            if flags & END_STREAM:
                # A call that fails ends with trailers alone, one that is answered with trailers after its message.
                found = self._streams.get(stream)
                self._end(stream, ok=found is not None and found.messages > 0)
        elif kind == RST_STREAM:
            self._end(stream, ok=False)
        elif kind == SETTINGS and not flags & ACK:
            self._write(_frame(SETTINGS, ACK, 0, b""))
        elif kind == PING and not flags & ACK:
            self._write(_frame(PING, ACK, 0, payload))
        elif kind == WINDOW_UPDATE and stream == 0:
            self._window += struct.unpack(">I", payload)[0]
            if self._window >= 0 and self._waiting:
                waiting, self._waiting = self._waiting, []
                self._write(b"".join(waiting))

    def _end(self, stream: int, *, ok: bool) -> None:
        found = self._streams.pop(stream, None)
        if found is not None:
            found.on_end(ok)

    def connection_lost(self, exc: Exception | None) -> None:
        for stream in list(self._streams):
            self._end(stream, ok=False)
        if not self.lost.done():
            self.lost.set_result(None)

    def close(self) -> None:
        """Hangs up."""
        self._transport.close()


async def connect(address: str) -> Connection:
    """A connection to `host:port`."""
    host, _, port = address.rpartition(":")
    _, connection = await asyncio.get_running_loop().create_connection(Connection, host, int(port))
    return connection
