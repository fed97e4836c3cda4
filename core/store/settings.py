"""How to reach the store, and what is expected of it."""

from __future__ import annotations

import ssl
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from core.log.types import Durability
from core.settings import Settings


class Address(NamedTuple):
    """Where a server listens: host and port, or the path of a Unix socket with port 0."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"{self.host}:{self.port}" if self.port else self.host


@dataclass(frozen=True, slots=True)
class StoreSettings:
    """A Redis or Valkey server, or a cluster of them.

    `url` is `redis://host:port/db`, `rediss://...` for TLS or `unix:///path`. A user and password may stand in the URL
    or in their own fields, which win. Times are in seconds. ValueError when the parts do not fit together.
    """

    url: str = field(default="redis://127.0.0.1:6379/0", repr=False)
    username: str = ""
    password: str = field(default="", repr=False)
    tls_ca: Path | None = None
    tls_cert: Path | None = None
    tls_key: Path | None = None
    cluster: bool = False
    durability: Durability = Durability.FSYNCED
    connect_timeout_s: float = 3.0
    reply_timeout_s: float = 5.0
    client_name: str = "hamle"

    def __post_init__(self) -> None:
        if urlsplit(self.url).scheme not in ("redis", "rediss", "unix"):
            raise ValueError("the store's URL begins with redis://, rediss:// or unix://")
        db = self.db
        if self.cluster and (db or self.url.startswith("unix:")):
            raise ValueError("a store that is a cluster has one database, 0, and no Unix socket: use redis://host:port")

    @classmethod
    def of(cls, settings: Settings) -> StoreSettings:
        """The store's part of a process's settings."""
        return cls(
            url=settings.store_url,
            username=settings.store_username,
            password=settings.store_password.get_secret_value(),
            tls_ca=settings.store_ca,
            tls_cert=settings.store_cert,
            tls_key=settings.store_key,
            cluster=settings.store_cluster,
            durability=Durability[settings.durability.upper()],
            client_name=settings.instance or "hamle",
        )

    @property
    def address(self) -> Address:
        """The server that the URL names."""
        parts = urlsplit(self.url)
        if parts.scheme == "unix":
            return Address(unquote(parts.path), 0)
        return Address(parts.hostname or "127.0.0.1", parts.port or 6379)

    @property
    def db(self) -> int:
        """The number of the database."""
        parts = urlsplit(self.url)
        path = "" if parts.scheme == "unix" else parts.path.strip("/")
        if path and not path.isdecimal():
            raise ValueError("what the store's URL ends in is not the number of a database")
        return int(path or 0)

    def login(self) -> tuple[str, ...]:
        """The arguments of AUTH; empty when there is no password."""
        parts = urlsplit(self.url)
        username = self.username or unquote(parts.username or "")
        password = self.password or unquote(parts.password or "")
        if not password:
            return ()
        return (username, password) if username else (password,)

    def tls(self) -> ssl.SSLContext | None:
        """The TLS context of `rediss://`, which checks certificate and host name; None without TLS."""
        if not self.url.startswith("rediss:"):
            return None
        context = ssl.create_default_context(cafile=self.tls_ca)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        if self.tls_cert is not None:
            context.load_cert_chain(self.tls_cert, self.tls_key)
        return context
