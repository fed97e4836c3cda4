"""Single decisions of the captain, and the arithmetic behind them."""

from __future__ import annotations

import pytest

from bench.seat import choices_of, view_of
from clients.bots.battleline import captain, strengthener
from clients.bots.battleline.chances import chances, duel
from clients.bots.battleline.table import ALL_TROOPS, NAMES, NUMBERS, bits, read
from engines.battleline.cards import NAMES as RULES_NAMES
from engines.battleline.formation import strength
from engines.battleline.game import GAME
from engines.battleline.state import State, Step
from tests.engines.battleline.table import all_moves, cards, front, play, position


async def decided(state: State) -> str:
    seat = state.actor()
    move = await captain()(view_of(GAME, state, seat), choices_of(GAME, state, seat))
    assert move in all_moves(state)
    return move


def test_cards_are_numbered_as_the_rules_name_them() -> None:
    assert NAMES == RULES_NAMES


@pytest.mark.parametrize(
    "text", ["R3 R4 R5", "Y8 R8 G8", "B2 B7 B4", "Y4 R6 G5", "Y5 B5 G3", "R2 R3 ALX", "R7 O9 CAV", "R4 R5 SHB"]
)
@pytest.mark.parametrize("fog", [False, True])
def test_a_complete_side_is_worth_its_formation(text: str, fog: bool) -> None:
    rank, total = strength(cards(text), fog)
    assert chances(tuple(sorted(cards(text))), 3, fog, 0, ALL_TROOPS, 0.3) == ((31.0 * (rank - 1) + total, 1.0),)


def test_chances_add_up_and_the_best_comes_first() -> None:
    found = chances(cards("R8"), 3, False, bits(cards("R9 O8")), ALL_TROOPS & ~bits(cards("R8 R9 O8")), 0.3)
    assert sum(chance for _, chance in found) == pytest.approx(1.0)
    assert [score for score, _ in found] == sorted((score for score, _ in found), reverse=True)


def test_a_card_at_hand_makes_its_formation_sure() -> None:
    assert chances(cards("R8 R9"), 3, False, bits(cards("R10")), 0, 0.3)[0] == (31.0 * 4 + 27, 1.0)


def test_a_duel_counts_ties_as_told() -> None:
    assert duel(((5.0, 1.0),), ((5.0, 1.0),), 1.0) == 1.0
    assert duel(((5.0, 1.0),), ((5.0, 1.0),), 0.0) == 0.0
    assert duel(((9.0, 0.5), (1.0, 0.5)), ((5.0, 1.0),), 0.5) == 0.5


def test_the_table_is_read_from_the_own_seat() -> None:
    flags = {1: front("R1", "B1 B2", newest=0), 2: front(owner=1)}
    state = position(flags, ("R9 FOG", "B9"), fog=(1, 1))
    mine, other = read(view_of(GAME, state, 0)), read(view_of(GAME, state._replace(turn=1), 1))
    assert mine.fronts[0].mine == other.fronts[0].theirs == cards("R1")
    assert mine.fronts[0].newest_mine
    assert not other.fronts[0].newest_mine
    assert (mine.fronts[1].owner, other.fronts[1].owner) == (-1, 1)
    assert NUMBERS["R9"] in mine.hand
    assert mine.unseen & bits(cards("R1 B1 B2 R9")) == 0


def test_a_card_known_through_scout_is_the_opponents() -> None:
    state = play(position(hands=("SCT R1 R2", "O1")), "SCT", "draw:troop", "draw:troop", "draw:troop", "ret:R1,R2")
    state = play(state, "O1@1", "draw:troop")
    assert read(view_of(GAME, state, 0)).theirs == bits(cards("R2"))


async def test_it_claims_what_is_proven() -> None:
    state = position({3: front("R8 R9 R10", "O1")}, step=Step.CLOSE, sizes=(6, 7))
    assert await decided(state) == "claim:3"


async def test_it_completes_a_wedge_that_wins() -> None:
    flags = {3: front("R8 R9", "O7 O8 Y8"), 2: front(owner=0), 4: front(owner=0)}
    assert await decided(position(flags, ("R10 B1 G2 P3 Y4 O5 B6", ""))) == "R10@3"


async def test_it_passes_only_when_nothing_else_is_allowed() -> None:
    state = position(hands=("MUD FOG DES TRA RDP SCT ALX", ""), played=(1, 0), sizes=(7, 7))
    assert await decided(state) == "pass"


async def test_it_deserts_the_card_that_would_lose_the_game() -> None:
    flags = {
        **{flag: front(owner=1) for flag in (1, 2)},
        3: front("O8 Y8 B1", "R8 R9 ALX"),
        **{flag: front("", "", owner=0) for flag in (5, 7)},
    }
    state = position(flags, ("DES G1 P2 G3 P4 G5 P6", ""), played=(0, 1))
    assert (await decided(state)).startswith("DES:")


async def test_scouts_return_keeps_tactics_cards_and_gives_two_troops_back() -> None:
    state = play(position(hands=("SCT FOG DES R1 O2 Y3 G4", "")), "SCT", "draw:troop", "draw:troop", "draw:troop")
    move = await decided(state)
    assert "FOG" not in move
    assert "DES" not in move
    assert len(move.split(",")) == 2


async def test_it_gives_up_the_card_that_harms_least() -> None:
    state = play(position({4: front("R5 R6 R7 B1", "B8 Y8 G8")}, ("DES", ""), mud=(4, 1), played=(0, 1)), "DES:MUD@4")
    assert await decided(state) == "trim:B1"


async def test_the_strengthener_goes_for_its_best_formation() -> None:
    state = position({2: front("R8 R9", ""), 5: front("O4 B4", "")}, ("R10 G4 B2 P9 Y1 O1 G7", ""))
    assert await strengthener()(view_of(GAME, state, 0), choices_of(GAME, state, 0)) == "R10@2"
