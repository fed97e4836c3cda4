from __future__ import annotations

from core.store.outage import Outage
from core.telemetry.logs import get_logger
from tests.support.loglines import LogLines, log_lines

__all__ = ["log_lines"]


def test_an_outage_is_told_once_and_so_is_its_end(log_lines: LogLines) -> None:
    outage = Outage(get_logger("hamle.test"), "gone", "here again", what="feeds")
    outage.ends()
    for reason in ("STORE_DOWN", "STORE_DOWN", "STORE_READ_ONLY", "STORE_READ_ONLY"):
        outage.begins(reason)
    outage.ends()
    outage.ends()
    outage.begins("STORE_READ_ONLY")
    outage.begins("ValueError", ValueError("nobody foresaw it"))
    lines = [(line["level"], line["event"], line.get("reason"), line["what"]) for line in log_lines("")]
    assert lines == [
        ("warning", "gone", "STORE_DOWN", "feeds"),
        ("warning", "gone", "STORE_READ_ONLY", "feeds"),
        ("info", "here again", None, "feeds"),
        ("warning", "gone", "STORE_READ_ONLY", "feeds"),
        ("error", "gone", "ValueError", "feeds"),
    ]
