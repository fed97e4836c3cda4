"""`python -m engines.itchyfeet`: an engine process for Itchy Feet."""

from __future__ import annotations

from engines.itchyfeet.game import GAME
from engines.kit.host.main import serve

if __name__ == "__main__":
    serve(GAME)
