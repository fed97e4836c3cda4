"""HTTP/2 written by hand, for what no gRPC library would send."""

from __future__ import annotations

import asyncio
import struct
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Final

_PREFACE: Final = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
_DATA, _HEADERS, _SETTINGS, _PING = 0, 1, 4, 6
_END_STREAM, _END_HEADERS, _ACK = 1, 4, 1
_STREAM: Final = 1


def message(data: bytes, *, flag: int = 0, length: int | None = None) -> bytes:
    """A gRPC message as it stands in DATA frames, with a compression flag and a length that need not be true."""
    return struct.pack(">BI", flag, len(data) if length is None else length) + data


@asynccontextmanager
async def sent(port: int, path: str, body: bytes) -> AsyncIterator[None]:
    """A call with that body; within the block the server has read all of it or has hung up."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    headers = {
        ":method": "POST",
        ":scheme": "http",
        ":path": path,
        ":authority": "localhost",
        "te": "trailers",
        "content-type": "application/grpc",
    }
    block = b"".join(b"\x00" + _text(name) + _text(value) for name, value in headers.items())
    writer.write(_PREFACE + _frame(_SETTINGS, 0, 0, b""))
    writer.write(_frame(_HEADERS, _END_HEADERS, _STREAM, block))
    writer.write(_frame(_DATA, _END_STREAM, _STREAM, body))
    writer.write(_frame(_PING, 0, 0, bytes(8)))
    try:
        await _answered(reader)
        yield
    finally:
        writer.close()


async def _answered(reader: asyncio.StreamReader) -> None:
    with suppress(asyncio.IncompleteReadError, ConnectionError):
        while True:
            size, kind, flags = struct.unpack(">IBB", b"\x00" + await reader.readexactly(5))
            await reader.readexactly(4 + size)
            if kind == _PING and flags & _ACK:
                return


def _text(text: str) -> bytes:
    return bytes([len(text)]) + text.encode()


def _frame(kind: int, flags: int, stream: int, payload: bytes) -> bytes:
    return struct.pack(">I", len(payload))[1:] + struct.pack(">BBI", kind, flags, stream) + payload
