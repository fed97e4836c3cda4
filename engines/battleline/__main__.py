"""`python -m engines.battleline`: an engine process for Battle Line."""

from __future__ import annotations

from engines.battleline.game import GAME
from engines.kit.host.main import serve

if __name__ == "__main__":
    serve(GAME)
