"""The rules know no direction: turned or mirrored games go the same way."""

from __future__ import annotations

import pytest

from engines.coerceo.apply import play
from engines.coerceo.board import FIELD_NUMBER, FIELDS, NAMED_FIELDS, TILE_NAMES, Field, colour_of, field_name
from engines.coerceo.setup import position
from engines.coerceo.state import State
from engines.coerceo.tables import field_names, tile_names
from tests.engines.coerceo.positions import random_game, start


def turned(field: Field) -> Field:
    """Clockwise by 60 degrees: black fields become white ones."""
    return Field(field.x + field.y, -field.x, (field.f + 1) % 6)


def mirrored(field: Field) -> Field:
    """Left and right change places, colours stay."""
    return Field(-field.x, field.x + field.y, -field.f % 6)


def names(transform: object) -> dict[str, str]:
    assert callable(transform)
    table = {name: field_name(transform(FIELDS[colour][number])) for name, (colour, number) in NAMED_FIELDS.items()}
    return table | {name[:2]: other[:2] for name, other in table.items()}


TURN, MIRROR = names(turned), names(mirrored)


def image(state: State, table: dict[str, str], swap: bool) -> State:
    pieces = [[table[name] for name in field_names(colour, (state.white, state.black)[colour])] for colour in (0, 1)]
    stock = (state.stock_white, state.stock_black)
    return position(
        [table[name] for name in tile_names(state.board)],
        pieces[1 if swap else 0],
        pieces[0 if swap else 1],
        turn=state.turn ^ swap,
        stock=(stock[1], stock[0]) if swap else stock,
        ply=state.ply,
        options=state.options,
    )


def moved(move: str, table: dict[str, str]) -> str:
    if move[0] == "x":
        return "x" + table[move[1:]]
    return f"{table[move[:3]]}-{table[move[4:]]}"


def test_a_turn_swaps_the_colours_and_a_mirror_keeps_them() -> None:
    for field in FIELD_NUMBER:
        assert colour_of(turned(field)) == 1 - colour_of(field)
        assert colour_of(mirrored(field)) == colour_of(field)
    assert {TURN[name] for name in TILE_NAMES} == set(TILE_NAMES)


def test_laurentius_is_its_own_image() -> None:
    state = start()
    turned_once = image(state, TURN, True)
    assert (turned_once.white, turned_once.black, turned_once.turn) == (state.white, state.black, 1)
    twice = image(turned_once, TURN, True)
    assert (twice.white, twice.black, twice.turn) == (state.white, state.black, 0)
    reflected = image(state, MIRROR, False)
    assert (reflected.white, reflected.black) == (state.white, state.black)


@pytest.mark.parametrize(("table", "swap"), [(TURN, True), (MIRROR, False)], ids=["turned", "mirrored"])
@pytest.mark.parametrize("name", ["laurentius", "ocius"])
@pytest.mark.parametrize("seed", range(3))
def test_the_image_of_a_game_is_the_game_of_the_images(table: dict[str, str], swap: bool, name: str, seed: int) -> None:
    steps = random_game(seed, 500, start=name, cura="on")
    other = image(steps[0][0], table, swap)
    for state, move in steps:
        after, facts = play(state, state.turn, move)
        other, other_facts = play(other, other.turn, moved(move, table))
        expected = image(after, table, swap)
        assert other[:7] == expected[:7]
        assert other.occurrences == after.occurrences
        assert other.cura == after.cura
        assert sorted((fact.kind, table[value]) for fact in facts for _, value in fact.parameters) == sorted(
            (fact.kind, value) for fact in other_facts for _, value in fact.parameters
        )
