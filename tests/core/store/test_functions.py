from __future__ import annotations

from pathlib import Path

import pytest
from redis.exceptions import ResponseError

from core.store.client import Client
from core.store.functions import build_library, call_function, load_functions


def _write(folder: Path, **sources: str) -> Path:
    folder.mkdir(exist_ok=True)
    for name, source in sources.items():
        (folder / f"{name}.lua").write_text(source)
    return folder


COUNT = "-- Counts.\nreturn function(keys, args)\n  return redis.call('INCRBY', keys[1], args[1])\nend\n"
PEEK = "-- Reads.\n-- flags: no-writes\nreturn function(keys)\n  return redis.call('GET', keys[1])\nend\n"


async def test_each_file_is_a_function(store: Client, tmp_path: Path) -> None:
    names = await load_functions(store, "trial_1", _write(tmp_path / "f", count=COUNT, peek=PEEK))
    assert names.keys() == {"count", "peek"}
    assert await store.fcall(names["count"], 1, "n", "4") == 4
    assert await store.execute_command("FCALL_RO", names["peek"], 1, "n") == b"4"


async def test_loading_again_changes_nothing(store: Client, tmp_path: Path) -> None:
    folder = _write(tmp_path / "f", count=COUNT)
    first = await load_functions(store, "trial_2", folder)
    before = await store.execute_command("FUNCTION LIST", "LIBRARYNAME", "trial_2*")
    assert await load_functions(store, "trial_2", folder) == first
    assert await store.execute_command("FUNCTION LIST", "LIBRARYNAME", "trial_2*") == before


async def test_other_code_lives_beside_the_old(store: Client, tmp_path: Path) -> None:
    old = await load_functions(store, "trial_3", _write(tmp_path / "old", count=COUNT))
    new = await load_functions(store, "trial_3", _write(tmp_path / "new", count=COUNT.replace("args[1]", "10")))
    assert await store.fcall(old["count"], 1, "n", "1") == 1
    assert await store.fcall(new["count"], 1, "n", "1") == 11


async def test_a_call_brings_a_lost_library_back(store: Client, tmp_path: Path) -> None:
    library = build_library("trial_4", _write(tmp_path / "f", count=COUNT))
    for expected in (1, 2):
        assert await call_function(store, library, "count", ["n"], [1]) == expected
        await store.execute_command("FUNCTION DELETE", library.name)


async def test_a_functions_own_error_comes_through(store: Client, tmp_path: Path) -> None:
    library = build_library("trial_5", _write(tmp_path / "f", count=COUNT))
    with pytest.raises(ResponseError, match="not an integer"):
        await call_function(store, library, "count", ["n"], ["x"])


async def test_broken_code_is_not_loaded(store: Client, tmp_path: Path) -> None:
    with pytest.raises(ResponseError, match="Error compiling"):
        await load_functions(store, "trial_6", _write(tmp_path / "f", broken="return function("))


def test_a_folder_without_functions_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"no \*.lua file"):
        build_library("trial", tmp_path)


def test_the_name_follows_from_the_code(tmp_path: Path) -> None:
    one = build_library("trial", _write(tmp_path / "one", count=COUNT))
    assert build_library("trial", _write(tmp_path / "two", count=COUNT)) == one
    assert build_library("trial", _write(tmp_path / "three", count=COUNT + " ")).name != one.name
