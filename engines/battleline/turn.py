"""How a turn goes on and ends, and how a game does (rules §4, §6, §8)."""

from __future__ import annotations

from engines.battleline import facts
from engines.battleline.claims import claimable
from engines.battleline.formation import strength
from engines.battleline.setup import deal
from engines.battleline.state import FLAGS, HAND, MUD_SLOTS, NOBODY, Pair, Result, State, Step, with_seat
from engines.kit.game import Draw, Fact

BREAKTHROUGH = 3
ENVELOPMENT = 5
WINNER_POINTS = 5
STUCK_PASSES = 2

Told = list[Fact]


def draw_due(state: State) -> bool:
    """True when the turn ends with drawing a card."""
    return len(state.hands[state.turn]) < HAND and bool(state.decks[0] or state.decks[1])


def settle(state: State, told: Told, draw: Draw) -> State:
    """After a card was played: sides that Mud has left give up their fourth card, then the turn closes."""
    if state.trim != NOBODY:
        sides = state.fronts[state.trim].sides
        for seat in (state.turn, 1 - state.turn):
            if len(sides[seat]) == MUD_SLOTS:
                if not state.rules.automatic_trim:
                    return state._replace(step=Step.TRIM)
                state = trimmed(state, seat, weakest(state, seat), told)
        state = state._replace(trim=NOBODY)
    return close(state, told, draw)


def weakest(state: State, seat: int) -> int:
    """The card without which the side's formation is best; the newest of several."""
    side = state.fronts[state.trim].sides[seat]
    foggy = state.foggy(state.trim)
    rest = [strength(side[:at] + side[at + 1 :], foggy) for at in range(len(side))]
    return side[max(range(len(side)), key=lambda at: (rest[at], at))]


def trimmed(state: State, seat: int, card: int, told: Told) -> State:
    """The seat has given up a card of its side at the flag that Mud has left."""
    told.append(facts.trimmed(seat, card, state.trim))
    return state._replace(
        fronts=state.with_front(state.trim, state.fronts[state.trim].take(seat, card)),
        discards=with_seat(state.discards, seat, (*state.discards[seat], card)),
    )


def close(state: State, told: Told, draw: Draw) -> State:
    """The end of the turn: claims and the draw; where there is nothing to decide the other seat is on turn."""
    if draw_due(state) or (not state.rules.last_chance and claimable(state, state.turn)):
        return state if state.step is Step.CLOSE else state._replace(step=Step.CLOSE)
    return end_turn(state, told, draw)


def end_turn(state: State, told: Told, draw: Draw) -> State:
    """The other seat is on turn; after two passes in a row without a claim the game is over (rules §7)."""
    if state.passes < STUCK_PASSES:
        return state._replace(turn=1 - state.turn, step=Step.PLAY)
    mine, theirs = state.flags_of(0), state.flags_of(1)
    winner = NOBODY if mine == theirs else 0 if mine > theirs else 1
    return finish(state, "stuck", winner, told, draw)


def won_by(state: State, seat: int) -> str | None:
    """How the seat has won, by its flags; None when it has not."""
    own = [front.owner == seat for front in state.fronts]
    if any(all(own[at : at + BREAKTHROUGH]) for at in range(FLAGS - BREAKTHROUGH + 1)):
        return "breakthrough"
    return "envelopment" if sum(own) >= ENVELOPMENT else None


def result(state: State, reason: str, winner: int) -> Result:
    """The game's result: five points for the winner, for the loser and after a draw one for each own flag."""
    flags: Pair = (state.flags_of(0), state.flags_of(1))
    points = with_seat(flags, winner, WINNER_POINTS) if winner != NOBODY else flags
    return Result(reason, winner, flags, points)


def finish(state: State, reason: str, winner: int, told: Told, draw: Draw) -> State:
    """The game is over; the next one of the match is dealt, and the other seat starts it."""
    ended = result(state, reason, winner)
    results = (*state.results, ended)
    told.append(facts.won(ended))
    if len(results) == state.rules.series:
        return state._replace(step=Step.OVER, results=results)
    starter = 1 - state.starter
    told.append(facts.dealt(len(results) + 1, starter))
    return deal(state.rules, draw, starter, state.cut, results)
