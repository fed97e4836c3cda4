"""TLS files as gRPC credentials."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

import grpc

from core.settings import SettingsInvalid, variable


class TlsFiles(Protocol):
    """The settings that are read here."""

    @property
    def tls_cert(self) -> Path | None: ...  # noqa: D102
    @property
    def tls_key(self) -> Path | None: ...  # noqa: D102
    @property
    def tls_ca(self) -> Path | None: ...  # noqa: D102


def server_credentials(files: TlsFiles) -> grpc.ServerCredentials | None:
    """What a server shows and asks for; None: no TLS. With `tls_ca`, clients must show a certificate of it."""
    if files.tls_cert is None or files.tls_key is None:
        return None
    pair = (_read(files.tls_key, "tls_key"), _read(files.tls_cert, "tls_cert"))
    ca = None if files.tls_ca is None else _read(files.tls_ca, "tls_ca")
    return grpc.ssl_server_credentials([pair], root_certificates=ca, require_client_auth=ca is not None)


def channel_credentials(files: TlsFiles) -> grpc.ChannelCredentials | None:
    """What a process of the fleet shows to another; None: no TLS."""
    if files.tls_cert is None or files.tls_key is None:
        return None
    return grpc.ssl_channel_credentials(
        root_certificates=None if files.tls_ca is None else _read(files.tls_ca, "tls_ca"),
        private_key=_read(files.tls_key, "tls_key"),
        certificate_chain=_read(files.tls_cert, "tls_cert"),
    )


def _read(path: Path, name: str) -> bytes:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise SettingsInvalid([f"{variable(name)}: {path} cannot be read: {error.strerror}"]) from None
    if b"-----BEGIN" not in data:
        raise SettingsInvalid([f"{variable(name)}: {path} is not a PEM file"])
    return data
