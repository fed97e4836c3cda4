"""A call of several moves that is refused tells its sender nothing that its view does not tell (design §5).

All are made or none, so what a call asks for may be asked again and again. Whatever it is, its answer must be the same
in the true state and in those imagined from the sender's view.
"""

from __future__ import annotations

import random
from typing import Any

import pytest
from hamle.engine.v1 import engine_pb2

from core.errors import Refused
from core.fairness.draw import SeededDraw
from engines.kit.decide import decide
from engines.kit.game import IllegalMove
from engines.kit.life import Status
from engines.kit.requests import asked
from engines.kit.state import AnyGame
from engines.registry import load_game, names
from tests.engines.kit.cardgame.game import GAME as CELLAR
from tests.engines.kit.table import Table, random_move

SECRETIVE = [game for game in (CELLAR, *map(load_game, names())) if game.info.has_secrets]
MATCHES = 4
MOVES = 120
EVERY = 4
LONGEST = 5
WORLDS = 3


def answer(table: Table, state: Any, seat: int, moves: list[str]) -> str:
    """What the call is answered in a match that has come to the game state."""
    request = engine_pb2.ExecuteRequest(
        handle=table.state.life.seats[seat], request_id="one", submit=engine_pb2.Submit(moves=moves)
    )
    request.expected.seq = table.state.seq
    match = table.state._replace(game=state)
    try:
        decide(table.game, match, table.history.hash, request, asked(request), table.now_ms + 1_000)
    except Refused as refused:
        return str(refused)
    return "done"


def walk(game: AnyGame, state: Any, seat: int, rng: random.Random, draw: SeededDraw) -> list[str]:
    """Moves of the seat, each legal in the state after those before, as long as it may act; then one of them again."""
    moves: list[str] = []
    while len(moves) < LONGEST and seat in game.may_act(state):
        moves.append(random_move(game, state, seat, rng))
        try:
            state, _ = game.apply(state, seat, moves[-1], draw)
        except IllegalMove as wrong:
            raise AssertionError(f"{moves[-1]} is offered and refused") from wrong
    return [*moves, rng.choice(moves)] if moves else []


@pytest.mark.parametrize("game", SECRETIVE, ids=lambda game: game.info.game)
def test_what_is_asked_for_in_one_call_is_answered_the_same_in_all_worlds_of_who_asks(game: AnyGame) -> None:
    rng = random.Random(game.info.game)
    asked_for = refused = 0
    for number in range(MATCHES):
        table = Table(game, secret=bytes([number]) * 32)
        for ply in range(MOVES):
            if table.state.life.status is not Status.ACTIVE:
                break
            state = table.state.game
            seat = rng.choice(sorted(game.may_act(state)))
            if ply % EVERY == 0:
                draw = SeededDraw(rng.randbytes(32), 1)
                view = game.view(state, seat)
                worlds = [state, *(game.imagine(view, seat, SeededDraw(rng.randbytes(32), 1)) for _ in range(WORLDS))]
                for world in worlds:
                    moves = walk(game, world, seat, rng, draw)
                    told = {answer(table, each, seat, moves) for each in worlds}
                    assert len(told) == 1, (seat, moves, told)
                    asked_for += len(moves) > 1
                    refused += told != {"done"}
            table.move(seat, random_move(game, state, seat, rng))
    assert asked_for > 50
    assert refused
