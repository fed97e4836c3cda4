"""Where everything of a match lies in the store: ids, shards, keys.

A match id begins with its shard, two decimal digits, so its keys follow from the id alone; the tag `{sNN}` keeps a
shard's keys in one Redis Cluster slot, so that one atomic function can change them all.
"""

from __future__ import annotations

import base64
import hashlib
import re
from functools import lru_cache
from typing import Final

SHARDS: Final = 64

MATCH_ID: Final = re.compile(r"(?:[0-5][0-9]|6[0-3])[a-z2-7]{16}", re.ASCII)
"""Two digits of shard, then 80 bits in lower-case base32."""

_LENGTH: Final = 18
_KEPT: Final = 16_384
"""Ids whose form is remembered: every move of a match asks for it several times."""

SHARDS_KEY: Final = "{fleet}:shards"
"""The number of shards that this store was first started with."""


def is_match_id(text: str) -> bool:
    """Whether a text has the form of a match id; says nothing of whether there is such a match."""
    # What is remembered is kept in memory, and anybody may send any text, of a megabyte too.
    return len(text) == _LENGTH and _is_match_id(text)


@lru_cache(_KEPT)
def _is_match_id(text: str) -> bool:
    return MATCH_ID.fullmatch(text) is not None


def match_id_for(*parts: bytes | str) -> str:
    """The id that follows from its parts, (account, request id) say: the same parts always give the same id.

    SHA-256 over the parts, each after its length in bytes as 8 bytes big-endian; text is UTF-8. The first byte picks
    the shard, the next ten are the rest of the id.
    """
    digest = hashlib.sha256()
    for part in parts:
        data = part.encode() if isinstance(part, str) else part
        digest.update(len(data).to_bytes(8, "big"))
        digest.update(data)
    raw = digest.digest()
    return f"{raw[0] % SHARDS:02d}{base64.b32encode(raw[1:11]).decode().lower()}"


@lru_cache(_KEPT)
def shard_of(match_id: str) -> int:
    """The shard, 0..63, of a match. ValueError when the text is not a match id."""
    if not is_match_id(match_id):
        raise ValueError(f"not a match id: {match_id!r}; expected two digits 00..63 and 16 characters a-z, 2-7")
    return int(match_id[:2])


def tag(shard: int) -> str:
    """The hash tag of a shard's keys, `{s07}`."""
    if not 0 <= shard < SHARDS:
        raise ValueError(f"no shard {shard}: there are {SHARDS}, from 0")
    return f"{{s{shard:02d}}}"


def match_key(match_id: str, part: str) -> str:
    """A key of one match, in its shard's slot; `part` is `log`, `players`, `chat` and so on."""
    return f"{tag(shard_of(match_id))}:match:{match_id}:{part}"


def log_key(match_id: str) -> str:
    """Stream: the match's events; entry id `<seq>-0`, fields `e` (event bytes) and `h` (state hash)."""
    return match_key(match_id, "log")


def players_key(match_id: str) -> str:
    """Hash: who is behind the seats' handles; outside the log, so that a player can be forgotten."""
    return match_key(match_id, "players")


def lost_key(match_id: str) -> str:
    """String: the last seq of events that the store has forgotten; while it is there, nobody appends to the log."""
    return match_key(match_id, "lost")


def feed_key(shard: int) -> str:
    """Stream: one entry an append of the shard; entry id `<position>-0`, fields `m` (match), `s` (seq), `h` (hash)."""
    return f"{tag(shard)}:feed"


def feed_position_key(shard: int) -> str:
    """Counter: the position of the feed's last entry."""
    return f"{tag(shard)}:feed:position"


def deadlines_key(shard: int) -> str:
    """Sorted set: match ids by the time, ms since 1970 UTC, at which their engine must be asked to act."""
    return f"{tag(shard)}:deadlines"


def listed_key(shard: int) -> str:
    """Hash: match id -> what the list of public matches says of it."""
    return f"{tag(shard)}:listed"
