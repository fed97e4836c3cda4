"""What the store holds of matches, to see that a refused call has changed nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from secrets import token_bytes
from typing import Any, NamedTuple

import redis

from core.log.keys import log_key, match_id_for, players_key, shard_of, tag
from services.gateway.players.seating import GAME_FIELD
from tests.support.servers import StoreServer

_PLAYERS = b":players"


class Stored(NamedTuple):
    """All of one shard by key, byte for byte, and the logs of all shards by key with their lengths."""

    shard: Mapping[bytes, bytes]
    logs: Mapping[bytes, int]


def stored(store: StoreServer, match_id: str) -> Stored:
    """What the store holds in the match's shard, and which logs there are.

    Left out are handles that lead to no seat and fade away: a gateway makes one before it asks an engine for the seat.
    """
    prefix = tag(shard_of(match_id)).encode()
    with _client(store) as client:
        keys: list[bytes] = client.keys("{s*")
        mine = [key for key in keys if key.startswith(prefix)]
        fading = [client.pttl(key) >= 0 and key.endswith(_PLAYERS) for key in mine]
        lasting = [key for key, fades in zip(mine, fading, strict=True) if not fades]
        logs = [key for key in keys if key.endswith(b":log")]
        pipe = client.pipeline(transaction=False)
        for key in lasting:
            pipe.dump(key)
        for key in logs:
            pipe.xlen(key)
        found = pipe.execute()
    dumps, lengths = found[: len(lasting)], found[len(lasting) :]
    return Stored(dict(zip(lasting, dumps, strict=True)), dict(zip(logs, lengths, strict=True)))


def events(store: StoreServer, match_id: str) -> list[tuple[int, bytes, bytes]]:
    """The records of a log, the first one first: seq, the event's bytes and the state hash."""
    with _client(store) as client:
        found = client.xrange(log_key(match_id))
    return [(int(entry.split(b"-")[0]), fields[b"e"], fields[b"h"]) for entry, fields in found]


def write(store: StoreServer, game: str, records: Sequence[tuple[bytes, bytes]]) -> str:
    """A new match with that log, of (event, state hash), as if servers had written it; its id."""
    match_id = match_id_for(token_bytes(8))
    with _client(store) as client:
        client.hset(players_key(match_id), GAME_FIELD, game)
        for seq, (event, state_hash) in enumerate(records, 1):
            client.xadd(log_key(match_id), {"e": event, "h": state_hash}, id=f"{seq}-0")
    return match_id


@contextmanager
def _client(store: StoreServer) -> Iterator[Any]:
    with redis.Redis(port=store.port, socket_timeout=30) as client:
        yield client
