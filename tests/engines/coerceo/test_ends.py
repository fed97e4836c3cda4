from __future__ import annotations

import pytest

from engines.coerceo.apply import play
from engines.coerceo.game import GAME
from engines.coerceo.meta import INFO
from engines.coerceo.state import COST_ONE, DEAD_POSITION, Ending
from engines.kit.game import Fact, Outcome, Placement
from engines.kit.no_chance import NO_CHANCE
from tests.engines.coerceo.positions import start, written


def test_the_game_goes_on_at_the_start() -> None:
    state = start()
    assert GAME.outcome(state) is None
    assert GAME.awaited(state) == GAME.may_act(state) == frozenset({0})
    after, facts = GAME.apply(state, 0, "d1e-d1c", NO_CHANCE)
    assert GAME.awaited(after) == GAME.may_act(after) == frozenset({1})
    assert list(facts) == []


@pytest.mark.parametrize(("seat", "winner"), [(0, 1), (1, 0)])
def test_who_leaves_loses(seat: int, winner: int) -> None:
    state, facts = GAME.leave(start(), seat, NO_CHANCE)
    places = [Placement(0, 1 + winner), Placement(1, 2 - winner)]
    assert GAME.outcome(state) == Outcome(tuple(places), "resigned")
    assert GAME.awaited(state) == GAME.may_act(state) == frozenset()
    assert list(facts) == []


def test_leaving_does_not_change_a_finished_game() -> None:
    finished, _ = GAME.leave(start(), 0, NO_CHANCE)
    assert GAME.leave(finished, 1, NO_CHANCE) == (finished, ())


def test_the_last_piece_lost_by_enclosure_loses() -> None:
    state = written("only c3 c4", "c4a c4c c3e", "c3f", "W", "0,0")
    state, _ = play(state, 0, "c3e-c3a")
    assert state.ending == Ending.NONE
    state = written("only c3 c4", "c3a c4c c3c", "c3f", "W", "0,0")
    after, facts = play(state, 0, "c3c-c3e")
    assert after.ending == Ending.WHITE_WON
    assert list(facts) == [Fact("captured", (("field", "c3f"),)), Fact("no_pieces")]
    assert GAME.outcome(after) == Outcome((Placement(0, 1), Placement(1, 2)), "no_pieces")


def test_black_can_win_by_exchange() -> None:
    state = written("only c3 c4", "c4c", "c3f", "B", "0,2")
    after, facts = play(state, 1, "xc4c")
    assert after.ending == Ending.BLACK_WON
    assert [fact.kind for fact in facts] == ["exchanged", "tile_removed", "no_pieces"]
    assert GAME.outcome(after) == Outcome((Placement(0, 2), Placement(1, 1)), "no_pieces")


def test_a_removal_that_leaves_the_other_side_no_action_draws() -> None:
    state = written("only c3 c4", "c3e", "c4b c4d c4f", "W", "0,0")
    after, facts = play(state, 0, "c3e-c4c")
    assert after.ending == Ending.NO_ACTION
    assert [fact.kind for fact in facts] == ["tile_gained", "no_action"]


def test_with_tiles_to_pay_the_other_side_still_has_an_action() -> None:
    state = written("only c3 c4", "c3e", "c4b c4d c4f", "W", "0,2")
    after, _ = play(state, 0, "c3e-c4c")
    assert after.ending == Ending.NONE
    assert {choice.text for choice in GAME.choices(after, 1)} == {"x"}
    one = written("only c3 c4", "c3e", "c4b c4d c4f", "W", "0,1")
    assert play(one, 0, "c3e-c4c")[0].ending == Ending.NO_ACTION
    assert play(one._replace(options=COST_ONE), 0, "c3e-c4c")[0].ending == Ending.NONE


def test_play_into_a_dead_position_draws() -> None:
    state = written("only c3 c4", "c3a", "c4b c4f", "W", "2,0", DEAD_POSITION)
    after, facts = play(state, 0, "xc4b")
    assert after.ending == Ending.DEAD_POSITION
    assert [fact.kind for fact in facts] == ["exchanged", "dead_position"]
    alive = written("only c3 c4", "c3a", "c4b c4f", "W", "2,1", DEAD_POSITION)
    assert play(alive, 0, "xc4b")[0].ending == Ending.NONE
    assert play(state._replace(options=0), 0, "xc4b")[0].ending == Ending.NONE


def test_every_reason_and_fact_has_a_sentence() -> None:
    reasons = {"no_pieces", "resigned", "no_action", "repetition", "dead_position"}
    facts = {"captured", "tile_gained", "tile_removed", "exchanged", "cura"}
    for catalogue in INFO.catalogues.values():
        assert reasons | facts <= set(catalogue)
