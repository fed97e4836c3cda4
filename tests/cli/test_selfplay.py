from __future__ import annotations

import asyncio
import json

import grpc
from hamle_client import Client

from cli.commands.selfplay import Series
from tests.cli.hamle import hamle
from tests.clients.server import ScriptedServer, hang, refuse, tell

GONE = refuse(grpc.StatusCode.UNAVAILABLE, "SHUTTING_DOWN", retry_after_ms=3_600_000)
"""Asks for more patience than anybody has."""


async def test_when_one_seat_fails_no_other_plays_on_and_the_failure_is_counted(server: ScriptedServer) -> None:
    server.faults["WatchMatch"].extend([refuse(grpc.StatusCode.NOT_FOUND, "MATCH_NOT_FOUND"), hang])
    series = Series("coerceo", {}, "random", 1)
    async with Client(server.address) as first, Client(server.address) as second:
        await series._series([first, second], iter([0]), lambda matches: None)
        working = [task.get_coro() for task in asyncio.all_tasks()]
    assert (series.errors, series.finished) == (1, 0)
    assert not [work for work in working if getattr(work, "__name__", "") == "play"]


async def test_when_nobody_answers_any_more_the_other_matches_are_not_begun(server: ScriptedServer) -> None:
    server.faults["CreateMatch"] += [refuse(grpc.StatusCode.INTERNAL, "INTERNAL"), *[GONE] * 20]
    typed = ("selfplay", "coerceo", "--matches", "20", "--parallel", "1", "--json", "--server", server.address)
    result = await hamle(*typed)
    assert result.exit_code == 2, result.stderr
    assert len(server.requests("CreateMatch")) == 2
    summary = json.loads(result.stdout)
    assert (summary["matches"], summary["errors"]) == (0, 2)
    first, second, *last = result.stderr.splitlines()
    assert first.startswith("match 0: refused (INTERNAL)")
    assert second.startswith("match 1: refused (SHUTTING_DOWN)")
    assert last == ["No server answers any more: 20 of 20 matches were not played to their end."]


async def test_when_nobody_answers_any_more_matches_that_go_on_beside_it_end(server: ScriptedServer) -> None:
    server.streams.extend([tell(then=hang)] * 2)
    series = Series("coerceo", {}, "random", 1)

    async def gone_by_then(context: object) -> None:
        await server.until("WatchMatch", 2)
        await GONE(context)

    async def fine(context: object) -> None:
        pass

    server.faults["CreateMatch"] += [fine, gone_by_then]
    async with asyncio.timeout(60):
        await series.play(server.address, 10, 2, lambda matches: None)
    assert (series.is_alone, series.errors, series.finished) == (True, 1, 0)
