"""Whatever anybody sends to whatever method, the call is done or refused with a reason, and the servers go on."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from typing import Any, Final

import grpc
import pytest
from hamle.account.v1 import account_pb2
from hamle.engine.v1 import engine_pb2
from hamle.lobby.v1 import lobby_pb2
from hamle.play.v1 import play_pb2
from hamle.replay.v1 import replay_pb2
from hypothesis import HealthCheck, given, note, settings
from hypothesis import strategies as st

from core.errors import Refused
from tests.e2e.bad_input.messages import messages, wild
from tests.e2e.bad_input.people import bearer, guest
from tests.e2e.bad_input.refusal import refusal_of
from tests.e2e.bad_input.scene import CARDS, PLAYING, scene
from tests.e2e.bad_input.stack import OPTIONS, Metadata, Stack, stranger
from tests.e2e.bad_input.world import World, world

NIGHTLY: Final = os.environ.get("HAMLE_NIGHTLY") == "1"
ANYTHING: Final = settings(
    max_examples=20 * (20 if NIGHTLY else 1),
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
        return refusal_of(error).reason
    return "OK"


def drawn(data: st.DataObject, method: Any, there: World) -> bytes:
    """A request, or what is none."""
    meant = messages(method.input_type, there.known).map(lambda message: patient(message).SerializeToString())
    request: bytes = data.draw(st.one_of(meant, meant, wild(method.input_type, there.known)), label="request")
    return request


def patient(message: Any) -> Any:
    """The message; none that has to be waited for is worth it."""
    if isinstance(message, lobby_pb2.AwaitPairingRequest) and message.wait_ms <= 20_000:
        message.wait_ms = min(message.wait_ms, LONGEST_WAIT_MS)
    return message


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
    note(reason)
    assert reason not in FAULTS


@pytest.mark.parametrize("method", ENGINE, ids=[method.name for method in ENGINE])
@ANYTHING
@given(data=st.data())
async def test_the_engines_methods_take_anything(
    stack: Stack, kind: str, engine: grpc.aio.Channel, there: World, method: Any, data: st.DataObject
) -> None:
    credentials = st.sampled_from((stack.credential, stack.credential, bearer("wrong"), ()))
    reason = await send(engine, method, drawn(data, method, there), data.draw(credentials, label="credential"))
    note(reason)
    assert reason not in FAULTS


@ANYTHING
@given(data=st.data())
async def test_the_engines_stream_takes_anything(
    stack: Stack, kind: str, engine: grpc.aio.Channel, there: World, data: st.DataObject
) -> None:
    requests = data.draw(st.lists(messages(engine_pb2.ExchangeRequest.DESCRIPTOR, there.known), max_size=3))
    rubbish = data.draw(st.sampled_from((b"", b"", b"\xff", b"\x0b" * 200)), label="rubbish")
    batches = [batch for batch in (request.SerializeToString() for request in requests) if len(batch) < 1 << 20]
    path: Any = engine.stream_stream("/hamle.engine.v1.EngineService/Exchange", None, None)
    stream = path(metadata=stack.credential, timeout=CALL_S)
    for batch in batches:
        await stream.write(batch)
    answers, pushes = expected(batches)
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
