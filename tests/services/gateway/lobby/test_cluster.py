"""Everything that accounts, lobby and pairing keep works on a Redis Cluster: each function's keys share a slot."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import grpc
import pytest
from hamle.account.v1.account_pb2 import RevokeTokensRequest
from hamle.error.v1.error_pb2 import REASON_STORE_DOWN, REASON_TOKEN_REVOKED
from hamle.event.v1.event_pb2 import VISIBILITY_PRIVATE
from hamle.lobby.v1 import lobby_pb2 as pb

from core.rpc.client import refusal_of
from core.store.settings import StoreSettings
from services.gateway.account.follower import open_accounts
from services.gateway.account.keys import rotate_keys
from tests.services.gateway.lobby.house import gateway, house
from tests.services.gateway.lobby.test_lists import ids
from tests.services.gateway.lobby.test_seats import create, join
from tests.services.gateway.pairing.test_pairing import paired, request
from tests.support.cluster import Cluster
from tests.support.refusals import refused


@pytest.fixture
def servers(tmp_path: Path) -> Iterator[Cluster]:
    cluster = Cluster(tmp_path, masters=3, replicas=1)
    try:
        cluster.start()
        yield cluster
    finally:
        cluster.stop()


@pytest.fixture
def cluster(servers: Cluster) -> StoreSettings:
    return servers.servers[1].settings(cluster=True)


async def test_a_lobby_on_a_cluster(cluster: StoreSettings) -> None:
    async with house(cluster, gateways=2) as place:
        one, two = place.gateways
        ann, bob = await one.guest("Ann"), await two.guest("Bob")
        for _ in range(6):
            created = await create(one, ann, visibility=VISIBILITY_PRIVATE)
            joined = await join(two, bob, invite_code=created.invite_code)
            assert [seat.name for seat in joined.match.seats] == ["Ann", "Bob"]
        public = (await create(one, ann)).match.match_id
        anns, bobs = await request(one, ann), await request(two, bob)
        met = await paired(one, ann, anns)
        assert (await paired(two, bob, bobs)).match_id == met.match_id
        assert await ids(one, ann) == [met.match_id, public]
        assert len(await ids(two, bob, mine=True)) == 7
        assert await one.players.forget(bob.account_id) == 7
        await one.accounts.RevokeTokens(RevokeTokensRequest(), metadata=ann.metadata)
        call = one.lobby.ListGames(pb.ListGamesRequest(), metadata=ann.metadata)
        assert (await refused(call)).reason == REASON_TOKEN_REVOKED
    async with gateway(cluster) as one:
        assert (await rotate_keys(await open_accounts(one.players._store._client))).startswith("2-")


async def test_a_lobby_goes_on_once_a_replica_has_taken_over(servers: Cluster, cluster: StoreSettings) -> None:
    async with house(cluster) as place:
        (one,) = place.gateways
        ann = await one.guest("Ann")
        before = (await create(one, ann)).match.match_id
        servers.masters[0].kill()

        async def go_on() -> None:
            # So many that every master has a part in them.
            created = [(await create(one, ann)).match.match_id for _ in range(12)]
            assert {before, *created} <= set(await ids(one, ann, mine=True, page_size=100))

        async with asyncio.timeout(60):
            while True:
                try:
                    return await go_on()
                except grpc.aio.AioRpcError as error:
                    refused = refusal_of(error)
                    assert refused is not None
                    assert refused.reason == REASON_STORE_DOWN
                    await asyncio.sleep(0.1)
