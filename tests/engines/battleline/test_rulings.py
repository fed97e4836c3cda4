"""Rulings of rules §4 to §8 where two of them meet: effects beside claimed flags, trims, claims of moved cards."""

from __future__ import annotations

import pytest

from engines.battleline.claims import verdict
from engines.battleline.formation import Rank, Strength
from engines.battleline.game import GAME
from engines.battleline.state import NOBODY, Front, Rules, Step
from engines.kit.game import IllegalMove
from tests.engines.battleline.table import (
    all_moves,
    beginning,
    cards,
    draw,
    first_parts,
    front,
    play,
    position,
    refused,
    tell,
)

OPEN = Rules(open_fronts=True)


def alternating(*kept: int) -> dict[int, Front]:
    """All flags but the kept ones are claimed by turns, so that nobody has won."""
    return {flag: front(owner=flag % 2) for flag in range(1, 10) if flag not in kept}


@pytest.mark.parametrize("card", ["FOG", "MUD"])
def test_redeploy_puts_an_environment_card_to_another_unclaimed_flag_or_away(card: str) -> None:
    place = (2, 0)
    state = position(
        {1: front(owner=0), 3: front(owner=1), 4: front("R1 R2 R3", "B1 B2 B4")},
        ("RDP", ""),
        fog=place if card == "FOG" else None,
        mud=place if card == "MUD" else None,
        played=(1, 1),
    )
    assert beginning(state, f"RDP:{card}@2") == [f"RDP:{card}@2>{to}" for to in "456789x"]
    for flag in (1, 2, 3):
        assert f"cannot go to flag {flag}" in refused(state, f"RDP:{card}@2>{flag}").what


def test_redeployed_away_mud_is_discarded_by_its_owner_and_trims_both_sides() -> None:
    flags = {4: front("R5 R6 R7 R8", "B8 Y8 G8 P8")}
    state = play(position(flags, ("RDP", ""), mud=(4, 0), played=(0, 1)), "RDP:MUD@4>x")
    assert state.mud is None
    assert state.discards[0] == cards("RDP MUD")
    assert [state.actor(), play(state, "trim:R5").actor()] == [0, 1]


def test_the_seat_on_turn_gives_up_its_card_first_whichever_seat_it_is() -> None:
    flags = {4: front("R5 R6 R7 R8", "B8 Y8 G8 P8")}
    state = play(position(flags, ("", "DES"), mud=(4, 0), played=(1, 0), turn=1), "DES:MUD@4")
    assert all_moves(state) == ["trim:B8", "trim:G8", "trim:P8", "trim:Y8"]
    with pytest.raises(IllegalMove, match="seat 0 is not on turn"):
        GAME.apply(state, 0, "trim:R5", draw())
    state = play(state, "trim:B8")
    assert all_moves(state) == ["trim:R5", "trim:R6", "trim:R7", "trim:R8"]


def test_the_automatic_trim_begins_with_the_seat_on_turn() -> None:
    flags = {4: front("R5 R6 R7 R8", "B8 Y8 G8 P8")}
    rules = Rules(automatic_trim=True)
    state = position(flags, ("", "DES"), mud=(4, 0), played=(1, 0), turn=1, rules=rules)
    _, facts = tell(state, "DES:MUD@4")
    assert [dict(fact.parameters)["seat"] for fact in facts if fact.kind == "trimmed"] == ["1", "0"]


def test_automatic_trim_keeps_the_best_sum_where_fog_lies() -> None:
    flags = {1: front("R1 R2 R3 O10", "")}
    for fog, kept in ((None, "R1 R2 R3"), ((1, 0), "R2 R3 O10")):
        state = position(
            flags, ("DES", ""), mud=(1, 1), fog=fog, played=(1, 1), rules=Rules(automatic_trim=True), turn=0
        )
        assert play(state, "DES:MUD@1").fronts[0].sides[0] == cards(kept)


def test_a_tie_after_a_trim_goes_by_the_cards_that_are_left() -> None:
    row = Front()
    for seat, card in ((0, "R1"), (0, "R5"), (1, "B2"), (1, "B5"), (0, "R9"), (1, "B8"), (1, "B1"), (0, "R3")):
        row = row.put(seat, *cards(card))
    state = play(position({1: row}, ("DES", ""), mud=(1, 1), played=(0, 1)), "DES:MUD@1")
    state = play(state, "trim:R3", "trim:B1")
    assert verdict(state, 0, 0).mine == verdict(state, 1, 0).mine == Strength(Rank.BATTALION, 15)
    assert not verdict(state, 1, 0).holds
    assert "claim:1" in all_moves(state)


def test_a_redeployed_card_makes_its_side_the_later_one_in_a_tie() -> None:
    flags = {1: front("R1 R5", "B2 B5 B8", newest=0), 2: front("R9")}
    state = position(flags, ("RDP", ""), played=(0, 1))
    state = play(state, "RDP:R9@2>1")
    assert state.fronts[0].order[-1] == 0
    assert "completed first" in refused(state, "claim:1").what
    flags = {1: front("R1 R5 R9", "B2 B5", newest=0), 2: front("", "B8")}
    state = play(position(flags, ("", "RDP"), played=(1, 0), turn=1), "RDP:B8@2>1", "draw:troop")
    assert verdict(state, 0, 0).holds
    assert not verdict(state, 1, 0).holds


def test_traitor_is_not_begun_where_no_slot_could_take_the_troop() -> None:
    flags = alternating(3, 6) | {3: front("R1 R2 R3", "B1"), 6: front("O1 O2 O3", "B2")}
    state = position(flags, ("TRA", ""))
    assert not [part for part in first_parts(state) if part.startswith("TRA")]
    assert refused(state, "TRA:B1@3>6").what == "TRA has no legal target now"


def test_in_open_fronts_tactics_still_leave_lost_flags_alone() -> None:
    flags = {1: front("R1", "B8 B9 B10", owner=1), 2: front("O1", "P1")}
    state = position(flags, ("RDP TRA DES CAV FOG", ""), rules=OPEN, played=(0, 5))
    assert "R2@1" in all_moves(state)
    touching = [move for move in all_moves(state) if move.startswith(("RDP", "TRA", "DES", "CAV", "FOG"))]
    assert touching
    assert not [move for move in touching if "@1" in move or move.endswith(">1")]
    assert "cannot go to flag 1" in refused(state, "RDP:O1@2>1").what
    assert "claimed" in refused(state, "TRA:P1@2>1").what


def test_in_open_fronts_a_slot_at_a_lost_flag_is_none_for_traitor() -> None:
    flags = alternating(3) | {3: front("R1 R2 R3", "B1"), 5: front("O1", "P8 P9 P10", owner=1)}
    state = position(flags, ("TRA", ""), rules=OPEN)
    assert not [part for part in first_parts(state) if part.startswith("TRA")]


def test_last_chance_ends_the_turn_without_a_draw_although_a_flag_could_be_claimed() -> None:
    state = position({1: front("R8 R9 R10")}, ("O1", ""), rules=Rules(last_chance=True), decks=(0, 0))
    state = play(state, "O1@2")
    assert (state.turn, state.step, state.fronts[0].owner) == (1, Step.PLAY, NOBODY)


def test_last_chance_ends_a_game_in_which_both_are_stuck() -> None:
    owners = {1: 0, 2: 0, 3: 1, 4: 0, 6: 1, 7: 0, 8: 1}
    full = {flag: front(owner=owner) for flag, owner in owners.items()}
    full |= {5: front("R1 O9 Y5", "B1 G9 P5", newest=0), 9: front("R8 R9 R10", "B2 G8 P4")}
    state = position(full, ("G1", "P1"), rules=Rules(last_chance=True), decks=(0, 0))
    state = play(state, "pass")
    assert all_moves(state) == ["claim:5", "pass"]
    ended, gone_on = play(state, "pass"), play(state, "claim:5", "pass")
    assert (ended.step, ended.results[-1].reason) == (Step.OVER, "stuck")
    assert (gone_on.step, gone_on.turn, gone_on.passes) == (Step.PLAY, 0, 1)


def test_a_wild_card_may_copy_a_card_that_lies_elsewhere() -> None:
    state = position({1: front("R9 R10 ALX"), 2: front("", "R8")}, step=Step.CLOSE, sizes=(6, 7))
    assert verdict(state, 0, 0).mine == Strength(Rank.WEDGE, 27)
    assert "claim:1" in first_parts(state)


def test_a_claim_may_wait_for_a_later_turn() -> None:
    state = play(position({1: front("R8 R9 R10")}, ("O1 O2", "P1")), "O1@2", "draw:troop", "P1@2", "draw:troop")
    assert "claim:1" in first_parts(play(state, "O2@2"))


def test_nobody_claims_for_the_other() -> None:
    state = position({1: front("", "B8 B9 B10")}, step=Step.CLOSE, sizes=(6, 7))
    assert "your side of flag 1 has 0 of 3 cards" in refused(state, "claim:1").what
