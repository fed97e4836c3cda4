from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from core.store.settings import StoreSettings
from tests.services.gateway.main.processes import Role

Start = Callable[..., Role]


@pytest.fixture(params=["native", "grpcio"])
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def start(store_settings: StoreSettings, tmp_path: Path) -> Iterator[Start]:
    """Starts a process over the test's store: `start("services.gateway", GRPC_SERVER="native")`."""
    started: list[Role] = []

    def begin(module: str, port: int = 0, **env: str) -> Role:
        role = Role(module, tmp_path, port, **{"STORE_URL": store_settings.url, **env})
        started.append(role)
        return role

    yield begin
    for role in started:
        role.kill()
