"""Keeping the token valid as long as the client is open."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from hamle_client.errors import HamleError, NotSignedIn
from hamle_client.session import LONGEST_PAUSE_S, Session


async def keep_token(
    session: Session, refresh: Callable[[], Awaitable[None]], *, look_every: float = LONGEST_PAUSE_S
) -> None:
    """Refreshes the token when half of its life is over, and again and again while that fails.

    Ends when the token itself is refused: the next call meets the same refusal and says so. The time is looked at
    every `look_every` seconds: while the machine sleeps the event loop's clock stands still, and the token's does not.
    """
    pause = session.refresh_in()
    while True:
        # A token that is due as soon as it is there was given by a server whose clock is far behind.
        await asyncio.sleep(min(pause or look_every, look_every))
        pause = session.refresh_in()
        if pause:
            continue
        try:
            await refresh()
            pause = session.refresh_in()
        except NotSignedIn:
            return
        except HamleError:
            pause = session.retry_in()
