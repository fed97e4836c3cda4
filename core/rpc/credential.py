"""The check of a shared credential, for services that only Hamle's own processes may call."""

from __future__ import annotations

from hmac import compare_digest
from typing import Any

from hamle.error.v1.error_pb2 import Reason

from core.errors import Refused
from core.rpc.metadata import bearer


class CredentialGuard:
    """Lets calls pass that carry the credential. The time it takes tells nothing of the credential."""

    def __init__(self, credential: str) -> None:
        if not credential:
            raise ValueError("an empty credential would let everybody in")
        self._credential = credential.encode()

    def __call__(self, context: Any) -> None:
        """Raises `Refused` with TOKEN_MISSING or TOKEN_INVALID."""
        token = bearer(context)
        if token is None:
            raise Refused(
                Reason.REASON_TOKEN_MISSING,
                "the call carries no credential; expected the metadata `authorization: Bearer <fleet credential>`",
            )
        if not compare_digest(token.encode(), self._credential):
            raise Refused(
                Reason.REASON_TOKEN_INVALID,
                "the credential is not this fleet's; expected the one kept in the fleet's store",
            )
