"""Channels between Hamle's own processes."""

from __future__ import annotations

import grpc

from core.errors import Refused
from core.rpc.options import channel_options
from core.rpc.status import refusal
from core.rpc.tls import channel_credentials
from core.settings import Settings


def channel(address: str, settings: Settings | None = None) -> grpc.aio.Channel:
    """A channel to `host:port`, with TLS when the settings name the fleet's authority."""
    options = channel_options()
    credentials = None if settings is None else channel_credentials(settings)
    if settings is None or credentials is None:
        return grpc.aio.insecure_channel(address, options=options)
    if settings.fleet_server_name:
        options.append(("grpc.ssl_target_name_override", settings.fleet_server_name))
    return grpc.aio.secure_channel(address, credentials, options=options)


def bearer_metadata(credential: str) -> tuple[tuple[str, str], ...]:
    """The metadata that shows a credential."""
    return (("authorization", f"Bearer {credential}"),)


def refusal_of(error: grpc.aio.AioRpcError) -> Refused | None:
    """The refusal that a failed call tells of; None when the failure is none of Hamle's, such as a lost connection."""
    return refusal(error.trailing_metadata())  # type: ignore[arg-type]
