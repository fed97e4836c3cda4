"""The keys that sign tokens, kept in the shared store so that every gateway signs and verifies with the same ones.

The hash `{accounts}:keys` holds them by number, 1, 2, 3; a number is written once, so gateways that start at the same
moment, or two operators who rotate, agree on what it holds. A new key signs only when it has been in the store for
longer than the gateways take to look, so no gateway meets a token whose key it has not yet seen. The store is inside
the trust boundary: whoever reads it can sign tokens.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from services.gateway.stored import Stored

KEYS_KEY: Final = "{accounts}:keys"
"""Hash: number -> `<created, ms since 1970 UTC> <name> <private key, base64>`."""

LONGEST_LIFE_MS: Final = 30 * 86_400_000
"""No token lives longer than this: 30 days. Keys and revocations are kept for it."""
SIGNS_AFTER_MS: Final = 5_000
"""How long a key is in the store before it signs; several times longer than a gateway takes to look at the store."""
_MARGIN_MS: Final = 3_600_000


class SigningKey:
    """One key. Its `repr` names it and shows nothing else."""

    __slots__ = ("_raw", "created_ms", "kid", "number", "private", "public")

    def __init__(self, number: int, kid: str, created_ms: int, raw: bytes) -> None:
        self.number = number
        self.kid = kid
        self.created_ms = created_ms
        self.private = Ed25519PrivateKey.from_private_bytes(raw)
        self.public = self.private.public_key()
        self._raw = raw

    def __repr__(self) -> str:
        return f"SigningKey({self.kid})"

    def derived(self, purpose: str) -> bytes:
        """32 secret bytes for another purpose than signing tokens."""
        return hmac.digest(self._raw, purpose.encode(), hashlib.sha256)

    @classmethod
    def from_stored(cls, number: int, data: bytes) -> SigningKey:
        """The key that the store holds under the number."""
        created_ms, kid, private = data.decode().split(" ")
        return cls(number, kid, int(created_ms), base64.b64decode(private))


class KeyRing:
    """All keys that may have signed a living token, oldest first; a value."""

    def __init__(self, keys: Sequence[SigningKey] = ()) -> None:
        self.keys = tuple(sorted(keys, key=lambda key: key.number))
        self._by_kid = {key.kid: key for key in self.keys}

    def find(self, kid: str) -> SigningKey | None:
        """The key of that name."""
        return self._by_kid.get(kid)

    def signing(self, now_ms: int) -> SigningKey:
        """The newest key that every gateway has seen. `now_ms` is by the store's clock, as `created_ms` is."""
        known = [key for key in self.keys if now_ms - key.created_ms >= SIGNS_AFTER_MS]
        return known[-1] if known else self.keys[0]

    def derived(self, purpose: str) -> list[bytes]:
        """Secrets for another purpose, newest first: what was made before a rotation can still be checked."""
        return [key.derived(purpose) for key in reversed(self.keys)]


def ring_of(stored: Mapping[int, bytes], now_ms: int, before: KeyRing | None = None) -> KeyRing:
    """The ring that the store's hash describes, less the keys that are over; takes parsed keys from `before`."""
    known = before or KeyRing()
    keys = [known.find(_kid(data)) or SigningKey.from_stored(number, data) for number, data in sorted(stored.items())]
    return KeyRing([key for key, after in zip_longest(keys, keys[1:]) if not _is_over(after, now_ms)])


def _kid(stored: bytes) -> str:
    return stored.split(b" ")[1].decode()


def _is_over(successor: SigningKey | None, now_ms: int) -> bool:
    """Whether no living token can bear the signature of the key before `successor` any more."""
    return successor is not None and now_ms - successor.created_ms > SIGNS_AFTER_MS + LONGEST_LIFE_MS + _MARGIN_MS


async def add_key(store: Stored, number: int) -> SigningKey:
    """The key under the number: a new one, or the one that was there already."""
    kid = f"{number}-{secrets.token_hex(4)}"
    private = base64.b64encode(secrets.token_bytes(32))
    return SigningKey.from_stored(number, await store.call("add_key", [KEYS_KEY], number, kid, private))


async def rotate_keys(store: Stored) -> str:
    """Adds a key, which signs all tokens from `SIGNS_AFTER_MS` on; gives its name.

    Older keys verify until the last token that they can have signed has ended, and are then removed: nobody is logged
    out. When two rotate at the same moment one key is added, and both are told its name.
    """
    numbers = sorted(int(number) for number in await store.do("HKEYS", KEYS_KEY))
    added = await add_key(store, numbers[-1] + 1 if numbers else 1)
    stored = {int(number): data for number, data in (await store.do("HGETALL", KEYS_KEY)).items()}
    kept = {key.number for key in ring_of(stored, added.created_ms).keys}
    over = [number for number in stored if number not in kept]
    if over:
        await store.do("HDEL", KEYS_KEY, *over)
    return added.kid
