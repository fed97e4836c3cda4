from __future__ import annotations

from collections.abc import Callable

from hamle.account.v1 import account_pb2 as pb
from hamle.error.v1.error_pb2 import REASON_STORE_DOWN, REASON_TOKEN_REVOKED
from redis.asyncio import Redis

from services.gateway.account.follower import REVOCATIONS_KEY, AccountFollower, open_accounts
from services.gateway.account.keys import SIGNS_AFTER_MS, rotate_keys
from tests.services.gateway.account.gateways import Gateway, eventually, serving, signed
from tests.services.gateway.account.stores import connect
from tests.support.refusals import refused
from tests.support.servers import StoreServer


async def account(gateway: Gateway, token: str) -> str:
    answer = await gateway.stub.GetAccount(pb.GetAccountRequest(), metadata=signed(token))
    return str(answer.account.account_id)


async def test_two_gateways_take_each_others_tokens_from_the_first_moment(client: Redis) -> None:
    async with serving(client) as one, serving(client) as two:
        first, second = await one.sign_in("A"), await two.sign_in("B")
        assert await account(one, first) == await account(two, first)
        assert await account(one, second) == await account(two, second)


async def test_a_revocation_reaches_the_other_gateways(client: Redis) -> None:
    async with serving(client) as one, serving(client) as two, serving(client) as three:
        token, other = await one.sign_in("A"), await one.sign_in("B")
        who = await account(two, token)
        await three.stub.RevokeTokens(pb.RevokeTokensRequest(), metadata=signed(token))
        for gateway in (one, two):
            await eventually(lambda gateway=gateway: gateway.follower.epoch(who) == 1)  # type: ignore[misc]
        for gateway in (one, two, three):
            refusal = await refused(gateway.stub.RefreshToken(pb.RefreshTokenRequest(), metadata=signed(token)))
            assert refusal.reason == REASON_TOKEN_REVOKED
            await account(gateway, other)


async def test_a_gateway_that_starts_later_knows_older_revocations(client: Redis) -> None:
    async with serving(client) as one:
        token = await one.sign_in()
        await one.stub.RevokeTokens(pb.RevokeTokensRequest(), metadata=signed(token))
    async with serving(client) as late:
        refusal = await refused(late.stub.GetAccount(pb.GetAccountRequest(), metadata=signed(token)))
        assert refusal.reason == REASON_TOKEN_REVOKED


async def test_more_revocations_than_one_page_are_all_read(client: Redis) -> None:
    store = await open_accounts(client)
    await AccountFollower(store).start()
    async with client.pipeline(transaction=False) as pipeline:
        for number in range(2500):
            pipeline.xadd(REVOCATIONS_KEY, {"account": f"a{number}", "epoch": 1})
        await pipeline.execute()
    follower = AccountFollower(store)
    await follower.start()
    assert all(follower.epoch(f"a{number}") == 1 for number in range(2500))


async def test_rotation_logs_nobody_out_and_the_new_key_signs_after_all_have_seen_it(client: Redis) -> None:
    async with serving(client) as one, serving(client) as two:
        old = await one.sign_in("A")
        kid = await rotate_keys(await open_accounts(client))
        await eventually(lambda: all(gateway.follower.ring.find(kid) is not None for gateway in (one, two)))
        await eventually(lambda: one.follower.signing_key().kid == kid, SIGNS_AFTER_MS / 1000 + 60)
        new = await one.sign_in("B")
        for gateway in (one, two):
            await account(gateway, old)
            await account(gateway, new)


async def test_tokens_hold_while_the_store_is_away_and_revocations_go_on_after_it(
    start_server: Callable[..., StoreServer],
) -> None:
    server = start_server()
    async with connect(server.port) as client, serving(client) as one, serving(client) as two:
        token = await one.sign_in("A")
        who = await account(two, token)
        server.kill()
        assert await account(one, token) == await account(two, token)
        again = await one.sign_in("B")
        refusal = await refused(one.stub.RevokeTokens(pb.RevokeTokensRequest(), metadata=signed(token)))
        assert refusal.reason == REASON_STORE_DOWN
        await eventually(lambda: not two.follower.is_fresh())
        await account(two, again)
        server.start()
        await eventually(lambda: two.follower.is_fresh() and one.follower.is_fresh())
        await one.stub.RevokeTokens(pb.RevokeTokensRequest(), metadata=signed(token))
        await eventually(lambda: two.follower.epoch(who) == 1)
