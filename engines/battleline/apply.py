"""What each move does."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from engines.battleline import facts
from engines.battleline.cards import ENVIRONMENT, FOG, LEADERS, NAMES, TROOPS
from engines.battleline.claims import against_claim, verdict
from engines.battleline.guile import desert, recall, redeploy, scout, scout_draw, take
from engines.battleline.hand import drawn, spent
from engines.battleline.legal import against_pass, against_play, refuse
from engines.battleline.notation import DECKS, Kind, Move, read
from engines.battleline.state import Place, State, Step, with_seat
from engines.battleline.turn import Told, close, draw_due, end_turn, finish, result, settle, trimmed, won_by
from engines.kit.game import Draw, Fact, IllegalMove

Handler = Callable[[State, int, Move, Told, Draw], State]

_IN_STEP: Final[Mapping[Step, frozenset[Kind]]] = {
    Step.PLAY: frozenset({Kind.PLAY, Kind.SCOUT, Kind.REDEPLOY, Kind.DESERT, Kind.TRAITOR, Kind.PASS}),
    Step.CLOSE: frozenset({Kind.DRAW, Kind.DONE}),
    Step.SCOUT: frozenset({Kind.DRAW}),
    Step.RETURN: frozenset({Kind.RETURN}),
    Step.TRIM: frozenset({Kind.TRIM}),
}
_WANTED: Final[Mapping[Step, str]] = {
    Step.PLAY: "a card to be played, or a pass",
    Step.CLOSE: "a claim, then a draw (`done` when no draw is due)",
    Step.SCOUT: "a draw for Scout",
    Step.RETURN: "the cards that Scout puts back",
    Step.TRIM: "a card of the side that Mud has left",
}
_WANTED_LAST_CHANCE: Final[Mapping[Step, str]] = {
    **_WANTED,
    Step.PLAY: "a claim, a card to be played, or a pass",
    Step.CLOSE: "a draw: with `last_chance` claims come before the card",
}


def apply(state: State, seat: int, text: str, draw: Draw) -> tuple[State, Sequence[Fact]]:
    """The state after the move, and what it did. Raises `IllegalMove`."""
    move = read(text)
    if move is None:
        raise IllegalMove("the text names no move", rule="rules §1", expected="a move as ListChoices writes it")
    if state.step is Step.OVER:
        raise IllegalMove("the match is over", rule="rules §6", expected="no move")
    if seat != state.actor():
        raise IllegalMove(f"seat {seat} is not on turn", rule="rules §4", expected=f"seat {state.actor()}")
    if not _fits(state, move.kind):
        wanted = _WANTED_LAST_CHANCE if state.rules.last_chance else _WANTED
        raise IllegalMove(f"`{move.kind}` cannot come now", rule="rules §4", expected=wanted[state.step])
    told: Told = []
    return _HANDLERS[move.kind](state, seat, move, told, draw), told


def _fits(state: State, kind: Kind) -> bool:
    if kind is Kind.CLAIM:
        return state.step is (Step.PLAY if state.rules.last_chance else Step.CLOSE)
    return kind in _IN_STEP[state.step]


def leave(state: State, seat: int) -> tuple[State, Sequence[Fact]]:
    """The seat has left: the other wins the match."""
    ended = result(state, "resigned", 1 - seat)
    return state._replace(step=Step.OVER, results=(*state.results, ended)), (facts.won(ended),)


def _play(state: State, seat: int, move: Move, told: Told, draw: Draw) -> State:
    (card,), flag = move.cards, move.flag
    refuse(against_play(state, seat, card, flag))
    told.append(facts.played(seat, card, flag))
    state = spent(state, seat, card)
    if card in ENVIRONMENT:
        place = Place(flag, seat)
        state = state._replace(fog=place) if card == FOG else state._replace(mud=place)
    else:
        fronts = state.with_front(flag, state.fronts[flag].put(seat, card))
        if card < TROOPS:
            state = state._replace(fronts=fronts, unseen=state.unseen & ~(1 << card))
        else:
            led = with_seat(state.led, seat, True) if card in LEADERS else state.led
            state = state._replace(fronts=fronts, led=led)
    return close(state, told, draw)


def _pass(state: State, seat: int, move: Move, told: Told, draw: Draw) -> State:
    refuse(against_pass(state, seat))
    told.append(facts.passed(seat))
    return close(state._replace(passes=state.passes + 1), told, draw)


def _claim(state: State, seat: int, move: Move, told: Told, draw: Draw) -> State:
    flag = move.flag
    found = verdict(state, seat, flag)
    refuse(against_claim(state, seat, flag, found))
    told.append(facts.claimed(seat, flag, found))
    fronts = state.with_front(flag, state.fronts[flag]._replace(owner=seat))
    state = state._replace(fronts=fronts, passes=0)
    reason = won_by(state, seat)
    if reason is not None:
        return finish(state, reason, seat, told, draw)
    return close(state, told, draw) if state.step is Step.CLOSE else state


def _draw(state: State, seat: int, move: Move, told: Told, draw: Draw) -> State:
    if state.step is Step.CLOSE and not draw_due(state):
        raise IllegalMove("you draw no card this turn", rule="rules §4", expected="a claim or `done`")
    if not state.decks[move.to]:
        raise IllegalMove(f"the {DECKS[move.to]} deck is empty", rule="rules §4", expected="the other deck")
    state = drawn(state, seat, move.to, told)
    if state.step is Step.SCOUT:
        return scout_draw(state, told, draw)
    return end_turn(state, told, draw)


def _done(state: State, seat: int, move: Move, told: Told, draw: Draw) -> State:
    if draw_due(state):
        raise IllegalMove("your hand is below 7", rule="rules §4", expected="a draw from a deck that is not empty")
    return end_turn(state, told, draw)


def _trim(state: State, seat: int, move: Move, told: Told, draw: Draw) -> State:
    (card,) = move.cards
    if card not in state.fronts[state.trim].sides[seat]:
        what = f"{NAMES[card]} is not on your side of flag {state.trim + 1}"
        raise IllegalMove(what, rule="rules §7", expected="one of your four cards there")
    return settle(trimmed(state, seat, card, told), told, draw)


_HANDLERS: Final[Mapping[Kind, Handler]] = {
    Kind.PLAY: _play,
    Kind.SCOUT: scout,
    Kind.REDEPLOY: redeploy,
    Kind.DESERT: desert,
    Kind.TRAITOR: take,
    Kind.PASS: _pass,
    Kind.CLAIM: _claim,
    Kind.DRAW: _draw,
    Kind.DONE: _done,
    Kind.RETURN: recall,
    Kind.TRIM: _trim,
}
