"""A timekeeper on a host whose clock is wrong by HAMLE_TEST_CLOCK_S seconds.

It waits HAMLE_TEST_GOODBYE_S seconds for the store to take what it gives up; without that as long as any does.
"""

from __future__ import annotations

import importlib
import os
import runpy
import time
from typing import Any

_right = time.time
_wrong_s = float(os.environ["HAMLE_TEST_CLOCK_S"])
_goodbye_s = os.environ.get("HAMLE_TEST_GOODBYE_S")


def _now_s() -> float:
    return _right() + _wrong_s


if __name__ == "__main__":
    time.time = _now_s
    if _goodbye_s is not None:
        main: Any = importlib.import_module("services.timekeeper.main")
        main.GOODBYE_S = float(_goodbye_s)
    runpy.run_module("services.timekeeper", run_name="__main__")
