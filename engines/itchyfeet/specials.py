"""Special items that are played in the phase of actions (6.3)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from engines.itchyfeet import effects
from engines.itchyfeet import legal as rules
from engines.itchyfeet.actions import open_window
from engines.itchyfeet.cards import Effect
from engines.itchyfeet.facts import fact, names
from engines.itchyfeet.notation import Move
from engines.itchyfeet.refusals import need, need_cards
from engines.itchyfeet.state import LIMITS, NOBODY, Kind, State, Task
from engines.itchyfeet.table import Table


def play(table: Table, state: State, seat: int, move: Move) -> bool:
    """The card takes effect; it reaches the discard pile after that (R49)."""
    need_cards(state, seat, (move.card,), "R48")
    timing = "a card of your hand whose time has come"
    need(move.card in rules.playable(state, seat), "that card cannot be played now", "R48", timing)
    effect = state.deck.cards[move.card].effect
    assert effect is not None
    takes_seat = effect.kind in (effects.MAP, effects.FINGERS)
    need(
        (move.seat != NOBODY) == takes_seat,
        "a seat is named wrongly",
        "notation",
        "`play:card:seat` for this card" if takes_seat else "no seat",
    )
    takes_cards = effect.kind == effects.POST
    need(
        bool(move.cards) == takes_cards,
        "cards are named wrongly",
        "notation",
        "`play:card:put+put` for this card" if takes_cards else "no other card",
    )
    return _PLAY[effect.kind](table, state, seat, move, effect)


def _use(table: Table, seat: int, move: Move, effect: Effect, *tasks: Task) -> None:
    """The card leaves the hand, and the tasks follow, as the seat's action where the card takes that."""
    table.lose(seat, move.card)
    spent = Task(Kind.SPENT, card=move.card)
    if effect.when == effects.ACTION:
        table.act(seat, spent, *tasks)
    else:
        table.push(LIMITS, spent, *tasks)
    table.told.insert(0, fact("played", seat=seat, card=table.deck.cards[move.card].name))


def _guide(table: Table, state: State, seat: int, move: Move, effect: Effect) -> bool:
    _use(table, seat, move, effect)
    looked = []
    for _ in range(effect.number("look")):
        card = table.take_top(seat, drawn=False)
        if card is None:
            break
        looked.append(card)
    cards = tuple(sorted(looked))
    table.tell(
        (
            fact("looked_at_pile", seat=seat, count=len(cards)),
            fact("saw_in_pile", to={seat}, cards=names(state.deck, cards)),
        )
    )
    table.push(Task(Kind.GUIDE, seat, cards=cards))
    return False


def _post(table: Table, state: State, seat: int, move: Move, effect: Effect) -> bool:
    least, most = effect.number("min"), effect.number("max")
    need(least <= len(move.cards) <= most, f"so many are named: {len(move.cards)}", "6.3", f"{least} to {most} cards")
    able = list(rules.postable(state, seat, move.card))
    for card in move.cards:
        need(card in able, "you cannot put that on the pile", "6.3", "cards of your hand, no contraband")
        able.remove(card)
    count = len(move.cards)
    _use(table, seat, move, effect, Task(Kind.DRAW, seat, amount=count))
    for card in move.cards:
        table.lose_unseen(seat, card, 1 << seat)
        table.under((card,), seat)
    table.tell((fact("put_under", seat=seat, count=count),))
    return True


def _map(table: Table, state: State, seat: int, move: Move, effect: Effect) -> bool:
    able = rules.mappable(state)
    need(move.seat in able, f"no country lies before seat {move.seat}", "H8", "a seat with a country before it")
    _use(table, seat, move, effect)
    place = state.places[move.seat]
    table.under_countries(place.country)
    country = table.next_country()
    assert country is not None
    table.places = (*state.places[: move.seat], place._replace(country=country), *state.places[move.seat + 1 :])
    table.tell((fact("replaced", other=move.seat, country=state.deck.countries[country].name),))
    return False


def _fingers(table: Table, state: State, seat: int, move: Move, effect: Effect) -> bool:
    able = rules.robbable(state, seat)
    need(move.seat in able, f"seat {move.seat} cannot be robbed", "R26", "another seat that has cards")
    _use(table, seat, move, effect, Task(Kind.LOOK, seat, move.seat))
    table.tell((fact("reaches", seat=seat, other=move.seat),))
    open_window(table, Task(Kind.WINDOW, seat, move.seat))
    return False


def _red_eye(table: Table, state: State, seat: int, move: Move, effect: Effect) -> bool:
    _use(table, seat, move, effect)
    table.allowed = state.allowed + effect.number("extra_actions")
    return False


def _voucher(table: Table, state: State, seat: int, move: Move, effect: Effect) -> bool:
    _use(table, seat, move, effect, Task(Kind.DRAW, seat, amount=effect.number("draw")))
    return False


_PLAY: Final[Mapping[str, Callable[[Table, State, int, Move, Effect], bool]]] = {
    effects.GUIDE: _guide,
    effects.POST: _post,
    effects.MAP: _map,
    effects.FINGERS: _fingers,
    effects.RED_EYE: _red_eye,
    effects.VOUCHER: _voucher,
}
