from __future__ import annotations

import asyncio
import io
import sys
from pathlib import Path

import pytest
from hamle.match.v1.match_pb2 import Choice
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from cli.asking import LineAsker, TerminalAsker, asker_for
from cli.choices import ChoiceTree
from tests.support.waiting import until


async def choices(prefix: str) -> list[Choice]:
    return [Choice(text=text, complete=True) for text in {"": ["d1e-"], "d1e-": ["d1e-d1c"]}.get(prefix, [])]


async def test_terminal_takes_a_line() -> None:
    with create_pipe_input() as keyboard:
        asker = TerminalAsker(ChoiceTree(choices), input=keyboard, output=DummyOutput())
        keyboard.send_text(" d1e-d1c \r")
        assert await asker.ask("your move") == "d1e-d1c"


async def test_interrupt_and_end_of_input_leave() -> None:
    with create_pipe_input() as keyboard:
        asker = TerminalAsker(ChoiceTree(choices), input=keyboard, output=DummyOutput())
        keyboard.send_text("\x03")
        assert await asker.ask("your move") is None
        keyboard.send_text("\x04")
        assert await asker.ask("your move") is None


async def test_what_was_typed_survives_a_redraw() -> None:
    with create_pipe_input() as keyboard:
        asker = TerminalAsker(ChoiceTree(choices), input=keyboard, output=DummyOutput())
        asking = asyncio.create_task(asker.ask("your move"))
        keyboard.send_text("d1e")
        await until(lambda: asker.typing == "d1e")
        asking.cancel()
        await asyncio.wait({asking})
        keyboard.send_text("-d1c\r")
        assert await asker.ask("your move") == "d1e-d1c"


async def test_default_is_what_is_edited() -> None:
    with create_pipe_input() as keyboard:
        asker = TerminalAsker(ChoiceTree(choices), input=keyboard, output=DummyOutput())
        keyboard.send_text("d1c\r")
        assert await asker.ask("your move", "d1e-") == "d1e-d1c"


async def test_lines_come_one_for_each_question_then_none() -> None:
    asker = LineAsker(io.StringIO("a\n b \n"))
    assert [await asker.ask("?") for _ in range(3)] == ["a", "b", None]


async def test_cancelled_question_loses_no_line() -> None:
    asker = LineAsker(io.StringIO("a\nb\n"))
    asking = asyncio.create_task(asker.ask("?"))
    asking.cancel()
    await asyncio.wait({asking})
    assert [await asker.ask("?") for _ in range(2)] == ["a", "b"]


async def test_lines_that_are_not_in_the_terminals_encoding_are_lines_all_the_same(tmp_path: Path) -> None:
    file = tmp_path / "moves"
    file.write_bytes(b"a\n\xff\xfe\nb\n")
    with file.open(encoding="utf-8") as stream:
        asker = LineAsker(stream)
        async with asyncio.timeout(20):
            assert [await asker.ask("?") for _ in range(4)] == ["a", "\ufffd\ufffd", "b", None]


async def test_input_that_can_no_longer_be_read_has_ended(tmp_path: Path) -> None:
    with (tmp_path / "moves").open("w") as unreadable:
        asker = LineAsker(unreadable)
        async with asyncio.timeout(20):
            assert await asker.ask("?") is None


async def test_a_program_without_input_is_asked_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    asker = asker_for(ChoiceTree(choices), "")
    async with asyncio.timeout(20):
        assert await asker.ask("?") is None
