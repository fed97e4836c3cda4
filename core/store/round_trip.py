"""Many commands in one round trip to each master, where a master that is away takes nobody else's answers along.

redis-py's own pipelines on a cluster lose all answers with those of one master, and go on asking a dead one after its
replica has taken over. To send a function's call it first asks a server which keys the call has, always the same one.
"""

from __future__ import annotations

import asyncio
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any, TypeAlias, TypeVar

from hamle.error.v1.error_pb2 import REASON_STORE_DOWN
from redis.asyncio import RedisCluster
from redis.asyncio.cluster import ClusterNode

from core.errors import Refused
from core.store.client import Client
from core.store.errors import own_error, refusal_for

K = TypeVar("K", bound=Hashable)

Command: TypeAlias = Sequence[bytes | str | int]
"""A command of the store and its arguments; the first is its key, of FCALL the third."""


async def ask_all(client: Client, commands: Sequence[Command]) -> list[Any]:
    """What the store answers to each command; those of one master are done in their order, in no transaction.

    Where there is no answer an exception stands for it: a `Refused` of its own, STORE_DOWN say, whose command may or
    may not have been done, or a `ResponseError` of the store. Raises what is a fault of the program.
    """
    if not commands:
        return []
    if not isinstance(client, RedisCluster):
        return await _ask_one(client, commands)
    try:
        await client.initialize()
        masters = [_master_of(client, command) for command in commands]
    except Exception as error:
        return _no_answers(error, len(commands))
    of_master: dict[ClusterNode, list[int]] = {}
    for number, master in enumerate(masters):
        of_master.setdefault(master, []).append(number)
    parts = await asyncio.gather(
        *(_ask_one(client, [commands[n] for n in part], target_nodes=master) for master, part in of_master.items())
    )
    answers: list[Any] = [None] * len(commands)
    for (master, part), found in zip(of_master.items(), parts, strict=True):
        for number, answer in zip(part, found, strict=True):
            answers[number] = answer
        if any(isinstance(answer, Refused) and answer.reason == REASON_STORE_DOWN for answer in found):
            await _find_masters(client, master.name)
    return answers


def told(keys: Iterable[K], answers: Iterable[Any]) -> tuple[dict[K, Any], Refused | None]:
    """What `ask_all` answered, by keys: the answers that there are, and why others are not there; None: all are.

    Raises the `ResponseError` of a command that the store refused.
    """
    found: dict[K, Any] = {}
    silent: Refused | None = None
    for key, answer in zip(keys, answers, strict=True):
        if isinstance(answer, Refused):
            silent = answer
        elif isinstance(answer, Exception):
            raise answer
        else:
            found[key] = answer
    return found, silent


async def get_all(client: Client, keys: Mapping[K, str]) -> tuple[dict[K, bytes | None], Refused | None]:
    """What stands at each of the store's keys, as `told`. No keys, no answers."""
    if isinstance(client, RedisCluster) or not keys:
        return told(keys, await ask_all(client, [("GET", key) for key in keys.values()]))
    # Where one server has all, one command costs a fifth of many.
    found, silent = told("*", await ask_all(client, [("MGET", *keys.values())]))
    return ({} if silent else dict(zip(keys, found["*"], strict=True))), silent


def _master_of(client: RedisCluster, command: Command) -> ClusterNode:
    node = client.get_node_from_key(command[3 if command[0] == "FCALL" else 1])  # type: ignore[arg-type]
    assert node is not None
    return node


async def _ask_one(client: Client, commands: Sequence[Command], **where: ClusterNode) -> list[Any]:
    pipe: Any = client.pipeline(transaction=False)
    for command in commands:
        pipe.execute_command(*command, **where)
    try:
        answers: list[Any] = await pipe.execute(raise_on_error=False)
    except Exception as error:
        return _no_answers(error, len(commands))
    return [own_error(answer) if isinstance(answer, Exception) else answer for answer in answers]


async def _find_masters(client: RedisCluster, lost: str) -> None:
    """Looks who are masters now. What is under way to them is not disturbed; a failed look is repeated by who asks."""
    try:
        await client.nodes_manager.initialize(last_failed_node_name=lost)
    except Exception as error:
        if refusal_for(error) is None:
            raise


def _no_answers(error: Exception, count: int) -> list[Any]:
    if refusal_for(error) is None:
        raise error
    return [own_error(error) for _ in range(count)]
