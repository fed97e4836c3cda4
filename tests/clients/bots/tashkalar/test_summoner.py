"""What the summoner does in small positions."""

from __future__ import annotations

import pytest

from bench.seat import choices_of, view_of
from clients.bots.tashkalar.summoner import summoner
from engines.tashkalar.cards import TASK
from engines.tashkalar.game import GAME
from engines.tashkalar.state import State
from tests.engines.tashkalar.table import position


async def chosen(state: State) -> str:
    whole = state._replace(claimed=((),) * 2)
    return await summoner()(view_of(GAME, whole, 0), choices_of(GAME, whole, 0))


async def test_it_summons_rather_than_places() -> None:
    state = position("e4 e6 b5 | h5", hand="swordmaster messenger bomb", actions=1)
    assert (await chosen(state)).startswith("S:swordmaster@e5")


async def test_it_summons_the_higher_rank_first() -> None:
    state = position("d6 e6 f6 e4 | h5", hand="swordmaster summoner bomb", actions=1)
    assert (await chosen(state)).startswith("S:summoner@")


@pytest.mark.parametrize("actions", [1, 2])
async def test_it_places_where_a_pattern_lacks_one_piece(actions: int) -> None:
    state = position("e4 | h5 e5", hand="chronicler", actions=actions)
    beside = {"d3", "f3", "d5", "f5", "d4", "f4", "e2", "c4", "g4", "e3"}
    assert (await chosen(state)).removeprefix("P:") in beside


async def test_with_two_actions_it_makes_a_heroic_being_whole_before_it_summons_a_common_one() -> None:
    state = position("d6 e6 e8 | h2", hand="swordmaster summoner")
    assert await chosen(state) in {"P:f6", "P:c6"}


async def test_it_lands_on_an_enemy_rather_than_beside_one() -> None:
    state = position("c4 c6 g4 g6 | g5", hand="swordmaster")
    assert (await chosen(state)).startswith("S:swordmaster@g5")


async def test_it_claims_the_task_that_is_worth_most() -> None:
    state = position("d4 Hd5 He5 e4 f4 f6 f5 d6 e6", hand="bomb", actions=0)._replace(
        tasks=(TASK["central-dominance"], TASK["center-cross"])
    )
    assert await chosen(state) == "end;center-cross"
