"""AccountService: guests, their tokens, and the end of them."""

from __future__ import annotations

import re
import secrets
import time
from collections.abc import Callable
from typing import Final

from hamle.account.v1 import account_pb2 as pb

from services.gateway import fields
from services.gateway.account.follower import AccountFollower, revoke
from services.gateway.account.keys import LONGEST_LIFE_MS
from services.gateway.account.names import made_up
from services.gateway.account.tokens import sign
from services.gateway.identity import SCOPES, Context, Identity
from services.gateway.stored import Stored

DEFAULT_LIFE_MS: Final = 7 * 86_400_000
_ID_BYTES: Final = 10
_ACCOUNT_ID: Final = re.compile(rf"[0-9a-f]{{{2 * _ID_BYTES}}}", re.ASCII)


def is_account_id(text: str) -> bool:
    """Whether a text has the form of an account id; says nothing of whether there is such an account."""
    return _ACCOUNT_ID.fullmatch(text) is not None


class Accounts:
    """Guest accounts live in their tokens alone: signing in writes nothing, so nothing has to be cleaned up.

    `life_ms` is how long a token lives, at most `LONGEST_LIFE_MS`.
    """

    def __init__(
        self,
        store: Stored,
        follower: AccountFollower,
        *,
        life_ms: int = DEFAULT_LIFE_MS,
        clock: Callable[[], float] = time.time,
        random: Callable[[int], bytes] = secrets.token_bytes,
    ) -> None:
        if not 1000 <= life_ms <= LONGEST_LIFE_MS:
            raise ValueError(f"a token lives 1,000 to {LONGEST_LIFE_MS:,} ms")
        self._store = store
        self._follower = follower
        self._life_ms = life_ms
        self._clock = clock
        self._random = random

    async def SignInGuest(
        self, request: pb.SignInGuestRequest, context: Context, caller: None
    ) -> pb.SignInGuestResponse:
        """A new account, and its token. Raises `Refused`: FIELD_INVALID."""
        name = fields.name(request.name) if request.name else made_up(self._random(4))
        scopes = frozenset(request.scopes or SCOPES)
        if not scopes.issubset(SCOPES):
            raise fields.wrong("scopes", "some of play, watch; or none for all")
        identity = Identity(self._random(_ID_BYTES).hex(), name, scopes)
        return pb.SignInGuestResponse(account=_account(identity), token=self._token(identity))

    async def RefreshToken(
        self, request: pb.RefreshTokenRequest, context: Context, caller: Identity
    ) -> pb.RefreshTokenResponse:
        """A token like the caller's that ends later."""
        return pb.RefreshTokenResponse(token=self._token(caller))

    async def RevokeTokens(
        self, request: pb.RevokeTokensRequest, context: Context, caller: Identity
    ) -> pb.RevokeTokensResponse:
        """Ends all tokens of the caller: here at once, elsewhere when the other gateways next look at the store."""
        account_id = caller.account_id
        epoch = await revoke(self._store, account_id)
        self._follower.revoked(account_id, epoch, int(self._clock() * 1000))
        return pb.RevokeTokensResponse()

    async def GetAccount(
        self, request: pb.GetAccountRequest, context: Context, caller: Identity
    ) -> pb.GetAccountResponse:
        """Who the caller is."""
        return pb.GetAccountResponse(account=_account(caller))

    def _token(self, identity: Identity) -> pb.Token:
        signed = sign(self._follower.signing_key(), identity, int(self._clock() * 1000), self._life_ms)
        return pb.Token(token=signed.token, expires_at_ms=signed.expires_ms, scopes=sorted(identity.scopes))


def _account(identity: Identity) -> pb.Account:
    return pb.Account(account_id=identity.account_id, name=identity.name)
