"""A timekeeper on a host whose clock is wrong by HAMLE_TEST_CLOCK_S seconds."""

from __future__ import annotations

import os
import runpy
import time

_right = time.time
_wrong_s = float(os.environ["HAMLE_TEST_CLOCK_S"])


def _now_s() -> float:
    return _right() + _wrong_s


if __name__ == "__main__":
    time.time = _now_s
    runpy.run_module("services.timekeeper", run_name="__main__")
