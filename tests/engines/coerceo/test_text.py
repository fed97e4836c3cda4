from __future__ import annotations

import pytest
from hamle.coerceo.v1 import coerceo_pb2 as pb
from hamle.event.v1 import event_pb2

from engines.coerceo.apply import leave, play
from engines.coerceo.board import FIELDS, NAMED_FIELDS
from engines.coerceo.game import GAME
from engines.coerceo.state import State
from engines.coerceo.text import grid_place
from engines.kit.game import PUBLIC
from tests.engines.coerceo import reference
from tests.engines.coerceo.positions import GOLDEN, random_game, record, start, written


def text(state: State, language: str = "en") -> str:
    return GAME.text(GAME.view(state, PUBLIC), PUBLIC, language)


def repeated() -> State:
    state = start(start="ocius")
    for move in ["b3e-b3a", "b2d-b2b", "b3a-b3e", "b2b-b2d"]:
        state, _ = play(state, state.turn, move)
    return state


SNAPSHOTS = {
    "laurentius.en": lambda: text(start()),
    "laurentius.tr": lambda: text(start(), "tr"),
    "ocius.en": lambda: text(start(start="ocius", exchange_cost="1")),
    "midgame.en": lambda: text(record("laurentius", cura="on")[60]),
    "midgame.tr": lambda: text(record("laurentius", cura="on")[61], "tr"),
    "won.en": lambda: text(record("ocius", cura="on")[-1]),
    "won.tr": lambda: text(record("laurentius", cura="on")[-1], "tr"),
    "left.en": lambda: text(leave(start(start="ocius"), 0)),
    "draw.en": lambda: text(written("only c3", "c3a c3c c3e", "c3f", "W", "1,0")),
    "draw.tr": lambda: text(written("only c3", "c3a c3c c3e", "c3f", "W", "1,0"), "tr"),
    "repeated.en": lambda: text(repeated()),
    "cura.en": lambda: text(play(written("all", "a3a c1c c3a c4c d3e", "c3f e3f", "W", "0,0", 4), 0, "d3e-d3c")[0]),
}


@pytest.mark.parametrize("name", list(SNAPSHOTS))
def test_snapshot(name: str) -> None:
    assert SNAPSHOTS[name]() == (GOLDEN / "text" / f"{name}.txt").read_text(encoding="utf-8")


def test_every_snapshot_is_tested() -> None:
    assert {path.name for path in (GOLDEN / "text").iterdir()} == {f"{name}.txt" for name in SNAPSHOTS}


def test_places_are_those_of_the_grid_form() -> None:
    for name, (colour, number) in NAMED_FIELDS.items():
        assert grid_place(FIELDS[colour][number]) == reference.CELL[name]


@pytest.mark.parametrize("seed", range(3))
def test_every_field_on_the_board_is_named_and_every_piece_drawn(seed: int) -> None:
    for state, _ in random_game(seed, 400)[::40]:
        view = GAME.view(state, PUBLIC)
        assert isinstance(view, pb.View)
        picture = text(state)
        board = picture.split("\n\n")[0]
        tiles = view.tiles.split()
        for name in NAMED_FIELDS:
            assert board.count(name) == (name[:2] in tiles)
        assert board.count("()") == len(view.white.split())
        assert board.count("##") == len(view.black.split())
        assert max(len(line) for line in picture.splitlines()) <= 100


def test_a_piece_is_drawn_beside_the_name_of_its_field() -> None:
    lines = text(written("all", "c3a", "e3f", "W", "0,0")).splitlines()
    (row,) = [at for at, line in enumerate(lines) if "c3a" in line]
    assert lines[row - 1][lines[row].index("c3a") + 1 :][:2] == "()"
    (row,) = [at for at, line in enumerate(lines) if "e3f" in line]
    assert lines[row + 1][lines[row].index("e3f") + 1 :][:2] == "##"


def test_a_language_without_a_catalogue_gets_english() -> None:
    assert text(start(), "de") == text(start(), "en")


def test_a_view_of_another_game_is_refused() -> None:
    with pytest.raises(ValueError, match="no view of Coerceo"):
        GAME.text(event_pb2.Event(), PUBLIC, "en")
