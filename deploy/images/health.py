"""`python -m deploy.images.health`: asks the role in this container whether it serves; exit code 0 or 1.

It goes by the role's own settings: a role that listens (`HAMLE_PORT`) is asked through grpc.health.v1, another one for
its metrics page (`HAMLE_METRICS_PORT`).
"""

from __future__ import annotations

import ipaddress
import os
import sys
import urllib.error
import urllib.request
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

TIMEOUT_S: Final = 5.0


def problem(environ: Mapping[str, str], timeout_s: float = TIMEOUT_S) -> str:
    """Why the role with these settings is not healthy; empty when it is."""
    port, metrics_port = environ.get("HAMLE_PORT", "0"), environ.get("HAMLE_METRICS_PORT", "0")
    if port != "0":
        return _grpc(f"{_reachable(environ.get('HAMLE_HOST', '127.0.0.1'))}:{port}", environ, timeout_s)
    if metrics_port != "0":
        return _page(f"{_reachable(environ.get('HAMLE_METRICS_HOST', '127.0.0.1'))}:{metrics_port}", timeout_s)
    return "neither HAMLE_PORT nor HAMLE_METRICS_PORT is set, so there is nobody to ask"


def _grpc(address: str, environ: Mapping[str, str], timeout_s: float) -> str:
    try:
        with _channel(address, environ) as channel:
            answer = health_pb2_grpc.HealthStub(channel).Check(health_pb2.HealthCheckRequest(), timeout=timeout_s)
    except grpc.RpcError as error:
        return f"{address} does not answer: {error}"
    except OSError as error:
        return f"the certificate of {address} cannot be read: {error}"
    if answer.status == health_pb2.HealthCheckResponse.SERVING:
        return ""
    return f"{address} is {health_pb2.HealthCheckResponse.ServingStatus.Name(answer.status)}"


def _channel(address: str, environ: Mapping[str, str]) -> grpc.Channel:
    shown = environ.get("HAMLE_TLS_CERT")
    if not shown:
        return grpc.insecure_channel(address, options=[("grpc.enable_http_proxy", 0)])
    # The server is this container's own, so its own certificate is all there is to trust, whoever signed it. A server
    # that wants a certificate of its callers is shown the one that the fleet uses, else its own.
    fleet = "FLEET" if environ.get("HAMLE_FLEET_CERT") else "TLS"
    certificate = Path(shown).read_bytes()
    credentials = grpc.ssl_channel_credentials(
        root_certificates=certificate,
        private_key=Path(environ[f"HAMLE_{fleet}_KEY"]).read_bytes(),
        certificate_chain=Path(environ[f"HAMLE_{fleet}_CERT"]).read_bytes(),
    )
    options = [("grpc.enable_http_proxy", 0), ("grpc.ssl_target_name_override", certified_name(certificate))]
    return grpc.secure_channel(address, credentials, options=options)


def certified_name(certificate: bytes) -> str:
    """A name that a PEM certificate is for: the first DNS name, else the first address; ValueError without any."""
    # Costs a quarter of a check, each of which is a process of its own, and few of them need it.
    from cryptography import x509

    extension = x509.load_pem_x509_certificate(certificate).extensions
    names = extension.get_extension_for_class(x509.SubjectAlternativeName).value
    for name in [*names.get_values_for_type(x509.DNSName), *map(str, names.get_values_for_type(x509.IPAddress))]:
        return name.replace("*", "any", 1)
    raise ValueError("the certificate names no host")


def _page(address: str, timeout_s: float) -> str:
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(f"http://{address}/metrics", timeout=timeout_s) as answer:
            answer.read()
    except (OSError, urllib.error.URLError) as error:
        return f"{address} does not answer: {error}"
    return ""


def _reachable(host: str) -> str:
    """Where to reach a server that listens on `host`, which may stand for all addresses."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host
    if address.is_unspecified:
        return "127.0.0.1" if address.version == 4 else "[::1]"
    return host if address.version == 4 else f"[{host}]"


if __name__ == "__main__":
    found = problem(os.environ)
    if found:
        sys.exit(found)
