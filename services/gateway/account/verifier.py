"""Looks at tokens: a look-up for one that was seen before, a signature check for a new one."""

from __future__ import annotations

from collections import OrderedDict
from typing import Final, Protocol

from hamle.error.v1.error_pb2 import REASON_STORE_DOWN

from core.errors import Refused
from services.gateway.account.keys import KeyRing
from services.gateway.account.tokens import UnknownKey, expired, invalid, read, revoked
from services.gateway.identity import Claims, Identity

MOST_CACHED: Final = 50_000


class Known(Protocol):
    """What this gateway has learned from the store."""

    @property
    def ring(self) -> KeyRing:
        """All keys."""
        ...

    def epoch(self, account_id: str) -> int:
        """The least epoch of tokens that still hold."""
        ...

    def is_fresh(self) -> bool:
        """Whether the ring holds every key that can have signed by now; False asks for another look at the store."""
        ...


class CachedVerifier:
    """Verifies tokens and remembers those that were good, the most recently used of them."""

    def __init__(self, known: Known, most_cached: int = MOST_CACHED) -> None:
        self._known = known
        self._most = most_cached
        self._cache: OrderedDict[str, Claims] = OrderedDict()

    def verify(self, token: str, now_ms: int) -> Identity:
        """Whose token it is. Raises `Refused`: TOKEN_INVALID, TOKEN_EXPIRED, TOKEN_REVOKED, STORE_DOWN."""
        claims = self._cache.get(token)
        if claims is None:
            claims = self._read(token)
            self._cache[token] = claims
            if len(self._cache) > self._most:
                self._cache.popitem(last=False)
        else:
            self._cache.move_to_end(token)
        over = self.why_over(claims, now_ms)
        if over is not None:
            del self._cache[token]
            raise over
        return claims.identity

    def claims(self, token: str, now_ms: int) -> Claims:
        """All that the token says. Raises as `verify` does."""
        self.verify(token, now_ms)
        return self._cache[token]

    def why_over(self, claims: Claims, now_ms: int) -> Refused | None:
        """TOKEN_EXPIRED or TOKEN_REVOKED; None while the token holds."""
        if now_ms >= claims.expires_ms:
            return expired()
        if claims.identity.epoch < self._known.epoch(claims.identity.account_id):
            return revoked()
        return None

    def _read(self, token: str) -> Claims:
        try:
            return read(token, self._known.ring)
        except UnknownKey:
            if self._known.is_fresh():
                raise invalid() from None
            raise Refused(
                REASON_STORE_DOWN,
                "the key that signed the token cannot be looked up now: the store does not answer; call again",
                retry_after_ms=500,
            ) from None
