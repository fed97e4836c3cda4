from __future__ import annotations

import pytest

from tests.services.gateway.account.stores import client, valkey

__all__ = ["client", "kind", "valkey"]


@pytest.fixture(params=["native", "grpcio"])
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)
