"""The gRPC server of every process: either kind, with health, reflection, limits and a graceful end."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from ipaddress import ip_address
from typing import Any, Literal

import grpc
from grpc_health.v1.health_pb2_grpc import add_HealthServicer_to_server

from core.rpc.handlers import Door, Guard, Handlers, handlers
from core.rpc.health import Health
from core.rpc.options import server_options
from core.rpc.reflection import Descriptors, reflection_handlers
from core.rpc.tls import server_credentials
from core.settings import Settings, SettingsInvalid, variable
from core.telemetry.logs import get_logger

Kind = Literal["native", "grpcio"]

_HEALTH = "grpc.health.v1.Health"
_REFLECTION = "grpc.reflection.v1alpha.ServerReflection"
_log = get_logger("hamle.rpc")


def server_kind(asked: Literal["auto"] | Kind, host: str, tls: bool) -> Kind:
    """Which server serves.

    The native one knows no TLS and does not bound what a request unpacks to, so it is for loopback; elsewhere only who
    asks for it gets it, as he must have a proxy that bounds requests in front.
    """
    if tls:
        return "grpcio"
    if asked == "auto":
        return "native" if _loopback(host) else "grpcio"
    return asked


class RpcServer:
    """A server that is being built, then runs, then stops. `health` and `descriptors` may be used while it runs.

    Messages have at most `most_bytes`; None: as the settings say.
    """

    def __init__(self, settings: Settings, most_bytes: int | None = None) -> None:
        self._settings = settings
        self._most_bytes = settings.max_message_bytes if most_bytes is None else most_bytes
        self._handlers: dict[str, Handlers] = {}
        self._server: grpc.aio.Server | None = None
        self.health = Health()
        self.descriptors = Descriptors(())
        self.kind: Kind = server_kind(settings.grpc_server, settings.host, settings.tls_cert is not None)
        self.port = 0

    def add(
        self,
        add_to_server: Callable[[Any, Any], None],
        servicer: object,
        *,
        guard: Guard | None = None,
        doors: Mapping[str, Door] | None = None,
        unparsed: Collection[str] = (),
    ) -> None:
        """Adds a servicer; arguments as in `core.rpc.handlers.handlers`. Before `start` only."""
        self._handlers.update(
            handlers(add_to_server, servicer, guard=guard, doors=doors, unparsed=unparsed, most_bytes=self._most_bytes)
        )

    async def start(self, *, serving: bool = True) -> int:
        """Listens, and gives the port. With `serving` False, health says NOT_SERVING until `health.set_serving`.

        Raises `SettingsInvalid` when the address cannot be listened on or a TLS file cannot be used.
        """
        own = [*self._handlers]
        self.health.services.update(own)
        self.descriptors = Descriptors([*own, _HEALTH, _REFLECTION])
        everything = {
            **self._handlers,
            **handlers(add_HealthServicer_to_server, self.health, most_bytes=self._most_bytes),
            **reflection_handlers(self.descriptors),
        }
        self._server = await self._listen(everything)
        self.health.set_serving(serving)
        _log.info("listening", address=f"{self._settings.host}:{self.port}", server=self.kind)
        if self._settings.tls_cert is None and not _loopback(self._settings.host):
            _log.warning("listening beyond this machine without TLS; keep it behind a proxy or on a private network")
            if self.kind == "native":
                _log.warning("the native server bounds no request; keep it behind a proxy that takes none compressed")
        return self.port

    async def stop(self, grace_s: float | None = None) -> None:
        """Says NOT_SERVING, takes no new calls, lets the others end within the grace, and ends what is left."""
        if self._server is None:
            return
        grace = self._settings.stop_grace_s if grace_s is None else grace_s
        self.health.close()
        server, self._server = self._server, None
        await server.stop(grace)

    async def _listen(self, services: Mapping[str, Handlers]) -> grpc.aio.Server:
        options = server_options(self._settings, self._most_bytes)
        address = f"{_bracketed(self._settings.host)}:{self._settings.port}"
        credentials = server_credentials(self._settings)
        if self.kind == "native":
            from core.rpc.native import native_server

            server = native_server(options)
        else:
            server = grpc.aio.server(options=options)
        for service, methods in services.items():
            server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(service, methods),))
            server.add_registered_method_handlers(service, methods)  # type: ignore[attr-defined]
        try:
            if credentials is None:
                self.port = server.add_insecure_port(address)
            else:
                self.port = server.add_secure_port(address, credentials)
        except RuntimeError:
            await server.stop(None)
            raise SettingsInvalid([_cannot_listen(address, credentials is not None)]) from None
        await server.start()
        return server


def _cannot_listen(address: str, tls: bool) -> str:
    problem = f"{variable('host')}, {variable('port')}: cannot listen on {address}: in use, or not this machine's"
    return f"{problem}; or {variable('tls_cert')} and {variable('tls_key')} do not belong together" if tls else problem


def _loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host
