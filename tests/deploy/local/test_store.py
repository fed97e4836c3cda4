from __future__ import annotations

import fcntl
import json
import os
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import redis

from deploy.local.errors import StartFailed
from deploy.local.store import Store, end_orphan

StoreAt = Callable[[str], Store]


@pytest.fixture
def store_at(tmp_path: Path) -> Iterator[StoreAt]:
    """Starts stores over folders of the test's own."""
    started: list[Store] = []

    def start(folder: str) -> Store:
        store = Store(tmp_path / folder, "always", tmp_path / f"{folder}-{len(started)}.log")
        started.append(store)
        store.start()
        return store

    yield start
    for store in started:
        store.kill()


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


def test_what_is_stored_is_kept_from_other_users_of_the_machine(store_at: StoreAt) -> None:
    before = os.umask(0o022)
    try:
        store = store_at("store")
    finally:
        os.umask(before)
    assert stat.S_IMODE(store.folder.stat().st_mode) == 0o700


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


def test_a_stopped_server_is_ended_before_another_starts_over_its_data(store_at: StoreAt) -> None:
    first = store_at("store")
    with redis.Redis(port=first.port) as client:
        client.set("kept", "yes")
    first.signal(signal.SIGSTOP)
    second = store_at("store")
    assert not first.running
    with redis.Redis(port=second.port) as client:
        assert client.get("kept") == b"yes"


def test_a_server_that_its_shutdown_keeps_is_killed_in_the_end(store_at: StoreAt) -> None:
    server, replica = store_at("store"), store_at("replica")
    with redis.Redis(port=replica.port) as client:
        client.replicaof("127.0.0.1", str(server.port))
        while client.info("replication")["master_link_status"] != "up":
            time.sleep(0.05)
    replica.signal(signal.SIGSTOP)
    with redis.Redis(port=server.port) as client:
        # It waits so many seconds for its replica to catch up.
        client.config_set("shutdown-timeout", 3600)
        client.set("kept", "yes")
    assert end_orphan(server.folder, within_s=0.5)
    assert not server.running
    with redis.Redis(port=store_at("store").port) as client:
        assert client.get("kept") == b"yes"


def test_a_killed_server_has_ended_only_when_all_its_threads_have(store_at: StoreAt) -> None:
    # Its first thread ends before the others in most of the cases, so one of five shows it.
    for _ in range(5):
        server = store_at("store")
        assert end_orphan(server.folder, within_s=0)
        assert not server.running


def test_a_server_holds_the_lock_of_its_folder_for_as_long_as_it_lives(store_at: StoreAt) -> None:
    store = store_at("store")
    with (store.folder / "server.lock").open() as lock:
        with pytest.raises(BlockingIOError):
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        store.kill()
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)


def test_no_server_starts_over_a_folder_whose_lock_another_holds(tmp_path: Path) -> None:
    store = Store(tmp_path / "store", "always", tmp_path / "log")
    store.folder.mkdir()
    with (store.folder / "server.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with pytest.raises(StartFailed, match="Another store runs over"):
            store.start()
    assert not store.running
