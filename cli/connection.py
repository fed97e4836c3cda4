"""Signing in for a command."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import AsyncIterator, Coroutine
from contextlib import AbstractContextManager, asynccontextmanager, nullcontext
from typing import Any, TypeVar

from hamle_client import Client, NotSignedIn, Token
from hamle_client.address import DEFAULT_ADDRESS

from cli.errors import Stop
from cli.identities import Identities, Identity, config_dir
from cli.options import address

T = TypeVar("T")

_PATIENCE_S = 10.0
_RENEW_S = 6 * 24 * 3600.0
"""A kept token that ends within so long is refreshed: who plays once in a while would lose the account with it."""


def run(work: Coroutine[Any, Any, T]) -> T:
    """Runs a command's coroutine."""
    return asyncio.run(work)


@asynccontextmanager
async def signed_in(
    server: str | None, *, name: str = "", keep: bool = True, exclusive: bool = False, match_id: str = ""
) -> AsyncIterator[tuple[Client, Identity]]:
    """A client and whom it plays for.

    An `exclusive` command has its identity for itself while it runs. The token is kept for next time unless `keep` is
    off; one that the server no longer takes is replaced by a new guest's.
    """
    server = address(server)
    with _identity(server, name, keep=keep, exclusive=exclusive, match_id=match_id) as identity:
        client = await _connect(server, identity)
        try:
            _keep(client, identity)
            try:
                yield client, identity
            finally:
                _keep(client, identity)
        finally:
            await client.close()


def _keep(client: Client, identity: Identity) -> None:
    if client.token is not identity.token:
        identity.token = client.token
        identity.save()


async def _connect(server: str | None, identity: Identity) -> Client:
    token: Token | str | None = identity.token
    if identity.token is not None and identity.token.expires_at < time.time() + _RENEW_S:
        # Of a token that is text alone the client does not know the end, and gets a new one.
        token = identity.token.text
    try:
        client = Client(server, name=identity.name, token=token, patience=_PATIENCE_S)
    except (ValueError, OSError) as wrong:
        raise Stop(str(wrong)) from wrong
    try:
        await client.sign_in()
        if identity.token is not None:
            await client.account()
        return client
    except NotSignedIn:
        await client.close()
        if identity.token is None:
            raise
        identity.token = None
        identity.matches.clear()
        return await _connect(server, identity)
    except BaseException:
        await client.close()
        raise


def _identity(
    server: str | None, name: str, *, keep: bool, exclusive: bool, match_id: str
) -> AbstractContextManager[Identity]:
    if not keep or "HAMLE_TOKEN" in os.environ:
        return nullcontext(Identity(name))
    identities = Identities(config_dir(os.environ), server or os.environ.get("HAMLE_ADDRESS") or DEFAULT_ADDRESS)
    return identities.take(name, match_id) if exclusive else nullcontext(identities.look(name))
