"""Gateways that serve AccountService on a real server; several on one store."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Any, Literal

import grpc
from hamle.account.v1.account_pb2 import SignInGuestRequest
from hamle.account.v1.account_pb2_grpc import AccountServiceStub, add_AccountServiceServicer_to_server

from core.rpc.client import bearer_metadata
from core.rpc.server import RpcServer
from core.settings import Settings, load
from core.store.client import Client
from services.gateway.access import ACCOUNT_SERVICE, doors
from services.gateway.account.follower import AccountFollower, open_accounts
from services.gateway.account.service import DEFAULT_LIFE_MS, Accounts
from services.gateway.account.verifier import CachedVerifier
from services.gateway.identity import Doorkeeper
from services.gateway.limits import Kind, Limiter, Rate

ServerKind = Literal["native", "grpcio"]
GENEROUS = dict.fromkeys(Kind, Rate(10_000, 10_000))


@dataclass
class Gateway:
    """One gateway and a client of it."""

    channel: grpc.aio.Channel
    stub: Any
    follower: AccountFollower
    following: asyncio.Task[None]
    doorkeeper: Doorkeeper

    async def sign_in(self, name: str = "", scopes: tuple[str, ...] = ()) -> str:
        answer = await self.stub.SignInGuest(SignInGuestRequest(name=name, scopes=scopes))
        return str(answer.token.token)


def signed(token: str) -> tuple[tuple[str, str], ...]:
    return bearer_metadata(token)


@asynccontextmanager
async def serving(
    client: Client,
    *,
    kind: ServerKind = "grpcio",
    rates: dict[Kind, Rate] | None = None,
    life_ms: int = DEFAULT_LIFE_MS,
    trust_forwarded: bool = False,
) -> AsyncIterator[Gateway]:
    store = await open_accounts(client)
    follower = AccountFollower(store)
    await follower.start()
    following = asyncio.create_task(follower.run())
    doorkeeper = Doorkeeper(CachedVerifier(follower), Limiter(rates or GENEROUS), trust_forwarded=trust_forwarded)
    server = RpcServer(load(Settings, port=0, grpc_server=kind))
    guests = Accounts(store, follower, life_ms=life_ms)
    server.add(add_AccountServiceServicer_to_server, guests, doors=doors(doorkeeper, ACCOUNT_SERVICE))
    port = await server.start()
    async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
        yield Gateway(channel, AccountServiceStub(channel), follower, following, doorkeeper)
        await server.stop(0)
    assert not following.done(), following
    following.cancel()
    with suppress(asyncio.CancelledError):
        await following


async def eventually(holds: Callable[[], bool], seconds: float = 60.0) -> None:
    async with asyncio.timeout(seconds):
        while not holds():  # noqa: ASYNC110
            await asyncio.sleep(0.02)
