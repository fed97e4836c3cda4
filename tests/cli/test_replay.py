from __future__ import annotations

import asyncio

import pytest
from hamle.event.v1 import event_pb2
from hamle.match.v1 import match_pb2
from hamle_client import Cursor, Step
from prompt_toolkit.input import create_pipe_input

from cli.commands.replay import walk
from cli.keys import read_keys


class Past:
    info = match_pb2.GameInfo(game="coerceo")
    head = 3
    seat: int | None = None

    async def step(self, seq: int) -> Step:
        return Step(Cursor(seq), event_pb2.Event(moved=event_pb2.Moved(seat=0, move=f"m{seq}")), (), None)


async def shown(keys: str, capsys: pytest.CaptureFixture[str]) -> list[str]:
    with create_pipe_input() as keyboard, read_keys(keyboard) as reader:
        keyboard.send_text(keys)
        await asyncio.wait_for(walk(Past(), reader, "en"), 10)
    return [line.split()[-1] for line in capsys.readouterr().out.splitlines() if "seat 0:" in line]


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        ("q", ["m1"]),
        ("nnq", ["m1", "m2", "m3"]),
        ("nnnnq", ["m1", "m2", "m3", "m3", "m3"]),
        ("\x1b[C\x1b[C\x1b[Dq", ["m1", "m2", "m3", "m2"]),
        ("ppq", ["m1", "m1", "m1"]),
        ("Ggq", ["m1", "m3", "m1"]),
        ("zzn\x03", ["m1", "m2"]),
    ],
)
async def test_keys_step_through_the_past(keys: str, expected: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert await shown(keys, capsys) == expected
