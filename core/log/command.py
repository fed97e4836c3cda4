"""An append as the bytes of a command, and its answer."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

import hiredis

from core.log import keys
from core.log.types import HASH_BYTES, START, Append, Cursor
from core.store.functions import Library, build_library
from core.store.wire import Argument, Reply

LIBRARY: Final[Library] = build_library("hamle_log_1", Path(__file__).parent / "functions")

_SHARD_KEYS: Final[Mapping[str, tuple[str, ...]]] = {
    f"{shard:02d}": (
        keys.feed_key(shard),
        keys.feed_position_key(shard),
        keys.deadlines_key(shard),
        keys.listed_key(shard),
    )
    for shard in range(keys.SHARDS)
}
_FCALL: Final = ("FCALL", LIBRARY.functions["append"], 5)


def check(append: Append) -> None:
    """ValueError when an append cannot be meant: the caller is at fault, not the store."""
    seq, digest = append.expected
    if not keys.is_match_id(append.match_id):
        raise ValueError(f"not a match id: {append.match_id!r}")
    if seq < 0 or len(digest) != (HASH_BYTES if seq else 0):
        raise ValueError(f"expected is {append.expected}: a hash of {HASH_BYTES} bytes goes with seq 1 and later")
    if not append.records:
        raise ValueError("an append holds at least one record")
    for _, state_hash in append.records:
        if len(state_hash) != HASH_BYTES:
            raise ValueError(f"a state hash has {HASH_BYTES} bytes, not {len(state_hash)}")
    if append.expire_s < 0 or (append.deadline_ms is not None and append.deadline_ms < 0):
        raise ValueError("expire_s and deadline_ms are 0 or more")


def pack(append: Append) -> bytes:
    """The command, packed for the wire."""
    match_id, expected, records, deadline_ms, listing, expire_s = append
    shard = match_id[:2]
    args: list[Argument] = [
        *_FCALL,
        f"{{s{shard}}}:match:{match_id}:log",
        *_SHARD_KEYS[shard],
        match_id,
        *expected,
        expire_s,
        "" if deadline_ms is None else deadline_ms,
        "" if listing is None else b"+" + listing if listing else "-",
    ]
    for record in records:
        args += record
    packed: bytes = hiredis.pack_command(tuple(args))
    return packed


def head_in(reply: Reply) -> Cursor:
    """The head that a conflict's answer names."""
    assert isinstance(reply, list)
    seq, digest = reply
    assert isinstance(seq, int)
    assert isinstance(digest, bytes)
    return Cursor(seq, digest) if seq else START
