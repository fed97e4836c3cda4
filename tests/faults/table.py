"""A table: two players with the SDK who play match after match, and somebody who watches."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Coroutine, Sequence
from typing import Any

from hamle_client import (
    Client,
    Cursor,
    HamleError,
    HashMismatch,
    LogLostTail,
    Match,
    MatchFinished,
    Step,
    new_request_id,
)

from tests.faults.ledger import Accepted, Ledger, Place, place_of
from tests.faults.records import Game
from tests.faults.spectator import Spectator
from tests.faults.world import World

CLOCK = (600_000, 100)


class Table:
    """Plays until the run closes. Each player comes in by another gateway."""

    def __init__(self, number: int, world: World, players: Sequence[Client], spectator: Spectator) -> None:
        self._number = number
        self._world = world
        self._players = players
        self._spectator = spectator
        self._filling = False
        self.ledger: Ledger | None = None

    async def run(self) -> None:
        """Match after match."""
        while not self._world.closing:
            losses, losing = self._world.losses, self._world.losing
            try:
                await self._play_one(self._world.chance.choice(self._world.games))
            except HamleError as error:
                # A match that took long to fill was cancelled by its deadline; and what was agreed on before the first
                # move may be among what the store has lost.
                late = isinstance(error, MatchFinished) and self._filling
                forgotten = losing or self._world.losses > losses
                if not late and not forgotten:
                    self._world.totals.fail(f"table {self._number}: {type(error).__name__}: {error}")
                await asyncio.sleep(0.2)

    async def _play_one(self, game: Game) -> None:
        world, self._filling = self._world, True
        private = world.chance.random() < 0.5
        clock = CLOCK if world.chance.random() < 0.5 else None
        made = await self._players[0].create("coerceo", game.options, private=private, clock=clock)
        joined = await self._players[1].join(
            "" if private else made.id, invite_code=made.invite_code if private else ""
        )
        self._filling = False
        ledger = Ledger(made.id, game)
        world.open(ledger)
        self.ledger = ledger
        watching = self._spectator.follow(ledger, f"spectator {self._number}")
        parts = [self._sit(ledger, match, seat) for seat, match in enumerate((made, joined))]
        try:
            await all_or_error([*parts, watching])
        except BaseException:
            ledger.abandoned = True
            raise
        finally:
            ledger.over = True
            await world.shut(ledger)

    async def play_over(self, head: Cursor) -> None:
        """Plays on from a head that others know more than, as a client would that knows nothing of it."""
        assert self.ledger is not None
        plies = [answer.ply for answer in sorted(self.ledger.accepted) if answer.seq <= head.seq]
        ply = len(plies)
        match = self._players[ply % 2].match(self.ledger.match_id)
        moves = self.ledger.game.moves
        if ply < len(moves):
            await match.submit(moves[ply], expected=head)
        else:
            await match.resign()

    async def _sit(self, ledger: Ledger, match: Match, seat: int) -> None:
        """Plays to the end of the match, also when the store loses a part of it."""
        name = f"player {self._number}/{seat}"
        while True:
            try:
                await _Player(self._world, ledger, match, seat, ledger.watch(name)).play()
                return
            except (LogLostTail, HashMismatch) as error:
                if not self._world.losing:
                    raise
                ledger.refused[name] = error.reason
            await ledger.go_on.wait()
            if ledger.abandoned:
                return
            match = self._players[seat].match(ledger.match_id)


async def all_or_error(parts: Sequence[Coroutine[Any, Any, None]]) -> None:
    """Does all; when one fails, the others are ended and its error is raised."""
    tasks = [asyncio.create_task(part) for part in parts]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_EXCEPTION)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)
    for task in tasks:
        if not task.cancelled():
            task.result()


class _Player:
    """One seat, from the first event of a history on."""

    def __init__(self, world: World, ledger: Ledger, match: Match, seat: int, told: list[Place]) -> None:
        self._world = world
        self._ledger = ledger
        self._match = match
        self._seat = seat
        self._told = told
        self._plies = 0
        self._made = -1

    async def play(self) -> None:
        steps = self._match.watch()
        try:
            async for step in steps:
                self._note(step)
                if step.view is not None and self._seat in step.view.awaited and self._plies > self._made:
                    self._made = self._plies
                    await self._act()
        finally:
            await steps.aclose()

    def _note(self, step: Step) -> None:
        if step.event is not None:
            self._told.append(place_of(step.event, step.seq, step.cursor.hash))
            self._plies += step.kind == "moved"
        if step.view is not None and (not self._told or self._told[-1][:2] != step.view.cursor):
            self._world.totals.fail(f"match {self._match.id}: a view at {step.view.cursor} after {self._told[-1:]}")

    async def _act(self) -> None:
        world, match, ply = self._world, self._match, self._plies
        if world.think_s:
            await asyncio.sleep(world.chance.expovariate(1 / world.think_s))
        moves = self._ledger.game.moves
        request_id, basis = new_request_id(), match.cursor.seq
        # At the end of a run nobody plays on for long.
        if ply < len(moves) and not world.closing:
            done = await match.submit(moves[ply], request_id=request_id)
        else:
            done = await match.resign(request_id=request_id)
        assert match.info is not None
        handle = match.info.seats[self._seat].handle
        answer = Accepted(ply, handle, request_id, done.cursor.seq, done.cursor.hash, time.monotonic(), basis)
        self._ledger.accepted.append(answer)
        world.accepted += 1
