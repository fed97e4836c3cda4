"""Whom a call is meant for: an address may have passed to another process since a replica announced it."""

from __future__ import annotations

from typing import Any, Final

from hamle.error.v1.error_pb2 import Reason

from core.errors import Refused
from core.rpc.client import bearer_metadata
from core.rpc.credential import CredentialGuard
from core.rpc.metadata import value

HEADER: Final = "hamle-replica"

ANOTHER: Final = frozenset({Reason.REASON_ENGINE_UNAVAILABLE, Reason.REASON_TOKEN_MISSING, Reason.REASON_TOKEN_INVALID})
"""What only another process than the one that announced the address answers."""


def metadata_for(credential: str, replica: str) -> tuple[tuple[str, str], ...]:
    """The metadata of calls to a replica, by the name in its announcement."""
    return (*bearer_metadata(credential), (HEADER, replica))


class AddresseeGuard:
    """Lets calls pass that carry the fleet's credential and are meant for this replica, or for whoever answers."""

    def __init__(self, credential: str, replica: str) -> None:
        self._credential = CredentialGuard(credential)
        self._replica = replica

    def __call__(self, context: Any) -> None:
        """Raises `Refused` with TOKEN_MISSING, TOKEN_INVALID or ENGINE_UNAVAILABLE."""
        self._credential(context)
        meant = value(context, HEADER)
        if meant is not None and meant != self._replica:
            raise Refused(
                Reason.REASON_ENGINE_UNAVAILABLE,
                "the replica that the call is meant for is gone, and its address is another's; look for the replica "
                "among the announced ones",
            )
