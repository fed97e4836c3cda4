from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from typing import Any

import pytest
from hamle.account.v1 import account_pb2 as pb
from hamle.error.v1.error_pb2 import (
    REASON_BYTES_UNPARSABLE,
    REASON_FIELD_INVALID,
    REASON_RATE_LIMITED,
    REASON_TOKEN_EXPIRED,
    REASON_TOKEN_INVALID,
    REASON_TOKEN_MISSING,
    REASON_TOKEN_REVOKED,
)
from redis.asyncio import Redis

from services.gateway.limits import Kind, Rate
from tests.services.gateway.account.gateways import GENEROUS, Gateway, ServerKind, serving, signed
from tests.support.refusals import refused


@pytest.fixture(params=["native", "grpcio"])
async def gateway(client: Redis, request: pytest.FixtureRequest) -> AsyncIterator[Gateway]:
    async with serving(client, kind=request.param) as gateway:
        yield gateway


async def test_a_guest_signs_in_under_his_name_and_is_known_by_his_token(gateway: Gateway) -> None:
    answer = await gateway.stub.SignInGuest(pb.SignInGuestRequest(name="  Ayşe "))
    assert answer.account.name == "Ayşe"
    assert list(answer.token.scopes) == ["play", "watch"]
    seen = await gateway.stub.GetAccount(pb.GetAccountRequest(), metadata=signed(answer.token.token))
    assert seen.account == answer.account


async def test_a_guest_without_a_name_gets_one_and_two_guests_are_two_accounts(gateway: Gateway) -> None:
    one = await gateway.stub.SignInGuest(pb.SignInGuestRequest())
    two = await gateway.stub.SignInGuest(pb.SignInGuestRequest())
    assert one.account.name
    assert one.account.account_id != two.account.account_id


async def test_a_token_can_be_asked_for_with_fewer_scopes_and_keeps_them(gateway: Gateway) -> None:
    token = await gateway.sign_in(scopes=("watch",))
    again = await gateway.stub.RefreshToken(pb.RefreshTokenRequest(), metadata=signed(token))
    assert list(again.token.scopes) == ["watch"]


@pytest.mark.parametrize(
    ("request_", "field"),
    [
        (pb.SignInGuestRequest(name="a\u202eb"), "name"),
        (pb.SignInGuestRequest(name="x" * 33), "name"),
        (pb.SignInGuestRequest(scopes=["admin"]), "scopes"),
    ],
)
async def test_a_sign_in_that_does_not_fit_names_the_field(
    gateway: Gateway, request_: pb.SignInGuestRequest, field: str
) -> None:
    refusal = await refused(gateway.stub.SignInGuest(request_))
    assert refusal.reason == REASON_FIELD_INVALID
    assert refusal.metadata["field"] == field
    assert refusal.metadata["expected"]


async def test_a_refreshed_token_is_the_same_account_and_the_old_one_stays_valid(gateway: Gateway) -> None:
    token = await gateway.sign_in("A")
    me = (await gateway.stub.GetAccount(pb.GetAccountRequest(), metadata=signed(token))).account
    fresh = await gateway.stub.RefreshToken(pb.RefreshTokenRequest(), metadata=signed(token))
    for each in (token, fresh.token.token):
        assert (await gateway.stub.GetAccount(pb.GetAccountRequest(), metadata=signed(each))).account == me


async def test_calls_without_a_good_token_are_refused_with_the_reason(gateway: Gateway) -> None:
    ask = gateway.stub.GetAccount
    assert (await refused(ask(pb.GetAccountRequest()))).reason == REASON_TOKEN_MISSING
    for header in ("Bearer x.y.z", "Basic abc", "Bearer", "x"):
        refusal = await refused(ask(pb.GetAccountRequest(), metadata=(("authorization", header),)))
        assert refusal.reason == REASON_TOKEN_INVALID


@pytest.mark.parametrize("kind", ["native", "grpcio"])
async def test_a_token_ends(client: Redis, kind: ServerKind) -> None:
    async with serving(client, kind=kind, life_ms=1000) as gateway:
        answer = await gateway.stub.SignInGuest(pb.SignInGuestRequest())
        # By the same clock as the gateway's: another one may be a little ahead of it.
        while time.time() * 1000 < answer.token.expires_at_ms:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        ask = gateway.stub.GetAccount(pb.GetAccountRequest(), metadata=signed(answer.token.token))
        assert (await refused(ask)).reason == REASON_TOKEN_EXPIRED


async def test_revoking_ends_all_tokens_here_at_once_and_no_others(gateway: Gateway) -> None:
    token, other = await gateway.sign_in("A"), await gateway.sign_in("B")
    fresh = (await gateway.stub.RefreshToken(pb.RefreshTokenRequest(), metadata=signed(token))).token.token
    await gateway.stub.RevokeTokens(pb.RevokeTokensRequest(), metadata=signed(token))
    for each in (token, fresh):
        assert (
            await refused(gateway.stub.GetAccount(pb.GetAccountRequest(), metadata=signed(each)))
        ).reason == REASON_TOKEN_REVOKED
    await gateway.stub.GetAccount(pb.GetAccountRequest(), metadata=signed(other))


@pytest.mark.parametrize("kind", ["native", "grpcio"])
async def test_limits_stand_in_the_trailers_of_answers_and_of_refusals(client: Redis, kind: ServerKind) -> None:
    rates = {**GENEROUS, Kind.WRITE: Rate(0.01, 2)}
    async with serving(client, kind=kind, rates=rates) as gateway:
        token, other = await gateway.sign_in("A"), await gateway.sign_in("B")
        seen = []
        for _ in range(2):
            call = gateway.stub.GetAccount(pb.GetAccountRequest(), metadata=signed(token))
            await call
            seen.append(limits(await call.trailing_metadata()))
        assert [each[:2] for each in seen] == [("2", "1"), ("2", "0")]
        assert all(0 < int(each[2]) <= 200 for each in seen)
        call = gateway.stub.GetAccount(pb.GetAccountRequest(), metadata=signed(token))
        refusal = await refused(call)
        assert refusal.reason == REASON_RATE_LIMITED
        assert 0 < refusal.retry_after_ms <= 100_000
        assert limits(await call.trailing_metadata())[:2] == ("2", "0")
        await gateway.stub.GetAccount(pb.GetAccountRequest(), metadata=signed(other))


async def test_sign_ins_are_limited_by_address_without_a_token(client: Redis) -> None:
    rates = {**GENEROUS, Kind.SIGN_IN: Rate(0.01, 1)}
    async with serving(client, rates=rates, trust_forwarded=True) as gateway:
        ask = gateway.stub.SignInGuest
        near = (("x-forwarded-for", "203.0.113.9, 2001:db8::1"),)
        await ask(pb.SignInGuestRequest(), metadata=near)
        neighbour = (("x-forwarded-for", "2001:db8::2"),)
        assert (await refused(ask(pb.SignInGuestRequest(), metadata=neighbour))).reason == REASON_RATE_LIMITED
        await ask(pb.SignInGuestRequest(), metadata=(("x-forwarded-for", "2001:db8:0:1::1"),))
        await ask(pb.SignInGuestRequest())
        assert (await refused(ask(pb.SignInGuestRequest()))).reason == REASON_RATE_LIMITED


@pytest.mark.parametrize("kind", ["native", "grpcio"])
async def test_a_sign_in_that_cannot_be_read_is_counted_too(client: Redis, kind: ServerKind) -> None:
    async with serving(client, kind=kind, rates={**GENEROUS, Kind.SIGN_IN: Rate(0.01, 1)}) as gateway:
        send = gateway.channel.unary_unary("/hamle.account.v1.AccountService/SignInGuest", None, None)
        call: Any = send(b"\xff")
        assert (await refused(call)).reason == REASON_BYTES_UNPARSABLE
        assert limits(await call.trailing_metadata())[:2] == ("1", "0")
        assert (await refused(send(b"\xff"))).reason == REASON_RATE_LIMITED


async def test_a_forwarded_address_is_not_believed_unless_a_proxy_is_trusted(client: Redis) -> None:
    async with serving(client, rates={**GENEROUS, Kind.SIGN_IN: Rate(0.01, 1)}) as gateway:
        await gateway.stub.SignInGuest(pb.SignInGuestRequest(), metadata=(("x-forwarded-for", "203.0.113.1"),))
        refusal = await refused(
            gateway.stub.SignInGuest(pb.SignInGuestRequest(), metadata=(("x-forwarded-for", "203.0.113.2"),))
        )
        assert refusal.reason == REASON_RATE_LIMITED


def limits(trailers: object) -> tuple[str, ...]:
    found = {key: value for key, value in trailers}  # type: ignore[attr-defined]  # noqa: C416
    return tuple(found[f"ratelimit-{name}"] for name in ("limit", "remaining", "reset"))
