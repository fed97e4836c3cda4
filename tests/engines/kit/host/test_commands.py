from __future__ import annotations

import asyncio
from typing import Any

import grpc
import pytest
from hamle.engine.v1 import engine_pb2
from hamle.match.v1 import match_pb2

from core.log.keys import log_key, match_id_for
from core.store.client import Client
from engines.coerceo.game import GAME as COERCEO
from engines.kit.host.reads import FRESH_S
from tests.engines.kit.cardgame import GAME as CELLAR
from tests.engines.kit.host.test_watching import frames
from tests.support.rawlog import entries, put_in_place
from tests.support.refusals import reason
from tests.support.replicas import StartEngine

OPENING = ("d1e-d1a", "b4b-b4f", "d4a-c5c", "b1d-b1f")


async def damage(store: Client, match_id: str, seq: int) -> None:
    """An event's hash is nought."""
    log = await entries(store, match_id)
    log[seq - 1][1][b"h"] = bytes(16)
    await put_in_place(store, match_id, log)


async def test_a_call_without_the_fleet_credential_is_refused(start_engine: StartEngine) -> None:
    replica = await start_engine(COERCEO)
    for metadata, expected in ((None, "TOKEN_MISSING"), ((("authorization", "Bearer no"),), "TOKEN_INVALID")):
        call = replica.stub.GetMatch(engine_pb2.GetMatchRequest(match_id="00" + "a" * 16), metadata=metadata)
        assert await reason(call) == expected


async def test_an_unknown_match_is_its_own_reason(start_engine: StartEngine) -> None:
    replica = await start_engine(COERCEO)
    unknown = match_id_for("nobody made this")
    assert await reason(replica.call("GetMatch", engine_pb2.GetMatchRequest(match_id=unknown))) == "MATCH_NOT_FOUND"
    assert await reason(replica.move(unknown, "ann", 1, "d1e-d1a")) == "MATCH_NOT_FOUND"


async def test_a_repeated_creation_gives_the_match_and_another_payload_is_refused(start_engine: StartEngine) -> None:
    replica = await start_engine(COERCEO)
    await replica.create()
    await replica.create()
    assert await reason(replica.create(options={"start": "ocius"})) == "REQUEST_ID_REUSED"


async def test_a_move_is_answered_with_its_place_and_what_the_store_has_done(start_engine: StartEngine) -> None:
    replica = await start_engine(COERCEO)
    match_id = await replica.create()
    answer = await replica.move(match_id, "ann", 4, "d1e-d1a")
    assert answer.cursor.seq == 5
    assert len(answer.cursor.hash) == 16
    assert answer.durability == match_pb2.DURABILITY_WRITTEN


async def test_a_repeat_by_another_replica_after_a_restart_gets_the_first_answer(
    start_engine: StartEngine, store: Client
) -> None:
    first = await start_engine(COERCEO)
    match_id = await first.create()
    answer = await first.move(match_id, "ann", 4, "d1e-d1a", request_id="once")
    await first.move(match_id, "bob", 5, "b4b-b4f")
    await first.stop()
    second = await start_engine(COERCEO)
    assert await second.move(match_id, "ann", 4, "d1e-d1a", request_id="once") == answer
    assert await store.xlen(log_key(match_id)) == 6


async def test_two_replicas_that_both_serve_a_match_never_fork_it(start_engine: StartEngine, store: Client) -> None:
    replicas = [await start_engine(COERCEO), await start_engine(COERCEO)]
    match_id = await replicas[0].create()
    seq = 4
    for number, move in enumerate(OPENING):
        handle = ("ann", "bob")[number % 2]
        answer = await replicas[number % 2].move(match_id, handle, seq, move)
        seq = answer.cursor.seq
    assert await store.xlen(log_key(match_id)) == 8
    asked = engine_pb2.GetViewRequest(match_id=match_id, handle="ann", known=answer.cursor)
    views = [await replica.call("GetView", asked) for replica in replicas]
    assert views[0] == views[1]


async def test_the_same_request_at_two_replicas_at_once_is_done_once(start_engine: StartEngine, store: Client) -> None:
    replicas = [await start_engine(COERCEO), await start_engine(COERCEO)]
    match_id = await replicas[0].create()
    answers = await asyncio.gather(
        *(replica.move(match_id, "ann", 4, "d1e-d1a", request_id="once") for replica in replicas for _ in range(8))
    )
    assert len({answer.SerializeToString() for answer in answers}) == 1
    assert await store.xlen(log_key(match_id)) == 5


async def test_seats_that_decide_at_once_are_all_taken(start_engine: StartEngine) -> None:
    replica = await start_engine(CELLAR)
    match_id = match_id_for("four")
    request = engine_pb2.CreateMatchRequest(match_id=match_id, request_id="four", handle="ann", seats=4)
    for seat, handle in enumerate(("bob", "cem", "dee"), start=1):
        request.sitters.add(seat=seat, handle=handle)
    head = (await replica.call("CreateMatch", request)).match.head.seq

    async def stake(handle: str) -> None:
        choices = await replica.call("ListChoices", engine_pb2.ListChoicesRequest(match_id=match_id, handle=handle))
        await replica.move(match_id, handle, head, choices.choices[0].text)

    await asyncio.gather(*(stake(handle) for handle in ("dee", "bob", "ann", "cem")))
    assert (await replica.call("GetMatch", engine_pb2.GetMatchRequest(match_id=match_id))).match.head.seq == head + 4


def command(match_id: str, handle: str, request_id: str, **body: Any) -> engine_pb2.ExecuteRequest:
    return engine_pb2.ExecuteRequest(match_id=match_id, handle=handle, request_id=request_id, **body)


async def test_a_command_is_not_refused_by_a_memory_that_is_behind(start_engine: StartEngine) -> None:
    behind, ahead = await start_engine(COERCEO), await start_engine(COERCEO)
    match_id = await behind.create(sit=False)
    await ahead.call("Execute", command(match_id, "bob", "sit", take_seat=engine_pb2.TakeSeat()))
    resigned = await behind.call("Execute", command(match_id, "ann", "resign", resign=engine_pb2.Resign()))
    assert resigned.cursor.seq == 7
    again = ahead.call("Execute", command(match_id, "bob", "resign", resign=engine_pb2.Resign()))
    assert await reason(again) == "MATCH_FINISHED"


async def test_a_seat_that_was_left_elsewhere_is_taken_anew(start_engine: StartEngine, store: Client) -> None:
    behind, ahead = await start_engine(CELLAR), await start_engine(CELLAR)
    match_id = await behind.create(sit=False, seats=3)
    await behind.call("Execute", command(match_id, "bob", "sit", take_seat=engine_pb2.TakeSeat()))
    await ahead.call("Execute", command(match_id, "bob", "leave", leave_seat=engine_pb2.LeaveSeat()))
    sat = await behind.call("Execute", command(match_id, "bob", "sit again", take_seat=engine_pb2.TakeSeat()))
    assert sat.cursor.seq == await store.xlen(log_key(match_id)) == 5


async def test_a_wrong_hash_is_refused(start_engine: StartEngine) -> None:
    replica = await start_engine(COERCEO)
    match_id = await replica.create()
    request = engine_pb2.ExecuteRequest(match_id=match_id, handle="ann", request_id="r")
    request.submit.moves.append("d1e-d1a")
    request.expected.seq, request.expected.hash = 4, bytes(16)
    assert await reason(replica.call("Execute", request)) == "HASH_MISMATCH"


async def test_a_cursor_beyond_the_log_means_a_lost_tail(start_engine: StartEngine) -> None:
    replica = await start_engine(COERCEO)
    match_id = await replica.create()
    assert await reason(replica.move(match_id, "ann", 9, "d1e-d1a")) == "LOG_LOST_TAIL"


async def test_a_missing_request_id_is_named(start_engine: StartEngine) -> None:
    replica = await start_engine(COERCEO)
    match_id = await replica.create()
    request = engine_pb2.ExecuteRequest(match_id=match_id, handle="ann")
    request.submit.moves.append("d1e-d1a")
    assert await reason(replica.call("Execute", request)) == "FIELD_INVALID"


async def test_a_match_that_does_not_start_is_cancelled_at_its_deadline(
    start_engine: StartEngine, store: Client
) -> None:
    replica = await start_engine(COERCEO, start_within_ms=4_000)
    match_id = await replica.create(sit=False)
    request = engine_pb2.PassDeadlineRequest(match_id=match_id)
    early = await replica.call("PassDeadline", request)
    assert (early.done, early.next_ms > 0) == (False, True)
    await asyncio.sleep(4.1)
    late = await replica.call("PassDeadline", request)
    assert (late.done, late.next_ms) == (True, 0)
    assert (await replica.call("GetMatch", engine_pb2.GetMatchRequest(match_id=match_id))).match.status == (
        match_pb2.MATCH_STATUS_CANCELLED
    )
    assert await store.ttl(log_key(match_id)) > 0


async def test_a_fork_is_created_once_and_played_on(start_engine: StartEngine, store: Client) -> None:
    replica = await start_engine(COERCEO)
    parent = await replica.create()
    seq = 4
    for number, move in enumerate(OPENING):
        seq = (await replica.move(parent, ("ann", "bob")[number % 2], seq, move)).cursor.seq
    fork_id = match_id_for("fork")
    request = engine_pb2.ForkMatchRequest(match_id=fork_id, request_id="f", parent=parent, seq=6, handle="fay")
    match = (await replica.call("ForkMatch", request)).match
    assert (await replica.call("ForkMatch", request)).match.head == match.head
    assert [seat.handle for seat in match.seats] == ["fay", ""]
    assert await entries(store, fork_id, 6) == await entries(store, parent, 6)
    sit = engine_pb2.ExecuteRequest(match_id=fork_id, handle="gil", request_id="s")
    sit.take_seat.SetInParent()
    head = (await replica.call("Execute", sit)).cursor.seq
    assert (await replica.move(fork_id, "fay", head, OPENING[2])).cursor.seq == head + 1


async def test_a_match_of_rules_that_nobody_runs_is_its_own_reason(start_engine: StartEngine) -> None:
    cellar, coerceo = await start_engine(CELLAR), await start_engine(COERCEO)
    match_id = await coerceo.create()
    assert await reason(cellar.call("GetMatch", engine_pb2.GetMatchRequest(match_id=match_id))) == "RULES_UNAVAILABLE"


async def test_a_damaged_log_stops_play_and_is_named(start_engine: StartEngine, store: Client) -> None:
    replica = await start_engine(COERCEO)
    match_id = await replica.create()
    await replica.stop()
    await damage(store, match_id, 4)
    again = await start_engine(COERCEO)
    assert await reason(again.call("GetMatch", engine_pb2.GetMatchRequest(match_id=match_id))) == "LOG_CORRUPT"
    assert await reason(again.move(match_id, "ann", 4, "d1e-d1a")) == "LOG_CORRUPT"
    assert await store.xlen(log_key(match_id)) == 4


async def test_a_log_that_is_damaged_under_a_warm_match_is_named_where_it_is_read_again(
    start_engine: StartEngine, store: Client
) -> None:
    replica = await start_engine(COERCEO)
    match_id = await replica.create()
    await damage(store, match_id, 2)
    export = replica.stream("ExportMatch", engine_pb2.ExportMatchRequest(match_id=match_id))
    assert (await export.read()).cursor.seq == 1
    assert await reason(export.read()) == "LOG_CORRUPT"
    fork = engine_pb2.ForkMatchRequest(match_id=match_id_for("f"), request_id="f", parent=match_id, seq=4, handle="fay")
    assert await reason(replica.call("ForkMatch", fork)) == "LOG_CORRUPT"


async def test_the_watches_of_a_match_end_when_its_log_turns_out_damaged(
    start_engine: StartEngine, store: Client
) -> None:
    replica = await start_engine(COERCEO)
    match_id = await replica.create()
    watching = replica.stream("WatchMatch", engine_pb2.WatchMatchRequest(match_id=match_id))
    await frames(watching, 6)
    await store.xadd(log_key(match_id), {"e": b"\xff", "h": bytes(16)}, id="5-0")
    await asyncio.sleep(FRESH_S)  # reads may be so old
    assert await reason(replica.call("GetMatch", engine_pb2.GetMatchRequest(match_id=match_id))) == "LOG_CORRUPT"
    assert await reason(frames(watching, 1)) == "LOG_CORRUPT"


async def test_a_plain_call_that_nobody_waits_for_any_more_changes_nothing(start_engine: StartEngine) -> None:
    replica = await start_engine(COERCEO)
    match_id = await replica.create()
    match = replica.engine._follower._matches.cache.get(match_id)
    assert match is not None
    assert match.lock.try_acquire()
    command = engine_pb2.ExecuteRequest(match_id=match_id, handle="ann", request_id="late")
    command.expected.seq = 4
    command.submit.moves.append("d1e-d1a")
    with pytest.raises(grpc.aio.AioRpcError) as late:
        await replica.stub.Execute(command, metadata=replica.metadata, timeout=0.3)
    assert late.value.code() is grpc.StatusCode.DEADLINE_EXCEEDED
    # A server counts from when it hears of a call.
    await asyncio.sleep(1)
    match.lock.release()
    answer = await replica.move(match_id, "ann", 4, "d1e-d1c")
    assert answer.cursor.seq == 5
