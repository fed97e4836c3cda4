"""An engine trusts no caller with the bounds of what it is asked for."""

from collections.abc import Awaitable
from typing import Any

import pytest
from hamle.engine.v1 import engine_pb2
from hamle.error.v1 import error_pb2

from core.log.keys import match_id_for
from core.store.client import Client
from engines.coerceo.game import GAME as COERCEO
from tests.support.refusals import reason, refused
from tests.support.replicas import StartEngine

NEW = match_id_for("new")
READS = ("GetMatch", "GetView", "ListChoices", "GetStep", "ListEvents", "PassDeadline", "AcceptTailLoss")


@pytest.mark.parametrize("match_id", ["", "m", "99" + "a" * 16, "x" * 70_000])
async def test_what_is_no_match_id_names_no_match(start_engine: StartEngine, match_id: str) -> None:
    replica = await start_engine(COERCEO)
    for method in READS:
        request = getattr(engine_pb2, f"{method}Request")(match_id=match_id)
        assert await reason(replica.call(method, request)) == "MATCH_NOT_FOUND"
    assert await reason(replica.move(match_id, "ann", 4, "d1e-d1a")) == "MATCH_NOT_FOUND"
    fork = engine_pb2.ForkMatchRequest(match_id=NEW, request_id="f", parent=match_id, seq=4, handle="ann")
    assert await reason(replica.call("ForkMatch", fork)) == "MATCH_NOT_FOUND"
    for method in ("WatchMatch", "ExportMatch"):
        stream = replica.stream(method, getattr(engine_pb2, f"{method}Request")(match_id=match_id))
        assert await reason(stream.read()) == "MATCH_NOT_FOUND"


@pytest.mark.parametrize(
    ("fields", "named"),
    [
        ({"match_id": "m"}, "match_id"),
        ({"request_id": ""}, "request_id"),
        ({"request_id": "r" * 65}, "request_id"),
        ({"handle": ""}, "handle"),
        ({"handle": "h" * 70_000}, "handle"),
        ({"sitters": [engine_pb2.Sitter(seat=1)]}, "handle"),
        ({"sitters": [engine_pb2.Sitter(seat=1, handle="ann")]}, "sitters.handle"),
        ({"sitters": [engine_pb2.Sitter(seat=1, handle="bob", entropy=b"e" * 33)]}, "entropy"),
        ({"visibility": 77}, "visibility"),
    ],
)
async def test_a_creation_out_of_bounds_is_refused(
    start_engine: StartEngine, store: Client, fields: dict[str, Any], named: str
) -> None:
    replica = await start_engine(COERCEO)
    request = engine_pb2.CreateMatchRequest(**{"match_id": NEW, "request_id": "r", "handle": "ann"} | fields)
    assert await field(replica.call("CreateMatch", request)) == named
    assert await store.keys("{s*") == []


@pytest.mark.parametrize(
    ("fields", "named"),
    [
        ({"request_id": "r" * 65}, "request_id"),
        ({"request_id": "r" * 70_000}, "request_id"),
        ({"handle": ""}, "handle"),
        ({"handle": "h" * 70_000}, "handle"),
        ({"submit": engine_pb2.Submit()}, "moves"),
        ({"submit": engine_pb2.Submit(moves=["m"] * 65)}, "moves"),
        ({"submit": engine_pb2.Submit(moves=["m" * 1_025])}, "moves"),
        ({"submit": engine_pb2.Submit(moves=["ğ" * 513])}, "moves"),
    ],
)
async def test_a_command_out_of_bounds_is_refused(
    start_engine: StartEngine, fields: dict[str, Any], named: str
) -> None:
    replica = await start_engine(COERCEO)
    match_id = await replica.create()
    command: dict[str, Any] = {
        "match_id": match_id,
        "request_id": "r",
        "handle": "ann",
        "submit": engine_pb2.Submit(moves=["m"]),
    }
    request = engine_pb2.ExecuteRequest(**command | {"expected": {"seq": 4}} | fields)
    assert await field(replica.call("Execute", request)) == named


async def test_too_much_entropy_takes_no_seat(start_engine: StartEngine) -> None:
    replica = await start_engine(COERCEO)
    match_id = await replica.create(sit=False)
    sit = engine_pb2.TakeSeat(entropy=b"e" * 33)
    request = engine_pb2.ExecuteRequest(match_id=match_id, request_id="r", handle="bob", take_seat=sit)
    assert await field(replica.call("Execute", request)) == "entropy"


@pytest.mark.parametrize(("fields", "named"), [({"match_id": "m"}, "match_id"), ({"handle": ""}, "handle")])
async def test_a_fork_out_of_bounds_is_refused(start_engine: StartEngine, fields: dict[str, Any], named: str) -> None:
    replica = await start_engine(COERCEO)
    parent = await replica.create()
    asked: dict[str, Any] = {"match_id": NEW, "request_id": "f", "parent": parent, "seq": 4, "handle": "ann"}
    assert await field(replica.call("ForkMatch", engine_pb2.ForkMatchRequest(**asked | fields))) == named


async def field(call: Awaitable[Any]) -> str:
    """The field that the refusal of a call names."""
    refusal = await refused(call)
    assert refusal.reason == error_pb2.REASON_FIELD_INVALID
    return refusal.metadata["field"]
