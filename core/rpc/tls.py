"""TLS files as gRPC credentials."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple, Protocol

import grpc

from core.settings import Settings, SettingsInvalid, variable


class TlsFiles(Protocol):
    """PEM files: what is shown (certificate and key), and the authority that the other side must be of."""

    @property
    def tls_cert(self) -> Path | None: ...  # noqa: D102
    @property
    def tls_key(self) -> Path | None: ...  # noqa: D102
    @property
    def tls_ca(self) -> Path | None: ...  # noqa: D102


class FleetFiles(NamedTuple):
    """The files for the way to engines; `server_name` is in the engines' certificates when their address is not."""

    tls_cert: Path | None = None
    tls_key: Path | None = None
    tls_ca: Path | None = None
    server_name: str = ""


def fleet_files(settings: Settings) -> FleetFiles:
    """The files that a process's settings name for the way to engines."""
    return FleetFiles(settings.fleet_cert, settings.fleet_key, settings.fleet_ca, settings.fleet_server_name)


def server_credentials(settings: Settings) -> grpc.ServerCredentials | None:
    """What a server shows and asks for; None: no TLS. With `tls_ca`, clients must show a certificate of it.

    Raises `SettingsInvalid` when a file cannot be used.
    """
    pair, ca = _read_all(settings, "tls")
    if pair is None:
        return None
    return grpc.ssl_server_credentials([pair], root_certificates=ca, require_client_auth=ca is not None)


def channel_credentials(files: TlsFiles) -> grpc.ChannelCredentials | None:
    """What a process shows to an engine, and whom it believes; None: no TLS.

    Raises `SettingsInvalid` when a file cannot be used.
    """
    pair, ca = _read_all(files, "fleet")
    if pair is None and ca is None:
        return None
    key, certificate = pair or (None, None)
    return grpc.ssl_channel_credentials(root_certificates=ca, private_key=key, certificate_chain=certificate)


def _read_all(files: TlsFiles, setting: str) -> tuple[tuple[bytes, bytes] | None, bytes | None]:
    key, certificate = _read(files.tls_key, f"{setting}_key"), _read(files.tls_cert, f"{setting}_cert")
    pair = None if key is None or certificate is None else (key, certificate)
    return pair, _read(files.tls_ca, f"{setting}_ca")


def _read(path: Path | None, name: str) -> bytes | None:
    if path is None:
        return None
    try:
        data = path.read_bytes()
    except OSError as error:
        raise SettingsInvalid([f"{variable(name)}: {path} cannot be read: {error.strerror}"]) from None
    if b"-----BEGIN" not in data:
        raise SettingsInvalid([f"{variable(name)}: {path} is not a PEM file"])
    return data
