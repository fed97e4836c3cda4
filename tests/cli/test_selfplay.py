from __future__ import annotations

import asyncio

import grpc
from hamle_client import Client

from cli.commands.selfplay import Series
from tests.clients.server import ScriptedServer, hang, refuse


async def test_when_one_seat_fails_no_other_plays_on_and_the_failure_is_counted(server: ScriptedServer) -> None:
    server.faults["WatchMatch"].extend([refuse(grpc.StatusCode.NOT_FOUND, "MATCH_NOT_FOUND"), hang])
    series = Series("coerceo", {}, "random", 1)
    async with Client(server.address) as first, Client(server.address) as second:
        await series._series([first, second], iter([0]), lambda matches: None)
        working = [task.get_coro() for task in asyncio.all_tasks()]
    assert (series.errors, series.finished) == (1, 0)
    assert not [work for work in working if getattr(work, "__name__", "") == "play"]
