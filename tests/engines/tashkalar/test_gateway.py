"""What becomes the Gateway, where it goes, and what removes it (rules §16)."""

from __future__ import annotations

import pytest

from engines.tashkalar.board import NAMED
from engines.tashkalar.cards import BEING
from engines.tashkalar.effects import EFFECTS, resolve
from engines.tashkalar.pieces import C
from engines.tashkalar.run import run
from engines.tashkalar.scene import Scene
from engines.tashkalar.state import State
from tests.engines.tashkalar.table import describe, drawing, position


def played(state: State, move: str) -> str:
    """The Gateway's square after the move."""
    done = run(state, 0, move)
    assert done.request is None
    return str(describe(done.scene.after(), "gateway"))


def nethervoid(board: str, hand: str, gateway: str = "", **given: int) -> State:
    return position(board, deck="nethervoid", hand=hand, gateway=gateway, **given)  # type: ignore[arg-type]


def scene(board: str, gateway: str, seat: int = 0) -> Scene:
    return Scene(nethervoid(board, "", gateway), seat)


def standing(g: Scene) -> str:
    return str(describe(g.after(), "gateway"))


def test_being_summoned_without_a_gateway_becomes_it_before_its_effect() -> None:
    done = run(nethervoid("f5 d6 f6 e7 | e4", "demon-of-wrath"), 0, "S:demon-of-wrath@e5r0")
    assert standing(done.scene) == "e5"
    assert not done.scene.enemy()


def test_common_being_becomes_it_where_there_is_none() -> None:
    assert played(nethervoid("c5 d6", "flame-imp"), "S:flame-imp@e5r0;-") == "e5"


@pytest.mark.parametrize("gateway", ["b2", "Hb2"])
def test_common_being_leaves_a_gateway_where_it_is(gateway: str) -> None:
    assert played(nethervoid(f"c5 d6 {gateway}", "flame-imp", "b2"), "S:flame-imp@e5r0") == "b2"


def test_heroic_being_takes_over_from_a_common_gateway() -> None:
    assert played(nethervoid("d6 b2", "demon-of-sloth", "b2"), "S:demon-of-sloth@e5r0") == "e5"


def test_heroic_being_leaves_a_heroic_gateway_where_it_is() -> None:
    assert played(nethervoid("d6 Hb2", "demon-of-sloth", "b2"), "S:demon-of-sloth@e5r0") == "b2"


@pytest.mark.parametrize("under", ["e5", "He5"])
def test_being_summoned_onto_the_gateway_becomes_it(under: str) -> None:
    assert played(nethervoid(f"d6 {under}", "demon-of-sloth", "e5"), "S:demon-of-sloth@e5r0") == "e5"


def test_common_being_summoned_onto_a_common_gateway_becomes_it() -> None:
    assert played(nethervoid("c5 d6 e5", "flame-imp", "e5"), "S:flame-imp@e5r0;-") == "e5"


def test_being_of_another_school_becomes_none() -> None:
    assert played(position("d6 f6", deck="highland", hand="wild-eagle"), "S:wild-eagle@e5r0;-") == ""


def test_legend_becomes_none() -> None:
    state = nethervoid("Hd6 Hf6 He7 d8 f8", "time-elemental")
    assert played(state, "S:time-elemental@e5r0") == ""


def test_legend_summoned_onto_the_gateway_removes_it() -> None:
    state = nethervoid("Hd6 Hf6 He7 d8 f8 He5", "time-elemental", "e5")
    assert played(state, "S:time-elemental@e5r0") == ""


def test_it_travels_with_its_piece() -> None:
    g = scene("b2", "b2")
    g.move(NAMED["b2"], NAMED["b3"])
    assert standing(g) == "b3"


@pytest.mark.parametrize(("one", "other"), [("b2", "c3"), ("c3", "b2")])
def test_it_travels_when_pieces_change_places(one: str, other: str) -> None:
    g = scene("b2 | c3", "b2")
    g.swap(NAMED[one], NAMED[other])
    assert standing(g) == "c3"


def test_it_stays_on_its_piece_between_common_and_heroic() -> None:
    g = scene("b2", "b2")
    g.upgrade(NAMED["b2"])
    assert standing(g) == "b2"
    g.downgrade(NAMED["b2"])
    assert standing(g) == "b2"


def test_turning_legendary_removes_it() -> None:
    g = scene("Hb2", "b2")
    g.upgrade(NAMED["b2"])
    assert standing(g) == ""


def test_it_stays_when_no_counter_makes_its_piece_legendary() -> None:
    g = scene("Hb2 La5 La6 La7", "b2")
    g.upgrade(NAMED["b2"])
    assert standing(g) == "b2"


def test_destroying_removes_it() -> None:
    g = scene("b2", "b2", seat=1)
    g.destroy(NAMED["b2"])
    assert standing(g) == ""


def test_capturing_removes_it() -> None:
    g = scene("b2 | c3", "b2", seat=1)
    g.move(NAMED["c3"], NAMED["b2"])
    assert standing(g) == ""


def test_converting_removes_it() -> None:
    g = scene("b2", "b2", seat=1)
    assert g.convert(NAMED["b2"])
    assert standing(g) == ""
    assert drawing(g.board) == "| b2"


def test_lifting_it_for_a_place_removes_it() -> None:
    assert played(nethervoid("b2 c3", "", "b2", counters=2), "P:b2>e5") == ""
    assert played(nethervoid("b2 c3", "", "b2", counters=2), "P:c3>e5") == "b2"


def test_being_whose_counter_is_lifted_off_the_gateway_becomes_it() -> None:
    state = nethervoid("c5 d6 b2 b3", "flame-imp", "b2", counters=4)
    assert played(state, "S:flame-imp@e5r0;b2;-") == "e5"


def test_it_is_on_one_square_only() -> None:
    g = scene("b2 c3", "b2")
    g.open_gateway(NAMED["c3"])
    assert standing(g) == "c3"


@pytest.mark.parametrize(
    "card",
    [
        "flame-imp",
        "power-seeker",
        "vortexmaster",
        "demon-of-wrath",
        "demon-of-lust",
        "demon-of-sloth",
        "demon-of-envy",
    ],
)
def test_effects_that_name_it_do_nothing_without_one(card: str) -> None:
    board = "d4 He5 f5 e6 | e4 Hd5"
    g = Scene(nethervoid(board, "", actions=0), 0)
    g.here = NAMED["e5"]
    assert next(resolve(EFFECTS[BEING[card]], g), None) is None
    assert drawing(g.board) == drawing(position(board).board)
    assert not g.told


@pytest.mark.parametrize(("card", "answer"), [("acolyte-of-destruction", "d4"), ("acolyte-of-growth", "b2")])
def test_effects_do_without_it_what_does_not_name_it(card: str, answer: str) -> None:
    g = Scene(nethervoid("d4 He5 f5 | Hd5", ""), 0)
    g.here = NAMED["e5"]
    asking = resolve(EFFECTS[BEING[card]], g)
    assert next(asking) is not None
    with pytest.raises(StopIteration):
        asking.send(NAMED[answer])
    assert g.own(C).bit_count() == (1 if answer == "d4" else 3)
