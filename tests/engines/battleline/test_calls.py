"""Several moves in one call: a call that is refused must not have shown its sender what the cards are."""

from __future__ import annotations

import pytest
from hamle.engine.v1 import engine_pb2

from core.errors import Refused
from core.fairness.draw import SeededDraw
from engines.battleline.cards import NUMBERS
from engines.battleline.game import GAME
from engines.battleline.state import Rules, State
from engines.kit.decide import decide
from engines.kit.draft import Draft
from engines.kit.requests import asked
from tests.engines.battleline.table import front, position
from tests.engines.kit.table import Table


def call(state: State, *moves: str) -> Draft:
    """What a call of seat 0 leads to in a match that has come to the position."""
    table = Table(GAME)
    request = engine_pb2.ExecuteRequest(
        handle=table.state.life.seats[0], request_id="one", submit=engine_pb2.Submit(moves=moves)
    )
    request.expected.seq = table.state.seq
    match = table.state._replace(game=state)
    return decide(GAME, match, table.history.hash, request, asked(request), 60_000)


def answer(state: State, *moves: str) -> str:
    try:
        return f"{len(call(state, *moves).steps)} events"
    except Refused as refused:
        return str(refused)


@pytest.mark.parametrize("last", ["ret:B7,R1", "ret:B7,O1", "ret:B7", "draw:troop"])
def test_a_call_with_scout_does_not_tell_what_the_deck_would_give(last: str) -> None:
    """Whether B7 is among the cards that Scout draws: a return that may be legal and such as never are tell nothing."""
    state = position({1: front("O1", "")}, ("SCT R1", ""))
    view = GAME.view(state, 0)
    worlds = [GAME.imagine(view, 0, SeededDraw(bytes([number]), 1)) for number in range(60)]
    assert {NUMBERS["B7"] in world.decks[0][-3:] for world in worlds} == {True, False}
    moves = ("SCT", "draw:troop", "draw:troop", "draw:troop", last)
    assert len({answer(world, *moves) for world in worlds}) == 1


def test_moves_behind_one_that_may_have_shown_something_are_refused_with_the_reason() -> None:
    state = position(hands=("SCT", ""))
    with pytest.raises(Refused, match="the last one alone may be such as cannot be taken back") as caught:
        call(state, "SCT", "draw:troop")
    assert caught.value.metadata["field"] == "moves"


def test_moves_that_can_be_taken_back_may_be_made_together_with_one_that_cannot() -> None:
    flags = {1: front("R8 R9 R10"), 5: front("O8 O9 O10")}
    state = position(flags, ("P1", ""), rules=Rules(last_chance=True))
    assert answer(state, "claim:1", "claim:5", "P1@2") == "3 events"
    assert answer(state, "P1@2") == "1 events"
