from __future__ import annotations

from typing import Any

import grpc
import pytest
from hamle.error.v1.error_pb2 import Reason
from hamle.replay.v1.replay_pb2 import ExportMatchRequest, ForkMatchRequest, GetStepRequest, ListEventsRequest
from redis.asyncio import Redis

from core.errors import Refused
from core.log.keys import match_id_for
from core.rpc.client import refusal_of
from tests.services.gateway.exchange.engine import hash_at
from tests.services.gateway.play.house import House, house
from tests.services.gateway.routing.fleet import MATCH
from tests.support.refusals import refused

MOVES = [f"m{i}" for i in range(1, 8)]


async def played(there: House) -> Any:
    there.table.moves[MATCH] = list(MOVES)
    return await there.sit("anna")


async def test_any_state_of_the_past_is_given_as_the_engine_gives_it(client: Redis, kind: str) -> None:
    async with house(client, kind) as there:
        anna = await played(there)
        step = await there.replay.GetStep(GetStepRequest(match_id=MATCH, seq=3), metadata=anna)
        assert step.step.told.event.moved.move == "m3"
        assert step.step.view.cursor.seq == 3
        assert step.head.seq == 7
        assert (await there.replay.GetStep(GetStepRequest(match_id=MATCH), metadata=anna)).step.view.cursor.seq == 7


async def test_pages_hold_every_event_once(client: Redis, kind: str) -> None:
    async with house(client, kind) as there:
        anna = await played(there)
        request = ListEventsRequest(match_id=MATCH, after_seq=1, page_size=2)
        pages: list[list[int]] = []
        while True:
            page = await there.replay.ListEvents(request, metadata=anna)
            pages.append([event.cursor.seq for event in page.events])
            if not page.next_page_token:
                break
            request.page_token = page.next_page_token
        assert pages == [[2, 3], [4, 5], [6, 7]]


async def test_the_default_page_is_large(client: Redis, kind: str) -> None:
    async with house(client, kind) as there:
        anna = await played(there)
        page = await there.replay.ListEvents(ListEventsRequest(match_id=MATCH), metadata=anna)
        assert len(page.events) == 7
        assert page.next_page_token == ""


async def test_an_export_holds_every_record(client: Redis, kind: str) -> None:
    async with house(client, kind) as there:
        await played(there)
        call = there.replay.ExportMatch(ExportMatchRequest(match_id=MATCH), metadata=there.token("eve"))
        assert [record.cursor.seq async for record in call] == list(range(1, 8))


async def test_a_fork_is_a_private_match_of_its_own_with_the_caller_in_it(client: Redis, kind: str) -> None:
    async with house(client, kind) as there:
        anna = await played(there)
        request = ForkMatchRequest(request_id="r1", match_id=MATCH, seq=4, seat=1)
        fork = await there.replay.ForkMatch(request, metadata=anna)
        match_id = match_id_for("account-anna", "r1")
        assert fork.match.match_id == match_id
        assert fork.match.head.seq == 4
        assert await there.players.invited_to(fork.invite_code) == match_id
        asked = there.first.forks[0]
        assert asked.handle == await there.players.handle_for(match_id, "account-anna")
        assert asked.parent_handle == await there.players.handle_for(MATCH, "account-anna")
        assert asked.handle != asked.parent_handle
        assert (asked.seat, asked.HasField("seat")) == (1, True)
        again = await there.replay.ForkMatch(request, metadata=anna)
        assert again == fork
        step = await there.replay.GetStep(GetStepRequest(match_id=match_id, seq=4), metadata=anna)
        assert step.step.told.cursor.hash == hash_at(match_id, 4)


async def test_a_spectator_forks_without_a_handle_in_the_parent(client: Redis, kind: str) -> None:
    async with house(client, kind) as there:
        await played(there)
        request = ForkMatchRequest(request_id="r1", match_id=MATCH, seq=4)
        await there.replay.ForkMatch(request, metadata=there.token("eve"))
        assert there.first.forks[0].parent_handle == ""
        assert not there.first.forks[0].HasField("seat")


@pytest.mark.parametrize(
    ("method", "request_", "reason"),
    [
        ("GetStep", GetStepRequest(match_id=""), Reason.REASON_FIELD_INVALID),
        ("GetStep", GetStepRequest(match_id=MATCH, seq=2**63), Reason.REASON_FIELD_INVALID),
        ("GetStep", GetStepRequest(match_id="09aaaaaaaaaaaaaaaa"), Reason.REASON_MATCH_NOT_FOUND),
        ("ListEvents", ListEventsRequest(match_id=MATCH, page_size=501), Reason.REASON_FIELD_INVALID),
        ("ListEvents", ListEventsRequest(match_id=MATCH, after_seq=2**64 - 1), Reason.REASON_FIELD_INVALID),
        ("ListEvents", ListEventsRequest(match_id=MATCH, page_token="abc"), Reason.REASON_PAGE_TOKEN_INVALID),
        ("ListEvents", ListEventsRequest(match_id="nonsense"), Reason.REASON_MATCH_NOT_FOUND),
        ("ForkMatch", ForkMatchRequest(match_id=MATCH, seq=1), Reason.REASON_FIELD_INVALID),
        ("ForkMatch", ForkMatchRequest(match_id=MATCH, request_id="r"), Reason.REASON_FIELD_INVALID),
        ("ForkMatch", ForkMatchRequest(match_id="nonsense", request_id="r", seq=1), Reason.REASON_MATCH_NOT_FOUND),
        ("ExportMatch", ExportMatchRequest(match_id="09aaaaaaaaaaaaaaaa"), Reason.REASON_MATCH_NOT_FOUND),
    ],
)
async def test_what_cannot_be_answered_has_its_reason(
    client: Redis, method: str, request_: Any, reason: Reason.ValueType
) -> None:
    async with house(client, "native") as there:
        anna = await played(there)
        call = getattr(there.replay, method)(request_, metadata=anna)
        refusal = await refused(call.read() if method == "ExportMatch" else call)
        assert refusal.reason == reason


async def test_scopes_are_asked_for(client: Redis, kind: str) -> None:
    async with house(client, kind) as there:
        await played(there)
        player, watcher = there.token("anna", frozenset({"play"})), there.token("anna", frozenset({"watch"}))
        for call in (
            there.replay.GetStep(GetStepRequest(match_id=MATCH), metadata=player),
            there.replay.ListEvents(ListEventsRequest(match_id=MATCH), metadata=player),
            there.replay.ForkMatch(ForkMatchRequest(match_id=MATCH, request_id="r", seq=1), metadata=watcher),
            there.replay.ExportMatch(ExportMatchRequest(match_id=MATCH), metadata=player).read(),
        ):
            assert (await refused(call)).reason == Reason.REASON_SCOPE_MISSING
        assert there.first.asked == 0


async def test_an_engines_refusal_is_the_clients(client: Redis, kind: str) -> None:
    async with house(client, kind) as there:
        anna = await played(there)
        there.first.refuse = Refused(Reason.REASON_SEQ_OUT_OF_RANGE, "no such event", {"head_seq": "7"})
        for call in (
            there.replay.GetStep(GetStepRequest(match_id=MATCH, seq=99), metadata=anna),
            there.replay.ExportMatch(ExportMatchRequest(match_id=MATCH), metadata=anna).read(),
        ):
            refusal = await refused(call)
            assert (refusal.reason, refusal.metadata) == (Reason.REASON_SEQ_OUT_OF_RANGE, {"head_seq": "7"})


@pytest.mark.parametrize("method", ["GetStep", "ListEvents", "ForkMatch", "ExportMatch"])
async def test_bytes_that_do_not_parse_are_said_to_be_so(client: Redis, kind: str, method: str) -> None:
    async with house(client, kind) as there:
        anna = await played(there)
        path = f"/hamle.replay.v1.ReplayService/{method}"
        if method == "ExportMatch":
            call: Any = there.channel.unary_stream(path, None, None)(b"\xff\xff", metadata=anna).read()
        else:
            call = there.channel.unary_unary(path, None, None)(b"\xff\xff", metadata=anna)
        with pytest.raises(grpc.aio.AioRpcError) as error:
            await call
        refusal = refusal_of(error.value)
        assert refusal is not None
        assert refusal.reason == Reason.REASON_BYTES_UNPARSABLE
