"""The end of the game in each form, ties, and what can be taken back (rules §10, §12, §15, §16)."""

from __future__ import annotations

from typing import Any

import pytest

from core.fairness.draw import SeededDraw
from engines.kit.options import full_options
from engines.tashkalar.cards import DECKS, TASK
from engines.tashkalar.game import GAME
from engines.tashkalar.outcome import outcome
from engines.tashkalar.points import end_reached, total, tracks
from engines.tashkalar.state import Form, State, Summoned, with_item
from tests.engines.tashkalar.table import SEED, cards, play, position

PENDING = DECKS["etherweave"][0]


def at_end(pieces: str = "", *, colours: int = 2, form: Form | None = None, **given: Any) -> State:
    """A position whose seat on turn has no actions left."""
    state = position(pieces, colours=colours, form=form, actions=0)
    return state._replace(claimed=((),) * colours, **given)


def of_form(form: str, seats: int) -> State:
    """A match of this form past its opening; seat 0 is on turn without actions."""
    state = GAME.setup(full_options(GAME.info, {"form": form, "first": "seat_0"}), seats, SeededDraw(SEED, 1))
    return state._replace(setter=-1, turn=state.turn._replace(actions=0))


def turns_until_over(state: State) -> list[int]:
    """The seats that have turns, up to the end; none of them does anything."""
    seats = []
    while not state.over:
        seats.append(state.turn.seat)
        state = play(state._replace(turn=state.turn._replace(actions=0)), "end")
        assert len(seats) < 20
    return seats


def with_pending(state: State, *seats: int) -> State:
    for seat in seats:
        player = state.players[seat]._replace(pending=PENDING)
        state = state._replace(players=with_item(state.players, seat, player))
    return state


@pytest.mark.parametrize(
    ("form", "seats", "points"),
    [("high", 2, 9), ("duel", 2, 18), ("high", 4, 9), ("duel", 4, 18), ("melee", 3, 12), ("melee", 4, 10)],
)
def test_each_seat_has_one_more_turn_and_who_triggered_the_end_the_last(form: str, seats: int, points: int) -> None:
    start = of_form(form, seats)
    width = len(start.scores[0])
    for on_turn in range(seats):
        scores = ((0,) * (width - 1) + (points,), *start.scores[1:])
        state = start._replace(turn=start.turn._replace(seat=on_turn), scores=scores)
        order = [(on_turn + after) % seats for after in range(1, seats + 1)]
        assert turns_until_over(state) == [on_turn, *order]


@pytest.mark.parametrize(("form", "points"), [("high", 9), ("duel", 18)])
def test_teams_end_by_the_points_of_the_team(form: str, points: int) -> None:
    state = of_form(form, 4)
    assert not end_reached(state._replace(scores=((points - 1,), (points - 1,))))
    assert end_reached(state._replace(scores=((0,), (points,))))


def test_a_second_trigger_changes_nothing() -> None:
    state = at_end(colours=3, scores=((0, 12, 0), (0,) * 3, (0,) * 3))
    state = play(state, "end")
    player = state.players[1]._replace(deck=DECKS["imperial"][:2], beings=())
    state = state._replace(
        players=with_item(state.players, 1, player), scores=((0,) * 3,) * 3, turn=state.turn._replace(actions=0)
    )
    state = play(state, "end")
    assert (state.last, state.cause, state.over) == (0, "points", "")
    assert turns_until_over(state) == [2, 0]


def test_an_additional_turn_is_taken_in_the_last_turn_too() -> None:
    state = at_end("Ld4", last=0, cause="deck")
    state = play(state._replace(turn=state.turn._replace(again=1)), "end")
    assert (state.turn.seat, state.turn.actions, state.over) == (0, 2, "")
    assert play(state._replace(turn=state.turn._replace(actions=0)), "end").over == "deck"


def test_an_additional_turn_can_bring_the_points_below_the_end_before_it_is_looked_for() -> None:
    state = at_end("Ld4", scores=((8,), (0,)))
    state = play(state._replace(turn=state.turn._replace(again=1)), "end")
    state = state._replace(board=(0,) * 6, turn=state.turn._replace(actions=0))
    assert play(state, "end").last == -1


def test_a_turn_that_lacks_more_actions_than_it_has_has_none() -> None:
    state = play(at_end(fewer=(0, 3)), "end")
    assert state.turn.actions == 0
    assert [choice.text for choice in GAME.choices(state, 1)] == ["end"]


def test_the_first_game_ends_at_six_points_or_the_last_card_and_not_before() -> None:
    for scores, over in ((((5,), (5,)), ""), (((6,), (0,)), "points"), (((0,), (6,)), "points")):
        assert play(at_end(form=Form.FIRST, scores=scores), "end").over == over
    assert play(at_end("Le5", form=Form.FIRST, scores=((5,), (0,))), "end").over == "points"
    for size, over in ((3, "deck"), (4, "")):
        state = at_end(form=Form.FIRST)
        mine = state.players[0]._replace(deck=DECKS["imperial"][:size])
        after = play(state._replace(players=with_item(state.players, 0, mine)), "end")
        assert after.over == over
        assert (len(after.players[0].beings), len(after.players[0].flares)) == (3, 1)
        assert after.players[0].legends == ()


def test_a_card_that_is_not_the_last_does_not_begin_the_end_and_an_extra_card_can() -> None:
    for size, extra, begins in ((3, 0, True), (4, 0, False), (4, 1, True)):
        state = at_end()
        mine = state.players[0]._replace(deck=DECKS["imperial"][:size])
        turn = state.turn._replace(extra=(extra, 0, 0))
        after = play(state._replace(players=with_item(state.players, 0, mine), turn=turn), "end")
        assert (after.last == 0) is begins


@pytest.mark.parametrize(("form", "seats", "cost"), [("high", 2, 2), ("duel", 2, 2), ("high", 4, 4), ("duel", 4, 4)])
def test_a_being_that_is_still_pending_costs_two_points(form: str, seats: int, cost: int) -> None:
    state = of_form(form, seats)._replace(scores=((9,), (0,)))
    assert total(with_pending(state, *range(0, seats, 2)), 0) == 9 - cost
    assert total(with_pending(state, 1), 0) == 9


def test_a_pending_being_costs_two_points_in_every_colour_of_a_melee() -> None:
    state = with_pending(of_form("melee", 4)._replace(scores=((0, 11, 3, 5), *((0,) * 4,) * 3)), 0)
    assert tracks(state, 0) == (9, 1, 3)
    assert not end_reached(state)
    assert end_reached(with_pending(state._replace(scores=((0, 12, 0, 0), *((0,) * 4,) * 3)), 0))


def places(state: State) -> list[int]:
    found = outcome(state._replace(over="points"))
    assert found is not None
    return [placement.place for placement in found.placements]


@pytest.mark.parametrize(
    ("scores", "pieces", "wanted"),
    [
        (((0, 2, 5, 5), (2, 0, 4, 9), (2, 4, 0, 8), (1, 9, 9, 0)), "", [1, 2, 3, 4]),
        (((0, 2, 4, 5), (2, 0, 4, 5), (2, 5, 0, 4), (2, 4, 5, 0)), "a5 | Hb5 | Hc5 d5 | He5", [4, 2, 1, 2]),
    ],
)
def test_ties_of_a_melee_go_to_the_second_and_third_colour_then_to_pieces(
    scores: tuple[tuple[int, ...], ...], pieces: str, wanted: list[int]
) -> None:
    assert places(at_end(pieces, colours=4, scores=scores)) == wanted


def test_legendary_pieces_count_as_points_in_the_high_form_only() -> None:
    for form, wanted in ((Form.HIGH, 5), (Form.DUEL, 3), (Form.FIRST, 5)):
        assert total(at_end("Le5 Ld5 He4 | Le6", form=form, scores=((3,), (0,))), 0) == wanted


def test_own_pieces_that_are_destroyed_bring_nothing() -> None:
    for colours, form in ((2, Form.DUEL), (3, Form.MELEE)):
        state = at_end(colours=colours, form=form)
        turn = state.turn._replace(destroyed=(4, 4, 2, *(0,) * (3 * colours - 3)))
        after = play(state._replace(turn=turn), "end")
        assert after.scores == state.scores


def test_a_teams_duel_scores_for_the_team() -> None:
    state = of_form("duel", 4)
    state = state._replace(turn=state.turn._replace(seat=3, destroyed=(2, 1, 1, 0, 0, 0), summoned=(Summoned(34, 2),)))
    assert play(state, "end").scores == ((0,), (1 + 1 + 2 + 1,))


def test_odd_commons_of_three_colours_bring_one_point_in_one_of_them() -> None:
    state = at_end(colours=4)
    state = state._replace(turn=state.turn._replace(destroyed=(0, 0, 0, 1, 0, 0, 3, 0, 0, 5, 0, 0)))
    assert [play(state, f"end;colour-{colour}").scores[0] for colour in (1, 2, 3)] == [
        (0, 1, 1, 2),
        (0, 0, 2, 2),
        (0, 0, 1, 3),
    ]


def test_an_even_colour_is_not_offered_the_point_for_odd_commons() -> None:
    state = at_end(colours=4)
    state = state._replace(turn=state.turn._replace(destroyed=(0, 0, 0, 1, 0, 0, 2, 0, 0, 1, 0, 0)))
    assert [choice.text for choice in GAME.choices(state, 0, "end")] == ["end;colour-1", "end;colour-3"]


def test_tracks_of_a_melee_are_not_capped() -> None:
    state = at_end(colours=3, scores=((0, 30, 11), (0,) * 3, (0,) * 3))
    state = state._replace(turn=state.turn._replace(destroyed=(0, 0, 0, 0, 3, 0, 0, 0, 1)))
    assert play(state, "end").scores[0] == (0, 33, 13)


def test_one_task_a_turn_is_claimed_and_only_one_that_lies_open() -> None:
    pieces = "d4 He4 f4 d5 He5 f5 d6 e6 f6"
    row = tuple(TASK[key] for key in ("center-cross", "central-dominance", "destruction"))
    state = at_end(pieces, tasks=row, next_task=TASK["line-dominance"], task_deck=(TASK["isolation"],))
    assert [choice.text for choice in GAME.choices(state, 0, "end")] == [
        "end;center-cross",
        "end;central-dominance",
        "end;-",
    ]
    after = play(state, "end;central-dominance")
    assert (after.turn.seat, len(after.claimed[0])) == (1, 1)


@pytest.mark.parametrize(("top", "next_task"), [("isolation", "destruction"), ("diagonals", "diagonals")])
def test_the_types_are_counted_after_the_next_task_has_moved_into_the_row(top: str, next_task: str) -> None:
    row = tuple(TASK[key] for key in ("center-cross", "side-chain", "imprisonment"))
    deck = (TASK["destruction"], TASK[top])
    state = at_end("d4 f4 e5 d6 f6", tasks=row, next_task=TASK["envelopment"], task_deck=deck)
    after = play(state, "end;center-cross")
    assert after.tasks == (TASK["envelopment"], *row[1:])
    assert after.next_task == TASK[next_task]


def test_the_last_tasks_are_claimed_without_others_taking_their_place() -> None:
    row = tuple(TASK[key] for key in ("center-cross", "destruction"))
    state = at_end("d4 f4 e5 d6 f6", tasks=row)
    after = play(state, "end;center-cross")
    assert (after.tasks, after.next_task, after.task_deck) == (row[1:], -1, ())


def barred(before: State, move: str) -> bool:
    return GAME.barrier(before, play(before, move))


def test_moves_of_a_turn_can_be_taken_back_and_its_end_cannot() -> None:
    state = position("e4 e6 | d4 Hc1 Hd1 He1", hand="swordmaster herald flare-1")._replace(claimed=((), ()))
    for move in ("P:a5", "S:swordmaster@e5r0;d4", "D:herald;swordmaster;-", "F:flare-1;a5"):
        assert not barred(state, move)
    assert not barred(position("d4 e4", deck="etherweave", hand="translocationist"), "W:translocationist")
    assert not barred(position("e6", deck="everfrost", frozen="ice-princess"), "T:ice-princess;e6e5")
    assert barred(at_end(), "end")
    assert barred(at_end()._replace(turn=at_end().turn._replace(again=1)), "end")


def test_passing_control_cannot_be_taken_back_even_where_no_action_is_left_for_the_partner() -> None:
    state = of_form("high", 4)
    state = state._replace(turn=state.turn._replace(actions=2))
    assert barred(state, "pass")
    lost = state._replace(lost=(17, 0, 0, 0))
    after = play(lost, "pass")
    assert (after.actor(), after.turn.actions) == (0, 0)
    assert GAME.barrier(lost, after)


@pytest.mark.parametrize(("form", "seats", "may"), [("high", 2, True), ("duel", 4, True), ("melee", 3, False)])
def test_resigning_is_for_two_sides(form: str, seats: int, may: bool) -> None:
    assert GAME.may_resign(of_form(form, seats)) is may


def test_a_hand_of_the_first_game_has_no_discard_action() -> None:
    state = position("a5", hand="herald", form=Form.FIRST)
    assert [choice.text for choice in GAME.choices(state, 0)] == ["P:"]
    assert state.players[0].beings == cards("herald")
