from __future__ import annotations

from tests.support.replicas import start_engine

__all__ = ["start_engine"]
