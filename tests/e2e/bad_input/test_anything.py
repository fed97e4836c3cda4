"""Whatever anybody sends to whatever method, the call is done or refused with a reason, and the servers go on."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from typing import Any, Final

import grpc
import pytest
from google.protobuf.message import DecodeError
from hamle.account.v1 import account_pb2
from hamle.engine.v1 import engine_pb2
from hamle.lobby.v1 import lobby_pb2
from hamle.play.v1 import play_pb2
from hamle.replay.v1 import replay_pb2
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st

from core.errors import Refused
from tests.e2e.bad_input.messages import anything, messages, near
from tests.e2e.bad_input.people import bearer, guest
from tests.e2e.bad_input.reference import require_listed
from tests.e2e.bad_input.refusal import refusal_of
from tests.e2e.bad_input.scene import CARDS, PLAYING, scene
from tests.e2e.bad_input.stack import OPTIONS, Metadata, Stack, stranger
from tests.e2e.bad_input.world import World, world

NIGHTLY: Final = os.environ.get("HAMLE_NIGHTLY") == "1"
ANYTHING: Final = settings(
    max_examples=15 * (20 if NIGHTLY else 1),
    deadline=None,
    derandomize=not NIGHTLY,
    database=None,
    suppress_health_check=list(HealthCheck),
)
SERVED: Final = {
    "account": account_pb2.DESCRIPTOR.services_by_name["AccountService"],
    "lobby": lobby_pb2.DESCRIPTOR.services_by_name["LobbyService"],
    "play": play_pb2.DESCRIPTOR.services_by_name["PlayService"],
    "replay": replay_pb2.DESCRIPTOR.services_by_name["ReplayService"],
}
PUBLIC: Final = [method for service in SERVED.values() for method in service.methods]
ENGINE: Final = [
    method for method in engine_pb2.DESCRIPTOR.services_by_name["EngineService"].methods if not method.client_streaming
]
FAULTS: Final = ("INTERNAL", "LOG_CORRUPT")
CALL_S: Final = 60.0
LONGEST_WAIT_MS: Final = 20
CALLS: Final = (
    ("execute", "ExecuteRequest"),
    ("get_view", "GetViewRequest"),
    ("list_choices", "ListChoicesRequest"),
    ("watch", "WatchMatchRequest"),
)


@pytest.fixture(scope="session")
def worlds() -> dict[str, World]:
    return {}


@pytest.fixture
async def there(stack: Stack, kind: str, worlds: dict[str, World]) -> World:
    """One for all methods of a server."""
    if kind not in worlds:
        worlds[kind] = await world(stack, kind)
    return worlds[kind]


@pytest.fixture
async def gateway(stack: Stack, kind: str) -> AsyncIterator[grpc.aio.Channel]:
    async with grpc.aio.insecure_channel(stack.gateways[kind].address, options=OPTIONS) as channel:
        yield channel


@pytest.fixture
async def engine(stack: Stack, kind: str) -> AsyncIterator[grpc.aio.Channel]:
    name = {"native": "native-battleline", "grpcio": "coerceo"}[kind]
    async with grpc.aio.insecure_channel(stack.engines[name].address, options=OPTIONS) as channel:
        yield channel


async def send(channel: grpc.aio.Channel, method: Any, data: bytes, metadata: Metadata) -> str:
    """How the call ends: OK, or the reason of the refusal."""
    path = f"/{method.containing_service.full_name}/{method.name}"
    try:
        if method.server_streaming:
            call: Any = channel.unary_stream(path, None, None)(data, metadata=metadata, timeout=CALL_S)
            # A watch ends when its reader has had enough.
            await call.read()
            call.cancel()
        else:
            unary: Any = channel.unary_unary(path, None, None)
            await unary(data, metadata=metadata, timeout=CALL_S)
    except grpc.aio.AioRpcError as error:
        reason = refusal_of(error).reason
        require_listed(path, reason)
        return reason
    return "OK"


def drawn(data: st.DataObject, method: Any, there: World) -> bytes:
    """A request, or what is none."""
    request: bytes = data.draw(anything(there.templates[method.input_type.full_name], there.known), label="request")
    return patient(request) if method.name == "AwaitPairing" else request


def patient(request: bytes) -> bytes:
    """The request; one that would wait long waits a little."""
    try:
        asked = lobby_pb2.AwaitPairingRequest.FromString(request)
    except DecodeError:
        return request
    if LONGEST_WAIT_MS < asked.wait_ms <= 20_000:
        asked.wait_ms = LONGEST_WAIT_MS
    return asked.SerializeToString()


@pytest.mark.parametrize("method", PUBLIC, ids=[method.name for method in PUBLIC])
@ANYTHING
@given(data=st.data())
async def test_the_public_methods_take_anything(
    stack: Stack, kind: str, gateway: grpc.aio.Channel, there: World, method: Any, data: st.DataObject
) -> None:
    metadata = data.draw(st.one_of(st.sampled_from(there.tokens), st.sampled_from((*there.tokens, *there.bad))))
    if method.name == "RevokeTokens" and metadata in there.tokens:
        metadata = (await guest(gateway, "Leaver")).metadata
    request = drawn(data, method, there)
    reason = await send(gateway, method, request, (*metadata, *stranger()))
    event(reason)
    assert reason not in FAULTS


@pytest.mark.parametrize("method", ENGINE, ids=[method.name for method in ENGINE])
@ANYTHING
@given(data=st.data())
async def test_the_engines_methods_take_anything(
    stack: Stack, kind: str, engine: grpc.aio.Channel, there: World, method: Any, data: st.DataObject
) -> None:
    credentials = st.sampled_from((*[stack.credential] * 6, bearer("wrong"), ()))
    reason = await send(engine, method, drawn(data, method, there), data.draw(credentials, label="credential"))
    event(reason)
    assert reason not in FAULTS


@ANYTHING
@given(data=st.data())
async def test_the_engines_stream_takes_anything(
    stack: Stack, kind: str, engine: grpc.aio.Channel, there: World, data: st.DataObject
) -> None:
    requests = data.draw(st.lists(batches(there), max_size=3), label="requests")
    rubbish = data.draw(st.sampled_from((b"", b"", b"\xff", b"\x0b" * 200)), label="rubbish")
    sent = [batch for batch in (request.SerializeToString() for request in requests) if len(batch) < 1 << 20]
    path: Any = engine.stream_stream("/hamle.engine.v1.EngineService/Exchange", None, None)
    stream = path(metadata=stack.credential, timeout=CALL_S)
    for batch in sent:
        await stream.write(batch)
    answers, pushes = expected(sent)
    while answers > 0 or pushes > 0:
        answer = engine_pb2.ExchangeResponse.FromString(await stream.read())
        answers -= len(answer.answers)
        pushes -= len(answer.pushes)
        told: list[Any] = [*answer.answers, *answer.pushes]
        refused = [Refused.from_proto(one.rejection).name for one in told if one.HasField("rejection")]
        assert not set(refused) & set(FAULTS), refused
    if rubbish:
        await stream.write(rubbish)
        with pytest.raises(grpc.aio.AioRpcError) as error:
            await to_the_end(stream)
        assert refusal_of(error.value).reason == "BYTES_UNPARSABLE"
    stream.cancel()


async def to_the_end(stream: Any) -> None:
    while await stream.read():
        pass


def batches(there: World) -> st.SearchStrategy[Any]:
    """Batches of calls near to good ones, and any batches."""
    made = engine_pb2.ExchangeRequest.DESCRIPTOR
    call = st.tuples(st.sampled_from(CALLS), st.sampled_from((1, 1, 2, 1 << 63)), st.sampled_from((0, 1, 20_000)))
    calls = call.flatmap(
        lambda drawn: near(there.templates[f"hamle.engine.v1.{drawn[0][1]}"], there.known).map(
            lambda request: called(drawn[0][0], request, drawn[1], drawn[2])
        )
    )
    good = st.lists(calls, min_size=1, max_size=5).map(lambda drawn: engine_pb2.ExchangeRequest(calls=drawn))
    return st.one_of(good, good, messages(made, there.known))


def called(what: str, request: Any, number: int, timeout_ms: int) -> engine_pb2.Call:
    call = engine_pb2.Call(id=number, timeout_ms=timeout_ms)
    getattr(call, what).CopyFrom(request)
    return call


def expected(batches: list[bytes]) -> tuple[int, int]:
    """How many answers the calls bring, and how many frames at least."""
    calls = [call for batch in batches for call in engine_pb2.ExchangeRequest.FromString(batch).calls]
    asked = [call.WhichOneof("call") for call in calls]
    return sum(what not in ("watch", "unwatch") for what in asked), sum(what == "watch" for what in asked)


@pytest.mark.parametrize("match", [PLAYING, CARDS])
async def test_after_all_that_matches_are_played_and_no_process_has_failed(stack: Stack, kind: str, match: str) -> None:
    async with scene(stack, kind, match) as there:
        await there.go_on()
    stack.require_unharmed()
