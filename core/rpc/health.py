"""grpc.health.v1 for a server that says when it is ready and when it goes.

The package's own servicer holds its watches open for ever, and so would hold up the server's end for the whole grace.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import grpc
from grpc_health.v1.health_pb2 import (
    HealthCheckRequest,
    HealthCheckResponse,
    HealthListRequest,
    HealthListResponse,
)

_SERVING = HealthCheckResponse.SERVING
_NOT_SERVING = HealthCheckResponse.NOT_SERVING
_UNKNOWN = HealthCheckResponse.SERVICE_UNKNOWN


class Health:
    """The health of the server, which is that of all its services. After `close` nothing serves any more."""

    def __init__(self) -> None:
        self.services: set[str] = {""}
        self._serving = False
        self._closed = False
        self._changed = asyncio.Event()

    def set_serving(self, serving: bool) -> None:
        """Says whether the server and its services serve; at first they do not."""
        self._serving = serving and not self._closed
        self._tell()

    def close(self) -> None:
        """Says NOT_SERVING for good, and ends the watches."""
        self._closed, self._serving = True, False
        self._tell()

    async def Check(self, request: HealthCheckRequest, context: Any) -> HealthCheckResponse:
        """A service's health now; the server's when it is not named."""
        if request.service not in self.services:
            await context.abort(grpc.StatusCode.NOT_FOUND, "this server has no such service")
        return self._status(request.service)

    async def List(self, request: HealthListRequest, context: Any) -> HealthListResponse:
        """The health of the server and each of its services."""
        return HealthListResponse(statuses={service: self._status(service) for service in self.services})

    async def Watch(self, request: HealthCheckRequest, context: Any) -> AsyncIterator[HealthCheckResponse]:
        """A service's health now and at each change, until the server closes."""
        last = None
        while True:
            changed, closed, status = self._changed, self._closed, self._status(request.service)
            if status != last:
                yield status
            last = status
            if closed:
                return
            await changed.wait()

    def _status(self, service: str) -> HealthCheckResponse:
        if service not in self.services:
            return HealthCheckResponse(status=_UNKNOWN)
        return HealthCheckResponse(status=_SERVING if self._serving else _NOT_SERVING)

    def _tell(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()
