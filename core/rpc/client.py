"""Channels between Hamle's own processes."""

from __future__ import annotations

import grpc

from core.errors import Refused
from core.rpc.options import channel_options
from core.rpc.status import refusal
from core.rpc.tls import FleetFiles, TlsFiles, channel_credentials, fleet_files
from core.settings import Settings


def channel(address: str, files: Settings | TlsFiles | None = None) -> grpc.aio.Channel:
    """A channel to `host:port`; with TLS when the settings, by `fleet_files`, or the files name some."""
    if isinstance(files, Settings):
        files = fleet_files(files)
    options = channel_options()
    credentials = None if files is None else channel_credentials(files)
    if credentials is None:
        return grpc.aio.insecure_channel(address, options=options)
    if isinstance(files, FleetFiles) and files.server_name:
        options.append(("grpc.ssl_target_name_override", files.server_name))
    return grpc.aio.secure_channel(address, credentials, options=options)


def bearer_metadata(credential: str) -> tuple[tuple[str, str], ...]:
    """The metadata that shows a credential."""
    return (("authorization", f"Bearer {credential}"),)


def refusal_of(error: grpc.aio.AioRpcError) -> Refused | None:
    """The refusal that a failed call tells of; None when the failure is none of Hamle's, such as a lost connection."""
    return refusal(error.trailing_metadata())  # type: ignore[arg-type]
