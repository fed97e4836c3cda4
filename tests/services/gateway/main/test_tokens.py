"""Tokens end on all gateways, and the watches that stand on them; gateways and engines are processes of their own."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import grpc
import hamle_client
from hamle.account.v1.account_pb2 import RevokeTokensRequest
from hamle.play.v1.play_pb2 import WatchMatchRequest

from core.rpc.client import refusal_of
from tests.services.gateway.exchange.engine import until
from tests.services.gateway.main.client import Client, Metadata
from tests.services.gateway.main.processes import Role

Start = Callable[..., Role]
LIFE_S = 6


class Seen:
    """What one watch tells, and how it is refused."""

    def __init__(self, client: Client, match_id: str, who: Metadata) -> None:
        self.seqs: list[int] = []
        self.end = ""
        self._call: Any = client.play.WatchMatch(WatchMatchRequest(match_id=match_id), metadata=who)
        self._reading = asyncio.create_task(self._read())

    async def _read(self) -> None:
        try:
            async for answer in self._call:
                if answer.frame.HasField("step"):
                    self.seqs.append(answer.frame.step.told.cursor.seq)
        except grpc.aio.AioRpcError as error:
            refused = refusal_of(error)
            self.end = error.code().name if refused is None else refused.name

    async def leave(self) -> None:
        self._call.cancel()
        await asyncio.gather(self._reading, return_exceptions=True)


async def test_a_revocation_ends_open_watches_on_all_gateways_and_no_other_accounts(start: Start, kind: str) -> None:
    engine = start("engines.coerceo")
    gateways = [start("services.gateway", GRPC_SERVER=kind) for _ in range(2)]
    for role in (engine, *gateways):
        await role.serves()
    here, there = (Client(gateway.address) for gateway in gateways)
    await here.begin()
    anna, berk = here.who
    head = await here.move()
    hers = [Seen(client, here.match_id, anna) for client in (here, there)]
    his = Seen(there, here.match_id, berk)
    await until(lambda: all(seen.end or head in seen.seqs for seen in (*hers, his)))
    assert not [seen.end for seen in (*hers, his) if seen.end]
    await here.accounts.RevokeTokens(RevokeTokensRequest(), metadata=anna)
    await until(lambda: [seen.end for seen in hers] == ["TOKEN_REVOKED"] * 2)
    here.who = [berk, berk]
    head = await here.move()
    await until(lambda: his.seqs == list(range(1, head + 1)))
    assert all(head not in seen.seqs for seen in hers)
    await his.leave()
    for client in (here, there):
        await client.close()


async def test_a_watch_ends_with_its_token_and_the_client_goes_on_with_its_newer_one(start: Start, kind: str) -> None:
    engine = start("engines.coerceo")
    gateway = start("services.gateway", GRPC_SERVER=kind, TOKEN_LIFE_S=str(LIFE_S))
    for role in (engine, gateway):
        await role.serves()
    raw = Client(gateway.address)
    await raw.game_listed()
    async with hamle_client.Client(gateway.address) as ada, hamle_client.Client(gateway.address) as bob:
        hers = await ada.create("coerceo")
        his = await bob.join(hers.id)
        players = [hers, his]
        seqs: list[int] = []

        async def follow() -> None:
            async for step in ada.match(hers.id).watch():
                if step.event is not None:
                    seqs.append(step.seq)

        following = asyncio.create_task(follow())
        for _ in range(2):
            assert ada.token is not None
            stale = Seen(raw, hers.id, (("authorization", f"Bearer {ada.token.text}"),))
            while not stale.end:
                view = await hers.view()
                (seat,) = view.awaited
                player = players[seat]
                text, complete = "", False
                while not complete:
                    choice = (await player.choices(text))[0]
                    text, complete = choice.text, choice.complete
                head = (await player.submit(text, expected=view.cursor)).cursor.seq
                await asyncio.sleep(0.4)
            assert stale.end == "TOKEN_EXPIRED"
        await until(lambda: following.done() or (seqs and seqs[-1] == head))
        assert not following.done(), following.exception()
        assert seqs == list(range(1, head + 1))
        following.cancel()
        await asyncio.gather(following, return_exceptions=True)
    await raw.close()
