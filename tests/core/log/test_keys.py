from __future__ import annotations

import hashlib
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from redis.crc import key_slot

from core.log import keys

PARTS = st.lists(st.binary(max_size=40) | st.text(max_size=20), max_size=4)


@given(PARTS)
def test_an_id_is_valid_and_names_its_shard(parts: list[bytes | str]) -> None:
    match_id = keys.match_id_for(*parts)
    assert keys.is_match_id(match_id)
    assert keys.shard_of(match_id) == int(match_id[:2])
    assert keys.match_id_for(*parts) == match_id


def test_an_id_follows_from_its_parts_as_documented() -> None:
    digest = hashlib.sha256(bytes(7) + b"\x03abc" + bytes(7) + b"\x02\xc3\xbc").digest()
    assert keys.match_id_for(b"abc", "ü")[:2] == f"{digest[0] % 64:02d}"
    assert keys.match_id_for("account", "request") == "53ztmijgghvzhtf5wr"


@pytest.mark.parametrize(("one", "other"), [(("ab", "c"), ("a", "bc")), (("a", ""), ("a",)), ((), ("",))])
def test_where_one_part_ends_makes_a_difference(one: tuple[str, ...], other: tuple[str, ...]) -> None:
    assert keys.match_id_for(*one) != keys.match_id_for(*other)


def test_a_text_that_is_no_match_id_is_not_kept() -> None:
    text = "".join(["no id", "!" * 1_000_000])
    held = sys.getrefcount(text)
    assert not keys.is_match_id(text)
    assert sys.getrefcount(text) == held


def test_ids_spread_over_all_shards() -> None:
    counts = [0] * keys.SHARDS
    for number in range(64_00):
        counts[keys.shard_of(keys.match_id_for(str(number)))] += 1
    assert min(counts) > 50
    assert max(counts) < 150


@pytest.mark.parametrize(
    "text",
    ["", "00", "64aaaaaaaaaaaaaaaa", "0aaaaaaaaaaaaaaaaa", "00aaaaaaaaaaaaaaa", "00aaaaaaaaaaaaaaaaa",
     "00AAAAAAAAAAAAAAAA", "00aaaaaaaaaaaaaaa1", "00aaaaaaaaaaaaaaa\n", "٠٠aaaaaaaaaaaaaaaa", "00aaaaaaa}aaaaaaaa"],
)  # fmt: skip
def test_what_is_no_id_is_refused(text: str) -> None:
    assert not keys.is_match_id(text)
    for make in (keys.shard_of, keys.log_key, keys.players_key):
        with pytest.raises(ValueError, match="not a match id"):
            make(text)


@pytest.mark.parametrize("shard", [-1, 64])
def test_there_is_no_such_shard(shard: int) -> None:
    with pytest.raises(ValueError, match="no shard"):
        keys.feed_key(shard)


def test_keys_are_named_as_documented() -> None:
    match_id = "07" + "a" * 16
    assert keys.log_key(match_id) == "{s07}:match:07aaaaaaaaaaaaaaaa:log"
    assert keys.players_key(match_id) == "{s07}:match:07aaaaaaaaaaaaaaaa:players"
    assert keys.lost_key(match_id) == "{s07}:match:07aaaaaaaaaaaaaaaa:lost"
    assert keys.match_key(match_id, "chat") == "{s07}:match:07aaaaaaaaaaaaaaaa:chat"
    shard_keys = [keys.feed_key(7), keys.feed_position_key(7), keys.deadlines_key(7), keys.listed_key(7)]
    assert shard_keys == ["{s07}:feed", "{s07}:feed:position", "{s07}:deadlines", "{s07}:listed"]


@given(st.binary())
def test_all_keys_of_a_shard_share_a_slot(part: bytes) -> None:
    match_id = keys.match_id_for(part)
    shard = keys.shard_of(match_id)
    names = (keys.feed_key, keys.feed_position_key, keys.deadlines_key, keys.listed_key)
    of_match = (keys.log_key, keys.players_key, keys.lost_key)
    all_keys = [*(name(match_id) for name in of_match), *(name(shard) for name in names)]
    assert len({key_slot(key.encode()) for key in all_keys}) == 1
