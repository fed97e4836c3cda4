"""The action vectors A1 to A18 of rules §11; seat 0 is "I"."""

from __future__ import annotations

from engines.battleline.claims import verdict
from engines.battleline.formation import Rank, Strength
from engines.battleline.game import GAME
from engines.battleline.notation import read
from engines.battleline.state import Rules, State, Step
from tests.engines.battleline.table import (
    all_moves,
    cards,
    first_parts,
    front,
    play,
    position,
    refused,
    with_hand,
)


def test_a1_the_tactics_limit_forbids_a_second_card_ahead() -> None:
    state = position(hands=("FOG MUD", ""), played=(1, 0))
    assert not [move for move in all_moves(state) if move.startswith(("FOG", "MUD"))]
    assert "you have played 1 tactics cards and the opponent 0" in refused(state, "FOG@1").what


def test_a2_level_limit_gives_nine_flags_for_each_environment_card() -> None:
    state = position(hands=("FOG MUD", ""), played=(1, 1))
    moves = [move for move in all_moves(state) if move.startswith(("FOG", "MUD"))]
    assert moves == sorted(f"{card}@{flag}" for card in ("FOG", "MUD") for flag in range(1, 10))


def test_a3_a_second_leader_is_never_played() -> None:
    state = position(hands=("DAR", ""), played=(1, 3), discards=("ALX", ""))._replace(led=(True, False))
    for flag in range(1, 10):
        assert "leader already" in refused(state, f"DAR@{flag}").what


def test_a4_only_a_pass_is_left_and_the_opponent_is_next() -> None:
    state = position(hands=("MUD FOG DES TRA RDP SCT ALX", ""), played=(1, 0), sizes=(7, 7))
    assert all_moves(state) == ["pass"]
    state = play(state, "pass")
    assert state.turn == 1
    assert state.step is Step.PLAY
    assert len(state.hands[0]) == 7


def test_a4_a_claim_step_follows_the_pass() -> None:
    flags = {1: front("R8 R9 R10")}
    state = play(position(flags, ("MUD FOG DES TRA RDP SCT ALX", ""), played=(1, 0), sizes=(7, 7)), "pass")
    assert all_moves(state) == ["claim:1", "done"]
    assert "you draw no card" in refused(state, "draw:troop").what
    assert play(state, "claim:1").turn == 1


def test_a5_traitor_takes_troops_only_and_to_open_slots_only() -> None:
    flags = {1: front("R1 R2 R3", "B9 ALX"), 2: front("", "G9", owner=1)}
    state = position(flags, ("TRA", ""), played=(0, 1))
    moves = [move for move in all_moves(state) if move.startswith("TRA")]
    assert moves == [f"TRA:B9@1>{flag}" for flag in range(3, 10)]
    assert "no troop" in refused(state, "TRA:ALX@1>3").what
    assert "no troop" in refused(state, "TRA:G9@2>3").what
    assert "no empty slot" in refused(state, "TRA:B9@1>1").what
    assert "no empty slot" in refused(state, "TRA:B9@1>2").what


def a6() -> State:
    flags = {4: front("R5 R6 R7 R8", "B8 Y8 G8"), 5: front("", "O1")}
    return position(flags, ("DES", ""), mud=(4, 1), played=(0, 1))


def test_a6_deserter_reaches_every_card_of_the_opponent() -> None:
    moves = [move for move in all_moves(a6()) if move.startswith("DES")]
    assert moves == sorted(["DES:B8@4", "DES:Y8@4", "DES:G8@4", "DES:MUD@4", "DES:O1@5"])


def test_a7_deserted_mud_makes_its_side_give_up_a_card() -> None:
    state = play(a6(), "DES:MUD@4")
    assert state.discards[1][-1:] == cards("MUD")
    assert state.actor() == 0
    assert all_moves(state) == ["trim:R5", "trim:R6", "trim:R7", "trim:R8"]
    state = play(state, "trim:R5")
    assert state.fronts[3].sides[0] == cards("R6 R7 R8")
    found = verdict(state, 0, 3)
    assert found.mine == Strength(Rank.WEDGE, 21)
    assert found.reply is not None
    assert found.reply.strength == Strength(Rank.PHALANX, 24)
    assert "claim:4" in all_moves(state)


def test_a8_redeployed_mud_trims_both_sides_the_mover_first() -> None:
    flags = {4: front("R5 R6 R7 R8", "B8 Y8 G8 P8")}
    state = play(position(flags, ("RDP", ""), mud=(4, 0), played=(0, 1)), "RDP:MUD@4>5")
    assert (state.size(3), state.size(4)) == (3, 4)
    assert state.actor() == 0
    assert len(all_moves(state)) == 4
    state = play(state, "trim:R5")
    assert state.actor() == 1
    assert GAME.may_act(state) == {1}
    assert all_moves(state) == ["trim:B8", "trim:G8", "trim:P8", "trim:Y8"]
    state = play(state, "trim:P8")
    assert state.actor() == 0
    assert state.step is Step.CLOSE


def test_a9_scout_with_two_cards_left_draws_two_and_returns_one() -> None:
    state = position(hands=("SCT", ""), decks=(0, 2), played=(0, 0))
    state = play(state, "SCT")
    assert first_parts(state) == ["draw:tactic"]
    state = play(state, "draw:tactic", "draw:tactic")
    assert len(state.hands[0]) == 8
    assert len(all_moves(state)) == 8
    back = first_parts(state)[-1]
    state = play(state, back)
    assert len(state.hands[0]) == 7
    assert state.turn == 1
    assert len(state.decks[1]) == 1


def test_a10_scout_with_one_card_left_returns_none() -> None:
    state = play(position(hands=("SCT", ""), decks=(1, 0)), "SCT", "draw:troop")
    assert len(state.hands[0]) == 7
    assert state.turn == 1


def test_a11_scout_without_decks_is_illegal() -> None:
    state = position(hands=("SCT", ""), decks=(0, 0))
    assert "no legal target" in refused(state, "SCT").what


def test_a12_the_card_returned_last_lies_on_top() -> None:
    state = play(position(hands=("SCT R1 R2 R3 R4 R5 R6", "")), "SCT", "draw:troop", "draw:troop", "draw:tactic")
    assert len(state.hands[0]) == 9
    moves = all_moves(state)
    assert len(moves) == 9 * 8
    state = play(state, "ret:R2,R5")
    assert state.decks[0][-2:] == cards("R2 R5")
    assert len(state.hands[0]) == 7
    assert state.turn == 1


def test_a13_no_pass_while_a_slot_is_free() -> None:
    full = {flag: front("", "", owner=1) for flag in range(1, 9)} | {9: front("R1 R2")}
    state = position(full, ("O1 O2 O3 O4 O5 O6 O7", ""))
    assert "may not pass" in refused(state, "pass").what


def test_a14_three_flags_side_by_side_end_the_game_at_once() -> None:
    flags = {2: front(owner=0), 4: front(owner=0), 3: front("R8 R9 R10"), 9: front("B8 B9 B10")}
    state = play(position(flags, step=Step.CLOSE, sizes=(6, 7)), "claim:3")
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert outcome.reason == "breakthrough"
    assert GAME.may_act(state) == frozenset()
    assert refused(state, "claim:9").what == "the match is over"


def test_a15_five_flags_end_the_game() -> None:
    flags = {flag: front(owner=0) for flag in (1, 3, 5, 7)} | {9: front("R8 R9 R10")}
    state = play(position(flags, step=Step.CLOSE, sizes=(6, 7)), "claim:9")
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert outcome.reason == "envelopment"


def test_a16_last_chance_claims_at_the_start_of_the_next_turn() -> None:
    state = position({1: front("R8 R9")}, ("R10", "O1"), rules=Rules(last_chance=True))
    state = play(state, "R10@1")
    assert first_parts(state) == ["draw:troop", "draw:tactic"]
    assert refused(state, "claim:1").rule == "rules §4"
    state = play(state, "draw:troop")
    assert state.turn == 1
    state = play(state, "O1@1", "draw:troop")
    assert "claim:1" in first_parts(state)
    state = play(state, "claim:1")
    assert state.turn == 0
    assert state.step is Step.PLAY
    assert state.fronts[0].owner == 0


def test_a17_open_fronts_lets_the_loser_fill_his_side_with_troops() -> None:
    flags = {6: front("O4 O9", "B8 B9 B10", owner=1)}
    state = position(flags, ("R1 R2 ALX", ""), rules=Rules(open_fronts=True))
    assert "R1@6" in all_moves(state)
    assert refused(state, "ALX@6").what == "flag 6 is claimed"
    state = play(state, "R1@6")
    assert state.fronts[5].sides[0] == cards("O4 O9 R1")
    again = with_hand(state._replace(turn=0, step=Step.PLAY), 0, "R2 ALX")
    assert "full" in refused(again, "R2@6").what


def test_a17_without_the_option_a_claimed_flag_is_closed() -> None:
    state = position({6: front("O4 O9", "B8 B9 B10", owner=1)}, ("R1", ""))
    assert refused(state, "R1@6").what == "flag 6 is claimed"


def test_a18_who_completes_a_tie_second_cannot_claim_but_the_other_can() -> None:
    flags = {1: front("R3 R4 R5", "B3 B4")}
    state = position(flags, ("", "B5"), turn=1)
    state = play(state, "B5@1")
    assert "completed first" in refused(state, "claim:1").what
    state = play(state, "draw:troop")
    state = play(state, next(move for move in all_moves(state) if "@9" in move))
    assert "claim:1" in all_moves(state)


def test_every_action_text_is_read() -> None:
    for text in (
        "R7@3",
        "ALX@3",
        "FOG@3",
        "SCT",
        "RDP:R7@3>5",
        "RDP:R7@3>x",
        "DES:B2@4",
        "TRA:B2@4>6",
        "pass",
        "claim:4",
    ):
        assert read(text) is not None
