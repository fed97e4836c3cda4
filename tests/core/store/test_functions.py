from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hamle.error.v1.error_pb2 import REASON_STORE_OUT_OF_MEMORY
from redis.asyncio import RedisCluster
from redis.exceptions import ResponseError

from core.errors import Refused
from core.log.keys import SHARDS, tag
from core.store.client import Client, open_store
from core.store.functions import Call, build_library, call_all, call_function, load
from tests.support.cluster import Cluster
from tests.support.servers import StoreServer


def _write(folder: Path, **sources: str) -> Path:
    folder.mkdir(exist_ok=True)
    for name, source in sources.items():
        (folder / f"{name}.lua").write_text(source)
    return folder


COUNT = "-- Counts.\nreturn function(keys, args)\n  return redis.call('INCRBY', keys[1], args[1])\nend\n"
PEEK = "-- Reads.\n-- flags: no-writes\nreturn function(keys)\n  return redis.call('GET', keys[1])\nend\n"


async def test_each_file_is_a_function(store: Client, tmp_path: Path) -> None:
    library = build_library("trial_1", _write(tmp_path / "f", count=COUNT, peek=PEEK))
    await load(store, library)
    names = library.functions
    assert names.keys() == {"count", "peek"}
    assert await store.fcall(names["count"], 1, "n", "4") == 4
    assert await store.execute_command("FCALL_RO", names["peek"], 1, "n") == b"4"


async def test_loading_again_changes_nothing(store: Client, tmp_path: Path) -> None:
    library = build_library("trial_2", _write(tmp_path / "f", count=COUNT))
    await load(store, library)
    before = await store.execute_command("FUNCTION LIST", "LIBRARYNAME", "trial_2*")
    await load(store, library)
    assert await store.execute_command("FUNCTION LIST", "LIBRARYNAME", "trial_2*") == before


async def test_other_code_lives_beside_the_old(store: Client, tmp_path: Path) -> None:
    old = build_library("trial_3", _write(tmp_path / "old", count=COUNT))
    new = build_library("trial_3", _write(tmp_path / "new", count=COUNT.replace("args[1]", "10")))
    for library in (old, new):
        await load(store, library)
    assert await store.fcall(old.functions["count"], 1, "n", "1") == 1
    assert await store.fcall(new.functions["count"], 1, "n", "1") == 11


async def test_a_call_brings_a_lost_library_back(store: Client, tmp_path: Path) -> None:
    library = build_library("trial_4", _write(tmp_path / "f", count=COUNT))
    for expected in (1, 2):
        assert await call_function(store, library, "count", ["n"], [1]) == expected
        await store.execute_command("FUNCTION DELETE", library.name)


async def test_calls_that_were_done_are_not_done_again_where_another_master_has_lost_the_library(
    cluster: Cluster, tmp_path: Path
) -> None:
    library = build_library("trial_7", _write(tmp_path / "f", count=COUNT))
    calls = [Call("count", [f"{tag(shard)}:counted"], [1]) for shard in range(SHARDS)]
    async with await open_store(cluster.servers[1].settings(cluster=True)) as client:
        assert isinstance(client, RedisCluster)
        await load(client, library)
        for expected, master in enumerate(client.get_primaries(), start=1):
            await client.execute_command("FUNCTION DELETE", library.name, target_nodes=master)
            assert await call_all(client, library, calls) == [expected] * SHARDS


async def test_a_library_that_cannot_be_brought_back_is_refused_by_the_stores_reason(
    start_server: Callable[..., StoreServer], tmp_path: Path
) -> None:
    server = start_server()
    library = build_library("trial_8", _write(tmp_path / "f", count=COUNT))
    async with await open_store(server.settings()) as client:
        await load(client, library)
        await client.execute_command("FUNCTION DELETE", library.name)
        server.call("CONFIG", "SET", "maxmemory", "1")
        with pytest.raises(Refused) as refused:
            await call_function(client, library, "count", ["n"], [1])
        assert refused.value.reason == REASON_STORE_OUT_OF_MEMORY


async def test_a_functions_own_error_comes_through(store: Client, tmp_path: Path) -> None:
    library = build_library("trial_5", _write(tmp_path / "f", count=COUNT))
    with pytest.raises(ResponseError, match="not an integer"):
        await call_function(store, library, "count", ["n"], ["x"])


async def test_broken_code_is_not_loaded(store: Client, tmp_path: Path) -> None:
    with pytest.raises(ResponseError, match="Error compiling"):
        await load(store, build_library("trial_6", _write(tmp_path / "f", broken="return function(")))


def test_a_folder_without_functions_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"no \*.lua file"):
        build_library("trial", tmp_path)


def test_the_name_follows_from_the_code(tmp_path: Path) -> None:
    one = build_library("trial", _write(tmp_path / "one", count=COUNT))
    assert build_library("trial", _write(tmp_path / "two", count=COUNT)) == one
    assert build_library("trial", _write(tmp_path / "three", count=COUNT + " ")).name != one.name
