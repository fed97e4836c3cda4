"""A process that starts as a gateway does, at a moment it is told, and prints the keys that it finds."""

from __future__ import annotations

import asyncio
import sys
import time

from services.gateway.account.follower import Follower, open_accounts
from tests.services.gateway.account.stores import connect


async def main(port: int) -> None:
    async with connect(port) as client:
        print("ready", flush=True)
        at = float(sys.stdin.readline())
        time.sleep(max(0.0, at - time.time()))  # noqa: ASYNC251
        follower = Follower(await open_accounts(client))
        await follower.start()
        print(" ".join(key.kid for key in follower.ring.keys), follower.signing_key().kid)


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1])))
