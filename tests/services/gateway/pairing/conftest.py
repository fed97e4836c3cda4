from __future__ import annotations

from tests.services.gateway.account.stores import client

__all__ = ["client"]
