from __future__ import annotations

import asyncio
from typing import Any

import grpc
import pytest
from hamle.error.v1.error_pb2 import Reason
from hamle.match.v1.match_pb2 import Cursor
from hamle.play.v1.play_pb2 import (
    GetViewRequest,
    ListChoicesRequest,
    ResignRequest,
    SubmitMovesRequest,
    UndoMovesRequest,
    WatchMatchRequest,
)
from redis.asyncio import Redis

from core.errors import Refused
from core.rpc.client import refusal_of
from services.gateway.limits import Rate
from services.gateway.routing.games import Route
from tests.services.gateway.exchange.engine import until
from tests.services.gateway.play.house import house
from tests.services.gateway.routing.fleet import MATCH
from tests.support.refusals import refused

CURSOR = Cursor(seq=1)


def submission(**fields: Any) -> SubmitMovesRequest:
    return SubmitMovesRequest(**{"match_id": MATCH, "request_id": "r", "expected": CURSOR, "moves": ["d1e"], **fields})


async def test_a_move_reaches_the_engine_as_it_was_sent(client: Redis, kind: str) -> None:
    async with house(client, kind) as there:
        anna = await there.sit("anna")
        request = submission(request_id="r1", moves=["d1e-d1c", "ğ"], expected=Cursor(seq=3, hash=b"x" * 16))
        answer = await there.play.SubmitMoves(request, metadata=anna, timeout=5)
        assert (answer.cursor.seq, answer.durability) == (2, 2)
        (call,) = there.first.calls
        command = call.execute
        assert command.match_id == MATCH
        assert command.handle == await there.players.handle_for(MATCH, "account-anna")
        assert (command.request_id, command.expected) == ("r1", request.expected)
        assert list(command.submit.moves) == ["d1e-d1c", "ğ"]
        # gRPC sends a deadline rounded up, of some seconds to hundredths.
        assert 0 < call.timeout_ms <= 5010


async def test_fields_that_a_cursor_does_not_have_do_not_reach_the_engine(client: Redis) -> None:
    """A megabyte of them would break the stream over which everybody plays."""
    async with house(client, "native") as there:
        anna = await there.sit("anna")
        expected = Cursor(seq=1, hash=b"h" * 16)
        swollen = Cursor.FromString(expected.SerializeToString() + b"\x7a\x80\x80\x20" + bytes(1 << 19))
        await there.play.SubmitMoves(submission(expected=swollen), metadata=anna)
        undo = UndoMovesRequest(match_id=MATCH, request_id="r2", expected=swollen, to_seq=4)
        await there.play.UndoMoves(undo, metadata=anna)
        assert [call.execute.expected for call in there.first.calls] == [expected, expected]


async def test_what_a_reader_has_seen_goes_on_to_the_engine(client: Redis, kind: str) -> None:
    async with house(client, kind) as there:
        anna = await there.sit("anna")
        known = Cursor(seq=3, hash=b"h" * 16)
        swollen = Cursor.FromString(known.SerializeToString() + b"\x7a\x80\x80\x20" + bytes(1 << 19))
        await there.play.GetView(GetViewRequest(match_id=MATCH, known=swollen), metadata=anna)
        await there.play.ListChoices(ListChoicesRequest(match_id=MATCH, known=swollen), metadata=anna)
        assert there.first.calls[0].get_view.known == known
        assert there.first.calls[1].list_choices.known == known


@pytest.mark.parametrize(
    ("known", "field"), [(Cursor(seq=2**63), "known.seq"), (Cursor(seq=1, hash=b"short"), "known.hash")]
)
async def test_what_a_reader_cannot_have_seen_is_named(client: Redis, known: Cursor, field: str) -> None:
    async with house(client, "native") as there:
        anna = await there.sit("anna")
        for call in (
            there.play.GetView(GetViewRequest(match_id=MATCH, known=known), metadata=anna),
            there.play.ListChoices(ListChoicesRequest(match_id=MATCH, known=known), metadata=anna),
        ):
            refusal = await refused(call)
            assert (refusal.reason, refusal.metadata["field"]) == (Reason.REASON_FIELD_INVALID, field)
        assert not there.first.calls


async def test_the_other_calls_reach_the_engine(client: Redis, kind: str) -> None:
    async with house(client, kind) as there:
        anna = await there.sit("anna")
        undo = UndoMovesRequest(match_id=MATCH, request_id="r1", expected=CURSOR, to_seq=4)
        assert (await there.play.UndoMoves(undo, metadata=anna)).cursor.seq == 1
        assert (await there.play.Resign(ResignRequest(match_id=MATCH, request_id="r2"), metadata=anna)).cursor.seq == 2
        choices = await there.play.ListChoices(ListChoicesRequest(match_id=MATCH, prefix="d"), metadata=anna)
        assert [choice.text for choice in choices.choices] == ["da1"]
        assert (await there.play.GetView(GetViewRequest(match_id=MATCH), metadata=anna)).decision_seq == 2
        kinds = [call.WhichOneof("call") for call in there.first.calls]
        assert kinds == ["execute", "execute", "list_choices", "get_view"]
        assert there.first.calls[0].execute.undo.to_seq == 4
        assert there.first.calls[1].execute.HasField("resign")


async def test_a_spectator_sees_but_does_not_act(client: Redis, kind: str) -> None:
    async with house(client, kind) as there:
        eve = there.token("eve")
        assert (await there.play.GetView(GetViewRequest(match_id=MATCH), metadata=eve)).view.cursor.seq == 0
        assert there.first.calls[0].get_view.handle == ""
        for call in (
            there.play.SubmitMoves(submission(), metadata=eve),
            there.play.ListChoices(ListChoicesRequest(match_id=MATCH), metadata=eve),
            there.play.Resign(ResignRequest(match_id=MATCH, request_id="r"), metadata=eve),
        ):
            assert (await refused(call)).reason == Reason.REASON_NOT_YOUR_SEAT
        assert len(there.first.calls) == 1


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"request_id": ""}, "request_id"),
        ({"request_id": "x" * 65}, "request_id"),
        ({"expected": None}, "expected.seq"),
        ({"expected": Cursor(hash=b"x" * 16)}, "expected.seq"),
        ({"expected": Cursor(seq=2**63)}, "expected.seq"),
        ({"expected": Cursor(seq=1, hash=b"short")}, "expected.hash"),
        ({"moves": []}, "moves"),
        ({"moves": ["a"] * 65}, "moves"),
        ({"moves": ["a" * 1025]}, "moves"),
        ({"moves": ["ğ" * 513]}, "moves"),
        ({"match_id": ""}, "match_id"),
    ],
)
async def test_a_field_that_does_not_fit_is_named(client: Redis, change: dict[str, Any], field: str) -> None:
    async with house(client, "native") as there:
        anna = await there.sit("anna")
        refusal = await refused(there.play.SubmitMoves(submission(**change), metadata=anna))
        assert (refusal.reason, refusal.metadata["field"]) == (Reason.REASON_FIELD_INVALID, field)
        assert not there.first.calls


async def test_the_largest_fields_that_fit_are_taken(client: Redis, kind: str) -> None:
    async with house(client, kind) as there:
        anna = await there.sit("anna")
        request = submission(request_id="x" * 64, moves=["ğ" * 512] * 64)
        assert (await there.play.SubmitMoves(request, metadata=anna)).cursor.seq == 64


async def test_a_message_that_is_too_large_is_refused_and_harms_nobody(client: Redis, kind: str) -> None:
    async with house(client, kind, max_message_bytes=1 << 16) as there:
        anna = await there.sit("anna")
        with pytest.raises(grpc.aio.AioRpcError) as error:
            await there.play.SubmitMoves(submission(moves=["a" * (1 << 17)]), metadata=anna)
        assert error.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
        assert await there.submit(anna, "r1") == 1


@pytest.mark.parametrize("match_id", ["08aaaaaaaaaaaaaaaa", "nonsense", "07AAAAAAAAAAAAAAAA"])
async def test_a_match_that_is_not_there_is_not_found(client: Redis, match_id: str) -> None:
    async with house(client, "native") as there:
        anna = await there.sit("anna")
        for call in (
            there.play.SubmitMoves(submission(match_id=match_id), metadata=anna),
            there.play.GetView(GetViewRequest(match_id=match_id), metadata=anna),
            there.play.WatchMatch(WatchMatchRequest(match_id=match_id), metadata=anna).read(),
        ):
            assert (await refused(call)).reason == Reason.REASON_MATCH_NOT_FOUND


async def test_who_may_not_is_turned_away_before_anything_happens(client: Redis, kind: str) -> None:
    async with house(client, kind) as there:
        await there.sit("anna")
        watcher = there.token("anna", frozenset({"watch"}))
        player = there.token("anna", frozenset({"play"}))
        assert (await refused(there.play.SubmitMoves(submission()))).reason == Reason.REASON_TOKEN_MISSING
        bad = (("authorization", "Bearer nonsense"),)
        assert (await refused(there.play.SubmitMoves(submission(), metadata=bad))).reason == Reason.REASON_TOKEN_INVALID
        refusal = await refused(there.play.SubmitMoves(submission(), metadata=watcher))
        assert (refusal.reason, refusal.metadata["scope"]) == (Reason.REASON_SCOPE_MISSING, "play")
        watch = there.play.WatchMatch(WatchMatchRequest(match_id=MATCH), metadata=player)
        assert (await refused(watch.read())).reason == Reason.REASON_SCOPE_MISSING
        assert not there.first.calls


async def test_too_many_calls_are_refused_with_a_delay_and_the_limits_in_the_trailers(client: Redis, kind: str) -> None:
    async with house(client, kind, rate=Rate(0.1, 2)) as there:
        anna = await there.sit("anna")
        call = there.play.SubmitMoves(submission(), metadata=anna)
        await call
        assert dict(await call.trailing_metadata())["ratelimit-remaining"] == "1"
        await there.submit(anna, "r2")
        refusal = await refused(there.play.SubmitMoves(submission(request_id="r3"), metadata=anna))
        assert refusal.reason == Reason.REASON_RATE_LIMITED
        assert refusal.retry_after_ms > 0
        assert len(there.first.calls) == 2


async def test_an_engines_refusal_is_the_clients(client: Redis, kind: str) -> None:
    async with house(client, kind) as there:
        anna = await there.sit("anna")
        there.first.refuse = Refused(Reason.REASON_ILLEGAL_MOVE, "the field is taken", {"rule": "3.1"})
        refusal = await refused(there.play.SubmitMoves(submission(), metadata=anna))
        assert (refusal.reason, refusal.message) == (Reason.REASON_ILLEGAL_MOVE, "the field is taken")
        assert refusal.metadata == {"rule": "3.1"}


async def test_moves_in_flight_when_the_engine_dies_are_done_once(client: Redis, kind: str) -> None:
    async with house(client, kind) as there:
        anna = await there.sit("anna")
        there.first.gate = asyncio.Event()
        moving = [asyncio.create_task(there.submit(anna, f"r{i}")) for i in range(10)]
        await until(lambda: len(there.first.calls) == 10)
        await there.first.stop()
        assert sorted(await asyncio.gather(*moving)) == list(range(1, 11))
        assert len(there.table.moves[MATCH]) == 10


async def test_a_client_that_leaves_is_forgotten(client: Redis, kind: str) -> None:
    async with house(client, kind) as there:
        anna = await there.sit("anna")
        there.first.gate = asyncio.Event()
        call = there.play.SubmitMoves(submission(), metadata=anna)
        await until(lambda: there.first.calls)
        exchange = there.routing.directory.owner(Route("coerceo", 7)).exchange()
        assert exchange.outstanding == 1
        call.cancel()
        await until(lambda: exchange.outstanding == 0)
        there.first.gate.set()
        assert await there.submit(anna, "r2") == 2


async def test_a_clients_deadline_travels_to_the_engine(client: Redis, kind: str) -> None:
    async with house(client, kind) as there:
        anna = await there.sit("anna")
        await there.play.SubmitMoves(submission(request_id="r1"), metadata=anna)
        await there.play.SubmitMoves(submission(request_id="r2"), metadata=anna, timeout=2)
        without, with_deadline = (call.timeout_ms for call in there.first.calls)
        assert without == 10_000
        assert 0 < with_deadline < without


async def test_the_callers_trace_travels_to_the_engine(client: Redis, kind: str) -> None:
    async with house(client, kind) as there:
        anna = await there.sit("anna")
        trace = ("traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
        await there.play.SubmitMoves(submission(), metadata=(*anna, trace))
        assert there.first.calls[0].trace.hex() == "0af7651916cd43dd8448eb211c80319c"


async def test_a_call_without_a_trace_begins_one(client: Redis, kind: str) -> None:
    async with house(client, kind) as there:
        anna = await there.sit("anna")
        for number in range(2):
            await there.play.SubmitMoves(submission(request_id=f"r{number}"), metadata=anna)
        await there.play.GetView(GetViewRequest(match_id=MATCH), metadata=anna)
        traces = [call.trace for call in there.first.calls]
        assert [len(trace) for trace in traces] == [16] * 3
        assert len(set(traces)) == 3


@pytest.mark.parametrize("method", ["SubmitMoves", "ListChoices", "GetView", "UndoMoves", "Resign", "WatchMatch"])
async def test_bytes_that_do_not_parse_are_said_to_be_so(client: Redis, kind: str, method: str) -> None:
    async with house(client, kind) as there:
        anna = await there.sit("anna")
        path = f"/hamle.play.v1.PlayService/{method}"
        if method == "WatchMatch":
            call: Any = there.channel.unary_stream(path, None, None)(b"\xff\xff\xff", metadata=anna).read()
        else:
            call = there.channel.unary_unary(path, None, None)(b"\xff\xff\xff", metadata=anna)
        with pytest.raises(grpc.aio.AioRpcError) as error:
            await call
        refusal = refusal_of(error.value)
        assert refusal is not None
        assert refusal.reason == Reason.REASON_BYTES_UNPARSABLE
        assert await there.submit(anna, "r1") == 1
