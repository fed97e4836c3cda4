"""`hamle forget ACCOUNT_ID`: a player is cut off from the matches that he played."""

from __future__ import annotations

import asyncio
from typing import Annotated

import typer

from cli import operator
from cli.connection import run
from cli.errors import Stop
from cli.options import Json
from cli.output import emit, say
from services.gateway.account.follower import KNOWN_AFTER_S, open_accounts, revoke
from services.gateway.account.service import is_account_id
from services.gateway.players.players import NAMES_HOLD_S, open_players


def forget(
    account: Annotated[str, typer.Argument(metavar="ACCOUNT_ID", help="As `hamle account` tells it to the player.")],
    json: Json = False,
) -> None:
    """Forget a player: his matches stay and verify, without his name. For operators: needs the store's settings.

    All his tokens end. A match of his that is being played goes on without him.
    """
    if not is_account_id(account):
        raise Stop(
            f"{account!r} is not an account id; expected 20 digits of 0-9a-f, as `hamle account` tells the player."
        )
    matches = run(_forget(account))
    if json:
        emit({"account_id": account, "matches": matches})
    else:
        say(f"{account} is forgotten in {matches} matches; gateways may show the name for {NAMES_HOLD_S:.0f} s more")
        if not matches:
            say("No match knew the account: check the id, unless it never played or was forgotten before.")


async def _forget(account_id: str) -> int:
    async with operator.store() as (client, _):
        await revoke(await open_accounts(client), account_id)
        # Until every gateway knows it, his calls could still give him new handles.
        await asyncio.sleep(KNOWN_AFTER_S)
        return await (await open_players(client)).forget(account_id)
