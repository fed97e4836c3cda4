"""Callers: guests with good tokens, and the bad tokens that somebody may hold."""

from __future__ import annotations

import time
from typing import Final, NamedTuple

import grpc
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hamle.account.v1.account_pb2 import SignInGuestRequest
from hamle.account.v1.account_pb2_grpc import AccountServiceStub

from services.gateway.account.keys import KEYS_KEY, SigningKey
from services.gateway.account.tokens import sign
from services.gateway.identity import Identity
from tests.e2e.bad_input.stack import Metadata, Stack, stranger

DAY_MS: Final = 86_400_000


class Guest(NamedTuple):
    account_id: str
    name: str
    token: str

    @property
    def metadata(self) -> Metadata:
        return bearer(self.token)


def bearer(token: str) -> Metadata:
    return (("authorization", f"Bearer {token}"),)


async def guest(channel: grpc.aio.Channel, name: str = "", *scopes: str) -> Guest:
    """Somebody new."""
    request = SignInGuestRequest(name=name, scopes=scopes)
    answer = await AccountServiceStub(channel).SignInGuest(request, metadata=stranger())
    return Guest(answer.account.account_id, answer.account.name, answer.token.token)


def expired(stack: Stack, who: Guest) -> str:
    """A token of the guest, signed by the gateways' own key, whose time was over yesterday."""
    return sign(_key(stack), _identity(who), int(time.time() * 1000) - 2 * DAY_MS, DAY_MS).token


def forged(stack: Stack, who: Guest) -> str:
    """A token of the guest that names the gateways' key and was signed by another."""
    key = _key(stack)
    key.private = Ed25519PrivateKey.generate()
    return sign(key, _identity(who), int(time.time() * 1000), DAY_MS).token


def keys(stack: Stack) -> dict[int, bytes]:
    """The signing keys as the store holds them."""
    found = stack.store.call("HGETALL", KEYS_KEY)
    pairs = found.items() if isinstance(found, dict) else zip(found[::2], found[1::2], strict=True)
    return {int(number): data for number, data in pairs}


def _key(stack: Stack) -> SigningKey:
    number, data = min(keys(stack).items())
    return SigningKey.from_stored(number, data)


def _identity(who: Guest) -> Identity:
    return Identity(who.account_id, who.name, frozenset(("play", "watch")))
