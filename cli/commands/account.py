"""`hamle account`: who one is on a server."""

from __future__ import annotations

from hamle.account.v1 import account_pb2

from cli.connection import run, signed_in
from cli.options import As, Json, Keep, Server
from cli.output import emit, say


def account(server: Server = None, as_: As = "", keep: Keep = True, json: Json = False) -> None:
    """Tell who you are on the server: the name that others see, and the id by which an operator can forget you."""
    who = run(_ask(server, as_, keep))
    if json:
        emit({"account_id": who.account_id, "name": who.name})
    else:
        say(f"{who.name}, account {who.account_id}")


async def _ask(server: str | None, name: str, keep: bool) -> account_pb2.Account:
    async with signed_in(server, name=name, keep=keep) as (client, _):
        return await client.account()
