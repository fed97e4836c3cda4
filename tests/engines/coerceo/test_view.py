from __future__ import annotations

import pytest
from hamle.coerceo.v1 import coerceo_pb2 as pb
from hamle.event.v1 import event_pb2

from engines.coerceo.apply import leave
from engines.coerceo.board import FIELD_NAMES
from engines.coerceo.game import GAME
from engines.kit.game import EVERYBODY, PUBLIC
from engines.kit.no_chance import NO_CHANCE
from tests.engines.coerceo.positions import random_game, start, written


def test_the_start_as_everybody_sees_it() -> None:
    assert GAME.view(start(), PUBLIC) == pb.View(
        options=pb.Options(start=pb.START_LAURENTIUS, exchange_cost=2, repetition_draw=True, dead_position_draw=True),
        tiles="a1 a2 a3 b1 b2 b3 b4 c1 c2 c3 c4 c5 d1 d2 d3 d4 e1 e2 e3",
        white="a1a a1c a2c b1a b2a b2c b4e c4a c4e c5a c5e d1e d2c d2e d4a e1c e1e e2c",
        black="a2f a3b a3f b1d b3b b3f b4b c1b c1d c2b c2d d1b d3d d3f d4d e2f e3d e3f",
        stock=[0, 0],
        occurrences=1,
    )


def test_options_are_shown() -> None:
    view = GAME.view(
        start(start="ocius", exchange_cost="1", cura="on", repetition_draw="off", dead_position_draw="off"), 0
    )
    assert isinstance(view, pb.View)
    assert view.options == pb.Options(start=pb.START_OCIUS, exchange_cost=1, cura=True)
    assert view.occurrences == 0


def test_a_position_in_play_is_shown() -> None:
    state = written("all", "a3a c1c c3a c4c d3e e1c", "a1b c3f c5f e3f", "B", "3,1")._replace(ply=7, cura=True)
    view = GAME.view(state, 1)
    assert isinstance(view, pb.View)
    assert (view.white, view.black) == ("a3a c1c c3a c4c d3e e1c", "a1b c3f c5f e3f")
    assert (list(view.stock), view.turn, view.ply, view.cura) == ([3, 1], 1, 7, True)


def test_the_path_is_two_bytes_a_move() -> None:
    state, _ = GAME.apply(start(), 0, "d1e-d1c", NO_CHANCE)
    view = GAME.view(state, PUBLIC)
    assert isinstance(view, pb.View)
    assert view.path == bytes((FIELD_NAMES[0].index("d1e"), FIELD_NAMES[0].index("d1c")))


def test_all_audiences_see_the_same() -> None:
    state = start()
    assert GAME.view(state, 0) == GAME.view(state, 1) == GAME.view(state, PUBLIC) == GAME.view(state, EVERYBODY)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("switch", ["on", "off"])
def test_a_view_determines_the_state(seed: int, switch: str) -> None:
    name = "ocius" if seed % 2 else "laurentius"
    steps = random_game(seed, 400, start=name, cura=switch, repetition_draw=switch, exchange_cost=str(1 + seed // 2))
    last, move = steps[-1]
    states = [state for state, _ in steps] + [GAME.apply(last, last.turn, move, NO_CHANCE)[0]]
    for state in states + [leave(state, seat) for state in states[::20] for seat in (0, 1)]:
        view = pb.View.FromString(GAME.view(state, PUBLIC).SerializeToString(deterministic=True))
        assert GAME.imagine(view, PUBLIC, NO_CHANCE) == state


def test_views_are_fresh_messages() -> None:
    first = GAME.view(start(), PUBLIC)
    first.Clear()
    assert GAME.view(start(), PUBLIC) != first


@pytest.mark.parametrize(
    "view",
    [
        pb.View(),
        pb.View(stock=[0, 0], white="c3a"),
        pb.View(stock=[0, 0], tiles="c3 z9"),
        pb.View(stock=[0, 0], tiles="c3", white="c3b"),
        pb.View(stock=[0, 0], tiles="c3", path=b"ab"),
        pb.View(stock=[0, 0], tiles="c3", options=pb.Options(repetition_draw=True), path=b"a"),
        pb.View(stock=[0, 0], tiles="c3", options=pb.Options(repetition_draw=True), path=b"\0\0"),
        event_pb2.Event(),
    ],
)
def test_a_view_that_no_state_gives_is_refused(view: pb.View) -> None:
    with pytest.raises(ValueError):
        GAME.imagine(view, PUBLIC, NO_CHANCE)


def test_moves_are_read_as_they_are() -> None:
    assert GAME.redact(start(), 0, "d1e-d1c", PUBLIC) == "d1e-d1c"
