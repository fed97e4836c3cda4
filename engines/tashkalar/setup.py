"""How a game begins (rules §4, §13, §15)."""

from __future__ import annotations

from engines.kit.game import Draw
from engines.tashkalar.cards import DECKS, FLARES, LEGENDS
from engines.tashkalar.pieces import COUNTERS, NOTHING
from engines.tashkalar.row import laid_out, shuffled
from engines.tashkalar.state import (
    BEINGS_IN_HAND,
    FLARES_IN_HAND,
    LEGENDS_IN_HAND,
    NOBODY,
    Cards,
    Form,
    Player,
    Rules,
    State,
    Turn,
)

FIRST_ACTIONS = 1
"""Actions of the starting player's first turn."""


def counters(form: Form, seats: int) -> int:
    """Two-sided counters of a colour that are left when the score markers have been set (rules §4)."""
    if form is Form.MELEE:
        return COUNTERS - (seats - 1)
    return COUNTERS - 1 if form in (Form.DUEL, Form.TEAM_DUEL) else COUNTERS


def start(rules: Rules, starter: int | None, draw: Draw) -> State:
    """A new game; `starter` is drawn by lot where it is None."""
    seats = rules.seats
    starter = draw.below(seats, "starter") if starter is None else starter
    flares = shuffled(range(len(FLARES)), draw, "flares")
    legends = shuffled(DECKS[LEGENDS], draw, "legends") if rules.has_legends else ()
    with_legends = _with_legends(rules, starter)
    players: list[Player] = [Player(())] * seats
    for seat in sorted(range(seats), key=lambda seat: (seat - starter) % seats):
        deck = shuffled(DECKS[rules.decks[seat]], draw, f"deck_{seat}")
        deck, beings = _dealt(deck, BEINGS_IN_HAND)
        legends, mine = _dealt(legends, LEGENDS_IN_HAND if seat in with_legends else 0)
        flares, flare = _dealt(flares, FLARES_IN_HAND)
        players[seat] = Player(deck, beings, mine, flare, turns=int(seat == starter))
    tasks: Cards = ()
    next_task, task_deck, buried = NOTHING, tasks, 0
    if rules.has_tasks:
        tasks, next_task, task_deck, buried = laid_out(draw, advanced=rules.form is not Form.FIRST)
    colours = rules.colours
    return State(
        rules=rules,
        board=(0,) * (3 * colours),
        players=tuple(players),
        turn=Turn(starter, FIRST_ACTIONS, (0,) * (3 * colours)),
        lost=(0,) * (2 * colours),
        scores=((0,) * (colours if rules.form is Form.MELEE else 1),) * colours,
        fewer=(0,) * colours,
        legends=legends,
        flares=flares,
        tasks=tasks,
        next_task=next_task,
        task_deck=task_deck,
        claimed=((),) * colours,
        setter=NOBODY if rules.has_tasks else (starter - 1) % seats,
        buried=buried,
        improvised=(0,) * colours,
    )


def _with_legends(rules: Rules, starter: int) -> frozenset[int]:
    """The seats that are dealt legends: of partners the one who plays first (rules §13)."""
    if not rules.has_legends:
        return frozenset()
    return frozenset((starter + turn) % rules.seats for turn in range(2 if rules.is_team else rules.seats))


def _dealt(deck: Cards, count: int) -> tuple[Cards, Cards]:
    """The deck without so many cards off its top, and these, sorted."""
    keep = len(deck) - count
    return deck[:keep], tuple(sorted(deck[keep:]))
