"""TLS files as gRPC credentials."""

from __future__ import annotations

from pathlib import Path

import grpc

from core.settings import Settings, SettingsInvalid, variable


def server_credentials(settings: Settings) -> grpc.ServerCredentials | None:
    """What a server shows and asks for; None: no TLS. With `tls_ca`, clients must show a certificate of it.

    Raises `SettingsInvalid` when a file cannot be used.
    """
    pair = _pair(settings, "tls")
    if pair is None:
        return None
    ca = _read(settings, "tls_ca")
    return grpc.ssl_server_credentials([pair], root_certificates=ca, require_client_auth=ca is not None)


def channel_credentials(settings: Settings) -> grpc.ChannelCredentials | None:
    """What a process shows to another of the fleet, and whom it believes; None: no TLS.

    Raises `SettingsInvalid` when a file cannot be used.
    """
    ca = _read(settings, "fleet_ca")
    if ca is None:
        return None
    key, certificate = _pair(settings, "fleet") or (None, None)
    return grpc.ssl_channel_credentials(root_certificates=ca, private_key=key, certificate_chain=certificate)


def _pair(settings: Settings, whose: str) -> tuple[bytes, bytes] | None:
    key, certificate = _read(settings, f"{whose}_key"), _read(settings, f"{whose}_cert")
    return None if key is None or certificate is None else (key, certificate)


def _read(settings: Settings, name: str) -> bytes | None:
    path: Path | None = getattr(settings, name)
    if path is None:
        return None
    try:
        data = path.read_bytes()
    except OSError as error:
        raise SettingsInvalid([f"{variable(name)}: {path} cannot be read: {error.strerror}"]) from None
    if b"-----BEGIN" not in data:
        raise SettingsInvalid([f"{variable(name)}: {path} is not a PEM file"])
    return data
