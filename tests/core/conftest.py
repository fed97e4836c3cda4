"""What the tests of the store and of the log share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.cluster import Cluster


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """Three masters, one of them with a replica; a test may kill that one, and starts it again."""
    servers = Cluster(tmp_path_factory.mktemp("cluster"), masters=3, replicas=1)
    try:
        servers.start()
        yield servers
    finally:
        servers.stop()
