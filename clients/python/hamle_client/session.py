"""Who the client is: the token, and keeping it valid."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from hamle.account.v1 import account_pb2

_MARGIN_S = 120.0


@dataclass(frozen=True)
class Token:
    """A signed token: a secret, so its text stays out of `repr`. `expires_at` is in seconds since 1970, 0 unknown."""

    text: str = field(repr=False)
    expires_at: float = 0.0
    scopes: tuple[str, ...] = ()

    @classmethod
    def from_proto(cls, token: account_pb2.Token) -> Token:
        """As the server sent it."""
        return cls(token.token, token.expires_at_ms / 1000, tuple(token.scopes))


def refresh_in(token: Token, now: float) -> float:
    """Seconds until the token should be refreshed: two minutes before its end, or when a fifth of its time is left.

    0 when the end is unknown or near.
    """
    left = token.expires_at - now
    return max(0.0, left - min(_MARGIN_S, left / 5))


class Session:
    """The present token; None before signing in."""

    def __init__(self, token: Token | None = None) -> None:
        self.token = token

    def metadata(self, match_id: str = "") -> tuple[tuple[str, str], ...]:
        """What goes with each call: the token, and the match, by which a proxy may choose the server."""
        pairs: tuple[tuple[str, str], ...] = ()
        if self.token is not None:
            pairs += (("authorization", f"Bearer {self.token.text}"),)
        return (*pairs, ("x-match", match_id)) if match_id else pairs

    def refresh_in(self) -> float:
        """Seconds until the present token should be refreshed."""
        return 0.0 if self.token is None else refresh_in(self.token, time.time())
