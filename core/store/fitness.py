"""Whether a server keeps what it is given: asked at the start, and again whenever a connection is made anew."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import NamedTuple

from hamle.error.v1.error_pb2 import REASON_STORE_READ_ONLY, REASON_STORE_UNFIT

from core.errors import Refused
from core.log.types import Durability
from core.store.settings import Address, StoreSettings
from core.store.wire import Reply, Wire, open_wire

OLDEST_MAJOR = 7


class Facts(NamedTuple):
    """What a server says of itself. `history` changes when it may have forgotten: at a restart, at a failover."""

    major_version: int
    role: str
    history: str
    policy: str
    appendonly: bool
    appendfsync: str

    @property
    def durability(self) -> Durability | None:
        """What it has done with a write before it answers; None: it keeps nothing over a restart."""
        if not self.appendonly:
            return None
        return Durability.FSYNCED if self.appendfsync == "always" else Durability.WRITTEN


def judge(facts: Facts, promised: Durability) -> Durability:
    """The durability that a server keeps. Raises `Refused` when it is unfit or takes no writes."""
    if facts.major_version < OLDEST_MAJOR:
        raise _unfit(f"it is of version {facts.major_version}; Redis {OLDEST_MAJOR} or Valkey is needed")
    if facts.role != "master":
        raise Refused(
            REASON_STORE_READ_ONLY,
            "The store is a replica and takes no writes. Point HAMLE_STORE_URL at the master, or wait for a failover.",
            retry_after_ms=500,
        )
    if facts.policy != "noeviction":
        raise _unfit(f"maxmemory-policy is {facts.policy}, so it may throw matches away; set it to noeviction")
    kept = facts.durability
    if kept is None:
        raise _unfit("appendonly is no, so a restart forgets every match; set appendonly yes")
    if kept < promised:
        raise _unfit(
            f"appendfsync is {facts.appendfsync}, but durability fsynced is promised; set appendfsync always, "
            "or HAMLE_DURABILITY=written"
        )
    return kept


def _unfit(what: str) -> Refused:
    return Refused(REASON_STORE_UNFIT, f"The store is unfit: {what}.")


async def ask(call: Callable[..., Awaitable[Reply]]) -> Facts:
    """What a server says of itself; `call` does one command. Raises what `call` raises."""
    info = _info(await call("INFO", "server")) | _info(await call("INFO", "replication"))
    config: dict[str, str] = {}
    for name in ("maxmemory-policy", "appendonly", "appendfsync"):
        config |= _pairs(await call("CONFIG", "GET", name))
    return Facts(
        major_version=int(info.get("redis_version", "0").split(".")[0]),
        role=info.get("role", ""),
        history=f"{info.get('master_replid', '')}/{info.get('run_id', '')}",
        policy=config.get("maxmemory-policy", "unknown"),
        appendonly=config.get("appendonly") == "yes",
        appendfsync=config.get("appendfsync", "unknown"),
    )


async def open_fit_wire(settings: StoreSettings, address: Address) -> tuple[Wire, Facts]:
    """Connect to a server that is fit. Raises `Refused` when it is not, and what `open_wire` and `ask` raise."""
    wire = await open_wire(settings, address)
    try:
        async with asyncio.timeout(settings.reply_timeout_s):
            facts = await ask(wire.call)
        judge(facts, settings.durability)
    except BaseException:
        wire.close()
        raise
    return wire, facts


def _info(reply: Reply) -> dict[str, str]:
    assert isinstance(reply, bytes)
    lines = (line.partition(":") for line in reply.decode().splitlines() if ":" in line)
    return {name: value for name, _, value in lines}


def _pairs(reply: Reply) -> dict[str, str]:
    assert isinstance(reply, list)
    texts = [item.decode() for item in reply if isinstance(item, bytes)]
    return dict(zip(texts[::2], texts[1::2], strict=True))
