"""`hamle bench watch`: what idle watchers cost a gateway, and how long a move takes to reach them all."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from statistics import median_low
from typing import Annotated, Any, Final

import grpc
from annotated_types import Ge, Le
from hamle.account.v1 import account_pb2, account_pb2_grpc
from hamle.lobby.v1 import lobby_pb2, lobby_pb2_grpc
from hamle.match.v1 import match_pb2
from hamle.play.v1 import play_pb2, play_pb2_grpc

from bench import loop
from bench.asked import Count, GrpcServer
from bench.http2 import Connection, connect, header_block
from bench.machine import loop_ns
from bench.moves import UNLIMITED
from bench.records import LONGEST, long_game
from bench.usage import Usage
from cli.output import Advance, unheard
from cli.own_servers import own_fleet

A_CONNECTION: Final = 400
WATCH: Final = "/hamle.play.v1.PlayService/WatchMatch"
MATCHES: Final = 20
PATIENCE_S: Final = 60.0


class Crowd:
    """Watchers of a few matches, over a few connections."""

    def __init__(self, address: str, token: str) -> None:
        self._block = header_block(WATCH, address, token)
        self._address = address
        self._connections: list[Connection] = []
        self._open: list[tuple[Connection, int]] = []
        self.frames = 0
        self.views = 0
        self.ended = 0
        self.arrived: list[float] = []
        self._opening = False

    async def connect(self, watchers: int) -> None:
        """Opens connections enough for so many watchers."""
        while len(self._connections) * A_CONNECTION < watchers:
            self._connections.append(await connect(self._address))

    async def watch(self, matches: list[str], watchers: int) -> None:
        """Opens so many watches, and waits until each has its view."""
        before, self._opening = self.views, True
        for number in range(watchers):
            connection = self._connections[number % len(self._connections)]
            request = play_pb2.WatchMatchRequest(match_id=matches[number % len(matches)]).SerializeToString()
            self._open.append((connection, connection.call(self._block, request, self._frame, self._ended)))
        async with asyncio.timeout(PATIENCE_S):
            while self.views - before < watchers:  # noqa: ASYNC110 - counting must cost little
                await asyncio.sleep(0.02)
        self._opening = False

    def _frame(self, data: bytes) -> None:
        self.frames += 1
        self.arrived.append(time.perf_counter())
        if self._opening and play_pb2.WatchMatchResponse.FromString(data).frame.HasField("view"):
            self.views += 1

    def _ended(self, ok: bool) -> None:
        self.ended += 1

    def leave(self) -> None:
        """Ends all watches."""
        for connection, stream in self._open:
            connection.cancel(stream)
        self._open.clear()

    async def close(self) -> None:
        """Hangs up."""
        for connection in self._connections:
            connection.close()
            await connection.lost


async def _matches(channel: grpc.aio.Channel) -> tuple[list[tuple[str, int, list[Any]]], str]:
    """Running matches, each with its head and its seats' metadata; and a spectator's token."""
    accounts, lobby = account_pb2_grpc.AccountServiceStub(channel), lobby_pb2_grpc.LobbyServiceStub(channel)

    async def guest() -> str:
        return str((await accounts.SignInGuest(account_pb2.SignInGuestRequest())).token.token)

    tokens = [await guest(), await guest()]
    metadata = [(("authorization", f"Bearer {token}"),) for token in tokens]
    found = []
    for number in range(MATCHES):
        created = await lobby.CreateMatch(
            lobby_pb2.CreateMatchRequest(request_id=f"create {number}", game="coerceo"), metadata=metadata[0]
        )
        joined = await lobby.JoinMatch(
            lobby_pb2.JoinMatchRequest(request_id=f"join {number}", match_id=created.match.match_id),
            metadata=metadata[1],
        )
        found.append((joined.match.match_id, int(joined.match.head.seq), metadata))
    return found, await guest()


async def _measure(
    address: str, usage: Usage, watchers: int, idle_s: float, opened: int, moves: int
) -> Mapping[str, Any]:
    async with grpc.aio.insecure_channel(address) as channel:
        found, token = await _matches(channel)
        ids = [match_id for match_id, _, _ in found]
        crowd = Crowd(address, token)
        await crowd.connect(watchers)
        await crowd.watch(ids, 50)
        crowd.leave()
        await asyncio.sleep(1)
        base = usage.rss_bytes("gateway")
        await crowd.watch(ids, watchers)
        await asyncio.sleep(1)
        held = usage.rss_bytes("gateway") - base
        cpu = usage.cpu_s()["gateway"]
        began = time.perf_counter()
        await asyncio.sleep(idle_s)
        core = (usage.cpu_s()["gateway"] - cpu) / (time.perf_counter() - began)
        latencies = await _push(channel, found, crowd, watchers, moves)
        crowd.leave()
        await asyncio.sleep(1)
        settled = usage.rss_bytes("gateway")
        done = 0
        while done < opened:
            await crowd.watch(ids, min(watchers, opened - done))
            done += min(watchers, opened - done)
            crowd.leave()
            await asyncio.sleep(0.2)
        await asyncio.sleep(2)
        after = usage.rss_bytes("gateway")
        await crowd.close()
    return {
        "watchers": watchers,
        "p50_ms": round(latencies[len(latencies) // 2] * 1e3, 2),
        "p99_ms": round(latencies[len(latencies) * 99 // 100] * 1e3, 2),
        "rss_bytes_per_watcher": round(held / watchers),
        "idle_core_percent": round(core * 100, 2),
        "idle_s": idle_s,
        "opened_and_ended": opened,
        "rss_mb_before": round(settled / 1e6, 1),
        "rss_mb_after": round(after / 1e6, 1),
        "ended_unasked": crowd.ended,
    }


async def _push(
    channel: grpc.aio.Channel, found: list[tuple[str, int, list[Any]]], crowd: Crowd, watchers: int, moves: int
) -> list[float]:
    """Seconds from a move's call until each of the match's watchers has its frame."""
    play = play_pb2_grpc.PlayServiceStub(channel)
    record = long_game(1, max(moves, 8))
    match_id, head, metadata = found[0]
    each = watchers // MATCHES
    latencies: list[float] = []
    for ply, move in enumerate(record[:moves]):
        crowd.arrived.clear()
        began = time.perf_counter()
        request = play_pb2.SubmitMovesRequest(
            match_id=match_id, request_id=f"{ply}", expected=match_pb2.Cursor(seq=head + ply), moves=[move]
        )
        await play.SubmitMoves(request, metadata=metadata[ply % 2])
        async with asyncio.timeout(PATIENCE_S):
            while len(crowd.arrived) < each:  # noqa: ASYNC110 - counting must cost little
                await asyncio.sleep(0.001)
        latencies += [arrived - began for arrived in crowd.arrived[:each]]
    return sorted(latencies)


def run(
    *,
    watchers: Annotated[int, Ge(MATCHES)] = 2_000,
    idle_s: float = 30.0,
    opened: int = 20_000,
    moves: Annotated[int, Ge(1), Le(LONGEST)] = 50,
    grpc_server: GrpcServer = "native",
    runs: Count = 3,
    advance: Advance = unheard,
) -> Mapping[str, Any]:
    """Memory and CPU of one gateway with idle watchers of 20 matches; how long `moves` moves take to reach theirs.

    Each figure is the median of the runs, `ended_unasked` their sum.
    """
    found = []
    for _ in range(runs):
        with own_fleet(fsync="everysec", grpc_server=grpc_server, env=dict(UNLIMITED)) as fleet:
            found.append(loop.run(_measure(fleet.addresses[0], Usage(fleet), watchers, idle_s, opened, moves)))
        advance(1)
    return {
        **{name: median_low(figures[name] for figures in found) for name in found[0]},
        "ended_unasked": sum(figures["ended_unasked"] for figures in found),
        "grpc_server": grpc_server,
        "python_loop_ns": loop_ns(),
        "runs": runs,
    }
