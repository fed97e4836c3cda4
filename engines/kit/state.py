"""The state of a match, and the bytes of it that the state hash covers."""

from __future__ import annotations

import struct
from hashlib import sha256
from typing import Any, NamedTuple

from engines.kit.clock import Clock
from engines.kit.game import Game
from engines.kit.life import Life, Status

AnyGame = Game[Any]
"""A game whose state type does not matter: the kit never looks into a game's state."""


class Restore(NamedTuple):
    """A game state that a seat may return to: the one after event `seq`, from which `seat` has moved."""

    seq: int
    seat: int
    game: Any


class MatchState(NamedTuple):
    """A match after event `seq`. `game` is None before the start.

    `decision[i]` is the last seq at which seat i's own options changed. `window` holds the states that can be undone
    to, oldest first. `since_ms` is when the present game state came about, or the limit began that runs in it. `key`
    and `seed` are derived from the secret.
    """

    seq: int
    at_ms: int
    life: Life
    clock: Clock | None
    game: Any
    decision: tuple[int, ...]
    window: tuple[Restore, ...]
    since_ms: int
    key: bytes
    seed: bytes


_LENGTH = struct.Struct(">I")
_DIGEST_LENGTH = _LENGTH.pack(32)
_HEAD_BYTES = 4 + 32
_NO_OFFERS = _LENGTH.pack(0)


def canonical(game: AnyGame, state: MatchState) -> bytes:
    """Canonical bytes of a match state: life, clock, offers and game state, each behind its length (u32, big-endian).

    What grows with a match (request ids, the undo window, past events) is left out, so that a move costs the same in
    a long match. The part for offers is empty: there are none yet.
    """
    life = state.life.canonical
    return _LENGTH.pack(len(life)) + life + hashed(game, state)[_HEAD_BYTES:]


def hashed(game: AnyGame, state: MatchState) -> bytes:
    """What the state hash covers: the canonical bytes, with the SHA-256 of the life in place of the life."""
    clock = b"" if state.clock is None else state.clock.dump()
    dump = b"" if state.game is None else game.dump(state.game)
    pack = _LENGTH.pack
    return b"".join((_DIGEST_LENGTH, state.life.digest, pack(len(clock)), clock, _NO_OFFERS, pack(len(dump)), dump))


def hashed_of(data: bytes) -> bytes:
    """What the state hash covers, from canonical bytes. Raises ValueError."""
    life = sections(data)["life"]
    return _DIGEST_LENGTH + sha256(life).digest() + data[4 + len(life) :]


def sections(data: bytes) -> dict[str, bytes]:
    """The parts of canonical bytes by name: `life`, `clock`, `offers`, `game`. Raises ValueError."""
    parts: dict[str, bytes] = {}
    at = 0
    for name in ("life", "clock", "offers", "game"):
        if at + 4 > len(data):
            raise ValueError(f"canonical bytes end before the section {name}")
        (length,) = _LENGTH.unpack_from(data, at)
        at += 4
        parts[name] = data[at : at + length]
        at += length
    if at != len(data):
        raise ValueError(f"canonical bytes have {len(data)} bytes, their sections {at}")
    return parts


def deadline_ms(game: AnyGame, state: MatchState) -> int | None:
    """When the timekeeper must look at the match, milliseconds since 1970 UTC; None: never."""
    life = state.life
    if life.status is Status.WAITING:
        return life.until_ms
    if life.status is not Status.ACTIVE:
        return None
    limit = game.limit_ms(state.game)
    falls = None if state.clock is None else state.clock.falls_at()
    if limit is None:
        return falls
    due = state.since_ms + limit
    return due if falls is None else min(due, falls)
