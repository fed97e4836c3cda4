"""Logs, metrics and traces of every process."""

from core.telemetry.logs import configure_quietly

configure_quietly()
