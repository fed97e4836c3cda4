"""What only an operator does, on a whole installation."""

from __future__ import annotations

import asyncio
import fcntl
import os
import signal
import time
from itertools import takewhile
from pathlib import Path
from typing import Any

import psutil
import pytest
import redis
from hamle_client import Client, HamleError

from core.log.keys import players_key
from deploy.local.fleet import Fleet
from services.gateway.players.index import index_key
from tests.cli.e2e.terminal import Terminal

pytestmark = pytest.mark.timeout(240)


def test_rotated_keys_log_nobody_out(terminal: Terminal) -> None:
    terminal.json("games")
    first = terminal.json("rotate-keys")["key"]
    assert terminal.json("rotate-keys")["key"] != first
    terminal.json("games")


def test_loss_of_a_tail_that_is_not_lost_is_refused(terminal: Terminal) -> None:
    match_id = terminal.json("play", "coerceo", "--bot", "random", stdin="quit\n")["match_id"]
    refused = terminal.run("tail-lost", match_id, "--last", "1")
    assert refused.returncode == 2
    assert "NO_TAIL_LOST" in refused.stderr
    unknown = terminal.run("tail-lost", "00aaaaaaaaaaaaaaaa", "--last", "1")
    assert unknown.returncode == 2
    assert "MATCH_NOT_FOUND" in unknown.stderr


async def until_refused(client: Client) -> None:
    async with asyncio.timeout(120):
        while True:
            await client.account()
            await asyncio.sleep(0.1)


async def test_forgotten_player_has_no_name_list_or_token_and_his_match_verifies(
    fleet: Fleet, terminal: Terminal, tmp_path: Path
) -> None:
    address = fleet.addresses[0]
    async with Client(address, name="Ann") as ann, Client(address, name="Bob") as bob:
        account_id = (await ann.account()).account_id
        match = await ann.create("coerceo", {"start": "ocius"})
        seat = await bob.join(match.id)
        await match.resign()
        assert [one.name for one in (await seat.refresh()).seats] == ["Ann", "Bob"]
        assert terminal.json("forget", account_id) == {"account_id": account_id, "matches": 1}
        with pytest.raises(HamleError) as refused:
            await until_refused(ann)
        assert refused.value.reason == "TOKEN_REVOKED"
        until = time.monotonic() + 120
        shown = await seat.refresh()
        while [one.name for one in shown.seats] != ["", "Bob"]:
            assert time.monotonic() < until, shown
            await asyncio.sleep(0.5)
            shown = await seat.refresh()
        assert all(one.handle for one in shown.seats)
    store = redis.Redis.from_url(fleet.store_url)
    try:
        assert not store.exists(index_key(account_id))
        kept: Any = store.hgetall(players_key(match.id))
        assert kept
        assert not [pair for pair in kept.items() if account_id.encode() in b" ".join(pair)]
    finally:
        store.close()
    log = tmp_path / "match.jsonl"
    terminal.json("export", match.id, "-o", str(log))
    assert terminal.json("verify", str(log))["ok"] is True
    assert terminal.json("forget", account_id)["matches"] == 0
    assert "No match knew the account: check the id" in terminal.run("forget", account_id).stdout


@pytest.mark.parametrize("text", ["Ann", "", "0" * 19, "G" * 20])
def test_what_is_no_account_id_is_not_forgotten(terminal: Terminal, text: str) -> None:
    refused = terminal.run("forget", text)
    assert refused.returncode == 2
    assert "20 digits" in refused.stderr


def test_wrong_settings_are_told(terminal: Terminal) -> None:
    terminal.environ["HAMLE_STORE_URL"] = "ftp://x"
    refused = terminal.run("rotate-keys")
    assert refused.returncode == 2
    assert "HAMLE_STORE_URL" in refused.stderr
    assert "Traceback" not in refused.stderr


def test_servers_of_its_own_leave_nothing_behind(terminal: Terminal, scratch: str) -> None:
    del terminal.environ["HAMLE_SERVER"]
    played = terminal.json("selfplay", "coerceo", "--matches", "1", "-o", "start=ocius")
    assert played["matches"] == 1
    assert os.listdir(scratch) == []
    assert left_by(terminal) == []


def test_everything_is_started_here_and_ended_by_an_interrupt(terminal: Terminal, tmp_path: Path) -> None:
    games = ("--game", "battleline", "--game", "battleline")
    running = terminal.start("up", *games, "--data", str(tmp_path / "data"), "--port", "0")
    try:
        assert running.stdout is not None
        said = next(line for line in running.stdout if line.startswith("Hamle serves"))
        assert said.startswith("Hamle serves battleline at ")
        address = said.split(" at ")[1].split()[0]
        hints = [line for line in takewhile(lambda line: "Ctrl-C" not in line, running.stdout) if "hamle" in line]
        assert {line.split(" play ")[1].split()[0] for line in hints if " play " in line} == {"battleline"}
        assert terminal.json("games", "--server", address)["games"]
        second = terminal.run("up", "--data", str(tmp_path / "data"), "--port", "0")
        assert second.returncode == 2
        assert "Another launcher" in second.stderr
        running.send_signal(signal.SIGINT)
        rest, errors = running.communicate(timeout=60)
    finally:
        # What it started ends with it.
        running.kill()
        running.communicate()
    assert running.returncode == 0, errors
    assert "Stopped" in rest
    assert left_by(terminal) == []


def left_by(terminal: Terminal) -> list[psutil.Process]:
    """Processes that have the terminal's environment."""
    folder = terminal.environ["TMPDIR"]
    processes = psutil.process_iter(["environ"])
    return [process for process in processes if (process.info["environ"] or {}).get("TMPDIR") == folder]


def test_an_interrupt_while_the_program_is_loaded_leaves_no_traceback(terminal: Terminal) -> None:
    terminal.environ["PYTHONPROFILEIMPORTTIME"] = "1"
    reading, writing = os.pipe()
    # Each module is told once it is loaded. Far more are told than a pipe of this size holds, so it loads no further.
    fcntl.fcntl(writing, fcntl.F_SETPIPE_SZ, 4096)
    with os.fdopen(reading) as told:
        loading = terminal.start("play", "coerceo", stderr=writing)
        try:
            os.close(writing)
            assert any("typer" in line for line in told)
            loading.send_signal(signal.SIGINT)
            errors = told.read()
            loading.wait(60)
        finally:
            loading.kill()
            loading.communicate()
    assert loading.returncode == -signal.SIGINT
    assert "Traceback" not in errors


def test_a_full_disk_under_what_is_printed_is_no_fault_of_the_program(terminal: Terminal) -> None:
    with Path("/dev/full").open("w") as full:
        told = terminal.start("games", "--json", stdout=full)
        _, errors = told.communicate(timeout=60)
    assert told.returncode == 2
    assert "No space left" in errors
    assert "fault" not in errors
