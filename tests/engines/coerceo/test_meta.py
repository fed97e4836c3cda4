from __future__ import annotations

from pathlib import Path
from string import Formatter

import pytest

from engines.coerceo.game import GAME
from engines.coerceo.meta import DEFAULTS, INFO
from engines.coerceo.setup import position
from engines.coerceo.state import COST_ONE, CURA, DEAD_POSITION, OCIUS, REPETITION
from engines.coerceo.tables import field_names, tile_names
from engines.kit.no_chance import NO_CHANCE
from tests.engines.coerceo.positions import start

FOLDER = Path(__file__).parents[3] / "engines" / "coerceo"


def test_defaults_are_the_first_values() -> None:
    assert DEFAULTS == {
        "start": "laurentius",
        "exchange_cost": "2",
        "cura": "off",
        "repetition_draw": "on",
        "dead_position_draw": "on",
    }
    assert (INFO.game, INFO.rules, INFO.min_seats, INFO.max_seats) == ("coerceo", "coerceo/1", 2, 2)
    assert INFO.seat_names == ("White", "Black")
    assert not INFO.has_secrets


@pytest.mark.parametrize(
    ("changed", "bits"),
    [
        ({}, REPETITION | DEAD_POSITION),
        ({"start": "ocius"}, OCIUS | REPETITION | DEAD_POSITION),
        ({"exchange_cost": "1"}, COST_ONE | REPETITION | DEAD_POSITION),
        ({"cura": "on"}, CURA | REPETITION | DEAD_POSITION),
        ({"repetition_draw": "off"}, DEAD_POSITION),
        ({"dead_position_draw": "off"}, REPETITION),
    ],
)
def test_options_reach_the_state(changed: dict[str, str], bits: int) -> None:
    assert start(**changed).options == bits


def test_laurentius_has_two_pieces_on_every_tile_but_the_centre() -> None:
    state = start()
    names = field_names(0, state.white) + field_names(1, state.black)
    assert len(field_names(0, state.white)) == len(field_names(1, state.black)) == 18
    counts = {tile: sum(name[:2] == tile for name in names) for tile in tile_names(state.board)}
    assert counts.pop("c3") == 0
    assert len(counts) == 18
    assert set(counts.values()) == {2}
    assert (state.turn, state.stock_white, state.stock_black, state.ply) == (0, 0, 0, 0)


def test_ocius_has_seven_tiles_and_seven_pieces_a_side() -> None:
    state = start(start="ocius")
    assert tile_names(state.board) == ["b2", "b3", "c2", "c3", "c4", "d2", "d3"]
    assert field_names(0, state.white) == ["b3c", "b3e", "c2a", "c2e", "c3c", "d3a", "d3c"]
    assert field_names(1, state.black) == ["b2d", "b2f", "c3f", "c4b", "c4d", "d2b", "d2f"]


@pytest.mark.parametrize("name", ["start", "exchange_cost", "cura", "repetition_draw", "dead_position_draw"])
def test_a_missing_option_is_refused(name: str) -> None:
    with pytest.raises(KeyError, match=name):
        GAME.setup({key: value for key, value in DEFAULTS.items() if key != name}, 2, NO_CHANCE)


@pytest.mark.parametrize(
    ("tiles", "white", "black", "message"),
    [
        ("c9", "", "", "there is no tile c9"),
        ("c3", "c3b", "", "c3b is no field of White"),
        ("c3", "c3a", "c3c", "c3c is no field of Black"),
        ("c3", "c4a", "", "c4a is on a tile that is not there"),
        ("c3", "zzz", "", "zzz is no field of White"),
    ],
)
def test_impossible_positions_are_refused(tiles: str, white: str, black: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        position(tiles.split(), white.split(), black.split())


def test_catalogues_have_the_same_keys_and_placeholders() -> None:
    english, turkish = INFO.catalogues["en"], INFO.catalogues["tr"]
    assert set(english) == set(turkish)
    for key in english:
        names = [{name for _, name, _, _ in Formatter().parse(text) if name} for text in (english[key], turkish[key])]
        assert names[0] == names[1], key
        assert english[key]
        assert turkish[key]


def test_the_folder_holds_what_every_game_has() -> None:
    names = ["meta", "board", "state", "choices", "apply", "outcome", "view", "notation", "text", "perft", "game"]
    assert {f"{name}.py" for name in names} | {"README.md", "locale"} <= {path.name for path in FOLDER.iterdir()}
