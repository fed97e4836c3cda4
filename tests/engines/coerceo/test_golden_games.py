"""The golden games of the rules page: whole records, replayed with their annotations proven."""

from __future__ import annotations

import pytest

from engines.coerceo.board import TILE_NAMES
from engines.coerceo.notation import record as annotate
from engines.coerceo.state import Ending
from engines.coerceo.tables import field_names, tile_names
from tests.engines.coerceo.positions import GOLDEN, record, start


def test_golden_game_of_ocius() -> None:
    states = record("ocius")
    end = states[-1]
    assert len(states) == 1 + 15
    assert end.ending == Ending.WHITE_WON
    assert " ".join(tile_names(end.board)) == "c2 c3 c4"
    assert " ".join(field_names(0, end.white)) == "c2c c2e c3c c3e c4c c4e"
    assert not end.black
    assert (end.stock_white, end.stock_black) == (0, 0)
    assert states[10].stock_white == 2
    assert states[13].stock_black == 2
    assert not any(state.ending for state in states[:-1])


def test_golden_game_of_laurentius() -> None:
    states = record("laurentius")
    end = states[-1]
    assert len(states) == 1 + 124
    assert end.ending == Ending.BLACK_WON
    removed = [tile for tile in TILE_NAMES if tile not in tile_names(end.board)]
    assert " ".join(removed) == "a1 a3 b3 b4 c1 c4 c5 d1 d4 e1 e2"
    assert not end.white
    assert " ".join(field_names(1, end.black)) == "a2b a2d b1b b1d c2d c3d c3f d2d d3b d3f e3d e3f"
    assert (end.stock_white, end.stock_black) == (0, 1)
    assert not any(state.ending for state in states[:-1])


@pytest.mark.parametrize("name", ["ocius", "laurentius"])
def test_records_are_written_as_they_were_read(name: str) -> None:
    text = (GOLDEN / f"{name}.game").read_text(encoding="utf-8")
    bare = [word.split("*")[0].split("+")[0] for word in text.split()]
    end, annotated = annotate(start(start=name), bare)
    assert annotated == text.split()
    assert end == record(name)[-1]
