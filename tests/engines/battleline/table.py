"""Positions from text: what a test does not name is filled with other cards, so that every card is in one place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from core.fairness.draw import SeededDraw
from engines.battleline.cards import ALX, CARDS, DAR, NUMBERS, TACTICS, TROOPS
from engines.battleline.game import GAME
from engines.battleline.state import HAND, Front, Place, Rules, State, Step, unseen_troops, with_seat
from engines.kit.game import Choice, Fact, IllegalMove

GOLDEN = Path(__file__).parents[2] / "golden" / "battleline"
SEED = b"a seed of thirty-two bytes, fine"


def rows(name: str) -> list[list[str]]:
    """The rows of a data file, cells parted by bars; comments are left out."""
    lines = (GOLDEN / name).read_text(encoding="utf-8").splitlines()
    return [[cell.strip() for cell in line.split("|")] for line in lines if line and not line.startswith("#")]


def cards(text: str) -> tuple[int, ...]:
    """Cards of a text, which may be empty."""
    return tuple(NUMBERS[name] for name in text.split())


def draw(seq: int = 1) -> SeededDraw:
    """Chance for one move."""
    return SeededDraw(SEED, seq)


def front(mine: str = "", theirs: str = "", *, owner: int = -1, newest: int = 1) -> Front:
    """A flag; seat 0's cards are `mine`. `newest` is the seat whose cards entered after all others."""
    sides = (cards(mine), cards(theirs))
    order = [1 - newest] * len(sides[1 - newest]) + [newest] * len(sides[newest])
    return Front(sides, tuple(order), owner)


def position(
    flags: Mapping[int, Front] | None = None,
    hands: tuple[str, str] = ("", ""),
    *,
    rules: Rules | None = None,
    fog: tuple[int, int] | None = None,
    mud: tuple[int, int] | None = None,
    discards: tuple[str, str] = ("", ""),
    played: tuple[int, int] = (0, 0),
    decks: tuple[int, int] | None = None,
    sizes: tuple[int, int] = (HAND, HAND),
    step: Step = Step.PLAY,
    turn: int = 0,
) -> State:
    """A position with seat 0 on turn. `fog` and `mud` are (flag 1..9, seat).

    Hands are filled with troops up to `sizes`, the other cards are in the decks; `decks` cuts these to a size, what is
    over goes to the discards of seat 1.
    """
    rules = rules or Rules()
    fronts = tuple((flags or {}).get(number, Front()) for number in range(1, 10))
    held = [list(cards(hand)) for hand in hands]
    piles = [list(cards(pile)) for pile in discards]
    used = {card for pile in (*held, *piles, *(side for each in fronts for side in each.sides)) for card in pile}
    used |= {NUMBERS[name] for name, place in (("FOG", fog), ("MUD", mud)) if place}
    troops = [card for card in range(TROOPS) if card not in used]
    for hand, size in zip(held, sizes, strict=True):
        while len(hand) < size and troops:
            hand.append(troops.pop(0))
    tactics = [card for card in TACTICS if card not in used] if rules.tactics else []
    for pile, size in zip((troops, tactics), decks or (len(troops), len(tactics)), strict=True):
        while len(pile) > size:
            piles[1].append(pile.pop())
    thrown = (tuple(piles[0]), tuple(piles[1]))
    led = [
        any(leader in side for each in fronts for side in (each.sides[seat],) for leader in (ALX, DAR))
        for seat in (0, 1)
    ]
    return State(
        rules,
        (tuple(sorted(held[0])), tuple(sorted(held[1]))),
        (tuple(troops[::-1]), tuple(tactics[::-1])),
        fronts=fronts,
        fog=Place(fog[0] - 1, fog[1]) if fog else None,
        mud=Place(mud[0] - 1, mud[1]) if mud else None,
        discards=thrown,
        played=played,
        led=(led[0], led[1]),
        unseen=unseen_troops(fronts, thrown),
        step=step,
        turn=turn,
        starter=turn,
    )


def play(state: State, *moves: str) -> State:
    """The state after moves of the seat that acts each time."""
    for move in moves:
        state, _ = tell(state, move)
    return state


def tell(state: State, move: str) -> tuple[State, Sequence[Fact]]:
    """The state after one move, and its facts."""
    return GAME.apply(state, state.actor(), move, draw())


def first_parts(state: State, prefix: str = "") -> list[str]:
    """Texts of the choices of the seat that acts."""
    return [choice.text for choice in GAME.choices(state, state.actor(), prefix)]


def all_moves(state: State, prefix: str = "") -> list[str]:
    """Every legal move that begins with the prefix, found part by part."""
    found: list[str] = []
    parts: list[Choice] = list(GAME.choices(state, state.actor(), prefix))
    while parts:
        part = parts.pop()
        if part.complete:
            found.append(part.text)
        else:
            parts += GAME.choices(state, state.actor(), part.text)
    return sorted(found)


def beginning(state: State, prefix: str) -> list[str]:
    """Every legal move whose text begins so, also in the middle of a part."""
    return [move for move in all_moves(state) if move.startswith(prefix)]


def refused(state: State, move: str) -> IllegalMove:
    """Why the move is illegal; it must not be offered either."""
    with pytest.raises(IllegalMove) as caught:
        GAME.apply(state, max(0, state.actor()), move, draw())
    assert move not in all_moves(state)
    return caught.value


def with_hand(state: State, seat: int, hand: str) -> State:
    """The state with another hand, nothing else changed."""
    return state._replace(hands=with_seat(state.hands, seat, tuple(sorted(cards(hand)))))


def everything(state: State) -> list[int]:
    """All cards of the state, wherever they are, sorted."""
    piles = [*state.hands, *state.decks, *state.discards, *(side for each in state.fronts for side in each.sides)]
    placed = [card for pile in piles for card in pile]
    placed += [NUMBERS[name] for name, place in (("FOG", state.fog), ("MUD", state.mud)) if place is not None]
    return sorted(placed)


ALL = list(range(CARDS))
