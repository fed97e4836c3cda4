"""An engine that stands still for so long that another takes over, and then goes on as if nothing had happened."""

from __future__ import annotations

import asyncio
import signal
import time
from collections.abc import Sequence

import grpc
from hamle.engine.v1 import engine_pb2

from engines.kit.host.reads import FRESH_S
from tests.faults.ledger import Accepted, Ledger
from tests.faults.slots import Slot
from tests.faults.world import World

STOPPED_S = 3.5
"""Longer than an announcement lasts, so that the replica is gone for everybody."""
ANSWER_S = 10.0


async def stop_engine(world: World) -> float:
    """SIGSTOP, takeover, SIGCONT; what the woken engine says then is neither stale nor another history."""
    house = world.house
    await house.recovered()
    slot = world.chance.choice(house.steady)
    owned = await world.owned(slot)
    runner = slot.runner
    assert runner is not None
    since = time.monotonic()
    runner.signal(signal.SIGSTOP)
    try:
        gap = await world.next_moves(owned, since)
        await asyncio.sleep(max(0.0, since + STOPPED_S - time.monotonic()))
    finally:
        runner.signal(signal.SIGCONT)
    await ask_woken(world, slot, owned)
    return gap


async def ask_woken(world: World, slot: Slot, ledgers: Sequence[Ledger]) -> None:
    """Asks the engine itself for what has happened while it stood still."""
    async with world.house.engine(slot) as (stub, metadata):
        for ledger in ledgers:
            # Reads may be as old as that; so much less is an answer that is just on its way.
            seen = [answer for answer in ledger.accepted if answer.at < time.monotonic() - FRESH_S]
            if not seen or ledger not in world.audits:
                continue
            last = max(seen)
            try:
                request = engine_pb2.GetViewRequest(match_id=ledger.match_id, handle="")
                view = (await stub.GetView(request, metadata=metadata, timeout=ANSWER_S)).view
                if view.cursor.seq < last.seq:
                    world.totals.fail(f"the woken engine shows event {view.cursor.seq} after {last.seq} was accepted")
                again = await stub.Execute(_repeat(ledger, last), metadata=metadata, timeout=ANSWER_S)
                if (again.cursor.seq, again.cursor.hash) != (last.seq, last.hash):
                    world.totals.fail(f"the woken engine answers a repeat with {again.cursor.seq}, not {last.seq}")
            except grpc.aio.AioRpcError as error:
                world.totals.fail(f"the woken engine does not answer: {error.details()}")


def _repeat(ledger: Ledger, last: Accepted) -> engine_pb2.ExecuteRequest:
    """An accepted call once more, as a gateway would pass it on."""
    request = engine_pb2.ExecuteRequest(match_id=ledger.match_id, handle=last.handle, request_id=last.request_id)
    if last.ply < len(ledger.game.moves):
        request.submit.moves.append(ledger.game.moves[last.ply])
        request.expected.seq = last.basis
    else:
        request.resign.SetInParent()
    return request
