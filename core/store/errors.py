"""What the store answers when it cannot do its work, as refusals."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import redis.exceptions as redis_errors
from hamle.error.v1.error_pb2 import (
    REASON_STORE_DOWN,
    REASON_STORE_OUT_OF_MEMORY,
    REASON_STORE_READ_ONLY,
    REASON_STORE_UNFIT,
    Reason,
)
from hiredis import ProtocolError, ReplyError
from redis.exceptions import RedisClusterException, RedisError

from core.errors import Refused

RETRY_MS: Final = 500

_DOWN: Final = "The store does not answer; a write may or may not have been done. Retry with the same request id."
_READ_ONLY: Final = (
    "The store refuses writes: it is a replica, lacks its replicas or cannot save. Retry; tell the operator."
)
_MEMORY: Final = "The store is out of memory. Retry later; the operator must give it more."
_FULL: Final = "The store takes no more connections. Retry; the operator must raise its `maxclients`."
_DENIED: Final = "The store takes connections from its own machine only. Give it a password, or end its protected mode."
_LOGIN: Final = "The store refuses the login, or the user may not do what Hamle needs. Check user, password and ACL."
_TLS: Final = "The store's certificate is not accepted. Check HAMLE_STORE_CA, the certificate and its host names."
_OLD: Final = "The store is too old: it does not know functions. Redis 7 or Valkey is needed."

_BY_CODE: Final[dict[str, tuple[Reason.ValueType, str]]] = {
    "READONLY": (REASON_STORE_READ_ONLY, _READ_ONLY),
    "MISCONF": (REASON_STORE_READ_ONLY, _READ_ONLY),
    "NOREPLICAS": (REASON_STORE_READ_ONLY, _READ_ONLY),
    "OOM": (REASON_STORE_OUT_OF_MEMORY, _MEMORY),
    "LOADING": (REASON_STORE_DOWN, _DOWN),
    "BUSY": (REASON_STORE_DOWN, _DOWN),
    "MASTERDOWN": (REASON_STORE_DOWN, _DOWN),
    "CLUSTERDOWN": (REASON_STORE_DOWN, _DOWN),
    "TRYAGAIN": (REASON_STORE_DOWN, _DOWN),
    "MOVED": (REASON_STORE_DOWN, _DOWN),
    "ASK": (REASON_STORE_DOWN, _DOWN),
    "WRONGPASS": (REASON_STORE_UNFIT, _LOGIN),
    "NOAUTH": (REASON_STORE_UNFIT, _LOGIN),
    "NOPERM": (REASON_STORE_UNFIT, _LOGIN),
    "DENIED": (REASON_STORE_UNFIT, _DENIED),
}


class Unfit(RedisError):
    """A refusal on its way through redis-py, which cleans up after its own errors only."""

    def __init__(self, refusal: Refused) -> None:
        super().__init__(refusal.message)
        self.refusal = refusal


def reply_code(error: Exception) -> str:
    """The first word of an error that the store answered: `READONLY`, `ERR`."""
    status = getattr(error, "status_code", None)
    return status if isinstance(status, str) else str(error).split(" ", 1)[0]


def refusal_for(error: BaseException) -> Refused | None:
    """The refusal that an error of the store, its client or its connection means.

    None: the error tells of no state of the store but of a fault in the program. Takes errors of redis-py, replies of
    hiredis, and what sockets and TLS raise.
    """
    if isinstance(error, Refused):
        return error
    if isinstance(error, Unfit):
        return error.refusal
    if isinstance(error, ReplyError | RedisError):
        known = _BY_CODE.get(reply_code(error))
        if known is not None:
            return _refused(*known)
        text = str(error).lower()
        if text.startswith(("unknown command", "err unknown command")):
            return _refused(REASON_STORE_UNFIT, _OLD)
        if "max number of clients" in text:
            return _refused(REASON_STORE_DOWN, _FULL)
        if "certificate_verify_failed" in text:
            return _refused(REASON_STORE_UNFIT, _TLS)
        if "invalid password" in text or "client sent auth" in text or "called without any password" in text:
            return _refused(REASON_STORE_UNFIT, _LOGIN)
    if isinstance(error, ssl.SSLCertVerificationError):
        return _refused(REASON_STORE_UNFIT, _TLS)
    lost = (
        redis_errors.ConnectionError,
        redis_errors.TimeoutError,
        redis_errors.ClusterError,
        RedisClusterException,
        ProtocolError,
        OSError,
        EOFError,
        asyncio.TimeoutError,
    )
    return _refused(REASON_STORE_DOWN, _DOWN) if isinstance(error, lost) else None


def own_error(error: BaseException) -> BaseException:
    """The error as one of several callers is told it: a refusal of his own, as each is raised again elsewhere."""
    refusal = refusal_for(error)
    return error if refusal is None else refusal.again()


def _refused(reason: Reason.ValueType, message: str) -> Refused:
    return Refused(reason, message, retry_after_ms=0 if reason == REASON_STORE_UNFIT else RETRY_MS)


@contextmanager
def store_errors() -> Iterator[None]:
    """Turns what the store raises within into `Refused`; lets everything else through."""
    try:
        yield
    except Refused:
        raise
    except Exception as error:
        refusal = refusal_for(error)
        if refusal is None:
            raise
        raise refusal from error
