"""How turns end in each form: points, draws, the end of the game."""

from __future__ import annotations

from typing import Any

import pytest

from engines.kit.game import IllegalMove
from engines.tashkalar.apply import leave
from engines.tashkalar.cards import DECKS, TASK
from engines.tashkalar.game import GAME
from engines.tashkalar.outcome import outcome
from engines.tashkalar.points import tracks
from engines.tashkalar.state import Form, State, Summoned
from tests.engines.tashkalar.table import cards, play, position


def ended(pieces: str = "", *, colours: int = 2, form: Form | None = None, **given: Any) -> State:
    """A position whose seat on turn has no actions left."""
    state = position(pieces, colours=colours, form=form, actions=0, hand=given.pop("hand", ""))
    claimed = given.pop("claimed", ((),) * colours)
    return state._replace(claimed=claimed, improvised=(0,) * colours, **given)


def destroyed(state: State, counts: dict[tuple[int, int], int]) -> State:
    """The same turn with this destroyed, by colour and rank."""
    found = [0] * len(state.board)
    for (colour, rank), count in counts.items():
        found[3 * colour + rank] = count
    return state._replace(turn=state.turn._replace(destroyed=tuple(found)))


def task(key: str) -> int:
    return TASK[key]


def row(keys: str, next_task: str = "isolation", deck: str = "diagonals destruction") -> dict[str, Any]:
    return {
        "tasks": tuple(map(task, keys.split())),
        "next_task": task(next_task),
        "task_deck": tuple(map(task, deck.split())),
    }


@pytest.mark.parametrize(
    ("counts", "legends", "points"),
    [
        ({(1, 0): 1}, 0, 0),
        ({(1, 0): 2}, 0, 1),
        ({(1, 0): 5, (1, 1): 2, (1, 2): 1}, 0, 2 + 2 + 2),
        ({}, 2, 2),
        ({(1, 0): 3}, 1, 2),
    ],
)
def test_a_duel_scores_pairs_heroic_legendary_pieces_and_legends(
    counts: dict[tuple[int, int], int], legends: int, points: int
) -> None:
    state = destroyed(ended(form=Form.DUEL), counts)
    summoned = (*(Summoned(34, 2),) * legends, Summoned(33, 1))
    state = state._replace(turn=state.turn._replace(summoned=summoned))
    assert play(state, "end").scores == ((points,), (0,))


def test_a_melee_scores_by_colour_and_asks_for_the_odd_common() -> None:
    state = destroyed(ended(colours=3), {(1, 0): 3, (2, 0): 1, (2, 1): 1})
    assert play(state, "end;colour-1").scores[0] == (0, 2, 1)
    assert play(state, "end;colour-2").scores[0] == (0, 1, 2)
    with pytest.raises(IllegalMove):
        play(state, "end")


def test_an_odd_common_of_one_colour_is_lost() -> None:
    state = destroyed(ended(colours=3), {(1, 0): 3})
    assert play(state, "end").scores[0] == (0, 1, 0)


def test_a_legend_summoned_in_a_melee_scores_in_a_colour_of_choice() -> None:
    state = ended(colours=4)
    state = state._replace(turn=state.turn._replace(summoned=(Summoned(34, 2),)))
    assert play(state, "end;colour-3").scores[0] == (0, 0, 0, 1)
    assert [choice.text for choice in GAME.choices(state, 0, "end")] == ["end;colour-1", "end;colour-2", "end;colour-3"]


def test_a_task_is_claimed_and_the_next_one_takes_its_place() -> None:
    state = ended("d5 e4 e5 e6 f5", **row("center-cross red-conquest destruction", deck="diagonals devastation"))
    after = play(state, "end;center-cross")
    assert after.claimed == ((task("center-cross"),), ())
    assert after.scores == ((2,), (0,))
    assert after.tasks == (task("isolation"), task("red-conquest"), task("destruction"))
    assert after.next_task == task("devastation")
    assert after.task_deck == (task("diagonals"),)


def test_a_claim_touches_its_task() -> None:
    state = ended("d5 e4 e5 e6 f5", **row("center-cross red-conquest destruction"))
    touched = {choice.text: choice.targets for choice in GAME.choices(state, 0, "end")}
    assert touched == {"end;center-cross": ("task:center-cross",), "end;-": ()}


def test_a_task_need_not_be_claimed() -> None:
    state = ended("d5 e4 e5 e6 f5", **row("center-cross red-conquest destruction"))
    after = play(state, "end;-")
    assert after.scores == ((0,), (0,))
    assert after.tasks == state.tasks


def test_a_next_task_that_makes_three_of_a_type_goes_under_the_deck() -> None:
    given = row("center-cross destruction devastation", "red-conquest", "isolation diagonals heroic-destruction")
    after = play(ended("d5 e4 e5 e6 f5", **given), "end;center-cross")
    assert after.tasks == (task("red-conquest"), task("destruction"), task("devastation"))
    assert after.next_task == task("diagonals")
    assert after.task_deck == (task("heroic-destruction"), task("isolation"))
    assert after.buried == 1


def test_hands_are_filled_up_and_extra_cards_come_on_top() -> None:
    state = ended(hand="herald knight titan")
    state = state._replace(turn=state.turn._replace(extra=(1, 1, 0)))
    mine = play(state, "end").players[0]
    assert (len(mine.beings), len(mine.legends), len(mine.flares)) == (4, 3, 1)


def test_a_hand_above_the_standard_is_kept() -> None:
    state = ended(hand="herald knight bomb cannon titan")
    mine = play(state, "end").players[0]
    assert mine.beings == tuple(sorted(cards("herald bomb cannon knight")))
    assert len(mine.deck) == 14


def test_a_pending_being_counts_for_the_hand() -> None:
    state = position(deck="etherweave", pending="paradox-worm", actions=0)._replace(claimed=((), ()))
    mine = play(state, "end").players[0]
    assert len(mine.beings) == 2


def test_an_empty_flare_deck_is_made_of_its_discard_pile() -> None:
    state = ended(flares=(), flare_discards=(3, 7))
    after = play(state, "end")
    assert after.flare_discards == ()
    assert {*after.flares, *after.players[0].flares} == {3, 7}


def test_a_flare_deck_whose_last_card_goes_lies_empty_until_a_card_is_wanted() -> None:
    after = play(ended(flares=(5,), flare_discards=(3, 7)), "end")
    assert (after.players[0].flares, after.flares, after.flare_discards) == ((5,), (), (3, 7))


def test_school_decks_are_not_shuffled_anew() -> None:
    state = ended()
    mine = state.players[0]._replace(deck=mine_deck(2), discards=DECKS["imperial"][2:])
    after = play(state._replace(players=(mine, state.players[1])), "end")
    assert len(after.players[0].beings) == 2
    assert after.players[0].deck == ()


def mine_deck(size: int) -> tuple[int, ...]:
    return DECKS["imperial"][:size]


def with_deck(state: State, seat: int, size: int) -> State:
    players = list(state.players)
    players[seat] = players[seat]._replace(deck=mine_deck(size), discards=DECKS["imperial"][size:])
    return state._replace(players=tuple(players))


def finished(state: State) -> State:
    """The turn with all actions done, whatever it was."""
    return state._replace(turn=state.turn._replace(actions=0))


def test_after_the_last_card_everybody_has_one_more_turn() -> None:
    state = play(with_deck(ended(), 0, 3), "end")
    assert (state.last, state.cause, state.over) == (0, "deck", "")
    state = play(finished(state), "end")
    assert state.turn.seat == 0
    assert not state.over
    state = play(finished(state), "end")
    assert state.over == "deck"
    assert GAME.may_act(state) == frozenset()


@pytest.mark.parametrize(
    ("form", "colours", "limit"),
    [(Form.HIGH, 2, 9), (Form.DUEL, 2, 18), (Form.MELEE, 3, 12), (Form.MELEE, 4, 10)],
)
def test_points_begin_the_end_for_either_side(form: Form, colours: int, limit: int) -> None:
    width = colours if form is Form.MELEE else 1
    for points, begins in ((limit - 1, False), (limit, True)):
        for side in range(colours):
            scores = [(0,) * width] * colours
            scores[side] = (points, *(0,) * (width - 1)) if side else (0,) * (width - 1) + (points,)
            state = play(ended(colours=colours, form=form, scores=tuple(scores)), "end")
            assert (state.last == 0) is begins


def test_legendary_pieces_count_and_pending_beings_cost_in_the_high_form() -> None:
    state = ended("Le5 Ld4", scores=((7,), (0,)))
    assert tracks(state, 0) == (9,)
    assert play(state, "end").last == 0
    mine = state.players[0]._replace(pending=DECKS["etherweave"][0])
    state = state._replace(players=(mine, state.players[1]))
    assert tracks(state, 0) == (7,)
    assert play(state, "end").last == -1


def test_the_end_stands_when_points_fall_again() -> None:
    state = play(ended("Le5", scores=((8,), (0,))), "end")
    state = finished(state._replace(board=(0,) * 6))
    state = finished(play(state, "end"))
    assert play(state, "end").over == "points"


def test_the_first_game_ends_at_six_points_at_once() -> None:
    state = play(ended(form=Form.FIRST, scores=((6,), (0,))), "end")
    assert state.over == "points"


def test_an_additional_turn_comes_before_the_end_is_looked_for() -> None:
    state = with_deck(ended(), 0, 3)
    state = play(state._replace(turn=state.turn._replace(again=1)), "end")
    assert (state.turn.seat, state.turn.actions, state.turn.again, state.last) == (0, 2, 0, -1)
    state = play(finished(state), "end")
    assert (state.turn.seat, state.last, state.cause) == (1, 0, "deck")


def test_the_next_turn_lacks_the_actions_that_were_taken_from_it() -> None:
    state = play(ended(fewer=(0, 1)), "end")
    assert (state.turn.actions, state.fewer) == (1, (0, 0))


def test_actions_must_be_used() -> None:
    state = position("e5")._replace(claimed=((), ()))
    with pytest.raises(IllegalMove, match="2 actions are left"):
        play(state, "end")


def test_more_points_win_and_ties_go_to_upgraded_pieces_then_to_pieces() -> None:
    for pieces, scores, places in (
        ("", ((3,), (2,)), [1, 2]),
        ("He5 | a5 b5", ((3,), (3,)), [1, 2]),
        ("e5 | a5 b5", ((3,), (3,)), [2, 1]),
        ("e5 | a5", ((3,), (3,)), [1, 1]),
    ):
        found = outcome(ended(pieces, scores=scores, over="points"))
        assert found is not None
        assert [placement.place for placement in found.placements] == places


def test_a_melee_compares_the_lowest_colours_first() -> None:
    scores = ((0, 4, 4), (3, 0, 9), (4, 5, 0))
    found = outcome(ended(colours=3, scores=scores, over="points"))
    assert found is not None
    assert [(placement.place, placement.score) for placement in found.placements] == [(2, 4), (3, 3), (1, 4)]


def test_who_leaves_a_two_sided_game_loses() -> None:
    state, facts = leave(ended(scores=((9,), (0,))), 0)
    found = outcome(state)
    assert found is not None
    assert found.reason == "resigned"
    assert [placement.place for placement in found.placements] == [2, 1]
    assert [fact.kind for fact in facts] == ["left"]


def test_a_melee_goes_on_without_who_has_left() -> None:
    state = ended("e5 | d4 | c3", colours=3)
    assert not GAME.may_resign(state)
    state, _ = leave(state, 1)
    assert state.board == ended("e5 | d4 | c3", colours=3).board
    state = play(state, "end")
    assert state.turn.seat == 2
    state, _ = leave(state, 2)
    found = outcome(state)
    assert found is not None
    assert [placement.place for placement in found.placements] == [1, 2, 2]


def test_a_melee_ends_although_the_seat_with_the_last_turn_has_left() -> None:
    state = play(ended(colours=3, scores=((0, 12, 0), (0,) * 3, (0,) * 3)), "end")
    assert state.last == 0
    state, _ = leave(state, 0)
    state = finished(play(finished(state), "end"))
    assert play(state, "end").over == "points"
