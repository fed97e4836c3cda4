"""An address that has passed to another engine since the one that announced it died."""

from __future__ import annotations

import asyncio

import pytest
from hamle.engine.v1 import engine_pb2
from hamle.error.v1 import error_pb2
from hamle.play.v1.play_pb2 import GetViewResponse

from core.fleet.addressee import metadata_for
from core.fleet.announcements import read_announcements
from core.fleet.credential import fleet_credential
from core.log.keys import match_id_for, shard_of
from core.store.client import Client
from engines.coerceo.game import GAME as COERCEO
from engines.kit.state import AnyGame
from services.gateway.exchange import wire
from services.gateway.routing.games import Route
from services.gateway.routing.replica import Terms
from tests.engines.kit.cardgame import GAME as CELLAR
from tests.services.gateway.routing.fleet import Gateway, gateway
from tests.support.announcing import announce_for_good
from tests.support.refusals import refused
from tests.support.replicas import Replica, StartEngine, start_engine
from tests.support.waiting import LONG_S

__all__ = ["start_engine"]

DEAD = "dead"


async def announced(store: Client) -> engine_pb2.Announcement:
    """The one engine that runs, as it says of itself a moment after it began to listen."""
    async with asyncio.timeout(LONG_S):
        while not (running := await read_announcements(store)):  # noqa: ASYNC110 - the store tells nobody
            await asyncio.sleep(0.01)
    return running[0]


async def announce_dead(store: Client) -> None:
    """A replica that is dead, but not forgotten yet, had the address of the one that runs."""
    running = await announced(store)
    dead = engine_pb2.Announcement()
    dead.CopyFrom(running)
    dead.replica = DEAD
    dead.info.game, dead.info.rules[:] = COERCEO.info.game, [COERCEO.info.rules]
    await announce_for_good(store, dead)


async def owned_by_dead(there: Gateway, replica: Replica, count: int) -> list[str]:
    """Matches that the dead replica would answer for, at their fourth event."""
    await there.announce()
    names = [f"match {n}" for n in range(1000)]
    owned = [name for name in names if there.directory.owner(Route("coerceo", shard_of(match_id_for(name)))).id == DEAD]
    ids = [await replica.create(name) for name in owned[:count]]
    await there.create(*ids)
    return ids


async def head(there: Gateway, match_id: str) -> int:
    """The head, asked over the stream."""
    view = engine_pb2.GetViewRequest(match_id=match_id).SerializeToString()
    answer = await there.router.ask(match_id, wire.payload(wire.GET_VIEW, view), 5_000)
    return GetViewResponse.FromString(answer).view.cursor.seq


async def test_calls_for_a_dead_replica_are_done_by_the_one_that_took_its_address_under_its_own_name(
    start_engine: StartEngine, store: Client
) -> None:
    replica = await start_engine(COERCEO)
    await announce_dead(store)
    async with gateway(store, Terms(await fleet_credential(store))) as there:
        first, second = await owned_by_dead(there, replica, 2)
        assert (await there.calls.get_match(first)).match_id == first
        assert await head(there, second) == 4
        assert DEAD not in {there.directory.owner(Route("coerceo", shard)).id for shard in range(64)}


@pytest.mark.parametrize("game", [COERCEO, CELLAR], ids=["of its game", "of another game"])
async def test_a_stream_to_a_dead_replica_is_not_taken_by_the_one_at_its_address(
    start_engine: StartEngine, store: Client, game: AnyGame
) -> None:
    replica = await start_engine(game)
    await announce_dead(store)
    lives = replica if game is COERCEO else await start_engine(COERCEO)
    async with gateway(store, Terms(await fleet_credential(store))) as there:
        (match_id,) = await owned_by_dead(there, lives, 1)
        assert await head(there, match_id) == 4


@pytest.mark.parametrize("game", [COERCEO, CELLAR], ids=["of its game", "of another game"])
async def test_an_engine_refuses_what_is_meant_for_another(
    start_engine: StartEngine, store: Client, game: AnyGame
) -> None:
    replica = await start_engine(game)
    running = await announced(store)
    credential = await fleet_credential(store)
    request = engine_pb2.DescribeGameRequest()
    refusal = await refused(replica.stub.DescribeGame(request, metadata=metadata_for(credential, DEAD)))
    assert refusal.reason == error_pb2.REASON_ENGINE_UNAVAILABLE
    meant = metadata_for(credential, running.replica)
    assert (await replica.stub.DescribeGame(request, metadata=meant)).info.game == game.info.game
    wrong = await refused(replica.stub.DescribeGame(request, metadata=metadata_for("x", running.replica)))
    assert wrong.reason == error_pb2.REASON_TOKEN_INVALID
