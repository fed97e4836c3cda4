from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.clients.server import ScriptedServer, serve


@pytest.fixture(autouse=True)
def _own_config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test reads or writes the identities of whoever runs it, nor asks a server that they have named."""
    monkeypatch.setenv("HAMLE_CONFIG_DIR", str(tmp_path / "config"))
    for name in ("HAMLE_SERVER", "HAMLE_ADDRESS", "HAMLE_TOKEN", "HAMLE_TRACEBACK", "HAMLE_LANGUAGE"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
async def server() -> AsyncIterator[ScriptedServer]:
    async with serve(ScriptedServer()) as running:
        yield running
