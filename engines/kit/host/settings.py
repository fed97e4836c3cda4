"""Settings of an engine process, on top of those that all roles share."""

from __future__ import annotations

from pydantic import Field

from core.settings import Settings


class EngineSettings(Settings):
    """What an engine can be told, each as an environment variable `HAMLE_...`."""

    advertise: str = Field("", description="host:port at which gateways reach this engine; empty: where it listens")
    cache_bytes: int = Field(256 << 20, ge=1 << 20, description="memory for warm matches, about")
    start_within_ms: int = Field(3_600_000, ge=1_000, description="milliseconds until an unstarted match is cancelled")
    drain_s: float = Field(1.0, ge=0, le=60, description="seconds between saying so and going down")
