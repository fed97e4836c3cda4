"""A process that starts as a gateway does, at a moment it is told, and prints the keys that it finds."""

from __future__ import annotations

import asyncio
import sys
import time

from core.log.types import Durability
from core.store.client import open_store
from core.store.settings import StoreSettings
from services.gateway.account.follower import AccountFollower, open_accounts


async def main(url: str) -> None:
    client = await open_store(StoreSettings(url=url, durability=Durability.WRITTEN))
    async with client:
        print("ready", flush=True)
        at = float(sys.stdin.readline())
        time.sleep(max(0.0, at - time.time()))  # noqa: ASYNC251
        follower = AccountFollower(await open_accounts(client))
        await follower.start()
        print(" ".join(key.kid for key in follower.ring.keys), follower.signing_key().kid)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
