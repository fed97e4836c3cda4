"""Structured logs on stderr: JSON for machines, text on a terminal.

Code logs with `get_logger("hamle.<part>")`: an event in a few plain words, everything else as keys. What other
libraries log by `logging` comes out in the same form.
"""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import MutableMapping
from typing import Any, Final, Literal, TextIO

import structlog

from core.telemetry.redaction import redact, scrub
from core.telemetry.tracebacks import render

Format = Literal["auto", "json", "text"]
Event = MutableMapping[str, Any]

_debugs = False

_LEVELS: Final = {"debug": 10, "info": 20, "warning": 30, "error": 40}


class _Stderr:
    """Writes lines to stderr as it is now; when nobody reads it any more, lines are lost but the process lives."""

    def __init__(self, stream: TextIO | None) -> None:
        self._stream = stream

    def msg(self, line: str) -> None:
        stream = self._stream or sys.stderr
        try:
            stream.write(line + "\n")
            stream.flush()
        except (OSError, ValueError):
            return

    log = debug = info = warn = warning = error = critical = fatal = exception = msg


class _Foreign(logging.Handler):
    """Hands what other libraries log to structlog."""

    def emit(self, record: logging.LogRecord) -> None:
        error = record.exc_info[1] if record.exc_info else None
        # The lines after the first of asyncio's are representations of objects.
        text = record.getMessage().partition("\n")[0]
        structlog.get_logger(record.name).log(record.levelno, text, exc_info=error)


def configure(
    level: str = "info",
    form: Format = "auto",
    *,
    stream: TextIO | None = None,
    **always: str,
) -> None:
    """Sets the process's logging up; `always` is on each line (role, instance). May be called again."""
    global _debugs
    _debugs = level == "debug"
    out = stream or sys.stderr
    text = form == "text" or (form == "auto" and out.isatty())
    _configure_structlog(_LEVELS[level], text, stream, always | {"pid": str(os.getpid())})
    root = logging.getLogger()
    for handler in [handler for handler in root.handlers if isinstance(handler, _Foreign)]:
        root.removeHandler(handler)
    root.addHandler(_Foreign())
    root.setLevel(max(_LEVELS[level], logging.INFO))


def get_logger(name: str) -> Any:
    """A logger, `hamle.<part>`. Taken from here it never falls back to structlog's own lines, which show variables."""
    return structlog.get_logger(name)


def debugs() -> bool:
    """Whether debug lines are logged. Ask before one on the path of a move: a line costs also when nobody logs it."""
    return _debugs


def configure_quietly() -> None:
    """Until `configure` is called: safe lines, and `logging` left alone."""
    if not structlog.is_configured():
        _configure_structlog(_LEVELS["info"], True, None, {})


def _configure_structlog(level: int, text: bool, stream: TextIO | None, always: dict[str, str]) -> None:
    def add_always(logger: Any, name: str, event: Event) -> Event:
        for key, value in always.items():
            event.setdefault(key, value)
        return event

    if text:
        renderer: Any = structlog.dev.ConsoleRenderer(
            colors=(stream or sys.stderr).isatty(), exception_formatter=structlog.dev.plain_traceback
        )
    else:
        renderer = structlog.processors.JSONRenderer(ensure_ascii=False)
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            _add_name,
            *([] if text else [add_always]),
            _render_exception,
            _redact,
            structlog.processors.TimeStamper(fmt="%H:%M:%S" if text else "iso", utc=not text, key="timestamp"),
            renderer,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=lambda *args: _Named(stream, *args),
        cache_logger_on_first_use=False,
    )


class _Named(_Stderr):
    def __init__(self, stream: TextIO | None, name: str = "") -> None:
        super().__init__(stream)
        self.name = name


def _add_name(logger: Any, name: str, event: Event) -> Event:
    if logger.name:
        event["logger"] = logger.name
    return event


def _render_exception(logger: Any, name: str, event: Event) -> Event:
    error = event.pop("exc_info", None)
    if error is True:
        error = sys.exc_info()[1]
    elif isinstance(error, tuple):
        error = error[1]
    if isinstance(error, BaseException):
        event["exception"] = render(error)
    return event


def _redact(logger: Any, name: str, event: Event) -> Event:
    exception = event.pop("exception", None)
    clean: Event = redact(event)
    clean["event"] = scrub(str(event.get("event", "")))
    if exception is not None:
        clean["exception"] = exception
    return clean
