"""`python -m tests.e2e.bad_input.engine native-GAME`: an engine that listens by the native server.

In service engines do not: it hands their stream on to grpcio.
"""

from __future__ import annotations

import sys
from typing import Any, Self

from core.process.run import run
from core.settings import load
from engines.kit.host.main import Engine
from engines.kit.host.settings import EngineSettings
from engines.registry import load_game

NATIVE = "native-"


class NativeSettings(EngineSettings):
    """Keeps the server that was asked for when the engine would change it."""

    def model_copy(self, *, update: Any = None, deep: bool = False) -> Self:
        return super().model_copy(deep=deep)


def main(name: str) -> int:
    settings = load(NativeSettings, grpc_server="native")
    return run(f"engine-{name}", Engine(settings, load_game(name.removeprefix(NATIVE))).run, settings)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
