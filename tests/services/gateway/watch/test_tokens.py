"""Watches end with the tokens that they stand on."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager
from typing import Any

import pytest
from hamle.error.v1.error_pb2 import Reason
from hamle.play.v1.play_pb2 import WatchMatchRequest
from redis.asyncio import Redis

from services.gateway.account.follower import open_accounts, revoke
from services.gateway.watch import relay
from tests.services.gateway.exchange.engine import until
from tests.services.gateway.play.house import House, Metadata, house
from tests.services.gateway.routing.fleet import MATCH
from tests.services.gateway.watch.test_slow import flood, read_all, stuck
from tests.services.gateway.watch.test_watch import Seen
from tests.support.refusals import refused


@asynccontextmanager
async def running(*duties: Awaitable[None]) -> AsyncIterator[None]:
    tasks = [asyncio.ensure_future(duty) for duty in duties]
    yield
    assert not any(task.done() for task in tasks), tasks
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


async def revoke_elsewhere(there: House, name: str) -> None:
    """As another gateway does it; returns once this one has heard of it."""
    await revoke(await open_accounts(there.store), f"account-{name}")
    await there.follower.look()


async def test_a_revocation_ends_the_accounts_watches_and_no_others(client: Redis, kind: str) -> None:
    async with house(client, kind) as there:
        anna, berk, carol = await there.sit("anna"), await there.sit("berk"), there.token("carol")
        await there.submit(anna, "r1")
        player, other, spectator = (Seen(there, who) for who in (anna, berk, carol))
        await until(lambda: all(seen.seqs == [1] for seen in (player, other, spectator)))
        async with running(there.follower.run()):
            for name in ("anna", "carol"):
                await revoke(await open_accounts(client), f"account-{name}")
            await until(lambda: player.ended and spectator.ended)
        for seen in (player, spectator):
            assert seen.refused is not None
            assert seen.refused.reason == Reason.REASON_TOKEN_REVOKED
            assert seen.refused.metadata["cursor_seq"] == "1"
        await there.submit(berk, "r2")
        await until(lambda: other.seqs == [1, 2])
        assert (player.seqs, spectator.seqs) == ([1], [1])
        await until(lambda: len(there.watching) == 1)
        await other.leave()
        await until(lambda: not len(there.watching))


async def test_a_watch_on_a_token_that_was_signed_after_the_revocation_goes_on(client: Redis, kind: str) -> None:
    async with house(client, kind) as there:
        await there.sit("anna")
        await revoke_elsewhere(there, "anna")
        newer = there.token("anna", epoch=1)
        seen = Seen(there, newer)
        await until(lambda: "view" in seen.kinds)
        there.watching.revoked("account-anna")
        await there.submit(newer, "r1")
        await until(lambda: seen.seqs == [1])
        await revoke_elsewhere(there, "anna")
        await until(lambda: seen.ended)
        assert seen.refused is not None
        assert seen.refused.reason == Reason.REASON_TOKEN_REVOKED


async def test_a_watch_ends_with_its_token_and_not_with_an_older_one(client: Redis, kind: str) -> None:
    async with house(client, kind) as there, running(there.watching.expire()):
        await there.sit("anna")
        long = there.token("anna", life_ms=3_600_000)
        short, longer = Seen(there, there.token("anna", life_ms=30_000)), Seen(there, long)
        await until(lambda: "view" in short.kinds and "view" in longer.kinds)
        there.later(31_000)
        await until(lambda: short.ended)
        assert short.refused is not None
        assert short.refused.reason == Reason.REASON_TOKEN_EXPIRED
        await there.submit(long, "r1")
        await until(lambda: longer.seqs == [1])
        assert short.seqs == []
        await longer.leave()


async def test_a_watch_that_no_engine_answers_ends_with_its_token_all_the_same(
    client: Redis, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with house(client, kind) as there:
        # Longer than this test waits: only the revocation can end the watch before.
        there.routing.router._patience_s = 60.0
        monkeypatch.setattr(relay, "SUBSCRIBE_MS", 60_000)
        seen = Seen(there, await there.sit("anna"))
        await until(lambda: "view" in seen.kinds)
        await there.first.stop()
        await there.second.stop()
        await until(lambda: there.routing.router._waiting)
        await revoke_elsewhere(there, "anna")
        await until(lambda: seen.ended)
        assert seen.refused is not None
        assert seen.refused.reason == Reason.REASON_TOKEN_REVOKED


async def test_what_waits_for_a_slow_watcher_is_not_sent_after_the_revocation(client: Redis, kind: str) -> None:
    async with house(client, kind) as there:
        berk = await there.sit("berk")
        channel, call = await stuck(there, await there.sit("anna"))
        while there.watching.budget.waiting < 300_000:
            await flood(there, berk, 200)
        (only,) = there.watching._relays
        sent = only._outlet.seq
        await revoke_elsewhere(there, "anna")
        refusal = await refused(read_all(call))
        assert refusal.reason == Reason.REASON_TOKEN_REVOKED
        assert int(refusal.metadata["cursor_seq"]) == sent
        await until(lambda: not len(there.watching))
        assert not there.watching.budget.waiting
        await channel.close(None)


async def test_a_token_that_is_revoked_between_the_door_and_the_watch_opens_none(client: Redis, kind: str) -> None:
    async with house(client, kind) as there:
        anna = await there.sit("anna")
        permits = there.watching._opening
        while not permits.locked():
            await permits.acquire()
        watching = asyncio.create_task(first_frame(there, anna))
        await until(lambda: permits._waiters)
        await revoke_elsewhere(there, "anna")
        permits.release()
        refusal = await refused(watching)
        assert refusal.reason == Reason.REASON_TOKEN_REVOKED


async def first_frame(there: House, who: Metadata) -> Any:
    return await there.play.WatchMatch(WatchMatchRequest(match_id=MATCH), metadata=who).read()
