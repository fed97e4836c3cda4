"""`python -m engines.tashkalar`: an engine process for Tash-Kalar."""

from __future__ import annotations

from engines.kit.host.main import serve
from engines.tashkalar.game import GAME

if __name__ == "__main__":
    serve(GAME)
