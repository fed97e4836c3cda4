"""The turn of rules §4, the ends of §6 and §7, the variants of §8."""

from __future__ import annotations

import pytest

from engines.battleline.cards import ALL_TROOPS
from engines.battleline.game import GAME
from engines.battleline.state import Front, Rules, State, Step
from engines.kit.game import IllegalMove
from tests.engines.battleline.table import all_moves, cards, draw, first_parts, front, play, position, refused, tell


def closed(*kept: int, owner: int = 1) -> dict[int, Front]:
    """All flags claimed by turns, so that nobody has won, but the kept ones."""
    return {flag: front(owner=(flag // 2 + owner) % 2) for flag in range(1, 10) if flag not in kept}


def test_the_first_turn_has_63_troop_actions() -> None:
    state = position()
    assert len(all_moves(state)) == 63
    assert "pass" not in all_moves(state)


def test_a_turn_is_play_then_draw() -> None:
    state = position(hands=("R1", ""))
    assert state.step is Step.PLAY
    state = play(state, "R1@1")
    assert state.step is Step.CLOSE
    assert first_parts(state) == ["draw:troop", "draw:tactic"]
    state = play(state, "draw:tactic")
    assert state.turn == 1
    assert len(state.hands[0]) == 7


def test_claims_come_between_play_and_draw_one_after_another() -> None:
    flags = {1: front("R8 R9 R10"), 5: front("O8 O9")}
    state = position(flags, ("O10", ""))
    assert "cannot come now" in refused(state, "claim:1").what
    state = play(state, "O10@5")
    assert first_parts(state) == ["claim:1", "claim:5", "draw:troop", "draw:tactic"]
    state = play(state, "claim:5", "claim:1", "draw:troop")
    assert [state.fronts[flag].owner for flag in (0, 4)] == [0, 0]


def test_a_draw_is_never_left_out() -> None:
    state = play(position(hands=("R1", "")), "R1@1")
    assert "hand is below 7" in refused(state, "done").what


def test_with_one_deck_empty_the_other_is_drawn_from() -> None:
    state = play(position(hands=("R1", ""), decks=(0, 3)), "R1@1")
    assert first_parts(state) == ["draw:tactic"]
    assert "troop deck is empty" in refused(state, "draw:troop").what


def test_with_both_decks_empty_the_game_goes_on_without_drawing() -> None:
    state = play(position(hands=("R1", ""), decks=(0, 0)), "R1@1")
    assert state.turn == 1
    assert len(state.hands[0]) == 6


def test_with_both_decks_empty_a_claim_step_is_closed_by_done() -> None:
    state = play(position({1: front("R8 R9 R10")}, ("R1", ""), decks=(0, 0)), "R1@2")
    assert first_parts(state) == ["claim:1", "done"]
    assert play(state, "done").turn == 1


def test_a_hand_without_troops_may_pass_or_play_tactics() -> None:
    state = position(hands=("FOG MUD DES TRA RDP SCT CAV", ""), played=(0, 0))
    assert {"pass", "FOG@1", "CAV@9", "SCT"} <= set(all_moves(state))


def test_a_player_who_holds_a_troop_he_can_play_may_choose_a_tactics_card_but_not_pass() -> None:
    state = position(hands=("FOG R1", ""))
    moves = all_moves(state)
    assert "FOG@1" in moves
    assert "pass" not in moves


def test_a_troop_without_a_slot_anywhere_is_refused_with_what_can_be_done_instead() -> None:
    flags = closed(5) | {5: front("R2 R3 R4")}
    found = refused(position(flags, ("R1", "")), "R1@5")
    assert (found.what, found.expected) == (
        "you have no empty slot for a troop",
        "pass, or a tactics card if the limit allows",
    )
    assert "is full" in refused(position({5: front("R2 R3 R4")}, ("R1", "")), "R1@5").what


def test_an_empty_hand_passes() -> None:
    state = position(hands=("", ""), sizes=(0, 0), decks=(0, 0))
    assert all_moves(state) == ["pass"]


def stuck(mine: int = 0, theirs: int = 0) -> State:
    """Nobody has a slot: one flag is open and full on both sides, the others are claimed."""
    owners = [0] * mine + [1] * theirs
    spread = {flag: front(owner=owner) for flag, owner in zip((1, 3, 4, 6, 7, 9), owners, strict=False)}
    rest = {flag: front("R1 O9 Y5", "B1 G9 P5", newest=0) for flag in range(1, 10) if flag not in spread}
    return position(dict(list(rest.items()) + list(spread.items())), ("G1", "P1"), decks=(0, 0))


def test_two_passes_in_a_row_end_the_game_for_who_has_more_flags() -> None:
    state = play(stuck(2, 1), "pass")
    assert state.passes == 1
    state = close_without_claim(state)
    state = close_without_claim(play(state, "pass"))
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert outcome.reason == "stuck"
    assert [(place.place, place.score) for place in outcome.placements] == [(1, 5), (2, 1)]


def close_without_claim(state: State) -> State:
    return play(state, "done") if state.step is Step.CLOSE else state


def test_two_passes_with_equal_flags_are_a_draw() -> None:
    state = stuck(2, 2)
    for _ in range(2):
        state = close_without_claim(play(state, "pass"))
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert [(place.place, place.score) for place in outcome.placements] == [(1, 2), (1, 2)]


def test_the_draw_is_told() -> None:
    state = close_without_claim(play(stuck(2, 2), "pass"))
    state, facts = tell(state, "pass")
    if state.step is Step.CLOSE:
        state, facts = tell(state, "done")
    assert [fact.kind for fact in facts][-1] == "drawn_stuck"


def test_a_claim_between_two_passes_lets_the_game_go_on() -> None:
    state = stuck(1, 1)
    state = state._replace(turn=1, fronts=state.with_front(4, front("R8 R9 R10", "B1 G9 P5")))
    state = play(close_without_claim(play(state, "pass")), "pass")
    assert state.passes == 2
    state = close_without_claim(play(state, "claim:5"))
    assert state.passes == 0
    assert (state.turn, state.step) == (1, Step.PLAY)


def test_a_card_between_two_passes_lets_the_game_go_on() -> None:
    state = position({5: front("", "")} | closed(5), ("MUD", "R1"), sizes=(1, 1), decks=(0, 0), played=(1, 0))
    state = play(state, "pass", "R1@5")
    assert state.passes == 0


@pytest.mark.parametrize("owned", [(1, 2), (7, 8)])
def test_three_flags_in_a_row_win_anywhere(owned: tuple[int, int]) -> None:
    third = 3 if owned == (1, 2) else 9
    flags = {flag: front(owner=0) for flag in owned} | {third: front("R8 R9 R10")}
    state = play(position(flags, step=Step.CLOSE, sizes=(6, 7)), f"claim:{third}")
    assert state.results[-1].reason == "breakthrough"
    assert state.results[-1].points == (5, 0)


def test_the_loser_scores_a_point_for_each_flag() -> None:
    flags = {flag: front(owner=0) for flag in (1, 3, 5, 7)} | {flag: front(owner=1) for flag in (2, 4, 8)}
    state = play(position(flags | {9: front("R8 R9 R10")}, step=Step.CLOSE, sizes=(6, 7)), "claim:9")
    assert state.results[-1].points == (5, 3)


def test_two_flags_side_by_side_do_not_win() -> None:
    flags = {1: front(owner=0), 2: front("R8 R9 R10"), 4: front(owner=0)}
    state = play(position(flags, step=Step.CLOSE, sizes=(6, 7)), "claim:2")
    assert state.step is Step.CLOSE


def test_last_chance_plays_claims_first_and_offers_none_after_the_play() -> None:
    flags = {1: front("R8 R9 R10"), 2: front("O8 O9")}
    state = position(flags, ("O10 O1", ""), rules=Rules(last_chance=True))
    assert "claim:1" in first_parts(state)
    state = play(state, "O10@2")
    assert first_parts(state) == ["draw:troop", "draw:tactic"]


def test_last_chance_asks_for_no_claim_when_it_refuses_one_after_the_play() -> None:
    state = position({1: front("R8 R9 R10")}, ("O1", ""), rules=Rules(last_chance=True))
    assert refused(state, "draw:troop").expected == "a claim, a card to be played, or a pass"
    late = refused(play(state, "O1@2"), "claim:1")
    assert late.expected == "a draw: with `last_chance` claims come before the card"


def test_last_chance_allows_claims_and_then_still_asks_for_a_card() -> None:
    state = position({1: front("R8 R9 R10")}, ("O1", ""), rules=Rules(last_chance=True))
    state = play(state, "claim:1")
    assert state.step is Step.PLAY
    assert state.turn == 0
    assert "draw:troop" not in all_moves(state)
    assert "O1@2" in all_moves(state)


def test_open_fronts_takes_away_the_right_to_pass() -> None:
    flags = closed(6) | {6: front("O4 O9", "B8 B9 B10", owner=1)}
    hand = ("R1", "")
    assert "pass" in all_moves(position(flags | dict.fromkeys(closed(6), front("R2 R3 R4", owner=1)), hand))
    opened = position(flags, hand, rules=Rules(open_fronts=True))
    assert "pass" not in all_moves(opened)


def test_open_fronts_has_four_slots_where_mud_lies() -> None:
    flags = {6: front("O4 O9 O1", "B7 B8 B9 B10", owner=1)}
    state = position(flags, ("R1", ""), rules=Rules(open_fronts=True), mud=(6, 1), played=(0, 1))
    assert "R1@6" in all_moves(state)


def test_open_fronts_does_not_let_the_winner_place_more() -> None:
    flags = {6: front("O4 O9", "B8 B9 B10", owner=0)}
    state = position(flags, ("R1", ""), rules=Rules(open_fronts=True))
    assert "is claimed" in refused(state, "R1@6").what


def test_troops_thrown_to_a_lost_flag_count_as_seen() -> None:
    flags = {6: front("O4 O9", "B8 B9 B10", owner=1)}
    state = play(position(flags, ("R1", ""), rules=Rules(open_fronts=True)), "R1@6")
    assert not state.unseen & 1
    assert state.unseen | 1 | sum(1 << card for card in cards("O4 O9 B8 B9 B10")) == ALL_TROOPS


def test_the_match_is_over_when_a_seat_leaves() -> None:
    state, facts = GAME.leave(position({1: front(owner=0)}), 0, draw())
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert outcome.reason == "resigned"
    assert [(place.place, place.score) for place in outcome.placements] == [(2, 1), (1, 5)]
    assert [fact.kind for fact in facts] == ["won_resigned"]
    assert GAME.awaited(state) == frozenset()


@pytest.mark.parametrize(
    ("text", "rule"),
    [("R7", "rules §1"), ("r7@3", "rules §1"), ("R11@3", "rules §1"), ("SCT@3", "rules §1"), ("trim:R1", "rules §4")],
)
def test_what_is_no_move_here_is_refused_with_the_rule(text: str, rule: str) -> None:
    assert refused(position(), text).rule == rule


def test_the_other_seat_cannot_move() -> None:
    with pytest.raises(IllegalMove, match="not on turn"):
        GAME.apply(position(), 1, "R8@1", draw())
    assert GAME.choices(position(), 1) == ()
