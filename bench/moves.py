"""`hamle bench moves`: what a move costs, from the client's call until both seats have seen it, with everything on.

Real Coerceo; tokens are checked; every move is an event in the store's append-only file; both seats watch with views;
a seat moves when the frame of its opponent's move has reached it. Store, engine, gateway and load generator share the
machine's cores. The latency of a move is the time from sending it until its frame has reached the opponent.
"""

from __future__ import annotations

import asyncio
import platform
import time
from collections.abc import Mapping, Sequence
from statistics import median
from typing import Annotated, Any, Final

import grpc
from annotated_types import Ge, Le
from hamle.account.v1 import account_pb2, account_pb2_grpc
from hamle.lobby.v1 import lobby_pb2, lobby_pb2_grpc
from hamle.match.v1 import match_pb2
from hamle.play.v1 import play_pb2

from bench import loop
from bench.asked import Count, Fsync, GrpcServer
from bench.http2 import Connection, connect, header_block
from bench.machine import loop_ns
from bench.records import LONGEST, long_game
from bench.usage import Usage
from cli.output import Advance, unheard
from cli.own_servers import own_fleet

GAMES: Final = 16
CONNECTIONS: Final = 4
WARM_UP: Final = 0.1
SHORTEST: Final = 20
"""Moves of a match of which some are left to be measured after the warm-up."""
HEARTBEAT_BYTES: Final = 100
PATIENCE_S: Final = 120.0
UNLIMITED: Final = {
    "HAMLE_WRITE_PER_S": "1000000",
    "HAMLE_WRITE_BURST": "1000000",
    "HAMLE_READ_PER_S": "1000000",
    "HAMLE_READ_BURST": "1000000",
    "HAMLE_SIGN_IN_PER_S": "1000000",
    "HAMLE_SIGN_IN_BURST": "1000000",
}


class Pair:
    """One match under load: two watches, and moves by turns until the record is played."""

    def __init__(self, match_id: str, head: int, moves: list[str], done: asyncio.Future[None]) -> None:
        self.match_id = match_id
        self.moves = moves
        self.head = head
        self.ply = 0
        self.sent_at = 0.0
        self.latencies: list[float] = []
        self.done = done
        self._begun = [False, False]
        self._seen = [0, 0]

    def connect(self, connection: Connection, authority: str, tokens: tuple[str, str]) -> None:
        """Watches for both seats; the first move goes out once both have the view."""
        self._connection = connection
        self._submit = [header_block("/hamle.play.v1.PlayService/SubmitMoves", authority, token) for token in tokens]
        cursor = match_pb2.Cursor(seq=self.head)
        watch = play_pb2.WatchMatchRequest(match_id=self.match_id, cursor=cursor).SerializeToString()
        for seat, token in enumerate(tokens):
            block = header_block("/hamle.play.v1.PlayService/WatchMatch", authority, token)
            connection.call(block, watch, lambda data, seat=seat: self._frame(seat, data), self._watch_ended)  # type: ignore[misc]

    def _watch_ended(self, ok: bool) -> None:
        if not self.done.done():
            self.done.set_exception(RuntimeError(f"a watch of {self.match_id} ended at ply {self.ply}"))

    def _frame(self, seat: int, data: bytes) -> None:
        if not self._begun[seat]:
            frame = play_pb2.WatchMatchResponse.FromString(data).frame
            if frame.HasField("view"):
                self._begun[seat] = True
                if all(self._begun):
                    self._move()
            return
        # Heartbeats are short and tell of no move.
        if len(data) < HEARTBEAT_BYTES:
            return
        self._seen[seat] += 1
        if self._seen[seat] == self.ply and seat == self.ply % 2:
            self.latencies.append(time.perf_counter() - self.sent_at)
            self._move()

    def _move(self) -> None:
        if self.ply == len(self.moves):
            if not self.done.done():
                self.done.set_result(None)
            return
        seat = self.ply % 2
        request = play_pb2.SubmitMovesRequest(
            match_id=self.match_id,
            request_id=f"{self.ply}",
            expected=match_pb2.Cursor(seq=self.head + self.ply),
            moves=[self.moves[self.ply]],
        )
        self.ply += 1
        self.sent_at = time.perf_counter()
        self._connection.call(self._submit[seat], request.SerializeToString(), _ignore, self._answered)

    def _answered(self, ok: bool) -> None:
        if not ok and not self.done.done():
            self.done.set_exception(RuntimeError(f"move {self.ply} of {self.match_id} was refused"))


def _ignore(data: bytes) -> None:
    """The answer to a move: the frame says the same."""


async def _seat(address: str, matches: int, records: Sequence[list[str]]) -> list[tuple[Pair, tuple[str, str]]]:
    """Guests in pairs, each pair at a match that has begun, with one of the records to play."""
    async with grpc.aio.insecure_channel(address) as channel:
        accounts, lobby = account_pb2_grpc.AccountServiceStub(channel), lobby_pb2_grpc.LobbyServiceStub(channel)

        async def pair(number: int) -> tuple[Pair, tuple[str, str]]:
            tokens = []
            for _ in range(2):
                signed = await accounts.SignInGuest(account_pb2.SignInGuestRequest())
                tokens.append(signed.token.token)
            metadata = [(("authorization", f"Bearer {token}"),) for token in tokens]
            created = await lobby.CreateMatch(
                lobby_pb2.CreateMatchRequest(request_id="create", game="coerceo"), metadata=metadata[0]
            )
            joined = await lobby.JoinMatch(
                lobby_pb2.JoinMatchRequest(request_id="join", match_id=created.match.match_id), metadata=metadata[1]
            )
            done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            match = joined.match
            record = records[number % len(records)]
            return Pair(match.match_id, match.head.seq, record, done), (tokens[0], tokens[1])

        return await asyncio.gather(*(pair(number) for number in range(matches)))


async def _load(address: str, usage: Usage, matches: int, records: Sequence[list[str]]) -> dict[str, float]:
    pairs = await _seat(address, matches, records)
    connections = [await connect(address) for _ in range(min(CONNECTIONS, matches))]
    for number, (pair, tokens) in enumerate(pairs):
        pair.connect(connections[number % len(connections)], address, tokens)
    played = [pair for pair, _ in pairs]
    warm = int(len(records[0]) * matches * WARM_UP)
    async with asyncio.timeout(PATIENCE_S):
        while sum(pair.ply for pair in played) < warm:  # noqa: ASYNC110 - counting must cost the load nothing
            await asyncio.sleep(0.005)
    # The slowest match decides when the last move is made; the figures end when the first has played its record.
    began, ply, cpu = time.perf_counter(), sum(pair.ply for pair in played), usage.cpu_s()
    skip = [len(pair.latencies) for pair in played]
    await asyncio.wait([pair.done for pair in played], timeout=PATIENCE_S, return_when=asyncio.FIRST_COMPLETED)
    seconds, made = time.perf_counter() - began, sum(pair.ply for pair in played) - ply
    used = {part: after - cpu[part] for part, after in usage.cpu_s().items()}
    latencies = sorted(latency for pair, first in zip(played, skip, strict=True) for latency in pair.latencies[first:])
    async with asyncio.timeout(PATIENCE_S):
        await asyncio.gather(*(pair.done for pair in played))
    for connection in connections:
        connection.close()
        await connection.lost
    return {
        "moves": made,
        "seconds": seconds,
        "moves_per_s": made / seconds,
        "p50_ms": latencies[len(latencies) // 2] * 1e3,
        "p99_ms": latencies[len(latencies) * 99 // 100] * 1e3,
        "server_cpu_us_per_move": sum(used.values()) / made * 1e6,
        **{f"{part}_cpu_us_per_move": value / made * 1e6 for part, value in used.items()},
    }


def _once(matches: int, records: Sequence[list[str]], fsync: str, grpc_server: str) -> dict[str, float]:
    with own_fleet(fsync=fsync, grpc_server=grpc_server, env=dict(UNLIMITED)) as fleet:
        return loop.run(_load(fleet.addresses[0], Usage(fleet), matches, records))


def run(
    *,
    matches: Count = 128,
    moves: Annotated[int, Ge(SHORTEST), Le(LONGEST)] = 400,
    fsync: Fsync = "everysec",
    grpc_server: GrpcServer = "native",
    runs: Count = 3,
    advance: Advance = unheard,
) -> Mapping[str, Any]:
    """Figures of the run with the median throughput. `moves` are those of each match; `fsync`: `everysec`, `always`."""
    records = [long_game(seed, moves) for seed in range(min(GAMES, matches))]
    figures = []
    for _ in range(runs):
        figures.append(_once(matches, records, fsync, grpc_server))
        advance(1)
    figures.sort(key=lambda f: f["moves_per_s"])
    middle = figures[len(figures) // 2]
    return {
        "matches": matches,
        **{name: round(value, 2) for name, value in middle.items()},
        "durability": "fsynced" if fsync == "always" else "written",
        "grpc_server": grpc_server,
        "python_loop_ns": loop_ns(),
        "python": platform.python_version(),
        "runs": runs,
        "moves_per_s_of_runs": [round(f["moves_per_s"]) for f in figures],
        "median_cpu_us_of_runs": round(median(f["server_cpu_us_per_move"] for f in figures), 2),
    }
