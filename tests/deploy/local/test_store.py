from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import redis

from deploy.local.store import Store, end_orphan


def test_a_server_left_over_the_same_data_is_ended_and_its_data_are_kept(tmp_path: Path) -> None:
    first = Store(tmp_path / "store", "always", tmp_path / "first.log")
    first.start()
    with redis.Redis(port=first.port) as client:
        client.set("kept", "yes")
    second = Store(tmp_path / "store", "always", tmp_path / "second.log")
    second.start()
    try:
        assert first.wait(5)
        with redis.Redis(port=second.port) as client:
            assert client.get("kept") == b"yes"
    finally:
        second.end()
    assert not (tmp_path / "store" / "server.json").exists()


def test_only_the_server_over_this_very_folder_is_ended(tmp_path: Path) -> None:
    other = Store(tmp_path / "other", "always", tmp_path / "other.log")
    other.start()
    try:
        folder = (tmp_path / "mine").resolve()
        folder.mkdir()
        (folder / "server.json").write_text(json.dumps({"pid": other.pid, "port": other.port}))
        assert end_orphan(folder) is False
        assert other.running
    finally:
        other.end()


def test_a_note_of_a_server_that_is_gone_harms_nothing(tmp_path: Path) -> None:
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    (tmp_path / "server.json").write_text(json.dumps({"pid": gone.pid, "port": 1}))
    assert end_orphan(tmp_path) is False
    (tmp_path / "server.json").write_text("no json")
    assert end_orphan(tmp_path) is False


def test_what_the_store_promises_is_what_it_is_started_with(tmp_path: Path) -> None:
    store = Store(tmp_path / "store", "everysec", tmp_path / "log")
    store.start()
    try:
        with redis.Redis(port=store.port, decode_responses=True) as client:
            told = client.config_get("append*", "maxmemory-policy", "dir")
        assert (told["appendonly"], told["appendfsync"]) == ("yes", "everysec")
        assert told["maxmemory-policy"] == "noeviction"
        assert told["dir"] == os.fspath((tmp_path / "store").resolve())
    finally:
        store.end()
