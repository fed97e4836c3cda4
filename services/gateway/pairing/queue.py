"""The queue as the store keeps it: every step is one atomic function, so no step is ever half done."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

from core.log.keys import match_id_for
from core.store.client import Client
from core.store.functions import build_library
from services.gateway.pairing.terms import Terms
from services.gateway.stored import Stored

LIBRARY: Final = build_library("hamle_pairing", Path(__file__).parent / "functions")

TICKETS: Final = "{pairing}:tickets"
"""Hash: ticket -> JSON of account, name, queue, state and, once it is paired, pairing."""
WAITING: Final = "{pairing}:waiting"
"""Hash: queue -> the tickets that wait in it, oldest first, with spaces between."""
PAIRINGS: Final = "{pairing}:pairings"
"""Hash: pairing id -> JSON of terms, accounts, names and whether the match has been made."""
EXPIRY: Final = "{pairing}:expiry"
"""Sorted set: `t:<ticket>` and `p:<pairing id>` by when they count for nothing any more, ms since 1970 UTC."""
NEWS: Final = "{pairing}:news"
"""Stream: one entry, field `t`, for each waiting ticket that was paired or cancelled."""

QUIET_MS: Final = 30_000
KEPT_MS: Final = 3_600_000
"""How long a pairing, and a ticket that was paired or cancelled, can be asked about: an hour."""
MOST_TICKETS: Final = 16
"""Of one account in one queue."""


class Pairing(NamedTuple):
    """Two who have met. The match follows from it alone, so whoever sees it can make it, and it is made once."""

    id: str
    terms: Terms
    accounts: tuple[str, str]
    names: tuple[str, str]
    made: bool

    @property
    def match_id(self) -> str:
        """The id of its match."""
        return match_id_for("pairing", self.id)

    def seats(self) -> tuple[int, int]:
        """The seats of both, by a fair coin that neither can know before: the hash of the random id."""
        first = hashlib.sha256(self.id.encode()).digest()[0] & 1
        return first, 1 - first

    @classmethod
    def decoded(cls, data: bytes) -> Pairing:
        """The pairing as the store keeps it."""
        fields = json.loads(data)
        one, two = fields["accounts"]
        his, hers = fields["names"]
        return cls(fields["id"], Terms.decoded(fields["terms"]), (one, two), (his, hers), fields["made"])


class Seen(NamedTuple):
    """A ticket that is looked at: whose it is, and the pairing; None while it waits."""

    account_id: str
    pairing: Pairing | None


def ticket_for(account_id: str, request_id: str) -> str:
    """The ticket of an account's request: a repeated one has the same."""
    digest = hashlib.sha256(f"{len(account_id)}:{account_id}{request_id}".encode()).hexdigest()
    return f"t{digest[:31]}"


class Queue:
    """All queues of the store. `quiet_ms`: how long a ticket stays that nobody waits for."""

    def __init__(self, store: Stored, *, quiet_ms: int = QUIET_MS, kept_ms: int = KEPT_MS) -> None:
        self._store = store
        self._quiet_ms = quiet_ms
        self._kept_ms = kept_ms

    @classmethod
    async def open(cls, client: Client, *, quiet_ms: int = QUIET_MS, kept_ms: int = KEPT_MS) -> Queue:
        """The queues, with their functions in the store. Raises `Refused` when it is down or takes no writes."""
        return cls(await Stored.open(client, LIBRARY), quiet_ms=quiet_ms, kept_ms=kept_ms)

    async def close(self) -> None:
        """Refuses what waits for the store, and what comes: SHUTTING_DOWN."""
        await self._store.close()

    async def request(self, ticket: str, account_id: str, name: str, terms: Terms, pairing_id: str) -> str:
        """Queues or pairs; `pairing_id` is new and random. Answers as the function `request` does."""
        keys = [TICKETS, WAITING, PAIRINGS, EXPIRY, NEWS]
        args = (terms.queue(), terms.encoded(), pairing_id, self._quiet_ms, self._kept_ms, MOST_TICKETS)
        answer: bytes = await self._store.call("request", keys, ticket, account_id, name, *args)
        return answer.decode()

    async def look(self, tickets: Sequence[str]) -> list[Seen | None]:
        """What has become of tickets that are waited for, and a sign that they are; None: there is no such ticket."""
        answers = await self._store.call("look", [TICKETS, PAIRINGS, EXPIRY], self._quiet_ms, *tickets)
        return [
            Seen(told[0].decode(), Pairing.decoded(told[1]) if told[1] else None) if told else None for told in answers
        ]

    async def cancel(self, ticket: str, account_id: str) -> str:
        """Leaves the queue. Answers as the function `cancel` does."""
        answer: bytes = await self._store.call(
            "cancel", [TICKETS, WAITING, EXPIRY, NEWS], ticket, account_id, self._kept_ms
        )
        return answer.decode()

    async def made(self, pairing_id: str) -> None:
        """The pairing's match is there."""
        await self._store.call("made", [PAIRINGS], pairing_id)

    async def sweep(self, most: int) -> int:
        """Frees the memory of what is over; gives how many that were."""
        return int(await self._store.call("sweep", [TICKETS, WAITING, PAIRINGS, EXPIRY], most))

    async def last_news(self) -> str:
        """Where the news are now."""
        entries = await self._store.do("XREVRANGE", NEWS, "+", "-", "COUNT", 1)
        return entries[0][0].decode() if entries else "0-0"

    async def news(self, after: str, most: int) -> tuple[list[str], str]:
        """Tickets that something happened to since, and where the news are now."""
        entries = await self._store.do("XRANGE", NEWS, f"({after}", "+", "COUNT", most)
        return [fields[b"t"].decode() for _, fields in entries], entries[-1][0].decode() if entries else after
