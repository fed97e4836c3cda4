"""A failover to a replica that lagged behind: the store forgets acknowledged events, and says nothing of it."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence

import redis
from hamle.engine.v1 import engine_pb2
from hamle_client import Cursor, HamleError, LogLostTail

from core.log.losses import Losses
from core.log.reader import RedisLogReader
from deploy.local.member import ROOT
from deploy.local.store import Store
from tests.faults.ledger import Ledger
from tests.faults.proxy import Proxy
from tests.faults.table import Table
from tests.faults.world import World

LOST_S = 0.7
QUIET_S = 1.0
SYNC_S = 30.0
REFUSED_S = 20.0
MARKED_S = 20.0
CLI_S = 30.0


async def lose_tail(world: World, tables: Sequence[Table]) -> None:
    """The store dies, a replica without its last events is promoted; nobody plays until an operator accepts it."""
    house = world.house
    await house.recovered()
    link = Proxy(house.store.port, world.chance)
    await link.start()
    replica = house.new_store()
    house.stores.insert(0, replica)
    try:
        await house.do(_follow, house.store, replica, link.port)
        await world.begin_loss()
        link.open = False
        link.cut()
        await asyncio.sleep(LOST_S)
        old = house.store
        await house.kill(old)
        await house.do(_promote, replica)
    finally:
        await link.close()
    house.stores.remove(replica)
    house.stores.append(replica)
    await house.store_pipe.lead_to(replica.port)
    await house.retire(old)
    found = time.monotonic()
    lost = await _lost(world)
    world.say(f"tail lost: {len(lost)} matches have lost events")
    await _all_refused(world, lost)
    await _all_marked(world, lost, found)
    await _nobody_plays_on(world, lost, tables)
    await _accept(world, lost)
    await _go_on(world, lost)
    world.tails += len(lost)


async def _lost(world: World) -> dict[Ledger, Cursor]:
    """The matches of which clients know more than the store, with what the store has of them."""
    # Answers that were on their way when the store died have arrived by then.
    await asyncio.sleep(0.3)
    reader = RedisLogReader(await world.house.reader())
    return await forgotten([ledger for ledger in world.audits if not ledger.abandoned], reader.heads)


async def forgotten(
    ledgers: Sequence[Ledger], heads: Callable[[list[str]], Awaitable[Mapping[str, tuple[int, bytes]]]]
) -> dict[Ledger, Cursor]:
    """Those of the ledgers that know more than the heads that are then read, with these heads."""
    # Known before they are read: a match that has lost nothing goes on meanwhile, and its clients are told.
    known = {ledger: ledger.last_known for ledger in ledgers}
    found = await heads([ledger.match_id for ledger in ledgers])
    return {ledger: Cursor(*found[ledger.match_id]) for ledger, seq in known.items() if seq > found[ledger.match_id][0]}


async def _all_refused(world: World, lost: Mapping[Ledger, Cursor]) -> None:
    """Every client that knows of lost events is told so; none goes on as if nothing had happened."""
    limit = time.monotonic() + REFUSED_S
    for ledger, head in lost.items():
        while True:
            knowing = {name for name, told in ledger.watches.items() if told and told[-1].seq > head.seq}
            missing = knowing - ledger.refused.keys()
            # Where nothing at all is left, an engine that never knew of the match says so, and its table leaves it.
            if not missing or ledger.abandoned:
                break
            if time.monotonic() > limit:
                world.totals.fail(
                    f"{', '.join(sorted(missing))} of match {ledger.match_id} did not hear of its lost tail"
                )
                break
            await asyncio.sleep(0.02)
        wrong = {reason for reason in ledger.refused.values() if reason != "LOG_LOST_TAIL"}
        if wrong:
            world.totals.fail(f"match {ledger.match_id} was refused with {wrong}, not LOG_LOST_TAIL")


async def _all_marked(world: World, lost: Mapping[Ledger, Cursor], since: float) -> None:
    """The engines hold what they remember against the store, one match after the other, and mark what has lost events.

    Who knows nothing of the lost events could play over them until then; that would be found when its turn comes.
    """
    losses = Losses(await world.house.reader())
    for ledger, head in lost.items():
        while head.seq and not await losses.last_known(ledger.match_id):
            if time.monotonic() - since > MARKED_S:
                world.totals.fail(f"match {ledger.match_id} has lost events, but no engine has marked it")
                break
            await asyncio.sleep(0.02)
    world.marked_s = max(world.marked_s, time.monotonic() - since)


async def _nobody_plays_on(world: World, lost: Mapping[Ledger, Cursor], tables: Sequence[Table]) -> None:
    """Also who knows nothing of the lost events is refused, as long as nobody has accepted the loss."""
    reader = RedisLogReader(await world.house.reader())
    for table in tables:
        under_way = table.ledger
        if under_way is not None and under_way in lost and lost[under_way].seq:
            try:
                await table.play_over(lost[under_way])
                world.totals.fail(f"match {under_way.match_id} was played on over its lost tail")
            except LogLostTail:
                continue
            except HamleError as error:
                world.totals.fail(f"playing on over the lost tail of {under_way.match_id} was refused with {error}")
    await asyncio.sleep(QUIET_S)
    heads = await reader.heads([ledger.match_id for ledger in lost])
    for ledger, head in lost.items():
        if Cursor(*heads[ledger.match_id]) != head:
            world.totals.fail(f"the log of match {ledger.match_id} went on although its tail is lost")


async def _accept(world: World, lost: Mapping[Ledger, Cursor]) -> None:
    """An operator accepts: for one match with the command, for the others with its call, at each engine in turn."""
    matches = [ledger for ledger, head in lost.items() if head.seq]
    await asyncio.gather(
        *(_command(world, ledger) for ledger in matches[:1]), _calls(world, {each: lost[each] for each in matches[1:]})
    )


async def _calls(world: World, lost: Mapping[Ledger, Cursor]) -> None:
    house = world.house
    for number, ledger in enumerate(lost):
        async with house.engine(house.steady[number % len(house.steady)]) as (stub, metadata):
            request = engine_pb2.AcceptTailLossRequest(match_id=ledger.match_id, last_known_seq=ledger.last_known)
            answer = await stub.AcceptTailLoss(request, metadata=metadata, timeout=10)
            if answer.cursor.seq != lost[ledger].seq + 1:
                world.totals.fail(f"the loss of match {ledger.match_id} was accepted as event {answer.cursor.seq}")


async def _command(world: World, ledger: Ledger) -> None:
    arguments = ["tail-lost", ledger.match_id, "--last", str(ledger.last_known), "--json"]
    environ = {**os.environ, "HAMLE_STORE_URL": f"redis://{world.house.store_pipe.address}/0"}
    environ["PYTHONPATH"] = os.pathsep.join(map(str, (ROOT, ROOT / "gen", ROOT / "clients" / "python")))
    command = [sys.executable, "-m", "cli.main", *arguments]
    ended = await asyncio.to_thread(
        subprocess.run, command, env=environ, cwd=ROOT, capture_output=True, text=True, timeout=CLI_S
    )
    if ended.returncode or json.loads(ended.stdout)["match_id"] != ledger.match_id:
        world.totals.fail(f"hamle {' '.join(arguments)} has failed: {ended.stderr[-500:]}")


async def _go_on(world: World, lost: Mapping[Ledger, Cursor]) -> None:
    """All watch anew from the beginning, and play goes on."""
    world.losing = False
    since = time.monotonic()
    for ledger in world.audits:
        # It began while events were being lost, and its clients have heard of it later than the others.
        if ledger.refused and ledger not in lost:
            ledger.abandoned = True
            ledger.go_on.set()
    for ledger, head in lost.items():
        if head.seq:
            ledger.rewind(head.seq)
            world.audits[ledger].restart()
        else:
            ledger.abandoned = True
        ledger.go_on.set()
    await world.next_moves([ledger for ledger in lost if ledger.active], since)
    for ledger in lost:
        ledger.go_on.clear()


def _follow(primary: Store, replica: Store, port: int) -> None:
    """Starts the replica and waits until it holds all that the primary has."""
    replica.start()
    with redis.Redis(port=primary.port) as first, redis.Redis(port=replica.port) as second:
        first.config_set("repl-diskless-sync-delay", 0)
        second.execute_command("REPLICAOF", "127.0.0.1", port)
        limit = time.monotonic() + SYNC_S
        while True:
            of_link, of_file = second.info("replication"), second.info("persistence")
            if of_link["master_link_status"] == "up" and not of_file["aof_rewrite_in_progress"]:
                return
            if time.monotonic() > limit:
                raise replica.failed("did not become a replica")
            time.sleep(0.02)


def _promote(replica: Store) -> None:
    with redis.Redis(port=replica.port) as client:
        client.execute_command("REPLICAOF", "NO", "ONE")
