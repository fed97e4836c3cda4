from __future__ import annotations

import ssl

import pytest
import redis.exceptions as redis_errors
from hamle.error.v1.error_pb2 import (
    REASON_STORE_DOWN,
    REASON_STORE_OUT_OF_MEMORY,
    REASON_STORE_READ_ONLY,
    REASON_STORE_UNFIT,
    Reason,
)
from hiredis import ReplyError

from core.errors import Refused
from core.store.errors import refusal_for, store_errors


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (ReplyError("READONLY You can't write against a read only replica."), REASON_STORE_READ_ONLY),
        (redis_errors.ReadOnlyError("You can't write", status_code="READONLY"), REASON_STORE_READ_ONLY),
        (ReplyError("MISCONF Errors writing to the AOF file"), REASON_STORE_READ_ONLY),
        (ReplyError("OOM command not allowed when used memory > 'maxmemory'."), REASON_STORE_OUT_OF_MEMORY),
        (redis_errors.OutOfMemoryError("command not allowed", status_code="OOM"), REASON_STORE_OUT_OF_MEMORY),
        (ReplyError("LOADING the dataset in memory"), REASON_STORE_DOWN),
        (redis_errors.BusyLoadingError("loading", status_code="LOADING"), REASON_STORE_DOWN),
        (ReplyError("CLUSTERDOWN The cluster is down"), REASON_STORE_DOWN),
        (redis_errors.ClusterDownError("CLUSTERDOWN The cluster is down"), REASON_STORE_DOWN),
        (redis_errors.RedisClusterException("no node"), REASON_STORE_DOWN),
        (redis_errors.ConnectionError("refused"), REASON_STORE_DOWN),
        (redis_errors.TimeoutError("timed out"), REASON_STORE_DOWN),
        (ConnectionResetError("reset"), REASON_STORE_DOWN),
        (TimeoutError(), REASON_STORE_DOWN),
        (ssl.SSLError("handshake"), REASON_STORE_DOWN),
        (ssl.SSLCertVerificationError("self-signed"), REASON_STORE_UNFIT),
        (redis_errors.ConnectionError("[SSL: CERTIFICATE_VERIFY_FAILED] self-signed"), REASON_STORE_UNFIT),
        (ReplyError("ERR max number of clients reached"), REASON_STORE_DOWN),
        (redis_errors.MaxConnectionsError("max number of clients reached"), REASON_STORE_DOWN),
        (ReplyError("DENIED Redis is running in protected mode"), REASON_STORE_UNFIT),
        (ReplyError("WRONGPASS invalid username-password pair"), REASON_STORE_UNFIT),
        (ReplyError("NOAUTH Authentication required."), REASON_STORE_UNFIT),
        (ReplyError("NOPERM no permissions to run the 'config|get' command"), REASON_STORE_UNFIT),
        (ReplyError("ERR unknown command 'FCALL', with args"), REASON_STORE_UNFIT),
    ],
    ids=str,
)
def test_each_state_of_the_store_has_its_reason(error: Exception, reason: Reason.ValueType) -> None:
    refusal = refusal_for(error)
    assert refusal is not None
    assert refusal.name == Reason.Name(reason).removeprefix("REASON_")
    assert (refusal.retry_after_ms > 0) is (reason != REASON_STORE_UNFIT)


@pytest.mark.parametrize(
    "error", [ReplyError("WRONGTYPE Operation against a key"), ReplyError("ERR syntax error"), ValueError("a bug")]
)
def test_a_fault_of_the_program_is_no_refusal(error: Exception) -> None:
    assert refusal_for(error) is None
    with pytest.raises(type(error)), store_errors():
        raise error


def test_a_refusal_passes_unchanged() -> None:
    refusal = Refused(REASON_STORE_UNFIT, "as it was")
    with pytest.raises(Refused) as refused, store_errors():
        raise refusal
    assert refused.value is refusal


def test_the_cause_is_kept() -> None:
    cause = redis_errors.ConnectionError("refused")
    with pytest.raises(Refused) as refused, store_errors():
        raise cause
    assert refused.value.__cause__ is cause
