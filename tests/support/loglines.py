"""What a process would log, line by line. A conftest or a test's module imports `log_lines`."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

import pytest
import structlog

from core.telemetry import logs

LogLines: TypeAlias = Callable[[str], list[dict[str, Any]]]
"""The lines so far whose event is this one; all of them for the empty text."""


@pytest.fixture
def log_lines() -> Iterator[LogLines]:
    """Everything is logged, debug lines too, as JSON."""
    before, level = structlog.get_config(), logging.getLogger().level
    stream = io.StringIO()
    logs.configure("debug", "json", stream=stream)

    def lines(event: str) -> list[dict[str, Any]]:
        found = [json.loads(line) for line in stream.getvalue().splitlines()]
        return [line for line in found if event in ("", line["event"])]

    yield lines
    logs.configure(stream=stream)
    structlog.configure(**before)
    root = logging.getLogger()
    root.setLevel(level)
    for handler in [handler for handler in root.handlers if type(handler).__module__ == logs.__name__]:
        root.removeHandler(handler)
