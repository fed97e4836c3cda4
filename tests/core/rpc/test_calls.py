from __future__ import annotations

import asyncio
from random import Random
from typing import Any

import grpc
import pytest
from hamle.engine.v1 import engine_pb2 as engine
from hamle.engine.v1.engine_pb2_grpc import EngineServiceStub
from hamle.play.v1 import play_pb2 as play_pb
from hamle.play.v1.play_pb2_grpc import PlayServiceStub
from structlog.testing import capture_logs

from core.rpc.client import bearer_metadata, refusal_of
from core.rpc.server import RpcServer
from core.telemetry.metrics import RPC_REQUESTS, RPC_SECONDS
from tests.core.rpc.conftest import CREDENTIAL
from tests.core.rpc.servicer import ANSWER, FRAME, STALE, Play

PLAY = "hamle.play.v1.PlayService"
SUBMIT = f"/{PLAY}/SubmitMoves"
WATCH = f"/{PLAY}/WatchMatch"
EXCHANGE = "/hamle.engine.v1.EngineService/Exchange"
GARBAGE = [b"\xff\xff\xff", b"\x0a\x7fshort", b"\x0a\x02\xff\xfe", b"\x0b", b"\x00"]


async def submit(wire: Any, what: str) -> Any:
    return await PlayServiceStub(wire).SubmitMoves(play_pb.SubmitMovesRequest(match_id=what))


async def watch(wire: Any, what: str) -> tuple[list[Any], grpc.aio.AioRpcError | None]:
    frames = []
    try:
        async for frame in PlayServiceStub(wire).WatchMatch(play_pb.WatchMatchRequest(match_id=what)):
            frames.append(frame)
    except grpc.aio.AioRpcError as error:
        return frames, error
    return frames, None


async def failure(call: Any) -> grpc.aio.AioRpcError:
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await call
    return caught.value


async def test_answers_are_messages_or_bytes_passed_on_unread(wire: Any) -> None:
    assert await submit(wire, "") == ANSWER
    assert await submit(wire, "bytes") == ANSWER
    assert await watch(wire, "") == ([FRAME, FRAME], None)


async def test_a_refusal_arrives_with_all_its_details(wire: Any) -> None:
    for error in (await failure(submit(wire, "refused")), (await watch(wire, "refused"))[1]):
        assert error is not None
        assert (error.code(), error.details()) == (grpc.StatusCode.ABORTED, STALE.message)
        refused = refusal_of(error)
        assert refused is not None
        assert vars(refused) == vars(STALE)


async def test_trailers_set_before_a_refusal_are_kept(wire: Any) -> None:
    error = await failure(submit(wire, "refused"))
    trailers: Any = error.trailing_metadata()
    assert ("x-limit", "3") in list(trailers)


@pytest.mark.parametrize("what", ["fault", "leaked cancellation", "no message"])
async def test_a_fault_is_an_incident_that_the_log_explains_and_the_client_cannot_read(wire: Any, what: str) -> None:
    with capture_logs() as logged:
        error = await failure(submit(wire, what))
    refused = refusal_of(error)
    assert error.code() is grpc.StatusCode.INTERNAL
    assert refused is not None
    assert refused.name == "INTERNAL"
    (line,) = [line for line in logged if line["event"] == "call failed"]
    assert line["incident"] == refused.metadata["incident"]
    assert line["method"] == SUBMIT[1:]
    assert isinstance(line["exc_info"], BaseException)
    assert "hunter2" not in str(error)
    assert "Secretive" not in str(error)


@pytest.mark.parametrize("what", ["fault", "no message"])
async def test_a_fault_in_a_stream_comes_after_what_was_sent(wire: Any, what: str) -> None:
    frames, error = await watch(wire, what)
    assert frames == [FRAME, FRAME]
    assert error is not None
    assert error.code() is grpc.StatusCode.INTERNAL
    assert refusal_of(error) is not None
    assert "hunter2" not in str(error)


async def test_a_fault_is_logged_with_the_callers_trace(wire: Any) -> None:
    trace = (("traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"),)
    request = play_pb.SubmitMovesRequest(match_id="fault")
    with capture_logs() as logged:
        await failure(PlayServiceStub(wire).SubmitMoves(request, metadata=trace))
    assert [line["trace_id"] for line in logged] == ["4bf92f3577b34da6a3ce929d0e0e4736"]


@pytest.mark.parametrize("garbage", GARBAGE)
async def test_bytes_that_do_not_parse_are_an_invalid_argument(wire: Any, garbage: bytes) -> None:
    unary = await failure(wire.unary_unary(SUBMIT)(garbage))
    stream = await failure(wire.unary_stream(WATCH)(garbage).read())
    both = wire.stream_stream(EXCHANGE)(iter([garbage]), metadata=bearer_metadata(CREDENTIAL))
    for error in (unary, stream, await failure(both.read())):
        refused = refusal_of(error)
        assert error.code() is grpc.StatusCode.INVALID_ARGUMENT
        assert refused is not None
        assert refused.name == "BYTES_UNPARSABLE"
    assert await submit(wire, "") == ANSWER


async def test_random_bytes_are_taken_or_refused_and_nothing_else(wire: Any) -> None:
    random = Random(7)
    for _ in range(150):
        call = wire.unary_unary(SUBMIT)(random.randbytes(random.randrange(1, 40)))
        assert await call.code() in (grpc.StatusCode.OK, grpc.StatusCode.INVALID_ARGUMENT)


async def test_no_bytes_are_an_empty_message(wire: Any) -> None:
    assert await wire.unary_unary(SUBMIT)(b"") == ANSWER.SerializeToString()


async def test_a_message_over_the_limit_is_refused_with_the_limit(wire: Any) -> None:
    big = play_pb.SubmitMovesRequest(match_id="x" * (1 << 21)).SerializeToString()
    unary = await failure(wire.unary_unary(SUBMIT)(big))
    stream = await failure(wire.unary_stream(WATCH)(big).read())
    both = wire.stream_stream(EXCHANGE)(iter([big]), metadata=bearer_metadata(CREDENTIAL))
    for error in (unary, stream, await failure(both.read())):
        refused = refusal_of(error)
        assert error.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
        assert refused is not None
        assert (refused.name, refused.metadata) == ("MESSAGE_TOO_LARGE", {"limit_bytes": str(1 << 20)})
    assert await submit(wire, "") == ANSWER


async def test_what_is_far_too_large_is_cut_off_either_way(wire: Any, kind: str) -> None:
    big = play_pb.SubmitMovesRequest(match_id="x" * (1 << 23))
    error = await failure(PlayServiceStub(wire).SubmitMoves(big))
    assert error.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
    # grpcio cuts it off itself; the native server has it in memory by then, so it is told the reason.
    assert (refusal_of(error) is not None) == (kind == "native")
    assert (await failure(submit(wire, "too large"))).code() is grpc.StatusCode.RESOURCE_EXHAUSTED
    assert await submit(wire, "") == ANSWER


async def test_what_unpacks_to_far_too_much_is_refused_and_the_server_lives(wire: Any) -> None:
    bomb = play_pb.SubmitMovesRequest(match_id="x" * (1 << 25)).SerializeToString()
    for method in (wire.unary_unary(SUBMIT), wire.unary_stream(WATCH)):
        call = method(bomb, compression=grpc.Compression.Gzip)
        assert await call.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
    assert await submit(wire, "") == ANSWER


async def test_a_method_may_take_its_request_unread(wire: Any, play: Play) -> None:
    assert await wire.unary_unary(f"/{PLAY}/ListChoices")(b"\xff\xff") == b"\xff\xff"
    assert play.requests == [b"\xff\xff"]


async def test_what_a_servicer_ends_itself_is_left_as_it_is(wire: Any) -> None:
    with capture_logs() as logged:
        aborted = await failure(submit(wire, "abort"))
        by_hand = await failure(PlayServiceStub(wire).GetView(play_pb.GetViewRequest()))
    assert (aborted.code(), aborted.details()) == (grpc.StatusCode.NOT_FOUND, "nowhere")
    assert (by_hand.code(), by_hand.details()) == (grpc.StatusCode.DATA_LOSS, "by hand")
    assert logged == []


async def test_a_client_that_leaves_or_waits_no_longer_is_no_fault(wire: Any, play: Play) -> None:
    cancelled = RPC_REQUESTS.labels(f"{PLAY}/WatchMatch", "CANCELLED")
    before = cancelled.value
    with capture_logs() as logged:
        late = PlayServiceStub(wire).SubmitMoves(play_pb.SubmitMovesRequest(match_id="wait"), timeout=0.2)
        assert (await failure(late)).code() is grpc.StatusCode.DEADLINE_EXCEEDED
        for what in ("wait", "flood"):
            call = PlayServiceStub(wire).WatchMatch(play_pb.WatchMatchRequest(match_id=what))
            await call.read()
            call.cancel()
            assert await play.ended.get() == what
        while cancelled.value < before + 2:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
    assert logged == []


async def test_streams_in_both_directions_work_and_end_in_refusals(wire: Any) -> None:
    stub = EngineServiceStub(wire)

    def exchange(*ids: int) -> Any:
        requests = [engine.ExchangeRequest(calls=[engine.Call(id=number)]) for number in ids]
        return stub.Exchange(iter(requests), metadata=bearer_metadata(CREDENTIAL))

    assert [answer.answers[0].id async for answer in exchange(1, 2, 3)] == [1, 2, 3]
    refused = refusal_of(await failure(_drain(exchange(1, 99))))
    assert refused is not None
    assert vars(refused) == vars(STALE)
    assert (await failure(_drain(exchange(98)))).code() is grpc.StatusCode.INTERNAL


async def _drain(call: Any) -> None:
    async for _ in call:
        pass


@pytest.mark.parametrize(
    ("metadata", "reason"),
    [
        ((), "TOKEN_MISSING"),
        ((("authorization", "Bearer wrong"),), "TOKEN_INVALID"),
        ((("authorization", f"Basic {CREDENTIAL}"),), "TOKEN_INVALID"),
        ((("authorization", ""),), "TOKEN_INVALID"),
        ((("authorization", f"Bearer {CREDENTIAL}x"),), "TOKEN_INVALID"),
    ],
)
async def test_the_fleets_credential_is_asked_for(wire: Any, metadata: Any, reason: str) -> None:
    stub = EngineServiceStub(wire)
    one = await failure(stub.DescribeGame(engine.DescribeGameRequest(), metadata=metadata))
    # Without a request to send: grpcio's client may fail by itself when the answer is faster than it.
    stream = await failure(_drain(stub.Exchange(metadata=metadata)))
    for error in (one, stream):
        refused = refusal_of(error)
        assert error.code() is grpc.StatusCode.UNAUTHENTICATED
        assert refused is not None
        assert refused.name == reason
        assert CREDENTIAL not in str(error)


@pytest.mark.parametrize("scheme", ["Bearer", "bearer", "BEARER"])
async def test_who_shows_the_credential_passes(wire: Any, scheme: str) -> None:
    metadata = (("authorization", f"{scheme} {CREDENTIAL}"),)
    answer = await EngineServiceStub(wire).DescribeGame(engine.DescribeGameRequest(), metadata=metadata)
    assert answer == engine.DescribeGameResponse()


async def test_calls_are_counted_by_method_and_code_and_timed(wire: Any) -> None:
    method = f"{PLAY}/SubmitMoves"

    def counts() -> list[int]:
        codes = ("OK", "ABORTED", "INVALID_ARGUMENT", "NOT_FOUND", "INTERNAL")
        return [RPC_REQUESTS.labels(method, code).value for code in codes]

    before, timed = counts(), sum(RPC_SECONDS.labels(method).counts)
    await submit(wire, "")
    await failure(submit(wire, "refused"))
    await failure(wire.unary_unary(SUBMIT)(b"\xff"))
    await failure(submit(wire, "abort"))
    await failure(submit(wire, "fault"))
    assert [now - then for now, then in zip(counts(), before, strict=True)] == [1, 1, 1, 1, 1]
    assert sum(RPC_SECONDS.labels(method).counts) == timed + 1


async def test_unknown_methods_are_unimplemented(wire: Any) -> None:
    for path in (f"/{PLAY}/Cheat", "/hamle.none.v1.NoService/Cheat"):
        assert (await failure(wire.unary_unary(path)(b""))).code() is grpc.StatusCode.UNIMPLEMENTED


async def test_a_server_that_is_asked_for_is_the_one_that_runs(server: RpcServer, kind: str) -> None:
    assert server.kind == kind
