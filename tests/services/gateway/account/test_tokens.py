from __future__ import annotations

import base64
import json

import jwt
import pytest
from hamle.error.v1.error_pb2 import (
    REASON_STORE_DOWN,
    REASON_TOKEN_EXPIRED,
    REASON_TOKEN_INVALID,
    REASON_TOKEN_REVOKED,
)
from hypothesis import given
from hypothesis import strategies as st

from core.errors import Refused
from services.gateway.account.keys import KeyRing, SigningKey
from services.gateway.account.tokens import UnknownKey, read, sign
from services.gateway.account.verifier import CachedVerifier
from services.gateway.identity import Identity

NOW_MS = 1_800_000_000_000
KEY = SigningKey(1, "1-aaaaaaaa", 0, bytes(range(32)))
OTHER = SigningKey(2, "2-bbbbbbbb", 0, bytes(range(1, 33)))
RING = KeyRing([KEY])
WHO = Identity("account", "Ayşe ♟", frozenset({"play", "watch"}), 3)


class Known:
    """What a gateway knows, set by the test."""

    def __init__(self) -> None:
        self.ring = RING
        self.epochs: dict[str, int] = {}
        self.fresh = True

    def epoch(self, account_id: str) -> int:
        return self.epochs.get(account_id, 0)

    def is_fresh(self) -> bool:
        return self.fresh


def forged(claims: dict[str, object], header: dict[str, object], signature: bytes = b"") -> str:
    parts = [json.dumps(header).encode(), json.dumps(claims).encode(), signature]
    return ".".join(base64.urlsafe_b64encode(part).rstrip(b"=").decode() for part in parts)


def claims(**changed: object) -> dict[str, object]:
    return {"sub": "a", "name": "n", "scopes": ["play"], "epoch": 0, "iat": 1, "exp": 2_000_000_000} | changed


def test_a_token_says_who_signed_in() -> None:
    token = sign(KEY, WHO, NOW_MS, 60_000)
    assert read(token.token, RING) == (WHO, NOW_MS + 60_000)
    assert token.expires_ms == NOW_MS + 60_000
    assert token.token not in repr(token)


@given(st.integers(0, 10_000), st.integers(1, 127))
def test_a_token_with_any_character_changed_is_refused(place: int, by: int) -> None:
    token = sign(KEY, WHO, NOW_MS, 60_000).token
    place %= len(token)
    changed = token[:place] + chr((ord(token[place]) + by) % 128) + token[place + 1 :]
    seen, failure = None, None
    try:
        seen = read(changed, RING)
    except (UnknownKey, Refused) as error:
        failure = error
    if isinstance(failure, Refused):
        assert failure.reason == REASON_TOKEN_INVALID
        assert changed not in failure.message
    # The last base64 character of a part holds bits that decode to nothing; nobody gains by changing them.
    assert failure is not None or seen == (WHO, NOW_MS + 60_000)


@given(st.text(max_size=300))
def test_arbitrary_text_is_no_token(text: str) -> None:
    with pytest.raises(Refused) as refused:
        read(text, RING)
    assert refused.value.reason == REASON_TOKEN_INVALID


@pytest.mark.parametrize(
    "token",
    [
        forged(claims(), {"alg": "none", "kid": KEY.kid}),
        forged(claims(), {"alg": "HS256", "kid": KEY.kid}, b"x" * 32),
        forged(claims(), {"alg": "EdDSA", "kid": KEY.kid}, b"x" * 64),
        jwt.encode(claims(), OTHER.private, "EdDSA", headers={"kid": KEY.kid}),
        jwt.encode(claims(scopes=["root"]), KEY.private, "EdDSA", headers={"kid": KEY.kid}),
        jwt.encode(claims(scopes=7), KEY.private, "EdDSA", headers={"kid": KEY.kid}),
        jwt.encode(claims(epoch="now"), KEY.private, "EdDSA", headers={"kid": KEY.kid}),
        jwt.encode({"sub": "a"}, KEY.private, "EdDSA", headers={"kid": KEY.kid}),
        sign(KEY, WHO._replace(name="n" * 3000), NOW_MS, 60_000).token,
        "",
        "a.b.c",
        "ı" * 40,
    ],
)
def test_a_token_that_this_server_did_not_sign_is_refused(token: str) -> None:
    with pytest.raises(Refused) as refused:
        read(token, RING)
    assert refused.value.reason == REASON_TOKEN_INVALID


def test_a_token_ends_at_its_time_also_when_it_was_seen_before() -> None:
    verifier = CachedVerifier(Known())
    token = sign(KEY, WHO, NOW_MS, 60_000).token
    assert verifier.verify(token, NOW_MS) == WHO
    assert verifier.verify(token, NOW_MS + 59_999) == WHO
    for _ in range(2):
        with pytest.raises(Refused) as refused:
            verifier.verify(token, NOW_MS + 60_000)
        assert refused.value.reason == REASON_TOKEN_EXPIRED


def test_a_revoked_epoch_ends_older_tokens_and_no_newer_ones() -> None:
    known = Known()
    verifier = CachedVerifier(known)
    old = sign(KEY, WHO, NOW_MS, 60_000).token
    new = sign(KEY, WHO._replace(epoch=4), NOW_MS, 60_000).token
    assert verifier.verify(old, NOW_MS) == WHO
    known.epochs[WHO.account_id] = 4
    for _ in range(2):
        with pytest.raises(Refused) as refused:
            verifier.verify(old, NOW_MS)
        assert refused.value.reason == REASON_TOKEN_REVOKED
    assert verifier.verify(new, NOW_MS).epoch == 4


def test_an_unknown_key_is_a_bad_token_only_for_who_has_looked_at_the_store_lately() -> None:
    known = Known()
    verifier = CachedVerifier(known)
    token = sign(OTHER, WHO, NOW_MS, 60_000).token
    with pytest.raises(Refused) as refused:
        verifier.verify(token, NOW_MS)
    assert refused.value.reason == REASON_TOKEN_INVALID
    known.fresh = False
    with pytest.raises(Refused) as refused:
        verifier.verify(token, NOW_MS)
    assert refused.value.reason == REASON_STORE_DOWN
    assert refused.value.retry_after_ms > 0
    known.ring = KeyRing([KEY, OTHER])
    assert verifier.verify(token, NOW_MS) == WHO


def test_the_cache_keeps_the_tokens_used_last() -> None:
    known = Known()
    verifier = CachedVerifier(known, most_cached=3)
    tokens = [sign(KEY, WHO._replace(account_id=str(n)), NOW_MS, 60_000).token for n in range(5)]
    for token in [*tokens[:3], tokens[0], *tokens[3:]]:
        verifier.verify(token, NOW_MS)
    assert set(verifier._cache) == {tokens[0], tokens[3], tokens[4]}
