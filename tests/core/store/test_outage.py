from __future__ import annotations

from structlog.testing import capture_logs

from core.store.outage import Outage
from core.telemetry.logs import get_logger


def test_an_outage_is_told_once_and_so_is_its_end() -> None:
    outage = Outage(get_logger("hamle.test"), "gone", "here again", what="feeds")
    with capture_logs() as lines:
        outage.ends()
        for reason in ("STORE_DOWN", "STORE_DOWN", "STORE_READ_ONLY", "STORE_READ_ONLY"):
            outage.begins(reason)
        outage.ends()
        outage.ends()
        outage.begins("STORE_READ_ONLY")
    lost = {"event": "gone", "log_level": "warning", "what": "feeds"}
    assert lines == [
        lost | {"reason": "STORE_DOWN"},
        lost | {"reason": "STORE_READ_ONLY"},
        {"event": "here again", "log_level": "info", "what": "feeds"},
        lost | {"reason": "STORE_READ_ONLY"},
    ]
