"""The token stays valid as long as the client is open."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import grpc
import pytest
from hamle_client import Client, NotSignedIn, Token
from hamle_client.keeping import keep_token
from hamle_client.session import Session, refresh_in, retry_in

from tests.clients.server import ScriptedServer, fail, refuse

DAY_S = 86_400.0


def test_a_token_is_due_when_half_of_its_life_is_over() -> None:
    week = Token("secret", expires_at=1_000 + 7 * DAY_S)
    assert refresh_in(week, since=1_000, now=1_000) == 3.5 * DAY_S
    assert refresh_in(week, since=1_000, now=1_000 + 3 * DAY_S) == 0.5 * DAY_S
    assert refresh_in(week, since=1_000, now=1_000 + 4 * DAY_S) == 0
    assert refresh_in(Token("secret"), since=1_000, now=1_000) == 0


def test_a_refresh_that_failed_is_tried_more_often_near_the_end() -> None:
    token = Token("secret", expires_at=1_000)
    assert [retry_in(token, now) for now in (-DAY_S, 700, 1_000, DAY_S)] == [60, 30, 1.5, 60]


async def test_token_is_refreshed_before_its_end(server: ScriptedServer) -> None:
    server.token_life_ms = 500
    async with Client(server.address) as client:
        await server.until("RefreshToken", 3)
        await client.games()
    assert server.tokens[-1].startswith("Bearer refreshed-")


async def test_token_is_kept_through_an_outage(server: ScriptedServer) -> None:
    server.token_life_ms = 300
    async with Client(server.address, patience=0.1) as client:
        server.faults["RefreshToken"].extend([fail(grpc.StatusCode.UNAVAILABLE)] * 4)
        await server.until("RefreshToken", 6)
        await client.games()
    assert server.tokens[-1].startswith("Bearer refreshed-")


async def test_token_is_refreshed_soon_after_the_machine_has_slept(server: ScriptedServer) -> None:
    server.token_life_ms = int(7 * DAY_S) * 1000
    slept = 0.0
    async with Client(server.address) as client:
        session = Session(client.token, lambda: time.time() + slept)

        async def refresh() -> None:
            await client._refresh_token()
            session.token = client.token

        keeper = asyncio.create_task(keep_token(session, refresh, look_every=0.01))
        await asyncio.sleep(0.1)
        assert not server.requests("RefreshToken")
        slept = 4 * DAY_S
        async with asyncio.timeout(20):
            await server.until("RefreshToken")
        keeper.cancel()
        await asyncio.wait([keeper])


async def test_token_is_kept_though_a_refresh_was_refused_for_a_fault_of_the_server(server: ScriptedServer) -> None:
    server.token_life_ms = 300
    server.faults["RefreshToken"].append(refuse(grpc.StatusCode.INTERNAL, "INTERNAL"))
    # A token that comes late is over half of its life by then, and looked at again after a minute.
    async with Client(server.address), asyncio.timeout(240):
        await server.until("RefreshToken", 3)
    assert server.tokens[-1].startswith("Bearer refreshed-")


async def test_a_fault_in_keeping_the_token_is_told_at_once_and_hinders_no_close(server: ScriptedServer) -> None:
    class Faulty(Client):
        async def _refresh_token(self) -> None:
            raise ZeroDivisionError

    told: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
    asyncio.get_running_loop().set_exception_handler(lambda loop, context: told.put_nowait(context))
    server.token_life_ms = 100
    async with Faulty(server.address) as client:
        context = await told.get()
        await client.games()
    assert isinstance(context["exception"], ZeroDivisionError)
    assert told.empty()


async def test_who_is_cancelled_while_closing_a_client_stays_cancelled(server: ScriptedServer) -> None:
    begun, ending, end = asyncio.Event(), asyncio.Event(), asyncio.Event()

    class Slow(Client):
        async def _refresh_token(self) -> None:
            begun.set()
            try:
                await asyncio.sleep(3600)
            finally:
                ending.set()
                await end.wait()

    server.token_life_ms = 100
    client = Slow(server.address)
    await client.sign_in()
    assert client._keeper is not None
    keeper = client._keeper
    await begun.wait()
    closing = asyncio.create_task(client.close())
    await ending.wait()
    closing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await closing
    end.set()
    await asyncio.wait([keeper])


async def test_revoked_token_is_told_at_the_next_call(server: ScriptedServer) -> None:
    server.token_life_ms = 100
    server.faults["RefreshToken"].append(refuse(grpc.StatusCode.UNAUTHENTICATED, "TOKEN_REVOKED"))
    server.faults["ListGames"].append(refuse(grpc.StatusCode.UNAUTHENTICATED, "TOKEN_REVOKED"))
    async with Client(server.address) as client:
        assert client._keeper is not None
        await asyncio.wait([client._keeper])
        with pytest.raises(NotSignedIn):
            await client.games()
    assert len(server.requests("RefreshToken")) == 1
