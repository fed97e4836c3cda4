"""An account's own matches, newest first: an index, not the truth; the seats of each match are."""

from __future__ import annotations

from typing import NamedTuple

from services.gateway.stored import Stored


class Place(NamedTuple):
    """Where a match stands among an account's: when it was added, ms since 1970 UTC, and its id."""

    at_ms: int
    match_id: str


def index_key(account_id: str) -> str:
    """Sorted set: match ids by when the account first asked for a seat, ms since 1970 UTC."""
    return f"{{accounts}}:{account_id}:matches"


async def own_matches(store: Stored, account_id: str, after: Place | None, limit: int) -> list[Place]:
    """At most `limit` of the account's matches, newest first, those after a place only."""
    highest = "+inf" if after is None else str(after.at_ms)
    found: list[Place] = []
    offset = 0
    while len(found) < limit:
        window = (index_key(account_id), highest, "-inf", "BYSCORE", "REV", "LIMIT", offset, limit)
        rows = await store.do("ZRANGE", *window, "WITHSCORES")
        places = [Place(int(at), member.decode()) for member, at in zip(rows[::2], rows[1::2], strict=True)]
        found += [place for place in places if after is None or place < after]
        offset += limit
        if len(places) < limit:
            break
    return found[:limit]


async def drop(store: Stored, account_id: str, match_id: str) -> None:
    """Takes a match that is no more out of the account's."""
    await store.do("ZREM", index_key(account_id), match_id)
