from __future__ import annotations

from tests.services.gateway.account.stores import client, valkey

__all__ = ["client", "valkey"]
