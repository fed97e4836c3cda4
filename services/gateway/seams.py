"""What the play path needs of the gateway's other parts: who calls, whether he may, and who sits where."""

from __future__ import annotations

from typing import Any, Final, Protocol

from hamle.match.v1.match_pb2 import Match

GAME_FIELD: Final = "game"
"""Field of the hash `{sNN}:match:<id>:players` that names the match's game; written when a match is created."""

SCOPE_PLAY: Final = "play"
"""Scope of calls that change something."""
SCOPE_WATCH: Final = "watch"
"""Scope of calls that read."""


class Caller(Protocol):
    """Who calls, as the token says."""

    @property
    def account_id(self) -> str:
        """Identity of the account."""
        ...

    @property
    def name(self) -> str:
        """The name shown to others."""
        ...


class Doorkeeper(Protocol):
    """Looks at every call before anything happens."""

    def admit(self, context: Any, scope: str) -> Caller:
        """Who calls; the call is counted against the identity's limits, and the trailers say what is left of them.

        Raises `Refused`: TOKEN_MISSING, TOKEN_INVALID, TOKEN_EXPIRED, TOKEN_REVOKED, SCOPE_MISSING, RATE_LIMITED.
        """
        ...


class Players(Protocol):
    """Who sits where; kept outside the log."""

    def remembered(self, match_id: str, account_id: str) -> str | None:
        """As `handle_for`, as far as is known without asking the store."""
        ...

    async def handle_for(self, match_id: str, account_id: str) -> str | None:
        """The account's handle in the match; None when it has no seat there."""
        ...

    async def bind(self, match_id: str, game: str, account_id: str, name: str) -> str:
        """The account's handle in the match, made now if there is none; writes the match's game with it."""
        ...

    async def name_seats(self, match: Match, account_id: str) -> None:
        """Fills in `name` and `yours` of the match's seats, as the account sees them."""
        ...

    async def invite_code(self, match_id: str) -> str:
        """The code that lets others join the private match, made now if there is none."""
        ...
