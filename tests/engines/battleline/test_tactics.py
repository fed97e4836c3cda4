"""The tactics cards of rules §5 and the rulings of §7, beyond the action vectors."""

from __future__ import annotations

import pytest

from engines.battleline.formation import strength
from engines.battleline.state import NOBODY, Front, Place, Rules, Step
from tests.engines.battleline.table import (
    ALL,
    all_moves,
    beginning,
    cards,
    everything,
    front,
    play,
    position,
    refused,
    tell,
)


@pytest.mark.parametrize(
    ("mine", "theirs", "allowed"), [(0, 0, True), (1, 1, True), (0, 1, True), (2, 1, False), (1, 0, False)]
)
def test_the_limit_compares_what_both_have_played(mine: int, theirs: int, allowed: bool) -> None:
    state = position(hands=("FOG", ""), played=(mine, theirs))
    assert bool(beginning(state, "FOG")) == allowed


def test_every_played_tactics_card_counts_for_ever() -> None:
    state = play(position({1: front("", "B5")}, ("DES", "")), "DES:B5@1")
    assert state.played == (1, 0)
    state = play(position({1: front("CAV", "")}, ("RDP", ""), played=(1, 1)), "RDP:CAV@1>x")
    assert state.played == (2, 1)


def test_a_redeployed_card_is_no_new_play() -> None:
    state = play(position({1: front("ALX", "")}, ("RDP", ""), played=(1, 1)), "RDP:ALX@1>2")
    assert state.played == (2, 1)
    assert state.fronts[1].sides[0] == cards("ALX")


def test_a_leader_is_wild_and_the_second_one_stays_in_hand() -> None:
    state = position(hands=("ALX DAR", ""), played=(0, 1))
    assert len(beginning(state, "ALX")) == 9
    state = play(state, "ALX@3")
    assert state.led == (True, False)
    state = state._replace(turn=0, step=Step.PLAY, played=(1, 3))
    assert beginning(state, "DAR") == []


def test_a_discarded_leader_still_forbids_the_second() -> None:
    state = position({1: front("ALX", "")}, ("RDP DAR", ""), played=(1, 3))
    state = play(state, "RDP:ALX@1>x")
    state = state._replace(turn=0, step=Step.PLAY)
    assert "one leader a player" in refused(state, "DAR@1").expected


def test_the_opponent_may_play_the_other_leader() -> None:
    state = play(position(hands=("ALX", "DAR")), "ALX@1", "draw:troop")
    assert "DAR@1" in all_moves(state)


def test_fog_makes_both_sides_hosts() -> None:
    state = position({2: front("R1 R2 R3", "O9 Y7 G5")}, ("FOG", ""), played=(0, 0))
    assert "claim:2" not in all_moves(state)
    state = play(state, "FOG@2")
    assert state.fog == Place(1, 0)
    assert "claim:2" not in all_moves(state)
    state = play(state, "draw:troop")
    state = play(state, next(move for move in all_moves(state) if move.endswith("@1")))
    assert "claim:2" in all_moves(state)


def test_mud_asks_for_a_fourth_card_on_both_sides() -> None:
    state = position({2: front("R1 R2 R3", "O9 Y7 G5")}, ("MUD R4", ""))
    state = play(state, "MUD@2")
    assert "claim:2" not in all_moves(state)
    assert [state.size(flag) for flag in (0, 1, 2)] == [3, 4, 3]
    state = state._replace(turn=0, step=Step.PLAY)
    assert "R4@2" in all_moves(state)


def test_fog_and_mud_at_one_flag_sum_four_cards() -> None:
    state = position({2: front("R10 B9 G8", "")}, ("FOG", ""), mud=(2, 1), played=(0, 1))
    state = play(state, "FOG@2")
    assert (state.size(1), state.foggy(1)) == (4, True)


def test_environment_cards_need_no_slot() -> None:
    state = position({2: front("R1 R2 R3", "")}, ("FOG CAV", ""))
    assert "FOG@2" in all_moves(state)
    assert "CAV@2" not in all_moves(state)


@pytest.mark.parametrize("card", ["FOG", "MUD", "ALX", "CAV", "R1"])
def test_nothing_is_played_to_a_claimed_flag(card: str) -> None:
    state = position({5: front(owner=0)}, (card, ""))
    assert "is claimed" in refused(state, f"{card}@5").what


def test_deserter_on_a_troop_opens_its_slot_again() -> None:
    state = play(position({1: front("", "B5 B6 B7")}, ("DES", "")), "DES:B6@1")
    assert state.fronts[0].sides[1] == cards("B5 B7")
    assert state.discards == (cards("DES"), cards("B6"))


@pytest.mark.parametrize("card", ["ALX", "FOG", "MUD", "CAV"])
def test_deserter_reaches_tactics_cards(card: str) -> None:
    flags = {1: front("", card if card in ("ALX", "CAV") else "")}
    place = (1, 1)
    state = position(
        flags, ("DES", ""), fog=place if card == "FOG" else None, mud=place if card == "MUD" else None, played=(0, 1)
    )
    state = play(state, f"DES:{card}@1")
    assert state.discards[1] == cards(card)
    assert state.fog is None
    assert state.mud is None


def test_cards_at_claimed_flags_are_untouchable() -> None:
    flags = {1: front("R1 R2 R3", "B1 B2 B4", owner=0), 2: front("R9", "B9")}
    state = position(flags, ("DES TRA RDP", ""), fog=(1, 1), played=(0, 3))
    assert beginning(state, "DES") == ["DES:B9@2"]
    assert {move.split(">")[0] for move in beginning(state, "TRA")} == {"TRA:B9@2"}
    assert {move.split(">")[0] for move in beginning(state, "RDP")} == {"RDP:R9@2"}
    assert not any(move.endswith((">1", "@1")) for move in all_moves(state))


def test_own_cards_are_no_targets_of_deserter_and_traitor() -> None:
    state = position({1: front("R1", "B1")}, ("DES TRA", ""))
    assert "opponent" in refused(state, "DES:R1@1").what
    assert "opponent" in refused(state, "TRA:R1@1>2").what


@pytest.mark.parametrize("card", ["DES", "TRA", "RDP"])
def test_a_guile_card_without_a_target_cannot_be_played(card: str) -> None:
    state = position(hands=(card, ""))
    assert beginning(state, card) == []
    assert refused(state, {"DES": "DES:B1@1", "TRA": "TRA:B1@1>2", "RDP": "RDP:R1@1>x"}[card]).what


def test_traitor_needs_an_empty_slot_somewhere() -> None:
    full = {flag: front("", "", owner=0) for flag in (1, 2, 4, 5, 7, 8, 9)} | {
        3: front("R1 R2 R3", "B1"),
        6: front("O1 O2 O3", "B2"),
    }
    assert beginning(position(full, ("TRA", "")), "TRA") == []


def test_traitor_may_use_a_slot_at_the_same_flag() -> None:
    state = play(position({1: front("R5", "B5 B6")}, ("TRA", "")), "TRA:B6@1>1")
    assert state.fronts[0] == Front((cards("R5 B6"), cards("B5")), (0, 1, 0))


def test_a_taken_troop_is_the_newest_card_there() -> None:
    flags = {1: front("R3 R4 R5", "B3 B4", newest=0), 2: front("B5", "")}
    state = play(position(flags, ("O10", "TRA"), turn=1, played=(0, 0)), "TRA:B5@2>1")
    assert state.fronts[0].order[-1] == 1
    assert "claim:1" not in all_moves(state)
    state = play(state, "draw:troop", "O10@9")
    assert "claim:1" in all_moves(state)


def test_a_redeployed_card_gets_a_new_stamp() -> None:
    flags = {1: front("R1 R5 R9", "B2 B5 B8", newest=0), 2: front("", "")}
    state = position(flags, ("RDP", ""), played=(0, 1))
    state = play(state, "RDP:R1@1>2")
    assert state.fronts[0].order == (1, 1, 1, 0, 0)
    assert state.fronts[1] == Front((cards("R1"), ()), (0,))


def test_redeploy_does_not_stay_at_its_flag_and_needs_a_slot() -> None:
    flags = {1: front("R1", ""), 2: front("O1 O2 O3", ""), 3: front("", "", owner=1)}
    state = position(flags, ("RDP", ""))
    moves = beginning(state, "RDP:R1@1")
    assert moves == ["RDP:R1@1>4", "RDP:R1@1>5", "RDP:R1@1>6", "RDP:R1@1>7", "RDP:R1@1>8", "RDP:R1@1>9", "RDP:R1@1>x"]
    assert "cannot go to flag 2" in refused(state, "RDP:R1@1>2").what
    assert "cannot go to flag 1" in refused(state, "RDP:R1@1>1").what


def test_redeploy_discards_a_troop_face_up() -> None:
    state = play(position({1: front("R1 R2", "")}, ("RDP", "")), "RDP:R1@1>x")
    assert state.discards == (cards("RDP R1"), ())
    assert not state.unseen & 1


@pytest.mark.parametrize("card", ["FOG", "MUD"])
def test_redeploy_moves_environment_cards_with_their_effect(card: str) -> None:
    place = (1, 0)
    state = position(
        {2: front("R1 R2 R3", "B1 B2 B4")},
        ("RDP", ""),
        fog=place if card == "FOG" else None,
        mud=place if card == "MUD" else None,
        played=(1, 1),
    )
    state = play(state, f"RDP:{card}@1>2")
    assert (state.fog or state.mud) == Place(1, 0)


def test_redeploy_does_not_move_the_opponents_environment_card() -> None:
    state = position({2: front("R1", "")}, ("RDP", ""), fog=(1, 1))
    assert not beginning(state, "RDP:FOG")


def test_mud_that_leaves_three_cards_trims_nobody() -> None:
    state = position({1: front("R1 R2 R3", "B1")}, ("DES", ""), mud=(1, 1), played=(0, 1))
    state = play(state, "DES:MUD@1")
    assert state.trim == NOBODY
    assert state.step is Step.CLOSE


def test_only_the_full_side_gives_up_a_card() -> None:
    state = position({1: front("R1", "B1 B2 B3 B4")}, ("DES", ""), mud=(1, 1), played=(0, 1))
    state = play(state, "DES:MUD@1")
    assert state.actor() == 1
    assert state.turn == 0
    assert "not on your side" in refused(state, "trim:R1").what
    state = play(state, "trim:B1")
    assert state.actor() == 0
    assert state.step is Step.CLOSE
    assert state.discards[1][-1:] == cards("B1")


def test_trimmed_cards_leave_the_others_in_their_order() -> None:
    row = Front()
    for seat, card in ((0, "R5"), (1, "B8"), (0, "R6"), (1, "Y8"), (1, "G8"), (0, "R7"), (1, "P8"), (0, "R8")):
        row = row.put(seat, *cards(card))
    state = play(position({1: row}, ("DES", ""), mud=(1, 1), played=(0, 1)), "DES:MUD@1", "trim:R8", "trim:P8")
    assert state.fronts[0] == Front((cards("R5 R6 R7"), cards("B8 Y8 G8")), (0, 1, 0, 1, 1, 0))


def test_automatic_trim_keeps_the_best_formation() -> None:
    flags = {1: front("R5 O1 R6 R7", "B8 Y8 B1 G8")}
    state = position(flags, ("DES", ""), mud=(1, 1), played=(0, 1), rules=Rules(automatic_trim=True))
    state, facts = tell(state, "DES:MUD@1")
    assert [set(side) for side in state.fronts[0].sides] == [set(cards("R5 R6 R7")), set(cards("B8 Y8 G8"))]
    assert [fact.kind for fact in facts] == ["deserted", "trimmed", "trimmed"]
    assert state.step is Step.CLOSE


def test_automatic_trim_gives_up_the_newest_of_equal_cards() -> None:
    flags = {1: front("O8 Y8 G8 P8", "")}
    state = position(flags, ("DES", ""), mud=(1, 1), played=(0, 1), rules=Rules(automatic_trim=True))
    assert play(state, "DES:MUD@1").fronts[0].sides[0] == cards("O8 Y8 G8")


def test_played_guile_cards_lie_face_up_with_their_owner() -> None:
    state = play(position({1: front("R1", "B1 B2")}, ("TRA", "")), "TRA:B1@1>2")
    assert state.discards[0] == cards("TRA")


def test_no_card_is_lost_by_any_tactics_card() -> None:
    flags = {1: front("R1 CAV", "B1 B2 ALX"), 2: front("O1", "P1")}
    state = position(flags, ("RDP DES TRA SCT FOG", ""), mud=(1, 0), played=(0, 5))
    assert everything(state) == ALL
    for move in all_moves(state):
        assert everything(play(state, move)) == ALL


def test_morale_cards_count_by_their_values_in_fog() -> None:
    assert strength(cards("ALX CAV SHB"), fog=True).sum == 21
