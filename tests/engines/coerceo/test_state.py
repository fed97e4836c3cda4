from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.coerceo.apply import leave
from engines.coerceo.game import GAME
from engines.coerceo.state import State
from tests.engines.coerceo.positions import GOLDEN, random_game, record, start

STATES = [state for seed in range(3) for state, _ in random_game(seed, 300, start="ocius", cura="on")]


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from(["laurentius", "ocius"]), st.sampled_from(["on", "off"]))
def test_load_returns_what_dump_wrote(seed: int, name: str, switch: str) -> None:
    for state, _ in random_game(seed, 120, start=name, cura=switch, repetition_draw=switch):
        data = GAME.dump(state)
        assert GAME.load(data) == state
        assert GAME.dump(GAME.load(data)) == data
        for seat in (0, 1):
            left = leave(state, seat)
            assert GAME.load(GAME.dump(left)) == left


def test_different_states_have_different_bytes() -> None:
    distinct = set(STATES)
    assert len({GAME.dump(state) for state in distinct}) == len(distinct)


def test_a_dump_has_34_bytes_and_two_for_each_quiet_move_in_a_row() -> None:
    for state in STATES:
        assert len(GAME.dump(state)) == 34 + len(state.path)
    assert max(len(state.path) for state in STATES) > 20


def test_dumps_are_byte_for_byte_those_of_every_earlier_version() -> None:
    lines = [line.split() for line in (GOLDEN / "dumps.txt").read_text().splitlines() if line[0] != "#"]
    for name, ply, data in lines:
        assert GAME.dump(record(name, cura="on")[int(ply)]).hex() == data
    assert len(lines) == 8


@pytest.mark.parametrize(
    "spoil",
    [
        lambda data: b"",
        lambda data: data[:-1],
        lambda data: data + b"\0",
        lambda data: data + b"\xff\xff",
        lambda data: b"\xff" + data[1:],
        lambda data: data[:30] + b"\x02" + data[31:],
        lambda data: data[:32] + b"\x09" + data[33:],
        lambda data: data[:33] + b"\x07" + data[34:],
        lambda data: data[:31] + b"\x00" + data[32:] + b"\0\1",
    ],
)
def test_bytes_that_dump_cannot_have_written_are_refused(spoil: object) -> None:
    assert callable(spoil)
    with pytest.raises(ValueError):
        GAME.load(spoil(GAME.dump(start())))


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=80))
def test_any_bytes_load_to_what_dumps_them_or_are_refused(data: bytes) -> None:
    try:
        state = GAME.load(data)
    except ValueError:
        return
    assert GAME.dump(state) == data


def test_states_are_hashable_values() -> None:
    assert isinstance(start(), State)
    assert {start(): 1}[start()] == 1
