"""Hamle's Python client: play, watch and study board-game matches.

    import asyncio
    from hamle_client import Client

    async def main():
        async with Client(name="Ada") as client:
            match = await client.pair("coerceo")
            async for view in match.turns():
                choices = await match.choices()
                await match.submit(choices[0].text)

    asyncio.run(main())

`Client` is asynchronous; `hamle_client.sync.Client` is the same for programs without an event loop.
"""

from hamle_client.client import Client
from hamle_client.errors import (
    HamleError,
    HashMismatch,
    IllegalMove,
    LogLostTail,
    MatchFinished,
    MatchNotFound,
    NotSignedIn,
    NotYourTurn,
    SeqGap,
    StaleView,
)
from hamle_client.match import Match, new_request_id
from hamle_client.replay import Replay
from hamle_client.sentences import sentence, tell
from hamle_client.session import Token
from hamle_client.told import Cursor, Done, Material, Record, Step, View

__all__ = [
    "Client",
    "Cursor",
    "Done",
    "HamleError",
    "HashMismatch",
    "IllegalMove",
    "LogLostTail",
    "Match",
    "MatchFinished",
    "MatchNotFound",
    "Material",
    "NotSignedIn",
    "NotYourTurn",
    "Record",
    "Replay",
    "SeqGap",
    "StaleView",
    "Step",
    "Token",
    "View",
    "new_request_id",
    "sentence",
    "tell",
]
