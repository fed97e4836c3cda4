"""Every method of both services looks at the token, its scopes and the limits before it does anything."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import nullcontext as does_not_raise
from typing import Any

import pytest
from hamle.account.v1 import account_pb2
from hamle.error.v1.error_pb2 import (
    REASON_FIELD_INVALID,
    REASON_OPTION_INVALID,
    REASON_RATE_LIMITED,
    REASON_SCOPE_MISSING,
    REASON_TICKET_NOT_FOUND,
    REASON_TOKEN_INVALID,
    REASON_TOKEN_MISSING,
)
from hamle.event.v1.event_pb2 import TimeControl
from hamle.lobby.v1 import lobby_pb2 as pb

from core.rpc.client import bearer_metadata
from core.store.settings import StoreSettings
from services.gateway.limits import Kind, Rate
from tests.services.gateway.lobby.house import GENEROUS, Gateway, Guest, gateway
from tests.support.refusals import refused

SCOPES = {
    "ListGames": "watch",
    "CreateMatch": "play",
    "GetMatch": "watch",
    "ListMatches": "watch",
    "JoinMatch": "play",
    "LeaveMatch": "play",
    "StartMatch": "play",
    "RequestPairing": "play",
    "AwaitPairing": "play",
    "CancelPairing": "play",
}
METHODS = pb.DESCRIPTOR.services_by_name["LobbyService"].methods_by_name


def call(one: Gateway, method: str, metadata: Any = ()) -> Any:
    request = getattr(pb, f"{method}Request")()
    return getattr(one.lobby, method)(request, metadata=metadata)


@pytest.fixture(params=["native", "grpcio"])
async def bare(store_settings: StoreSettings, request: pytest.FixtureRequest) -> AsyncIterator[Gateway]:
    """A gateway without engines."""
    async with gateway(store_settings, kind=request.param) as one:
        yield one


def test_the_table_names_every_method() -> None:
    assert set(SCOPES) == set(METHODS)


async def test_every_method_wants_a_token(bare: Gateway) -> None:
    for method in METHODS:
        assert (await refused(call(bare, method))).reason == REASON_TOKEN_MISSING
        assert (await refused(call(bare, method, bearer_metadata("x")))).reason == REASON_TOKEN_INVALID
    for method in ("RefreshToken", "RevokeTokens", "GetAccount"):
        request = getattr(account_pb2, f"{method}Request")()
        assert (await refused(getattr(bare.accounts, method)(request))).reason == REASON_TOKEN_MISSING


async def test_every_method_wants_its_scope(bare: Gateway) -> None:
    lacking = {"play": await bare.guest("W", "watch"), "watch": await bare.guest("P", "play")}
    for method, scope in SCOPES.items():
        refusal = await refused(call(bare, method, lacking[scope].metadata))
        assert refusal.reason == REASON_SCOPE_MISSING
        assert refusal.metadata == {"scope": scope}


async def test_every_method_is_counted(store_settings: StoreSettings) -> None:
    rates = {**GENEROUS, Kind.WRITE: Rate(0.001, 1), Kind.READ: Rate(0.001, 1)}
    async with gateway(store_settings, rates=rates) as one:
        for method in METHODS:
            who = await one.guest("A")
            used = "ListGames" if SCOPES[method] == "watch" else "CancelPairing"
            with pytest.raises(Exception, match="ticket") if used == "CancelPairing" else does_not_raise():
                await call(one, used, who.metadata)
            refusal = await refused(call(one, method, who.metadata))
            assert refusal.reason == REASON_RATE_LIMITED
            assert refusal.retry_after_ms > 0


MATCH = "07" + "a" * 16


@pytest.mark.parametrize(
    ("method", "request_", "reason", "field"),
    [
        ("CreateMatch", pb.CreateMatchRequest(game="cellar"), REASON_FIELD_INVALID, "request_id"),
        ("CreateMatch", pb.CreateMatchRequest(game="cellar", request_id="r" * 65), REASON_FIELD_INVALID, "request_id"),
        ("CreateMatch", pb.CreateMatchRequest(game="cellar", request_id="r", seats=5), REASON_FIELD_INVALID, "seats"),
        ("CreateMatch", pb.CreateMatchRequest(game="cellar", request_id="r", seat=2), REASON_FIELD_INVALID, "seat"),
        (
            "CreateMatch",
            pb.CreateMatchRequest(game="cellar", request_id="r", entropy=bytes(33)),
            REASON_FIELD_INVALID,
            "entropy",
        ),
        (
            "CreateMatch",
            pb.CreateMatchRequest(game="cellar", request_id="r", visibility=7),  # type: ignore[arg-type]
            REASON_FIELD_INVALID,
            "visibility",
        ),
        (
            "CreateMatch",
            pb.CreateMatchRequest(game="cellar", request_id="r", time_control=TimeControl(initial_ms=1)),
            REASON_FIELD_INVALID,
            "time_control.initial_ms",
        ),
        (
            "CreateMatch",
            pb.CreateMatchRequest(game="cellar", request_id="r", options={"rounds": "9"}),
            REASON_OPTION_INVALID,
            None,
        ),
        ("JoinMatch", pb.JoinMatchRequest(match_id=MATCH), REASON_FIELD_INVALID, "request_id"),
        ("JoinMatch", pb.JoinMatchRequest(request_id="r"), REASON_FIELD_INVALID, "match_id"),
        (
            "JoinMatch",
            pb.JoinMatchRequest(request_id="r", match_id=MATCH, entropy=bytes(33)),
            REASON_FIELD_INVALID,
            "entropy",
        ),
        ("LeaveMatch", pb.LeaveMatchRequest(match_id=MATCH), REASON_FIELD_INVALID, "request_id"),
        ("StartMatch", pb.StartMatchRequest(request_id="r"), REASON_FIELD_INVALID, "match_id"),
        ("GetMatch", pb.GetMatchRequest(), REASON_FIELD_INVALID, "match_id"),
        ("RequestPairing", pb.RequestPairingRequest(game="cellar"), REASON_FIELD_INVALID, "request_id"),
        (
            "RequestPairing",
            pb.RequestPairingRequest(game="cellar", request_id="r", options={"x": "y"}),
            REASON_OPTION_INVALID,
            None,
        ),
        (
            "RequestPairing",
            pb.RequestPairingRequest(game="cellar", request_id="r", time_control=TimeControl()),
            REASON_FIELD_INVALID,
            "time_control.initial_ms",
        ),
        ("AwaitPairing", pb.AwaitPairingRequest(ticket="t", wait_ms=20_001), REASON_FIELD_INVALID, "wait_ms"),
        ("AwaitPairing", pb.AwaitPairingRequest(), REASON_TICKET_NOT_FOUND, None),
        ("CancelPairing", pb.CancelPairingRequest(), REASON_TICKET_NOT_FOUND, None),
    ],
)
async def test_bad_fields_are_named(
    one: Gateway, ann: Guest, method: str, request_: Any, reason: int, field: str | None
) -> None:
    refusal = await refused(getattr(one.lobby, method)(request_, metadata=ann.metadata))
    assert refusal.reason == reason
    assert refusal.metadata.get("field") == field
