"""Where the servers are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

DEFAULT_ADDRESS = "127.0.0.1:7410"
_LOOPBACK = ("127.", "localhost:", "[::1]:", "unix:")


class Address(NamedTuple):
    """One gateway: what gRPC connects to, and whether the connection is encrypted."""

    target: str
    tls: bool = False

    @property
    def is_loopback(self) -> bool:
        """True when the server is on this machine."""
        return self.target.startswith(_LOOPBACK)


def parse_addresses(text: str | None, environ: Mapping[str, str]) -> tuple[Address, ...]:
    """The addresses named by `text`, else by HAMLE_ADDRESS, else the default.

    Several are separated by commas; calls go to the first that answers. Each is `host:port`; `https://host:port` or
    `grpcs://host:port` means TLS. ValueError when one cannot be read.
    """
    given = text or environ.get("HAMLE_ADDRESS") or DEFAULT_ADDRESS
    return tuple(_parse(part.strip()) for part in given.split(","))


def _parse(text: str) -> Address:
    scheme, found, rest = text.partition("://")
    if not found:
        scheme, rest = "grpc", text
    if scheme not in ("http", "grpc", "https", "grpcs"):
        raise ValueError(f"address {text!r}: unknown scheme {scheme!r}; expected host:port or https://host:port")
    target = rest.rstrip("/")
    _, colon, port = target.rpartition(":")
    if not target.startswith("unix:") and not (colon and port.isdigit() and 0 < int(port) < 65536):
        raise ValueError(f"address {text!r} names no port; expected host:port, such as {DEFAULT_ADDRESS}")
    return Address(target, tls=scheme in ("https", "grpcs"))
