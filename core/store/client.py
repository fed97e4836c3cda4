"""The general client of the store: for everything but the logs' write path."""

from __future__ import annotations

from typing import Any, TypeAlias

from redis.asyncio import BlockingConnectionPool, Redis, RedisCluster
from redis.asyncio.cluster import ClusterNode
from redis.asyncio.connection import Connection
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

from core.errors import Refused
from core.log.types import Durability
from core.store.errors import Unfit, store_errors
from core.store.fitness import ask, judge, open_fit_wire
from core.store.settings import Address, StoreSettings

Client: TypeAlias = "Redis | RedisCluster"


async def open_store(settings: StoreSettings) -> Client:
    """A client of a store that answers and is fit, every master of it; close it with `await client.aclose()`.

    Every later connection of it asks anew whether the server is fit, but for a cluster, where the appender's do.
    It never retries in silence: a write that failed may have been done, so its caller decides. Replies are bytes.
    Raises `Refused`: STORE_DOWN, STORE_READ_ONLY, STORE_UNFIT.
    """
    client = _client(settings)
    try:
        with store_errors():
            for address in await _masters(client, settings):
                wire, _ = await open_fit_wire(settings, address)
                wire.close()
            await client.ping()
    except BaseException:
        await client.aclose()
        raise
    return client


async def _masters(client: Client, settings: StoreSettings) -> list[Address]:
    if not isinstance(client, RedisCluster):
        return [settings.address]
    await client.initialize()
    return [Address(node.host, int(node.port)) for node in client.get_primaries()]


def cluster_client(settings: StoreSettings) -> RedisCluster:
    """A client of a cluster, not yet connected."""
    return RedisCluster(startup_nodes=[ClusterNode(*settings.address)], **_shared(settings))


def _client(settings: StoreSettings) -> Client:
    if settings.cluster:
        return cluster_client(settings)
    address = settings.address

    async def on_connect(connection: Connection) -> None:
        await _check_fit(connection, settings.durability)

    place: dict[str, Any] = {"host": address.host, "port": address.port, "db": settings.db}
    pool = Redis(
        **(place if address.port else {"unix_socket_path": address.host}),
        redis_connect_func=on_connect,
        **_shared(settings),
    ).connection_pool
    # The usual pool refuses whatever comes while all connections are in use, as when a replica takes over many matches.
    waiting = BlockingConnectionPool(
        pool.max_connections, settings.reply_timeout_s, pool.connection_class, **pool.connection_kwargs
    )
    return Redis.from_pool(waiting)


async def _check_fit(connection: Connection, promised: Durability) -> None:
    """What every new connection does first: a server may be another one, or set otherwise, after a reconnect."""

    async def call(*args: str) -> Any:
        await connection.send_command(*args, check_health=False)
        return await connection.read_response()

    await connection.on_connect()
    try:
        judge(await ask(call), promised)
    except Refused as refusal:
        raise Unfit(refusal) from None


def _shared(settings: StoreSettings) -> dict[str, Any]:
    login = settings.login()
    shared: dict[str, Any] = {
        "password": login[-1] if login else None,
        "username": login[0] if len(login) > 1 else None,
        "socket_timeout": settings.reply_timeout_s,
        "socket_connect_timeout": settings.connect_timeout_s,
        "retry": Retry(NoBackoff(), 0),
        "client_name": settings.client_name,
        "protocol": 2,
        "max_connections": 256,
    }
    if settings.url.startswith("rediss:"):
        files = {"ssl_ca_certs": settings.tls_ca, "ssl_certfile": settings.tls_cert, "ssl_keyfile": settings.tls_key}
        shared |= {"ssl": True} | {name: str(path) for name, path in files.items() if path is not None}
    return shared
