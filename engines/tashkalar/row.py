"""The tasks that lie open and the next one (rules §4, §10)."""

from __future__ import annotations

from collections.abc import Sequence

from engines.kit.game import Draw
from engines.tashkalar.cards import TASKS
from engines.tashkalar.pieces import NOTHING
from engines.tashkalar.state import Cards, State, with_item, without

CURRENT = 3
MOST_ALIKE = 2
"""So many of the four visible tasks at most have one type."""


def laid_out(draw: Draw, *, advanced: bool) -> tuple[Cards, int, Cards, int]:
    """Current tasks, the next one, the deck with its top last, and how many cards were seen going under it.

    Without `advanced` those tasks are out of the game.
    """
    deck = list(shuffled([task.number for task in TASKS if advanced or not task.advanced], draw, "tasks"))
    tasks: list[int] = []
    aside: list[int] = []
    while len(tasks) < CURRENT:
        number = deck.pop()
        (aside if TASKS[number].advanced or _alike(tasks, number) else tasks).append(number)
    if aside:
        deck = list(shuffled(sorted((*deck, *aside)), draw, "tasks_back"))
    current = tuple(tasks)
    return current, *turned_up(current, tuple(deck), 0)


def _alike(tasks: list[int] | Cards, number: int) -> bool:
    """Whether the task would make three of one type."""
    return sum(TASKS[other].type == TASKS[number].type for other in tasks) >= MOST_ALIKE


def turned_up(tasks: Cards, deck: Cards, buried: int) -> tuple[int, Cards, int]:
    """The next task, the deck without it and its cards that were seen going under it.

    The next task goes under the deck while three of the four visible ones have one type, each card at most once.
    """
    for _ in deck:
        *rest, top = deck
        if not _alike(tasks, top):
            break
        deck, buried = (top, *rest), buried + 1
    if not deck:
        return NOTHING, (), 0
    return deck[-1], deck[:-1], min(buried, len(deck) - 1)


def after_claim(state: State, task: int) -> State:
    """The claimed task goes to its side, the next one into its place, and another is turned up."""
    colour = state.colour(state.turn.seat)
    claimed = with_item(state.claimed, colour, (*state.claimed[colour], task))
    if state.next_task == NOTHING:
        return state._replace(tasks=without(state.tasks, task), claimed=claimed)
    tasks = with_item(state.tasks, state.tasks.index(task), state.next_task)
    next_task, deck, buried = turned_up(tasks, state.task_deck, state.buried)
    return state._replace(tasks=tasks, next_task=next_task, task_deck=deck, buried=buried, claimed=claimed)


def shuffled(cards: Sequence[int], draw: Draw, purpose: str) -> Cards:
    """The cards in a uniformly drawn order."""
    return tuple(card for card in draw.shuffle(cards, purpose) if isinstance(card, int))
