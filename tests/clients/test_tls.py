from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import grpc
import pytest
from hamle_client import Client, HamleError

from tests.clients.server import ScriptedServer, serve
from tests.support.certificates import Certificates


@pytest.fixture
async def server(certificates: Certificates) -> AsyncIterator[ScriptedServer]:
    pair = (certificates.server_key.read_bytes(), certificates.server_cert.read_bytes())
    async with serve(ScriptedServer(), credentials=grpc.ssl_server_credentials([pair])) as running:
        yield running


async def test_given_authority_is_believed(server: ScriptedServer, certificates: Certificates) -> None:
    for roots in (certificates.ca, str(certificates.ca), certificates.ca.read_bytes()):
        async with Client(f"https://{server.address}", root_certificates=roots) as client:
            assert await client.games()


async def test_authority_may_stand_in_the_environment(
    server: ScriptedServer, certificates: Certificates, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HAMLE_ROOT_CERTIFICATES", str(certificates.ca))
    async with Client(f"grpcs://{server.address}") as client:
        assert await client.games()


async def test_unknown_authority_is_not_believed_and_gets_no_token(server: ScriptedServer) -> None:
    with pytest.raises(HamleError):
        async with Client(f"https://{server.address}", token="secret", patience=0.3):
            pass
    assert server.tokens == []


async def test_certificates_that_are_none_are_told_before_any_call(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    damaged = tmp_path / "damaged.pem"
    damaged.write_text("no certificate")
    for given, said in (
        (str(tmp_path / "none.pem"), "none.pem cannot be read: No such file"),
        (str(tmp_path), "cannot be read: Is a directory"),
        (str(damaged), "damaged.pem hold none; expected one or more in PEM"),
    ):
        with pytest.raises(ValueError, match=said):
            Client("https://127.0.0.1:1", root_certificates=given)
        monkeypatch.setenv("HAMLE_ROOT_CERTIFICATES", given)
        with pytest.raises(ValueError, match=said):
            Client("https://127.0.0.1:1")
    with pytest.raises(ValueError, match="these bytes hold none"):
        Client("https://127.0.0.1:1", root_certificates=b"no certificate")
