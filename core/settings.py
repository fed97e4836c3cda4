"""Settings of every process, read from environment variables that begin with `HAMLE_`.

A role subclasses `Settings` and adds its own; `load` reads one and turns what is wrong into sentences for the operator.
A secret may stand in a file instead: with `HAMLE_SECRETS_DIR=/run/secrets`, `hamle_store_password` there is read.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Literal, TypeVar, get_args
from urllib.parse import urlsplit

from pydantic import Field, SecretStr, ValidationError, field_validator, model_validator
from pydantic.fields import FieldInfo
from pydantic_settings import BaseSettings, SettingsConfigDict

PREFIX = "HAMLE_"

S = TypeVar("S", bound="Settings")


class SettingsInvalid(Exception):
    """The process cannot start with these settings. `problems` holds a sentence for each variable that is wrong."""

    def __init__(self, problems: list[str]) -> None:
        super().__init__("\n".join(problems))
        self.problems = problems


class Settings(BaseSettings):
    """What all roles have in common."""

    model_config = SettingsConfigDict(env_prefix=PREFIX, extra="ignore", frozen=True, hide_input_in_errors=True)

    store_url: str = Field(
        "redis://127.0.0.1:6379/0", description="redis://host:port/db, or rediss:// for TLS", repr=False
    )
    store_username: str = Field("", description="ACL user of the store")
    store_password: SecretStr = Field(SecretStr(""), description="password of the store")
    store_ca: Path | None = Field(None, description="PEM file of the authority that signed the store's certificate")
    store_cert: Path | None = Field(None, description="PEM file of the certificate shown to the store")
    store_key: Path | None = Field(None, description="PEM file of that certificate's key")
    store_cluster: bool = Field(False, description="true when the store is a Redis Cluster")
    durability: Literal["fsynced", "written"] = Field("fsynced", description="what an append waits for")

    log_level: Literal["debug", "info", "warning", "error"] = Field("info", description="least level that is logged")
    log_format: Literal["auto", "json", "text"] = Field("auto", description="auto: text on a terminal, json elsewhere")
    metrics_host: str = Field("127.0.0.1", description="address of the metrics page")
    metrics_port: int = Field(0, ge=0, le=65535, description="port of the metrics page; 0: none")

    grpc_server: Literal["auto", "native", "grpcio"] = Field(
        "auto", description="auto: native on loopback, grpcio elsewhere; TLS always takes grpcio"
    )
    host: str = Field("127.0.0.1", min_length=1, description="address to listen on")
    port: int = Field(0, ge=0, le=65535, description="port to listen on; 0: any free one")
    tls_cert: Path | None = Field(None, description="PEM file of the server's certificate chain")
    tls_key: Path | None = Field(None, description="PEM file of its key")
    tls_ca: Path | None = Field(None, description="PEM file of the authority whose certificates clients must show")
    fleet_ca: Path | None = Field(None, description="PEM file of the authority that signed the engines' certificates")
    fleet_cert: Path | None = Field(None, description="PEM file of the certificate shown to engines")
    fleet_key: Path | None = Field(None, description="PEM file of that certificate's key")
    fleet_server_name: str = Field("", description="name in the engines' certificates, when it is not their address")
    max_message_bytes: int = Field(1 << 20, ge=1 << 12, le=1 << 26, description="largest message taken or sent")
    max_metadata_bytes: int = Field(1 << 14, ge=1 << 12, le=1 << 20, description="largest metadata of a call")
    max_streams: int = Field(4096, ge=16, le=1 << 20, description="calls at a time on one connection")
    so_reuseport: bool = Field(False, description="true: several processes share the port")
    stop_grace_s: float = Field(5.0, ge=0, le=600, description="seconds that calls have to end when the process stops")

    instance: str = Field("", max_length=64, description="name of this process in logs; empty: role and process id")

    @field_validator("store_url")
    @classmethod
    def _store_url(cls, url: str) -> str:
        if not url.startswith(("redis://", "rediss://", "unix://")):
            raise ValueError("must begin with redis://, rediss:// or unix://")
        if not _leads_somewhere(url):
            raise ValueError(
                "must have a port of 1 to 65535, or none, behind the host, and behind that the number of a database, or"
                f" nothing; a password with / ? # or @ in it goes into {variable('store_password')}"
            )
        return url

    @model_validator(mode="after")
    def _pairs(self) -> Settings:
        for one, other in (("tls_cert", "tls_key"), ("store_cert", "store_key"), ("fleet_cert", "fleet_key")):
            if (getattr(self, one) is None) != (getattr(self, other) is None):
                raise ValueError(f"{variable(one)} and {variable(other)} go together: set both or neither")
        if self.tls_ca is not None and self.tls_cert is None:
            raise ValueError(f"{variable('tls_ca')} needs {variable('tls_cert')} and {variable('tls_key')}")
        if self.store_cluster and (self.store_url.startswith("unix:") or urlsplit(self.store_url).path.strip("/0")):
            one = "a cluster has one database, 0, and no Unix socket"
            raise ValueError(f"{variable('store_cluster')}: {one}; {variable('store_url')} is redis://host:port then")
        if self.fleet_cert is not None and self.fleet_ca is None:
            raise ValueError(f"{variable('fleet_cert')} needs {variable('fleet_ca')}")
        return self


def _leads_somewhere(url: str) -> bool:
    """Whether host, port and database of the store can be read. It may hold a password, so no part of it is told."""
    try:
        parts = urlsplit(url)
        if parts.scheme == "unix":
            return True
        database = parts.path.strip("/")
        is_number = not database or (database.isascii() and database.isdecimal())
        return is_number and parts.port != 0 and not parts.fragment
    except ValueError:
        return False  # of the port, or of an IPv6 address


def variable(name: str) -> str:
    """The environment variable of a setting."""
    return PREFIX + name.upper()


def load(kind: type[S], **overrides: object) -> S:
    """The settings from the environment; `overrides` win over it. Raises `SettingsInvalid`."""
    folder = os.environ.get(variable("secrets_dir"))
    try:
        return kind(_secrets_dir=folder, **overrides)  # type: ignore[call-arg, arg-type]
    except ValidationError as invalid:
        raise SettingsInvalid([_sentence(kind, error) for error in invalid.errors(include_url=False)]) from None


def near_misses(kind: type[Settings], environ: Mapping[str, str]) -> list[tuple[str, str]]:
    """Variables that look like misspelt settings, each with the one that was probably meant."""
    known = [variable(name) for name in kind.model_fields]
    unknown = [name for name in environ if name.startswith(PREFIX) and name not in known]
    pairs = [(name, get_close_matches(name, known, n=1, cutoff=0.85)) for name in unknown]
    return [(name, close[0]) for name, close in pairs if close]


def _sentence(kind: type[Settings], error: object) -> str:
    assert isinstance(error, dict)
    message = str(error["msg"]).removeprefix("Value error, ")
    if not error["loc"]:
        return message
    name = str(error["loc"][0])
    about = kind.model_fields.get(name)
    if about is None:
        return f"{variable(name)}: {message}"
    value = "" if _may_hold_secret(about) else f" is {error['input']!r}, which will not do"
    return f"{variable(name)}{value}: {message}. It is: {about.description}"


def _may_hold_secret(about: FieldInfo) -> bool:
    return not about.repr or about.annotation is SecretStr or SecretStr in get_args(about.annotation)
