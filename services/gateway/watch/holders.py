"""Whose tokens the open watches stand on, and which watches end when one holds no more.

The door looks at a token once, and a watch outlasts that look by hours. A revocation is looked into when it is heard
of, among the watches of its account alone; the ends of tokens cost one comparison until the first of them has come.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import Protocol

from core.errors import Refused
from services.gateway.identity import Claims


class Endable(Protocol):
    """A watch."""

    def end(self, why: Refused) -> None:
        """Ends it soon, with that refusal; a second call changes nothing."""
        ...


class Holders:
    """The watches by account. `why_over` tells, of a token and a time in ms since 1970 UTC, why it holds no more."""

    def __init__(self, why_over: Callable[[Claims, int], Refused | None]) -> None:
        self._why_over = why_over
        self._watches: dict[str, dict[Endable, Claims]] = {}
        self._first_end_ms: float = inf

    def count(self, account_id: str) -> int:
        """How many watches the account has open."""
        return len(self._watches.get(account_id, ()))

    def add(self, watch: Endable, claims: Claims) -> None:
        """A watch has begun that stands on this token, which holds."""
        self._watches.setdefault(claims.identity.account_id, {})[watch] = claims
        self._first_end_ms = min(self._first_end_ms, claims.expires_ms)

    def remove(self, watch: Endable, claims: Claims) -> None:
        """The watch is over."""
        account_id = claims.identity.account_id
        watches = self._watches[account_id]
        del watches[watch]
        if not watches:
            del self._watches[account_id]

    def revoked(self, account_id: str, now_ms: int) -> None:
        """Ends the account's watches whose tokens were revoked."""
        for watch, claims in self._watches.get(account_id, {}).items():
            over = self._why_over(claims, now_ms)
            if over is not None:
                watch.end(over)

    def expire(self, now_ms: int) -> None:
        """Ends the watches whose tokens have ended."""
        if now_ms < self._first_end_ms:
            return
        self._first_end_ms = inf
        for watches in self._watches.values():
            for watch, claims in watches.items():
                if now_ms < claims.expires_ms:
                    self._first_end_ms = min(self._first_end_ms, claims.expires_ms)
                elif (over := self._why_over(claims, now_ms)) is not None:
                    watch.end(over)
