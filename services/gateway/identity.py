"""Who calls, and whether he may: the first thing that happens to every call of the public API."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from ipaddress import IPv6Address, ip_address
from typing import Any, Final, NamedTuple, Protocol

import grpc
from hamle.error.v1.error_pb2 import REASON_SCOPE_MISSING, REASON_TOKEN_INVALID, REASON_TOKEN_MISSING

from core.errors import Refused
from core.rpc import metadata
from core.telemetry.metrics import RATE_LIMITED
from services.gateway.limits import Kind, Limiter, RateLimited

PLAY: Final = "play"
"""Scope of calls that change something."""
WATCH: Final = "watch"
"""Scope of calls that read."""
SCOPES: Final = (PLAY, WATCH)


class Need(NamedTuple):
    """What a method asks of who calls it: the limit that calls count against, and a scope; empty: any token will do.

    Calls that count as sign-ins come without a token.
    """

    kind: Kind
    scope: str = ""


Context = grpc.aio.ServicerContext[Any, Any]


class Identity(NamedTuple):
    """Who calls, as his token says. `epoch` counts the times that all tokens of the account were revoked."""

    account_id: str
    name: str
    scopes: frozenset[str]
    epoch: int = 0


class Claims(NamedTuple):
    """What a token says: whose it is, and its end, ms since 1970 UTC."""

    identity: Identity
    expires_ms: int


class Verifier(Protocol):
    """Reads tokens."""

    def verify(self, token: str, now_ms: int) -> Identity:
        """Whose token it is. Raises `Refused`: TOKEN_INVALID, TOKEN_EXPIRED, TOKEN_REVOKED, STORE_DOWN."""
        ...

    def claims(self, token: str, now_ms: int) -> Claims:
        """All that the token says. Raises as `verify` does."""
        ...

    def why_over(self, claims: Claims, now_ms: int) -> Refused | None:
        """TOKEN_EXPIRED or TOKEN_REVOKED; None while the token holds."""
        ...


class Doorkeeper:
    """Looks at every call before anything happens, also before it is parsed.

    `trust_forwarded`: take the caller's address from the last entry of `x-forwarded-for`, which the proxy in front of
    this server wrote; without such a proxy anybody could write it.
    """

    def __init__(
        self,
        verifier: Verifier,
        limiter: Limiter,
        *,
        trust_forwarded: bool = False,
        clock: Callable[[], float] = time.time,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._verifier = verifier
        self._limiter = limiter
        self._trust_forwarded = trust_forwarded
        self._clock = clock
        self._monotonic = monotonic

    def door(self, need: Need) -> Callable[[Context], Identity | None]:
        """`admit` or `admit_stranger`, as the need asks for, as the door of a method."""
        return self.admit_stranger if need.kind is Kind.SIGN_IN else partial(self.admit, need)

    def admit(self, need: Need, context: Context) -> Identity:
        """Who calls.

        The call is counted against the account's limits and the trailers say what is left of them, also when it is
        refused. Raises `Refused`: TOKEN_MISSING, TOKEN_INVALID, TOKEN_EXPIRED, TOKEN_REVOKED, SCOPE_MISSING,
        RATE_LIMITED, STORE_DOWN.
        """
        token = metadata.bearer(context)
        if not token:
            raise no_token(token)
        identity = self._verifier.verify(token, int(self._clock() * 1000))
        kind, scope = need
        self._count(context, kind, identity.account_id)
        if scope and scope not in identity.scopes:
            raise Refused(
                REASON_SCOPE_MISSING,
                f"the token does not allow `{scope}`; sign in again and ask for that scope",
                {"scope": scope},
            )
        return identity

    def now_ms(self) -> int:
        """The time by which tokens end, ms since 1970 UTC."""
        return int(self._clock() * 1000)

    def claims(self, context: Context) -> Claims:
        """What the token of a call that was admitted says. Raises `Refused` when it holds no more."""
        return self._verifier.claims(metadata.bearer(context) or "", self.now_ms())

    def why_over(self, claims: Claims, now_ms: int) -> Refused | None:
        """What a call with that token would be refused with; None while it holds."""
        return self._verifier.why_over(claims, now_ms)

    def admit_stranger(self, context: Context) -> None:
        """Counts a call without a token against the limit of its sender's address. Raises `Refused`: RATE_LIMITED."""
        self._count(context, Kind.SIGN_IN, address_of(context, self._trust_forwarded))

    def _count(self, context: Context, kind: Kind, who: str) -> None:
        try:
            standing = self._limiter.take(kind, who, self._monotonic())
        except RateLimited as refused:
            RATE_LIMITED.labels(kind.name.lower()).inc()
            context.set_trailing_metadata(refused.standing.trailers())
            raise
        context.set_trailing_metadata(standing.trailers())


def no_token(header: str | None) -> Refused:
    """TOKEN_MISSING when there is no metadata `authorization` at all, TOKEN_INVALID when it is of another form."""
    if header is None:
        return Refused(
            REASON_TOKEN_MISSING,
            "no token came with the call; sign in with AccountService.SignInGuest and send its token as the metadata "
            "`authorization: Bearer <token>`",
        )
    return Refused(
        REASON_TOKEN_INVALID,
        "the metadata `authorization` does not hold a bearer token; expected `Bearer <token>`",
    )


def address_of(context: Context, trust_forwarded: bool) -> str:
    """The sender's address without its port; of an IPv6 address the first 64 bits, which one subscriber owns."""
    if trust_forwarded and (forwarded := metadata.value(context, "x-forwarded-for")):
        text = forwarded.rpartition(",")[2].strip()
    else:
        text = str(context.peer()).removeprefix("ipv4:").removeprefix("ipv6:").rpartition(":")[0]
    text = text.replace("%5B", "").replace("%5D", "").strip("[]")
    try:
        address = ip_address(text)
    except ValueError:
        return text[:64] or "unknown"
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped is not None:
            return str(address.ipv4_mapped)
        return f"{IPv6Address(int(address) >> 64 << 64)}/64"
    return str(address)
