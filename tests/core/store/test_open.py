"""Opening a store: a fit one, and each kind of unfit one, for both ways to it."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import pytest
from hamle.error.v1.error_pb2 import REASON_STORE_DOWN, REASON_STORE_READ_ONLY, REASON_STORE_UNFIT, Reason

from core.errors import Refused
from core.log.appender import Appender
from core.log.types import Durability
from core.store.client import open_store
from core.store.errors import refusal_for
from core.store.fitness import Facts, judge
from core.store.settings import StoreSettings
from tests.core.log.logs import append_after, match
from tests.support.certificates import Certificates, make_certificates
from tests.support.servers import StoreServer, debian_binary

StartServer = Callable[..., StoreServer]
FIT = Facts(7, "master", "history", "noeviction", True, "everysec")
HAMLES_RULES = (
    "~* resetchannels -@all +@read +@write +@connection +@transaction +fcall +function|load +config|get +info +time"
)


@pytest.fixture
def start_tls_server(start_server: StartServer, certificates: Certificates) -> StartServer:
    """The embedded Valkey is built without TLS."""
    binary = debian_binary()
    if binary is None:
        pytest.skip("no redis-server on PATH")
    return partial(start_server, binary=binary, tls=certificates)


async def refusal_of_both(settings: StoreSettings) -> Refused:
    with pytest.raises(Refused) as by_client:
        await open_store(settings)
    with pytest.raises(Refused) as by_appender:
        async with Appender(settings):
            pass
    assert (by_client.value.reason, by_client.value.message) == (by_appender.value.reason, by_appender.value.message)
    return by_client.value


async def both_work(settings: StoreSettings) -> None:
    client = await open_store(settings)
    try:
        async with Appender(settings) as appender:
            await appender.append(append_after(match(secrets.token_hex())))
            assert await client.ping()
    finally:
        await client.aclose()


@pytest.mark.parametrize(
    ("changes", "promised", "reason", "says"),
    [
        ({"major_version": 6}, Durability.WRITTEN, REASON_STORE_UNFIT, "version 6"),
        ({"role": "slave"}, Durability.WRITTEN, REASON_STORE_READ_ONLY, "replica"),
        ({"policy": "allkeys-lru"}, Durability.WRITTEN, REASON_STORE_UNFIT, "noeviction"),
        ({"appendonly": False}, Durability.WRITTEN, REASON_STORE_UNFIT, "appendonly yes"),
        ({"appendonly": False, "appendfsync": "always"}, Durability.FSYNCED, REASON_STORE_UNFIT, "appendonly yes"),
        ({}, Durability.FSYNCED, REASON_STORE_UNFIT, "appendfsync always"),
        ({"appendfsync": "no"}, Durability.FSYNCED, REASON_STORE_UNFIT, "appendfsync always"),
    ],
)
def test_what_is_unfit_is_named_with_what_to_do(
    changes: Mapping[str, Any], promised: Durability, reason: Reason.ValueType, says: str
) -> None:
    with pytest.raises(Refused, match=says) as refused:
        judge(FIT._replace(**changes), promised)
    assert refused.value.reason == reason


@pytest.mark.parametrize(
    ("appendfsync", "promised", "kept"),
    [
        ("everysec", Durability.WRITTEN, Durability.WRITTEN),
        ("no", Durability.WRITTEN, Durability.WRITTEN),
        ("always", Durability.WRITTEN, Durability.FSYNCED),
        ("always", Durability.FSYNCED, Durability.FSYNCED),
    ],
)
def test_the_kept_durability_is_what_the_server_does(appendfsync: str, promised: Durability, kept: Durability) -> None:
    assert judge(FIT._replace(appendfsync=appendfsync), promised) is kept


@pytest.mark.parametrize(
    ("config", "durability"),
    [
        ({"maxmemory-policy": "allkeys-lru"}, Durability.WRITTEN),
        ({"maxmemory-policy": "volatile-ttl"}, Durability.WRITTEN),
        ({"appendonly": "no"}, Durability.WRITTEN),
        ({"appendfsync": "everysec"}, Durability.FSYNCED),
    ],
)
async def test_an_unfit_server_is_refused(
    start_server: StartServer, config: Mapping[str, str], durability: Durability
) -> None:
    server = start_server(config=config)
    assert (await refusal_of_both(server.settings(durability=durability))).reason == REASON_STORE_UNFIT


async def test_a_replica_is_refused(start_server: StartServer) -> None:
    server = start_server(config={"replicaof": "127.0.0.1 1"})
    assert (await refusal_of_both(server.settings())).reason == REASON_STORE_READ_ONLY


async def test_a_server_that_is_down_is_refused(start_server: StartServer) -> None:
    server = start_server()
    server.kill()
    assert (await refusal_of_both(server.settings())).reason == REASON_STORE_DOWN


async def test_a_server_that_hangs_is_refused(start_server: StartServer) -> None:
    server = start_server()
    server.pause()
    settings = server.settings(connect_timeout_s=0.3, reply_timeout_s=0.3)
    assert (await refusal_of_both(settings)).reason == REASON_STORE_DOWN


async def test_another_database_of_the_server(start_server: StartServer) -> None:
    server = start_server()
    await both_work(server.settings(url=f"redis://127.0.0.1:{server.port}/5"))
    assert server.call("INFO", "keyspace").keys() == {"db5"}


async def test_a_unix_socket(start_server: StartServer) -> None:
    server = start_server(config={"unixsocket": "s.sock"})
    await both_work(server.settings(url=f"unix://{server.folder}/s.sock"))


async def test_a_password(start_server: StartServer) -> None:
    server = start_server(config={"requirepass": "right"}, login=("right",))
    await both_work(server.settings(password="right"))
    await both_work(server.settings(url=f"redis://:right@127.0.0.1:{server.port}"))
    for password in ("", "wrong"):
        refusal = await refusal_of_both(server.settings(password=password))
        assert refusal.reason == REASON_STORE_UNFIT
        assert "login" in refusal.message
        assert "wrong" not in refusal.message


async def test_an_acl_user_with_just_the_rights_it_needs(start_server: StartServer) -> None:
    server = start_server(config={"user": f"hamle on >right {HAMLES_RULES}"})
    await both_work(server.settings(username="hamle", password="right"))
    refusal = await refusal_of_both(server.settings(username="hamle", password="wrong"))
    assert refusal.reason == REASON_STORE_UNFIT


async def test_an_acl_user_without_them_is_refused(start_server: StartServer) -> None:
    server = start_server(config={"user": "hamle on >right ~* +@all -config -fcall"})
    refusal = await refusal_of_both(server.settings(username="hamle", password="right"))
    assert refusal.reason == REASON_STORE_UNFIT
    assert "ACL" in refusal.message


async def test_tls_with_certificates_on_both_sides(start_tls_server: StartServer, certificates: Certificates) -> None:
    server = start_tls_server()
    await both_work(
        server.settings(tls_ca=certificates.ca, tls_cert=certificates.client_cert, tls_key=certificates.client_key)
    )
    refusal = await refusal_of_both(server.settings(tls_ca=certificates.ca))
    assert refusal.reason == REASON_STORE_DOWN


async def test_tls_from_an_unknown_authority_is_refused(
    start_tls_server: StartServer, certificates: Certificates, tmp_path_factory: pytest.TempPathFactory
) -> None:
    server = start_tls_server(config={"tls-auth-clients": "no"})
    await both_work(server.settings(tls_ca=certificates.ca))
    other = make_certificates(tmp_path_factory.mktemp("other"))
    refusal = await refusal_of_both(server.settings(tls_ca=other.ca))
    assert refusal.reason == REASON_STORE_UNFIT
    assert "certificate" in refusal.message


async def test_no_tls_to_a_tls_port_is_refused(start_tls_server: StartServer, certificates: Certificates) -> None:
    server = start_tls_server()
    refusal = await refusal_of_both(server.settings(url=f"redis://127.0.0.1:{server.port}"))
    assert refusal.reason == REASON_STORE_DOWN


async def test_more_calls_at_once_than_there_are_connections_wait_for_one(start_server: StartServer) -> None:
    server = start_server()
    settings = server.settings(connect_timeout_s=60.0, reply_timeout_s=60.0)
    async with await open_store(settings) as store:
        assert len(await asyncio.gather(*[store.incr("n") for _ in range(1_000)])) == 1_000


async def test_a_store_that_does_not_answer_lets_no_call_wait_for_a_connection_for_ever(
    start_server: StartServer,
) -> None:
    server = start_server()
    async with await open_store(server.settings(reply_timeout_s=2.0)) as store:
        server.pause()
        calls = [store.get("n") for _ in range(600)]
        found = [
            refusal_for(error)
            for error in await asyncio.gather(*calls, return_exceptions=True)
            if isinstance(error, Exception)
        ]
        server.resume()
    assert [refusal and refusal.reason for refusal in found] == [REASON_STORE_DOWN] * 600
