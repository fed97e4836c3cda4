"""Who the client is: the token, and keeping it valid."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from hamle.account.v1 import account_pb2

LONGEST_PAUSE_S = 60.0
_SHORTEST_RETRY_S = 1.5
_LONGEST_ID = 64


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


def token_of(text: str) -> Token:
    """The token with this text. ValueError, without the text, when no call could carry it."""
    if not (text.isascii() and text.isprintable()):
        raise ValueError("the token holds characters that no token has; expected one as AccountService gave it")
    return Token(text)


def refresh_in(token: Token, since: float, now: float) -> float:
    """Seconds until the token should be refreshed: half-way between `since`, when it was got, and its end.

    The other half is for a machine that sleeps and for a server that is away. 0 when it is due or its end is unknown.
    """
    return max(0.0, (since + token.expires_at) / 2 - now)


def retry_in(token: Token, now: float) -> float:
    """Seconds until a refresh that failed is tried again: 1.5 to 60, the more often the nearer the token's end."""
    return min(LONGEST_PAUSE_S, max(_SHORTEST_RETRY_S, abs(token.expires_at - now) / 10))


class Session:
    """The present token; None before signing in. `clock` gives seconds since 1970."""

    def __init__(self, token: Token | None = None, clock: Callable[[], float] = time.time) -> None:
        self._clock = clock
        self.token = token

    @property
    def token(self) -> Token | None:
        """The present token."""
        return self._token

    @token.setter
    def token(self, token: Token | None) -> None:
        self._token = token
        self._since = self._clock()

    def metadata(self, match_id: str = "") -> tuple[tuple[str, str], ...]:
        """What goes with each call: the token, and the match, by which a proxy may choose the server."""
        pairs: tuple[tuple[str, str], ...] = ()
        if self.token is not None:
            pairs += (("authorization", f"Bearer {self.token.text}"),)
        # What can be no match id may be no header either; the server refuses it, as it stands in the request.
        if match_id.isascii() and match_id.isalnum() and len(match_id) <= _LONGEST_ID:
            pairs += (("x-match", match_id),)
        return pairs

    def refresh_in(self) -> float:
        """Seconds until the present token should be refreshed."""
        return 0.0 if self._token is None else refresh_in(self._token, self._since, self._clock())

    def retry_in(self) -> float:
        """Seconds until a refresh of the present token that failed is tried again."""
        return LONGEST_PAUSE_S if self._token is None else retry_in(self._token, self._clock())
