"""A seat that leaves while the others play on (R57), and windows whose time is up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from engines.itchyfeet.facts import fact, names
from engines.itchyfeet.state import NOT_ASKED, PASSED, UNANSWERED, Kind, State, Task
from engines.itchyfeet.table import Table
from engines.itchyfeet.tasks import run
from engines.kit.game import Draw, Fact


def leave(state: State, seat: int, draw: Draw) -> tuple[State, Sequence[Fact]]:
    """The hand goes to the discard pile in random order, country and character leave; the last one left wins."""
    if state.reason or not state.places[seat].here:
        return state, ()
    table = Table(state, draw)
    hand = tuple(card for card in draw.shuffle(state.hands[seat], "leave") if isinstance(card, int))
    table.throw(seat, hand)
    table.tell((fact("left", seat=seat, cards=names(state.deck, hand)),))
    gone = state.places[seat]._replace(country=-1, character=-1, here=False)
    table.places = (*state.places[:seat], gone, *state.places[seat + 1 :])
    table.left = (*state.left, seat)
    staying = table.clockwise(0)
    if len(staying) == 1:
        table.over(staying[0], "last_left")
    _without(table, seat)
    run(table, after_hidden=True)
    return table.state(), table.told


def _without(table: Table, seat: int) -> None:
    """The agenda without what the seat was to do, or others with it."""
    kept: list[Task] = []
    for task in table.agenda:
        kind = task.kind
        if kind in (Kind.ACTION, Kind.DONE) and task.seat == seat:
            kept.append(Task(Kind.END, seat))
        elif kind is Kind.GUIDE and task.seat == seat:
            table.under(task.cards, seat)
        elif not (_BETWEEN.get(kind) == 2 and seat == task.other) and not (kind in _BETWEEN and seat == task.seat):
            kept.append(task)
    table.agenda = kept
    if table.answers:
        if any(task.kind in (Kind.WINDOW, Kind.TOUR) for task in kept):
            was_asked = table.answers[seat] != NOT_ASKED
            table.answers[seat] = PASSED if was_asked else NOT_ASKED
        else:
            table.nobody_asked()


_BETWEEN: Final[Mapping[Kind, int]] = {
    **dict.fromkeys((Kind.OFFER, Kind.WINDOW, Kind.TAKE, Kind.STEAL, Kind.LOOK), 2),
    **dict.fromkeys((Kind.DRAW, Kind.TROT, Kind.TRAVEL), 1),
}
"""What falls away when the seat that does it leaves; 2: also when the seat that it is done with leaves."""


def time_out(state: State, draw: Draw) -> tuple[State, Sequence[Fact]]:
    """Who has not answered in the window lets it happen."""
    table = Table(state, draw)
    table.answers = [PASSED if answer == UNANSWERED else answer for answer in table.answers]
    table.tell((fact("time_up"),))
    run(table)
    return table.state(), table.told
