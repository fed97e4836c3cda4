"""grpc.health.v1 for a server that says when it is ready and when it goes."""

from __future__ import annotations

import asyncio
from typing import Any

from grpc_health.v1._async import HealthServicer
from grpc_health.v1.health_pb2 import HealthCheckRequest, HealthCheckResponse

SERVING = HealthCheckResponse.SERVING
NOT_SERVING = HealthCheckResponse.NOT_SERVING


class Health(HealthServicer):  # type: ignore[misc]
    """The health service. Nothing is served until `set_serving(True)`; after `close` never again."""

    def __init__(self) -> None:
        super().__init__()
        self._services: set[str] = {""}
        self._closing = asyncio.Event()

    async def cover(self, service: str) -> None:
        """Adds a service whose health is that of the server."""
        self._services.add(service)
        await self.set(service, NOT_SERVING)

    async def set_serving(self, serving: bool) -> None:
        """Says of the server and all its services whether they serve."""
        for service in self._services:
            await self.set(service, SERVING if serving else NOT_SERVING)

    async def close(self) -> None:
        """Says NOT_SERVING for good, and ends the health watches, which would else hold the server's stop up."""
        await self.enter_graceful_shutdown()
        self._closing.set()

    async def Watch(self, request: HealthCheckRequest, context: Any) -> None:  # noqa: N802
        """Follows a service's health until the client leaves or the server goes."""
        watching = asyncio.ensure_future(super().Watch(request, context))
        closing = asyncio.ensure_future(self._closing.wait())
        try:
            await asyncio.wait((watching, closing), return_when=asyncio.FIRST_COMPLETED)
        finally:
            closing.cancel()
            if not watching.done():
                watching.cancel()
            await asyncio.gather(watching, closing, return_exceptions=True)
        if watching.cancelled():
            await context.write(HealthCheckResponse(status=NOT_SERVING))
        else:
            watching.result()
