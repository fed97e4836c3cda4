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
    if not target.startswith("unix:") and not _is_host_and_port(target):
        raise ValueError(
            f"address {text!r} is none; expected host:port with a port of 1 to 65535, such as {DEFAULT_ADDRESS}"
            " or [::1]:7410"
        )
    return Address(target, tls=scheme in ("https", "grpcs"))


def _is_host_and_port(target: str) -> bool:
    host, _, port = target.rpartition(":")
    if not host or ("[" not in host and ":" in host):
        return False  # what follows the last colon of an address of IPv6 without brackets is no port
    return port.isascii() and port.isdigit() and 0 < int(port) < 65536
