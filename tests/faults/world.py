"""What all parts of a fault run share: the servers, the matches under way, what was found, how much is to be done."""

from __future__ import annotations

import asyncio
import random
import time
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field

from core.errors import Refused
from tests.faults.audit import Audit, Totals
from tests.faults.house import House
from tests.faults.ledger import Ledger
from tests.faults.progress import Telling
from tests.faults.records import Game
from tests.faults.slots import Slot

LONG_S = 60.0
"""After so long without a move, play is believed to have stopped for good."""


@dataclass
class World:
    """The state of a run. `losing`: events are being lost on purpose, so clients may be refused with LOG_LOST_TAIL.

    `losses` counts such faults; `think_s` is how long a player thinks on average. `order` decides which fault comes
    when. `pause_s` is the longest wait for a next move after a fault, whatever came in between; `marked_s` the
    longest time after which all lost tails were marked.
    """

    house: House
    games: list[Game]
    chance: random.Random
    order: random.Random
    telling: Telling
    totals: Totals = field(default_factory=Totals)
    audits: dict[Ledger, Audit] = field(default_factory=dict)
    accepted: int = 0
    losing: bool = False
    losses: int = 0
    tails: int = 0
    marked_s: float = 0.0
    cuts: int = 0
    logs: int = 0
    pause_s: float = 0.0
    think_s: float = 0.0
    closing: bool = False
    faults: Counter[str] = field(default_factory=Counter)
    gaps: defaultdict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    _looked: float = 0.0
    _looking: asyncio.Lock = field(default_factory=asyncio.Lock)

    def say(self, sentence: str) -> None:
        """Tells the person who waits."""
        self.show()
        self.telling.say(sentence)

    def show(self) -> None:
        """Shows how much is done."""
        self.telling.show(sum(self.faults.values()), self.accepted)

    async def strike(self, kind: str, fault: Callable[[], Awaitable[float | None]]) -> None:
        """Does a fault, and sees to it that nothing was lost by it."""
        with self.totals.during(kind):
            await self.done(kind, await fault())

    async def done(self, kind: str, gap: float | None) -> None:
        """A fault has been dealt with: counted once play goes on everywhere, and all that was told is in the logs."""
        await self.next_moves(self.ledgers, time.monotonic())
        await self.audit()
        self.faults[kind] += 1
        if gap is not None:
            self.gaps[kind].append(gap)
        self.say(kind if gap is None else f"{kind}: next moves within {gap:.2f} s")

    def open(self, ledger: Ledger) -> None:
        """A match begins."""
        self.audits[ledger] = Audit(ledger, self.totals)

    async def shut(self, ledger: Ledger) -> None:
        """A match is over: it is compared a last time. Not while events are being lost: its own may be among them."""
        async with self._looking:
            audit = self.audits.pop(ledger)
            if not self.losing and not ledger.abandoned:
                await self._with_store(audit.close)

    async def begin_loss(self) -> None:
        """From now on what is acknowledged may be lost."""
        async with self._looking:
            self.losing = True
            self.losses += 1

    @property
    def ledgers(self) -> list[Ledger]:
        """The matches in which more moves are to come."""
        return [ledger for ledger in self.audits if ledger.active]

    async def owned(self, slot: Slot) -> list[Ledger]:
        """The matches of the engine in the slot, once there are some: the fault is to hit something."""
        while True:
            ledgers = [ledger for ledger in self.ledgers if ledger.accepted and self.house.owned(slot, ledger.match_id)]
            if ledgers:
                return ledgers
            await asyncio.sleep(0.01)

    async def audit(self) -> None:
        """Compares all matches under way with their logs."""
        asked = time.monotonic()
        async with self._looking:
            if self._looked > asked:
                return
            self._looked = time.monotonic()
            for audit in list(self.audits.values()):
                if audit.ledger in self.audits and not self.losing:
                    await self._with_store(audit.look)

    async def _with_store(self, look: Callable[..., object]) -> None:
        async with asyncio.timeout(LONG_S):
            while True:
                try:
                    await look(await self.house.reader())  # type: ignore[misc]
                    return
                except Refused:
                    await asyncio.sleep(0.05)

    async def after_death(self, ledgers: Iterable[Ledger], died_at: float) -> float:
        """As `next_moves` after the death of an engine that had these matches.

        Where the engine that takes a match over dies too, the wait is counted from that death.
        """
        ledgers = list(ledgers)
        for ledger in ledgers:
            ledger.died_at = max(ledger.died_at, died_at)
        return await self.next_moves(ledgers, died_at)

    async def next_moves(self, ledgers: Iterable[Ledger], since: float) -> float:
        """Waits until each of these matches has had a move accepted after `since`, or is over; the longest wait, s."""
        longest = 0.0
        for ledger in ledgers:
            gap = await self._next_move(ledger, since)
            longest = max(longest, gap)
        return longest

    async def _next_move(self, ledger: Ledger, since: float) -> float:
        limit = time.monotonic() + LONG_S
        while True:
            later = [answer.at for answer in ledger.accepted if answer.at > since]
            if later:
                self.pause_s = max(self.pause_s, later[0] - since)
                return later[0] - max(since, ledger.died_at if ledger.died_at < later[0] else since)
            if not ledger.active or ledger not in self.audits:
                return 0.0
            if time.monotonic() > limit:
                self.totals.fail(f"no move was accepted in match {ledger.match_id} within {LONG_S:.0f} s of a fault")
                return LONG_S
            await asyncio.sleep(0.005)
