"""Long work shows on a terminal how far it is, unless a program asked."""

from __future__ import annotations

import asyncio
import os
import pty
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from deploy.local.member import ROOT
from tests.clients.server import MATCH, ScriptedServer

HAMLE = str(Path(sys.executable).parent / "hamle")


async def shown_by(*arguments: str) -> bytes:
    """What the command writes to stderr, which is a terminal."""
    master, slave = pty.openpty()
    environ = {**os.environ, "TERM": "xterm", "COLUMNS": "100"}
    try:
        running = await asyncio.create_subprocess_exec(
            HAMLE, *arguments, cwd=ROOT, env=environ, stdout=asyncio.subprocess.PIPE, stderr=slave
        )
    finally:
        os.close(slave)
    # A terminal holds a few thousand bytes; then who writes there waits until somebody reads.
    shown, _ = await asyncio.gather(asyncio.to_thread(to_the_end, master), running.communicate())
    os.close(master)
    assert running.returncode == 0, shown
    return shown


def to_the_end(terminal: int) -> bytes:
    """What is written there until nobody has it open any more."""
    shown = b""
    with suppress(OSError):
        while data := os.read(terminal, 65536):
            shown += data
    return shown


@pytest.mark.timeout(240)
async def test_a_measurement_shows_its_runs() -> None:
    typed = ("bench", "append", "--in-flight", "2", "--seconds", "0.1", "--runs", "2")
    assert b"runs" in await shown_by(*typed)
    assert await shown_by(*typed, "--json") == b""


@pytest.mark.timeout(240)
async def test_an_export_shows_its_events(server: ScriptedServer, tmp_path: Path) -> None:
    server.head = 3
    typed = ("export", MATCH, "--server", server.address)
    assert b"events" in await shown_by(*typed)
    file = str(tmp_path / "log.jsonl")
    shown = await shown_by(*typed, "-o", file)
    assert b"events" in shown.replace(b"3 events are in", b"")
    assert await shown_by(*typed, "-o", file, "--json") == b""
