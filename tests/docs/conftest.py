from __future__ import annotations

from collections.abc import Iterator

import pytest

from deploy.local.fleet import GAMES, Fleet, Plan


@pytest.fixture(scope="module")
def fleet(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Fleet]:
    """What `make play` starts."""
    with Fleet(Plan(tmp_path_factory.mktemp("fleet"), games=GAMES)) as running:
        yield running
