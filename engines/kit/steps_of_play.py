"""Steps of play: moves, what takes them back, and what time and leaving do to a game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from core.fairness.draw import SeededDraw
from engines.kit.game import Fact
from engines.kit.life import Status
from engines.kit.state import AnyGame, MatchState, Restore
from engines.kit.steps import Event, FoldError, Stepped, require
from engines.kit.tuples import new


def moved(game: AnyGame, state: MatchState, event: Event) -> Stepped:
    """A seat moves."""
    seq = state.seq + 1
    if state.life.status is not Status.ACTIVE:
        require(state, Status.ACTIVE)
    body = event.moved
    seat = body.seat
    before = state.game
    if seat not in game.may_act(before):
        raise FoldError(seq, f"seat {seat} moves", f"one of {sorted(game.may_act(before))}")
    draw = SeededDraw(state.seed, seq)
    after, facts = game.apply(before, seat, body.move, draw)
    window: tuple[Restore, ...] = ()
    if not game.barrier(before, after) and not draw.used and not _told_others(facts, seat):
        window = (*state.window, Restore(state.seq, seat, before))
    return _played(game, state, event, after, window, seat), facts


def _told_others(facts: Sequence[Fact], seat: int) -> bool:
    """Somebody else learned something hidden: nobody can be made to unlearn it."""
    return any(fact.audiences is not None and fact.audiences - {seat} for fact in facts)


def _played(
    game: AnyGame, state: MatchState, event: Event, after: Any, window: tuple[Restore, ...], moved: int | None
) -> MatchState:
    """The match with another game state."""
    seq, _, life, clock, before, decision, _, since_ms, key, seed = state
    seq += 1
    at_ms = event.at_ms
    undisturbed = game.undisturbed(before, after)
    if undisturbed:
        decision = tuple(old if seat in undisturbed else seq for seat, old in enumerate(decision))
    else:
        decision = (seq,) * len(decision)
    if clock is not None:
        clock = clock.at(at_ms, game.awaited(after), moved)
    if not game.limit_goes_on(before, after):
        since_ms = at_ms
    return new(MatchState, (seq, at_ms, life, clock, after, decision, window, since_ms, key, seed))


def undone(game: AnyGame, state: MatchState, event: Event) -> Stepped:
    """A seat takes its last moves back."""
    require(state, Status.ACTIVE)
    body = event.undone
    index = undo_index(state, body.seat, body.to_seq)
    if index is None:
        raise FoldError(state.seq + 1, f"seat {body.seat} undoes to {body.to_seq}", "a state of its undo window")
    played = _played(game, state, event, state.window[index].game, state.window[:index], None)
    return played._replace(since_ms=state.since_ms), ()


def undo_index(state: MatchState, seat: int, to_seq: int) -> int | None:
    """Where in the window the seat may return to: the state after `to_seq`, 0 for before its last move; None: nowhere.

    All moves that would be taken back must be the seat's own.
    """
    window = state.window
    for index in range(len(window) - 1, -1, -1):
        if window[index].seat != seat:
            return None
        if to_seq in (0, window[index].seq):
            return index
    return None


def _left(game: AnyGame, state: MatchState, event: Event, seat: int, reason: str) -> Stepped:
    require(state, Status.ACTIVE)
    if seat >= len(state.life.seats):
        raise FoldError(state.seq + 1, f"seat {seat} leaves", f"a seat below {len(state.life.seats)}")
    after, facts = game.leave(state.game, seat, SeededDraw(state.seed, state.seq + 1))
    played = _played(game, state, event, after, (), None)
    # Where the others play on, the match ends for another reason.
    ends = game.outcome(after) is not None
    return played._replace(life=replace(played.life, reason=reason if ends else "")), facts


def resigned(game: AnyGame, state: MatchState, event: Event) -> Stepped:
    """A seat gives up."""
    return _left(game, state, event, event.resigned.seat, "")


def clock_expired(game: AnyGame, state: MatchState, event: Event) -> Stepped:
    """A seat's clock has run out: for the game it has left."""
    seat = event.clock_expired.seat
    clock = state.clock
    if clock is None or clock.fallen(event.at_ms) != seat:
        raise FoldError(state.seq + 1, f"the clock of seat {seat} has fallen", "time left")
    return _left(game, state, event, seat, "clock_expired")


def deadline_passed(game: AnyGame, state: MatchState, event: Event) -> Stepped:
    """A time limit of the game's own has passed."""
    require(state, Status.ACTIVE)
    limit = game.limit_ms(state.game)
    due = None if limit is None else state.since_ms + limit
    if due is None or event.deadline_passed.due_ms != due or event.at_ms < due:
        raise FoldError(state.seq + 1, f"the limit of {event.deadline_passed.due_ms} has passed", f"{due}")
    after, facts = game.time_out(state.game, SeededDraw(state.seed, state.seq + 1))
    if state.clock is not None:
        # Clocks ran until the limit, however late somebody looked.
        state = state._replace(clock=state.clock.at(max(due, state.clock.at_ms), frozenset()))
    return _played(game, state, event, after, (), None), facts
