"""What a gateway knows of accounts: it looks at the store twice a second, and answers from memory."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

from core.errors import Refused
from core.store.client import Client
from core.store.functions import build_library
from core.store.outage import Outage
from core.telemetry import logs
from services.gateway.account.keys import (
    KEYS_KEY,
    LONGEST_LIFE_MS,
    SIGNS_AFTER_MS,
    KeyRing,
    SigningKey,
    add_key,
    ring_of,
)
from services.gateway.stored import Stored

EPOCHS_KEY: Final = "{accounts}:epochs"
"""Hash: account id -> how often all its tokens were revoked; only accounts that ever did."""
REVOCATIONS_KEY: Final = "{accounts}:revocations"
"""Stream: one entry a revocation, fields `account` and `epoch`; kept as long as a token can live."""

LOOK_EVERY_S: Final = 0.5
KNOWN_AFTER_S: Final = 2.0
"""Every gateway that reaches the store knows of a revocation after so long."""
LIBRARY: Final = build_library("hamle_accounts", Path(__file__).parent / "functions")
_FRESH_S: Final = SIGNS_AFTER_MS / 1000 - 1
_PAGE: Final = 1000

_log = logs.get_logger("hamle.gateway.account")


async def open_accounts(client: Client) -> Stored:
    """The store with the functions of accounts. Raises `Refused` when it is down or takes no writes."""
    return await Stored.open(client, LIBRARY)


async def revoke(store: Stored, account_id: str) -> int:
    """Ends all tokens of an account that are signed by now; gives its new epoch. Raises `Refused`."""
    return int(await store.call("revoke", [EPOCHS_KEY, REVOCATIONS_KEY], account_id, LONGEST_LIFE_MS))


class AccountFollower:
    """The signing keys and the revocations. Call `start`, then keep `run` running under a supervisor.

    While the store is away it goes on with what it knows: tokens hold, and nobody can revoke any either.
    """

    def __init__(self, store: Stored, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._store = store
        self._monotonic = monotonic
        self._ring = KeyRing()
        self._epochs: OrderedDict[str, tuple[int, int]] = OrderedDict()
        self._seen = "-"
        self._looked_at = float("-inf")
        self._ahead_ms = 0
        self._wake = asyncio.Event()
        self._hear: list[Callable[[str], None]] = []

    @property
    def ring(self) -> KeyRing:
        """All keys that may have signed a living token."""
        return self._ring

    def signing_key(self) -> SigningKey:
        """The key that signs now."""
        return self._ring.signing(int(self._monotonic() * 1000) + self._ahead_ms)

    def epoch(self, account_id: str) -> int:
        """The least epoch of the account's tokens that still hold."""
        found = self._epochs.get(account_id)
        return 0 if found is None else found[0]

    def is_fresh(self) -> bool:
        """Whether the ring holds every key that can have signed by now; False asks for another look at the store."""
        if self._monotonic() - self._looked_at < _FRESH_S:
            return True
        self._wake.set()
        return False

    def on_revoked(self, hear: Callable[[str], None]) -> None:
        """From now on `hear` is told the account of each revocation, at once and once `epoch` knows of it."""
        self._hear.append(hear)

    def revoked(self, account_id: str, epoch: int, at_ms: int) -> None:
        """Takes in a revocation, in any order and any number of times."""
        if epoch > self.epoch(account_id):
            self._epochs[account_id] = (epoch, at_ms)
            self._epochs.move_to_end(account_id)
            for hear in self._hear:
                hear(account_id)

    async def start(self) -> None:
        """Reads all that is needed, and makes the first key where there is none. Raises `Refused`."""
        await self.look()

    async def run(self) -> None:
        """Looks for ever; a store that is away is logged once and looked for again."""
        outage = Outage(_log, "the store is away: revocations wait", "revocations are followed again")
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(LOOK_EVERY_S):
                    await self._wake.wait()
            self._wake.clear()
            try:
                await self.look()
            except Refused as refused:
                outage.begins(refused.name)
                await asyncio.sleep(LOOK_EVERY_S)
            else:
                outage.ends()

    async def look(self) -> None:
        """Looks at the store once. Raises `Refused` when it does not answer."""
        more = True
        while more:
            began = self._monotonic()
            keys = [KEYS_KEY, REVOCATIONS_KEY]
            now_ms, stored, entries = await self._store.call("look", keys, self._seen, _PAGE)
            if not stored:
                await add_key(self._store, 1)
                continue
            for entry_id, fields in entries:
                values = dict(zip(fields[::2], fields[1::2], strict=True))
                at_ms = int(entry_id.split(b"-")[0])
                self.revoked(values[b"account"].decode(), int(values[b"epoch"]), at_ms)
                self._seen = f"({entry_id.decode()}"
            self._ring = ring_of(dict(zip(map(int, stored[::2]), stored[1::2], strict=True)), now_ms, self._ring)
            self._looked_at = began
            self._ahead_ms = now_ms - int(began * 1000)
            self._forget_before(now_ms - LONGEST_LIFE_MS)
            more = len(entries) == _PAGE

    def _forget_before(self, oldest_ms: int) -> None:
        while self._epochs and next(iter(self._epochs.values()))[1] < oldest_ms:
            self._epochs.popitem(last=False)
