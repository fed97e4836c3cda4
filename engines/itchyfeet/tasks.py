"""Carries out what is on the agenda until a seat must say something."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from engines.itchyfeet import effects, events
from engines.itchyfeet.facts import drew, fact, names, taken, turn
from engines.itchyfeet.legal import over_limit
from engines.itchyfeet.state import ACTION_OF, END_OF, LIMITS, NOBODY, NONE, UNANSWERED, Kind, Task
from engines.itchyfeet.table import Table


def run(table: Table, *, after_hidden: bool = False) -> None:
    """Does all that needs no word of a seat.

    After a choice that others do not see, a draw waits for its seat: an event that it turns up may show cards of hands
    by chance, which must not stand in the same event as the choice.
    """
    table.after_hidden = after_hidden
    while not table.reason:
        task = table.agenda[-1]
        waits, do = _STEPS[task.kind]
        if waits is not None and waits(table, task):
            return
        table.agenda.pop()
        if do is not None:
            do(table, task)


def _always(table: Table, task: Task) -> bool:
    return True


def _unanswered(table: Table, task: Task) -> bool:
    return UNANSWERED in table.answers


def _over_limit(table: Table, task: Task) -> bool:
    return over_limit(table) is not None


def _all_reached(table: Table, task: Task) -> bool:
    return table.reached == task.amount


def _draws_later(table: Table, task: Task) -> bool:
    return table.after_hidden and bool(table.pile or table.discard)


def _close_window(table: Table, task: Task) -> None:
    """The first seat clockwise from the active one that plays its card blocks (R52)."""
    for seat in table.clockwise(table.active):
        card = table.answers[seat]
        if card >= 0:
            table.throw(seat, (card,))
            table.tell((fact("blocked", seat=seat, card=table.deck.cards[card].name, other=task.seat),))
            table.block()
            return
    table.tell((fact("not_blocked", seat=task.seat),))
    table.nobody_asked()


def _close_tour(table: Table, task: Task) -> None:
    events.close_tour(table, task)
    table.after_hidden = True


def _draw(table: Table, task: Task) -> None:
    seat = task.seat
    table.refill()
    knew = table.known_top()
    card = table.take_top(seat, drawn=True)
    if card is None:
        return
    if task.amount > 1:
        table.push(task._replace(amount=task.amount - 1))
    table.refill()
    if card in table.deck.events:
        table.tell((fact("event", seat=seat, card=table.deck.cards[card].name),))
        table.push(Task(Kind.EVENT, seat, card=card))
        return
    table.tell(drew(table.deck, seat, card, knew, len(table.hands)))
    table.gain(seat, card, knew)
    if task.other == seat:
        table.reached += 1


def _spent(table: Table, task: Task) -> None:
    table.discard.append(task.card)


def _steal(table: Table, task: Task) -> None:
    seat, other = task.seat, task.other
    hand = table.hands[other]
    if table.ability(seat) == effects.PICKPOCKET:
        see = table.ability_number(seat, "see")
        order = table.draw.shuffle(hand, "pickpocket")
        cards = tuple(sorted(card for card in order[:see] if isinstance(card, int)))
        _show(table, seat, other, cards)
        return
    card = hand[table.draw.below(len(hand), "steal")]
    table.tell(taken(table.deck, seat, other, card))
    table.move_unseen(other, seat, card)


def _look(table: Table, task: Task) -> None:
    _show(table, task.seat, task.other, table.hands[task.other])


def _show(table: Table, seat: int, other: int, cards: tuple[int, ...]) -> None:
    table.reveal(other, cards, 1 << seat)
    table.tell(
        (
            fact("looked_at_hand", seat=seat, other=other, count=len(cards)),
            fact("saw_in_hand", to={seat}, other=other, cards=names(table.deck, cards)),
        )
    )
    table.push(Task(Kind.TAKE, seat, other, cards=cards))


def _travel(table: Table, task: Task) -> None:
    """The items are discarded, the country leaves the game, a card is drawn; the centre wins (2.4, R40, R41)."""
    seat = task.seat
    place = table.places[seat]
    country = table.centre if place.done else place.country
    hand = list(table.hands[seat])
    paid = []
    for item in table.deck.countries[country].requires:
        if item in hand:
            hand.remove(item)
            paid.append(item)
        else:
            paid.append(task.card)
    table.throw(seat, paid)
    table.tell((fact("travelled", seat=seat, country=table.deck.countries[country].name),))
    if place.done:
        table.centre = NONE
        table.over(seat, "centre")
        return
    place = place._replace(country=NONE, done=True)
    table.places = (*table.places[:seat], place, *table.places[seat + 1 :])
    table.travelled = True
    if table.deck.constants.travel_draw:
        table.push(Task(Kind.DRAW, seat, amount=table.deck.constants.travel_draw))


def _done(table: Table, task: Task) -> None:
    table.acted += 1
    table.agenda.append((ACTION_OF if table.acted < table.allowed else END_OF)[task.seat])


def _end(table: Table, task: Task) -> None:
    """The turn passes on; after the last round nobody wins (R56)."""
    count = len(table.hands)
    seat = (table.active + 1) % count
    while not table.places[seat].here:
        seat = (seat + 1) % count
    wrapped = (seat - table.starter) % count <= (table.active - table.starter) % count
    number = table.round + wrapped
    if number > table.deck.constants.round_cap:
        table.over(NOBODY, "round_cap")
        return
    table.active, table.round = seat, number
    table.acted, table.allowed, table.travelled, table.offers, table.reached = 0, 1, False, 0, 0
    table.told.append(turn(seat, number))
    table.agenda = [ACTION_OF[seat]]
    if not table.hands[seat]:
        table.push(LIMITS, Task(Kind.DRAW, seat, amount=table.deck.constants.empty_hand_draw))


_Waits = Callable[[Table, Task], bool]
_Do = Callable[[Table, Task], None]

_BY_KIND: Final[Mapping[Kind, tuple[_Waits | None, _Do | None]]] = {
    Kind.ACTION: (_always, None),
    Kind.OFFER: (_always, None),
    Kind.WINDOW: (_unanswered, _close_window),
    Kind.TOUR: (_unanswered, _close_tour),
    Kind.GUIDE: (_always, None),
    Kind.TAKE: (_always, None),
    Kind.TROT: (_all_reached, None),
    Kind.DRAW: (_draws_later, _draw),
    Kind.LIMITS: (_over_limit, None),
    Kind.EVENT: (None, events.happen),
    Kind.SPENT: (None, _spent),
    Kind.STEAL: (None, _steal),
    Kind.LOOK: (None, _look),
    Kind.TRAVEL: (None, _travel),
    Kind.DONE: (None, _done),
    Kind.END: (None, _end),
}
_STEPS: Final = tuple(_BY_KIND[kind] for kind in Kind)
"""For each kind of task, whether it waits for a seat, and what it does once it need not wait any more."""
