"""What goes over the wire: to whom a card is hidden, frames of moves that read the same are the same bytes."""

from __future__ import annotations

from collections import defaultdict

import pytest
from hamle.event.v1 import event_pb2

from core.fairness.draw import SeededDraw
from core.log.types import Cursor
from engines.battleline.cards import NAMES, NUMBERS
from engines.battleline.game import GAME
from engines.battleline.state import State, Step
from engines.kit.game import PUBLIC
from engines.kit.state import MatchState
from engines.kit.told import step_frame
from tests.engines.battleline.table import all_moves, draw, front, play, position
from tests.engines.kit.table import Table

OTHERS = (1, PUBLIC)


@pytest.fixture(scope="module")
def match() -> MatchState:
    """A match that has begun; tests put a position in its place."""
    return Table(GAME).state


def frame(match: MatchState, state: State, move: str, audience: int) -> bytes:
    """The bytes that the audience gets when seat 0 makes the move."""
    after, facts = GAME.apply(state, 0, move, draw())
    event = event_pb2.Event(at_ms=9_000, moved=event_pb2.Moved(seat=0, move=move))
    before = match._replace(game=state)
    return step_frame(GAME, event, Cursor(9, bytes(16)), before, facts, audience, match._replace(game=after))


def returning() -> State:
    """Seat 0 puts two of nine cards back: troops of one and of two digits, and tactics cards."""
    state = position(hands=("SCT R1 R10 O9 B10 FOG MUD", ""))
    return play(state, "SCT", "draw:troop", "draw:tactic", "draw:troop")


@pytest.mark.parametrize("audience", OTHERS)
def test_returns_that_read_the_same_are_the_same_bytes(match: MatchState, audience: int) -> None:
    state = returning()
    assert state.step is Step.RETURN
    frames: dict[str, set[bytes]] = defaultdict(set)
    moves: dict[str, int] = defaultdict(int)
    for move in all_moves(state):
        reading = GAME.redact(state, 0, move, audience)
        frames[reading].add(frame(match, state, move, audience))
        moves[reading] += 1
    assert set(frames) == {"ret:troop,troop", "ret:troop,tactic", "ret:tactic,troop", "ret:tactic,tactic"}
    assert min(moves.values()) > 1
    assert {len(same) for same in frames.values()} == {1}


def test_its_player_reads_the_return_itself(match: MatchState) -> None:
    state = returning()
    frames = {frame(match, state, move, 0) for move in all_moves(state)}
    assert len(frames) == len(all_moves(state))


@pytest.mark.parametrize("audience", OTHERS)
@pytest.mark.parametrize("move", ["draw:troop", "draw:tactic"])
def test_draws_of_whatever_card_are_the_same_bytes(match: MatchState, audience: int, move: str) -> None:
    state = play(position(hands=("R1", "")), "R1@1")
    view = GAME.view(state, audience)
    worlds = [GAME.imagine(view, audience, SeededDraw(bytes([number]), 1)) for number in range(40)]
    assert len({world.decks[move == "draw:tactic"][-1] for world in worlds}) > 5
    assert len({frame(match, world, move, audience) for world in worlds}) == 1


@pytest.mark.parametrize("move", ["TRA:B2@1>2", "RDP:R7@1>3", "RDP:R7@1>x", "DES:B2@1"])
def test_traitor_redeploy_and_deserter_are_one_open_move(match: MatchState, move: str) -> None:
    state = position({1: front("R7", "B2")}, (move[:3], ""))
    for audience in (0, *OTHERS):
        assert GAME.redact(state, 0, move, audience) == move
        assert move.encode() in frame(match, state, move, audience)
    after = play(state, move)
    assert after.step is Step.CLOSE
    assert NUMBERS[move[:3]] not in after.hands[0]


@pytest.mark.parametrize("audience", OTHERS)
def test_no_frame_names_a_hidden_card(match: MatchState, audience: int) -> None:
    state = returning()
    told = frame(match, state, "ret:R10,B10", audience)
    hidden = {*state.hands[0], *state.decks[0], *state.decks[1]} - set(state.hands[1])
    for name in (NAMES[card] for card in hidden if len(NAMES[card]) == 3):
        assert name.encode() not in told, name
