"""An append as the bytes of a command, and its answer."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from core.log import keys
from core.log.types import HASH_BYTES, START, Append, Conflict, Cursor, TailLost
from core.store.functions import Library, build_library
from core.store.wire import Reply

LIBRARY: Final[Library] = build_library("hamle_log_1", Path(__file__).parent / "functions")


def _bulk(*parts: str) -> bytes:
    return b"".join(b"$%d\r\n%b\r\n" % (len(part), part.encode()) for part in parts)


def _around_keys(shard: int) -> tuple[bytes, bytes, bytes]:
    """The constant bytes before, between and after the match id in the keys of the log and of its loss."""
    tag = keys.tag(shard)
    before = _bulk("FCALL", LIBRARY.functions["append"], "6", f"{tag}:match:{'?' * 18}:log")
    after = _bulk(
        keys.feed_key(shard), keys.feed_position_key(shard), keys.deadlines_key(shard), keys.listed_key(shard)
    )
    left, middle, right = (before + after + _bulk(f"{tag}:match:{'?' * 18}:lost")).split(b"?" * 18)
    return left, middle, right + b"$18\r\n"


_AROUND: Final = {f"{shard:02d}": _around_keys(shard) for shard in range(keys.SHARDS)}
_ARGS: Final = b"\r\n$%d\r\n%b\r\n$%d\r\n%b\r\n$%d\r\n%b\r\n$%d\r\n%b\r\n$%d\r\n%b\r\n%b"
_ACCEPT: Final = (b"$0\r\n\r\n", b"$6\r\naccept\r\n")
_RECORD: Final = b"$%d\r\n%b\r\n$16\r\n%b\r\n"
_FIXED_ARGS: Final = 16


def check(append: Append) -> None:
    """ValueError when an append cannot be meant: the caller is at fault, not the store."""
    match_id, (seq, digest), records, deadline_ms, _, expire_s, _ = append
    if not keys.is_match_id(match_id):
        raise ValueError(f"not a match id: {match_id!r}")
    if seq < 0 or len(digest) != (HASH_BYTES if seq else 0):
        raise ValueError(f"expected is {append.expected}: a hash of {HASH_BYTES} bytes goes with seq 1 and later")
    if not records:
        raise ValueError("an append holds at least one record")
    for _, state_hash in records:
        if len(state_hash) != HASH_BYTES:
            raise ValueError(f"a state hash has {HASH_BYTES} bytes, not {len(state_hash)}")
    if expire_s < 0 or (deadline_ms is not None and deadline_ms < 0):
        raise ValueError("expire_s and deadline_ms are 0 or more")


def pack(append: Append) -> bytes:
    """The command for the wire. Written out by hand: packing the parts one by one costs half as much again."""
    match_id, (expected_seq, expected_hash), records, deadline_ms, listing, expire_s, accepts_loss = append
    left, middle, right = _AROUND[match_id[:2]]
    match = match_id.encode()
    seq = b"%d" % expected_seq
    expire = b"%d" % expire_s
    deadline = b"" if deadline_ms is None else b"%d" % deadline_ms
    listed = b"" if listing is None else b"+" + listing if listing else b"-"
    parts = [
        b"*%d\r\n" % (_FIXED_ARGS + 2 * len(records)),
        left,
        match,
        middle,
        match,
        right,
        match,
        _ARGS
        % (
            len(seq), seq,
            len(expected_hash), expected_hash,
            len(expire), expire,
            len(deadline), deadline,
            len(listed), listed,
            _ACCEPT[accepts_loss],
        ),
    ]  # fmt: skip
    for event, state_hash in records:
        parts.append(_RECORD % (len(event), event, state_hash))
    return b"".join(parts)


def refusal_in(reply: Reply) -> Conflict | TailLost:
    """Why nothing was added, as the function answers it."""
    assert isinstance(reply, list)
    seq, digest, *lost = reply
    assert isinstance(seq, int)
    assert isinstance(digest, bytes)
    head = Cursor(seq, digest) if seq else START
    if not lost:
        return Conflict(head)
    assert isinstance(lost[0], int)
    return TailLost(head, lost[0])
