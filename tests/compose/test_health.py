"""The container's health check, asked about real servers."""

from __future__ import annotations

import asyncio
import socket

import pytest

from core.rpc.server import RpcServer
from core.settings import Settings, load
from core.telemetry.metrics import MetricsPage
from deploy.images.health import certified_name, problem
from tests.support.certificates import Certificates


async def _problem(environ: dict[str, str]) -> str:
    return await asyncio.to_thread(problem, environ)


@pytest.mark.parametrize("kind", ["native", "grpcio"])
async def test_a_role_that_serves_is_healthy_and_one_that_does_not_yet_is_not(kind: str) -> None:
    server = RpcServer(load(Settings, grpc_server=kind))
    environ = {"HAMLE_PORT": str(await server.start(serving=False)), "HAMLE_HOST": "0.0.0.0"}
    try:
        assert "NOT_SERVING" in await _problem(environ)
        server.health.set_serving(True)
        assert await _problem(environ) == ""
    finally:
        await server.stop(0)
    assert "does not answer" in await _problem(environ)


@pytest.mark.parametrize("mutual", [False, True])
async def test_a_role_behind_tls_is_asked_with_the_certificates_it_has(
    certificates: Certificates, mutual: bool
) -> None:
    files = {"tls_cert": certificates.server_cert, "tls_key": certificates.server_key}
    shown = {}
    if mutual:
        files["tls_ca"] = certificates.ca
        shown = {"fleet_cert": certificates.client_cert, "fleet_key": certificates.client_key}
    server = RpcServer(load(Settings, **files))
    environ = {"HAMLE_PORT": str(await server.start())}
    environ |= {f"HAMLE_{name.upper()}": str(path) for name, path in (files | shown).items()}
    try:
        assert await _problem(environ) == ""
        assert "does not answer" in await _problem({"HAMLE_PORT": environ["HAMLE_PORT"]})
    finally:
        await server.stop(0)


def test_a_certificate_file_that_is_not_there_is_named(certificates: Certificates) -> None:
    missing = str(certificates.ca.with_name("missing.pem"))
    assert missing in problem({"HAMLE_PORT": "1", "HAMLE_TLS_CERT": missing, "HAMLE_TLS_KEY": missing})


def test_the_name_of_a_certificate_is_its_first_host(certificates: Certificates) -> None:
    assert certified_name(certificates.server_cert.read_bytes()) == "localhost"


def test_a_role_without_a_port_is_asked_for_its_metrics_page() -> None:
    page = MetricsPage("127.0.0.1", 0)
    environ = {"HAMLE_PORT": "0", "HAMLE_METRICS_PORT": str(page.port), "HAMLE_METRICS_HOST": "0.0.0.0"}
    assert problem(environ) == ""
    page.close()
    assert "does not answer" in problem(environ)


def test_a_server_that_never_answers_is_not_healthy() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = str(silent.getsockname()[1])
        assert "does not answer" in problem({"HAMLE_PORT": port}, timeout_s=0.3)
        assert "does not answer" in problem({"HAMLE_METRICS_PORT": port}, timeout_s=0.3)


def test_a_role_that_nobody_can_ask_is_not_healthy() -> None:
    assert "HAMLE_METRICS_PORT" in problem({})
