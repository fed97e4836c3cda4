from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import pytest

from tests.e2e.bad_input.stack import KINDS, Stack
from tests.support.servers import StoreServer

SIGN_INS: Final = 20
"""From one address at once; the next is taken after ten minutes."""
WRITES: Final = 200
"""Of one account at once; one more is taken every second."""
TROUBLED: Final = "native"
"""The server of the gateway in trouble."""


@pytest.fixture(scope="session")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """Serves all tests of this folder that harm nothing; nobody is limited but by his sign-ins."""
    store = StoreServer(tmp_path_factory.mktemp("store"))
    store.start()
    env = {"SIGN_IN_BURST": str(SIGN_INS), "SIGN_IN_PER_S": "0.0016"} | {
        f"{kind}_{limit}": "1000000" for kind in ("READ", "WRITE") for limit in ("PER_S", "BURST")
    }
    try:
        engines = ("coerceo", "native-battleline")
        with Stack(tmp_path_factory.mktemp("stack"), store, engines, env) as running:
            yield running
    finally:
        store.kill()


@pytest.fixture(scope="session")
def troubled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """One engine and one gateway over a store of their own, for tests that do them harm."""
    # What it has acknowledged it has written, however slow the disk is: it will be killed.
    store = StoreServer(tmp_path_factory.mktemp("store"), config={"appendfsync": "always"})
    store.start()
    env = {"WRITE_BURST": str(WRITES), "WRITE_PER_S": "1", "ENGINE_PATIENCE_S": "0.5"}
    try:
        with Stack(tmp_path_factory.mktemp("troubled"), store, ["coerceo"], env, [TROUBLED]) as running:
            yield running
    finally:
        store.kill()


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)
