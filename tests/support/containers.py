"""A Redis server in a container, for as long as a test session lasts."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import redis
from testcontainers.core.container import DockerContainer

from tests.support.servers import ExternalStore

START_S: Final = 60.0


def wanted() -> bool:
    """Whether tests may start containers: HAMLE_TEST_CONTAINERS=1."""
    return os.environ.get("HAMLE_TEST_CONTAINERS") == "1"


@contextmanager
def redis_container() -> Iterator[ExternalStore]:
    """A container of the image that REDIS_IMAGE names, `redis:7` without it; AOF on."""
    image = os.environ.get("REDIS_IMAGE", "redis:7")
    command = ["redis-server", "--bind", "0.0.0.0", "--protected-mode", "no", "--appendonly", "yes"]
    container = DockerContainer(image).with_kwargs(entrypoint=[]).with_command(command).with_exposed_ports(6379)
    with container:
        store = ExternalStore(f"redis://{container.get_container_host_ip()}:{container.get_exposed_port(6379)}/0")
        deadline = time.monotonic() + START_S
        while True:
            try:
                store.call("PING")
                break
            except (redis.ConnectionError, redis.TimeoutError):
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.05)
        yield store
