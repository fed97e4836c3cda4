"""The events, carried out clockwise from who drew them (6.3, R13, R14, R16)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from engines.itchyfeet import effects
from engines.itchyfeet.facts import fact
from engines.itchyfeet.state import LIMITS, Kind, Task
from engines.itchyfeet.table import Table


def happen(table: Table, task: Task) -> None:
    """The event; it reaches the discard pile only after it is resolved (R14), then the limits follow (R18)."""
    table.push(LIMITS, Task(Kind.SPENT, card=task.card))
    _EVENTS[table.deck.effects[task.card]](table, task)


def _centre(table: Table, task: Task) -> None:
    country = table.next_country()
    if country is None:
        return
    table.under_countries(table.centre)
    table.centre = country
    table.tell((fact("new_centre", country=table.deck.countries[country].name),))


def _luggage(table: Table, task: Task) -> None:
    safe = table.deck.passports | table.deck.contraband
    for seat in table.clockwise(task.seat):
        able = [card for card in table.hands[seat] if card not in safe]
        if able:
            card = able[table.draw.below(len(able), "luggage")]
            table.throw(seat, (card,))
            table.tell((fact("discarded", seat=seat, cards=table.deck.cards[card].name),))


def _tour(table: Table, task: Task) -> None:
    seats = [seat for seat, hand in enumerate(table.hands) if hand]
    if seats:
        table.ask(seats)
        table.push(Task(Kind.TOUR, task.seat))


def close_tour(table: Table, task: Task) -> None:
    """All picked cards pass to the left at once; giver and receiver see which."""
    order = table.clockwise(task.seat)
    left = {seat: order[(at + 1) % len(order)] for at, seat in enumerate(order)}
    picks = {seat: table.answers[seat] for seat in order if table.answers[seat] >= 0}
    for seat, card in picks.items():
        table.lose_unseen(seat, card, 1 << seat | 1 << left[seat])
    table.tell((fact("passed_left"),))
    for seat, card in picks.items():
        to = left[seat]
        name = table.deck.cards[card].name
        table.tell((fact("passed_card", to={seat, to}, seat=seat, other=to, card=name),))
    table.nobody_asked()
    for seat, card in picks.items():
        table.gain(left[seat], card, 1 << seat)


def _sale(table: Table, task: Task) -> None:
    effect = table.deck.cards[task.card].effect
    assert effect is not None
    for seat in reversed(table.clockwise(task.seat)):
        table.push(Task(Kind.DRAW, seat, amount=effect.number("draw")))


_EVENTS: Final[Mapping[str, Callable[[Table, Task], None]]] = {
    effects.CENTRE: _centre,
    effects.LUGGAGE: _luggage,
    effects.TOUR: _tour,
    effects.SALE: _sale,
}
