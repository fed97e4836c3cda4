"""A table: two players at different gateways, and one who watches."""

from __future__ import annotations

import asyncio
import math
import random
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from typing import Final

from hamle_client import Client, Match, MatchFinished, NotYourTurn, StaleView

from clients.bots.random_bot import random_bot
from clients.bots.runner import Bot

PAUSE_S: Final = 0.2
PATIENCE_S: Final = 90.0


@dataclass
class Played:
    """One match, as those at the table were told of it.

    `accepted` are the moves that were acknowledged, (seat, move) by the seq of the acknowledgement; `watched` the seqs
    that the watcher was told, in order.
    """

    match_id: str
    accepted: dict[int, tuple[int, str]] = field(default_factory=dict)
    watched: list[int] = field(default_factory=list)


@dataclass
class Pace:
    """How fast all tables play. After `closing` no match is begun, and from `resign_at` on the players resign."""

    pause_s: float = PAUSE_S
    closing: bool = False
    resign_at: float = math.inf


class Table:
    """Plays one match after another. `moves` counts what each of the two players was acknowledged."""

    def __init__(self, number: int, game: str, gateways: Sequence[str], pace: Pace, door: asyncio.Lock) -> None:
        self.number = number
        self.game = game
        self.moves = [0, 0]
        self.played: list[Played] = []
        self.tokens: list[str] = []
        self._gateways = gateways
        self._pace = pace
        self._door = door

    def has(self, wanted: Sequence[int]) -> bool:
        """Whether each player has at least so many moves."""
        return all(have >= want for have, want in zip(self.moves, wanted, strict=True))

    def __str__(self) -> str:
        match = self.played[-1].match_id if self.played else "none"
        return f"table {self.number} ({self.game}), moves {self.moves}, match {match}"

    async def run(self) -> None:
        """Until the pace says that it is closing time, and the match is over."""
        async with AsyncExitStack() as stack:
            players = []
            for gateway in self._gateways:
                client = Client(gateway, name=f"table {self.number}", patience=PATIENCE_S)
                players.append(await stack.enter_async_context(client))
            # The first player's token, at the other player's gateway.
            watcher = Client(self._gateways[1], token=players[0].token, patience=PATIENCE_S)
            await stack.enter_async_context(watcher)
            self.tokens = [client.token.text for client in players if client.token is not None]
            while not self._pace.closing:
                seats = await self._sit(players)
                played = Played(seats[0].id)
                self.played.append(played)
                async with asyncio.TaskGroup() as group:
                    for player, match in enumerate(seats):
                        bot = random_bot(random.Random(f"{self.number} {player} {len(self.played)}"))
                        group.create_task(self._play(player, match, bot, played))
                    group.create_task(_watch(watcher.match(played.match_id), played))

    async def _sit(self, players: Sequence[Client]) -> Sequence[Match]:
        """A match of the two: by invitation at every other table, else as the queue pairs them."""
        if self.number % 2:
            mine = await players[0].create(self.game, private=True)
            return mine, await players[1].join(invite_code=mine.invite_code)
        async with self._door:  # so that there are no others to be paired with
            return await asyncio.gather(*(player.pair(self.game) for player in players))

    async def _play(self, player: int, match: Match, bot: Bot, played: Played) -> None:
        async for view in match.turns():
            await asyncio.sleep(self._pace.pause_s)
            try:
                if time.monotonic() > self._pace.resign_at:
                    await match.resign()
                    continue
                move = await bot(view, match.choices)
                done = await match.submit(move)
            except (StaleView, NotYourTurn, MatchFinished):
                continue
            assert match.seat is not None
            played.accepted[done.cursor.seq] = (match.seat, move)
            self.moves[player] += 1


async def _watch(match: Match, played: Played) -> None:
    async for step in match.watch(views=False):
        if step.event is not None:
            played.watched.append(step.seq)
