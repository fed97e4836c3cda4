"""`python -m engines.coerceo`: an engine process for Coerceo."""

from __future__ import annotations

from engines.coerceo.game import GAME
from engines.kit.host.main import serve

if __name__ == "__main__":
    serve(GAME)
