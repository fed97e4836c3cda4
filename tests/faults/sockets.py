"""What is seen of a connection from its end."""

from __future__ import annotations

import asyncio
from contextlib import suppress


async def ended(reader: asyncio.StreamReader) -> None:
    """Reads until the connection is closed or cut. Raises TimeoutError when nothing happens for 10 s."""
    with suppress(ConnectionError):
        while await asyncio.wait_for(reader.read(100), 10):
            pass
