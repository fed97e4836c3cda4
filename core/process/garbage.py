"""How often a process looks for garbage in cycles."""

from __future__ import annotations

import gc
from typing import Final

_YOUNG_OBJECTS: Final = 10_000
_GENERATION: Final = 20


def collect_seldom() -> None:
    """What was imported stays for ever, and a server makes few cycles: both need to be looked through seldom."""
    gc.freeze()
    gc.set_threshold(_YOUNG_OBJECTS, _GENERATION, _GENERATION)
