"""Fixtures for every test: real servers, started once for each worker and emptied before each test.

`HAMLE_TEST_REDIS_URL` names a throw-away server to use instead (each worker takes a database of it);
`HAMLE_TEST_CONTAINERS=1` takes one in a container; else the embedded Valkey serves.
"""

from __future__ import annotations

import os
import signal
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from core.log.appender import Appender
from core.store.client import Client, open_store
from core.store.settings import StoreSettings
from tests.support.certificates import Certificates, make_certificates
from tests.support.containers import redis_container, wanted
from tests.support.servers import ExternalStore, StoreServer, StoreUnderTest

# How long an example takes tells of the machine and of what else runs on it, not of the code.
settings.register_profile("hamle", deadline=None)
settings.load_profile("hamle")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Of `-n auto`: half as many again as there are processors, since many tests wait for servers that start."""
    return max(2, (os.cpu_count() or 1) * 3 // 2)


@pytest.fixture(scope="session", autouse=True)
def _temporary_files() -> Iterator[None]:
    """What killed processes leave among the temporary files, a socket each of the native server, goes in the end."""
    # This process keeps to the folder that it has.
    tempfile.gettempdir()
    with tempfile.TemporaryDirectory(prefix="hamle-") as folder, pytest.MonkeyPatch.context() as patch:
        patch.setenv("TMPDIR", folder)
        yield


@pytest.fixture(scope="session", autouse=True)
def _signals_are_heard() -> Iterator[None]:
    """In the background of a shell, or under nohup, tests ignore signals, and so would all that they start.

    A handler that does nothing is not inherited, and keeps the tests themselves alive as before.
    """
    ignored = [signum for signum in (signal.SIGINT, signal.SIGHUP) if signal.getsignal(signum) is signal.SIG_IGN]
    for signum in ignored:
        signal.signal(signum, lambda *_: None)
    yield
    for signum in ignored:
        signal.signal(signum, signal.SIG_IGN)


@pytest.fixture(scope="session")
def embedded_process(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StoreServer]:
    """The worker's own embedded Valkey: AOF everysec."""
    server = StoreServer(tmp_path_factory.mktemp("valkey"))
    server.start()
    yield server
    server.stop()


@pytest.fixture(scope="session")
def container_process() -> Iterator[ExternalStore]:
    """The worker's own Redis in a container."""
    if not wanted():
        pytest.skip("containers are started only with HAMLE_TEST_CONTAINERS=1")
    with redis_container() as store:
        yield store


@pytest.fixture
def valkey_server(request: pytest.FixtureRequest) -> StoreUnderTest:
    """An empty store for one test."""
    store: StoreUnderTest
    url = os.environ.get("HAMLE_TEST_REDIS_URL")
    if url:
        worker = os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")
        store = ExternalStore(f"{url.rstrip('/')}/{worker}")
    else:
        store = request.getfixturevalue("container_process" if wanted() else "embedded_process")
    store.clear()
    return store


@pytest.fixture
def store_settings(valkey_server: StoreUnderTest) -> StoreSettings:
    """How to reach the test's store."""
    return valkey_server.settings()


@pytest.fixture
async def store(store_settings: StoreSettings) -> AsyncIterator[Client]:
    """A client of the test's store."""
    client = await open_store(store_settings)
    yield client
    await client.aclose()


@pytest.fixture
async def appender(store_settings: StoreSettings) -> AsyncIterator[Appender]:
    """The write path to the test's store."""
    async with Appender(store_settings) as running:
        yield running


@pytest.fixture
def start_server(tmp_path: Path) -> Iterator[Callable[..., StoreServer]]:
    """Starts servers that a test has for itself and may kill; takes what `StoreServer` takes, but for the folder.

    They keep what they have acknowledged, however slow the disk is.
    """
    started: list[StoreServer] = []

    def start(config: Mapping[str, str] | None = None, **options: Any) -> StoreServer:
        config = {"appendfsync": "always", **(config or {})}
        server = StoreServer(tmp_path / f"server{len(started)}", config=config, **options)
        started.append(server)
        server.start()
        return server

    yield start
    for server in started:
        server.kill()


@pytest.fixture(scope="session")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> Certificates:
    """An authority, a server's and a client's certificate."""
    return make_certificates(tmp_path_factory.mktemp("certificates"))
