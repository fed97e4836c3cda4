"""What a token is: a JWT signed with Ed25519, a pure function of key, identity and time."""

from __future__ import annotations

from typing import Final, NamedTuple

import jwt
from hamle.error.v1.error_pb2 import REASON_TOKEN_EXPIRED, REASON_TOKEN_INVALID, REASON_TOKEN_REVOKED

from core.errors import Refused
from services.gateway.account.keys import KeyRing, SigningKey
from services.gateway.identity import SCOPES, Claims, Identity

ALGORITHM: Final = "EdDSA"
MOST_BYTES: Final = 2048
"""No token that this code signs comes near it."""


class SignedToken(NamedTuple):
    """A token and its end, ms since 1970 UTC. Its `repr` hides the token."""

    token: str
    expires_ms: int

    def __repr__(self) -> str:
        return f"SignedToken(expires_ms={self.expires_ms})"


class UnknownKey(Exception):
    """The token names a key that the ring does not hold."""


def sign(key: SigningKey, identity: Identity, now_ms: int, life_ms: int) -> SignedToken:
    """A token for the identity; its end is a whole second."""
    issued_s = now_ms // 1000
    expires_s = (now_ms + life_ms) // 1000
    claims = {
        "sub": identity.account_id,
        "name": identity.name,
        "scopes": sorted(identity.scopes),
        "epoch": identity.epoch,
        "iat": issued_s,
        "exp": expires_s,
    }
    return SignedToken(jwt.encode(claims, key.private, ALGORITHM, headers={"kid": key.kid}), expires_s * 1000)


def read(token: str, ring: KeyRing) -> Claims:
    """What the token says, its signature checked and its time not. Raises `UnknownKey`, `Refused`: TOKEN_INVALID."""
    if len(token) > MOST_BYTES or not token.isascii():
        raise invalid()
    try:
        kid = jwt.get_unverified_header(token).get("kid")
        key = ring.find(kid) if isinstance(kid, str) else None
        if key is None:
            raise UnknownKey
        claims = jwt.decode(
            token,
            key.public,
            algorithms=[ALGORITHM],
            options={
                "require": ["sub", "name", "scopes", "epoch", "iat", "exp"],
                "verify_exp": False,
                "verify_iat": False,
            },
        )
        scopes = frozenset(claims["scopes"])
        if not scopes.issubset(SCOPES):
            raise invalid()
        identity = Identity(str(claims["sub"]), str(claims["name"]), scopes, int(claims["epoch"]))
        return Claims(identity, int(claims["exp"]) * 1000)
    except (jwt.PyJWTError, ValueError, TypeError) as unreadable:
        raise invalid() from unreadable


def invalid() -> Refused:
    """The refusal of a token that nobody can have signed here."""
    return Refused(
        REASON_TOKEN_INVALID,
        "the token cannot be read, or no key of this server signed it; expected one from AccountService; sign in again",
    )


def expired() -> Refused:
    """The refusal of a token whose time is over."""
    return Refused(
        REASON_TOKEN_EXPIRED,
        "the token's time is over; sign in again, and call AccountService.RefreshToken before the next one ends",
    )


def revoked() -> Refused:
    """The refusal of a token that its account has revoked."""
    return Refused(REASON_TOKEN_REVOKED, "all tokens of the account were revoked; sign in again")
