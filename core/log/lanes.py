"""Which lane an append takes: one lane for each master, following the cluster when masters change."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from typing import Any, Final

from hamle.error.v1.error_pb2 import REASON_INTERNAL, REASON_STORE_DOWN

from core.errors import Refused, shutting_down
from core.log.histories import Histories
from core.log.keys import SHARDS, tag
from core.log.lane import Lane, Ticket
from core.log.link import Link
from core.store.errors import RETRY_MS
from core.store.settings import Address, StoreSettings
from core.store.topology import Topology
from core.telemetry import logs

MOVES_AT_MOST: Final = 3
STEER_PAUSE_S: Final = 0.1

_TAGS: Final[Mapping[str, int]] = {tag(shard): shard for shard in range(SHARDS)}
_log = logs.get_logger("hamle.log")


class Lanes:
    """The lanes of all masters, each with its connection. `open` before use, `close` after it."""

    def __init__(
        self,
        settings: StoreSettings,
        histories: Histories,
        new_lane: Callable[[Callable[[Ticket], None]], Lane],
    ) -> None:
        self.crashed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._settings = settings
        self._histories = histories
        self._new_lane = new_lane
        self._topology = Topology(settings)
        self._links: dict[Address, tuple[Link, asyncio.Task[None]]] = {}
        self._routes: dict[int, Address] = {}
        self._lanes: dict[str, Lane] = {}
        self._parked: list[Ticket] = []
        self._steer_now = asyncio.Event()
        self._steering: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Connect to all masters. Raises `Refused` when one is down, unfit or read-only, and what crashed."""
        try:
            self._route(await self._masters())
            for refusal in await self._connected():
                if refusal is not None:
                    raise refusal
        except BaseException:
            await self.close()
            raise
        if self._settings.cluster:
            self._steering = self._watched(self._steer())

    async def _connected(self) -> list[Refused | None]:
        """What became of the first connection to each master."""
        firsts = asyncio.gather(*(link.first for link, _ in self._links.values()))
        await asyncio.wait((firsts, self.crashed), return_when=asyncio.FIRST_COMPLETED)
        if self.crashed.done():
            firsts.cancel()
            self.crashed.result()
        return firsts.result()

    async def close(self) -> None:
        """Drop all connections: what was sent gets an unknown outcome, what waits is refused."""
        tasks = [task for _, task in self._links.values()]
        if self._steering is not None:
            tasks.append(self._steering)
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)
        refusal = shutting_down()
        for link, _ in self._links.values():
            link.lane.detach(refusal)
        self._refuse_parked(refusal)
        await self._topology.aclose()

    @property
    def idle(self) -> bool:
        """Whether nothing waits anywhere."""
        return not self._parked and all(link.lane.idle for link, _ in self._links.values())

    def put(self, ticket: Ticket) -> None:
        """Queue an append with its shard's master."""
        self._lanes[ticket.append.match_id[:2]].put(ticket)

    def _moved(self, ticket: Ticket) -> None:
        ticket.moves += 1
        if ticket.moves > MOVES_AT_MOST:
            ticket.fail(_down("The store's cluster is moving the match's shard. Retry with the same request id."))
        else:
            self._parked.append(ticket)
            self._steer_now.set()

    async def _steer(self) -> None:
        while True:
            await self._steer_now.wait()
            self._steer_now.clear()
            try:
                self._route(await self._masters())
            except Refused as refusal:
                self._refuse_parked(refusal)
                self._steer_now.set()
            parked, self._parked = self._parked, []
            for ticket in parked:
                self.put(ticket)
            await asyncio.sleep(STEER_PAUSE_S)

    async def _masters(self) -> dict[int, Address]:
        masters = await self._topology.masters_of(_TAGS)
        return {_TAGS[key]: address for key, address in masters.items()}

    def _route(self, routes: dict[int, Address]) -> None:
        self._routes = routes
        for address in set(routes.values()) - self._links.keys():
            link = Link(self._settings, address, self._new_lane(self._moved), self._up, self._steer_now.set)
            self._links[address] = (link, self._watched(link.run(), link.lane))
        self._lanes = {f"{shard:02d}": self._links[address][0].lane for shard, address in routes.items()}
        for link, _ in self._links.values():
            self._up(link)
        for address in self._links.keys() - set(routes.values()):
            self._retire(address)

    def _retire(self, address: Address) -> None:
        link, task = self._links[address]
        self._parked += link.lane.take()
        if link.lane.idle:
            del self._links[address]
            task.cancel()
        else:
            self._steer_now.set()

    def _up(self, link: Link) -> None:
        if link.history is not None:
            shards = [shard for shard, address in self._routes.items() if address == link.address]
            self._histories.note(shards, link.history)

    def _refuse_parked(self, refusal: Refused) -> None:
        parked, self._parked = self._parked, []
        for ticket in parked:
            ticket.fail(refusal.again())

    def _watched(self, work: Coroutine[Any, Any, None], lane: Lane | None = None) -> asyncio.Task[None]:
        task = asyncio.create_task(work)
        task.add_done_callback(lambda ended: self._ended(ended, lane))
        return task

    def _ended(self, task: asyncio.Task[None], lane: Lane | None) -> None:
        error = None if task.cancelled() else task.exception()
        if error is None:
            return
        # Whoever waits is told first: should the line below fail too, nobody is left waiting for ever.
        if lane is not None:
            lane.detach(Refused(REASON_INTERNAL, "The server's way to the store is broken. Tell the operator."))
        if not self.crashed.done():
            self.crashed.set_exception(error)
        _log.error("the log's write path crashed", exc_info=error)


def _down(message: str) -> Refused:
    return Refused(REASON_STORE_DOWN, message, retry_after_ms=RETRY_MS)
