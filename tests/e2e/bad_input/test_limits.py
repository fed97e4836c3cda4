"""Too many calls."""

from __future__ import annotations

import grpc
from hamle.account.v1.account_pb2 import GetAccountRequest, SignInGuestRequest
from hamle.account.v1.account_pb2_grpc import AccountServiceStub
from hamle.lobby.v1.lobby_pb2 import CancelPairingRequest, ListGamesRequest
from hamle.lobby.v1.lobby_pb2_grpc import LobbyServiceStub

from tests.e2e.bad_input.conftest import SIGN_INS, TROUBLED, WRITES
from tests.e2e.bad_input.people import bearer, guest
from tests.e2e.bad_input.refusal import refused
from tests.e2e.bad_input.stack import OPTIONS, Stack, stranger


async def test_too_many_sign_ins_from_one_address_are_refused_with_limit_and_reset(stack: Stack, kind: str) -> None:
    async with grpc.aio.insecure_channel(stack.gateways[kind].address, options=OPTIONS) as channel:
        accounts = AccountServiceStub(channel)
        home = stranger()
        for left in reversed(range(SIGN_INS)):
            call = accounts.SignInGuest(SignInGuestRequest(), metadata=home)
            token = (await call).token.token
            trailers = dict(await call.trailing_metadata())
            assert trailers["ratelimit-limit"] == str(SIGN_INS)
            assert trailers["ratelimit-remaining"] == str(left)
        refusal = await refused(accounts.SignInGuest(SignInGuestRequest(), metadata=home))
        assert refusal.reason == "RATE_LIMITED"
        assert f"wait {refusal.retry_ms} ms and call again" in refusal.message
        assert refusal.trailers["ratelimit-limit"] == str(SIGN_INS)
        assert refusal.trailers["ratelimit-remaining"] == "0"
        assert int(refusal.trailers["ratelimit-reset"]) * 1000 >= refusal.retry_ms
        # Who is limited in one thing is not in another, nor is anybody else.
        await accounts.GetAccount(GetAccountRequest(), metadata=bearer(token))
        await accounts.SignInGuest(SignInGuestRequest(), metadata=stranger())
    stack.require_unharmed()


async def test_too_many_changing_calls_of_one_account_are_refused_before_anything_happens(troubled: Stack) -> None:
    async with grpc.aio.insecure_channel(troubled.gateways[TROUBLED].address, options=OPTIONS) as channel:
        lobby, hasty, other = LobbyServiceStub(channel), await guest(channel, "Hasty"), await guest(channel, "Other")
        request = CancelPairingRequest(ticket="none")
        reasons = []
        while "RATE_LIMITED" not in reasons:
            refusal = await refused(lobby.CancelPairing(request, metadata=hasty.metadata))
            reasons.append(refusal.reason)
            assert refusal.trailers["ratelimit-limit"] == str(WRITES)
        assert len(reasons) > WRITES
        assert set(reasons[:-1]) == {"TICKET_NOT_FOUND"}
        assert refusal.trailers["ratelimit-remaining"] == "0"
        assert int(refusal.trailers["ratelimit-reset"]) >= WRITES - 1
        # It is a limit of his, and of calls that change something.
        await lobby.ListGames(ListGamesRequest(), metadata=hasty.metadata)
        assert (await refused(lobby.CancelPairing(request, metadata=other.metadata))).reason == "TICKET_NOT_FOUND"
