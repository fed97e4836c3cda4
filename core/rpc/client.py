"""Channels between Hamle's own processes."""

from __future__ import annotations

import grpc

from core.errors import Refused
from core.rpc.options import channel_options
from core.rpc.status import refusal
from core.rpc.tls import TlsFiles, channel_credentials


def channel(address: str, files: TlsFiles | None = None) -> grpc.aio.Channel:
    """A channel to `host:port`, with mutual TLS when the files say so."""
    credentials = None if files is None else channel_credentials(files)
    if credentials is None:
        return grpc.aio.insecure_channel(address, options=channel_options())
    return grpc.aio.secure_channel(address, credentials, options=channel_options())


def bearer_metadata(credential: str) -> tuple[tuple[str, str], ...]:
    """The metadata that shows a credential."""
    return (("authorization", f"Bearer {credential}"),)


def refusal_of(error: grpc.aio.AioRpcError) -> Refused | None:
    """The refusal that a failed call tells of; None when the failure is none of Hamle's, such as a lost connection."""
    return refusal(error.trailing_metadata())  # type: ignore[arg-type]
