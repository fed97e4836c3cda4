"""What each method of the public API asks of who calls it, in one table; a method that stands in none is not served."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from services.gateway.identity import PLAY, WATCH, Doorkeeper, Need
from services.gateway.limits import Kind

_NO_TOKEN: Final = Need(Kind.SIGN_IN)
_ANY_TOKEN: Final = Need(Kind.WRITE)
_READS: Final = Need(Kind.READ, WATCH)
_CHANGES: Final = Need(Kind.WRITE, PLAY)

ACCOUNT_SERVICE: Final[Mapping[str, Need]] = {
    "SignInGuest": _NO_TOKEN,
    "RefreshToken": _ANY_TOKEN,
    "RevokeTokens": _ANY_TOKEN,
    "GetAccount": _ANY_TOKEN,
}
LOBBY_SERVICE: Final[Mapping[str, Need]] = {
    "ListGames": _READS,
    "CreateMatch": _CHANGES,
    "GetMatch": _READS,
    "ListMatches": _READS,
    "JoinMatch": _CHANGES,
    "LeaveMatch": _CHANGES,
    "StartMatch": _CHANGES,
    "RequestPairing": _CHANGES,
    "AwaitPairing": _CHANGES,
    "CancelPairing": _CHANGES,
}
PLAY_SERVICE: Final[Mapping[str, Need]] = {
    "SubmitMoves": _CHANGES,
    "UndoMoves": _CHANGES,
    "Resign": _CHANGES,
    "ListChoices": _READS,
    "GetView": _READS,
    "WatchMatch": _READS,
}
REPLAY_SERVICE: Final[Mapping[str, Need]] = {
    "GetStep": _READS,
    "ListEvents": _READS,
    "ForkMatch": _CHANGES,
    "ExportMatch": _READS,
}


def doors(keeper: Doorkeeper, needs: Mapping[str, Need]) -> Mapping[str, Callable[[Any], Any]]:
    """The door of each method of a service."""
    return {method: keeper.door(need) for method, need in needs.items()}
