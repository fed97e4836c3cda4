from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from deploy.local.fleet import Fleet, Plan
from tests.cli.e2e.terminal import Terminal


@pytest.fixture(scope="module")
def fleet(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Fleet]:
    with Fleet(Plan(tmp_path_factory.mktemp("fleet"), games=("coerceo", "battleline"))) as running:
        yield running


@pytest.fixture
def scratch() -> Iterator[str]:
    """The commands' folder for temporary files: its path is short, for sockets are put there too."""
    with TemporaryDirectory() as folder:
        yield folder


@pytest.fixture
def terminal(fleet: Fleet, tmp_path: Path, scratch: str) -> Terminal:
    """Where commands are typed: the `hamle` command as a process, on the fleet."""
    return Terminal(
        {
            "HAMLE_SERVER": fleet.addresses[0],
            "HAMLE_STORE_URL": fleet.store_url,
            "HAMLE_CONFIG_DIR": str(tmp_path / "config"),
            "TMPDIR": scratch,
        }
    )
