"""A real Redis Cluster of embedded servers on loopback."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from tests.support.servers import StoreServer

SLOTS: Final = 16384
CONFIG: Final = {
    "cluster-enabled": "yes",
    "cluster-node-timeout": "2000",
    # Else the masters that live refuse everything once one is gone for good.
    "cluster-require-full-coverage": "no",
}
UP_S: Final = 60.0


class Cluster:
    """`masters` servers that share the slots; then `replicas` more, each of one master in turn."""

    def __init__(self, folder: Path, masters: int = 3, replicas: int = 0) -> None:
        self.servers: list[StoreServer] = []
        self._folder = folder
        self._masters = masters
        self._replicas = replicas

    @property
    def masters(self) -> Sequence[StoreServer]:
        """Those that were masters at the start."""
        return self.servers[: self._masters]

    @property
    def replicas(self) -> Sequence[StoreServer]:
        """Those that were replicas at the start."""
        return self.servers[self._masters :]

    def start(self) -> None:
        """Start all and wait until each sees the whole."""
        for number in range(self._masters + self._replicas):
            server = StoreServer(self._folder / f"node{number}", config=CONFIG)
            server.start()
            self.servers.append(server)
        for number, server in enumerate(self.masters):
            first, after = SLOTS * number // self._masters, SLOTS * (number + 1) // self._masters
            server.call("CLUSTER", "ADDSLOTSRANGE", first, after - 1)
        for number, server in enumerate(self.servers):
            server.call("CLUSTER", "SET-CONFIG-EPOCH", number + 1)
        for server in self.servers[1:]:
            server.call("CLUSTER", "MEET", "127.0.0.1", self.servers[0].port)
        # A node is counted as known before it has said which slots are its own.
        whole = {"cluster_known_nodes": str(len(self.servers)), "cluster_slots_assigned": str(SLOTS)}
        until(lambda: all(whole.items() <= self._info(server).items() for server in self.servers))
        until(lambda: all(self._info(server)["cluster_state"] == "ok" for server in self.masters))
        for number, server in enumerate(self.replicas):
            server.call("CLUSTER", "REPLICATE", self.masters[number % self._masters].call("CLUSTER", "MYID"))
        until(lambda: all(server.call("INFO", "replication")["master_link_status"] == "up" for server in self.replicas))

    def with_replica(self) -> StoreServer:
        """The master that a replica follows now, waited for: after a failover the old master comes back as one."""
        found: list[StoreServer] = []

        def looked() -> bool:
            found[:] = [server for server in self.servers if self._replicas_of(server)]
            return bool(found)

        until(looked)
        return found[0]

    @contextmanager
    def no_failover(self) -> Iterator[None]:
        """Within the block no replica takes over by itself, however long its master is away."""
        replicas = [server for server in self.servers if server.call("ROLE")[0] == b"slave"]
        for replica in replicas:
            replica.call("CONFIG", "SET", "cluster-replica-no-failover", "yes")
        try:
            yield
        finally:
            for replica in replicas:
                replica.call("CONFIG", "SET", "cluster-replica-no-failover", "no")

    def stop(self) -> None:
        """End all."""
        for server in self.servers:
            server.kill()

    def _replicas_of(self, server: StoreServer) -> bool:
        role = server.call("ROLE")
        return bool(role[0] == b"master" and role[2])

    def _info(self, server: StoreServer) -> dict[str, str]:
        text = server.call("CLUSTER", "INFO").decode()
        return dict(line.strip().split(":", 1) for line in text.splitlines() if ":" in line)


def until(condition: Callable[[], bool], within_s: float = UP_S) -> None:
    """Wait until something is so. TimeoutError when it never is."""
    deadline = time.monotonic() + within_s
    while not condition():
        if time.monotonic() > deadline:
            raise TimeoutError("what was waited for did not happen")
        time.sleep(0.02)
