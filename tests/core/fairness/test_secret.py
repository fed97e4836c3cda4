from __future__ import annotations

import hashlib

import pytest

from core.fairness.secret import commitment, game_seed, hash_key, new_secret, seed_after_loss

SECRET = bytes(range(32))


def test_secrets_are_32_bytes_and_never_the_same() -> None:
    secrets = {new_secret() for _ in range(100)}
    assert len(secrets) == 100
    assert {len(secret) for secret in secrets} == {32}


def test_the_commitment_is_checked_with_any_sha256_tool() -> None:
    assert commitment(SECRET) == hashlib.sha256(SECRET).digest()


def test_values_from_one_secret_differ_from_each_other() -> None:
    seed = game_seed(SECRET, ())
    values = {commitment(SECRET), hash_key(SECRET), seed, game_seed(SECRET, (b"",)), seed_after_loss(seed, 1, 2)}
    assert len(values) == 5
    assert {len(value) for value in values} == {32}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ((b"ab", b"c"), (b"a", b"bc")),
        ((b"a", b""), (b"", b"a")),
        ((b"a", b""), (b"a",)),
        ((b"a", b"b"), (b"b", b"a")),
    ],
    ids=["where an entropy ends", "whose it is", "how many seats", "their order"],
)
def test_the_seed_tells_apart(one: tuple[bytes, ...], other: tuple[bytes, ...]) -> None:
    assert game_seed(SECRET, one) != game_seed(SECRET, other)


def test_each_loss_has_a_seed_of_its_own() -> None:
    seed = game_seed(SECRET, ())
    assert len({seed, *(seed_after_loss(seed, first, 9) for first in range(1, 9)), seed_after_loss(seed, 1, 8)}) == 10
