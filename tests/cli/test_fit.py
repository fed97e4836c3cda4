"""What is shown fits the terminal: no line is cut within a word, and the board is not pushed off the top."""

from __future__ import annotations

import asyncio
import io

import pytest
from hamle.match.v1 import match_pb2
from hamle_client import Cursor, Step, View
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output.vt100 import Vt100_Output

from cli.asking import TerminalAsker
from cli.choices import ChoiceTree
from cli.fit import fitted, latest, menu_rows
from cli.render import choice_list
from cli.screen import CLEAR, Screen
from tests.support.waiting import until


def test_long_lines_are_broken_between_words_and_short_ones_left_alone() -> None:
    text = "  a   b\n  one two three four\n\nend"
    assert fitted(text, 12) == "  a   b\n  one two\n      three\n      four\n\nend"
    assert fitted(text, 80) == text


def test_moves_and_ids_are_never_broken() -> None:
    assert fitted("playing d1e-d1c now", 12) == "playing\n    d1e-d1c\n    now"
    assert fitted("match 05AAAABBBBCCCC", 12) == "match\n    05AAAABBBBCCCC"


def test_the_newest_remarks_that_fit_are_shown_and_the_newest_always() -> None:
    assert latest(["one", "two\nlines", "three"], 3) == ["two\nlines", "three"]
    assert latest(["one", "two\nlines", "three"], 2) == ["three"]
    assert latest(["one", "a\nb\nc"], -5) == ["a\nb\nc"]
    assert latest([], 5) == []


def test_choices_stand_side_by_side_as_far_as_the_terminal_is_wide() -> None:
    choices = [match_pb2.Choice(text=f"d{number}a-", complete=False) for number in range(30)]
    for columns in (20, 60, 80):
        lines = choice_list(choices, columns).splitlines()
        assert columns - 10 < max(map(len, lines)) <= columns


def drawn(
    rows: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, columns: int = 40
) -> list[str]:
    """A board of 5 lines and 8 remarks of 49 characters, on a terminal so high and so wide."""
    monkeypatch.setenv("LINES", str(rows))
    monkeypatch.setenv("COLUMNS", str(columns))
    screen = Screen(match_pb2.GameInfo(game="nobody's"), "en", redraws=True)
    board = match_pb2.Match(match_id="a board", seats=[match_pb2.Seat(number=1, handle="b")])
    screen.show(Step(Cursor(1), None, (), View(match_pb2.View(cursor=match_pb2.Cursor(seq=1)), board)))
    for number in range(8):
        screen.tell(f"remark {number} of those that are too long for a line")
    return capsys.readouterr().out.split(CLEAR)[-1].splitlines()


@pytest.mark.parametrize("rows", [12, 16, 20, 24])
def test_old_remarks_make_room_for_the_board_and_for_what_is_typed(
    rows: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = drawn(rows, capsys, monkeypatch)
    assert shown[0] == 'match_id: "a board"'
    assert shown[5] == ""
    assert shown[-2].startswith("remark 7")
    assert rows - 2 <= len(shown) + 1 + menu_rows(rows) <= rows
    assert max(map(len, shown)) <= 40


def test_a_board_that_does_not_fit_says_how_much_of_it_is_above(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = drawn(8, capsys, monkeypatch, columns=66)
    assert shown[5].startswith("(2 more lines above")
    assert len(shown) + 1 + menu_rows(8) == 8 + 2
    assert [line[:8] for line in shown[6:]] == ["remark 7"]


def test_running_clocks_are_shown_below_the_board_and_anew_when_asked(capsys: pytest.CaptureFixture[str]) -> None:
    screen = Screen(match_pb2.GameInfo(game="nobody's"), "en", redraws=True)
    clock = match_pb2.Clock(remaining_ms=[60_000, 30_000], running=[1], at_ms=0)
    view = match_pb2.View(cursor=match_pb2.Cursor(seq=1), clock=clock)
    screen.show(Step(Cursor(1), None, (), View(view, match_pb2.Match(match_id="a board"))))
    screen.refresh()
    for shown in capsys.readouterr().out.split(CLEAR)[1:]:
        assert shown.splitlines()[1] == "Time left:  seat 0 1:00   seat 1 0:00 (running)"


async def test_an_empty_line_shows_the_hint_and_leaves_the_screen_to_the_board() -> None:
    with create_pipe_input() as keyboard:
        written = io.StringIO()
        output = Vt100_Output(written, lambda: Size(rows=24, columns=80), term="xterm")
        asking = asyncio.create_task(
            TerminalAsker(ChoiceTree(nothing), "a hint", input=keyboard, output=output).ask("?")
        )
        await until(lambda: "a hint" in written.getvalue())
        keyboard.send_text("x\r")
        assert await asking == "x"


async def nothing(prefix: str) -> list[match_pb2.Choice]:
    return []
