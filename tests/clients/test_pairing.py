from __future__ import annotations

import asyncio

import grpc
import pytest
from hamle_client import Client

from tests.clients.server import Context, Fault, ScriptedServer, fail, hang, refuse, serve


async def test_pairing_gives_the_started_match(server: ScriptedServer, client: Client) -> None:
    match = await client.pair("coerceo", {"start": "ocius"}, clock=(60_000, 1_000))
    request = server.requests("RequestPairing")[0]
    assert dict(request.options) == {"start": "ocius"}
    assert request.time_control.initial_ms == 60_000
    assert (match.seat, match.game) == (0, "coerceo")


async def test_lost_wait_goes_on_with_the_same_ticket(server: ScriptedServer, client: Client) -> None:
    server.faults["AwaitPairing"] += [fail(grpc.StatusCode.UNAVAILABLE), fail(grpc.StatusCode.CANCELLED)]
    await client.pair("coerceo")
    assert [request.ticket for request in server.requests("AwaitPairing")] == ["t1", "t1", "t1"]


async def test_ticket_that_is_over_is_replaced_under_a_new_request_id(server: ScriptedServer, client: Client) -> None:
    server.faults["AwaitPairing"].append(refuse(grpc.StatusCode.NOT_FOUND, "TICKET_NOT_FOUND", ticket="t1"))
    await client.pair("coerceo")
    first, second = server.requests("RequestPairing")
    assert first.request_id != second.request_id
    assert server.requests("AwaitPairing")[-1].ticket == "t2"


async def test_cancelled_wait_leaves_the_queue(server: ScriptedServer, client: Client) -> None:
    server.faults["AwaitPairing"].append(hang)
    waiting = asyncio.create_task(client.pair("coerceo"))
    await server.until("AwaitPairing")
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    assert [request.ticket for request in server.requests("CancelPairing")] == ["t1"]


@pytest.mark.parametrize(
    "answers", [[hang], [fail(grpc.StatusCode.UNAVAILABLE), hang]], ids=["under way", "being repeated"]
)
async def test_a_request_that_is_cancelled_before_its_answer_leaves_the_queue(
    server: ScriptedServer, client: Client, answers: list[Fault]
) -> None:
    server.faults["RequestPairing"] += answers
    waiting = asyncio.create_task(client.pair("coerceo"))
    await server.until("RequestPairing", len(answers))
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    assert len(server.tickets) == 1
    assert [request.ticket for request in server.requests("CancelPairing")] == list(server.tickets.values())


async def test_a_wait_that_the_server_held_longer_than_patience_goes_on_elsewhere() -> None:
    async with serve(ScriptedServer()) as first, serve(ScriptedServer()) as second:
        for gateway in (first, second):
            gateway.faults["AwaitPairing"].append(held(3.0))
        async with Client(f"{first.address},{second.address}", patience=2.5) as client:
            await client.pair("coerceo")
    assert len(first.requests("AwaitPairing")) == 2
    assert len(second.requests("AwaitPairing")) == 1


def held(seconds: float) -> Fault:
    """A wait for an opponent during which the gateway goes down."""

    async def act(context: Context) -> None:
        await asyncio.sleep(seconds)
        await fail(grpc.StatusCode.UNAVAILABLE)(context)

    return act
