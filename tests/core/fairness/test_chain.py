from __future__ import annotations

import hashlib

import pytest

from core.fairness.chain import GENESIS, HASH_BYTES, chain
from core.log import types

KEY = bytes(range(32))
BASE = (KEY, b"p" * 16, b"event", b"state")


def test_a_hash_has_the_length_that_the_log_stores() -> None:
    assert len(chain(KEY, GENESIS, b"event", b"state")) == HASH_BYTES == types.HASH_BYTES


@pytest.mark.parametrize(
    "other",
    [
        (KEY[::-1], b"p" * 16, b"event", b"state"),
        (KEY, GENESIS, b"event", b"state"),
        (KEY, b"q" * 16, b"event", b"state"),
        (KEY, b"p" * 16, b"Event", b"state"),
        (KEY, b"p" * 16, b"event", b"State"),
        (KEY, b"p" * 16, b"events", b"tate"),
        (KEY, b"p" * 17, b"vent", b"state"),
        (KEY, b"p" * 16, b"state", b"event"),
    ],
    ids=["key", "genesis", "previous", "event", "state", "border 2", "border 1", "order"],
)
def test_each_part_and_each_border_counts(other: tuple[bytes, bytes, bytes, bytes]) -> None:
    assert chain(*BASE) != chain(*other)


def test_hashing_an_event_does_not_change_what_the_next_one_gives() -> None:
    first = chain(*BASE)
    chain(KEY, first, b"another", b"state")
    assert chain(*BASE) == first


def test_without_the_key_nobody_can_try_states() -> None:
    lengths = b"".join(len(part).to_bytes(4, "big") for part in BASE[1:])
    open_hash = hashlib.blake2b(lengths + b"".join(BASE[1:]), digest_size=HASH_BYTES).digest()
    assert chain(*BASE) != open_hash
