"""Which server is the master of which keys."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from redis.asyncio import RedisCluster

from core.store.client import cluster_client
from core.store.errors import store_errors
from core.store.settings import Address, StoreSettings


class Topology:
    """Where keys' masters are. For a cluster it asks a client of its own, so that asking anew harms nobody else's."""

    def __init__(self, settings: StoreSettings) -> None:
        self._settings = settings
        self._cluster: RedisCluster | None = cluster_client(settings) if settings.cluster else None

    async def masters_of(self, keys: Iterable[str]) -> Mapping[str, Address]:
        """The master of each key as the store says now. Raises `Refused` when it does not answer."""
        if self._cluster is None:
            return dict.fromkeys(keys, self._settings.address)
        with store_errors():
            await self._cluster.aclose()
            await self._cluster.initialize()
            nodes = {key: self._cluster.get_node_from_key(key) for key in keys}
        return {key: Address(node.host, int(node.port)) for key, node in nodes.items() if node is not None}

    async def aclose(self) -> None:
        """Close the client."""
        if self._cluster is not None:
            await self._cluster.aclose()
