from __future__ import annotations

import datetime
from collections.abc import Callable
from ipaddress import ip_address
from pathlib import Path

import grpc
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from hamle.play.v1.play_pb2 import SubmitMovesRequest
from hamle.play.v1.play_pb2_grpc import PlayServiceStub

from core.rpc.client import channel
from core.settings import Settings, SettingsInvalid, load
from tests.core.rpc.conftest import Serve
from tests.core.rpc.servicer import ANSWER

Pem = Callable[..., tuple[Path, Path]]


@pytest.fixture
def pem(tmp_path: Path) -> Pem:
    """Makes a certificate that is its own authority, and gives the files of certificate and key."""

    def make(name: str, alternative: x509.GeneralName = x509.IPAddress(ip_address("127.0.0.1"))) -> tuple[Path, Path]:  # noqa: B008
        key = ec.generate_private_key(ec.SECP256R1())
        subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
        now = datetime.datetime.now(datetime.UTC)
        certificate = (
            x509.CertificateBuilder()
            .subject_name(subject)
            .issuer_name(subject)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - datetime.timedelta(days=1))
            .not_valid_after(now + datetime.timedelta(days=1))
            .add_extension(x509.SubjectAlternativeName([alternative]), critical=False)
            .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
            .sign(key, hashes.SHA256())
        )
        files = tmp_path / f"{name}.pem", tmp_path / f"{name}.key"
        files[0].write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
        form = (serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
        files[1].write_bytes(key.private_bytes(*form))
        return files

    return make


async def call(port: int, **settings: object) -> object:
    async with channel(f"127.0.0.1:{port}", load(Settings, **settings)) as opened:
        return await PlayServiceStub(opened).SubmitMoves(SubmitMovesRequest(), timeout=20)


async def turned_away(port: int, **settings: object) -> bool:
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await call(port, **settings)
    return caught.value.code() is grpc.StatusCode.UNAVAILABLE


async def test_with_tls_a_client_must_know_the_authority(serve: Serve, pem: Pem) -> None:
    cert, key = pem("server")
    stranger, _ = pem("stranger")
    server = await serve(tls_cert=cert, tls_key=key)
    assert server.kind == "grpcio"
    assert await call(server.port, fleet_ca=cert) == ANSWER
    assert await turned_away(server.port, fleet_ca=stranger)
    assert await turned_away(server.port)


async def test_with_mutual_tls_a_client_must_show_a_certificate_of_the_authority(serve: Serve, pem: Pem) -> None:
    cert, key = pem("fleet")
    stranger, strange_key = pem("stranger")
    server = await serve(tls_cert=cert, tls_key=key, tls_ca=cert)
    assert await call(server.port, fleet_ca=cert, fleet_cert=cert, fleet_key=key) == ANSWER
    assert await turned_away(server.port, fleet_ca=cert, fleet_cert=stranger, fleet_key=strange_key)
    assert await turned_away(server.port, fleet_ca=cert)


async def test_a_certificate_may_carry_another_name_than_the_address(serve: Serve, pem: Pem) -> None:
    cert, key = pem("engine", x509.DNSName("engine.example.org"))
    server = await serve(tls_cert=cert, tls_key=key)
    assert await call(server.port, fleet_ca=cert, fleet_server_name="engine.example.org") == ANSWER
    assert await turned_away(server.port, fleet_ca=cert)


@pytest.mark.parametrize("name", ["tls_cert", "tls_key", "tls_ca"])
async def test_tls_files_that_will_not_do_are_told_with_their_variable(
    serve: Serve, pem: Pem, tmp_path: Path, name: str
) -> None:
    cert, key = pem("server")
    empty = tmp_path / "empty.pem"
    empty.write_bytes(b"")
    for bad in (empty, tmp_path / "missing.pem", tmp_path):
        with pytest.raises(SettingsInvalid, match=f"HAMLE_{name.upper()}"):
            await serve(**({"tls_cert": cert, "tls_key": key, "tls_ca": cert} | {name: bad}))


async def test_a_key_of_another_certificate_is_told(serve: Serve, pem: Pem) -> None:
    cert, _ = pem("server")
    _, key = pem("stranger")
    with pytest.raises(SettingsInvalid, match="HAMLE_TLS_KEY"):
        await serve(tls_cert=cert, tls_key=key)


async def test_clients_files_that_will_not_do_are_told_with_their_variable(tmp_path: Path) -> None:
    with pytest.raises(SettingsInvalid, match="HAMLE_FLEET_CA"):
        channel("127.0.0.1:1", load(Settings, fleet_ca=tmp_path / "missing.pem"))
